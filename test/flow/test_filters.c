/* Filters against the whole program: hundreds of generated ones, valid and hostile, must not cause a database error.
 * Also slow counts, and the plans that "kith explain" shows. */
#include <stdio.h>
#include <string.h>

#include "filter/filter.h"
#include "server/base/text.h"
#include "test/lib/model/deals.h"

enum { ROUNDS = 400, TEXT_MAX = 16 << 10 };

static const char *person, *company;

/* --- the workspace -------------------------------------------------------------------- */

static const struct {
	const char *type, *rest;
	const char *name; /* of the field */
} custom[] = {
    {"textField", "", "text.with [brackets] é"},
    {"numericField", "", "number"},
    {"dateField", "", "date"},
    {"singleSelect", ",\"options\":[{\"label\":\"l0\"},{\"label\":\"'\\\"%_\"}]", "one"},
    {"multipleSelect", ",\"options\":[{\"label\":\"l0\"},{\"label\":\"l1\"}]", "many"},
    {"contactField", "", "contact"},
    {"userField", "", "user"},
    {"objectField", "", "object"},
};

enum { N_CUSTOM = sizeof custom / sizeof *custom };

static void make_fields(const char *entity)
{
	for (int i = 0; i < N_CUSTOM; i++)
		deals_field(entity, custom[i].name, TEXT("\"type\":\"%s\"%s", custom[i].type, custom[i].rest));
}

DEALS("filters", .faults = true);

BEFORE_ALL()
{
	make_fields("person");
	make_fields("company");
	make_fields("deal");
	company = deals_post("/v1/companies", TEXT("{\"name\":\"Acme\",\"industry\":\"Steel\",%s}", deals.in_group)).id;
	person = deals_post(
	    "/v1/people", TEXT("{\"firstName\":\"Ann\",\"emails\":[\"ann@x.com\"],\"companies\":[{\"id\":\"%s\"}],%s}",
	                      company, deals.in_group))
	             .id;
	deals_post(deals.target, TEXT("{\"name\":\"One\",\"people\":[{\"id\":\"%s\"}]}", person));
	deals_post("/v1/tasks", TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"T\",\"dueAt\":\"2026-01-31\"}", person));
}

/* --- random numbers, the same in every run ----------------------------------------------- */

static uint64_t chance = 20260131;

static size_t pick_below(size_t n)
{
	chance = chance * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(chance >> 33) % n;
}

static bool is_often(void)
{
	return pick_below(16) != 0;
}

/* A value that suits the field, sometimes one that does not. */
static const char *value_of(const struct filter_field *f)
{
	static const char *const texts[] = {"a", "Ann", "%", "_\\", "'", "\"", "'; drop table people; --", "$1", "ß",
	    "é😀", "x y+z&=#", "ann@x.com", "\n", "[in][id]", "{}", "\\", "\xe2\x80\xae", "NULL", "0x00", "+49 30"};
	static const char *const numbers[] = {
	    "0", "-1", "1e5", "1999", "1.50", "99999999999999999999999999.9", "1e-20"};
	static const char *const days[] = {"2026-01-31", "0001-01-01", "9999-12-31", "1970-01-01", "2000-02-29"};
	static const char *const times[] = {"2026-01-31T10:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z",
	    "2026-01-31T10:00:00.123456+14:00", "1969-12-31"};
	static const char *const strange[] = {"", "x", "grp_1", "per_01234567-89ab-7cde-8f01-23456789abcd", "infinity",
	    "NaN", "epoch", "today", "-infinity", "24:00", "{1,2}", "a%00b", "\xff\xfe", "\xed\xa0\x80"};
#define ANY(list) (list)[pick_below(sizeof(list) / sizeof *(list))]
	if (!is_often())
		return ANY(strange);
	switch (f->type) {
	case FILTER_TEXT:
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
		return ANY(texts);
	case FILTER_CHOICE:
		return f->choices[pick_below(4)];
	case FILTER_NUMBER:
		return ANY(numbers);
	case FILTER_DATE:
		return ANY(days);
	case FILTER_DAY:
	case FILTER_INSTANT:
		return pick_below(2) ? ANY(days) : ANY(times);
	case FILTER_USER:
	case FILTER_USERS:
		return rig.ada.id;
	case FILTER_OPTION:
	case FILTER_OPTIONS:
		return pick_below(2) ? "l0" : "l1";
	case FILTER_ENTITY:
	case FILTER_REFS:
		return f->kinds == 1u << ID_GROUP ? deals.group : pick_below(2) ? person : company;
	}
	return "";
}

