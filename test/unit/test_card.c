/* vCards as records and back: the mapping in cases, and random cards on their way through a record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/card/card.h"
#include "test/lib/case_arena.h"
#include "test/lib/model/card_api.h"
#include "test/lib/model/card_sample.h"
#include "test/lib/test.h"

CASE_ARENA();

/* A record and what is kept of its cards. */
struct card_world {
	struct card_api api;
	struct card_kept kept;
	bool made;
};

static struct card_change put_card(struct card_world *w, enum id_kind kind, const char *text, size_t len, bool seen)
{
	static const char *const groups[] = {"Press", "Sales"};
	struct card_before before = {.kind = kind,
	    .record = w->made ? w->api.record : NULL,
	    .kept = w->made ? &w->kept : NULL,
	    .seen = seen,
	    .groups = groups,
	    .n_groups = 2};
	struct card_change change;
	struct card card;
	const char *error = card_read(&a, text, len, &card);

	if (error)
		fail_msg("%s\n%s", error, text);
	card_change(&a, &card, &before, &change);
	if (w->made)
		card_api_update(&a, &w->api, change.body);
	else
		card_api_create(&a, &w->api, kind, change.body);
	w->made = true;
	w->kept = change.kept;
	return change;
}

static struct buf get_card(const struct card_world *w, enum card_version version)
{
	struct buf out;

	buf_init(&out, 4 << 20);
	card_write(&out, w->api.kind, w->api.record, &w->kept, version, "");
	assert_false(out.overflow);
	return out;
}

static void remove_line(struct buf *lines, const char *begin)
{
	char *next;

	for (char *at = lines->data; at && *at; at = next) {
		next = strchr(at, '\n') + 1;
		if (strncmp(at, begin, strlen(begin)) == 0) {
			lines->len -= (size_t)(next - at);
			memmove(at, next, strlen(next) + 1);
			next = at;
		}
	}
}

/* Prints the lines that the other text does not have. */
static void print_missing(const char *what, const char *text, const char *other)
{
	size_t len;

	for (; *text; text += len + (text[len] != '\0')) {
		char *line;
		len = strcspn(text, "\n");
		line = arena_dup(&a, text, len);
		if (!strstr(other, line))
			print_message("%s: %.200s\n", what, line);
	}
}

static void check_same(const char *got, const char *expected, const char *what, unsigned seed)
{
	if (strcmp(got, expected) == 0)
		return;
	print_missing("lost", expected, got);
	print_missing("not sent", got, expected);
	fail_msg("%s differs, seed %u", what, seed);
}

static void check_lines(const struct buf *expected, const struct buf *card, const char *what, unsigned seed)
{
	struct buf lines;

	buf_init(&lines, 4 << 20);
	card_lines(&lines, card->data, card->len, true);
	if (strncmp(expected->data, "N:", 2) != 0 && !strstr(expected->data, "\nN:"))
		remove_line(&lines, "N:"); /* 4.0 does not need it, and the record has names */
	check_same(lines.data, expected->data, what, seed);
	buf_free(&lines);
}

static void check_unchanged(struct card_world *w, const struct buf *card, const char *what, unsigned seed)
{
	struct card_change change = put_card(w, ID_PERSON, card->data, card->len, true);
	struct buf body;

	if (!json_members(change.body) && !change.kept_differs)
		return;
	buf_init(&body, 4 << 20);
	json_canonical(&body, change.body);
	fail_msg("%s, seed %u, changes: %s\nkept:\n%.3000s", what, seed, body.data, change.kept.text);
}

/* --- random cards --------------------------------------------------------------------------------------- */

enum { RANDOM_CARDS = 1000 };

TEST(test_random_cards_come_back)
{
	unsigned most = getenv("CARD_SAMPLES") ? (unsigned)strtoul(getenv("CARD_SAMPLES"), NULL, 10) : RANDOM_CARDS;

	for (unsigned seed = 0; seed < most; seed++) {
		struct card_sample s;
		struct card_world w = {.made = false};
		struct buf card;
		card_sample_make(&s, seed);
		put_card(&w, ID_PERSON, s.text.data, s.text.len, true);
		card = get_card(&w, s.version == 4 ? CARD_4_0 : CARD_3_0);
		check_lines(&s.expected, &card, "the card", seed);
		check_unchanged(&w, &card, "the card sent back", seed);
		buf_free(&card);
		card_sample_free(&s);
		arena_free(&a);
	}
}

