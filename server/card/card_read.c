/* Reads cards. */
#include <string.h>
#include <strings.h>

#include "server/base/text.h"
#include "server/card/card_private.h"
#include "transfer/decoder.h"

enum { NAME_MAX_LEN = 100 };

/* A text of lines that is being read. */
struct card_reading {
	struct arena *arena;
	const char *at, *end;
	int line_no;     /* of the first line of the property in line */
	int next_no;     /* of the line at at */
	struct buf line; /* unfolded */
	enum { BEFORE_CARD, IN_CARD, AFTER_CARD } place;
	struct card *card;
	const char *error;
};

static bool reading_fail(struct card_reading *rd, const char *what)
{
	if (!rd->error)
		rd->error = arena_printf(rd->arena, "Line %d %s", rd->line_no, what);
	return false;
}

/* --- lines ------------------------------------------------------------------------------------ */

static size_t reading_line_end(const char *at, const char *end)
{
	size_t i = 0, left = (size_t)(end - at);

	while (i < left && at[i] != '\n' && at[i] != '\r')
		i++;
	return i;
}

static void reading_skip_line(struct card_reading *rd, size_t len)
{
	rd->at += len;
	if (rd->at < rd->end)
		rd->at += rd->at[0] == '\r' && rd->end - rd->at > 1 && rd->at[1] == '\n' ? 2 : 1;
	rd->next_no++;
}

/* Reads a line with its folded parts into rd->line. False at the end. */
static bool reading_next(struct card_reading *rd)
{
	size_t len = reading_line_end(rd->at, rd->end);
	bool quoted = vcard_says_quoted(rd->at, len);

	if (rd->at == rd->end)
		return false;
	rd->line_no = rd->next_no;
	buf_clear(&rd->line);
	buf_add(&rd->line, rd->at, len);
	reading_skip_line(rd, len);
	while (rd->at < rd->end) {
		bool soft = quoted && rd->line.len && rd->line.data[rd->line.len - 1] == '=';
		bool folded = *rd->at == ' ' || *rd->at == '\t';
		if (!soft && !folded)
			break;
		/* After a soft line end the blanks belong to the text. */
		rd->line.len -= soft;
		len = reading_line_end(rd->at, rd->end);
		buf_add(&rd->line, rd->at + !soft, len - !soft);
		reading_skip_line(rd, len);
	}
	return true;
}

static bool reading_blank(const struct buf *line)
{
	return strspn(line->data ? line->data : "", " \t") == line->len;
}

/* --- properties ------------------------------------------------------------------------------- */

/* Names are what all programs can read. */
static bool reading_name_valid(const char *text, size_t len)
{
	size_t i = 0;

	for (; i < len; i++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", text[i]) || !text[i])
			return false;
	return len <= NAME_MAX_LEN;
}

/* Copies without controls. Line ends, which only decoding makes, are escaped. */
static const char *reading_copy(struct arena *a, const char *text, size_t len, size_t *out_len)
{
	char *out = arena_alloc(a, len * 2 + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '\n' || (c == '\r' && (i + 1 == len || text[i + 1] != '\n'))) {
			out[n++] = '\\';
			out[n++] = 'n';
		} else if (c >= ' ' || c == '\t') {
			out[n++] = (char)c;
		}
	}
	*out_len = n;
	return out;
}

/* Thunderbird escapes the comma of "data:image/png;base64,…". Other programs would not find the photo in that. */
static void reading_unescape_data(struct arena *a, struct card_property *p)
{
	static const char mark[] = ";base64\\,";
	const char *at = strncasecmp(p->value, "data:", 5) == 0 ? memmem(p->value, p->len, mark, strlen(mark)) : NULL;
	size_t before = at ? (size_t)(at - p->value) + strlen(mark) - 2 : 0;
	char *value;

	if (!at)
		return;
	value = arena_dup(a, p->value, p->len);
	memmove(value + before, value + before + 1, p->len - before);
	p->value = value;
	p->len--;
}

