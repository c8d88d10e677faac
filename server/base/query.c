/* The query string; see query.h. */
#include "query.h"

#include <string.h>

#include "text.h"

static struct query_text query_decode(struct arena *a, const char *text, size_t len)
{
	struct query_text t = {0};

	t.text = text_percent_decode(a, text, len, true, &t.len);
	t.has_nul = t.len > 0 && memchr(t.text, '\0', t.len);
	t.bad_utf8 = !text_utf8_valid(t.text, t.len);
	return t;
}

/* Returns the end of the part that begins at text: the next '&', or end. */
static const char *query_part_end(const char *text, const char *end)
{
	const char *amp = memchr(text, '&', (size_t)(end - text));

	return amp ? amp : end;
}

static size_t count_parts(const char *text, const char *end)
{
	size_t count = 0;

	while (text < end) {
		const char *stop = query_part_end(text, end);
		count += stop > text;
		text = stop + 1;
	}
	return count;
}

enum query_status query_parse(struct query *q, struct arena *a, const char *text, size_t len)
{
	memset(q, 0, sizeof *q);
	if (len > QUERY_MAX)
		return QUERY_TOO_LONG;
	if (len == 0)
		return QUERY_OK;
	const char *end = text + len;
	size_t parts = count_parts(text, end);
	if (parts > QUERY_PAIRS_MAX)
		return QUERY_TOO_MANY;
	q->pairs = arena_alloc(a, parts * sizeof *q->pairs);
	while (text < end) {
		const char *stop = query_part_end(text, end);
		if (stop > text) {
			struct query_pair *p = &q->pairs[q->count++];
			const char *equals = memchr(text, '=', (size_t)(stop - text));
			const char *key_end = equals ? equals : stop;
			const char *value = equals ? equals + 1 : stop;
			p->key = query_decode(a, text, (size_t)(key_end - text));
			p->value = query_decode(a, value, (size_t)(stop - value));
			p->has_value = equals != NULL;
		}
		text = stop + 1;
	}
	return QUERY_OK;
}

const struct query_pair *query_last(const struct query *q, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = q->count; i > 0; i--) {
		const struct query_pair *p = &q->pairs[i - 1];
		if (p->key.len == len && memcmp(p->key.text, key, len) == 0)
			return p;
	}
	return NULL;
}