/* A client of another version sends back what it was sent. Then the first one has the same number of properties with
 * the same values. */
TEST(test_random_cards_in_the_other_version)
{
	for (unsigned seed = 0; seed < RANDOM_CARDS / 4; seed++) {
		struct card_sample s;
		struct card_world w = {.made = false};
		struct buf card, again, lines;
		card_sample_make(&s, seed);
		enum card_version other = s.version == 4 ? CARD_3_0 : CARD_4_0;
		struct card_change change;
		put_card(&w, ID_PERSON, s.text.data, s.text.len, true);
		card = get_card(&w, other);
		change = put_card(&w, ID_PERSON, card.data, card.len, true);
		if (json_members(change.body))
			fail_msg("seed %u: the other version changes %s", seed, json_members(change.body)->key);
		again = get_card(&w, other);
		check_unchanged(&w, &again, "the other version", seed);
		buf_init(&lines, 4 << 20);
		card_lines(&lines, card.data, card.len, true);
		check_lines(&lines, &again, "the other version", seed);
		buf_free(&lines);
		buf_free(&again);
		buf_free(&card);
		card_sample_free(&s);
		arena_free(&a);
	}
}

static const struct json *read_body(const char *text)
{
	const char *error;
	struct json *body = json_read(&a, text, strlen(text), &error);

	if (!body)
		fail_msg("%s: %s", text, error);
	return body;
}

/* Somebody adds a number and an address by the API. The labels of the others stay, and no property is lost. */
TEST(test_random_cards_with_another_number)
{
	for (unsigned seed = 0; seed < RANDOM_CARDS / 4; seed++) {
		struct card_sample s;
		struct card_world w = {.made = false};
		struct buf card;
		struct json *phones = json_make(&a, JSON_ARRAY), *body = json_make(&a, JSON_OBJECT);
		card_sample_make(&s, seed);
		put_card(&w, ID_PERSON, s.text.data, s.text.len, true);
		json_each(item, json_member(w.api.record, "phones"))
			json_attach(&a, phones, NULL, item);
		json_attach(&a, phones, NULL, json_make_text(&a, "+1 555", 6));
		json_attach(&a, body, "phones", phones);
		if (phones->count > 2) { /* else the first one is marked */
			card_api_update(&a, &w.api, body);
			buf_addz(&s.expected, "TEL:+1 555\n");
			card_lines_sort(&s.expected);
		}
		card = get_card(&w, s.version == 4 ? CARD_4_0 : CARD_3_0);
		check_lines(&s.expected, &card, "with another number", seed);
		buf_free(&card);
		card_sample_free(&s);
		arena_free(&a);
	}
}

/* A client that has not seen the card takes nothing away. */
TEST(test_random_cards_overwritten_unseen)
{
	static const char small[] = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\r\nN:;;;;\r\nEND:VCARD\r\n";

	for (unsigned seed = 0; seed < RANDOM_CARDS / 4; seed++) {
		struct card_sample s;
		struct card_world w = {.made = false};
		struct buf card;
		card_sample_make(&s, seed);
		put_card(&w, ID_PERSON, s.text.data, s.text.len, true);
		put_card(&w, ID_PERSON, small, sizeof small - 1, false);
		card = get_card(&w, CARD_3_0);
		if (s.version != 4)
			check_lines(&s.expected, &card, "overwritten", seed);
		buf_free(&card);
		card_sample_free(&s);
		arena_free(&a);
	}
}

/* --- the mapping ------------------------------------------------------------------------------------------- */

#define BEGIN "BEGIN:VCARD\r\nVERSION:3.0\r\n"
#define END "END:VCARD\r\n"

static char *canonical_text(const struct json *value)
{
	struct buf out;
	char *text;

	buf_init(&out, 1 << 20);
	json_canonical(&out, value);
	text = arena_dup(&a, out.data ? out.data : "", out.len);
	buf_free(&out);
	return text;
}