static const struct filter_table *const tables[] = {&people_filters, &company_filters, &object_filters, &task_filters};

/* A field of the table, sometimes a custom one: the name goes to out. */
static const struct filter_field *field_of(const struct filter_table *t, struct buf *out)
{
	static const struct filter_field any = {.type = FILTER_TEXT, .ops = ~0u};
	size_t i = pick_below(N_CUSTOM);
	const struct filter_field *f = &t->fields[pick_below((size_t)t->n_fields)];

	if (!t->custom || pick_below(2)) {
		buf_addz(out, pick_below(40) ? f->name : "nothing");
		return f;
	}
	buf_addz(out, "customFieldValues.");
	if (t != &object_filters)
		buf_printf(out, "%s.", deals.group);
	buf_addz(out, custom[i].name);
	return is_often() ? filter_custom_field(custom[i].type) : &any;
}

static const char *const ops[] = {
    "eq", "not_eq", "gt", "lt", "like", "not_like", "all", "in", "not_in", "empty", "not_empty"};

/* An operator that the field usually accepts. */
static const char *op_of(const struct filter_field *f)
{
	size_t i;

	do
		i = pick_below(sizeof ops / sizeof *ops);
	while (!(f->ops & 1u << (i + 1)) && is_often());
	return ops[i];
}

/* --- in a query -------------------------------------------------------------------------- */

static void add_filter(struct buf *q, const struct filter_table *t)
{
	static const char *const subkeys[] = {"", "", "[id]", "[email]", "[]", "[0]", "[id][1]"};
	struct buf key;
	const struct filter_field *f;
	const char *op;
	size_t values = 1 + pick_below(2);

	buf_init(&key, 1024);
	buf_addz(&key, "filter[");
	f = field_of(t, &key);
	op = op_of(f);
	buf_printf(&key, "][%s]", op);
	if (f->subkeys)
		buf_addz(&key, f->subkeys & FILTER_SUBKEY_NONE ? "" : "[id]");
	else if (f->ops == ~0u)
		buf_addz(&key, subkeys[pick_below(7)]);
	while (values--) {
		const char *value = value_of(f);
		buf_addz(q, q->len ? "&" : "");
		text_percent_encode(q, key.data, key.len);
		if (strstr(op, "empty") && is_often())
			continue;
		buf_addc(q, '=');
		text_percent_encode(q, value, strlen(value));
		if (f->type != FILTER_TEXT && op[1] == 't')
			break;
	}
	buf_free(&key);
}

static const char *target_of(const struct filter_table *t)
{
	return t == &people_filters    ? "/v1/people"
	       : t == &company_filters ? "/v1/companies"
	       : t == &task_filters    ? "/v1/tasks"
	                               : deals.target;
}

static void check_answer(const struct caller_answer *a, const char *what, int *good)
{
	if (a->status != 200 && a->status != 422 && a->status != 414) {
		fprintf(stderr, "%d for %s: %s\n", a->status, what, a->reply.body ? a->reply.body : a->error);
		fail();
	}
	*good += a->status == 200;
}

/* The database accepts every resulting statement, in every order and with counts. */
TEST(any_query)
{
	static const char *const more[] = {"", "&sort=-createdAt", "&sort=updatedAt", "&sort=-updatedAt&combinator=or",
	    "&count=exact&combinator=or", "&count=estimated", "&limit=3"};
	int good = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const struct filter_table *t = tables[pick_below(4)];
		struct buf q;
		buf_init(&q, TEXT_MAX);
		for (size_t n = 1 + pick_below(4); n; n--)
			add_filter(&q, t);
		struct caller_answer a = caller_sendf(
		    &ada, "GET", TEXT("%s?%s%s", target_of(t), q.data, more[pick_below(7)]), NULL, "%s", "");
		check_answer(&a, q.data, &good);
		buf_free(&q);
	}
	assert_true(good > ROUNDS / 4); /* they were not all refused */
}

