/*
 * Searches compared with a matcher that shares nothing with the program: random names, addresses and numbers, and
 * random texts as people type them. Lists must have exactly the records that the matcher finds, with usual and with
 * small sizes of pages; and the search over all kinds must have them in its order.
 *
 *   SEARCH_QUERIES=5000    queries, for long rounds
 *   SEARCH_SEED=N          other records and queries
 */
#include <stdio.h>
#include <string.h>

#include "server/base/json.h"
#include "server/base/text.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/model/deals.h"
#include "test/lib/rows.h"

enum {
	COMPANIES = 25,
	PEOPLE = 90,
	OBJECTS = 30,
	LINES_MAX = 12,
	WORDS_MAX = 3,
	TEXT_MAX = 400,
	ALL = PEOPLE + COMPANIES + OBJECTS
};

DEALS("search_oracle", .faults = true);

/* --- random texts --------------------------------------------------------------------------------- */

static uint64_t chance;

static size_t pick_below(size_t n)
{
	chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (size_t)(chance >> 33) % n;
}

/* Pieces of words as written and as folded. */
static const struct piece {
	const char *written, *folded;
} pieces[] = {{"an", "an"}, {"AN", "an"}, {"mar", "mar"}, {"Mül", "mul"}, {"ler", "ler"}, {"é", "e"}, {"E\u0301", "e"},
    {"ß", "ss"}, {"ø", "o"}, {"Ł", "l"}, {"ﬁ", "fi"}, {"Ｘ", "x"}, {"Ж", "ж"}, {"иван", "иван"}, {"王", "王"},
    {"小", "小"}, {"한", "한"}, {"7", "7"}, {"o'", "o'"}, {"-", "-"}, {"%", "%"}, {"_", "_"}, {"\\", "\\"}, {".", "."},
    {"b", "b"}, {"İ", "i"}, {"Σ", "σ"}, {"ς", "σ"}};

enum { PIECES = sizeof pieces / sizeof *pieces };

struct search_typed {
	char written[TEXT_MAX], folded[TEXT_MAX];
};

static void text_add(struct search_typed *t, const char *written, const char *folded)
{
	size_t at = strlen(t->written), folded_at = strlen(t->folded);

	snprintf(t->written + at, sizeof t->written - at, "%s", written);
	snprintf(t->folded + folded_at, sizeof t->folded - folded_at, "%s", folded);
}

static struct search_typed text_word(size_t most)
{
	struct search_typed t = {"", ""};
	size_t n = 1 + pick_below(most);

	for (size_t i = 0; i < n; i++) {
		const struct piece *p = &pieces[pick_below(PIECES)];
		text_add(&t, p->written, p->folded);
	}
	return t;
}

static struct search_typed text_name(void)
{
	struct search_typed t = text_word(3), more = text_word(3);

	if (pick_below(2)) {
		text_add(&t, " ", " ");
		text_add(&t, more.written, more.folded);
	}
	return t;
}

/* --- records ---------------------------------------------------------------------------------------- */

enum search_made { PERSON, COMPANY, OBJECT };

static struct search_record {
	enum search_made kind;
	const char *id;
	char lines[LINES_MAX][TEXT_MAX]; /* folded, the title first */
	int n_lines;
	char number[32]; /* digits without country code and zeros; "": none */
	int others[2], n_others;
} made[ALL];
static int n_made;

static void record_line(struct search_record *r, const char *folded)
{
	snprintf(r->lines[r->n_lines++], TEXT_MAX, "%s", folded);
}

static const char *json_quoted(const char *text)
{
	char *out = arena_alloc(&ada.arena, 2 * strlen(text) + 3), *at = out;

	*at++ = '"';
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			*at++ = '\\';
		*at++ = *text;
	}
	*at++ = '"';
	*at = '\0';
	return out;
}