struct put_case {
	const char *about, *created; /* the body of the record's create; NULL: it is a new one */
	const char *kept, *card;     /* without BEGIN, VERSION and END */
	const char *body, *kept_after;
	bool unseen, company;
};

/* clang-format off */
static const struct put_case put_cases[] = {
	{"a new person", NULL, "", "FN:Ada Lovelace\r\nN:Lovelace;Ada;;;\r\nTITLE:Countess\r\n",
	    "{\"firstName\":\"Ada\",\"jobTitle\":\"Countess\",\"lastName\":\"Lovelace\"}", "", 0, 0},
	{"a full name that is more than both names", NULL, "", "FN:Dr. Ada Lovelace\r\nN:Lovelace;Ada;;Dr.;\r\n",
	    "{\"firstName\":\"Ada\",\"fullName\":\"Dr. Ada Lovelace\",\"lastName\":\"Lovelace\"}", "N:Lovelace;Ada;;Dr.;", 0, 0},
	{"only FN: the API makes the names", NULL, "", "FN:Ada of Lovelace\r\nN:;;;;\r\n",
	    "{\"fullName\":\"Ada of Lovelace\"}", "N:;;;;", 0, 0},
	{"only N", NULL, "", "N:Lovelace;Ada;;;\r\n", "{\"firstName\":\"Ada\",\"lastName\":\"Lovelace\"}", "", 0, 0},
	{"the card as it was sent", "{\"firstName\":\"Ada\",\"lastName\":\"Lovelace\",\"emails\":[\"a@b\"]}", "",
	    "FN:Ada Lovelace\r\nN:Lovelace;Ada;;;\r\nEMAIL:a@b\r\n", "{}", "", 0, 0},
	{"a renamed person: the full name follows", "{\"firstName\":\"Ada\",\"lastName\":\"Byron\"}", "",
	    "FN:Ada Lovelace\r\nN:Lovelace;Ada;;;\r\n", "{\"fullName\":\"\",\"lastName\":\"Lovelace\"}", "", 0, 0},
	{"only N was changed", "{\"firstName\":\"Ada\",\"lastName\":\"Byron\"}", "",
	    "FN:Ada Byron\r\nN:Lovelace;Ada;;;\r\n", "{\"fullName\":\"Ada Byron\",\"lastName\":\"Lovelace\"}", "", 0, 0},
	{"a name that only the card needs is not saved", "{\"emails\":[\"a@b\"]}", "",
	    "FN:a@b\r\nN:;;;;\r\nEMAIL:a@b\r\nTEL:1\r\n", "{\"phones\":[\"1\"]}", "", 0, 0},
	{"what the card lacks", "{\"firstName\":\"A\",\"jobTitle\":\"B\",\"birthday\":\"1985-04-12\",\"phones\":[\"1\",\"2\"],\"description\":\"D\"}",
	    "", "FN:A\r\nN:;A;;;\r\nTEL:2\r\n", "{\"birthday\":\"\",\"description\":\"\",\"jobTitle\":\"\",\"phones\":[\"2\"]}", "", 0, 0},
	{"unseen, nothing is taken away", "{\"firstName\":\"A\",\"jobTitle\":\"B\",\"birthday\":\"1985-04-12\",\"phones\":[\"1\",\"2\"]}",
	    "X-A:1", "FN:A\r\nN:;A;;;\r\nTEL:3\r\n", "{\"phones\":[\"1\",\"2\",\"3\"]}", "X-A:1", 1, 0},
	{"unseen, a label's group gets another name", "{\"firstName\":\"A\",\"phones\":[\"1\"]}",
	    "item1.TEL:1\nitem1.X-ABLABEL:Old", "FN:A\r\nN:;A;;;\r\nitem1.TEL:2\r\nitem1.X-ABLabel:New\r\n",
	    "{\"phones\":[\"1\",\"2\"]}", "item1.TEL:2\nitem1.X-ABLabel:New\nitem1x.TEL:1\nitem1x.X-ABLABEL:Old", 1, 0},
	{"the preferred one is the first", NULL, "", "FN:A\r\nN:;A;;;\r\nEMAIL:b@b\r\nEMAIL;TYPE=INTERNET,PREF:a@a\r\n",
	    "{\"emails\":[\"a@a\",\"b@b\"],\"firstName\":\"A\"}", "EMAIL;TYPE=INTERNET,PREF:a@a", 0, 0},
	{"repeated values", NULL, "", "FN:A\r\nN:;A;;;\r\nTEL;TYPE=HOME:1\r\nTEL;TYPE=WORK:1\r\n",
	    "{\"firstName\":\"A\",\"phones\":[\"1\"]}", "TEL;TYPE=HOME:1\nTEL;TYPE=WORK:1", 0, 0},
	{"an address", NULL, "", "FN:A\r\nN:;A;;;\r\nADR;TYPE=HOME:PO 1;;Main St 1\\, left;Berlin;;10115;DE\r\n",
	    "{\"addresses\":[\"PO 1, Main St 1, left, Berlin, 10115, DE\"],\"firstName\":\"A\"}",
	    "ADR;TYPE=HOME:PO 1;;Main St 1\\, left;Berlin;;10115;DE", 0, 0},
	{"days", NULL, "", "FN:A\r\nN:;A;;;\r\nBDAY:19850412T000000Z\r\n", "{\"birthday\":\"1985-04-12\",\"firstName\":\"A\"}",
	    "BDAY:19850412T000000Z", 0, 0},
	{"a day without a year is kept", "{\"firstName\":\"A\",\"birthday\":\"1985-04-12\"}", "", "FN:A\r\nN:;A;;;\r\nBDAY:--0412\r\n",
	    "{\"birthday\":\"\"}", "BDAY:--0412", 0, 0},
	{"a gender", NULL, "", "FN:A\r\nN:;A;;;\r\nGENDER:F\r\n", "{\"firstName\":\"A\",\"gender\":\"Female\"}", "", 0, 0},
	{"a gender in words", NULL, "", "FN:A\r\nN:;A;;;\r\nGENDER:O;agender\r\n", "{\"firstName\":\"A\",\"gender\":\"Other\"}", "GENDER:O;agender", 0, 0},
	{"a company by name", NULL, "", "FN:A\r\nN:;A;;;\r\nORG:Acme;Research\r\n",
	    "{\"companies\":[{\"name\":\"Acme\"}],\"firstName\":\"A\"}", "ORG:Acme;Research", 0, 0},
	{"the same company", "{\"firstName\":\"A\",\"companies\":[{\"name\":\"Acme\"},{\"name\":\"B\"}]}", "", "FN:A\r\nN:;A;;;\r\nORG:Acme\r\n", "{}", "", 0, 0},
	{"another company takes the first place", "{\"firstName\":\"A\",\"companies\":[{\"name\":\"Acme\"},{\"name\":\"B\"}]}", "",
	    "FN:A\r\nN:;A;;;\r\nORG:Globex\r\n",
	    "{\"companies\":[{\"name\":\"Globex\"},{\"id\":\"com_01990000-0000-7000-8000-00000002b5e7\"}]}", "", 0, 0},
	{"no company takes the first away", "{\"firstName\":\"A\",\"companies\":[{\"name\":\"Acme\"},{\"name\":\"B\"}]}", "",
	    "FN:A\r\nN:;A;;;\r\n", "{\"companies\":[{\"id\":\"com_01990000-0000-7000-8000-00000002b5e7\"}]}", "", 0, 0},
	{"words that are not groups are kept", NULL, "", "FN:A\r\nN:;A;;;\r\nCATEGORIES:Sales,Friends,Press\r\n",
	    "{\"firstName\":\"A\"}", "CATEGORIES:Friends", 0, 0},
	{"a blank before a group's name", NULL, "", "FN:A\r\nN:;A;;;\r\nCATEGORIES:Friends, Sales\r\n",
	    "{\"firstName\":\"A\"}", "CATEGORIES:Friends", 0, 0},
	{"what has no place", NULL, "", "FN:A\r\nN:;A;;;\r\nNICKNAME:Al\r\nX-KITH-FIELD:no\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\nREV:20260101T000000Z\r\nUID:u\r\n",
	    "{\"firstName\":\"A\"}", "NICKNAME:Al\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA", 0, 0},
	{"what was kept and is not there any more", "{\"firstName\":\"A\"}", "NICKNAME:Al\nX-A:1", "FN:A\r\nN:;A;;;\r\nX-A:1\r\n", "{}", "X-A:1", 0, 0},
	{"a photo of Thunderbird", NULL, "", "FN:A\r\nN:;A;;;\r\nPHOTO:data:image/png;base64\\,AAAA\r\n", "{\"firstName\":\"A\"}",
	    "PHOTO:data:image/png;base64,AAAA", 0, 0},
	{"2.1", NULL, "", "N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg\r\nFN:x\r\nTEL;CELL;PREF:1\r\nNOTE;QUOTED-PRINTABLE:a=0D=0A=\r\nb\r\n",
	    "{\"description\":\"a\\nb\",\"firstName\":\"Jörg\",\"fullName\":\"x\",\"lastName\":\"Müller\",\"phones\":[\"1\"]}",
	    "N:Müller;Jörg\nTEL;TYPE=CELL;TYPE=PREF:1", 0, 0},
	{"a company", NULL, "", "FN:Acme\r\nN:;;;;\r\nORG:Acme;Research\r\nX-ABShowAs:COMPANY\r\nKIND:org\r\nTITLE:T\r\n",
	    "{\"name\":\"Acme\"}", "ORG:Acme;Research\nTITLE:T", 0, 1},
	{"a company by ORG", NULL, "", "FN:\r\nORG:Acme\r\n", "{\"name\":\"Acme\"}", "", 0, 1},
	{"a company renamed in ORG", "{\"name\":\"Acme\"}", "", "FN:Acme\r\nORG:Globex\r\n", "{\"name\":\"Globex\"}", "", 0, 1},
	{"a company renamed in FN", "{\"name\":\"Acme\"}", "", "FN:Globex\r\nORG:Acme\r\n", "{\"name\":\"Globex\"}", "", 0, 1},
};
/* clang-format on */

