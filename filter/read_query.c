/* Filters of a query string as an object; see read_query.h. */
#include "filter/read_query.h"

bool filter_query_key(const struct query_text *key)
{
	struct filter_key unused;

	return filter_key_parse(&unused, key->text, key->len) != FILTER_KEY_NONE;
}

/* --- the object ----------------------------------------------------------------------- */

/* Returns the member of that name; adds it if missing. */
static struct json *object_member(struct arena *a, struct json *of, enum json_type type, const char *key, size_t len)
{
	struct json **at = &of->first;

	for (; *at; at = &(*at)->next)
		if ((*at)->key_len == len && (len == 0 || memcmp((*at)->key, key, len) == 0))
			return *at;
	*at = arena_alloc(a, sizeof **at);
	**at = (struct json){.type = type, .key = len ? key : "", .key_len = len};
	of->count++;
	return *at;
}

static void list_append_text(struct arena *a, struct json *list, const struct query_text *text)
{
	struct json **at = &list->first;

	while (*at)
		at = &(*at)->next;
	*at = arena_alloc(a, sizeof **at);
	**at = (struct json){
	    .type = JSON_STRING, .text = text->text, .len = text->len, .has_nul = text->has_nul || text->bad_utf8};
	list->count++;
}

const struct json *read_query_object(struct arena *a, const struct query *q, bool *bad_utf8)
{
	struct json *all = arena_alloc(a, sizeof *all), *field, *op;
	struct filter_key k;

	all->type = JSON_OBJECT;
	*bad_utf8 = false;
	for (size_t i = 0; i < q->count; i++) {
		const struct query_pair *p = &q->pairs[i];
		enum filter_key_status status = filter_key_parse(&k, p->key.text, p->key.len);
		if (status == FILTER_KEY_NONE)
			continue;
		*bad_utf8 |= p->key.bad_utf8;
		if (p->key.bad_utf8)
			continue;
		field = object_member(
		    a, all, status == FILTER_KEY_MALFORMED ? JSON_NULL : JSON_OBJECT, k.field, k.field_len);
		op = object_member(a, field, status == FILTER_KEY_NO_OP ? JSON_STRING : JSON_OBJECT, k.op, k.op_len);
		list_append_text(a, object_member(a, op, JSON_ARRAY, k.subkey, k.subkey_len), &p->value);
	}
	return all;
}

/* --- cursors ------------------------------------------------------------------------ */

void filter_query_context(struct cursor_context *x, const struct query *q)
{
	for (size_t i = 0; i < q->count; i++) {
		const struct query_text *v = &q->pairs[i].value;
		struct filter_key key, *k = &key;
		struct buf name;
		if (filter_key_parse(k, q->pairs[i].key.text, q->pairs[i].key.len) == FILTER_KEY_NONE)
			continue;
		bool valueless = k->kind == FILTER_EMPTY || k->kind == FILTER_NOT_EMPTY;
		/* The operator comes first, so different filters never have the same text. */
		buf_init(&name, QUERY_MAX * 2);
		buf_printf(&name, "filter:%s:", filter_op_word(k->kind));
		buf_add(&name, k->subkey ? k->subkey : "", k->subkey_len);
		buf_addc(&name, ':');
		buf_add(&name, k->field, k->field_len);
		cursor_context_add(x, name.data, name.len, v->text, valueless ? 0 : v->len);
		buf_free(&name);
	}
}
