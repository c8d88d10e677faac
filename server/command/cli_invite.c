/* kith user invite, and the invitation links that commands print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/command/cli.h"
#include "store/invitations.h"

/* --- links -------------------------------------------------------------------------------- */

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* People sign in under HTTPS, or on this machine (server/request/session_cookie.h). */
static bool people_can_sign_in(const char *base)
{
	return starts_with(base, "https://") || starts_with(base, "http://127.") ||
	       starts_with(base, "http://localhost") || starts_with(base, "http://[::1]");
}

char *cli_server_url(const struct config *config)
{
	static const char any[] = "http://0.0.0.0:", any6[] = "http://[::]:";
	char *base = cli_base_url(config, NULL), *local;
	const char *port = starts_with(base, any)    ? base + strlen(any)
	                   : starts_with(base, any6) ? base + strlen(any6)
	                                             : NULL;
	size_t size = strlen(base) + sizeof "http://127.0.0.1:";

	if (!port || config->public_url)
		return base;
	local = mem_alloc(size);
	snprintf(local, size, "http://127.0.0.1:%s", port);
	free(base);
	return local;
}

char *cli_invitation_link(const struct config *config, const char *token)
{
	char *base = cli_server_url(config), *link = NULL;
	struct arena arena;

	arena_init(&arena);
	if (config->password_sign_in && people_can_sign_in(base))
		link = strdup(invitation_link(&arena, base, token));
	arena_free(&arena);
	free(base);
	return link;
}

void cli_line_invitation(struct cli_line *l, const struct config *config, const char *token)
{
	char *link = cli_invitation_link(config, token);

	if (link) {
		cli_line_member(l, "invitationUrl", link);
	} else {
		json_key(&l->out, "invitationUrl");
		json_null(&l->out);
		fprintf(stderr, config->password_sign_in
		                    ? "kith: nobody could sign in with a link: set public_url to the server's https:// "
		                      "address, then run \"kith user invite ID\"\n"
		                    : "kith: there is no link, because password_sign_in is off\n");
	}
	free(link);
}

/* --- kith user invite --------------------------------------------------------------------- */

static void invite_select(struct cli_command *c, const struct uuid *id)
{
	struct sql *s = cli_command_add(c);

	sql_begin_system(s, &c->arena, NULL);
	sql_add_uuid(s, "select u.email, u.full_name from users u where u.disabled_at is null and u.id = ", id);
}

int cli_user_invite(struct config *config, const struct cli_args *args)
{
	char token[INVITATION_SIZE];
	struct invitation_new invitation = {.token = token};
	struct cli_command c;
	struct cli_line line;
	struct sql *s;

	if (!cli_read_id("ID", ID_USER, args->words[1], &invitation.user))
		return 2;
	invitation.lasts_ms = config_days_ms(config, INVITATION_DAYS);
	if (!cli_command_begin(&c, config))
		return 1;
	invitation_token(token);
	cli_user_lock(&c, &invitation.user);
	s = cli_command_add(&c);
	sql_begin_system(s, &c.arena, NULL);
	invitation_insert_any(s, &invitation);
	cli_user_tell(&c, EVENT_USER_INVITED, &invitation.user);
	invite_select(&c, &invitation.user);
	if (!cli_command_run(&c))
		return cli_command_end(&c, 1);
	if (db_rows(&c.x, c.n - 1) == 0) {
		fprintf(stderr,
		    "kith: there is no such user, or the user is disabled: \"kith user list --workspace ID\" "
		    "shows them\n");
		return cli_command_end(&c, 1);
	}
	cli_line_begin(&line);
	cli_line_id(&line, "id", ID_USER, invitation.user);
	cli_line_member(&line, "fullName", cli_command_text(&c, 0, 1));
	cli_line_member(&line, "email", cli_command_text(&c, 0, 0));
	cli_line_invitation(&line, &c.session.config, token);
	cli_line_print(&line);
	return cli_command_end(&c, 0);
}