bool card_property_read(struct arena *a, const char *text, size_t len, struct card_property *p)
{
	struct vcard_line l;
	size_t unused;

	if (!vcard_split(text, len, &l) || !l.name_len || !reading_name_valid(l.name, l.name_len) ||
	    !reading_name_valid(l.group, l.group_len))
		return false;
	p->group = arena_dup(a, l.group, l.group_len);
	p->name = arena_dup(a, l.name, l.name_len);
	p->params = l.params_len ? reading_copy(a, l.params, l.params_len, &unused) : "";
	p->value = arena_dup(a, l.value, l.value_len);
	p->len = l.value_len;
	reading_unescape_data(a, p);
	return true;
}

struct reading_params {
	struct buf text;
	bool quoted;
	const char *charset; /* NULL: UTF-8 */
};

/* 2.1 has values without a name; and encodings that are undone here. */
static void reading_param(struct arena *a, const struct vcard_param *p, struct reading_params *out)
{
	static const char *const encodings[] = {"QUOTED-PRINTABLE", "BASE64", "B", "8BIT", "7BIT"};
	static const char *const kinds[] = {"INLINE", "URL", "CONTENT-ID", "CID"};
	bool encoding = vcard_word(p->name, p->name_len, "ENCODING"), bare = !p->name_len, kind = false;
	size_t i, n = sizeof encodings / sizeof *encodings;

	for (i = 0; i < n && !((encoding || (bare && i != 2)) && vcard_word(p->value, p->value_len, encodings[i])); i++)
		;
	for (size_t k = 0; bare && k < sizeof kinds / sizeof *kinds; k++)
		kind = kind || vcard_word(p->value, p->value_len, kinds[k]);
	if (i == 0)
		out->quoted = true;
	else if (i < 3)
		buf_addz(&out->text, ";ENCODING=b");
	else if (vcard_word(p->name, p->name_len, "CHARSET"))
		out->charset = p->value_len && !vcard_word(p->value, p->value_len, "UTF-8")
		                   ? arena_dup(a, p->value, p->value_len)
		                   : NULL;
	else if (i == n && p->len) {
		buf_addz(&out->text, kind ? ";VALUE=" : bare ? ";TYPE=" : ";");
		buf_add(&out->text, p->text, p->len);
	}
}

/* Decodes value and parameters of 2.1. */
static bool reading_decode(struct card_reading *rd, struct card_property *p)
{
	struct vcard_line l = {.params = p->params, .params_len = strlen(p->params)};
	struct reading_params params = {.quoted = false};
	struct vcard_param param;
	char *plain;

	buf_init(&params.text, CARD_MAX);
	while (vcard_param_next(&l, &param))
		reading_param(rd->arena, &param, &params);
	p->params = card_text_move(rd->arena, &params.text, NULL);
	if (params.quoted) {
		plain = arena_alloc(rd->arena, p->len + 1);
		p->len = vcard_unquote(p->value, p->len, plain);
		p->value = plain;
	}
	if (params.charset)
		p->value = decoder_convert(rd->arena, params.charset, p->value, p->len, &p->len);
	if (!p->value)
		return reading_fail(rd, "has bytes that are not valid in its CHARSET");
	if (memchr(p->value, '\0', p->len))
		return reading_fail(rd, "has a NUL byte");
	if (!text_utf8_valid(p->value, p->len) || !text_utf8_valid(p->params, strlen(p->params)))
		return reading_fail(rd, "is not UTF-8");
	p->value = reading_copy(rd->arena, p->value, p->len, &p->len);
	return true;
}

static bool reading_photo_too_large(const struct card_property *p)
{
	const char *base64 = strncasecmp(p->value, "data:", 5) == 0 ? strchr(p->value, ',') : NULL;
	struct vcard_param encoding;
	size_t len = base64 ? p->len - (size_t)(base64 - p->value) : p->len;

	return card_is(p, "PHOTO") && (base64 || card_param_find(p, "ENCODING", &encoding)) &&
	       len / 4 * 3 > CARD_PHOTO_MAX;
}

/* --- the card ----------------------------------------------------------------------------------- */

static bool reading_version(struct card_reading *rd, const struct card_property *p)
{
	const char *text = card_clean(rd->arena, p->value, p->len);

	rd->card->version = strcmp(text, "2.1") == 0 ? CARD_3_0 : card_version_named(text, strlen(text));
	return rd->card->version != CARD_UNKNOWN || reading_fail(rd, "names a VERSION that is not 2.1, 3.0 or 4.0");
}

