/* vCard 2.1, 3.0 and 4.0.
 *
 * No library of Debian fits. libvformat and libvc know only 2.1 and 3.0 and have not been maintained for over ten
 * years; libebook needs GLib and a data server; libical has no vCards before its release 4. */
#include <stdio.h>
#include <strings.h>

#include "server/base/text.h"
#include "transfer/reader.h"

enum { PARTS_MAX = 8 };

/* A line, unfolded and split into its parts. */
struct vcard_line {
	char name[ENTRY_COLUMN_NAME_MAX + 1]; /* in capitals, without "item1." */
	const char *text;                     /* as written */
	size_t len;
	const char *charset; /* NULL: UTF-8 */
	bool quoted_printable, preferred;
};

/* Properties that the reader leaves out, because they are not text. */
static const char *const vcard_skipped[] = {"PHOTO", "LOGO", "SOUND", "KEY", "VERSION", NULL};

static bool vcard_fail(struct reader *rd, int64_t line, const char *what)
{
	if (!*rd->in.error)
		snprintf(rd->in.error, sizeof rd->in.error, "line %lld: %s", (long long)line, what);
	return false;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool vcard_says_quoted(const struct buf *line)
{
	const char *colon = line->data ? memchr(line->data, ':', line->len) : NULL;
	size_t head = colon ? (size_t)(colon - line->data) : 0;

	for (size_t i = 0; i + 16 <= head; i++)
		if (strncasecmp(line->data + i, "QUOTED-PRINTABLE", 16) == 0)
			return true;
	return false;
}

/* Reads a line with its folded parts into rd->text. False at the end. */
static bool vcard_read(struct reader *rd, int64_t *line)
{
	buf_clear(&rd->text);
	if (!rd->held_line)
		rd->held_line = rd->in.line;
	*line = rd->held_line;
	if (!rd->has_held && !decoder_line(&rd->in, &rd->held))
		return false;
	buf_add(&rd->text, rd->held.data, rd->held.len);
	rd->text.overflow |= rd->held.overflow;
	bool quoted = vcard_says_quoted(&rd->text);
	rd->has_held = false;
	while (rd->held_line = rd->in.line, decoder_line(&rd->in, &rd->held)) {
		bool soft = quoted && rd->text.len && rd->text.data[rd->text.len - 1] == '=';
		bool folded = rd->held.len && (rd->held.data[0] == ' ' || rd->held.data[0] == '\t');
		if (!soft && !folded) {
			rd->has_held = true;
			break;
		}
		/* Folding and soft line ends both continue the line; after a soft one the blanks belong to the text. */
		rd->text.len -= soft;
		buf_add(&rd->text, rd->held.data + !soft, rd->held.len - !soft);
		rd->text.overflow |= rd->held.overflow;
	}
	return true;
}

static size_t vcard_span(const char *text, size_t len, const char *ends)
{
	bool quoted = false;
	size_t i = 0;

	for (; i < len && (quoted || !text[i] || !strchr(ends, text[i])); i++)
		quoted ^= text[i] == '"';
	return i;
}

static void vcard_param(struct reader *rd, struct vcard_line *l, const char *text, size_t len)
{
	const char *equals = memchr(text, '=', len), *value = equals ? equals + 1 : text;
	size_t value_len = len - (size_t)(value - text);

	if (value_len >= 16 && strncasecmp(value, "QUOTED-PRINTABLE", 16) == 0)
		l->quoted_printable = true;
	if (len > 8 && strncasecmp(text, "CHARSET=", 8) == 0 &&
	    !(value_len == 5 && strncasecmp(value, "UTF-8", 5) == 0))
		l->charset = arena_dup(&rd->scratch, value, value_len);
	/* Matches TYPE=pref, TYPE="work,pref", PREF=1, and PREF without a value. */
	for (size_t i = 0; i + 4 <= len; i++)
		l->preferred |=
		    strncasecmp(text + i, "pref", 4) == 0 && !(i == 0 && equals && !(value_len == 1 && *value == '1'));
}

/* False when the line is not a property. */
static bool vcard_split(struct reader *rd, struct vcard_line *l)
{
	const char *text = rd->text.data ? rd->text.data : "", *dot;
	size_t left = rd->text.len, len = vcard_span(text, left, ";:");

	memset(l, 0, sizeof *l);
	if (len == left || len == 0)
		return false;
	dot = memchr(text, '.', len);
	for (const char *p = dot ? dot + 1 : text; p < text + len && strlen(l->name) < ENTRY_COLUMN_NAME_MAX; p++)
		l->name[strlen(l->name)] = (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p);
	while (len < left && text[len] == ';') {
		text += len + 1;
		left -= len + 1;
		len = vcard_span(text, left, ";:");
		vcard_param(rd, l, text, len);
	}
	if (len == left)
		return false;
	l->text = text + len + 1;
	l->len = left - len - 1;
	return true;
}

/* --- values ------------------------------------------------------------------------------------- */

static int vcard_hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	                              : -1;
}

