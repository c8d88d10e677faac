#include "server/base/vcard_text.h"

#include <string.h>
#include <strings.h>

#include "server/base/text.h"

enum { LINE_OCTETS = 75 };

/* --- lines ------------------------------------------------------------------------------------ */

bool vcard_says_quoted(const char *text, size_t len)
{
	const char *colon = len ? memchr(text, ':', len) : NULL;
	size_t head = colon ? (size_t)(colon - text) : 0;

	for (size_t i = 0; i + 16 <= head; i++)
		if (strncasecmp(text + i, "QUOTED-PRINTABLE", 16) == 0)
			return true;
	return false;
}

/* The length up to one of these characters outside quotation marks. */
static size_t vcard_span(const char *text, size_t len, const char *ends)
{
	bool quoted = false;
	size_t i = 0;

	for (; i < len && (quoted || !text[i] || !strchr(ends, text[i])); i++)
		quoted ^= text[i] == '"';
	return i;
}

bool vcard_split(const char *text, size_t len, struct vcard_line *l)
{
	size_t head = vcard_span(text, len, ";:"), colon = vcard_span(text, len, ":");
	const char *dot = head ? memchr(text, '.', head) : NULL;

	if (head == 0 || colon == len)
		return false;
	l->group = text;
	l->group_len = dot ? (size_t)(dot - text) : 0;
	l->name = dot ? dot + 1 : text;
	l->name_len = (size_t)(text + head - l->name);
	l->params = text + head;
	l->params_len = colon - head;
	l->value = text + colon + 1;
	l->value_len = len - colon - 1;
	return true;
}

bool vcard_param_next(struct vcard_line *l, struct vcard_param *p)
{
	const char *equals;

	if (!l->params_len)
		return false;
	p->text = l->params + 1;
	p->len = vcard_span(p->text, l->params_len - 1, ";");
	l->params += p->len + 1;
	l->params_len -= p->len + 1;
	equals = p->len ? memchr(p->text, '=', p->len) : NULL;
	p->name = p->text;
	p->name_len = equals ? (size_t)(equals - p->text) : 0;
	p->value = equals ? equals + 1 : p->text;
	p->value_len = p->len - (size_t)(p->value - p->text);
	return true;
}

bool vcard_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

/* --- values ------------------------------------------------------------------------------------- */

size_t vcard_unquote(const char *text, size_t len, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		int high = text[i] == '=' && i + 2 < len ? text_hex_value(text[i + 1]) : -1;
		int low = high >= 0 ? text_hex_value(text[i + 2]) : -1;
		out[n++] = low >= 0 ? (char)(high * 16 + low) : text[i];
		i += low >= 0 ? 2 : 0;
	}
	return n;
}

size_t vcard_unescape(const char *text, size_t len, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		bool escape = text[i] == '\\' && i + 1 < len && strchr("nN,;:\\", text[i + 1]) && text[i + 1];
		i += escape;
		if (text[i] == '\r' && i + 1 < len && text[i + 1] == '\n')
			continue;
		out[n++] = escape && (text[i] == 'n' || text[i] == 'N') ? '\n' : text[i];
	}
	return n;
}

size_t vcard_part(const char *text, size_t len, char separator)
{
	size_t i = 0;

	while (i < len && text[i] != separator)
		i += text[i] == '\\' && i + 1 < len ? 2 : 1;
	return i < len ? i : len;
}

void vcard_escape(struct buf *out, const char *text, bool parts)
{
	for (; *text; text++) {
		if (*text == '\r' && text[1] == '\n')
			continue;
		if (strchr(parts ? "\\,;" : "\\,", *text))
			buf_addc(out, '\\');
		if (*text == '\n' || *text == '\r')
			buf_addz(out, "\\n");
		else
			buf_addc(out, *text);
	}
}

void vcard_escape_uri(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(",\\", *text))
			buf_addc(out, '\\');
		if (!strchr("\r\n", *text))
			buf_addc(out, *text);
	}
}

void vcard_fold(struct buf *out, const char *line, size_t len)
{
	size_t at = 0, room = LINE_OCTETS;

	while (len - at > room) {
		size_t part = room;
		while (part > 1 && ((unsigned char)line[at + part] & 0xc0) == 0x80)
			part--;
		buf_add(out, line + at, part);
		buf_addz(out, "\r\n ");
		at += part;
		room = LINE_OCTETS - 1;
	}
	buf_add(out, line + at, len - at);
	buf_addz(out, "\r\n");
}
