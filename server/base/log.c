/* The log on stderr. Lines are buffered until log_flush(), so that a turn of the loop costs one write(2). When the
 * reader is too slow, lines are dropped and counted, so memory does not grow. */
#include "server/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/json.h"
#include "server/base/digits.h"
#include "server/base/text.h"
#include "server/base/trace.h"

enum {
	PENDING_MAX = 1024 * 1024, /* bytes of buffered lines */
	DROPPED_ROOM = 256,        /* room beyond PENDING_MAX for the line that reports dropped lines */
	LINE_MAX_BYTES = 16 * 1024,
	MESSAGE_MAX = 2048,
	REFUSALS = 512,      /* keys and causes in one second that have a counter of their own */
	REFUSALS_PROBED = 8, /* slots in which one of them may be */
	REFUSALS_SHOWN = 10, /* lines per key in a second */
	WHO_MAX = 200,       /* bytes of a cause, a client's request id and a path */
};

const char *const log_level_names[] = {
    [LOG_ERROR] = "error",
    [LOG_WARN] = "warn",
    [LOG_INFO] = "info",
    [LOG_DEBUG] = "debug",
};

static enum log_level threshold = LOG_INFO;
static struct buf pending = {.max = PENDING_MAX + DROPPED_ROOM};
static struct buf line = {.max = LINE_MAX_BYTES};
static uint64_t dropped;

bool log_level_parse(const char *text, enum log_level *out)
{
	for (int level = LOG_ERROR; level <= LOG_DEBUG; level++)
		if (strcmp(text, log_level_names[level]) == 0) {
			*out = (enum log_level)level;
			return true;
		}
	return false;
}

enum log_level log_set_level(enum log_level level)
{
	enum log_level former = threshold;

	threshold = level;
	return former;
}

bool log_enabled(enum log_level level)
{
	return level <= threshold;
}