/* A number in one of the ways to write it, and its digits that stay in all of them. */
static const char *number_written(char digits[32])
{
	char a[8], b[8];

	snprintf(a, sizeof a, "%zu", 100 + pick_below(900));
	snprintf(b, sizeof b, "%zu", 1000 + pick_below(9000));
	snprintf(digits, 32, "89%s%s", a, b);
	switch (pick_below(5)) {
	case 0:
		return arena_printf(&ada.arena, "+49 89 %s %s", a, b);
	case 1:
		return arena_printf(&ada.arena, "0049/89/%s-%s", a, b);
	case 2:
		return arena_printf(&ada.arena, "+49 (0)89 %s%s", a, b);
	case 3:
		return arena_printf(&ada.arena, "089 %s.%s", a, b);
	default:
		return arena_printf(&ada.arena, "(089) %s %s", a, b);
	}
}

/* --- making them ------------------------------------------------------------------------------------- */

static struct search_record *record_add(enum search_made kind)
{
	struct search_record *r = &made[n_made++];

	*r = (struct search_record){.kind = kind};
	return r;
}

static void make_company(void)
{
	struct search_record *r = record_add(COMPANY);
	struct search_typed name = text_name();
	char suffix[16];

	snprintf(suffix, sizeof suffix, " %d", n_made);
	text_add(&name, suffix, suffix);
	record_line(r, name.folded);
	r->id = deals_post("/v1/companies", TEXT("{\"name\":%s,%s}", json_quoted(name.written), deals.in_group)).id;
}

static void make_person(void)
{
	struct search_record *r = record_add(PERSON), *of = pick_below(3) ? &made[pick_below(COMPANIES)] : NULL;
	struct search_typed first = text_word(3), last = text_word(3), job = text_name();
	char full[2 * TEXT_MAX];
	const char *number = number_written(r->number);

	snprintf(full, sizeof full, "%s %s", first.folded, last.folded);
	record_line(r, full);
	record_line(r, job.folded);
	if (pick_below(2))
		number = NULL, r->number[0] = '\0';
	if (of)
		r->others[r->n_others++] = (int)(of - made);
	r->id = deals_post("/v1/people",
	    TEXT("{\"firstName\":%s,\"lastName\":%s,\"jobTitle\":%s,\"phones\":[%s],\"companies\":[%s],%s}",
	        json_quoted(first.written), json_quoted(last.written), json_quoted(job.written),
	        number ? json_quoted(number) : "", of ? TEXT("{\"id\":\"%s\"}", of->id) : "", deals.in_group))
	            .id;
	if (number)
		record_line(r, number);
}

static void make_object(void)
{
	struct search_record *r = record_add(OBJECT), *company = &made[pick_below(COMPANIES)],
	                     *person = &made[COMPANIES + pick_below(PEOPLE)];
	struct search_typed name = text_name();

	record_line(r, name.folded);
	r->others[r->n_others++] = (int)(company - made);
	r->others[r->n_others++] = (int)(person - made);
	r->id =
	    deals_post(deals.target, TEXT("{\"name\":%s,\"people\":[{\"id\":\"%s\"}],\"companies\":[{\"id\":\"%s\"}]}",
	                                 json_quoted(name.written), person->id, company->id))
	        .id;
}

BEFORE_ALL()
{
	chance = (uint64_t)rig_setting("SEARCH_SEED", 29);
	for (int i = 0; i < COMPANIES; i++)
		make_company();
	for (int i = 0; i < PEOPLE; i++)
		make_person();
	for (int i = 0; i < OBJECTS; i++)
		make_object();
}

/* --- the matcher -------------------------------------------------------------------------------------- */