/* --- in a body --------------------------------------------------------------------------- */

static void add_value(struct json_out *o, const struct filter_field *f)
{
	const char *value = value_of(f);

	if (!text_utf8_valid(value, strlen(value)))
		value = "x";
	json_string(o, value);
}

static void add_operator(struct json_out *o, const struct filter_field *f)
{
	const char *op = op_of(f);

	json_begin_object(o);
	json_key(o, op);
	if (strstr(op, "empty")) {
		json_bool(o, is_often());
	} else {
		if (f->subkeys && !(f->subkeys & FILTER_SUBKEY_NONE)) {
			json_begin_object(o);
			json_key(o, is_often() ? "id" : "email");
		}
		json_begin_array(o);
		for (size_t n = op[1] == 't' ? 1 : 1 + pick_below(3); n; n--)
			add_value(o, f);
		json_end_array(o);
		if (f->subkeys && !(f->subkeys & FILTER_SUBKEY_NONE))
			json_end_object(o);
	}
	json_end_object(o);
}

static void add_object(struct json_out *o, const struct filter_table *t, int depth)
{
	json_begin_object(o);
	for (size_t n = 0, fields = 1 + pick_below(2); n < fields; n++) {
		const struct filter_relation *rel =
		    t->n_relations && pick_below(2) ? &t->relations[pick_below((size_t)t->n_relations)] : NULL;
		struct buf name;
		buf_init(&name, 1024);
		if (rel)
			buf_printf(&name, "%s.", rel->name);
		const struct filter_field *f =
		    rel ? &rel->target->fields[pick_below((size_t)rel->target->n_fields)] : field_of(t, &name);
		if (rel)
			buf_addz(&name, f->name);
		if (n == 0 || pick_below(2)) { /* the same name twice would be refused as JSON */
			json_key(o, n ? "and" : name.data);
			if (n) {
				json_begin_array(o);
				json_begin_object(o);
				json_key(o, name.data);
			}
			add_operator(o, f);
			if (n) {
				json_end_object(o);
				json_end_array(o);
			}
		}
		buf_free(&name);
	}
	if (depth < 5 && pick_below(2)) {
		json_key(o, "or");
		json_begin_array(o);
		for (size_t n = 1 + pick_below(2); n; n--)
			add_object(o, t, depth + 1);
		json_end_array(o);
	}
	json_end_object(o);
}

TEST(any_body)
{
	int good = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const struct filter_table *t = tables[pick_below(3)];
		struct buf body;
		struct json_out o;
		buf_init(&body, TEXT_MAX);
		json_out_init(&o, &body);
		json_begin_object(&o);
		json_key(&o, "combinator");
		json_string(&o, pick_below(2) ? "or" : "and");
		json_key(&o, "filter");
		add_object(&o, t, 0);
		json_end_object(&o);
		struct caller_answer a = SEND("POST", body.data, "%s/search", target_of(t));
		check_answer(&a, body.data, &good);
		buf_free(&body);
	}
	assert_true(good > ROUNDS / 4);
}

/* --- slow ones ----------------------------------------------------------------------------- */

static void order_words(const char *text)
{
	rig_write(rig.orders, text);
}

static bool target_says(const char *target, const char *text)
{
	struct caller_answer a = caller_send(&ada, "GET", target, NULL, NULL);

	assert_int_equal(a.status, 200);
	return strstr(a.reply.body, text) != NULL;
}

/* A slow count is estimated and marked as such; the page is not lost. A count known from the page is exact. */
TEST(slow_count)
{
	struct caller_answer a;

	for (int i = 0; i < 2; i++)
		deals_post("/v1/people", "{\"firstName\":\"Bea\"}");
	order_words("slow_count 1 error\n");
	a = SEND("GET", NULL, "/v1/people?filter[firstName][eq]=Bea&count=exact&limit=1");
	assert_int_equal(a.status, 200);
	assert_true(a.took_us < 6 * 1000000); /* its limit is one second; other statements of a list have eight */
	assert_non_null(strstr(a.reply.body, "\"firstName\":\"Bea\""));
	assert_non_null(strstr(a.reply.body, "\"countIsEstimated\":true"));
	assert_null(strstr(a.reply.body, "\"count\":1,"));
	assert_null(strstr(a.reply.body, "\"count\":0,"));
	assert_true(target_says("/v1/people?filter[firstName][eq]=Bea&count=exact&limit=1", "\"count\":2}"));
	order_words("slow_count 1 error\n");
	assert_true(target_says("/v1/people?filter[firstName][eq]=Bea&count=exact", "\"count\":2}"));
	assert_true(target_says("/v1/people?filter[firstName][eq]=Bea&count=estimated", "\"count\":2}"));
	assert_true(target_says("/v1/people?filter[firstName][eq]=nobody&count=estimated", "\"count\":0}"));
	order_words("");
}

