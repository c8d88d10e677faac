/* Conditions over records; see filter_model.h. */
#include "test/lib/model/filter_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const model_op_words[MODEL_OPS] = {
    "eq", "not_eq", "gt", "lt", "like", "not_like", "all", "in", "not_in", "empty", "not_empty"};
const char *const model_type_words[MODEL_TYPES] = {
    "text", "email", "phone", "month", "gender", "number", "date", "day", "instant", "label", "ref", "user"};

/* --- fields (docs/filters.md) ------------------------------------------- */

#define OP(op) (1u << (MODEL_##op))

const struct model_field model_people[] = {
    {"fullName", MODEL_TEXT, MODEL_T},
    {"firstName", MODEL_TEXT, MODEL_T},
    {"lastName", MODEL_TEXT, MODEL_T},
    {"jobTitle", MODEL_TEXT, MODEL_T},
    {"description", MODEL_TEXT, MODEL_T},
    {"emails", MODEL_EMAIL, MODEL_T},
    {"phones", MODEL_PHONE, MODEL_T},
    {"addresses", MODEL_TEXT, MODEL_T},
    {"urls", MODEL_TEXT, MODEL_T},
    {"birthday", MODEL_DATE, MODEL_D},
    {"birthday.month", MODEL_MONTH, MODEL_D, false, {"birthday"}},
    {"companies", MODEL_REF, MODEL_R},
    {"groups", MODEL_REF, MODEL_R},
    {"createdAt", MODEL_DAY, MODEL_D},
    {"createdBy", MODEL_USER, MODEL_U},
    {"updatedAt", MODEL_INSTANT, OP(GT) | OP(LT)},
    {"interactionMetadata.workspace.lastInteractedAt", MODEL_DAY, MODEL_D, false,
        {"interactionMetadata", "workspace", "lastInteractedAt"}},
    {"interactionMetadata.user.lastInteractedAt", MODEL_DAY, MODEL_D, false,
        {"interactionMetadata", "user", "lastInteractedAt"}},
    {"gender", MODEL_GENDER, OP(EQ) | OP(NOT_EQ) | OP(EMPTY) | OP(NOT_EMPTY)},
    {NULL},
};

const struct model_field model_companies[] = {
    {"name", MODEL_TEXT, MODEL_T},
    {"description", MODEL_TEXT, MODEL_T},
    {"emails", MODEL_EMAIL, MODEL_T},
    {"phones", MODEL_PHONE, MODEL_T},
    {"addresses", MODEL_TEXT, MODEL_T},
    {"urls", MODEL_TEXT, MODEL_T},
    {"industry", MODEL_TEXT, MODEL_T},
    {"employeeRange", MODEL_TEXT, MODEL_T},
    {"groups", MODEL_REF, MODEL_R},
    {"createdAt", MODEL_DAY, MODEL_D},
    {"createdBy", MODEL_USER, MODEL_U},
    {"updatedAt", MODEL_INSTANT, OP(GT) | OP(LT)},
    {"fundingRaised", MODEL_NUMBER, MODEL_D},
    {"lastFundingDate", MODEL_DATE, MODEL_D},
    {"foundationYear", MODEL_NUMBER, MODEL_D},
    {NULL},
};

const struct model_field model_objects[] = {
    {"name", MODEL_TEXT, MODEL_T},
    {"people", MODEL_REF, MODEL_R},
    {"companies", MODEL_REF, MODEL_R},
    {"createdAt", MODEL_DAY, MODEL_D},
    {"createdBy", MODEL_USER, MODEL_U},
    {"updatedAt", MODEL_INSTANT, OP(GT) | OP(LT)},
    {NULL},
};

const struct model_field model_tasks[] = {
    {"dueAt", MODEL_DATE, OP(EQ) | OP(NOT_EQ) | OP(GT) | OP(LT)},
    {"createdAt", MODEL_INSTANT, OP(GT) | OP(LT)},
    {"updatedAt", MODEL_INSTANT, OP(GT) | OP(LT)},
    {"assigneeUserId", MODEL_REF, OP(IN) | OP(NOT_IN), true, {"assignedUsers"}},
    {"entity", MODEL_REF, OP(IN) | OP(NOT_IN), true},
    {"completedAt", MODEL_INSTANT, OP(EMPTY) | OP(NOT_EMPTY) | OP(GT) | OP(LT)},
    {NULL},
};

bool model_custom(const char *type, struct model_field *field)
{
	static const struct {
		const char *word;
		enum model_type type;
		unsigned ops;
		bool flat;
	} types[] = {
	    {"textField", MODEL_TEXT, MODEL_T},
	    {"numericField", MODEL_NUMBER, MODEL_D},
	    {"dateField", MODEL_DATE, MODEL_D},
	    {"singleSelect", MODEL_LABEL, MODEL_U, true},
	    {"multipleSelect", MODEL_LABEL, MODEL_R, true},
	    {"contactField", MODEL_REF, MODEL_R},
	    {"userField", MODEL_USER, MODEL_R},
	    {"objectField", MODEL_REF, MODEL_R},
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strcmp(types[i].word, type) != 0)
			continue;
		field->type = types[i].type;
		field->ops = types[i].ops;
		field->flat = types[i].flat;
		return true;
	}
	return false;
}