TEST(test_mapping_of_cards_to_records)
{
	for (size_t i = 0; i < sizeof put_cases / sizeof *put_cases; i++) {
		const struct put_case *c = &put_cases[i];
		enum id_kind kind = c->company ? ID_COMPANY : ID_PERSON;
		struct card_world w = {
		    .kept = {.text = c->kept, .len = strlen(c->kept), .uid = "", .version = CARD_3_0}};
		char *text = arena_printf(&a, BEGIN "%s" END, c->card);
		struct card_change change;
		if (c->created) {
			card_api_create(&a, &w.api, kind, read_body(c->created));
			w.made = true;
		}
		change = put_card(&w, kind, text, strlen(text), !c->unseen);
		if (strcmp(canonical_text(change.body), c->body) != 0 || strcmp(change.kept.text, c->kept_after) != 0)
			fail_msg("%s:\n%s\nkept: %s", c->about, canonical_text(change.body), change.kept.text);
	}
}

struct get_case {
	const char *about, *created, *kept;
	enum card_version kept_version, version;
	const char *lines; /* without BEGIN, VERSION, UID, REV and END */
	bool company;
};

/* clang-format off */
static const struct get_case get_cases[] = {
	{"a person", "{\"firstName\":\"Ada\",\"lastName\":\"Love;lace\",\"birthday\":\"1985-04-12\",\"gender\":\"Female\",\"description\":\"a\\r\\nb,c\"}", "",
	    CARD_3_0, CARD_3_0, "FN:Ada Love;lace\r\nN:Love\\;lace;Ada;;;\r\nBDAY:1985-04-12\r\nGENDER:F\r\nNOTE:a\\nb\\,c\r\n", 0},
	{"4.0", "{\"firstName\":\"Ada\",\"birthday\":\"1985-04-12\"}", "", CARD_3_0, CARD_4_0, "FN:Ada\r\nN:;Ada;;;\r\nBDAY:19850412\r\n", 0},
	{"nobody", "{\"emails\":[\"a@b\"]}", "", CARD_3_0, CARD_3_0, "FN:a@b\r\nN:;;;;\r\nEMAIL:a@b\r\n", 0},
	{"the first of several", "{\"firstName\":\"A\",\"phones\":[\"1\",\"2\"]}", "", CARD_3_0, CARD_3_0,
	    "FN:A\r\nN:;A;;;\r\nTEL;TYPE=pref:1\r\nTEL:2\r\n", 0},
	{"another first one than the kept", "{\"firstName\":\"A\",\"phones\":[\"2\",\"1\"]}", "TEL;TYPE=HOME,pref:1\nTEL;TYPE=WORK:2", CARD_3_0, CARD_4_0,
	    "FN:A\r\nN:;A;;;\r\nTEL;TYPE=WORK;PREF=1:2\r\nTEL;TYPE=HOME:1\r\n", 0},
	{"a label goes with its value", "{\"firstName\":\"A\",\"phones\":[\"2\"]}",
	    "item1.TEL:1\nitem2.TEL:2\nitem1.X-ABLABEL:One\nitem2.X-ABLABEL:Two\nitem3.X-ABLABEL:Nothing", CARD_3_0, CARD_3_0,
	    "FN:A\r\nN:;A;;;\r\nitem2.TEL:2\r\nitem2.X-ABLABEL:Two\r\nitem3.X-ABLABEL:Nothing\r\n", 0},
	{"an address as it was, and a new one", "{\"firstName\":\"A\",\"addresses\":[\"S, Berlin\",\"New; York\"]}", "ADR;TYPE=WORK:;;S;Berlin;;;", CARD_3_0, CARD_3_0,
	    "FN:A\r\nN:;A;;;\r\nADR;TYPE=WORK:;;S;Berlin;;;\r\nADR:;;New\\; York;;;;\r\n", 0},
	{"a changed address", "{\"firstName\":\"A\",\"addresses\":[\"S, Bonn\"]}", "ADR;TYPE=WORK:;;S;Berlin;;;", CARD_3_0, CARD_3_0,
	    "FN:A\r\nN:;A;;;\r\nADR:;;S\\, Bonn;;;;\r\n", 0},
	{"additional names stay", "{\"firstName\":\"Bob\",\"lastName\":\"Lee\"}", "N:Lee;Ann;Mary;Dr.;", CARD_3_0, CARD_3_0,
	    "FN:Bob Lee\r\nN:Lee;Bob;Mary;Dr.;\r\n", 0},
	{"another company", "{\"firstName\":\"A\",\"companies\":[{\"name\":\"B\"}]}", "ORG:Acme;Research", CARD_3_0, CARD_3_0,
	    "FN:A\r\nN:;A;;;\r\nORG:B;Research\r\n", 0},
	{"no company", "{\"firstName\":\"A\"}", "ORG:Acme;Research", CARD_3_0, CARD_3_0, "FN:A\r\nN:;A;;;\r\nORG:;Research\r\n", 0},
	{"no company, no department", "{\"firstName\":\"A\"}", "ORG;X-A=b:Acme", CARD_3_0, CARD_3_0, "FN:A\r\nN:;A;;;\r\n", 0},
	{"a photo in 4.0", "{\"firstName\":\"A\"}", "PHOTO;ENCODING=b;TYPE=JPEG:AAAA\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-04-12\nLOGO;ENCODING=b,b;TYPE=JPEG,jpeg:BBBB", CARD_3_0, CARD_4_0,
	    "FN:A\r\nN:;A;;;\r\nBDAY:--0412\r\nPHOTO:data:image/jpeg;base64,AAAA\r\nLOGO:data:image/jpeg;base64,BBBB\r\n", 0},
	{"a photo in 3.0", "{\"firstName\":\"A\",\"phones\":[\"+1\"]}", "TEL;VALUE=uri;PREF=1:tel:+1\nPHOTO:data:image/png;base64,AAAA\nLOGO:https://x\nANNIVERSARY:20000102\nSOUND:data:audio/mp3;base64\\,BBBB",
	    CARD_4_0, CARD_3_0, "FN:A\r\nN:;A;;;\r\nTEL;TYPE=pref:+1\r\nPHOTO;ENCODING=b;TYPE=PNG:AAAA\r\nLOGO;VALUE=uri:https://x\r\nANNIVERSARY:2000-01-02\r\nSOUND;ENCODING=b;TYPE=MP3:BBBB\r\n", 0},
	{"a company", "{\"name\":\"Acme, Inc\",\"industry\":\"Rockets\"}", "ORG:Old;Research", CARD_3_0, CARD_3_0,
	    "FN:Acme\\, Inc\r\nN:;;;;\r\nORG:Acme\\, Inc;Research\r\nKIND:org\r\nX-ABSHOWAS:COMPANY\r\nX-KITH-INDUSTRY:Rockets\r\n", 1},
	{"controls are left out", "{\"firstName\":\"A\\u0001\\u000b\",\"jobTitle\":\"\\uffff x\"}", "", CARD_3_0, CARD_3_0, "FN:A\r\nN:;A;;;\r\nTITLE:x\r\n", 0},
};
/* clang-format on */