static bool reading_add(struct card_reading *rd, const struct card_property *p)
{
	struct card *card = rd->card;

	if (card->n == CARD_PROPERTIES_MAX)
		return reading_fail(rd, "is one property more than a card may have (1200)");
	card->properties[card->n++] = *p;
	return true;
}

static bool reading_take(struct card_reading *rd)
{
	static const struct card_row uid = {"UID", "", CARD_TEXT};
	static const char *const kinds[] = {"KIND", "X-ADDRESSBOOKSERVER-KIND"};
	struct card_property p;

	if (reading_blank(&rd->line))
		return true;
	if (rd->line.overflow || !card_property_read(rd->arena, rd->line.data, rd->line.len, &p))
		return reading_fail(rd, "is not a property of a vCard");
	/* Programs that ignore groups and values would take it for the end of the card. */
	if (card_is(&p, "BEGIN") || card_is(&p, "END"))
		return reading_fail(rd, "begins or ends something in the card");
	if (!reading_decode(rd, &p))
		return false;
	if (card_is(&p, "VERSION"))
		return reading_version(rd, &p);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (card_is(&p, kinds[i]) && vcard_word(p.value, p.len, "group")) {
			rd->card->is_group = true;
			return reading_fail(rd, "makes the card a group, and groups are address books of their own");
		}
	if (card_is(&p, uid.name)) {
		rd->card->uid = *rd->card->uid ? rd->card->uid : card_value(rd->arena, &uid, &p);
		return true;
	}
	if (card_is(&p, CARD_TAG_PROPERTY))
		rd->card->tag = card_clean(rd->arena, p.value, p.len);
	/* The record has its own time, and fields that only the API changes. */
	if (card_is(&p, "REV") || strncasecmp(p.name, "X-KITH-", 7) == 0)
		return true;
	if (reading_photo_too_large(&p)) {
		rd->card->photo_cut = true;
		return true;
	}
	return reading_add(rd, &p);
}

static bool reading_is(const struct card_reading *rd, const char *word)
{
	struct vcard_line l;

	return vcard_split(rd->line.data, rd->line.len, &l) && !l.group_len && vcard_word(l.name, l.name_len, word) &&
	       l.value_len >= 5 && strncasecmp(l.value, "VCARD", 5) == 0;
}

static bool reading_step(struct card_reading *rd)
{
	if (rd->place == IN_CARD && !reading_is(rd, "END"))
		return reading_take(rd);
	if (rd->place == IN_CARD) {
		rd->place = AFTER_CARD;
		return true;
	}
	if (reading_blank(&rd->line))
		return true;
	if (rd->place == AFTER_CARD)
		return reading_fail(rd, "follows the end of the card; send one card");
	rd->place = IN_CARD;
	return reading_is(rd, "BEGIN") || reading_fail(rd, "is not BEGIN:VCARD");
}

static bool card_has(const struct card *card, const char *name)
{
	for (size_t i = 0; i < card->n; i++)
		if (card_is(&card->properties[i], name))
			return true;
	return false;
}

const char *card_read(struct arena *a, const char *text, size_t len, struct card *card)
{
	bool bom = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
	struct card_reading rd = {
	    .arena = a, .at = text + (bom ? 3 : 0), .end = text + len, .next_no = 1, .card = card};

	if (len > CARD_MAX)
		return "The card is larger than 1 MiB";
	*card = (struct card){.version = CARD_3_0, .uid = "", .tag = ""};
	card->properties = arena_alloc(a, CARD_PROPERTIES_MAX * sizeof *card->properties);
	buf_init(&rd.line, CARD_MAX);
	while (reading_next(&rd) && reading_step(&rd))
		;
	buf_free(&rd.line);
	if (rd.error)
		return rd.error;
	if (rd.place != AFTER_CARD)
		return rd.place == IN_CARD ? "The card has no END:VCARD" : "There is no card";
	return card_has(card, "FN") || card_has(card, "N") ? NULL : "The card has no name: neither FN nor N";
}
