/* Values of records, awkward ones among them; see filter_world.h. */
#include <string.h>

#include "test/lib/model/filter_world.h"
#include "test/lib/patience.h"

/* Few enough to repeat, and one for every way of handling texts wrongly. */
static const char *const words[] = {"Ada", "ada", "ADA LOVELACE", "Ádám", "A\xcc\x81\x64\x61\xcc\x81m", "İpek", "ipek",
    "Straße", "STRASSE", "ΟΔΟΣ", "οδοσα", "οδος", "100%", "100", "50_50", "50x50", "back\\slash", "back\\\\", "O'Brien",
    "'; drop table people; --", "\"quoted\"", "[bracket]", "{a,b}", "a%b_c\\d", "axbyc", "日本語", "日本",
    "👩‍👩‍👧", " lead", "trail ", "tab\tbed", "two\nlines", "lines", "a&b=c", "a+b", "a b", "null", "NULL",
    "true", "0", "x", "X", "K", "\xe2\x84\xaa", "ﬁn", "fin", "A", "a", "ab", "abc", "ABCD", "ñandú", "NANDU", "Œuvre",
    "\xe2\x80\x8b", "%", "_", "\\", "%%", "$1", "empty", "Ada Lovelace of the Analytical Engine",
    "Room 12 34 56, order7654321"};

static const char *const emails[] = {"ada@example.org", "Ada@Example.org", "ADA@EXAMPLE.ORG", "ada+tag@example.org",
    "ben_b@example.org", "benxb@example.org", "o'neil@example.org", "ünï@exämple.org", "ÜNÏ@EXÄMPLE.ORG",
    "not an address", "%@example.org", "a@b", "\"odd one\"@x.org", "x,y@z.org", "{x}@y.org", "ada@example.com",
    "İ@x.org"};

static const char *const phones[] = {"+36 1 234 5678", "+36 (1) 234-5678", "3612345678", "0036-1-2345678", "123",
    "1-2-3", "12", "+1 (234)", "1.234", "call me", "ext. 12", "555 0100 #3", "5550100", "٣٦"};

static const char *const places[] = {"1 Main St, Springfield", "1 main st, springfield", "Fő utca 1.\nBudapest",
    "100% Road", "\"The\" House", "c/o O'Brien", "Place {x}, [y]", "", "12 Rue de l’Église", "12 RUE DE L’ÉGLISE"};

static const char *const urls[] = {"https://example.org/", "https://example.org/a?b=c&d=%20", "HTTPS://EXAMPLE.ORG/",
    "https://exämple.org/ü", "http://x/[1]", "ftp://x", "example.org", "https://example.org/a_b",
    "https://example.org/a-b"};

static const char *const days[] = {"2024-02-28", "2024-02-29", "2024-03-01", "1969-12-31", "1970-01-01", "2000-12-31",
    "2001-01-01", "1900-01-01", "0001-01-01", "9999-12-31", "2024-06-15"};

static const char *const instants[] = {"2024-02-28T23:59:59.999Z", "2024-02-29T00:00:00.000Z",
    "2024-02-29T12:00:00.000Z", "2024-02-29T23:59:59.999Z", "2024-03-01T00:00:00.000Z", "2024-03-01T00:00:00.001Z",
    "2023-12-31T23:30:00.000Z", "2024-01-01T00:30:00.000Z", "2024-06-15T06:07:08.090Z"};

static const char *const numbers[] = {"0", "1", "-1", "1.5", "1.50", "10", "9", "100", "1e2", "0.1", "0.01", "-0.5",
    "123456789012345678901234567890.5", "123456789012345678901234567890.6", "1e-20", "99999", "-1e10"};

static const char *const amounts[] = {
    "0", "1", "1.5", "10", "9", "1000000", "1e6", "0.01", "123456789012345678901234567890"};

static const char *const ranges[] = {
    "1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10000+"};

static const char *const genders[] = {"Male", "Female", "Other", "Unknown"};

const char *const filter_labels[] = {"Low", "low", "High", "é 😀", "100%", "a,b", "[x]", "O'Neil", "0", NULL};

#define ANY(pool) ((pool)[patience_chance(sizeof(pool) / sizeof *(pool))])

