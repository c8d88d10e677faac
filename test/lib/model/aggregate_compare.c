/* Aggregates by PostgreSQL's own "group by"; see aggregate_compare.h. */
#include "test/lib/model/aggregate_compare.h"

#include <string.h>

#include "test/lib/db/database.h"

enum { TEXT_MAX = 4 << 20 };

bool aggregate_model_time(const struct model_field *f)
{
	return f->type == MODEL_DAY || f->type == MODEL_INSTANT;
}

static void quote_sql(struct buf *to, const struct buf *json)
{
	buf_addc(to, '\'');
	for (size_t i = 0; i < json->len; i++) {
		if (json->data[i] == '\'')
			buf_addc(to, '\'');
		buf_addc(to, json->data[i]);
	}
	buf_addc(to, '\'');
}

static void put_values(struct json_out *o, const char *key, const struct json *record, const struct model_field *f)
{
	struct model_items items;

	model_read(record, f, &items);
	json_key(o, key);
	json_begin_array(o);
	for (size_t i = 0; i < items.count; i++)
		if (f->type != MODEL_GENDER || strcmp(items.items[i].text, "Unknown") != 0)
			json_string(o, items.items[i].text);
	json_end_array(o);
}

/* [{"k0": [values], "m0": [values]}] of the records that the model expects. */
static void put_records(struct arena *a, const struct aggregate_drawn *d, struct buf *b)
{
	const struct filter_list *l = d->query.list;
	struct json_out o;
	const char **ids;
	size_t n = filter_expect(a, &d->query, &ids);

	json_out_init(&o, b);
	json_begin_array(&o);
	for (size_t r = 0; r < l->n_records; r++) {
		const char *id = json_member(l->records[r], "id")->text;
		size_t at = 0;
		while (at < n && strcmp(ids[at], id) != 0)
			at++;
		if (at == n)
			continue;
		json_begin_object(&o);
		for (int i = 0; i < d->n_groupings; i++)
			put_values(&o, arena_printf(a, "k%d", i), l->records[r], d->groupings[i].field);
		for (int i = 0; i < d->n_measures; i++)
			put_values(&o, arena_printf(a, "m%d", i), l->records[r], d->measures[i]);
		json_end_object(&o);
	}
	json_end_array(&o);
}

static void copy_figure(struct arena *a, struct json_out *o, const struct json *from, const char *name, int i,
    const struct model_field *f, const char *as)
{
	const struct json *value = json_member(json_member(from, name), f->name);

	if (!value)
		return;
	json_key(o, arena_printf(a, "%s%d", as, i));
	json_value(o, value);
}

/* {"k0": value, "n": count, "v0": …} of an item, or of a total. */
static void put_answer_row(struct arena *a, const struct aggregate_drawn *d, struct json_out *o, const struct json *row,
    bool total, bool single)
{
	const struct json *key = json_items(json_member(row, "group"));

	json_begin_object(o);
	json_add_bool(o, "total", total);
	for (int i = 0; i < d->n_groupings && !total; i++, key = key ? key->next : NULL) {
		const struct json *value = json_member(key, "value");
		json_key(o, arena_printf(a, "k%d", i));
		if (value)
			json_value(o, value);
		else
			json_string(o, "(no value)");
	}
	json_key(o, "n");
	json_value(o, json_member(row, "count"));
	for (int i = 0; i < d->n_measures; i++) {
		copy_figure(a, o, row, "values", i, d->measures[i], "v");
		copy_figure(a, o, row, "sum", i, d->measures[i], "s");
		if (single)
			copy_figure(a, o, row, "avg", i, d->measures[i], "g");
		copy_figure(a, o, row, "min", i, d->measures[i], "a");
		copy_figure(a, o, row, "max", i, d->measures[i], "z");
	}
	json_end_object(o);
}

static void put_answers(
    struct arena *a, const struct aggregate_drawn *d, const struct aggregate_parts *p, struct buf *b)
{
	struct json_out o;

	json_out_init(&o, b);
	json_begin_array(&o);
	for (int i = 0; i < p->n; i++) {
		json_each(item, json_member(p->data[i], "items"))
			put_answer_row(a, d, &o, item, false, p->n == 1);
		put_answer_row(a, d, &o, json_member(p->data[i], "total"), true, p->n == 1);
	}
	json_end_array(&o);
}

/* The key of a group, as text, of a value e. */
static void put_key(const struct aggregate_drawn *d, int i, struct buf *s)
{
	const struct grouping_drawn *g = &d->groupings[i];
	const char *bucket = g->bucket ? g->bucket : "day";

	if (g->field->type == MODEL_NUMBER)
		buf_printf(s, "trim_scale(e%d::numeric)::text", i);
	else if (g->field->type == MODEL_DATE)
		buf_printf(s, "to_char(date_trunc('%s', e%d::timestamp), 'YYYY-MM-DD')", bucket, i);
	else if (aggregate_model_time(g->field))
		buf_printf(s, "to_char(date_trunc('%s', e%d::timestamptz at time zone '%s'), 'YYYY-MM-DD')", bucket, i,
		    d->zone ? d->zone : "UTC");
	else
		buf_printf(s, "e%d", i);
}

