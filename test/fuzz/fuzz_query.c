/* Arbitrary query strings: lengths, flags and slices must be consistent. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "filter/read_query.h"
#include "server/base/query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_holds(bool ok)
{
	if (!ok)
		abort();
}

/* A slice of the key lies in the key. */
static void check_slice(const struct query_text *key, const char *text, size_t len)
{
	check_holds(!text || (text >= key->text && text + len <= key->text + key->len));
}

static void check_key(const struct query_text *key)
{
	struct filter_key k;
	enum filter_key_status status = filter_key_parse(&k, key->text, key->len);
	check_slice(key, k.field, k.field_len);
	check_slice(key, k.op, k.op_len);
	check_slice(key, k.subkey, k.subkey_len);
	if (status != FILTER_KEY_OK)
		return;
	/* what was taken apart goes together again */
	check_holds(filter_op_parse(k.op, k.op_len) == k.kind);
	size_t len = strlen("filter[") + k.field_len + 2 + k.op_len + 1 + (k.subkey ? k.subkey_len : 0);
	check_holds(key->len >= len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct query q;
	char *text = malloc(size + 1); /* exact, so that reading past it is seen */
	if (!text)
		return 0;
	memcpy(text, data, size);
	arena_init(&a);
	enum query_status status = query_parse(&q, &a, text, size);
	check_holds(status == QUERY_OK || q.count == 0);
	check_holds(q.count <= QUERY_PAIRS_MAX);
	for (size_t i = 0; i < q.count; i++) {
		const struct query_pair *p = &q.pairs[i];
		check_holds(p->key.text[p->key.len] == '\0' && p->value.text[p->value.len] == '\0');
		check_holds(p->key.has_nul == (strlen(p->key.text) != p->key.len));
		check_holds(p->has_value || p->value.len == 0);
		check_key(&p->key);
	}
	arena_free(&a);
	free(text);
	return 0;
}