TEST(test_mapping_of_records_to_cards)
{
	for (size_t i = 0; i < sizeof get_cases / sizeof *get_cases; i++) {
		const struct get_case *c = &get_cases[i];
		struct card_world w = {
		    .kept = {.text = c->kept, .len = strlen(c->kept), .uid = "u", .version = c->kept_version}};
		struct buf card;
		char *expected =
		    arena_printf(&a, "BEGIN:VCARD\r\nVERSION:%s\r\nUID:u\r\n%sREV:20260131T100000Z\r\nEND:VCARD\r\n",
		        card_version_name(c->version), c->lines);
		card_api_create(&a, &w.api, c->company ? ID_COMPANY : ID_PERSON, read_body(c->created));
		card = get_card(&w, c->version);
		if (strcmp(card.data, expected) != 0)
			fail_msg("%s:\n%s", c->about, card.data);
		buf_free(&card);
	}
}

TEST(test_groups_and_custom_fields_are_shown)
{
	static const char record[] =
	    "{\"id\":\"per_01990000-0000-7000-8000-000000000001\",\"fullName\":\"A\",\"groups\":"
	    "[{\"id\":\"grp_1\",\"name\":\"Sales, EU\"},{\"id\":\"grp_2\",\"name\":\"Press\"}],"
	    "\"customFieldValues\":{\"grp_1\":{\"The \\\"best\\\"\":\"x,y\",\"n\":12.50,\"no\":null,"
	    "\"who\":[{\"id\":\"per_2\",\"fullName\":\"Bob\"},\"Label\"]}},\"updatedAt\":\"2026-01-31T10:00:00Z\"}";
	static const struct card_kept kept = {
	    .text = "CATEGORIES:Friends,Press", .len = 24, .uid = "", .version = CARD_3_0};
	struct buf card;

	buf_init(&card, 1 << 20);
	card_write(&card, ID_PERSON, read_body(record), &kept, CARD_3_0, "hoc5");
	assert_string_equal(card.data,
	    BEGIN "UID:urn:uuid:01990000-0000-7000-8000-000000000001\r\nFN:A\r\nN:;;;;\r\nCATEGORIES:Sales\\, "
	          "EU,Press,Friends\r\n"
	          "X-KITH-FIELD;X-GROUP=\"Sales, EU\";X-NAME=\"The 'best'\":x\\,y\r\n"
	          "X-KITH-FIELD;X-GROUP=\"Sales, EU\";X-NAME=\"n\":12.50\r\n"
	          "X-KITH-FIELD;X-GROUP=\"Sales, EU\";X-NAME=\"who\":Bob\\, Label\r\nREV:20260131T100000Z\r\n"
	          "X-KITH-VERSION:hoc5\r\n" END);
	buf_free(&card);
}

