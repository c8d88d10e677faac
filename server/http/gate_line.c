/* The gate's rules for the request line (RFC 9112 section 3) and for hosts. */
#include "server/http/gate_private.h"

enum host {
	HOST_START,
	HOST_NAME,
	HOST_PERCENT,
	HOST_HEX,
	HOST_V6,
	HOST_V6_END,
	HOST_PORT_START,
	HOST_PORT,
	HOST_OVER
};

const char *const http_method_names[HTTP_METHODS] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    "PROPFIND", "PROPPATCH", "REPORT", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "ACL"};

const char *http_method_name(enum http_method method)
{
	return http_method_names[__builtin_ctz(method)];
}

/* Methods are case-sensitive, so the word has not been changed to lower case here. */
static void method_end(struct gate *g)
{
	for (int i = 0; i < HTTP_METHODS; i++)
		if (gate_word_is(g, http_method_names[i])) {
			g->method = (uint16_t)(1 << i);
			g->method_name = http_method_names[i];
			g->phase = TARGET_START;
			g->large = g->method == HTTP_REPORT;
			gate_word_clear(g);
			return;
		}
	gate_refuse(g, 501, "This method is not implemented");
}

static void method_byte(struct gate *g, unsigned char c)
{
	if (c == ' ' && g->word_len > 0)
		method_end(g);
	else if (!is_token(c))
		gate_refuse(g, 400, "The request line is malformed");
	else if (g->word_len >= sizeof g->word)
		gate_refuse(g, 501, "This method is not implemented");
	else
		g->word[g->word_len++] = (char)c;
}

bool gate_host_byte(struct gate *g, unsigned char c)
{
	if (++g->host_len > GATE_HOST_MAX)
		return false;
	switch ((enum host)g->host) {
	case HOST_START:
		g->host = c == '[' ? HOST_V6 : c == '%' ? HOST_PERCENT : HOST_NAME;
		return c == '[' || c == '%' || isalnum(c) || strchr("-._~", c);
	case HOST_NAME:
		if (c == ':' || c == '%')
			g->host = c == ':' ? HOST_PORT_START : HOST_PERCENT;
		return c == ':' || c == '%' || isalnum(c) || strchr("-._~", c);
	case HOST_PERCENT:
	case HOST_HEX:
		g->host = g->host == HOST_PERCENT ? HOST_HEX : HOST_NAME;
		return isxdigit(c);
	case HOST_V6:
		if (c == ']')
			g->host = HOST_V6_END;
		return c == ']' ? g->host_len > 3 : isxdigit(c) || c == ':' || c == '.';
	case HOST_V6_END:
		g->host = HOST_PORT_START;
		return c == ':';
	case HOST_PORT_START:
	case HOST_PORT:
		g->host = HOST_PORT;
		g->port = g->port * 10 + (unsigned)(c - '0');
		return isdigit(c) && g->port <= 65535;
	case HOST_OVER:
		break;
	}
	return false;
}

bool gate_host_complete(const struct gate *g)
{
	return g->host == HOST_NAME || g->host == HOST_V6_END || g->host == HOST_PORT;
}

void gate_host_clear(struct gate *g)
{
	g->host = HOST_START;
	g->host_len = 0;
	g->port = 0;
}

static void gate_target_end(struct gate *g)
{
	g->phase = VERSION;
	g->digits = 0;
}

static void target_first(struct gate *g, unsigned char c)
{
	if (c == '/') {
		g->phase = TARGET_PATH;
		g->match = 1;
	} else if (c == '*' && g->method == HTTP_OPTIONS) {
		g->phase = TARGET_STAR;
	} else if (isalpha(c)) {
		g->phase = TARGET_SCHEME;
		g->absolute = true;
		gate_word_add(g, c);
	} else {
		gate_refuse(g, 400, "The request target is malformed");
	}
}

static void scheme_byte(struct gate *g, unsigned char c)
{
	static const char *const schemes[] = {"http://", "https://"};

	gate_word_add(g, c);
	for (int i = 0; i < 2; i++) {
		if (gate_word_is(g, schemes[i])) {
			g->phase = TARGET_AUTHORITY;
			gate_host_clear(g);
			return;
		}
		if (g->word_len < strlen(schemes[i]) && memcmp(g->word, schemes[i], g->word_len) == 0)
			return;
	}
	gate_refuse(g, 400, "The request target is malformed");
}

