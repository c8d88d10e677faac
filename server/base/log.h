/* The log: one JSON object per line on stderr. No secrets and no personal data: messages carry ids, counts, times and
 * reasons. */
#ifndef KITH_SERVER_BASE_LOG_H
#define KITH_SERVER_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };
extern const char *const log_level_names[]; /* "error", "warn", "info", "debug" */

/* False when it is none of the names. */
bool log_level_parse(const char *text, enum log_level *out);
/* Returns the former one. */
enum log_level log_set_level(enum log_level level);
/* Whether lines of that level are written. */
bool log_enabled(enum log_level level);

/* {"time":…,"level":…,"component":…,"message":…} */
void log_message(enum log_level level, const char *component, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define log_error(...) log_message(LOG_ERROR, __VA_ARGS__)
#define log_warn(...) log_message(LOG_WARN, __VA_ARGS__)
#define log_info(...) log_message(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log_message(LOG_DEBUG, __VA_ARGS__)

/* One answered request, logged at LOG_INFO; log.c has the table of its members. Texts may be NULL. Of 429 at most ten
 * lines per key and second are written, of 401 ten per second, of 503 one per cause and second; then a line with the
 * number of the rest. */
struct log_access {
	const char *request_id, *method, *route, *workspace_id, *user_id, *key_id, *error_code;
	const char *tool;              /* the route was reached as a tool of /mcp; NULL: it was not */
	const char *client;            /* address, or "unix" */
	const char *client_request_id; /* of a trusted proxy; anything else than visible ASCII is left out */
	const char *trace;             /* its id stands at the beginning; "" is none */
	const char *path;              /* of a 404, as it was sent, without the query */
	size_t path_len;
	const char *why; /* of a 503 */
	int status;
	size_t bytes_in, bytes_out;
	int64_t duration_us, database_us;
	int exchanges; /* round trips to the database */
	bool replayed;
};
void log_access(const struct log_access *line);

/* Writes the collected lines; called at the end of each turn of the loop and at exit. */
void log_flush(void);

#endif
