/* Entity tags; see etag.h. */
#include "server/base/etag.h"

#include <stdio.h>
#include <string.h>

enum etag_found { ETAG_MALFORMED, ETAG_ANY, ETAG_AMONG, ETAG_OTHERS };

char *etag_format(int64_t stamp_us, char out[ETAG_SIZE])
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	uint64_t rest = (uint64_t)stamp_us;
	size_t at = ETAG_SIZE;

	out[--at] = '\0';
	out[--at] = '"';
	do {
		out[--at] = digits[rest % 36];
		rest /= 36;
	} while (rest);
	out[--at] = '"';
	return memmove(out, out + at, ETAG_SIZE - at);
}

static const char *etag_skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* Returns the end of the tag that begins at this place; NULL when none begins there. */
static const char *etag_end(const char *at, const char *end)
{
	if (end - at > 2 && at[0] == 'W' && at[1] == '/')
		at += 2;
	if (at == end || *at++ != '"')
		return NULL;
	while (at < end && *at != '"') {
		unsigned char c = (unsigned char)*at++;
		if (c <= ' ' || c == 0x7f)
			return NULL;
	}
	return at < end ? at + 1 : NULL;
}

/* Looks for a tag, quotes included. As in every list of HTTP, elements may be empty. */
static enum etag_found etag_list_find(const char *at, size_t len, const char *tag)
{
	const char *end = at + len, *from;
	size_t tag_len = strlen(tag), count = 0;
	bool found = false;

	at = etag_skip_blanks(at, end);
	if (at < end && *at == '*')
		return etag_skip_blanks(at + 1, end) == end ? ETAG_ANY : ETAG_MALFORMED;
	for (;; at++) {
		at = etag_skip_blanks(at, end);
		if (at < end && *at != ',') {
			from = at;
			at = etag_end(at, end);
			if (!at)
				return ETAG_MALFORMED;
			found |= (size_t)(at - from) == tag_len && memcmp(from, tag, tag_len) == 0;
			count++;
			at = etag_skip_blanks(at, end);
		}
		if (at == end)
			break;
		if (*at != ',')
			return ETAG_MALFORMED;
	}
	return count == 0 ? ETAG_MALFORMED : found ? ETAG_AMONG : ETAG_OTHERS;
}

bool etag_list_valid(const char *text, size_t len)
{
	return etag_list_find(text, len, "") != ETAG_MALFORMED;
}

bool etag_list_matches(const char *text, size_t len, int64_t stamp_us)
{
	char tag[ETAG_SIZE];
	enum etag_found found = etag_list_find(text, len, etag_format(stamp_us, tag));

	return found == ETAG_ANY || found == ETAG_AMONG;
}

bool etag_list_names(const char *text, size_t len, const char *tag)
{
	char weak[64];
	enum etag_found found = etag_list_find(text, len, tag);

	if (found == ETAG_OTHERS) {
		snprintf(weak, sizeof weak, "W/%s", tag);
		found = etag_list_find(text, len, weak);
	}
	return found == ETAG_ANY || found == ETAG_AMONG;
}
