/* The framing rules, one small function per phase. Each takes one byte. The first rule that a byte violates decides, so
 * the verdict depends only on the bytes. evhttp and the router handle everything beyond framing. */
#include "server/http/gate_private.h"

enum gate_field { OTHER, HOST, CONTENT_LENGTH, TRANSFER_ENCODING, CONNECTION, EXPECT };

enum { LENGTH_DIGITS = 10, CHUNK_DIGITS = 8 };

/* A byte of a field value: no controls but the tab; bytes over 0x7f are opaque (RFC 9110 section 5.5). */
static bool gate_is_value(unsigned char c)
{
	return (c >= 0x20 && c != 0x7f) || c == '\t';
}

/* --- headers and trailers --------------------------------------------------- */

static void field_begin(struct gate *g, unsigned char c)
{
	if (c == '\r') {
		g->phase = HEAD_END;
	} else if (isblank(c)) {
		gate_refuse(g, 400, "A header line must not be folded");
	} else if (!is_token(c)) {
		gate_refuse(g, 400, "A header name is malformed");
	} else if (!g->trailer && g->headers == GATE_HEADERS_MAX) {
		gate_refuse(g, 431, "There are too many headers");
	} else {
		g->headers += !g->trailer;
		g->phase = FIELD_NAME;
		gate_word_clear(g);
		gate_word_add(g, c);
	}
}

static void name_end(struct gate *g)
{
	static const struct {
		const char *name;
		enum gate_field field;
	} known[] = {{"host", HOST}, {"content-length", CONTENT_LENGTH}, {"transfer-encoding", TRANSFER_ENCODING},
	    {"connection", CONNECTION}, {"expect", EXPECT}};

	g->field = OTHER;
	for (size_t i = 0; i < sizeof known / sizeof *known && !g->trailer; i++)
		if (gate_word_is(g, known[i].name))
			g->field = (uint8_t)known[i].field;
	g->phase = FIELD_LEAD;
	g->digits = 0;
	gate_word_clear(g);
	if (g->field == HOST && g->has_host)
		gate_refuse(g, 400, "There is more than one Host header");
	else if (g->field == CONTENT_LENGTH && g->has_length)
		gate_refuse(g, 400, "There is more than one Content-Length header");
	else if (g->field == TRANSFER_ENCODING && g->chunked)
		gate_refuse(g, 400, "There is more than one Transfer-Encoding header");
	else if (g->field == HOST)
		gate_host_clear(g);
	else if (g->field == CONTENT_LENGTH)
		g->body_len = 0;
}

static void name_byte(struct gate *g, unsigned char c)
{
	if (c == ':')
		name_end(g);
	else if (!is_token(c))
		gate_refuse(g, 400, "A header name is malformed");
	else
		gate_word_add(g, c);
}

static void gate_connection_token(struct gate *g)
{
	g->close |= gate_word_is(g, "close");
	g->keep_alive |= gate_word_is(g, "keep-alive");
	gate_word_clear(g);
}

/* Takes a byte of the value of a header that the gate interprets. Leading blanks have been skipped. */
static void known_value_byte(struct gate *g, unsigned char c)
{
	if (g->field == CONNECTION && c == ',') {
		gate_connection_token(g);
	} else if (isblank(c)) {
		g->ended = g->word_len > 0 || g->digits > 0 || g->field == HOST;
	} else if (g->field == HOST) {
		if (g->ended || !gate_host_byte(g, c))
			gate_refuse(g, 400, "The Host header is malformed");
	} else if (g->field == CONTENT_LENGTH) {
		if (g->ended || !isdigit(c) || ++g->digits > LENGTH_DIGITS)
			gate_refuse(g, 400, "The Content-Length header is malformed");
		else
			g->body_len = g->body_len * 10 + (unsigned)(c - '0');
	} else {
		gate_word_add(g, c);
	}
}

