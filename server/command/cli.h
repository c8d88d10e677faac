/* The commands of the program. */
#ifndef KITH_SERVER_COMMAND_CLI_H
#define KITH_SERVER_COMMAND_CLI_H

#include "server/base/json.h"
#include "server/config/config.h"
#include "server/embedded/command_session.h"
#include "webhook/event.h"

enum { CLI_WORDS_MAX = 3, CLI_OPTIONS_MAX = 16 };

/* The words and options after the command's name, without settings. They fit one usage line of the command
 * (commands.c). */
struct cli_args {
	const char *words[CLI_WORDS_MAX]; /* the verb, if the command has one, and the word in capitals */
	int n_words, n_options;
	struct cli_option {
		const char *name, *value;
		size_t len; /* length of the name */
	} options[CLI_OPTIONS_MAX];
	int argc; /* as given to config_load(); needed again on SIGHUP */
	char **argv;
};

/* Each command takes over the config. Returns the exit status: 0, 1 (failed) or 2 (wrong usage). */
typedef int command_fn(struct config *config, const struct cli_args *args);

command_fn cli_serve, cli_migrate, cli_workspace_create, cli_workspace_list, cli_config;
command_fn cli_user_create, cli_user_update, cli_user_disable, cli_user_enable, cli_user_list; /* cli_user.c */
command_fn cli_user_invite;                                                                    /* cli_invite.c */
command_fn cli_user_unlink;                                                                    /* cli_unlink.c */
command_fn cli_key_create, cli_key_rotate, cli_key_list, cli_key_revoke;                       /* cli_key.c */
command_fn cli_demo, cli_explain;                       /* demo.c, cli_explain.c */
command_fn cli_listen, cli_trigger;                     /* cli_listen.c */
void cli_trigger_help(void);                            /* prints the types of events */
command_fn cli_import, cli_export;                      /* cli_transfer.c */
command_fn cli_setup, cli_doctor;                       /* cli_setup.c, doctor.c */
command_fn cli_backup, cli_restore;                     /* cli_backup.c, cli_restore.c */
command_fn cli_erase, cli_erase_verify, cli_erase_list; /* cli_erase.c */

/* cli_cell.c */
command_fn cli_workspace_export, cli_workspace_import, cli_workspace_move, cli_workspace_move_cancel;

/* The value of an option ("--name"); "" if it has none, NULL if it was not given. */
const char *cli_option(const struct cli_args *args, const char *name);
const char *cli_option_len(const struct cli_args *args, const char *name, size_t len);

/* In cli_listen.c. cli_is_url() tells whether the text is an http or https address. cli_base_url() returns the server's
 * URL, by default the one of the settings, without a slash at its end; the caller frees it. */
bool cli_is_url(const char *text);
char *cli_base_url(const struct config *config, const char *url);

/* In cli_user.c: locks the workspace of the user, so that of two concurrent changes of users the second one sees what
 * the first one left. The new version makes every running server read the users again. */
struct cli_command;
void cli_user_lock(struct cli_command *c, const struct uuid *user);
/* Adds the event for a user who is not disabled. */
void cli_user_tell(struct cli_command *c, enum event_type type, const struct uuid *user);

struct cli_line;
/* In cli_invite.c: adds the member invitationUrl, the link with that token, or null if nobody could sign in with it;
 * then stderr says why. */
void cli_line_invitation(struct cli_line *l, const struct config *config, const char *token);
/* The server's address, without a slash at its end; the caller frees it. One that stands for every address of this
 * machine is replaced by that of the machine itself. */
char *cli_server_url(const struct config *config);
/* The link, which the caller frees; NULL: nobody could sign in with one. */
char *cli_invitation_link(const struct config *config, const char *token);

/* One line of output, which is one JSON object. */
struct cli_line {
	struct buf text;
	struct json_out out;
};
void cli_line_begin(struct cli_line *l);
void cli_line_member(struct cli_line *l, const char *key, const char *value);
void cli_line_id(struct cli_line *l, const char *key, enum id_kind kind, struct uuid id);
/* Adds a time of a result, or null. */
void cli_line_time(struct cli_line *l, const char *key, const struct db_exchange *x, int statement, int row, int col);
void cli_line_print(struct cli_line *l);

enum { CLI_STATEMENTS_MAX = 5 };

/* Statements that run as one transaction. */
struct cli_command {
	struct session session;
	struct arena arena;
	struct sql *list[CLI_STATEMENTS_MAX];
	int n;
	bool tells;    /* it writes events, whose table needs the partition of today: perhaps no server has run yet */
	bool notifies; /* servers look at once for events, and whether the keys of their streams are still valid */
	struct db_exchange x; /* the results */
};
/* False with the reason on stderr; then the caller must not call cli_command_end(). */
bool cli_command_begin(struct cli_command *c, struct config *config);
struct sql *cli_command_add(struct cli_command *c);
/* False with the reason on stderr. */
bool cli_command_run(struct cli_command *c);
/* Returns a text from the result of the last statement. */
const char *cli_command_text(const struct cli_command *c, int row, int col);
/* Returns status. */
int cli_command_end(struct cli_command *c, int status);

/* These read arguments. False with the reason on stderr. */
bool cli_read_id(const char *option, enum id_kind kind, const char *text, struct uuid *out);
bool cli_read_workspace(const struct cli_args *args, struct uuid *out);
bool cli_valid_name(const char *option, const char *text, size_t max);
/* Reads whole seconds from 1 to most. If the option is not given, *s stays unchanged. */
bool cli_read_seconds(const struct cli_args *args, const char *option, int most, int *s);

#endif
