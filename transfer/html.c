/* See html.h. It reads tags and character references (HTML, sections 13.1.2 and 13.1.4) from left to right, and builds
 * no tree: no text can make it slow or deep. */
#include "transfer/html.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_LEN = 10, REFERENCE_MAX = 10 };

/* What a tag does to the text around it. */
enum html_break {
	BREAK_NONE,
	BREAK_BLANK,     /* a blank */
	BREAK_ONE,       /* a new line, also after an empty one */
	BREAK_LINE,      /* the rest begins on a new line */
	BREAK_ITEM,      /* the same, with a dash */
	BREAK_PARAGRAPH, /* the rest begins after an empty line */
	BREAK_HIDDEN     /* what is inside is not shown */
};

static const struct html_tag {
	const char *name;
	enum html_break effect;
} html_tags[] = {{"a", BREAK_NONE}, {"b", BREAK_NONE}, {"i", BREAK_NONE}, {"u", BREAK_NONE}, {"s", BREAK_NONE},
    {"em", BREAK_NONE}, {"strong", BREAK_NONE}, {"span", BREAK_NONE}, {"font", BREAK_NONE}, {"code", BREAK_NONE},
    {"img", BREAK_NONE}, {"html", BREAK_NONE}, {"body", BREAK_NONE}, {"tbody", BREAK_NONE}, {"thead", BREAK_NONE},
    {"td", BREAK_BLANK}, {"th", BREAK_BLANK}, {"br", BREAK_ONE}, {"div", BREAK_LINE}, {"ul", BREAK_LINE},
    {"ol", BREAK_LINE}, {"tr", BREAK_LINE}, {"table", BREAK_LINE}, {"hr", BREAK_LINE}, {"blockquote", BREAK_LINE},
    {"pre", BREAK_LINE}, {"li", BREAK_ITEM}, {"p", BREAK_PARAGRAPH}, {"h1", BREAK_PARAGRAPH}, {"h2", BREAK_PARAGRAPH},
    {"h3", BREAK_PARAGRAPH}, {"h4", BREAK_PARAGRAPH}, {"h5", BREAK_PARAGRAPH}, {"h6", BREAK_PARAGRAPH},
    {"script", BREAK_HIDDEN}, {"style", BREAK_HIDDEN}, {"head", BREAK_HIDDEN}};

/* --- reading ------------------------------------------------------------------------------------ */

struct html_read {
	const char *at, *end;
	struct buf *out;
	size_t begin;     /* of the text in out */
	bool blank;       /* a blank comes before the next character */
	bool plain;       /* a tag had no end: the rest has none */
	const char *href; /* of the link that is open; NULL: none */
	size_t href_len;
};

/* The known tag at the position, which is a '<'; NULL: no known tag is there. *close: it ends an element. */
static const struct html_tag *html_tag_at(const char *at, const char *end, bool *close)
{
	const char *name = at + 1;
	size_t len = 0;

	*close = name < end && *name == '/';
	name += *close;
	while (name + len < end && len <= NAME_MAX_LEN && isalnum((unsigned char)name[len]))
		len++;
	if (name + len == end || !strchr(" \t\r\n/>", name[len]))
		return NULL;
	for (size_t i = 0; i < sizeof html_tags / sizeof *html_tags; i++)
		if (strlen(html_tags[i].name) == len && strncasecmp(html_tags[i].name, name, len) == 0)
			return &html_tags[i];
	return NULL;
}

/* The position after the tag's '>'. A '>' may also be inside of quotes. NULL: the tag has no end. */
static const char *html_tag_end(const char *at, const char *end)
{
	char quote = 0;

	for (; at < end; at++) {
		if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (*at == '>')
			return at + 1;
	}
	return NULL;
}

bool html_is(const char *text, size_t len)
{
	const char *end = text + len;
	bool close;

	for (const char *at = text; (at = memchr(at, '<', (size_t)(end - at))); at++)
		if (html_tag_at(at, end, &close))
			return html_tag_end(at, end) != NULL;
	return false;
}

/* --- writing ------------------------------------------------------------------------------------ */

static void html_trim(struct html_read *rd)
{
	while (rd->out->len > rd->begin && rd->out->data[rd->out->len - 1] == ' ')
		rd->out->data[--rd->out->len] = '\0';
	rd->blank = false;
}

/* So that at least n line ends come before what follows. */
static void html_lines(struct html_read *rd, size_t n)
{
	html_trim(rd);
	if (rd->out->len == rd->begin)
		return;
	for (size_t i = 1; i <= n && rd->out->len >= rd->begin + i && rd->out->data[rd->out->len - i] == '\n';)
		n--;
	while (n--)
		buf_addc(rd->out, '\n');
}

static void html_put(struct html_read *rd, const char *text, size_t len)
{
	if (rd->blank && rd->out->len > rd->begin && rd->out->data[rd->out->len - 1] != '\n')
		buf_addc(rd->out, ' ');
	rd->blank = false;
	buf_add(rd->out, text, len);
}

/* --- character references ----------------------------------------------------------------------- */

static size_t html_put_code(struct html_read *rd, unsigned long code)
{
	char utf8[4];
	size_t len = 0;

	if (code < 0x80)
		utf8[len++] = (char)code;
	else if (code < 0x800)
		utf8[len++] = (char)(0xc0 | code >> 6);
	else if (code < 0x10000)
		utf8[len++] = (char)(0xe0 | code >> 12);
	else
		utf8[len++] = (char)(0xf0 | code >> 18);
	for (int shift = code < 0x80 ? 0 : code < 0x800 ? 6 : code < 0x10000 ? 12 : 18; shift; shift -= 6)
		utf8[len++] = (char)(0x80 | (code >> (shift - 6) & 0x3f));
	html_put(rd, utf8, len);
	return len;
}

