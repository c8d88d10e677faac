/* Members of a body that several values form: lists, names, addresses, groups. */
#include <ctype.h>

#include "transfer/compose_private.h"
#include "transfer/html.h"

enum { ADDRESSES_MAX = 20, ADDRESS_PARTS = 8, HOUSE_MAX = 8 };

/* --- finding values ----------------------------------------------------------------------- */

const struct mapping_column *compose_column(const struct compose *b, const struct entry_value *v)
{
	return &b->mapping->columns[v->column];
}

/* The next value for the field; NULL after the last one. */
const struct entry_value *compose_value(
    const struct compose *b, const struct entry *e, const struct transfer_field *f, size_t *at)
{
	while (*at < e->n_values) {
		const struct entry_value *v = &e->values[(*at)++];
		const struct mapping_column *c = compose_column(b, v);
		if (c->use == MAPPING_FIELD && c->field == f && !mapping_is_fax(b->mapping, e, v))
			return v;
	}
	return NULL;
}

const struct entry_value *compose_first(const struct compose *b, const struct entry *e, const char *field)
{
	const struct transfer_field *f = field_named(b->kind, field);
	size_t at = 0;

	return f ? compose_value(b, e, f, &at) : NULL;
}

static const char *compose_separators(enum transfer_shape shape)
{
	return shape == SHAPE_COMMAS || shape == SHAPE_GROUPS || shape == SHAPE_USERS ? ",;\n"
	       : shape == SHAPE_LIST                                                  ? "\n"
	                                                                              : "";
}

static void compose_collect(
    const struct compose *b, const struct entry *e, const struct transfer_field *f, struct compose_items *items)
{
	const struct entry_value *v;
	const char *separators = compose_separators(f->shape);

	memset(items, 0, sizeof *items);
	for (size_t at = 0; (v = compose_value(b, e, f, &at));)
		/* Google's labels may contain commas. */
		compose_put_items(b, items, v, f->shape == SHAPE_GROUPS && strstr(v->text, " ::: ") ? "" : separators);
}

/* --- members ---------------------------------------------------------------------------------- */

void compose_member(struct json_out *o, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	json_add_string(o, name, text);
}

/* Texts of several columns, with an empty line between them. */
static void compose_lines(
    const struct compose *b, const struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	const struct entry_value *v;
	struct buf text;

	buf_init(&text, ENTRY_MAX);
	for (size_t at = 0; (v = compose_value(b, e, f, &at));) {
		if (text.len)
			buf_addz(&text, "\n\n");
		if (b->split && !b->ours && html_is(v->text, v->len))
			html_to_text(&text, v->text, v->len);
		else
			buf_add(&text, v->text, v->len);
	}
	compose_member(o, f->name, text.data);
	buf_free(&text);
}

/* An address on one line. */
static void compose_put_line(struct json_out *o, const char *text, size_t len)
{
	struct buf line;

	buf_init(&line, ENTRY_MAX);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n' && line.len && line.data[line.len - 1] != ',')
			buf_addz(&line, ", ");
		else if (text[i] == '\n')
			buf_addc(&line, ' ');
		else if (text[i] != '\r')
			buf_addc(&line, text[i]);
	}
	json_string_len(o, line.len ? line.data : "", line.len);
	buf_free(&line);
}

/* Takes out the items that are no e-mail addresses, such as "n/a", or "/o=Org/cn=Ada" of Outlook's colleagues. */
static void compose_keep_addresses(struct compose *b, const struct entry *e, struct compose_items *items)
{
	size_t n = 0;

	for (size_t i = 0; i < items->n; i++) {
		if (memchr(items->items[i].text, '@', items->items[i].len)) {
			items->items[n++] = items->items[i];
			continue;
		}
		if (b->no_at++ == 0)
			b->no_at_line = e->line;
	}
	items->n = n;
}

static void compose_list(struct compose *b, const struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	struct compose_items items;

	compose_collect(b, e, f, &items);
	if (!b->ours && strcmp(f->name, "emails") == 0)
		compose_keep_addresses(b, e, &items);
	if (!items.n)
		return;
	json_key(o, f->name);
	json_begin_array(o);
	for (size_t i = 0; i < items.n; i++) {
		compose_put_plain(o, items.items[i]);
	}
	json_end_array(o);
}

static const struct entry_value *compose_address_part(
    const struct compose *b, const struct entry *e, const char *part, int number)
{
	const struct transfer_field *f = field_named(b->kind, part);
	const struct entry_value *v;

	for (size_t at = 0; (v = compose_value(b, e, f, &at));)
		if (compose_column(b, v)->number == number)
			return v;
	return NULL;
}

/* True for an address without the city or postal code that columns beside it have. A whole address repeats these; if
 * the file has neither, the region and the country decide. */