static void gate_value_end(struct gate *g)
{
	g->phase = FIELD_END;
	switch ((enum gate_field)g->field) {
	case HOST:
		g->has_host = true;
		if (!gate_host_complete(g))
			gate_refuse(g, 400, "The Host header is malformed");
		break;
	case CONTENT_LENGTH:
		g->has_length = true;
		if (g->digits == 0)
			gate_refuse(g, 400, "The Content-Length header is malformed");
		break;
	case TRANSFER_ENCODING:
		g->chunked = true;
		if (!gate_word_is(g, "chunked") || g->minor == 0)
			gate_refuse(g, 400, "The only Transfer-Encoding is chunked, on HTTP/1.1");
		break;
	case EXPECT:
		if (!gate_word_is(g, "100-continue"))
			gate_refuse(g, 417, "The only supported expectation is 100-continue");
		break;
	case CONNECTION:
		gate_connection_token(g);
		break;
	case OTHER:
		break;
	}
}

static void value_byte(struct gate *g, unsigned char c)
{
	if (c == '\r') {
		gate_value_end(g);
	} else if (!gate_is_value(c)) {
		gate_refuse(g, 400, "A header value contains a control character");
	} else if (g->phase == FIELD_VALUE || !isblank(c)) {
		g->phase = FIELD_VALUE;
		if (g->field != OTHER)
			known_value_byte(g, c);
	}
}

static uint64_t gate_body_cap(const struct gate *g)
{
	return g->large ? g->limits->body_max_batch : g->limits->body_max;
}

static void gate_done(struct gate *g)
{
	g->verdict = GATE_DONE;
}

/* Checks the rules that need all headers, after the empty line. */
static void head_end(struct gate *g)
{
	if (!g->has_host && g->minor == 1)
		gate_refuse(g, 400, "There is no Host header");
	else if (g->chunked && g->has_length)
		gate_refuse(g, 400, "Transfer-Encoding and Content-Length exclude each other");
	else if (g->method == HTTP_HEAD && (g->chunked || g->body_len > 0))
		gate_refuse(g, 400, "A HEAD request must not have a body");
	else if (g->body_len > gate_body_cap(g))
		gate_refuse(g, 413, "The body is too large");
	else if (g->chunked || g->body_len > 0) {
		g->in_body = true;
		g->phase = g->chunked ? CHUNK_SIZE : BODY;
		g->left = g->chunked ? 0 : g->body_len;
		g->digits = 0;
	} else {
		gate_done(g);
	}
}

static void fields_end(struct gate *g, unsigned char c)
{
	if (c != '\n')
		gate_refuse(g, 400, "A line must end with CR LF");
	else if (g->trailer)
		gate_done(g);
	else
		head_end(g);
}

/* --- the body ---------------------------------------------------------------- */

static void chunk_size_byte(struct gate *g, unsigned char c)
{
	if (isxdigit(c) && g->digits < CHUNK_DIGITS) {
		g->digits++;
		g->left = g->left * 16 + (isdigit(c) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10);
	} else if (c == '\r' && g->digits > 0) {
		g->phase = CHUNK_SIZE_END;
		if (g->left > gate_body_cap(g) - g->body_len)
			gate_refuse(g, 413, "The body is too large");
		else
			g->body_len += g->left;
	} else {
		gate_refuse(g, 400, "A chunk size is malformed");
	}
}

static void chunk_byte(struct gate *g, unsigned char c)
{
	bool end = g->phase == CHUNK_DATA_CR;

	if (c != (end ? '\r' : '\n')) {
		gate_refuse(g, 400, end ? "A chunk is longer than its size" : "A line must end with CR LF");
	} else if (end) {
		g->phase = CHUNK_DATA_LF;
	} else if (g->phase == CHUNK_DATA_LF) {
		g->phase = CHUNK_SIZE;
		g->digits = 0;
	} else if (g->left > 0) {
		g->phase = CHUNK_DATA;
	} else {
		g->phase = FIELD_START;
		g->trailer = true;
		g->fields_len = 0;
	}
}

/* --- feeding ------------------------------------------------------------------ */

static bool in_field(const struct gate *g)
{
	return g->phase >= FIELD_START && g->phase <= FIELD_END;
}