/* ", count(m0) as v0, …" */
static void put_expected_figures(struct arena *a, const struct aggregate_drawn *d, bool single, struct buf *s)
{
	for (int i = 0; i < d->n_measures; i++) {
		const char *m = arena_printf(a, "(r.m%d ->> 0)", i);
		bool number = d->measures[i]->type == MODEL_NUMBER;
		const char *type = number ? "::numeric" : " collate \"C\"";
		buf_printf(s, ", count(%s)::numeric as v%d", m, i);
		if (number)
			buf_printf(s, ", trim_scale(coalesce(sum(%s::numeric), 0))::text as s%d", m, i);
		if (number && single)
			buf_printf(s,
			    ", trim_scale(round(sum(%s::numeric)::numeric(1000, 200) / nullif(count(%s), 0), 6))::text "
			    "as g%d",
			    m, m, i);
		buf_printf(s, ", min(%s%s)::text as a%d, max(%s%s)::text as z%d", m, type, i, m, type, i);
	}
}

/* The figures of several parts, put together. */
static void put_added_figures(struct arena *a, const struct aggregate_drawn *d, bool single, struct buf *s)
{
	for (int i = 0; i < d->n_measures; i++) {
		bool number = d->measures[i]->type == MODEL_NUMBER;
		const char *type = number ? "::numeric" : " collate \"C\"";
		buf_printf(s, ", sum(v%d) as v%d", i, i);
		if (number)
			buf_printf(s, ", %s as s%d",
			    single ? arena_printf(a, "min(s%d)", i)
			           : arena_printf(a, "trim_scale(sum(s%d::numeric))::text", i),
			    i);
		if (number && single)
			buf_printf(s, ", min(g%d) as g%d", i, i);
		buf_printf(s, ", min(a%d%s)::text as a%d, max(z%d%s)::text as z%d", i, type, i, i, type, i);
	}
}

static void put_keys(const struct aggregate_drawn *d, const char *format, struct buf *s)
{
	for (int i = 0; i < d->n_groupings; i++) {
		buf_addz(s, ", ");
		if (format)
			buf_addz(s, format);
		else
			put_key(d, i, s);
		buf_printf(s, " as k%d", i);
	}
}

/* Rows of what is expected: groups, then the total. */
static void put_expected(
    struct arena *a, const struct aggregate_drawn *d, bool single, struct buf *s, const struct buf *records)
{
	buf_addz(s, "records as (select * from jsonb_to_recordset(");
	quote_sql(s, records);
	buf_addz(s, "::jsonb) as r (k0 jsonb, k1 jsonb, m0 jsonb, m1 jsonb)), expected as (select false as total");
	put_keys(d, NULL, s);
	buf_addz(s, ", count(*)::numeric as n");
	put_expected_figures(a, d, single, s);
	buf_addz(s, " from records r");
	for (int i = 0; i < d->n_groupings; i++)
		buf_printf(s, " left join lateral jsonb_array_elements_text(r.k%d) x%d (e%d) on true", i, i, i);
	if (d->n_groupings)
		buf_printf(s, " group by 2%s", d->n_groupings > 1 ? ", 3" : "");
	buf_addz(s, " union all select true");
	put_keys(d, "null", s);
	buf_addz(s, ", count(*)::numeric");
	put_expected_figures(a, d, single, s);
	buf_addz(s, " from records r)");
}

static void put_answered(
    struct arena *a, const struct aggregate_drawn *d, bool single, struct buf *s, const struct buf *answers)
{
	buf_addz(s, "rows as (select * from jsonb_to_recordset(");
	quote_sql(s, answers);
	buf_addz(s, "::jsonb) as r (total bool, k0 text, k1 text, n numeric");
	for (int i = 0; i < d->n_measures; i++)
		buf_printf(s, ", v%d numeric, s%d text, g%d text, a%d text, z%d text", i, i, i, i, i);
	buf_addz(s, ")), answered as (select total");
	for (int i = 0; i < d->n_groupings; i++)
		buf_printf(s, ", k%d", i);
	buf_addz(s, ", sum(n) as n");
	put_added_figures(a, d, single, s);
	buf_addz(s, " from rows group by total");
	for (int i = 0; i < d->n_groupings; i++)
		buf_printf(s, ", k%d", i);
	buf_addz(s, ")");
}

const char *aggregate_compare(
    struct arena *a, const struct program *program, const struct aggregate_drawn *d, const struct aggregate_parts *p)
{
	bool single = p->n == 1;
	struct buf records, answers, s;
	const char *difference;

	buf_init(&records, TEXT_MAX);
	buf_init(&answers, TEXT_MAX);
	buf_init(&s, 4 * TEXT_MAX);
	put_records(a, d, &records);
	put_answers(a, d, p, &answers);
	buf_addz(&s, "with ");
	put_expected(a, d, single, &s, &records);
	buf_addz(&s, ", ");
	put_answered(a, d, single, &s, &answers);
	buf_addz(&s,
	    " select string_agg(side || ' ' || line, e'\\n  ') from (select 'expected' as side, to_jsonb(x)::text as "
	    "line "
	    "from (table expected except all table answered) x union all select 'answered', to_jsonb(x)::text from "
	    "(table answered except all table expected) x) both_sides");
	difference = database_text(program, a, arena_dup(a, s.data, s.len));
	buf_free(&records);
	buf_free(&answers);
	buf_free(&s);
	return difference;
}
