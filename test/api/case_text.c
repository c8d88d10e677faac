#include "test/api/case_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/json.h"

enum { TEXT_MAX = 32 << 20, COUNT_MAX = 16 << 20 };

void variable_set(struct variables *v, const char *name, const char *value)
{
	struct variable *one = arena_alloc(v->arena, sizeof(*one));

	one->name = arena_dupz(v->arena, name);
	one->value = arena_dupz(v->arena, value);
	one->next = v->first;
	v->first = one;
}

const char *variable_get(const struct variables *v, const char *name)
{
	for (const struct variable *one = v->first; one; one = one->next)
		if (strcmp(one->name, name) == 0)
			return one->value;
	return NULL;
}

static void put_variable(struct buf *out, const char *value, bool as_json)
{
	struct json_out o;

	json_out_init(&o, out);
	if (as_json)
		json_string(&o, value);
	else
		buf_addz(out, value);
}

static const char *put_variables(const struct variables *v, struct arena *a, const char *text, const char **error)
{
	struct buf out;
	const char *open, *result = NULL;

	buf_init(&out, TEXT_MAX);
	while ((open = strstr(text, "{{"))) {
		const char *close = strstr(open, "}}");
		bool as_json = strncmp(open + 2, "json ", 5) == 0;
		const char *word = open + (as_json ? 7 : 2);
		/* JSON may contain "{{" or "}}": only a word between them is a variable */
		size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		if (!close || len == 0 || word + len != close) {
			buf_add(&out, text, (size_t)(open + 1 - text));
			text = open + 1;
			continue;
		}
		const char *name = arena_dup(a, word, len);
		const char *value = variable_get(v, name);
		if (!value) {
			*error = arena_printf(a, "nothing is known as {{%s}}", name);
			goto out;
		}
		buf_add(&out, text, (size_t)(open - text));
		put_variable(&out, value, as_json);
		text = close + 2;
	}
	buf_addz(&out, text);
	result = arena_dup(a, out.len ? out.data : "", out.len);
out:
	buf_free(&out);
	return result;
}

/* One item of a list: the text with {n} replaced. */
static void put_item(struct buf *out, const char *text, size_t len, int n)
{
	for (size_t i = 0; i < len;) {
		if (len - i >= 3 && memcmp(text + i, "{n}", 3) == 0) {
			buf_printf(out, "%d", n);
			i += 3;
		} else {
			buf_addc(out, text[i++]);
		}
	}
}

/* The last character of a generator: the first '>' after a blank and digits. */
static const char *find_close(const char *at)
{
	const char *close = at;

	while ((close = strchr(close, '>'))) {
		const char *digits = close;
		while (digits > at && isdigit((unsigned char)digits[-1]))
			digits--;
		if (digits < close && digits - 1 > at && digits[-1] == ' ')
			return close;
		close++;
	}
	return NULL;
}

/* at is after "<repeat " or "<list "; returns what follows the '>', NULL when it is malformed. */
static const char *put_generated(struct buf *out, const char *at, bool list)
{
	const char *close = find_close(at);
	const char *space = close;

	while (space && space[-1] != ' ')
		space--;
	if (!space)
		return NULL;
	long count = strtol(space, NULL, 10);
	size_t len = (size_t)(space - 1 - at);
	if (count > COUNT_MAX)
		return NULL;
	if (len == 2 && memcmp(at, "\\s", 2) == 0) {
		at = " ";
		len = 1;
	}
	for (long i = 0; i < count; i++) {
		if (list && i)
			buf_addz(out, ", ");
		if (list)
			put_item(out, at, len, (int)i + 1);
		else
			buf_add(out, at, len);
	}
	return close + 1;
}

static const char *run_generators(struct arena *a, const char *text, size_t *len, const char **error)
{
	struct buf out;
	const char *result = NULL;

	buf_init(&out, TEXT_MAX);
	while (*text) {
		bool list = strncmp(text, "<list ", 6) == 0;
		if (!list && strncmp(text, "<repeat ", 8) != 0) {
			buf_addc(&out, *text++);
			continue;
		}
		const char *behind = put_generated(&out, text + (list ? 6 : 8), list);
		if (!behind) {
			*error = arena_printf(a, "a generator is <repeat TEXT N> or <list TEXT N>, here: %.40s", text);
			goto out;
		}
		text = behind;
	}
	*len = out.len;
	result = arena_dup(a, out.len ? out.data : "", out.len);
out:
	buf_free(&out);
	return result;
}

const char *expand_case_text(
    const struct variables *v, struct arena *a, const char *text, size_t *len, const char **error)
{
	size_t ignored;

	text = put_variables(v, a, text, error);
	return text ? run_generators(a, text, len ? len : &ignored, error) : NULL;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return found ? (int)(found - digits) : -1;
}

const char *expand_escapes(struct arena *a, const char *text, size_t *len, const char **error)
{
	static const char names[] = "nrt0\\", values[] = "\n\r\t\0\\";
	char *out = arena_alloc(a, strlen(text) + 1);
	size_t n = 0;

	while (*text) {
		if (*text != '\\') {
			out[n++] = *text++;
			continue;
		}
		const char *name = text[1] ? strchr(names, text[1]) : NULL;
		if (name) {
			out[n++] = values[name - names];
			text += 2;
		} else if (text[1] == 'x' && hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0) {
			out[n++] = (char)(hex_digit(text[2]) * 16 + hex_digit(text[3]));
			text += 4;
		} else {
			*error = arena_printf(a, "unknown escape: %.4s", text);
			return NULL;
		}
	}
	*len = n;
	return out;
}