static bool is_often(void)
{
	return patience_chance(10) < 6;
}

/* --- members -------------------------------------------------------------------------------- */

static void put_texts(struct json_out *o, const char *name, const char *const *pool, size_t n)
{
	int items = is_often() ? 1 + (int)patience_chance(3) : 0;

	json_key(o, name);
	json_begin_array(o);
	while (items--) {
		const char *text = pool[patience_chance((unsigned)n)];
		json_string(o, *text ? text : "x");
	}
	json_end_array(o);
}
#define PUT_TEXTS(o, name, pool) put_texts(o, name, pool, sizeof(pool) / sizeof *(pool))

static void put_text(struct json_out *o, const char *name, const char *text)
{
	if (!is_often())
		return;
	json_key(o, name);
	json_string(o, text);
}

static void put_id(struct json_out *o, const char *id)
{
	json_begin_object(o);
	json_key(o, "id");
	json_string(o, id);
	json_end_object(o);
}

static void put_references(struct filter_world *w, struct json_out *o, enum filter_kind kind, int max)
{
	json_begin_array(o);
	for (int i = (int)patience_chance((unsigned)max + 1); i > 0; i--)
		put_id(o, w->made[kind][patience_chance((unsigned)w->n_made[kind])].id);
	json_end_array(o);
}

static void put_groups(struct filter_world *w, struct json_out *o, unsigned groups)
{
	json_key(o, "groups");
	json_begin_array(o);
	for (int g = 0; g < GROUPS_MADE; g++)
		if (groups & 1u << g)
			put_id(o, w->groups[g]);
	json_end_array(o);
}

static void put_users(struct filter_world *w, struct json_out *o)
{
	json_begin_array(o);
	for (int i = (int)patience_chance(4); i > 0; i--) {
		const struct test_user *u = &w->users[patience_chance(MAKER_NOISE)];
		bool by_id = patience_chance(2);
		json_begin_object(o);
		json_key(o, by_id ? "id" : "email");
		json_string(o, by_id ? u->id : u->email);
		json_end_object(o);
	}
	json_end_array(o);
}

static void put_labels(struct json_out *o)
{
	json_begin_array(o);
	for (int i = 0; filter_labels[i]; i++)
		if (patience_chance(4) == 0)
			json_string(o, filter_labels[i]);
	json_end_array(o);
}

/* --- custom fields --------------------------------------------------------------------------------- */

static bool is_reference(const char *type)
{
	return strcmp(type, "contactField") == 0 || strcmp(type, "objectField") == 0;
}

static void put_custom(struct filter_world *w, struct json_out *o, const char *type)
{
	if (strcmp(type, "textField") == 0)
		json_string(o, ANY(words));
	else if (strcmp(type, "numericField") == 0)
		json_string(o, ANY(numbers));
	else if (strcmp(type, "dateField") == 0)
		json_string(o, ANY(days));
	else if (strcmp(type, "singleSelect") == 0)
		json_string(o, filter_labels[patience_chance(9)]);
	else if (strcmp(type, "multipleSelect") == 0)
		put_labels(o);
	else if (strcmp(type, "userField") == 0)
		put_users(w, o);
	else if (strcmp(type, "objectField") == 0)
		put_references(w, o, KIND_OBJECT, 2);
	else
		put_references(w, o, patience_chance(2) ? KIND_PERSON : KIND_COMPANY, 3);
}

static const char *entity_of(enum filter_kind kind)
{
	return kind == KIND_PERSON ? "person" : kind == KIND_COMPANY ? "company" : filter_type;
}

static void put_fields(
    struct filter_world *w, struct json_out *o, enum filter_kind kind, enum filter_group group, bool references)
{
	for (int i = 0; i < n_filter_customs; i++) {
		const struct world_custom *c = &filter_customs[i];
		if (c->group != group || strcmp(c->entity, entity_of(kind)) != 0 ||
		    is_reference(c->type) != references || !is_often())
			continue;
		json_key(o, c->name);
		put_custom(w, o, c->type);
	}
}