static void field_byte(struct gate *g, unsigned char c)
{
	if (!(g->phase == FIELD_START && c == '\r') &&
	    g->fields_len++ == (g->trailer ? GATE_TRAILER_MAX : GATE_FIELDS_MAX)) {
		gate_refuse(g, 431, g->trailer ? "The trailers are too large" : "The headers are too large");
		return;
	}
	switch ((enum phase)g->phase) {
	case FIELD_START:
		field_begin(g, c);
		break;
	case FIELD_NAME:
		name_byte(g, c);
		break;
	case FIELD_LEAD:
	case FIELD_VALUE:
		value_byte(g, c);
		break;
	default:
		g->phase = FIELD_START;
		if (c != '\n')
			gate_refuse(g, 400, "A line must end with CR LF");
	}
}

static void gate_step(struct gate *g, unsigned char c)
{
	if (in_field(g)) {
		field_byte(g, c);
		return;
	}
	switch ((enum phase)g->phase) {
	case LINE_END:
		g->phase = FIELD_START;
		if (c != '\n')
			gate_refuse(g, 400, "A line must end with CR LF");
		break;
	case HEAD_END:
		fields_end(g, c);
		break;
	case CHUNK_SIZE:
		chunk_size_byte(g, c);
		break;
	case CHUNK_SIZE_END:
	case CHUNK_DATA_CR:
	case CHUNK_DATA_LF:
		chunk_byte(g, c);
		break;
	default:
		gate_line_byte(g, c);
	}
}

static size_t value_run(const char *bytes, size_t len)
{
	size_t n = 0;

	while (n < len && gate_is_value((unsigned char)bytes[n]))
		n++;
	return n;
}

static size_t name_run(struct gate *g, const char *bytes, size_t len)
{
	size_t n = 0, room = g->word_len < sizeof g->word ? sizeof g->word - g->word_len : 0;

	if (len > room)
		len = room;
	while (n < len && is_token((unsigned char)bytes[n]))
		gate_word_add(g, (unsigned char)bytes[n++]);
	return n;
}

/* Skips a run of bytes without a special meaning: names, values of other headers and targets make up most of a head. */
static size_t plain_run(struct gate *g, const char *bytes, size_t len)
{
	bool name = g->phase == FIELD_NAME;
	size_t room, n;

	if (g->phase == TARGET_PATH || g->phase == TARGET_QUERY)
		return gate_target_run(g, bytes, len);
	if (!name && (g->phase != FIELD_VALUE || g->field != OTHER))
		return 0;
	room = (g->trailer ? GATE_TRAILER_MAX : GATE_FIELDS_MAX) - (size_t)g->fields_len;
	if (len > room)
		len = room;
	n = name ? name_run(g, bytes, len) : value_run(bytes, len);
	g->fields_len = (uint16_t)(g->fields_len + n);
	return n;
}

void gate_init(struct gate *g, const struct gate_limits *limits)
{
	memset(g, 0, sizeof *g);
	g->limits = limits;
}

void gate_next(struct gate *g)
{
	gate_init(g, g->limits);
}

size_t gate_skip(struct gate *g, size_t len)
{
	if (g->verdict != GATE_MORE || (g->phase != BODY && g->phase != CHUNK_DATA))
		return 0;
	if (len > g->left)
		len = (size_t)g->left;
	g->left -= len;
	if (g->left == 0 && g->phase == BODY)
		gate_done(g);
	else if (g->left == 0)
		g->phase = CHUNK_DATA_CR;
	return len;
}

enum gate_verdict gate_feed(struct gate *g, const char *bytes, size_t len, size_t *used)
{
	size_t at = 0;

	while (at < len && g->verdict == GATE_MORE) {
		bool body = g->in_body;
		size_t n = body ? gate_skip(g, len - at) : 0;

		if (n == 0)
			n = plain_run(g, bytes + at, len - at);
		if (n == 0) {
			gate_step(g, (unsigned char)bytes[at]);
			n = g->verdict != GATE_REFUSED;
		}
		at += n;
		if (!body)
			g->head_len += (uint32_t)n;
	}
	*used = at;
	return (enum gate_verdict)g->verdict;
}

bool gate_keeps_alive(const struct gate *g)
{
	return !g->close && (g->minor == 1 || g->keep_alive);
}