TEST(test_uids)
{
	struct card_world w = {.made = false};
	struct card_change change;
	char card[200];

	change = put_card(&w, ID_PERSON, BEGIN "FN:A\r\n" END, strlen(BEGIN "FN:A\r\n" END), true);
	assert_string_equal(change.kept.uid, "");
	snprintf(card, sizeof card, BEGIN "FN:A\r\nUID:01990000-0000-7000-8000-000000000001\r\n" END);
	change = put_card(&w, ID_PERSON, card, strlen(card), true);
	assert_string_equal(change.kept.uid, ""); /* without the prefix, but the same */
	snprintf(card, sizeof card, BEGIN "FN:A\r\nUID:Other\r\n" END);
	change = put_card(&w, ID_PERSON, card, strlen(card), true);
	assert_string_equal(change.kept.uid, "Other");
	assert_true(change.kept_differs);
	change = put_card(&w, ID_PERSON, card, strlen(card), true);
	assert_false(change.kept_differs);
	put_card(&w, ID_PERSON, BEGIN "FN:A\r\nUID:a\\,b\r\n" END, strlen(BEGIN "FN:A\r\nUID:a\\,b\r\n" END), true);
	assert_string_equal(w.kept.uid, "a,b");
	struct buf out = get_card(&w, CARD_3_0);
	check_unchanged(&w, &out, "a UID with a comma", 0);
	buf_free(&out);
}