static void authority_byte(struct gate *g, unsigned char c)
{
	if (c != '/' && c != '?' && c != ' ') {
		if (!gate_host_byte(g, c))
			gate_refuse(g, 400, "The request target is malformed");
	} else if (!gate_host_complete(g)) {
		gate_refuse(g, 400, "The request target is malformed");
	} else if (c == ' ') {
		gate_target_end(g);
	} else {
		g->phase = c == '/' ? TARGET_PATH : TARGET_QUERY;
		g->match = 1;
	}
}

static void path_byte(struct gate *g, unsigned char c)
{
	static const char batch[] = "/batch/";

	if (c == ' ') {
		gate_target_end(g);
	} else if (c == '?') {
		g->phase = TARGET_QUERY;
	} else if (c == (unsigned char)batch[g->match]) {
		if (++g->match == sizeof batch - 1) {
			g->large = true;
			g->match = 1;
		}
	} else {
		g->match = c == '/';
	}
}

static void target_byte(struct gate *g, unsigned char c)
{
	if (c == '\r' && g->target_len > 0) {
		gate_refuse(g, 505, "Only HTTP/1.0 and HTTP/1.1 are supported");
		return;
	}
	if (c != ' ') {
		if (!is_visible(c)) {
			gate_refuse(g, 400, "The request target is malformed");
			return;
		}
		if (g->target_len == GATE_TARGET_MAX) {
			gate_refuse(g, 414, "The request target is too long");
			return;
		}
		g->target_len++;
	}
	switch ((enum phase)g->phase) {
	case TARGET_START:
		target_first(g, c);
		break;
	case TARGET_SCHEME:
		scheme_byte(g, c);
		break;
	case TARGET_AUTHORITY:
		authority_byte(g, c);
		break;
	case TARGET_PATH:
		path_byte(g, c);
		break;
	default:
		if (c == ' ')
			gate_target_end(g);
		else if (g->phase == TARGET_STAR)
			gate_refuse(g, 400, "The request target is malformed");
	}
}

size_t gate_target_run(struct gate *g, const char *bytes, size_t len)
{
	size_t n = 0, room = GATE_TARGET_MAX - (size_t)g->target_len;
	bool path = g->phase == TARGET_PATH;

	/* Every byte within a possible "/batch/" is examined. */
	if (path && g->match != 0)
		return 0;
	if (len > room)
		len = room;
	while (n < len && is_visible((unsigned char)bytes[n]) && !(path && (bytes[n] == '/' || bytes[n] == '?')))
		n++;
	g->target_len = (uint16_t)(g->target_len + n);
	return n;
}

static void version_byte(struct gate *g, unsigned char c)
{
	static const char name[] = "HTTP/";

	enum { MAJOR = 5, DOT = 6, MINOR = 7, END = 8 };
	uint8_t at = g->digits++;

	if (at < MAJOR ? c == (unsigned char)name[at] : at == DOT ? c == '.' : at != END && isdigit(c)) {
		/* Decides when the last digit of the version is known. */
		if (at == MAJOR)
			g->minor = c == '1' ? 0 : 2;
		if (at == MINOR && (g->minor != 0 || c > '1'))
			gate_refuse(g, 505, "Only HTTP/1.0 and HTTP/1.1 are supported");
		else if (at == MINOR)
			g->minor = c == '1';
	} else if (at == DOT && c == '\r') {
		gate_refuse(g, 505, "Only HTTP/1.0 and HTTP/1.1 are supported");
	} else if (at == END && c == '\r') {
		g->phase = LINE_END;
	} else {
		gate_refuse(g, 400, "The request line is malformed");
	}
}

void gate_line_byte(struct gate *g, unsigned char c)
{
	if (g->phase == METHOD)
		method_byte(g, c);
	else if (g->phase == VERSION)
		version_byte(g, c);
	else
		target_byte(g, c);
}