/* --- plans ------------------------------------------------------------------------------------ */

static int explain_query(const char *query, const char *option, const char *value, const char **out)
{
	const char *argv[] = {"explain", query, "--workspace", rig.workspace.id, option, value, NULL};

	return command_run(rig.program, &ada.arena, argv, out);
}

TEST(test_plans)
{
	static const char *const resources[] = {"people", "companies", "tasks"};
	const char *out;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(
		    explain_query("filter[createdAt][gt]=2026-01-01&sort=-updatedAt", "--resource", resources[i], &out),
		    0);
		assert_non_null(
		    strstr(out, "The page comes from the list in its order; the filters are tested on each row"));
		assert_non_null(strstr(out, "created_at"));
		assert_non_null(strstr(out, "Limit  (cost="));
	}
	assert_int_equal(
	    explain_query("filter[emails][like]=acme&filter[groups][empty]", "--resource", "people", &out), 0);
	assert_non_null(strstr(out, "when the first 1500 rows do not fill it, from people, for \"emails like\""));
	assert_non_null(strstr(out, "emails, phones, urls)) like kith_search_part("));
	assert_non_null(strstr(out, "\n$2 = acme\n"));
	assert_int_equal(
	    explain_query(TEXT("filter[groups][in][id]=%s", deals.group), "--resource", "people", &out), 0);
	assert_non_null(strstr(out, "The page comes from person_groups, in the order of the list, for \"groups in\"."));
	assert_null(strstr(out, "actual time="));
	const char *analyze[] = {
	    "explain", "filter[emails][eq]=ann@x.com", "--workspace", rig.workspace.id, "--analyze", NULL};
	assert_int_equal(command_run(rig.program, &ada.arena, analyze, &out), 0);
	assert_non_null(strstr(out, "actual time="));
	const char *argv[] = {"explain", "filter[customFieldValues.number][gt]=1", "--workspace", rig.workspace.id,
	    "--group", deals.group, "--type", "deal", "--user", rig.ben.id, NULL};
	assert_int_equal(command_run(rig.program, &ada.arena, argv, &out), 0);
	assert_int_equal(explain_query("", "--user", rig.ada.id, &out), 0);
	assert_int_equal(explain_query("filter[foo][eq]=1", "--resource", "people", &out), 1);
	assert_string_equal(out, "");
	assert_int_equal(explain_query("", "--resource", "notes", &out), 1);
	assert_int_equal(explain_query("", "--group", deals.group, &out), 2);
}

/* --- folding ---------------------------------------------------------------------------------- */

/* The ASCII short cut: every character folds the same as by Unicode's rules, by itself and beside others. */
TEST(test_folded)
{
	assert_int_equal(
	    database_int(rig.program,
	        "select count(*) filter (where kith_fold(t) is distinct from replace(lower(t collate \"und-x-icu\"), "
	        "'ς', 'σ')) from (select chr(i) as c from generate_series(1, 1114111) i where i not between 55296 "
	        "and 57343) c cross join lateral (values (c), ('Ab' || c || 'Z'), (null)) t (t)"),
	    0);
	assert_int_equal(
	    database_int(rig.program,
	        "select (kith_fold('ÀÉΣς') = 'àéσσ' and kith_fold('AZ') = 'az' and "
	        "kith_search_text('{Ab,É}') = e'\\nab\\né\\n' and "
	        "kith_phone_keys('{+1 (2),Ann}') = '{12,Ann}' and kith_phone_keys('{Ann}') = '{Ann}')::int"),
	    1);
}