/* --- what is no card -------------------------------------------------------------------------------------------- */

struct bad_case {
	const char *text, *error;
};

TEST(test_what_is_refused)
{
	static const struct bad_case cases[] = {
	    {"", "There is no card"},
	    {"\r\n \r\n", "There is no card"},
	    {"x", "Line 1 is not BEGIN:VCARD"},
	    {BEGIN "FN:A\r\n", "The card has no END:VCARD"},
	    {BEGIN "TEL:1\r\n" END, "The card has no name: neither FN nor N"},
	    {BEGIN "FN:A\r\n" END BEGIN "FN:B\r\n" END, "Line 5 follows the end of the card; send one card"},
	    {BEGIN "FN:A\r\n" BEGIN "FN:B\r\n" END END, "Line 4 begins or ends something in the card"},
	    {BEGIN "FN:A\r\nnothing\r\n" END, "Line 4 is not a property of a vCard"},
	    {BEGIN "FN:A\r\nTEL \xc3\xa4:1\r\n" END, "Line 4 is not a property of a vCard"},
	    {BEGIN "FN:A\xff\r\n" END, "Line 3 is not UTF-8"},
	    {BEGIN "FN;CHARSET=X-NONE:A\r\n" END, "Line 3 has bytes that are not valid in its CHARSET"},
	    {BEGIN "FN;ENCODING=QUOTED-PRINTABLE:A=00\r\n" END, "Line 3 has a NUL byte"},
	    {"BEGIN:VCARD\r\nVERSION:5.0\r\nFN:A\r\n" END, "Line 2 names a VERSION that is not 2.1, 3.0 or 4.0"},
	    {BEGIN "FN:A\r\nKIND:group\r\n" END,
	        "Line 4 makes the card a group, and groups are address books of their own"},
	    {BEGIN "FN:A\r\nitem1.END:VCARD\r\n" END, "Line 4 begins or ends something in the card"},
	    {BEGIN "FN:A\r\nEND:x\r\n" END, "Line 4 begins or ends something in the card"},
	};
	struct card card;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *error = card_read(&a, cases[i].text, strlen(cases[i].text), &card);
		if (!error || strcmp(error, cases[i].error) != 0)
			fail_msg("%s\nis refused with: %s", cases[i].text, error ? error : "nothing");
	}
}

TEST(test_limits)
{
	struct buf text;
	struct card card;

	buf_init(&text, 4 << 20);
	buf_addz(&text, BEGIN "FN:A\r\n");
	for (int i = 0; i < CARD_PROPERTIES_MAX; i++)
		buf_addz(&text, "X:\r\n");
	buf_addz(&text, END);
	assert_string_equal(
	    card_read(&a, text.data, text.len, &card), "Line 1203 is one property more than a card may have (1200)");
	buf_clear(&text);
	buf_addz(&text, BEGIN "FN:A\r\nPHOTO;ENCODING=b:");
	for (int i = 0; i <= CARD_PHOTO_MAX / 3; i++)
		buf_addz(&text, "AAAA");
	buf_addz(&text, "\r\n" END);
	assert_null(card_read(&a, text.data, text.len, &card));
	assert_true(card.photo_cut);
	assert_int_equal(card.n, 1);
	for (int i = 0; i < CARD_MAX / 8; i++)
		buf_addz(&text, "\r\n\r\n\r\n\r\n");
	assert_string_equal(card_read(&a, text.data, text.len, &card), "The card is larger than 1 MiB");
	buf_free(&text);
}
