/* Builds one SQL statement with its parameters.
 *
 * A statement begins with its workspace, which is always parameter $1, and the store refuses to send one whose text
 * does not mention it: the builder keeps tenants apart. Values become binary parameters; only constants and names
 * from our own tables are put into the text. */
#ifndef KITH_STORE_SQL_H
#define KITH_STORE_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"

struct sql_param {
	unsigned type;     /* PostgreSQL type OID */
	const char *value; /* NULL: SQL null */
	int len;           /* bytes */
	int format;        /* 1 binary, 0 text */
};

struct sql {
	struct arena *arena;
	/* The name to prepare it under, one per text; NULL: unnamed, planned with its values. "name:variant" is
	 * prepared only while there are few such names: requests must not exhaust what connections can hold. */
	const char *name;
	char *text;
	size_t len, cap;
	struct sql_param *params;
	int n_params, cap_params;
	bool system; /* begun without a workspace */
	/* NULL, or a text that does the same for several at once, for sql_all(). It yields no row, or one for each, in
	 * their order. */
	const char *for_all;
};

/* Begins a statement for one workspace; its id becomes $1. name: see struct sql. */
void sql_begin(struct sql *s, struct arena *a, const char *name, const struct uuid *workspace);

/* Begins a statement without a workspace. Any file may call it in a function whose constant texts name no table, such
 * as NOTIFY (test/lint/system_sql.sh). For admission, migrations, clean-up and the like, test/lint/allow lists the
 * files. */
void sql_begin_system(struct sql *s, struct arena *a, const char *name);

/* Replaces each "$n" that workspace_id, type_id or field_id is compared with by "(select $n)". The planner then
 * assumes an average number of rows instead of using statistics of that value, which know nothing of rows imported
 * since the last ANALYZE: it would expect none, and all plans would seem equally cheap. */
void sql_average_list(struct sql *s);

/* Appends SQL: a constant, or a name from one of our tables. Never client data. */
void sql_add(struct sql *s, const char *text);
/* The same with printf, for constants and our own numbers. */
void sql_addf(struct sql *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Each appends a new "$n" with its value, which is copied into the arena. */
void sql_uuid(struct sql *s, const struct uuid *id);        /* NULL: null */
void sql_text(struct sql *s, const char *text, size_t len); /* text NULL: null */
void sql_textz(struct sql *s, const char *text);
void sql_int8(struct sql *s, int64_t value);
void sql_int4(struct sql *s, int32_t value);
void sql_int4_null(struct sql *s);
void sql_bool(struct sql *s, bool value);
void sql_bytea(struct sql *s, const void *bytes, size_t len); /* bytes NULL: null */
void sql_time(struct sql *s, int64_t unix_ms);                /* timestamptz */
void sql_time_us(struct sql *s, int64_t unix_us);             /* the same in microseconds */
void sql_time_null(struct sql *s);
void sql_date(struct sql *s, int32_t days); /* days since 1970-01-01 */
void sql_date_null(struct sql *s);
void sql_numeric(struct sql *s, const char *decimal);       /* plain decimal text; NULL: null */
void sql_json(struct sql *s, const char *text, size_t len); /* type json; NULL: null */
void sql_uuid_array(struct sql *s, const struct uuid *ids, size_t count);
void sql_text_array(struct sql *s, const char *const *items, const size_t *lens, size_t count);
void sql_int8_array(struct sql *s, const int64_t *values, size_t count);
void sql_bytea_array(struct sql *s, const void *const *items, const size_t *lens, size_t count);

/* The same after a text of sql_add(), such as " and id = ". */
void sql_add_uuid(struct sql *s, const char *text, const struct uuid *id);
void sql_add_textz(struct sql *s, const char *text, const char *value);
void sql_add_int8(struct sql *s, const char *text, int64_t value);
void sql_add_time(struct sql *s, const char *text, int64_t unix_ms);
void sql_add_uuid_array(struct sql *s, const char *text, const struct uuid *ids, size_t count);

/* Removes and returns the text so far, so that the caller can use it in another place. The parameters stay. */
const char *sql_take(struct sql *s);

/* Replaces the text so far. "$n" is the parameter that was added as the n-th. */
void sql_whole(struct sql *s, const char *text);
/* The same with a text that the build has put into the program (server/base/built_in.h). */
void sql_built_in(struct sql *s, const char *name);

/* Makes all of these, which have one text and one workspace, one statement by their text for_all. Each parameter but
 * the workspace is the array of their values. */
struct sql *sql_all(struct arena *a, const struct sql *const *each, size_t n);

/* Appends "$n" of an existing parameter; 1 is the workspace. */
void sql_again(struct sql *s, int number);

#endif