static void vcard_unquote(struct reader *rd, struct vcard_line *l)
{
	char *out = arena_alloc(&rd->scratch, l->len + 1);
	size_t n = 0;

	for (size_t i = 0; i < l->len; i++) {
		int high = l->text[i] == '=' && i + 2 < l->len ? vcard_hex(l->text[i + 1]) : -1;
		int low = high >= 0 ? vcard_hex(l->text[i + 2]) : -1;
		out[n++] = low >= 0 ? (char)(high * 16 + low) : l->text[i];
		i += low >= 0 ? 2 : 0;
	}
	l->text = out;
	l->len = n;
}

/* Undoes backslashes; returns the length. */
static size_t vcard_unescape(const char *text, size_t len, char *out)
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

/* The length up to the next separator without a backslash in front. */
static size_t vcard_part(const char *text, size_t len, char separator)
{
	size_t i = 0;

	while (i < len && text[i] != separator)
		i += text[i] == '\\' && i + 1 < len ? 2 : 1;
	return i < len ? i : len;
}

static void vcard_put(
    struct reader *rd, struct entry *e, const struct vcard_line *l, const char *name, const char *text, size_t len)
{
	size_t column, n = e->n_values;

	while (len && strchr(" \t\r\n", text[len - 1]) && text[len - 1])
		len--;
	while (len && strchr(" \t\r\n", *text) && *text) {
		text++;
		len--;
	}
	if (!len)
		return;
	if (memchr(text, '\0', len))
		entry_refuse(e, "contains a NUL byte");
	column = entry_column(&rd->columns, name, strlen(name));
	if (column == ENTRY_COLUMNS_MAX)
		entry_refuse(e, "has more than %d kinds of properties", ENTRY_COLUMNS_MAX);
	entry_add(e, column, text, len);
	if (e->n_values > n)
		e->values[n].preferred = l->preferred;
}

/* Splits at semicolons (or commas), unescaped; returns their number. */
static size_t vcard_parts(
    struct reader *rd, const struct vcard_line *l, const char *parts[PARTS_MAX], size_t lens[PARTS_MAX])
{
	const char *text = l->text;
	size_t left = l->len, n = 0;

	while (n < PARTS_MAX) {
		size_t len = vcard_part(text, left, ';');
		char *out = arena_alloc(&rd->scratch, len + 1);
		lens[n] = vcard_unescape(text, len, out);
		parts[n++] = out;
		if (len == left)
			break;
		text += len + 1;
		left -= len + 1;
	}
	return n;
}

/* Joins parts that are not empty. */
static void vcard_put_joined(struct reader *rd, struct entry *e, const struct vcard_line *l, const char *name,
    const char *const *parts, const size_t *lens, size_t n)
{
	struct buf text;

	buf_init(&text, ENTRY_MAX);
	for (size_t i = 0; i < n; i++) {
		if (text.len && lens[i])
			buf_addz(&text, ", ");
		buf_add(&text, parts[i], lens[i]);
	}
	vcard_put(rd, e, l, name, text.len ? text.data : "", text.len);
	buf_free(&text);
}

