/* The grammar of filter keys; see key.h. */
#include "filter/key.h"

#include <string.h>

static const char prefix[] = "filter[";
enum { PREFIX_LEN = sizeof(prefix) - 1 };

static const char *const op_words[FILTER_OPS] = {
    [FILTER_OP_NONE] = "",
    [FILTER_EQ] = "eq",
    [FILTER_NOT_EQ] = "not_eq",
    [FILTER_GT] = "gt",
    [FILTER_LT] = "lt",
    [FILTER_LIKE] = "like",
    [FILTER_NOT_LIKE] = "not_like",
    [FILTER_ALL] = "all",
    [FILTER_IN] = "in",
    [FILTER_NOT_IN] = "not_in",
    [FILTER_EMPTY] = "empty",
    [FILTER_NOT_EMPTY] = "not_empty",
};

const char *filter_op_word(enum filter_op op)
{
	return op_words[op];
}

enum filter_op filter_op_parse(const char *text, size_t len)
{
	for (enum filter_op op = FILTER_OP_NONE + 1; op < FILTER_OPS; op++)
		if (strlen(op_words[op]) == len && memcmp(op_words[op], text, len) == 0)
			return op;
	return FILTER_OP_NONE;
}

static bool is_index(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return true;
}

/*
 * The last bracket group of text: true when text ends in ']' and a '[' stands
 * before it; group is what lies between, *rest the length of what stands before.
 */
static bool last_group(const char *text, size_t len, const char **group, size_t *group_len, size_t *rest)
{
	if (len < 2 || text[len - 1] != ']')
		return false;
	for (size_t open = len - 1; open > 0; open--) {
		if (text[open - 1] != '[')
			continue;
		*group = text + open;
		*group_len = len - 1 - open;
		*rest = open - 1;
		return true;
	}
	return false;
}

/* The end of the field and the last operator: text is "field][op]..."; false when there is none. */
static bool find_operator(struct filter_key *k, const char *text, size_t len)
{
	/* text[i - 1] is a ']' that may close the field */
	for (size_t i = len; i > 0; i--) {
		const char *close = text + i - 1;
		size_t left = len - i;
		if (*close != ']' || left < 2 || close[1] != '[')
			continue;
		const char *word = close + 2;
		const char *word_end = memchr(word, ']', left - 1);
		if (!word_end || (word_end + 1 < text + len && word_end[1] != '['))
			continue;
		k->kind = filter_op_parse(word, (size_t)(word_end - word));
		if (k->kind == FILTER_OP_NONE)
			continue;
		k->field = text;
		k->field_len = (size_t)(close - text);
		k->op = word;
		k->op_len = (size_t)(word_end - word);
		return true;
	}
	return false;
}

/* After the operator: [subkey], [index], both or nothing. */
static enum filter_key_status parse_suffix(struct filter_key *k, const char *text, size_t len)
{
	const char *group;
	size_t group_len, rest = len;
	if (len == 0)
		return FILTER_KEY_OK;
	if (last_group(text, len, &group, &group_len, &rest) && is_index(group, group_len)) {
		k->indexed = true;
		len = rest;
	}
	if (len == 0)
		return FILTER_KEY_OK;
	bool one = last_group(text, len, &group, &group_len, &rest) && rest == 0 &&
	           memchr(group, ']', group_len) == NULL && !is_index(group, group_len);
	k->subkey = one ? group : text;
	k->subkey_len = one ? group_len : len;
	return one ? FILTER_KEY_OK : FILTER_KEY_BAD_SUFFIX;
}

enum filter_key_status filter_key_parse(struct filter_key *k, const char *key, size_t len)
{
	memset(k, 0, sizeof(*k));
	if (len < PREFIX_LEN || memcmp(key, prefix, PREFIX_LEN) != 0)
		return FILTER_KEY_NONE;
	const char *text = key + PREFIX_LEN;
	len -= PREFIX_LEN;
	if (len == 0 || text[len - 1] != ']') {
		k->field = text;
		k->field_len = len;
		return FILTER_KEY_MALFORMED;
	}
	if (find_operator(k, text, len)) {
		const char *suffix = k->op + k->op_len + 1;
		return parse_suffix(k, suffix, (size_t)(text + len - suffix));
	}
	const char *group;
	size_t group_len, rest;
	/* "field][word]": the word is in the operator's place */
	if (last_group(text, len, &group, &group_len, &rest) && rest > 0 && text[rest - 1] == ']') {
		k->field = text;
		k->field_len = rest - 1;
		k->op = group;
		k->op_len = group_len;
		return FILTER_KEY_UNKNOWN_OP;
	}
	k->field = text;
	k->field_len = len - 1;
	return FILTER_KEY_NO_OP;
}
