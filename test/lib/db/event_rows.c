/* See event_rows.h. */
#include "test/lib/db/event_rows.h"

#include <string.h>

#include "server/base/buf.h"
#include "test/lib/db/database.h"

enum { SQL_MAX = 1 << 20 };

#define IDS(column, name, prefix)                                                                                      \
	" || case when coalesce(" #column ", '{}') = '{}' then '{}' else jsonb_build_object('" #name                   \
	"', (select jsonb_agg('" prefix "' || i order by n) from unnest(" #column ") with ordinality u(i, n))) end"

static const char rows[] =
    "with rows as (select xid, seq, jsonb_build_object('type', type, 'record', case split_part(type, '.', 1) "
    "when 'person' then 'per_' when 'company' then 'com_' when 'object' then 'obj_' when 'note' then 'nte_' "
    "when 'task' then 'tsk_' when 'reminder' then 'rmd_' when 'interaction' then 'lit_' when 'user' then 'usr_' else "
    "'wbk_' end || record_id)"
    // clang-format off
    IDS(group_ids, groups, "grp_") IDS(named_group_ids, named, "grp_") IDS(audience, audience, "usr_")
    // clang-format on
    " || case when within_group_id is null then '{}' else jsonb_build_object('within', 'grp_' || within_group_id) end"
    " || case when object_type is null then '{}' else jsonb_build_object('objectType', object_type) end"
    " || case when actor_via = 2 and actor_id is not null and actor_key_id is not null then '{}' "
    "else jsonb_build_object('via', actor_via) end"
    " || coalesce(data::jsonb, '{}') as row from events where xid::text::bigint > ";

int64_t event_rows_last(const struct program *p)
{
	return database_int(p, "select coalesce(max(xid::text::bigint), 0) from events");
}

static void quote_text(struct buf *out, const char *text)
{
	buf_addc(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			buf_addc(out, '\'');
		buf_addc(out, *text);
	}
	buf_addc(out, '\'');
}

const char *event_rows_differ(const struct program *p, struct arena *a, int64_t after, const char *expected)
{
	struct buf sql;
	const char *found;

	buf_init(&sql, SQL_MAX);
	buf_addz(&sql, rows);
	buf_printf(&sql, "%lld), found as (select coalesce(jsonb_agg(row order by xid, seq), '[]') as all from rows) ",
	    (long long)after);
	buf_addz(&sql, "select case when f.all <> ");
	quote_text(&sql, expected);
	buf_addz(&sql, "::jsonb then f.all::text end from found f");
	found = database_text(p, a, sql.data);
	buf_free(&sql);
	return found;
}
