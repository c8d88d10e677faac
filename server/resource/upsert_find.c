/* The statements of an upsert that find existing records. Values are compared as filters compare them by eq
 * (filter/lookup.c). Look-ups use the same indexes through the views of lists, because a policy would keep functions
 * from using them (migrations/0009_row_security.sql). */
#include <string.h>

#include "server/request/batch.h"
#include "server/request/route.h"
#include "server/resource/upsert.h"

const char *upsert_compared_sql(const struct match *m)
{
	return m->field->type == FILTER_EMAILS   ? "kith_fold(u.value)"
	       : m->field->type == FILTER_PHONES ? "kith_phone_key(u.value)"
	                                         : "u.value";
}

/* --- records with a value ----------------------------------------------------------------- */

/* Finds a value in a list of texts, whose items have a table. */
static void find_in_items(struct sql *s, const struct write *w, const struct filter_field *f)
{
	const char *items = f->type == FILTER_EMAILS   ? "kith_fold_items"
	                    : f->type == FILTER_PHONES ? "kith_phone_keys"
	                                               : "";
	const struct filter_link *link = &w->kind->filters->items;

	sql_addf(s,
	    "i.%s as id from kith_search.%s i join kith_search.%s t on t.workspace_id = $1 and t.id = i.%s "
	    "where i.workspace_id = $1 and i.kind = %d and i.key = v.key and v.value = any (%s(t.%s)) order by i.%s",
	    link->owner, link->table, w->kind->res->table, link->owner, f->item, items, f->column, link->owner);
}

/* The values of a deleted record are deleted with it. */
static void find_in_custom(struct sql *s, const struct custom_field *f, enum filter_type type)
{
	sql_add(s, "f.owner_id as id from kith_search.field_values f where f.workspace_id = $1 and f.field_id = ");
	sql_uuid(s, &f->id);
	sql_add(s, type == FILTER_NUMBER ? " and f.number_value = v.value::numeric"
	           : type == FILTER_DATE ? " and f.date_value = v.value::date"
	                                 : " and hashtextextended(f.text_value, 0) = v.key and f.text_value = v.value");
	sql_add(s, " order by f.owner_id");
}

static void find_in_column(struct sql *s, const struct write *w, const struct filter_field *f)
{
	sql_addf(s, "t.id from kith_search.%s t where t.workspace_id = $1", w->kind->res->table);
	if (w->scope.type)
		sql_add_uuid(s, " and t.type_id = ", &w->scope.type->id);
	if (w->kind->entity == ENTITY_COMPANY) /* its name, which is unique */
		sql_add(s, " and t.name <> '' and t.name_digest = v.key");
	else
		sql_addf(s, " and hashtextextended(t.%s, 0) = v.key and t.%s = v.value", f->column, f->column);
	sql_add(s, " order by t.id");
}

static void put_values(struct sql *s, const struct upsert *u)
{
	const char **texts = arena_alloc(s->arena, u->n_values * sizeof *texts);
	size_t *lens = arena_alloc(s->arena, u->n_values * sizeof *lens);

	for (size_t i = 0; i < u->n_values; i++) {
		texts[i] = u->values[i].is.text;
		lens[i] = u->values[i].is.len;
	}
	sql_text_array(s, texts, lens, u->n_values);
}

void upsert_ask_found(struct req *r, const struct write *w, int *at)
{
	const struct upsert *u = w->upsert;
	const struct match *m = &u->match;
	const char *table = w->kind->res->table, *compared = upsert_compared_sql(m);
	bool named_company = w->kind->entity == ENTITY_COMPANY && !m->custom && !m->field->item;
	struct sql *s;

	if (u->n_values == 0)
		return;
	s = req_sql(
	    r, arena_printf(&r->arena, "%s_with_%s %s", table, m->custom ? "value" : "field", m->field->name), at);
	sql_addf(s, "with v as materialized (select u.n, %s as value, ", compared);
	sql_addf(s, named_company ? "text_digest(%s)" : "hashtextextended(%s, 0)", compared);
	sql_add(s, " as key from unnest(");
	put_values(s, u);
	sql_add(s, ") with ordinality u (value, n)) select v.n, m.id from v cross join lateral (select ");
	if (m->custom)
		find_in_custom(s, m->custom, m->field->type);
	else if (m->field->item)
		find_in_items(s, w, m->field);
	else
		find_in_column(s, w, m->field);
	sql_addf(s, " limit %d) m order by v.n, m.id", CANDIDATES_MAX);
}

