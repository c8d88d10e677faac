/* What a card changes in the fields of a record. */
#include <string.h>

#include "server/card/card_private.h"

static void change_field(struct card_changing *c, const char *member, const char *value)
{
	json_attach(c->a, c->change->body, member, json_make_text(c->a, value, strlen(value)));
}

size_t card_field_property(const struct card_changing *c, const struct card_row *row)
{
	size_t first = c->card->n;

	for (size_t i = 0; i < c->card->n; i++) {
		if (!card_is(&c->card->properties[i], row->name))
			continue;
		if (*c->values[i])
			return i;
		first = first < i ? first : i;
	}
	return first;
}

const char *card_field(const struct card_changing *c, const struct card_row *row)
{
	size_t i = card_field_property(c, row);

	return i < c->card->n ? c->values[i] : "";
}

static const char *record_field(const struct card_changing *c, const struct card_row *row)
{
	return c->before->record ? card_record_value(c->a, c->before->kind, row, c->before->record) : "";
}

void card_set_company(struct arena *a, struct card *card, const char *name)
{
	struct buf value;

	for (size_t i = 0; i < card->n; i++) {
		struct card_property *p = &card->properties[i];
		size_t part = vcard_part(p->value, p->len, ';');
		if (!card_is(p, "ORG"))
			continue;
		buf_init(&value, CARD_MAX);
		vcard_escape(&value, name, true);
		buf_add(&value, p->value + part, p->len - part);
		p->value = card_text_move(a, &value, &p->len);
		return;
	}
}

/* --- names ------------------------------------------------------------------------------------------ */

static const char *record_text(const struct card_changing *c, const char *member)
{
	const char *text = json_text(c->before->record, member);

	return card_clean(c->a, text, strlen(text));
}

/* A card without names in N has those that the API makes of FN. A full name that is only both names joined is not
 * sent, or as "", so that it follows them. */
static void change_names(struct card_changing *c, const char *full)
{
	const struct card_row *row = card_row_named(ID_PERSON, "N");
	const char *value = card_field(c, row), *first = card_value_part(c->a, value, strlen(value), 1),
	           *last = card_value_part(c->a, value, strlen(value), 0), *joined, *now = record_text(c, "fullName");
	bool fallback =
	         !*now && c->before->record && strcmp(full, record_field(c, card_row_named(ID_PERSON, "FN"))) == 0,
	     split = !*first && !*last && !fallback, moved;

	full = fallback ? "" : full;
	if (split && (*full || c->before->seen))
		card_split_name(c->a, full, &first, &last);
	else if (split)
		return;
	joined = card_joined_name(c->a, first, last);
	c->split = split && *full;
	if (split && !c->before->record) {
		if (*full)
			change_field(c, "fullName", full);
		return;
	}
	full = *full ? full : joined;
	moved = strcmp(first, record_text(c, "firstName")) != 0 || strcmp(last, record_text(c, "lastName")) != 0;
	if (strcmp(first, record_text(c, "firstName")) != 0)
		change_field(c, "firstName", first);
	if (strcmp(last, record_text(c, "lastName")) != 0)
		change_field(c, "lastName", last);
	if (strcmp(full, joined) != 0 ? moved || strcmp(full, now) != 0 : c->before->record && strcmp(full, now) != 0)
		change_field(c, "fullName", strcmp(full, joined) == 0 ? "" : full);
}

/* Programs change FN, or ORG, or both. */
static void change_company_name(struct card_changing *c, const char *full)
{
	const char *now = record_text(c, "name"), *organization = card_field(c, card_row_named(ID_COMPANY, "ORG")),
	           *written = record_field(c, card_row_named(ID_COMPANY, "FN")), *name = full;

	if (!*full || strcmp(full, written) == 0)
		name = *organization ? organization : *full && *now ? full : "";
	if (strcmp(name, now) != 0 && (*name || c->before->seen))
		change_field(c, "name", name);
}

/* --- lists -------------------------------------------------------------------------------------------- */

/* Adds a value behind those of the same rank. One that is there already keeps its better rank. */
static void values_add(struct card_values *v, const char *value, int rank)
{
	size_t at = 0;

	while (at < v->n && strcmp(v->values[at], value) != 0)
		at++;
	if (!*value || at == CARD_VALUES_MAX || (at < v->n && v->ranks[at] <= rank))
		return;
	v->n += at == v->n;
	for (; at && v->ranks[at - 1] > rank; at--) {
		v->values[at] = v->values[at - 1];
		v->ranks[at] = v->ranks[at - 1];
	}
	v->values[at] = value;
	v->ranks[at] = rank;
}

void card_values_take(const struct card_changing *c, const struct card_row *row, struct card_values *v)
{
	for (size_t i = 0; i < c->card->n; i++)
		if (card_is(&c->card->properties[i], row->name))
			values_add(v, c->values[i], card_rank(&c->card->properties[i]));
}

