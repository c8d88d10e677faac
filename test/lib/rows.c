/* See rows.h. */
#include "test/lib/rows.h"

/* Each call has an arena of its own, because tests also call from threads. */
static int64_t __attribute__((format(printf, 2, 0)))
rows_number(const char *before, const char *format, va_list args, const char *after)
{
	struct arena a;
	int64_t number;

	arena_init(&a);
	number = database_int(rig.program, arena_printf(&a, "%s%s%s", before, arena_vprintf(&a, format, args), after));
	arena_free(&a);
	return number;
}

int64_t rows_count(const char *format, ...)
{
	va_list args;
	int64_t number;

	va_start(args, format);
	number = rows_number("select count(*) from ", format, args, "");
	va_end(args);
	return number;
}

const char *rows_text(const char *format, ...)
{
	va_list args;
	const char *sql;

	va_start(args, format);
	sql = arena_vprintf(&ada.arena, format, args);
	va_end(args);
	return database_text(rig.program, &ada.arena, sql);
}

int64_t rows_change(const char *format, ...)
{
	va_list args;
	int64_t number;

	va_start(args, format);
	number = rows_number("with changed as (", format, args, " returning 1) select count(*) from changed");
	va_end(args);
	return number;
}

void rows_expect(int64_t expected, int64_t ms, bool counted, const char *file, int line, const char *format, ...)
{
	struct arena a;
	const char *text;
	int64_t got;
	va_list args;

	arena_init(&a);
	va_start(args, format);
	text = arena_vprintf(&a, format, args);
	va_end(args);
	text = arena_printf(&a, "%s%s", counted ? "select count(*) from " : "", text);
	if (ms)
		(void)database_until(rig.program, text, expected, ms, &got);
	else
		got = database_int(rig.program, text);
	if (got != expected) {
		print_error("%s: %lld, not %lld\n", text, (long long)got, (long long)expected);
		_fail(file, line);
	}
	arena_free(&a);
}

void rows_make_events(int n, int bytes)
{
	rows_change(
	    "insert into events (workspace_id, id, type, record_id, data) select '%s', gen_random_uuid(), "
	    "'person.updated', gen_random_uuid(), jsonb_build_object('changes', "
	    "jsonb_build_array(jsonb_build_object('path', jsonb_build_array('jobTitle'), 'type', 'set', 'value', "
	    "repeat('x', %d)))) from generate_series(1, %d)",
	    rig.workspace.id + 4, bytes, n);
}