/* --- records -------------------------------------------------------------------------- */

static const char *text_member(const struct json *object, const char *name)
{
	const struct json *m = json_member(object, name);

	return m && m->type == JSON_STRING ? m->text : NULL;
}

static void add_item(const struct json *value, struct model_items *out)
{
	struct model_item item = {.text = value->text};

	if (value->type == JSON_OBJECT) {
		item.text = text_member(value, "id");
		item.email = text_member(value, "email");
	}
	if (!item.text || !*item.text)
		return;
	if (out->count == MODEL_ITEMS_MAX) {
		fprintf(stderr, "a record with over %d items\n", MODEL_ITEMS_MAX);
		exit(1);
	}
	out->items[out->count++] = item;
}

void model_read(const struct json *record, const struct model_field *f, struct model_items *out)
{
	const struct json *value = record;

	out->count = 0;
	if (!f->path[0])
		value = json_member(record, f->name);
	for (int i = 0; i < MODEL_PATH_MAX && f->path[i] && value; i++)
		value = value->type == JSON_OBJECT ? json_member(value, f->path[i]) : NULL;
	if (!value)
		return;
	if (value->type != JSON_ARRAY) {
		add_item(value, out);
		return;
	}
	for (const struct json *item = value->first; item; item = item->next)
		add_item(item, out);
}

/* --- conditions ---------------------------------------------------------------------------- */

static bool is_unset(const struct model_condition *c, const struct model_items *items)
{
	return items->count == 0 || (c->field->type == MODEL_GENDER && strcmp(items->items[0].text, "Unknown") == 0);
}

/* The test of one item against one value by eq, in, like, gt and lt. */
static bool condition_fits(
    const struct model_condition *c, const struct model_item *item, const struct model_item *value)
{
	switch (c->op) {
	case MODEL_LIKE:
	case MODEL_NOT_LIKE:
		return model_contains(item->text, value->text);
	case MODEL_GT:
		return model_compare(c->field->type, item->text, value->text) > 0;
	case MODEL_LT:
		return model_compare(c->field->type, item->text, value->text) < 0;
	default:
		return model_equal(c->field->type, item, value);
	}
}

/* True when any item equals any of the values. */
static bool any_fits(const struct model_condition *c, const struct model_items *items)
{
	for (size_t i = 0; i < items->count; i++)
		for (size_t v = 0; v < c->n_values; v++)
			if (condition_fits(c, &items->items[i], &c->values[v]))
				return true;
	return false;
}

/* True when items and values are equal as sets. */
static bool same_set(const struct model_condition *c, const struct model_items *items)
{
	for (size_t i = 0; i < items->count; i++) {
		bool found = false;
		for (size_t v = 0; v < c->n_values && !found; v++)
			found = condition_fits(c, &items->items[i], &c->values[v]);
		if (!found)
			return false;
	}
	for (size_t v = 0; v < c->n_values; v++) {
		bool found = false;
		for (size_t i = 0; i < items->count && !found; i++)
			found = condition_fits(c, &items->items[i], &c->values[v]);
		if (!found)
			return false;
	}
	return true;
}

bool model_holds(const struct model_condition *c, const struct model_items *items)
{
	switch (c->op) {
	case MODEL_EMPTY:
		return is_unset(c, items);
	case MODEL_NOT_EMPTY:
		return !is_unset(c, items);
	case MODEL_ALL:
		return same_set(c, items);
	case MODEL_NOT_EQ:
	case MODEL_NOT_LIKE:
	case MODEL_NOT_IN:
		return !any_fits(c, items);
	default:
		return any_fits(c, items);
	}
}

static bool record_lists(const struct json *record, const char *member, const char *id)
{
	const struct json *list = json_member(record, member);

	for (const struct json *i = list ? list->first : NULL; i; i = i->next)
		if (strcmp(text_member(i, "id"), id) == 0)
			return true;
	return false;
}

static bool condition_holds(const struct model_condition *c, const struct json *record)
{
	const struct model_relation *r = c->relation;
	struct model_items items;

	if (!r) {
		model_read(record, c->field, &items);
		return model_holds(c, &items);
	}
	for (size_t i = 0; i < r->n_others; i++) {
		const struct json *other = r->others[i];
		bool related = r->ours ? record_lists(record, r->ours, text_member(other, "id"))
		                       : record_lists(other, r->theirs, text_member(record, "id"));
		if (!related)
			continue;
		model_read(other, c->field, &items);
		if (model_holds(c, &items))
			return true;
	}
	return false;
}

bool model_matches(const struct model_tree *t, const struct json *record)
{
	if (t->condition)
		return condition_holds(t->condition, record);
	for (size_t i = 0; i < t->n_parts; i++)
		if (model_matches(t->parts[i], record) == t->any)
			return t->any;
	return !t->any;
}
