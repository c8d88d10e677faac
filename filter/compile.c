/* Conditions and trees of them into SQL; see compile.h. */
#include "filter/compile.h"

#include "filter/compile_parts.h"

static bool is_list(const struct filter_field *f)
{
	switch (f->type) {
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
	case FILTER_USERS:
	case FILTER_REFS:
		return true;
	default:
		return false;
	}
}

/* Which column of field_values keeps the values of a type. */
static const char *custom_column(enum filter_type type)
{
	return type == FILTER_TEXT     ? "v.text_value"
	       : type == FILTER_NUMBER ? "v.number_value"
	       : type == FILTER_DATE   ? "v.date_value"
	                               : "v.ref_id";
}

/* " and …": a reference to an object of a group that the viewer may not see counts as absent. */
static void visible_only(const struct compile *c, const struct filter_condition *f)
{
	if (f->field->type != FILTER_REFS || f->field->id_kind != ID_OBJECT || !c->viewer->n_hidden)
		return;
	sql_add(c->s,
	    " and exists (select from objects o where o.workspace_id = $1 and o.id = v.ref_id and o.group_id <> all (");
	sql_uuid_array(c->s, c->viewer->hidden, c->viewer->n_hidden);
	sql_add(c->s, "))");
}

static void custom_rows(const struct compile *c, const struct filter_condition *f)
{
	sql_add(c->s, "exists (select from field_values v where v.workspace_id = $1 and v.field_id = ");
	sql_uuid(c->s, &f->custom);
	sql_addf(c->s, " and v.owner_id = %s.id", c->alias);
	visible_only(c, f);
}

/* The set of values equals the given one: each is there, and no other. */
static void custom_all(const struct compile *c, const struct filter_condition *f)
{
	struct filter_ids ids = compile_ids(c, f);

	if (!ids.all) {
		sql_add(c->s, "false");
		return;
	}
	for (size_t i = 0; i < ids.count; i++) {
		custom_rows(c, f);
		sql_add(c->s, " and v.ref_id = ");
		sql_uuid(c->s, &ids.ids[i]);
		sql_add(c->s, ") and ");
	}
	sql_add(c->s, "not ");
	custom_rows(c, f);
	sql_add(c->s, " and v.ref_id <> all (");
	sql_uuid_array(c->s, ids.ids, ids.count);
	sql_add(c->s, "))");
}

static void custom(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	if (op == FILTER_ALL) {
		custom_all(c, f);
		return;
	}
	custom_rows(c, f);
	if (op != FILTER_NOT_EMPTY) {
		sql_add(c->s, " and ");
		compile_scalar(c, f, op, custom_column(f->field->type));
	}
	sql_add(c->s, ")");
}

/* Of the viewer alone. */
static void counts(const struct compile *c, const struct filter_condition *f, enum filter_op op)
{
	sql_addf(c->s,
	    "exists (select from interaction_counts c where c.workspace_id = $1 and c.entity_id = %s.id and c.user_id "
	    "= ",
	    c->alias);
	sql_uuid(c->s, &c->viewer->user);
	if (op != FILTER_NOT_EMPTY) {
		sql_add(c->s, " and ");
		compile_scalar(c, f, op, "c.last_at");
	}
	sql_add(c->s, ")");
}

/* What the positive operator says; the negative one denies it, and unset fits no positive one. */
static void own_condition(const struct compile *c, const struct filter_condition *f)
{
	enum filter_op op = compile_positive(f->op);

	sql_add(c->s, "(");
	switch (f->field->source) {
	case FILTER_CUSTOM:
		custom(c, f, op);
		break;
	case FILTER_COUNTS:
		counts(c, f, op);
		break;
	case FILTER_COLUMN:
		if (is_list(f->field))
			compile_list(c, f, op);
		else
			compile_scalar(c, f, op, arena_printf(c->s->arena, "%s.%s", c->alias, f->field->column));
		break;
	}
	sql_add(c->s, op == f->op ? ")" : ") is not true");
}

/* Of any linked record. */
static void related_condition(const struct compile *c, const struct filter_condition *f)
{
	const struct filter_relation *r = f->relation;
	struct compile inner = {.s = c->s, .viewer = c->viewer, .alias = "r"};

	sql_addf(c->s,
	    "exists (select from %s l join %s r on r.workspace_id = $1 and r.id = l.%s "
	    "where l.workspace_id = $1 and l.%s = %s.id and (",
	    r->link.table, r->target->resource->table, r->link.other, r->link.owner, c->alias);
	own_condition(&inner, f);
	sql_add(c->s, "))");
}

void compile_condition(const struct compile *c, const struct filter_condition *f)
{
	if (f->relation)
		related_condition(c, f);
	else
		own_condition(c, f);
}

void compile_tree(const struct compile *c, const struct filter *f)
{
	if (f->kind == FILTER_ONE) {
		compile_condition(c, f->condition);
		return;
	}
	if (f->n_parts == 0) {
		sql_add(c->s, f->kind == FILTER_ALL_OF ? "true" : "false");
		return;
	}
	sql_add(c->s, "(");
	for (size_t i = 0; i < f->n_parts; i++) {
		if (i)
			sql_add(c->s, f->kind == FILTER_ALL_OF ? " and " : " or ");
		compile_tree(c, f->parts[i]);
	}
	sql_add(c->s, ")");
}

/* --- statements --------------------------------------------------------------------------- */

void filter_where_sql(struct sql *s, const struct filter_base *b, const struct filter *f)
{
	struct compile c = {.s = s, .viewer = b->viewer, .alias = "t"};

	if (!f)
		return;
	sql_add(s, " and ");
	compile_tree(&c, f);
}

/* "from … where …" of the whole list. */
static void rows(struct sql *s, const struct filter_base *b, const struct filter *f)
{
	sql_addf(s, "from %s t where t.workspace_id = $1", b->table->resource->table);
	if (b->column) {
		sql_addf(s, " and t.%s = ", b->column);
		sql_uuid(s, &b->id);
	}
	if (b->more)
		b->more(b->ctx, s);
	filter_where_sql(s, b, f);
}

static void page(struct sql *s, const struct filter_order *o)
{
	const char *sign = o->down ? "<" : ">", *way = o->down ? " desc" : "";

	if (o->after && o->updated) {
		sql_addf(s, " and (t.updated_at, t.id) %s (", sign);
		sql_time_us(s, o->time_us);
		sql_add(s, ", ");
		sql_uuid(s, &o->id);
		sql_add(s, ")");
	} else if (o->after) {
		sql_addf(s, " and t.id %s ", sign);
		sql_uuid(s, &o->id);
	}
	sql_addf(s, o->updated ? " order by t.updated_at%s, t.id%s" : " order by t.id%s", way, way);
	sql_addf(s, " limit %d", o->limit);
}

void filter_ids_sql(struct sql *s, const struct filter_base *b, const struct filter *f, const struct filter_order *o)
{
	sql_add(s, "select t.id ");
	rows(s, b, f);
	page(s, o);
}

void filter_count_sql(struct sql *s, const struct filter_base *b, const struct filter *f, int64_t most)
{
	sql_add(s, "select count(*) from (select 1 ");
	rows(s, b, f);
	if (most)
		sql_addf(s, " limit %lld", (long long)most);
	sql_add(s, ") n");
}
