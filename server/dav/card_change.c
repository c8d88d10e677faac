/* What a card changes in a record, and what is kept of it. */
#include <string.h>
#include <strings.h>

#include "server/dav/card_private.h"

struct card_changing {
	struct arena *a;
	const struct card *card;
	const struct card_before *before;
	struct card kept; /* what is kept now, in the version of the card */
	struct card_change *change;
	struct buf text; /* what is kept from now on */
	size_t n_kept;   /* properties in it */
	bool split;      /* the names come of FN */
};

static void change_field(struct card_changing *c, const char *member, const char *value)
{
	json_attach(c->a, c->change->body, member, json_make_text(c->a, value, strlen(value)));
}

/* The property that has a single field: the first one with a value that the field can have, else the first one of
 * that name. card->n: there is none. */
static size_t field_property(const struct card_changing *c, const struct card_row *row)
{
	size_t first = c->card->n;

	for (size_t i = 0; i < c->card->n; i++) {
		if (!card_is(&c->card->properties[i], row->name))
			continue;
		if (*card_value(c->a, row, &c->card->properties[i]))
			return i;
		first = first < i ? first : i;
	}
	return first;
}

/* The value in the card; "": none. */
static const char *card_field(const struct card_changing *c, const struct card_row *row)
{
	size_t i = field_property(c, row);

	return i < c->card->n ? card_value(c->a, row, &c->card->properties[i]) : "";
}