static bool compose_lacks_place(const struct compose *b, const struct entry *e, const struct entry_value *v)
{
	static const char *const places[][2] = {
	    {"address.city", "address.postalCode"}, {"address.region", "address.country"}};
	int number = compose_column(b, v)->number;
	bool any = false, lacks = false;

	if (!b->split || number > ADDRESSES_MAX || compose_address_part(b, e, "address.street", number))
		return false;
	for (int i = 0; i < 2 && !any; i++)
		for (int k = 0; k < 2; k++) {
			const struct entry_value *part = compose_address_part(b, e, places[i][k], number);
			any |= part != NULL;
			lacks |= part && !strstr(v->text, part->text);
		}
	return lacks;
}

/* True when the file has the address with that number also as one text. */
static bool compose_address_is_whole(const struct compose *b, const struct entry *e, int number)
{
	const struct transfer_field *f = field_named(b->kind, "addresses");
	const struct entry_value *v;

	for (size_t at = 0; (v = compose_value(b, e, f, &at));)
		if (compose_column(b, v)->number == number && b->split && !compose_lacks_place(b, e, v))
			return true;
	return false;
}

/* True for a column such as "Address" that has only the street. */
static bool compose_is_street(const struct compose *b, const struct entry *e, const struct entry_value *v)
{
	return compose_lacks_place(b, e, v) && !compose_address_is_whole(b, e, compose_column(b, v)->number);
}

/* True for the number of a house, which has a column beside the street's in some programs. */
static bool compose_is_house(const struct entry_value *v)
{
	return isdigit((unsigned char)*v->text) && v->len <= HOUSE_MAX;
}

static void compose_put_part(
    const struct compose *b, const struct entry *e, const char *field, int number, struct buf *line)
{
	const struct transfer_field *f = field_named(b->kind, field);
	const struct entry_value *v;
	bool any = false;

	for (size_t at = 0; (v = compose_value(b, e, f, &at));) {
		if (compose_column(b, v)->number != number)
			continue;
		if (strcmp(field, "addresses") == 0 && !compose_is_street(b, e, v))
			continue;
		if (line->len)
			buf_addz(line, any && strcmp(field, "address.street") == 0 && compose_is_house(v) ? " " : ", ");
		buf_add(line, v->text, v->len);
		any = true;
	}
}

/* An address out of its parts. */
static void compose_address_parts(const struct compose *b, const struct entry *e, int number, struct buf *line)
{
	static const char *const parts[ADDRESS_PARTS] = {"address.poBox", "address.extended", "address.street",
	    "addresses", "address.city", "address.region", "address.postalCode", "address.country"};

	for (int i = 0; i < ADDRESS_PARTS; i++)
		compose_put_part(b, e, parts[i], number, line);
}

static void compose_addresses(
    const struct compose *b, const struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	struct compose_items items = {0};
	struct buf lines[ADDRESSES_MAX];
	const struct entry_value *v;
	bool any;

	for (size_t at = 0; (v = compose_value(b, e, f, &at));)
		if (!compose_is_street(b, e, v))
			compose_put_items(b, &items, v, "");
	any = items.n > 0;
	for (int n = 0; n < ADDRESSES_MAX; n++) {
		buf_init(&lines[n], ENTRY_MAX);
		if (!compose_address_is_whole(b, e, n + 1))
			compose_address_parts(b, e, n + 1, &lines[n]);
		any |= lines[n].len > 0;
	}
	if (any) {
		json_key(o, f->name);
		json_begin_array(o);
	}
	for (size_t i = 0; i < items.n; i++)
		compose_put_line(o, items.items[i].text, items.items[i].len);
	for (int n = 0; n < ADDRESSES_MAX; n++) {
		if (lines[n].len)
			compose_put_line(o, lines[n].data, lines[n].len);
		buf_free(&lines[n]);
	}
	if (any)
		json_end_array(o);
}

static void compose_put_word(struct buf *text, const struct entry_value *v)
{
	if (text->len)
		buf_addc(text, ' ');
	buf_add(text, v->text, v->len);
}

/* If the full name is only first and last name, it is left out: the server joins them itself. A file may have several
 * prefixes ("Herr", "Dr."). Those of a CSV are kept if its full name has none. */
static void compose_full_name(const struct compose *b, const struct entry *e, struct json_out *o)
{
	static const char *const parts[] = {"name.prefix", "firstName", "name.middle", "lastName", "name.suffix"};
	const struct entry_value *given = compose_first(b, e, "fullName"), *v, *last;
	struct buf plain, whole;

	buf_init(&plain, ENTRY_MAX);
	buf_init(&whole, ENTRY_MAX);
	for (int i = 0; i < 5; i++) {
		const struct transfer_field *f = field_named(b->kind, parts[i]);
		bool one = i == 1 || i == 3;
		last = NULL;
		for (size_t at = 0; f && !(one && last) && (v = compose_value(b, e, f, &at)); last = v) {
			if (last && strcmp(last->text, v->text) == 0)
				continue;
			compose_put_word(&whole, v);
			if (one)
				compose_put_word(&plain, v);
		}
	}
	if (given && (!plain.len || strcmp(given->text, plain.data) != 0))
		compose_member(o, "fullName", given->text);
	else if ((!given || b->split) && whole.len && (!plain.len || strcmp(whole.data, plain.data) != 0))
		compose_member(o, "fullName", whole.data);
	buf_free(&plain);
	buf_free(&whole);
}