static void put_values(
    struct filter_world *w, struct json_out *o, enum filter_kind kind, unsigned groups, bool references)
{
	json_key(o, "customFieldValues");
	json_begin_object(o);
	if (kind == KIND_OBJECT)
		put_fields(w, o, kind, GROUP_SALES, references);
	for (int g = 0; kind != KIND_OBJECT && g < GROUPS_MADE; g++) {
		if (!(groups & 1u << g))
			continue;
		json_key(o, w->groups[g]);
		json_begin_object(o);
		put_fields(w, o, kind, (enum filter_group)g, references);
		json_end_object(o);
	}
	json_end_object(o);
}

/* --- records ------------------------------------------------------------------------------------------ */

static void put_person(struct filter_world *w, struct json_out *o)
{
	put_text(o, "firstName", ANY(words));
	put_text(o, "lastName", ANY(words));
	if (patience_chance(4) == 0)
		put_text(o, "fullName", ANY(words));
	put_text(o, "jobTitle", ANY(words));
	put_text(o, "birthday", ANY(days));
	put_text(o, "gender", ANY(genders));
	json_key(o, "companies");
	put_references(w, o, KIND_COMPANY, 3);
}

/* Names are unique: a number is appended. */
static void put_company(struct filter_world *w, struct json_out *o)
{
	const char *name = ANY(words);

	if (patience_chance(8)) {
		json_key(o, "name");
		json_string(o, arena_printf(&w->arena, "%s%s%d", name, patience_chance(2) ? " " : "", ++w->n_names));
	}
	put_text(o, "industry", ANY(words));
	put_text(o, "fundingRaised", ANY(amounts));
	put_text(o, "lastFundingDate", ANY(days));
	put_text(o, "employeeRange", ANY(ranges));
	if (is_often()) {
		json_key(o, "foundationYear");
		json_int(o, 1998 + (int)patience_chance(5));
	}
}

void filter_record(struct filter_world *w, struct json_out *o, enum filter_kind kind, unsigned groups, const char *id)
{
	json_begin_object(o);
	if (id) {
		json_key(o, "id");
		json_string(o, id);
	}
	if (kind == KIND_OBJECT) {
		put_text(o, "name", ANY(words));
		json_key(o, "people");
		put_references(w, o, KIND_PERSON, 3);
		json_key(o, "companies");
		put_references(w, o, KIND_COMPANY, 2);
	} else {
		if (kind == KIND_PERSON)
			put_person(w, o);
		else
			put_company(w, o);
		put_text(o, "description", ANY(words));
		PUT_TEXTS(o, "emails", emails);
		PUT_TEXTS(o, "phones", phones);
		PUT_TEXTS(o, "addresses", places);
		PUT_TEXTS(o, "urls", urls);
		put_groups(w, o, groups);
	}
	put_values(w, o, kind, groups, false);
	json_end_object(o);
}

void filter_references(struct filter_world *w, struct json_out *o, enum filter_kind kind, const struct filter_made *r)
{
	json_begin_object(o);
	json_key(o, "id");
	json_string(o, r->id);
	put_values(w, o, kind, r->groups, true);
	json_end_object(o);
}

void filter_task(struct filter_world *w, struct json_out *o)
{
	enum filter_kind kind = (enum filter_kind)patience_chance(KIND_TASK);

	json_begin_object(o);
	json_key(o, "entity");
	put_id(o, w->made[kind][patience_chance(patience_chance(2) ? 5 : (unsigned)w->n_made[kind])].id);
	json_key(o, "title");
	json_string(o, ANY(words));
	json_key(o, "dueAt");
	json_string(o, ANY(days));
	if (is_often()) {
		json_key(o, "completedAt");
		json_string(o, ANY(instants));
	}
	if (is_often()) {
		json_key(o, "assignedUsers");
		put_users(w, o);
	}
	json_key(o, "isPublic");
	json_bool(o, patience_chance(4) != 0);
	json_end_object(o);
}

void filter_interaction(struct filter_world *w, struct json_out *o)
{
	json_begin_object(o);
	json_key(o, "entity");
	put_id(o, w->made[KIND_PERSON][patience_chance((unsigned)w->n_made[KIND_PERSON] * 2 / 3)].id);
	json_key(o, "title");
	json_string(o, "t");
	json_key(o, "activityType");
	json_string(o, "call");
	json_key(o, "dateTime");
	json_string(o, ANY(instants));
	json_end_object(o);
}
