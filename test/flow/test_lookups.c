/*
 * Every text that has an index is found by "eq" and "like" through that index, when one of many records has it. Only a
 * look-up can find these records on the first page: the stages are so short that a walk ends before it reaches them.
 */
#include <string.h>

#include "filter/filter.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/model/deals.h"

enum { WALKED = 40, FORMS = 9, RECORDS = WALKED + FORMS, FIELDS_MOST = 16 };

DEALS("lookups", .faults = true);

static const char *people[RECORDS], *companies[RECORDS], *objects[RECORDS];

/* --- texts ------------------------------------------------------------------------------------------ */

/* JSON, around letters of its own for each record and field. */
static const char *const forms[FORMS][2] = {{"", ""}, {"", " Steel"}, {"Über ", " & Söhne"}, {"100% ", "_x\\\\y"},
    {"", "@x.example"}, {"ＡＢ", ""}, {"小", "明"}, {"-", "-"}, {"a\\n", "\\nb"}};

/* The text of this field of each record's, as JSON without quotation marks. */
static const char *text_of(const struct filter_table *table, int field, int record)
{
	int n = record * FIELDS_MOST + field;
	const char letters[] = {
	    'z', 'q', (char)('a' + n / 26 / 26 % 26), (char)('a' + n / 26 % 26), (char)('a' + n % 26), '\0'};

	if (table->fields[field].type == FILTER_PHONES)
		return TEXT("+49 (0)89 7%05d", n);
	return TEXT("%s%s%s", forms[record % FORMS][0], letters, forms[record % FORMS][1]);
}

/* Fields whose texts an index finds. */
static bool is_looked_up(const struct filter_field *f)
{
	return f->search != NULL;
}

static const char *body_of(const struct filter_table *table, int record)
{
	const char *out = "";

	for (int i = 0; i < table->n_fields; i++) {
		const struct filter_field *f = &table->fields[i];
		const char *quote = f->type == FILTER_TEXT ? "" : "[", *end = f->type == FILTER_TEXT ? "" : "]";
		if (is_looked_up(f))
			out = TEXT("%s\"%s\":%s\"%s\"%s,", out, f->name, quote, text_of(table, i, record), end);
	}
	return out;
}

BEFORE_ALL()
{
	for (int i = 0; i < RECORDS; i++) {
		companies[i] =
		    deals_post("/v1/companies", TEXT("{%s%s}", body_of(&company_filters, i), deals.in_group)).id;
		people[i] = deals_post("/v1/people", TEXT("{%s\"companies\":[{\"id\":\"%s\"}],%s}",
		                                         body_of(&people_filters, i), companies[i], deals.in_group))
		                .id;
		objects[i] = deals_post(
		    deals.target, TEXT("{%s\"people\":[{\"id\":\"%s\"}]}", body_of(&object_filters, i), people[i]))
		                 .id;
	}
	rig_write(rig.orders, "short_stages 1 errors\n");
}

/* --- look-ups --------------------------------------------------------------------------------------- */

/* Asks for the record whose field, or that of the related record, has the text; returns whether only it is found. */
static bool is_found(const char *target, const char *id, const char *field, const char *op, const char *text)
{
	const char *body = TEXT("{\"filter\":{\"%s\":{\"%s\":\"%s\"}}}", field, op, text);
	const struct json *data = caller_data(&ada.arena, SEND("POST", body, "%s/search", target)),
	                  *items = json_member(data, "items"), *pagination = json_member(data, "pagination");
	bool found = items->count == 1 && strcmp(json_member(items->first, "id")->text, id) == 0 &&
	             !json_member(pagination, "scanned");

	if (!found)
		print_error("%s %s: %zu found%s\n", target, body, items->count,
		    json_member(pagination, "scanned") ? " by a walk" : "");
	return found;
}

/* prefix: of fields of related records. */
static void find_all(const char *target, const char *const ids[], const struct filter_table *table, const char *prefix)
{
	int wrong = 0, asked = 0;

	for (int i = 0; i < table->n_fields; i++) {
		const char *name = TEXT("%s%s", prefix, table->fields[i].name);
		for (int k = WALKED; k < RECORDS && is_looked_up(&table->fields[i]); k++) {
			const char *text = text_of(table, i, k);
			wrong += !is_found(target, ids[k], name, "eq", text);
			wrong += !is_found(target, ids[k], name, "like", text);
			asked++;
		}
	}
	assert_int_equal(wrong, 0);
	assert_true(asked >= FORMS);
}

TEST(texts_of_people)
{
	find_all("/v1/people", people, &people_filters, "");
}

TEST(texts_of_companies)
{
	find_all("/v1/companies", companies, &company_filters, "");
}

TEST(texts_of_objects)
{
	find_all(deals.target, objects, &object_filters, "");
}

TEST(texts_of_related_records)
{
	find_all("/v1/people", people, &company_filters, "companies.");
	find_all(deals.target, objects, &people_filters, "people.");
}