static void vcard_put_value(struct reader *rd, struct entry *e, const struct vcard_line *l)
{
	static const char *const names[] = {"Last Name", "First Name", "Middle Name", "Name Prefix", "Name Suffix"};
	const char *parts[PARTS_MAX], *text = l->text;
	size_t lens[PARTS_MAX], n, left = l->len;

	if (strcmp(l->name, "N") == 0) {
		n = vcard_parts(rd, l, parts, lens);
		for (size_t i = 0; i < n && i < 5; i++)
			vcard_put(rd, e, l, names[i], parts[i], lens[i]);
	} else if (strcmp(l->name, "ADR") == 0) {
		n = vcard_parts(rd, l, parts, lens);
		vcard_put_joined(rd, e, l, l->name, parts, lens, n);
	} else if (strcmp(l->name, "ORG") == 0) {
		n = vcard_parts(rd, l, parts, lens);
		vcard_put(rd, e, l, l->name, parts[0], lens[0]);
		vcard_put_joined(rd, e, l, "ORG unit", parts + 1, lens + 1, n - 1);
	} else {
		bool list = strcmp(l->name, "CATEGORIES") == 0 || strcmp(l->name, "NICKNAME") == 0;
		do {
			size_t len = list ? vcard_part(text, left, ',') : left;
			char *out = arena_alloc(&rd->scratch, len + 1);
			vcard_put(rd, e, l, l->name, out, vcard_unescape(text, len, out));
			len += len < left;
			text += len;
			left -= len;
		} while (left);
	}
}

static void vcard_take(struct reader *rd, struct entry *e, struct vcard_line *l, int64_t line)
{
	for (int i = 0; vcard_skipped[i]; i++)
		if (strcmp(l->name, vcard_skipped[i]) == 0)
			return;
	if (rd->text.overflow) {
		entry_refuse(e, "has a line that is longer than %d bytes", ENTRY_MAX);
		return;
	}
	if (l->quoted_printable)
		vcard_unquote(rd, l);
	if (l->charset) {
		l->text = decoder_convert(&rd->scratch, l->charset, l->text, l->len, &l->len);
		if (!l->text)
			entry_refuse(e, "has a %s with bytes that are not valid in its CHARSET", l->name);
	} else if (!text_utf8_valid(l->text, l->len) || !text_utf8_valid(l->name, strlen(l->name))) {
		vcard_fail(rd, line, "is not UTF-8; if an older program wrote the file, add --encoding windows-1252");
		return;
	}
	if (!e->refused)
		vcard_put_value(rd, e, l);
}

/* --- cards --------------------------------------------------------------------------------------- */

static bool vcard_is(const struct vcard_line *l, const char *name)
{
	return strcmp(l->name, name) == 0 && l->len >= 5 && strncasecmp(l->text, "VCARD", 5) == 0;
}

static bool vcard_empty(const struct buf *line)
{
	return strspn(line->data ? line->data : "", " \t") == line->len;
}

/* Reads up to the line BEGIN:VCARD; false at the end. */
static bool vcard_begin(struct reader *rd, struct entry *e)
{
	struct vcard_line l;
	int64_t line;

	while (vcard_read(rd, &line)) {
		if (vcard_split(rd, &l) && vcard_is(&l, "BEGIN")) {
			e->line = line;
			return true;
		}
		if (!vcard_empty(&rd->text))
			return vcard_fail(rd, line, "a card must begin here with BEGIN:VCARD");
	}
	return false;
}

bool vcard_next(struct reader *rd, struct entry *e)
{
	struct vcard_line l;
	int64_t line;
	int inner = 0; /* 2.1 has cards in cards */
	bool agent = false;

	entry_clear(e);
	if (!rd->text.max) {
		buf_init(&rd->text, ENTRY_MAX);
		buf_init(&rd->held, ENTRY_MAX);
	}
	if (!vcard_begin(rd, e))
		return false;
	while (vcard_read(rd, &line)) {
		arena_free(&rd->scratch);
		if (!vcard_split(rd, &l))
			continue;
		if (vcard_is(&l, "BEGIN")) {
			if (!agent && !inner)
				return vcard_fail(
				    rd, line, "a card begins before the previous one has ended with END:VCARD");
			inner++;
		} else if (vcard_is(&l, "END") && inner-- == 0) {
			return true;
		} else if (inner == 0 && strcmp(l.name, "END") != 0) {
			vcard_take(rd, e, &l, line);
		}
		agent = strcmp(l.name, "AGENT") == 0;
		if (*rd->in.error)
			return false;
	}
	if (!*rd->in.error)
		vcard_fail(rd, e->line, "the card that begins here has no END:VCARD");
	return false;
}