static bool compose_is_google_label(const char *name, size_t len)
{
	static const char *const labels[] = {"myContacts", "Other Contacts", "starred"};

	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		if (strlen(labels[i]) == len && memcmp(labels[i], name, len) == 0)
			return true;
	return false;
}

void compose_group(struct compose *b, struct json_out *o, const char *name, size_t len)
{
	const char *id;
	size_t i = 0;

	/* Google's own labels: "* myContacts", "* starred". */
	if (len > 2 && strncmp(name, "* ", 2) == 0) {
		name += 2;
		len -= 2;
		if (compose_is_google_label(name, len))
			return;
	}
	id = roster_group(b->roster, name, len);
	if (id && o && !(b->group && strcmp(id, b->group) == 0)) {
		json_begin_object(o);
		json_add_string(o, "id", id);
		json_end_object(o);
	}
	if (id)
		return;
	while (i < b->n_labels && (strlen(b->labels[i].name) != len || memcmp(b->labels[i].name, name, len) != 0))
		i++;
	if (i == COMPOSE_LABELS_MAX)
		return;
	if (i == b->n_labels) {
		char *copy = mem_alloc(len + 1);
		memcpy(copy, name, len);
		copy[len] = '\0';
		b->labels[b->n_labels++] = (struct compose_label){copy, 0};
	}
	b->labels[i].records++;
}

static void compose_groups(struct compose *b, const struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	struct compose_items items;

	compose_collect(b, e, f, &items);
	if (!items.n && !b->group)
		return;
	if (o) {
		json_key(o, f->name);
		json_begin_array(o);
	}
	if (o && b->group) {
		json_begin_object(o);
		json_add_string(o, "id", b->group);
		json_end_object(o);
	}
	for (size_t i = 0; i < items.n; i++)
		compose_group(b, o, items.items[i].text, items.items[i].len);
	if (o)
		json_end_array(o);
}

void compose_observe(struct compose *b, const struct entry *e)
{
	const struct transfer_field *f = field_named(b->kind, "groups");

	if (f)
		compose_groups(b, e, f, NULL);
}

/* True for a cell that may name several companies of a person. */
bool compose_may_split(const struct compose *b, const struct entry_value *v)
{
	const struct mapping_column *c = compose_column(b, v);
	bool companies = c->use == MAPPING_FIELD && c->field->shape == SHAPE_COMPANIES && c->several;

	return b->kind == TRANSFER_PEOPLE && b->split && !b->ours && companies && strchr(v->text, ';');
}

/* The companies of a person: [{"name": …}]. The whole cell is tried as a name before it is split. */
static void compose_names(
    const struct compose *b, const struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	struct compose_items items = {0};
	const struct entry_value *v;
	size_t n;

	for (size_t at = 0; (v = compose_value(b, e, f, &at));) {
		n = 1;
		if (b->split && !b->ours && compose_quoted_items(&items, v->text))
			continue;
		if (compose_may_split(b, v))
			b->find(b->find_ctx, "companies", COMPOSE_BY_NAME, v->text, "", &n);
		compose_put_items(b, &items, v, n ? "" : ";");
	}
	if (!items.n)
		return;
	json_key(o, f->name);
	json_begin_array(o);
	for (size_t i = 0; i < items.n; i++) {
		json_begin_object(o);
		json_key(o, "name");
		json_string_len(o, items.items[i].text, items.items[i].len);
		json_end_object(o);
	}
	json_end_array(o);
}

static void compose_assignees(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	const struct entry_value *v;
	size_t at = 0;

	if (!compose_value(b, e, f, &at))
		return;
	json_key(o, f->name);
	json_begin_array(o);
	for (at = 0; (v = compose_value(b, e, f, &at));)
		compose_users(b, e, v, o);
	json_end_array(o);
}

bool compose_several(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	bool parts = shape_is_part(f->shape);

	if (strcmp(f->name, "fullName") == 0)
		compose_full_name(b, e, o);
	else if (strcmp(f->name, "addresses") == 0)
		compose_addresses(b, e, f, o);
	else if (f->shape == SHAPE_LIST || f->shape == SHAPE_COMMAS)
		compose_list(b, e, f, o);
	else if (f->shape == SHAPE_LINES)
		compose_lines(b, e, f, o);
	else if (f->shape == SHAPE_GROUPS)
		compose_groups(b, e, f, o);
	else if (compose_has_links(b, e, f))
		compose_links(b, e, f, o);
	else if (f->shape == SHAPE_COMPANIES)
		compose_names(b, e, f, o);
	else if (f->shape == SHAPE_USERS)
		compose_assignees(b, e, f, o);
	else if (f->shape == SHAPE_ENTITY)
		compose_entity(b, e, o);
	else
		return parts;
	return true;
}
