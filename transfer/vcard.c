/* vCard 2.1, 3.0 and 4.0.
 *
 * No library of Debian fits. libvformat and libvc know only 2.1 and 3.0 and have not been maintained for over ten
 * years; libebook needs GLib and a data server; libical has no vCards before its release 4. */
#include <stdio.h>
#include <strings.h>

#include "server/base/text.h"
#include "server/base/vcard_text.h"
#include "transfer/reader.h"

enum { PARTS_MAX = 8 };

/* A property of the card. */
struct vcard_property {
	char name[ENTRY_COLUMN_NAME_MAX + 1]; /* in capitals, without "item1." */
	const char *text;                     /* as written */
	size_t len;
	const char *charset; /* NULL: UTF-8 */
	bool quoted_printable, preferred;
	bool fax, pager, voice; /* of a TEL */
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
	bool quoted = vcard_says_quoted(rd->text.data, rd->text.len);
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

/* True when the value of a parameter, which may be a list, has the word in any case. */
static bool vcard_has(const struct vcard_param *p, const char *word)
{
	for (size_t at = 0, len; at < p->value_len; at += len + 1) {
		const char *text = p->value + at;
		for (len = 0; at + len < p->value_len && !strchr(",;\"", text[len]);)
			len++;
		if (vcard_word(text, len, word))
			return true;
	}
	return false;
}

static void vcard_take_param(struct reader *rd, struct vcard_property *l, const struct vcard_param *p)
{
	bool one = p->name_len && vcard_word(p->value, p->value_len, "1");

	if (p->value_len >= 16 && strncasecmp(p->value, "QUOTED-PRINTABLE", 16) == 0)
		l->quoted_printable = true;
	if (p->value_len && vcard_word(p->name, p->name_len, "CHARSET") && !vcard_word(p->value, p->value_len, "UTF-8"))
		l->charset = arena_dup(&rd->scratch, p->value, p->value_len);
	l->fax |= vcard_has(p, "fax");
	l->pager |= vcard_has(p, "pager");
	l->voice |= vcard_has(p, "voice");
	/* Matches TYPE=pref, TYPE="work,pref", PREF=1, and PREF without a value. */
	for (size_t i = 0; i + 4 <= p->len; i++)
		l->preferred |= strncasecmp(p->text + i, "pref", 4) == 0 && !(i == 0 && p->name_len && !one);
}

/* False when the line is not a property. */
static bool vcard_take_line(struct reader *rd, struct vcard_property *l)
{
	struct vcard_line line;
	struct vcard_param param;

	memset(l, 0, sizeof *l);
	if (!vcard_split(rd->text.data, rd->text.len, &line))
		return false;
	for (size_t i = 0; i < line.name_len && i < ENTRY_COLUMN_NAME_MAX; i++)
		l->name[i] = (char)(line.name[i] >= 'a' && line.name[i] <= 'z' ? line.name[i] - 32 : line.name[i]);
	while (vcard_param_next(&line, &param))
		vcard_take_param(rd, l, &param);
	l->text = line.value;
	l->len = line.value_len;
	return true;
}

/* --- values ------------------------------------------------------------------------------------- */

static void vcard_put(
    struct reader *rd, struct entry *e, const struct vcard_property *l, const char *name, const char *text, size_t len)
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
    struct reader *rd, const struct vcard_property *l, const char *parts[PARTS_MAX], size_t lens[PARTS_MAX])
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
static void vcard_put_joined(struct reader *rd, struct entry *e, const struct vcard_property *l, const char *name,
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

static void vcard_put_value(struct reader *rd, struct entry *e, const struct vcard_property *l)
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
	} else if (strcmp(l->name, "TEL") == 0 && !l->voice && (l->fax || l->pager)) {
		/* Nobody can be called there, so it must not look like a phone. */
		char *out = arena_alloc(&rd->scratch, l->len + 1);
		vcard_put(rd, e, l, l->fax ? "TEL fax" : "TEL pager", out, vcard_unescape(l->text, l->len, out));
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

static void vcard_take(struct reader *rd, struct entry *e, struct vcard_property *l, int64_t line)
{
	for (int i = 0; vcard_skipped[i]; i++)
		if (strcmp(l->name, vcard_skipped[i]) == 0)
			return;
	if (rd->text.overflow) {
		entry_refuse(e, "has a line that is longer than %d bytes", ENTRY_MAX);
		return;
	}
	if (l->quoted_printable) {
		char *plain = arena_alloc(&rd->scratch, l->len + 1);
		l->len = vcard_unquote(l->text, l->len, plain);
		l->text = plain;
	}
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

static bool vcard_is(const struct vcard_property *l, const char *name)
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
	struct vcard_property l;
	int64_t line;

	while (vcard_read(rd, &line)) {
		if (vcard_take_line(rd, &l) && vcard_is(&l, "BEGIN")) {
			e->line = line;
			return true;
		}
		if (!vcard_empty(&rd->text))
			return vcard_fail(rd, line, "a card must begin here with BEGIN:VCARD");
	}
	return false;
}

/* True for a card that is a list of other cards, as iCloud and Nextcloud have them. */
static bool vcard_is_group(const struct vcard_property *l)
{
	return (strcmp(l->name, "KIND") == 0 || strcmp(l->name, "X-ADDRESSBOOKSERVER-KIND") == 0) &&
	       vcard_word(l->text, l->len, "group");
}

static bool vcard_next_card(struct reader *rd, struct entry *e, bool *group)
{
	struct vcard_property l;
	int64_t line;
	int inner = 0; /* 2.1 has cards in cards */
	bool agent = false;

	*group = false;
	entry_clear(e);
	if (!rd->text.max) {
		buf_init(&rd->text, ENTRY_MAX);
		buf_init(&rd->held, ENTRY_MAX);
	}
	if (!vcard_begin(rd, e))
		return false;
	while (vcard_read(rd, &line)) {
		arena_free(&rd->scratch);
		if (!vcard_take_line(rd, &l))
			continue;
		if (vcard_is(&l, "BEGIN")) {
			if (!agent && !inner)
				return vcard_fail(
				    rd, line, "a card begins before the previous one has ended with END:VCARD");
			inner++;
		} else if (vcard_is(&l, "END") && inner-- == 0) {
			return true;
		} else if (inner == 0 && strcmp(l.name, "END") != 0) {
			*group |= vcard_is_group(&l);
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

bool vcard_next(struct reader *rd, struct entry *e)
{
	bool group;

	while (vcard_next_card(rd, e, &group)) {
		if (!group)
			return true;
		if (rd->beside++ == 0)
			rd->beside_line = e->line;
	}
	return false;
}