/* Writes a string that may not be UTF-8: messages may quote other programs. */
static void log_put_text(struct json_out *o, const char *text, size_t len)
{
	char clean[MESSAGE_MAX];

	if (!text_utf8_valid(text, len)) {
		if (len > sizeof clean)
			len = sizeof clean;
		for (size_t i = 0; i < len; i++)
			clean[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
		text = clean;
	}
	json_string_len(o, text, len);
}

static void log_put_member(struct json_out *o, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(o, key);
	log_put_text(o, text, strlen(text));
}

/* Writes a member whose text, if there is one, needs no escape. Nearly all members of an access line are like that. */
#define PUT_PLAIN(o, key, text)                                                                                        \
	do {                                                                                                           \
		const char *plain = (text);                                                                            \
		if (plain) {                                                                                           \
			json_key_literal(o, key);                                                                      \
			json_plain(o, plain, strlen(plain));                                                           \
		}                                                                                                      \
	} while (0)

static void log_begin_line(struct json_out *o, enum log_level level)
{
	char time_text[TIME_TEXT_SIZE];

	buf_clear(&line);
	json_out_init(o, &line);
	json_begin_object(o);
	PUT_PLAIN(o, "time", time_format(clock_now_ms(), time_text));
	PUT_PLAIN(o, "level", log_level_names[level]);
}

static void log_end_line(struct json_out *o)
{
	json_end_object(o);
	buf_addc(&line, '\n');
	if (line.overflow || line.len > PENDING_MAX || pending.len > PENDING_MAX - line.len)
		dropped++;
	else
		buf_add(&pending, line.data, line.len);
}

void log_message(enum log_level level, const char *component, const char *format, ...)
{
	char message[MESSAGE_MAX];
	struct json_out o;
	va_list args;

	if (level > threshold)
		return;
	va_start(args, format);
	int wanted = vsnprintf(message, sizeof message, format, args);
	va_end(args);
	size_t len = wanted < 0 ? 0 : (size_t)wanted;
	if (len >= sizeof message)
		len = text_utf8_span(message, sizeof message - 1); /* no partial character */
	if (level == LOG_ERROR && pending.len > PENDING_MAX / 2)
		log_flush(); /* so that an error is not dropped */
	log_begin_line(&o, level);
	log_put_member(&o, "component", component);
	json_key(&o, "message");
	log_put_text(&o, message, len);
	log_end_line(&o);
	if (level == LOG_ERROR)
		log_flush();
}

/* Microseconds as milliseconds with three decimals. */
static void log_put_ms(struct json_out *o, int64_t us)
{
	char text[DIGITS_MAX + 4], *to;
	uint64_t rest = us < 0 ? 0 : (uint64_t)us;

	to = digits_uint(text, rest / 1000);
	*to++ = '.';
	to = digits_padded(to, rest % 1000, 3);
	json_raw(o, text, (size_t)(to - text));
}

/* --- refusals: clients may repeat them as fast as the network allows --------------- */

/* Requests refused with this status in this second: by a key (429) or for a cause (503). */
struct refusals {
	int64_t second;    /* second of the monotonic clock; an earlier second means that the slot is free */
	int status;        /* 0: counts all refusals that found no slot */
	char who[WHO_MAX]; /* the key or the cause; "": unknown */
	unsigned lines, more;
};

static struct refusals refusals[REFUSALS + 1]; /* the last slot counts the refusals without a slot of their own */
static bool refusals_unreported;
static int64_t refusals_reported; /* the second that was reported last */

static void log_refusals_report(struct refusals *r)
{
	char message[100];
	struct json_out o;

	if (r->more > 0) {
		if (r->status != 0)
			snprintf(message, sizeof message, "%u more answers with status %d within a second", r->more,
			    r->status);
		else
			snprintf(message, sizeof message, "%u more refusals within a second", r->more);
		log_begin_line(&o, LOG_INFO);
		log_put_member(&o, "component", "access");
		log_put_member(&o, "message", message);
		if (r->who[0])
			log_put_member(&o, r->status == 503 ? "why" : "key", r->who);
		log_end_line(&o);
	}
	r->lines = r->more = 0;
}

/* Runs at the end of a turn and reports the suppressed lines of past seconds. */
static void log_refusals_report_all(void)
{
	int64_t now = clock_mono_us() / 1000000;

	if (!refusals_unreported || now == refusals_reported)
		return;
	refusals_unreported = false;
	refusals_reported = now;
	for (int i = 0; i <= REFUSALS; i++) {
		if (refusals[i].second < now)
			log_refusals_report(&refusals[i]);
		refusals_unreported |= refusals[i].more > 0;
	}
}

static struct refusals *refusals_find(int status, const char *who, int64_t now)
{
	struct refusals *r = &refusals[REFUSALS];
	unsigned at = (unsigned)status;

	for (const char *c = who; *c; c++)
		at = at * 31 + (unsigned char)*c;
	for (unsigned i = 0; i < REFUSALS_PROBED; i++) {
		struct refusals *slot = &refusals[(at + i) % REFUSALS];
		if (slot->second == now && (slot->status != status || strncmp(slot->who, who, WHO_MAX - 1) != 0))
			continue;
		r = slot;
		break;
	}
	if (r->second == now)
		return r;
	log_refusals_report(r);
	r->second = now;
	r->status = r == &refusals[REFUSALS] ? 0 : status;
	snprintf(r->who, sizeof r->who, "%s", r->status ? who : "");
	return r;
}

/* False when the line is suppressed and counted. */
static bool refusal_shown(const struct log_access *access)
{
	const char *who = access->status == 429 ? access->key_id : access->status == 503 ? access->why : NULL;
	struct refusals *r;

	if (access->status != 401 && access->status != 429 && access->status != 503)
		return true;
	r = refusals_find(access->status, who ? who : "", clock_mono_us() / 1000000);
	if (r->lines++ < (access->status == 503 ? 1 : REFUSALS_SHOWN))
		return true;
	r->more++;
	refusals_unreported = true;
	return false;
}

/* --- the line of a request ----------------------------------------------------------- */

/* The members of a request's line, in their order. docs/running.md has the same table, and make lint compares the
 * two. PLAIN: a text that needs no escape. CUT: any text; at most WHO_MAX bytes of it are written. A member without a
 * value is left out. */
#define ACCESS_MEMBERS                                                                                                 \
	PLAIN("requestId", access->request_id)                                                                         \
	CUT("client_request_id", access->client_request_id, strlen(access->client_request_id))                         \
	TRACE("trace", access->trace)                                                                                  \
	PLAIN("client", access->client)                                                                                \
	PLAIN("method", access->method)                                                                                \
	PLAIN("route", access->route)                                                                                  \
	CUT("path", access->path, access->path_len)                                                                    \
	PLAIN("tool", access->tool)                                                                                    \
	COUNT("status", access->status)                                                                                \
	PLAIN("workspace", access->workspace_id)                                                                       \
	PLAIN("user", access->user_id)                                                                                 \
	PLAIN("key", access->key_id)                                                                                   \
	PLAIN("code", access->error_code)                                                                              \
	CUT("why", access->why, strlen(access->why))                                                                   \
	COUNT("bytesIn", access->bytes_in)                                                                             \
	COUNT("bytesOut", access->bytes_out)                                                                           \
	MS("durationMs", access->duration_us)                                                                          \
	MS("databaseMs", access->database_us)                                                                          \
	COUNT("exchanges", access->exchanges)                                                                          \
	FLAG("replayed", access->replayed)

/* The text is cut between two characters. */
static void log_put_cut(struct json_out *o, const char *key, const char *text, size_t len)
{
	size_t cut = len > WHO_MAX ? WHO_MAX : len;

	while (cut > 0 && cut < len && ((unsigned char)text[cut] & 0xc0) == 0x80)
		cut--;
	json_key(o, key);
	log_put_text(o, text, cut);
}

void log_access(const struct log_access *access)
{
	struct json_out o;

	if (LOG_INFO > threshold || !refusal_shown(access))
		return;
	log_begin_line(&o, LOG_INFO);
#define PLAIN(key, text) PUT_PLAIN(&o, key, text);
#define CUT(key, text, len)                                                                                            \
	if (text)                                                                                                      \
		log_put_cut(&o, key, text, len);
#define TRACE(key, text)                                                                                               \
	if ((text) && *(text)) {                                                                                       \
		json_key_literal(&o, key);                                                                             \
		json_plain(&o, text, TRACE_ID_LEN);                                                                    \
	}
#define COUNT(key, number)                                                                                             \
	json_key_literal(&o, key);                                                                                     \
	json_int(&o, (int64_t)(number));
#define MS(key, us)                                                                                                    \
	json_key_literal(&o, key);                                                                                     \
	log_put_ms(&o, us);
#define FLAG(key, value)                                                                                               \
	json_key_literal(&o, key);                                                                                     \
	json_bool(&o, value);
	ACCESS_MEMBERS
	log_end_line(&o);
}

/* Reports dropped lines, if there are any and room for the report. */
static void add_dropped_line(void)
{
	struct json_out o;
	uint64_t count = dropped;
	char message[64];

	if (count == 0)
		return;
	snprintf(message, sizeof message, "dropped %llu lines", (unsigned long long)count);
	log_begin_line(&o, LOG_WARN);
	log_put_member(&o, "component", "log");
	log_put_member(&o, "message", message);
	json_end_object(&o);
	buf_addc(&line, '\n');
	if (line.len > pending.max - pending.len)
		return;
	buf_add(&pending, line.data, line.len);
	dropped = 0;
}

void log_flush(void)
{
	ssize_t written;

	log_refusals_report_all();
	add_dropped_line();
	if (pending.len == 0)
		return;
	do
		written = write(STDERR_FILENO, pending.data, pending.len);
	while (written < 0 && errno == EINTR);
	if (written < 0) {
		/* EAGAIN: a full pipe may have room later. A broken pipe never will, so everything is dropped. */
		if (errno != EAGAIN && errno != EWOULDBLOCK)
			buf_clear(&pending);
		return;
	}
	/* The rest waits for the next call. */
	memmove(pending.data, pending.data + written, pending.len - (size_t)written);
	pending.len -= (size_t)written;
}