static bool is_letter(unsigned char c)
{
	return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

static bool begins_anywhere(const char *word)
{
	static const char *const each[] = {"王", "小", "한"};
	size_t letters = 0;

	for (const char *c = word; *c; c++)
		letters += ((unsigned char)*c & 0xC0) != 0x80;
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		if (strncmp(word, each[i], strlen(each[i])) == 0)
			return true;
	return letters >= 3;
}

/* Whether the word begins a word of the line. */
static bool line_begins(const char *line, const char *word)
{
	for (const char *at = line; (at = strstr(at, word)); at++)
		if (at == line || !is_letter((unsigned char)at[-1]))
			return true;
	return false;
}

static bool line_has(const char *line, const char *word)
{
	return begins_anywhere(word) ? strstr(line, word) != NULL : line_begins(line, word);
}

static bool record_has(const struct search_record *r, const char *word)
{
	for (int i = 0; i < r->n_lines; i++)
		if (line_has(r->lines[i], word))
			return true;
	for (int i = 0; i < r->n_others; i++)
		if (line_has(made[r->others[i]].lines[0], word))
			return true;
	return false;
}

/* 0: whole title, 1: beginning of the title, 2: beginning of a word of its own, 3: elsewhere. */
static int record_rank(const struct search_record *r, const char *word)
{
	if (strcmp(r->lines[0], word) == 0)
		return 0;
	if (strncmp(r->lines[0], word, strlen(word)) == 0)
		return 1;
	for (int i = 0; i < r->n_lines; i++)
		if (line_begins(r->lines[i], word))
			return 2;
	return 3;
}

/* --- queries -------------------------------------------------------------------------------------------- */

struct search_query {
	char text[2 * TEXT_MAX];
	struct search_typed words[WORDS_MAX];
	int n_words;
	char number[32];
};

/* A part of a record's line, or a random word; without blanks, commas and quotation marks. */
static struct search_typed search_word(void)
{
	const struct search_record *r = &made[pick_below((size_t)n_made)];
	const char *line = r->lines[pick_below((size_t)r->n_lines < 2 ? 1 : 2)];
	struct search_typed t = {"", ""};
	size_t len = strlen(line), from = pick_below(len + 1), n = 1 + pick_below(6);

	if (pick_below(3) == 0)
		return text_word(2);
	while (from > 0 && ((unsigned char)line[from] & 0xC0) == 0x80)
		from--;
	while (from + n < len && ((unsigned char)line[from + n] & 0xC0) == 0x80)
		n++;
	snprintf(t.folded, sizeof t.folded, "%.*s", (int)(from + n < len ? n : len - from), line + from);
	t.folded[strcspn(t.folded, " ")] = '\0';
	snprintf(t.written, sizeof t.written, "%s", t.folded);
	return t.folded[0] ? t : text_word(2);
}

static struct search_query search_random(void)
{
	struct search_query s = {.n_words = 0};
	int n = 1 + (int)pick_below(WORDS_MAX);

	for (int i = 0; i < n; i++) {
		size_t at = strlen(s.text);
		struct search_typed word = search_word();
		snprintf(s.text + at, sizeof s.text - at, "%s%s", i ? (pick_below(4) ? " " : ", ") : "", word.written);
		s.words[s.n_words++] = word;
	}
	if (pick_below(5) == 0) {
		const struct search_record *r = &made[COMPANIES + pick_below(PEOPLE)];
		if (r->number[0])
			snprintf(s.number, sizeof s.number, "%s", r->number);
		else
			number_written(s.number);
		s.n_words = 0;
		snprintf(s.text, sizeof s.text, pick_below(2) ? "+49%.20s" : "0%.20s", s.number);
	}
	return s;
}

static bool search_finds(const struct search_query *s, const struct search_record *r)
{
	for (int i = 0; i < s->n_words; i++)
		if (!record_has(r, s->words[i].folded))
			return false;
	return s->n_words || strcmp(r->number, s->number) == 0;
}

static int search_rank(const struct search_query *s, const struct search_record *r)
{
	int worst = 0;

	for (int i = 0; i < s->n_words; i++) {
		int rank = record_rank(r, s->words[i].folded);
		worst = rank > worst ? rank : worst;
	}
	return worst;
}

/* --- comparing --------------------------------------------------------------------------------------------- */

static const char *query_encoded(const char *text)
{
	struct buf b;
	const char *copy;

	buf_init(&b, 16 << 10);
	text_percent_encode(&b, text, strlen(text));
	copy = arena_dup(&ada.arena, b.data, b.len);
	buf_free(&b);
	return copy;
}

/* A filter that all records match, so that other indexes are the source of the page; objects are not in groups. */
static const char *filter_of_all(enum search_made kind)
{
	switch (pick_below(kind == OBJECT ? 3 : 4)) {
	case 0:
		return "&combinator=or&filter[createdAt][gt]=2000-01-01&filter[createdAt][lt]=2000-01-01";
	case 1:
		return TEXT("&filter[createdBy][in][id]=%s", rig.ada.id);
	case 2:
		return "";
	default:
		return TEXT("&filter[groups][in][id]=%s", deals.group);
	}
}

/* The pages of a list, up to the last one. */
static int compare_list(const struct search_query *s, enum search_made kind, const char *target, int limit)
{
	const char *at = TEXT("%s?search=%s&limit=%d%s", target, query_encoded(s->text), limit, filter_of_all(kind));
	int next = 0, pages = 0;

	for (; at && pages < 2 * ALL; pages++) {
		struct caller_answer answer = caller_get(&ada, at);
		const struct json *data = caller_data(&ada.arena, answer),
		                  *link = json_member(json_member(data, "pagination"), "nextLink");
		json_each(item, json_member(data, "items")) {
			while (next < n_made && (made[next].kind != kind || !search_finds(s, &made[next])))
				next++;
			if (next == n_made || strcmp(made[next++].id, json_member(item, "id")->text) != 0)
				return 1;
		}
		at = link ? strstr(link->text, "/v1/") : NULL;
	}
	while (next < n_made && (made[next].kind != kind || !search_finds(s, &made[next])))
		next++;
	return next < n_made;
}

static int compare_all(const struct search_query *s)
{
	struct caller_answer answer = caller_get(&ada, TEXT("/v1/search?limit=50&q=%s", query_encoded(s->text)));
	const struct json *data = caller_data(&ada.arena, answer);
	int rank = 0, next = n_made - 1, n = 0;

	if (json_member(json_member(data, "pagination"), "scanned")) /* there are so few that all were ranked */
		return 1;
	json_each(item, json_member(data, "items")) {
		for (;; next--) {
			if (next < 0) {
				rank++;
				next = n_made - 1;
			}
			if (rank > 3 || (search_finds(s, &made[next]) && search_rank(s, &made[next]) == rank))
				break;
		}
		if (rank > 3 || strcmp(made[next--].id, json_member(item, "id")->text) != 0)
			return 1;
		n++;
	}
	for (int i = 0; i < n_made; i++)
		n -= search_finds(s, &made[i]);
	return n < 0 && -n <= ALL - 50 ? json_member(data, "items")->count < 50 : n != 0;
}

static void compare_searches(int queries)
{
	int wrong = 0, found = 0;

	for (int i = 0; i < queries; i++) {
		struct search_query s = search_random();
		int limit = 1 + (int)pick_below(30),
		    lists = compare_list(&s, PERSON, "/v1/people", limit) +
		            2 * compare_list(&s, COMPANY, "/v1/companies", limit) +
		            4 * compare_list(&s, OBJECT, deals.target, limit),
		    all = s.number[0] ? 0 : compare_all(&s);
		for (int k = 0; k < n_made; k++)
			found += search_finds(&s, &made[k]);
		if (lists || all) {
			print_error("query %d: %s: lists %d, all %d\n", i, s.text, lists, all);
			wrong++;
		}
	}
	print_message("%d searches, %d matches\n", queries, found);
	assert_int_equal(wrong, 0);
	assert_true(found > queries);
}

TEST(test_usual_sizes)
{
	compare_searches(rig_setting("SEARCH_QUERIES", 150));
}

/* Pages that end early, and candidates that are too many. */
TEST(test_small_sizes)
{
	rig_write(rig.orders, "short_stages 1 errors\n");
	compare_searches(rig_setting("SEARCH_QUERIES", 150));
	rig_write(rig.orders, "");
}

/* Rows that were written before the migration have no stored text. */
TEST(test_texts_not_stored)
{
	rig_write(rig.orders, "texts_wait 1 errors\n");
	for (int i = 0; i < 2; i++) {
		const char *table = i ? "companies" : "people";
		SQL("alter table %s disable trigger %s_search", table, table);
		assert_true(rows_change("update %s set search_text = null", table) > 0);
		SQL("alter table %s enable trigger %s_search", table, table);
	}
	compare_searches(rig_setting("SEARCH_QUERIES", 150) / 2);
	rig_write(rig.orders, "texts_wait 1 errors\nshort_stages 1 errors\n");
	compare_searches(rig_setting("SEARCH_QUERIES", 150) / 2);
	rig_write(rig.orders, "");
}