static bool values_same(const struct card_values *a, const struct card_values *b)
{
	bool same = a->n == b->n;

	for (size_t i = 0; same && i < a->n; i++)
		same = strcmp(a->values[i], b->values[i]) == 0;
	return same;
}

/* An item that stays is sent as the record has it. */
static const struct json *values_item(const struct card_changing *c, const struct card_row *row, const char *value)
{
	json_each(item, json_member(c->before->record, row->member))
		if (item->type == JSON_STRING && strcmp(card_clean(c->a, item->text, item->len), value) == 0)
			return item;
	return json_make_text(c->a, value, strlen(value));
}

static void change_list(struct card_changing *c, const struct card_row *row)
{
	struct card_values *now = arena_alloc(c->a, sizeof *now), *want = arena_alloc(c->a, sizeof *want);
	struct json *list = json_make(c->a, JSON_ARRAY);

	json_each(item, json_member(c->before->record, row->member)) {
		const char *value = card_clean(c->a, item->text, item->type == JSON_STRING ? item->len : 0);
		values_add(now, value, 0);
		if (!c->before->seen)
			values_add(want, value, 0);
	}
	card_values_take(c, row, want);
	if (values_same(now, want))
		return;
	for (size_t i = 0; i < want->n; i++)
		json_attach(c->a, list, NULL, values_item(c, row, want->values[i]));
	json_attach(c->a, c->change->body, row->member, list);
}

/* --- companies and groups ---------------------------------------------------------------------------------- */

static struct json *reference_item(struct arena *a, const char *member, const char *text)
{
	struct json *item = json_make(a, JSON_OBJECT);

	json_attach(a, item, member, json_make_text(a, text, strlen(text)));
	return item;
}

/* ORG is the first company. Another name replaces it, and an empty ORG removes it. */
static void change_organization(struct card_changing *c, const struct card_row *row)
{
	const struct json *companies = json_member(c->before->record, row->member), *first = json_items(companies);
	const char *name = card_field(c, row), *now = record_field(c, row);
	struct json *list = json_make(c->a, JSON_ARRAY);

	if (strcmp(name, now) == 0 || (!*name && !c->before->seen))
		return;
	if (*name) {
		json_attach(c->a, list, NULL, reference_item(c->a, "name", name));
		c->change->company = name;
	}
	json_each(company, companies)
		if ((company != first || !*now || !c->before->seen) && strcmp(json_text(company, "name"), name) != 0)
			json_attach(c->a, list, NULL, reference_item(c->a, "id", json_text(company, "id")));
	json_attach(c->a, c->change->body, row->member, list);
}

static void change_groups(struct card_changing *c, const struct card_row *row)
{
	struct json *list = json_make(c->a, JSON_ARRAY);

	if (!c->before->join)
		return;
	json_each(group, json_member(c->before->record, row->member)) {
		if (strcmp(json_text(group, "id"), c->before->join) == 0)
			return;
		json_attach(c->a, list, NULL, reference_item(c->a, "id", json_text(group, "id")));
	}
	json_attach(c->a, list, NULL, reference_item(c->a, "id", c->before->join));
	json_attach(c->a, c->change->body, row->member, list);
}

static void change_row(struct card_changing *c, const struct card_row *row)
{
	const char *value;

	if (row->shape == CARD_FULL_NAME && c->before->kind == ID_COMPANY)
		change_company_name(c, card_field(c, row));
	else if (row->shape == CARD_FULL_NAME)
		change_names(c, card_field(c, row));
	else if (row->shape == CARD_COMPANY && c->before->kind == ID_PERSON)
		change_organization(c, row);
	else if (row->shape == CARD_GROUPS)
		change_groups(c, row);
	else if (row->shape >= CARD_URL)
		change_list(c, row);
	else if (row->shape == CARD_TEXT || row->shape == CARD_DATE || row->shape == CARD_GENDER) {
		value = card_field(c, row);
		if (strcmp(value, record_field(c, row)) != 0 && (*value || c->before->seen))
			change_field(c, row->member, value);
	}
}

const char **card_values_of(struct arena *a, enum id_kind kind, const struct card *card)
{
	const char **values = arena_alloc(a, card->n * sizeof *values);

	for (size_t i = 0; i < card->n; i++) {
		const struct card_row *row = card_row_named(kind, card->properties[i].name);
		values[i] = row ? card_value(a, row, &card->properties[i]) : "";
	}
	return values;
}

void card_change(struct arena *a, const struct card *card, const struct card_before *before, struct card_change *change)
{
	struct card_changing c = {.a = a, .card = card, .before = before, .change = change};

	*change = (struct card_change){.body = json_make(a, JSON_OBJECT)};
	card_kept_read(a, before->kept, card->version, &c.kept);
	c.values = card_values_of(a, before->kind, card);
	c.kept_values = card_values_of(a, before->kind, &c.kept);
	for (const struct card_row *row = card_rows(before->kind); row->name; row++)
		change_row(&c, row);
	card_keep(&c);
}
