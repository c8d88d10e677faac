/* The log: one JSON object per line on stderr. It has no secrets and no personal data: messages carry ids, counts,
 * times and reasons. */
#ifndef KITH_SERVER_BASE_LOG_H
#define KITH_SERVER_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };
extern const char *const log_level_names[]; /* "error", "warn", "info", "debug" */

/* False when the text is not one of the names. */
bool log_level_parse(const char *text, enum log_level *out);
/* Returns the previous level. */
enum log_level log_set_level(enum log_level level);
/* True when lines of that level are written. */
bool log_enabled(enum log_level level);

/* {"time":…,"level":…,"component":…,"message":…} */
void log_message(enum log_level level, const char *component, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define log_error(...) log_message(LOG_ERROR, __VA_ARGS__)
#define log_warn(...) log_message(LOG_WARN, __VA_ARGS__)
#define log_info(...) log_message(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_message(LOG_DEBUG, __VA_ARGS__)

/* One answered request, logged at LOG_INFO. log.c has the table of its members. Texts may be NULL. At most ten lines
 * with status 429 per key and second are written, ten with 401 per second, and one with 503 per cause and second. A
 * further line has the number of the rest. */
struct log_access {
	const char *request_id, *method, *route, *workspace_id, *user_id, *key_id, *error_code;
	const char *tool;   /* the tool of /mcp through which the route was reached; NULL: it was reached directly */
	const char *client; /* address, or "unix" */
	const char *client_request_id; /* from a trusted proxy; left out unless it is visible ASCII */
	const char *trace;             /* begins with the trace id; "": no trace */
	const char *path;              /* of a 404: the path as it was sent, without the query */
	size_t path_len;
	const char *why; /* of a 503: the reason */
	int status;
	size_t bytes_in, bytes_out;
	int64_t duration_us, database_us;
	int exchanges; /* round trips to the database */
	bool replayed;
};
void log_access(const struct log_access *line);

/* Writes the collected lines. The loop calls it at the end of each turn, and it runs at exit. */
void log_flush(void);

#endif