/* Before the record was locked, another request may have changed it, or made a second record with the value. */
bool upsert_confirmed(struct req *r, struct write *w)
{
	const struct upsert *u = w->upsert;
	int rows = u->at_found < 0 ? 0 : db_rows(u->opened, u->at_found);

	transaction_numbered(r);
	if (u->at_found < 0)
		return true;
	if (db_rows(r->db.last, u->at_confirmed) != rows)
		return false;
	for (int i = 0; i < rows; i++) {
		struct uuid before = db_uuid(u->opened, u->at_found, i, 1),
		            now = db_uuid(r->db.last, u->at_confirmed, i, 1);
		if (db_int(u->opened, u->at_found, i, 0) != db_int(r->db.last, u->at_confirmed, i, 0) ||
		    !uuid_equal(&before, &now))
			return false;
	}
	return true;
}

/* --- the form in which items are compared ---------------------------------------------------- */

/* The items of a list in all bodies of the request. */
static struct value items_given(const struct req *r, struct arena *a, const char *field)
{
	int index = field_find(r->route->resource, field, strlen(field));
	struct value all = {.n_items = 0};
	size_t total = 0;

	for (size_t i = 0; index >= 0 && i < r->given.batch->count; i++)
		total += r->given.batch->inputs[i]->values[index].n_items;
	all.items = arena_alloc(a, total * sizeof *all.items);
	all.lens = arena_alloc(a, total * sizeof *all.lens);
	for (size_t i = 0; total && i < r->given.batch->count; i++) {
		const struct value *v = &r->given.batch->inputs[i]->values[index];
		for (size_t k = 0; k < v->n_items; k++) {
			all.items[all.n_items] = v->items[k];
			all.lens[all.n_items++] = v->lens[k];
		}
	}
	return all;
}

void upsert_ask_compared(struct req *r, struct write *w)
{
	struct value emails = items_given(r, &r->arena, "emails"), phones = items_given(r, &r->arena, "phones");
	struct sql *s;

	if (emails.n_items + phones.n_items == 0)
		return;
	s = req_sql(r, "items_compared", &w->upsert->at_compared);
	sql_add(s, "select kith_fold_items(");
	sql_text_array(s, emails.items, emails.lens, emails.n_items);
	sql_add(s, "), kith_phone_keys(");
	sql_text_array(s, phones.items, phones.lens, phones.n_items);
	sql_add(s, ") from workspaces w where w.workspace_id = $1");
}

static void read_compared(struct req *r, struct upsert *u, const char *field, int column, struct table *out)
{
	struct value given = items_given(r, &r->arena, field);
	struct upsert_text *texts = arena_alloc(&r->arena, given.n_items * sizeof *texts);
	const char **compared;
	size_t *lens, n = db_text_array(r->db.last, u->at_compared, 0, column, &r->arena, &compared, &lens);

	table_init(out, &r->arena, n);
	for (size_t i = 0; i < n && i < given.n_items; i++) {
		texts[i] = (struct upsert_text){given.items[i], given.lens[i], compared[i], lens[i]};
		table_row(out, texts[i].text, texts[i].len)->value = &texts[i];
	}
}

void upsert_read_compared(struct req *r, struct write *w)
{
	if (w->upsert->at_compared < 0)
		return;
	read_compared(r, w->upsert, "emails", 0, &w->upsert->emails);
	read_compared(r, w->upsert, "phones", 1, &w->upsert->phones);
}

struct upsert_text upsert_text_given(const struct upsert *u, enum filter_type type, const char *text, size_t len)
{
	const struct upsert_text *found = type == FILTER_EMAILS   ? table_find(&u->emails, text, len)
	                                  : type == FILTER_PHONES ? table_find(&u->phones, text, len)
	                                                          : NULL;

	return found ? *found : (struct upsert_text){text, len, text, len};
}

void upsert_ask_old_compared(struct req *r, struct write *w, const struct uuid *ids, size_t n)
{
	const char *table = w->kind->res->table;
	struct sql *s;

	if (w->upsert->at_compared < 0 || n == 0)
		return;
	s = req_sql(r, arena_printf(&r->arena, "%s_compared", table), &w->upsert->at_old_compared);
	sql_addf(s,
	    "select t.id, kith_fold_items(t.emails), kith_phone_keys(t.phones) from %s t where t.workspace_id = $1 "
	    "and t.id = any (",
	    table);
	sql_uuid_array(s, ids, n);
	sql_add(s, ")");
}