/* "&#8364;" and "&#x20AC;". 0: no character. */
static unsigned long html_code(const char *digits, size_t len)
{
	bool hex = len && (*digits == 'x' || *digits == 'X');
	unsigned long code = 0;

	for (size_t i = hex; i < len; i++) {
		if (!(hex ? isxdigit((unsigned char)digits[i]) : isdigit((unsigned char)digits[i])))
			return 0;
		code = code * (hex ? 16 : 10) + (unsigned long)(isdigit((unsigned char)digits[i])
		                                                    ? digits[i] - '0'
		                                                    : tolower((unsigned char)digits[i]) - 'a' + 10);
		if (code > 0x10ffff)
			return 0;
	}
	return code < ' ' || (code >= 0xd800 && code < 0xe000) ? 0 : code;
}

/* The length of the reference at the position, which is an '&'; it is written. 0: there is none. */
static size_t html_reference(struct html_read *rd)
{
	static const struct {
		const char *name;
		unsigned long code;
	} known[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}, {"nbsp", ' '}};
	const char *name = rd->at + 1;
	size_t len = 0;
	unsigned long code = 0;

	while (name + len < rd->end && len < REFERENCE_MAX && name[len] != ';' && !isspace((unsigned char)name[len]))
		len++;
	if (len == 0 || name + len == rd->end || name[len] != ';')
		return 0;
	if (*name == '#')
		code = html_code(name + 1, len - 1);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strlen(known[i].name) == len && memcmp(known[i].name, name, len) == 0)
			code = known[i].code;
	return code && html_put_code(rd, code) ? len + 2 : 0;
}

/* --- tags --------------------------------------------------------------------------------------- */

/* The address of a link, when it is one of the web or of mail. */
static void html_link(struct html_read *rd, const char *end)
{
	static const char *const schemes[] = {"https://", "http://", "mailto:"};
	const char *value = NULL;

	rd->href = NULL;
	for (const char *at = rd->at; at + 6 < end && !value; at++)
		if (strncasecmp(at, "href=", 5) == 0 && (at[5] == '"' || at[5] == '\''))
			value = at + 6;
	const char *close = value ? memchr(value, value[-1], (size_t)(end - value)) : NULL;
	for (size_t i = 0; close && i < sizeof schemes / sizeof *schemes; i++)
		if (strncasecmp(value, schemes[i], strlen(schemes[i])) == 0) {
			rd->href = *schemes[i] == 'm' ? value + strlen(schemes[i]) : value;
			rd->href_len = (size_t)(close - rd->href);
		}
}

/* The address stands behind the text of the link, unless it is the text. */
static void html_link_end(struct html_read *rd)
{
	const char *href = rd->href;
	size_t len = rd->href_len;

	rd->href = NULL;
	if (!href || !len)
		return;
	if (rd->out->len >= rd->begin + len && memcmp(rd->out->data + rd->out->len - len, href, len) == 0)
		return;
	rd->blank = true;
	html_put(rd, "(", 1);
	html_put(rd, href, len);
	html_put(rd, ")", 1);
}

/* The position after the end of an element that is not shown. As in a browser, it ends with the text at the latest. */
static const char *html_hidden_end(const struct html_tag *tag, const char *at, const char *end)
{
	bool close;

	for (; at < end && (at = memchr(at, '<', (size_t)(end - at))); at++)
		if (html_tag_at(at, end, &close) == tag && close)
			return memchr(at, '>', (size_t)(end - at))
			           ? (const char *)memchr(at, '>', (size_t)(end - at)) + 1
			           : end;
	return end;
}

/* Returns the position after the tag. */
static const char *html_tag(struct html_read *rd, const struct html_tag *tag, bool close, const char *after)
{
	switch (tag->effect) {
	case BREAK_NONE:
		if (strcmp(tag->name, "a") == 0)
			close ? html_link_end(rd) : html_link(rd, after);
		break;
	case BREAK_BLANK:
		rd->blank = true;
		break;
	case BREAK_ONE:
		html_trim(rd);
		buf_addc(rd->out, '\n');
		break;
	case BREAK_LINE:
		html_lines(rd, 1);
		break;
	case BREAK_ITEM:
		html_lines(rd, 1);
		if (!close)
			buf_addz(rd->out, "- ");
		break;
	case BREAK_PARAGRAPH:
		html_lines(rd, 2);
		break;
	case BREAK_HIDDEN:
		return close ? after : html_hidden_end(tag, after, rd->end);
	}
	return after;
}

void html_to_text(struct buf *out, const char *text, size_t len)
{
	struct html_read rd = {.at = text, .end = text + len, .out = out, .begin = out->len};

	while (rd.at < rd.end) {
		bool close = false;
		const struct html_tag *tag = *rd.at == '<' && !rd.plain ? html_tag_at(rd.at, rd.end, &close) : NULL;
		const char *after = tag ? html_tag_end(rd.at, rd.end) : NULL;
		size_t n = *rd.at == '&' ? html_reference(&rd) : 0;
		rd.plain |= tag && !after;
		if (after) {
			rd.at = html_tag(&rd, tag, close, after);
		} else if (n) {
			rd.at += n;
		} else if (isspace((unsigned char)*rd.at)) {
			rd.blank = true;
			rd.at++;
		} else {
			html_put(&rd, rd.at++, 1);
		}
	}
	while (out->len > rd.begin && strchr(" \n", out->data[out->len - 1]))
		out->data[--out->len] = '\0';
}
