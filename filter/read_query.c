/* Filters of a query string; see read_query.h. */
#include "filter/read_query.h"

#include <string.h>

/* --- keys ------------------------------------------------------------------------------ */

size_t filter_key_unindexed(const char *key, size_t len)
{
	size_t digits = len;

	if (len < 2 || key[len - 1] != ']')
		return len;
	while (--digits > 0 && key[digits - 1] >= '0' && key[digits - 1] <= '9')
		;
	return digits > 0 && key[digits - 1] == '[' ? digits - 1 : len;
}

/* After the operator: [sub-key], [index], both or nothing. */
static void key_suffix(struct filter_key *k, const char *text, size_t len)
{
	len = filter_key_unindexed(text, len);
	if (len == 0)
		return;
	bool one = memchr(text, ']', len) == text + len - 1 && filter_key_unindexed(text, len) == len;
	k->subkey = one ? text + 1 : text;
	k->subkey_len = one ? len - 2 : len;
}

enum filter_key_status filter_key_parse(struct filter_key *k, const char *key, size_t len)
{
	static const char prefix[] = "filter[";
	const char *text, *end = key + len;

	memset(k, 0, sizeof *k);
	if (len < sizeof prefix - 1 || memcmp(key, prefix, sizeof prefix - 1) != 0)
		return FILTER_KEY_NONE;
	text = k->field = key + sizeof prefix - 1;
	k->field_len = (size_t)(end - text);
	if (end == text || end[-1] != ']')
		return FILTER_KEY_MALFORMED;
	k->field_len--;
	/* a ']' that may close the field, and the word in the next brackets */
	for (const char *close = end - 1; close-- > text;) {
		if (close[0] != ']' || close[1] != '[')
			continue;
		const char *word = close + 2, *word_end = memchr(word, ']', (size_t)(end - word));
		enum filter_op op = filter_op_parse(word, (size_t)(word_end - word));
		bool last = word_end + 1 == end;
		if ((!last && word_end[1] != '[') || (op == FILTER_OP_NONE && (!last || k->op)))
			continue;
		k->kind = op;
		k->field_len = (size_t)(close - text);
		k->op = word;
		k->op_len = (size_t)(word_end - word);
		if (op == FILTER_OP_NONE)
			continue;
		key_suffix(k, word_end + 1, (size_t)(end - word_end - 1));
		break;
	}
	return k->op ? FILTER_KEY_OK : FILTER_KEY_NO_OP;
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

const struct json *filter_query_object(struct arena *a, const struct query *q, bool *bad_utf8)
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
		struct filter_key k;
		struct buf name;
		if (filter_key_parse(&k, q->pairs[i].key.text, q->pairs[i].key.len) == FILTER_KEY_NONE)
			continue;
		/* The operator comes first, so different filters never have the same text. */
		buf_init(&name, QUERY_MAX * 2);
		buf_printf(&name, "filter:%s:", filter_op_word(k.kind));
		buf_add(&name, k.subkey ? k.subkey : "", k.subkey_len);
		buf_addc(&name, ':');
		buf_add(&name, k.field, k.field_len);
		cursor_context_add(x, name.data, name.len, v->text, filter_op_valueless(k.kind) ? 0 : v->len);
		buf_free(&name);
	}
}