static const char *record_field(const struct card_changing *c, const struct card_row *row)
{
	return c->before->record ? card_record_value(c->a, c->before->kind, row, c->before->record) : "";
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

struct card_values {
	const char *values[CARD_PROPERTIES_MAX + 1];
	int ranks[CARD_PROPERTIES_MAX];
	size_t n;
};

/* Adds a value behind those of the same rank. One that is there already keeps its better rank. */
static void values_add(struct card_values *v, const char *value, int rank)
{
	size_t at = 0;

	while (at < v->n && strcmp(v->values[at], value) != 0)
		at++;
	if (!*value || at == CARD_PROPERTIES_MAX || (at < v->n && v->ranks[at] <= rank))
		return;
	v->n += at == v->n;
	for (; at && v->ranks[at - 1] > rank; at--) {
		v->values[at] = v->values[at - 1];
		v->ranks[at] = v->ranks[at - 1];
	}
	v->values[at] = value;
	v->ranks[at] = rank;
}

static void values_add_card(const struct card_changing *c, const struct card_row *row, struct card_values *v)
{
	for (size_t i = 0; i < c->card->n; i++)
		if (card_is(&c->card->properties[i], row->name))
			values_add(
			    v, card_value(c->a, row, &c->card->properties[i]), card_rank(&c->card->properties[i]));
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
	for (size_t i = 0; i < c->card->n; i++)
		if (card_is(&c->card->properties[i], row->name))
			values_add(
			    want, card_value(c->a, row, &c->card->properties[i]), card_rank(&c->card->properties[i]));
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

/* ORG is the first company. Another name takes its place, and none takes it away. */
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

/* --- what is kept ------------------------------------------------------------------------------------------------ */

static void keep_property(struct card_changing *c, const struct card_property *p)
{
	c->n_kept++;
	buf_addz(&c->text, c->text.len ? "\n" : "");
	card_write_line(&c->text, p);
}

/* True when card_write() makes the same of the field's value. */
static bool is_plain(struct card_changing *c, const struct card_row *row, const struct card_property *p)
{
	const char *value = card_value(c->a, row, p);
	struct buf text;
	bool same;

	if (*p->group || *p->params)
		return false;
	if (row->shape == CARD_NAMES && c->before->kind == ID_PERSON && strcmp(value, ";;;;") == 0)
		return !c->split;
	if (!*value && row->shape != CARD_ADDRESS)
		return p->len == 0;
	buf_init(&text, CARD_MAX);
	card_write_value(&text, row->shape, value, c->card->version);
	same = text.len == p->len && memcmp(text.data, p->value, p->len) == 0;
	buf_free(&text);
	return same;
}

static size_t count_named(const struct card *card, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < card->n; i++)
		n += card_is(&card->properties[i], name);
	return n;
}

/* Keeps all properties of a single field when there are several. The one that has the field is first. */
static void keep_single(struct card_changing *c, const struct card_row *row)
{
	size_t field = field_property(c, row);

	if (field == c->card->n)
		return;
	if (count_named(c->card, row->name) > 1 || !is_plain(c, row, &c->card->properties[field]))
		keep_property(c, &c->card->properties[field]);
	for (size_t i = 0; i < c->card->n; i++)
		if (i != field && card_is(&c->card->properties[i], row->name))
			keep_property(c, &c->card->properties[i]);
}

static bool names_group(const struct card_before *before, const char *word)
{
	for (size_t i = 0; i < before->n_groups; i++)
		if (strcmp(before->groups[i], word) == 0)
			return true;
	return false;
}

/* Keeps the words that are no group's name. */
static void keep_words(struct card_changing *c, const struct card_property *p)
{
	struct card_property kept = *p;
	struct buf words;
	char *word;
	size_t len;

	buf_init(&words, CARD_MAX);
	for (size_t at = 0; at < p->len; at += len + 1) {
		len = vcard_part(p->value + at, p->len - at, ',');
		word = arena_alloc(c->a, len + 1);
		vcard_unescape(p->value + at, len, word);
		if (!len || names_group(c->before, word))
			continue;
		buf_addz(&words, words.len ? "," : "");
		buf_add(&words, p->value + at, len);
	}
	kept.value = words.data;
	kept.len = words.len;
	if (words.len)
		keep_property(c, &kept);
	buf_free(&words);
}

/* True when that property of a list has to be kept although it is plain: another one has the same value, or all are
 * plain, and then the first one tells that none is preferred. */
static bool keeps_plain(struct card_changing *c, const struct card_row *row, const char *value, const char *first)
{
	size_t same = 0, plain = 0, all = 0;

	for (size_t i = 0; i < c->card->n; i++) {
		const struct card_property *p = &c->card->properties[i];
		if (!card_is(p, row->name))
			continue;
		same += strcmp(card_value(c->a, row, p), value) == 0;
		plain += is_plain(c, row, p);
		all++;
	}
	return same > 1 || (value == first && plain == all && all > 1);
}

/* Keeps the properties of a list in the order in which card_write() writes them, so that a card that was only sent back
 * is kept as it was. */
static void keep_list(struct card_changing *c, const struct card_row *row)
{
	struct card_values *v = arena_alloc(c->a, sizeof *v);
	const struct card_property *p;

	values_add_card(c, row, v);
	v->values[v->n] = ""; /* the last are those without a value */
	for (size_t k = 0; k <= v->n; k++) {
		bool plain = keeps_plain(c, row, v->values[k], v->values[0]);
		for (size_t i = 0; i < c->card->n; i++) {
			p = &c->card->properties[i];
			if (card_is(p, row->name) && strcmp(card_value(c->a, row, p), v->values[k]) == 0 &&
			    (plain || !is_plain(c, row, p)))
				keep_property(c, p);
		}
	}
}

static void keep_card(struct card_changing *c)
{
	const struct card_property *p;
	bool company = c->before->kind == ID_COMPANY;

	for (const struct card_row *row = card_rows(c->before->kind); row->name; row++) {
		if (row->shape < CARD_GROUPS)
			keep_single(c, row);
		else if (row->shape >= CARD_URL)
			keep_list(c, row);
		for (size_t i = 0; row->shape == CARD_GROUPS && i < c->card->n; i++)
			if (card_is(&c->card->properties[i], row->name))
				keep_words(c, &c->card->properties[i]);
	}
	for (size_t i = 0; i < c->card->n; i++) {
		p = &c->card->properties[i];
		if (!card_row_named(c->before->kind, p->name) &&
		    !(company && (card_is(p, "KIND") || card_is(p, "X-ABSHOWAS"))))
			keep_property(c, p);
	}
}

/* --- what is kept although the card lacks it ------------------------------------------------------------------------
 */

/* True when the card has nothing in place of that kept property. */
static bool card_lacks(const struct card_changing *c, size_t at)
{
	const struct card_property *p = &c->kept.properties[at];
	const struct card_row *row = card_row_named(c->before->kind, p->name);
	const char *value = row ? card_value(c->a, row, p) : "";
	bool field = row && row->shape < CARD_GROUPS;

	for (size_t i = 0; field && i < at; i++)
		field = !card_is(&c->kept.properties[i], p->name);
	if (field)
		return strspn(card_field(c, row), ";") == strlen(card_field(c, row));
	for (size_t i = 0; i < c->card->n; i++) {
		const struct card_property *other = &c->card->properties[i];
		if (card_is(other, p->name) && (!row || strcmp(card_value(c->a, row, other), value) == 0))
			return false;
	}
	return true;
}

static bool group_is_used(const struct card *card, const char *group)
{
	for (size_t i = 0; i < card->n; i++)
		if (strcasecmp(card->properties[i].group, group) == 0)
			return true;
	return false;
}

/* A label stays with what it labels. Groups that the card uses, too, get other names. */
static void keep_unseen(struct card_changing *c)
{
	struct card_property p;
	bool stays;

	for (size_t i = 0; i < c->kept.n; i++) {
		p = c->kept.properties[i];
		stays = !card_is_label(&p) && card_lacks(c, i);
		for (size_t k = 0; card_is_label(&p) && k < c->kept.n; k++)
			stays = stays || (strcmp(c->kept.properties[k].group, p.group) == 0 &&
			                     !card_is_label(&c->kept.properties[k]) && card_lacks(c, k));
		while (*p.group && group_is_used(c->card, p.group))
			p.group = arena_printf(c->a, "%sx", p.group);
		if (stays)
			keep_property(c, &p);
	}
}

/* --- all
 * ------------------------------------------------------------------------------------------------------------------ */

/* Some programs drop the prefix, and change the case. */
static bool same_uid(const char *a, const char *b)
{
	static const char prefix[] = "urn:uuid:";

	a += strncasecmp(a, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
	b += strncasecmp(b, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
	return strcasecmp(a, b) == 0;
}

static void change_kept(struct card_changing *c)
{
	const struct card_kept *now = c->before->kept;
	const char *uid = now ? now->uid : "";
	struct card_kept *kept = &c->change->kept;

	buf_init(&c->text, 2 * CARD_MAX);
	keep_card(c);
	if (!c->before->seen)
		keep_unseen(c);
	kept->text = arena_dup(c->a, c->text.data ? c->text.data : "", c->text.len);
	kept->len = c->text.len;
	kept->version = c->card->version;
	kept->uid = uid;
	if (*c->card->uid && (!c->before->record || !same_uid(c->card->uid, card_uid(c->a, c->before->record, now))))
		kept->uid = c->card->uid;
	c->change->kept_differs = strcmp(kept->uid, uid) != 0 || kept->len != (now ? now->len : 0) ||
	                          (now && memcmp(kept->text, now->text, kept->len) != 0);
	c->change->kept_too_much = c->n_kept > CARD_KEPT_PROPERTIES_MAX || kept->len > CARD_MAX || c->text.overflow;
	buf_free(&c->text);
}

void card_change(struct arena *a, const struct card *card, const struct card_before *before, struct card_change *change)
{
	struct card_changing c = {.a = a, .card = card, .before = before, .change = change};

	*change = (struct card_change){.body = json_make(a, JSON_OBJECT)};
	card_kept_read(a, before->kept, card->version, &c.kept);
	for (const struct card_row *row = card_rows(before->kind); row->name; row++)
		change_row(&c, row);
	change_kept(&c);
}
