/* kith user unlink: accounts of OpenID Connect providers no longer sign in as the user, and the sessions that they have
 * made end. */
#include <stdio.h>
#include <string.h>

#include "server/command/cli.h"

enum { COL_ID, COL_SESSIONS };

int cli_user_unlink(struct config *config, const struct cli_args *args)
{
	const char *issuers;
	size_t issuers_len;
	struct cli_command c;
	struct cli_line line;
	struct uuid id;
	struct sql *s;

	if (!cli_read_id("ID", ID_USER, args->words[1], &id))
		return 2;
	if (!cli_command_begin(&c, config))
		return 1;
	c.notifies = true;
	s = cli_command_add(&c);
	sql_begin_system(s, &c.arena, NULL);
	sql_add_uuid(s, "with gone as (delete from oidc_links where user_id = ", &id);
	sql_add(s, " returning issuer) select coalesce(json_agg(issuer order by issuer), '[]')::text from gone");
	/* A statement of its own, which sees the session of a sign-in that the first one has waited for. */
	s = cli_command_add(&c);
	sql_begin_system(s, &c.arena, NULL);
	sql_add(s, "with ended as (update api_keys set revoked_at = now() where kind = 'session' and issuer "
	           "is not null and revoked_at is null and user_id = ");
	sql_uuid(s, &id);
	sql_add_uuid(s, " returning id) select u.id, (select count(*) from ended) from users u where u.id = ", &id);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	if (db_rows(&c.x, 1) == 0) {
		fprintf(stderr, "kith: there is no such user: \"kith user list --workspace ID\" shows them\n");
		return cli_command_end(&c, 1);
	}
	issuers = db_text(&c.x, 0, 0, 0, &issuers_len);
	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_USER, db_uuid(&c.x, 1, 0, COL_ID));
	json_key(&line.out, "unlinked");
	json_raw(&line.out, issuers, issuers_len);
	json_add_int(&line.out, "endedSessions", db_int(&c.x, 1, 0, COL_SESSIONS));
	cli_line_print(&line);
	return cli_command_end(&c, 0);
}
