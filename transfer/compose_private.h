/* What the files that compose bodies share. */
#ifndef KITH_TRANSFER_COMPOSE_PRIVATE_H
#define KITH_TRANSFER_COMPOSE_PRIVATE_H

#include "transfer/compose.h"

enum { COMPOSE_ITEMS_MAX = 200 };

/* The items of a list. */
struct compose_items {
	struct compose_item {
		const char *text;
		size_t len;
	} items[COMPOSE_ITEMS_MAX];
	size_t n, preferred; /* preferred: how many of the first items are marked as primary */
};

/* The column of a value. */
const struct mapping_column *compose_column(const struct compose *b, const struct entry_value *v);
/* The next value for the field from *at on, NULL: no more. */
const struct entry_value *compose_value(
    const struct compose *b, const struct entry *e, const struct transfer_field *f, size_t *at);
/* The first value for the field of that name. */
const struct entry_value *compose_first(const struct compose *b, const struct entry *e, const char *field);
/* compose_items.c: adds the items of a value, which are separated by one of these characters. */
void compose_put_items(
    const struct compose *b, struct compose_items *items, const struct entry_value *v, const char *separators);
/* Adds the texts between these characters, without blanks at their ends. */
void compose_split_items(struct compose_items *items, const char *text, const char *separators);
/* Adds the names of a cell in which Airtable has put those with commas in quotes: "Acme, Inc.",Globex. False: it is no
 * such cell. */
bool compose_quoted_items(struct compose_items *items, const char *text);
/* Writes an item without what other programs add to it. */
void compose_put_plain(struct json_out *o, struct compose_item item);
/* Refuses the record because of a value. The caller still writes the text of the value. */
void compose_refuse(const struct compose *b, struct entry *e, const struct entry_value *v, const char *why);
/* Writes a text, unless it is empty. */
void compose_member(struct json_out *o, const char *name, const char *text);

/* Writes a member that several values may form; false for other fields. */
bool compose_several(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o);

/* compose_link.c: splits "Ada Lovelace (ada@x.org)" and "Ada Lovelace <ada@x.org>". An address may also stand by
 * itself.
 */
void compose_name_and_email(struct arena *a, const char *text, const char **name, const char **email);
/* True when the references of the member are looked for by columns of this record. */
bool compose_has_links(const struct compose *b, const struct entry *e, const struct transfer_field *f);
/* Writes the people or companies of a record, and the record that a note, task or interaction is about. What is not
 * found is lost, or refuses the record. */
void compose_links(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o);
void compose_entity(struct compose *b, struct entry *e, struct json_out *o);
/* Writes the users whom a value names as items of a list. */
void compose_users(struct compose *b, struct entry *e, const struct entry_value *v, struct json_out *o);

/* Of compose_json.c: a record of NDJSON. */
void compose_object(struct compose *b, struct entry *e, struct json_out *o);
/* Writes {"id": …} for a known group, else notes the label. */
void compose_group(struct compose *b, struct json_out *o, const char *name, size_t len);

#endif
