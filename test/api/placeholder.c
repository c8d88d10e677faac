#include "test/api/placeholder.h"

#include <ctype.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/text.h"

enum { PAIRS_MAX = 64, SHAPE_MAX = 8192 };

static const char *const id_prefixes[] = {"per", "com", "grp", "usr", "obj", "tsk", "rmd", "lit", "nte", "wbk", "evt",
    "wsp", "key", "gnt", "dlv", "vew", "gcfo", "grpo"};

bool shape_is(const char *text, size_t len)
{
	return len >= 3 && text[0] == '<' && text[len - 1] == '>' && islower((unsigned char)text[1]);
}

bool shape_is_time(const char *text, size_t len)
{
	int64_t ms;

	return len == 24 && text[19] == '.' && text[10] == 'T' && text[23] == 'Z' && time_parse(text, len, &ms);
}

bool shape_is_uuid(const char *text, size_t len)
{
	static const char pattern[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	for (size_t i = 0; i < len && len == sizeof(pattern) - 1; i++) {
		bool digit = isdigit((unsigned char)text[i]) || (text[i] >= 'a' && text[i] <= 'f');
		if (pattern[i] == 'x' ? !digit : text[i] != '-')
			return false;
	}
	return len == sizeof(pattern) - 1;
}

bool shape_is_id(const char *prefix, const char *text, size_t len)
{
	size_t n = strlen(prefix);

	return len > n + 1 && memcmp(text, prefix, n) == 0 && text[n] == '_' &&
	       shape_is_uuid(text + n + 1, len - n - 1);
}

/* The query's pairs, decoded, each "key=value", sorted; returns their number. */
static size_t query_pairs(struct arena *a, const char *query, const char **out)
{
	size_t n = 0;

	while (*query && n < PAIRS_MAX) {
		size_t len = strcspn(query, "&"), decoded;
		const char *pair = text_percent_decode(a, query, len, true, &decoded);
		size_t at = n++;
		for (; at > 0 && strcmp(out[at - 1], pair) > 0; at--)
			out[at] = out[at - 1];
		out[at] = pair;
		query += len + (query[len] == '&');
	}
	return n;
}

/* The same address with the same query pairs in any order, and a cursor besides. */
static bool is_link(const char *wanted, const char *got)
{
	const char *want[PAIRS_MAX], *have[PAIRS_MAX];
	size_t path = strcspn(wanted, "?"), cursors = 0, i = 0;
	struct arena a;

	if (strncmp(wanted, got, path) != 0 || got[path] != '?')
		return false;
	arena_init(&a);
	size_t n_want = query_pairs(&a, wanted + path + (wanted[path] == '?'), want);
	size_t n_have = query_pairs(&a, got + path + 1, have);
	bool same = true;
	for (size_t j = 0; j < n_have; j++) {
		if (strncmp(have[j], "cursor=", 7) == 0 && have[j][7])
			cursors++;
		else if (i < n_want && strcmp(want[i], have[j]) == 0)
			i++;
		else
			same = false;
	}
	arena_free(&a);
	return same && cursors == 1 && i == n_want;
}

static bool match_word(const char *word, const char *text, size_t len, bool *unknown)
{
	int32_t days;

	if (strcmp(word, "string") == 0)
		return true;
	if (strcmp(word, "text") == 0)
		return len > 0;
	if (strcmp(word, "time") == 0)
		return shape_is_time(text, len);
	if (strcmp(word, "date") == 0)
		return date_parse(text, len, &days);
	if (strcmp(word, "uuid") == 0)
		return shape_is_uuid(text, len);
	if (strcmp(word, "digits") == 0)
		return len > 0 && strspn(text, "0123456789") == len;
	for (size_t i = 0; i < sizeof(id_prefixes) / sizeof(*id_prefixes); i++)
		if (strcmp(word, id_prefixes[i]) == 0)
			return shape_is_id(word, text, len);
	*unknown = true;
	return false;
}

static bool match_text(const char *shape, size_t shape_len, const char *text, size_t len, bool *unknown)
{
	static char inner[SHAPE_MAX];
	size_t n = shape_len - 2;

	if (n >= sizeof(inner)) {
		*unknown = true;
		return false;
	}
	memcpy(inner, shape + 1, n);
	inner[n] = '\0';
	char *space = strchr(inner, ' ');
	if (!space)
		return match_word(inner, text, len, unknown);
	*space = '\0';
	const char *word = space + 1;
	size_t word_len = strlen(word);
	if (strcmp(inner, "not") == 0)
		return strcmp(text, word) != 0;
	if (strcmp(inner, "has") == 0)
		return strstr(text, word) != NULL;
	if (strcmp(inner, "starts") == 0)
		return strncmp(text, word, word_len) == 0;
	if (strcmp(inner, "ends") == 0)
		return len >= word_len && strcmp(text + len - word_len, word) == 0;
	if (strcmp(inner, "link") == 0)
		return is_link(word, text);
	*unknown = true;
	return false;
}

static bool is_word(const char *shape, size_t len, const char *word)
{
	return len == strlen(word) + 2 && memcmp(shape + 1, word, len - 2) == 0;
}

bool shape_match(const char *shape, size_t len, const struct json *value, bool *unknown)
{
	*unknown = false;
	if (is_word(shape, len, "any"))
		return true;
	if (is_word(shape, len, "bool"))
		return value->type == JSON_BOOL;
	if (is_word(shape, len, "number"))
		return value->type == JSON_NUMBER;
	if (is_word(shape, len, "int"))
		return value->type == JSON_NUMBER && strspn(value->text, "-0123456789") == value->len;
	if (is_word(shape, len, "array"))
		return value->type == JSON_ARRAY;
	if (is_word(shape, len, "object"))
		return value->type == JSON_OBJECT;
	bool matches = match_text(shape, len, value->type == JSON_STRING ? value->text : "",
	    value->type == JSON_STRING ? value->len : 0, unknown);
	return value->type == JSON_STRING && matches;
}

bool shape_match_text(const char *shape, const char *text)
{
	bool unknown = false;

	if (!shape_is(shape, strlen(shape)))
		return strcmp(shape, text) == 0;
	if (strcmp(shape, "<any>") == 0)
		return true;
	if (strcmp(shape, "<int>") == 0)
		return *text && strspn(text, "0123456789") == strlen(text);
	return match_text(shape, strlen(shape), text, strlen(text), &unknown);
}
