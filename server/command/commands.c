/* The table of commands is the only place where a command is added. main.c reads the command line by it, and the help,
 * the man page and the shell completion are generated from it. */
#include "server/command/commands.h"

#include <string.h>

const struct program_command commands[] = {
    {"serve", NULL, "", "Serves the API until SIGTERM. SIGHUP reloads the log level and the rate limits.", cli_serve},
    {"setup", NULL, "[--admin URL] [--print]",
        "Creates the login and the database that database_url names, and the roles of kith, and says what it created.\n"
        "Run it as root or postgres on PostgreSQL's machine, or give an administrator's connection with --admin.\n"
        "You can run it again. For managed servers, --print prints the statements instead.",
        cli_setup},
    {"doctor", NULL, "",
        "Checks the database and this machine, changes nothing, and says what to do about each finding.\n"
        "It prints one line for each check. The exit status is 1 if there is a finding. See docs/troubleshooting.md.",
        cli_doctor},
    {"migrate", NULL, "[--plan]",
        "Migrates the database to this program's level.\n"
        "It prints one line for each step. --plan only prints the steps.",
        cli_migrate},
    {"backup", NULL, "DIR [--passphrase-file FILE] [--without-secret] [--file-key FILE]",
        "Writes a dump of the database, the sealed secret file and a manifest to a new directory.\n"
        "The passphrase that seals the secret file may also be in KITH_BACKUP_PASSPHRASE. --without-secret leaves\n"
        "the secret file out; without a copy of it nobody can use the webhooks' secrets in the dump. --file-key,\n"
        "or KITH_FILE_KEY, is a secret that proves who made the backup; restore demands it.\n"
        "See docs/backup.md.",
        cli_backup},
    {"restore", NULL, "DIR [--passphrase-file FILE] [--without-secret] [--file-key FILE] [--trust-file]",
        "Restores a backup into an empty database, with its secret file.\n"
        "It checks everything before it writes anything, and restores the database in one transaction. It refuses\n"
        "a backup without the HMAC of --file-key, unless you give --trust-file: then you trust everybody who\n"
        "could have changed the backup.",
        cli_restore},
    {"workspace", "create", "--name NAME", "Creates and lists workspaces.", cli_workspace_create},
    {"workspace", "list", "", NULL, cli_workspace_list},
    {"workspace", "export", "ID -o FILE [--seal KEYFILE] [--file-key FILE]",
        "Exports a whole workspace, as it is at one moment, to a file, and imports it into another installation.\n"
        "--file-key, or KITH_FILE_KEY, is a secret that proves who made the file. import refuses a file without\n"
        "it, unless you give --trust-file: then you trust everybody who could have changed the file. --seal names\n"
        "a key file, created if it is missing, that encrypts the webhooks' secrets in the file. Without it, only\n"
        "an installation with the same secret_file can import them. --webhooks-off makes the copy's webhooks\n"
        "inactive.",
        cli_workspace_export},
    {"workspace", "import", "FILE [--seal KEYFILE] [--webhooks-off] [--file-key FILE] [--trust-file]", NULL,
        cli_workspace_import},
    {"workspace", "move", "ID --to URL --address URL [--to-secret-file FILE] [--hold SECONDS]",
        "Moves a workspace to another cell while it is in use.\n"
        "--to is that cell's database_url, --address is where clients reach it. Writes are held only for the last\n"
        "seconds. After an interruption run the same command again to continue, or use --cancel to end the move.",
        cli_workspace_move},
    {"workspace", "move", "ID --cancel", NULL, cli_workspace_move_cancel},
    {"user", "create", "--workspace ID --email EMAIL --name NAME [--role admin|member]",
        "Creates, changes and lists the users of a workspace; the default role is member.\n"
        "create and invite print a link with which the user sets a password and signs in, once, within 7 days; a\n"
        "password that the user has stays valid until then. Disabling a user ends their sessions, applications and\n"
        "links. Their keys are refused from the next request on, and the webhooks that the user created become\n"
        "inactive. The user's records stay. unlink forgets which accounts of an OpenID Connect provider sign in as\n"
        "the user, and ends the sessions that they have made.",
        cli_user_create},
    {"user", "update", "ID [--role admin|member] [--name NAME]", NULL, cli_user_update},
    {"user", "invite", "ID", NULL, cli_user_invite},
    {"user", "disable", "ID", NULL, cli_user_disable},
    {"user", "enable", "ID", NULL, cli_user_enable},
    {"user", "unlink", "ID", NULL, cli_user_unlink},
    {"user", "list", "--workspace ID", NULL, cli_user_list},
    {"key", "create",
        "--user ID [--name NAME] [--expires 90d] [--scope read,write,delete,admin] [--groups ID,...] [--read-only]",
        "Creates, replaces, lists and revokes API keys.\n"
        "A new key is shown only once. A revoked key fails at the next request. --scope: what the key may do, by\n"
        "default everything; --read-only means --scope read. --scope contacts or calendar makes the password of a\n"
        "device, and prints the url to enter there. contacts,read only reads; contacts,delete also deletes.\n"
        "--groups: the only groups that the key can see. When a key ends, sessions made from it end.\n"
        "rotate creates a new key with the same rights; the old key stays valid for another 24h, or for the time\n"
        "of --valid-for.",
        cli_key_create},
    {"key", "rotate", "ID [--valid-for 24h]", NULL, cli_key_rotate},
    {"key", "list", "--workspace ID", NULL, cli_key_list},
    {"key", "revoke", "ID", NULL, cli_key_revoke},
    {"demo", NULL, "",
        "Creates a demo workspace with users and a few hundred contacts, once, and prints a key.\n"
        "It also prints a link that signs in a browser, once.",
        cli_demo},
    {"listen", NULL, "--forward URL --key KEY [--url BASE] [--after CURSOR] [--events TYPE,...] [--secret SECRET]",
        "Posts the events that the key's user may see to an address of yours, signed as webhooks are.\n"
        "Use it while you develop a receiver. The first line shows the signing secret. Then there is one line for\n"
        "each event with the status of its answer; no event is posted twice. --url: the server to follow, by\n"
        "default the one of the settings. --after: a cursor of the feed, by default from now on. --events: only\n"
        "these types. --secret: the secret of an earlier run, or of your receiver: whsec_ and the base64 of 24 to\n"
        "64 bytes.",
        cli_listen},
    {"trigger", NULL, "EVENT --forward URL [--secret SECRET]",
        "Posts a sample event of that type to an address of yours, signed as webhooks are. It needs no server.",
        cli_trigger},
    {"import", NULL,
        "FILE|- [--key KEY] [--url BASE] [--as people|companies|objects|notes|tasks|interactions] [--group G] "
        "[--type T] [--map FILE] [--match FIELD] [--encoding NAME] [--keep-ids FIELD] [--make-fields] "
        "[--make-groups] [--make-options] [--make-contacts] [--group-contacts] [--dry-run]",
        "Imports people, companies and other records from CSV, vCard or NDJSON, each exactly once, and can undo it.\n"
        "FILE.kith records what is done: after an interruption run the same command again. FILE.refused.csv (or\n"
        ".ndjson) gets the records that the server refuses, with the reasons. The key may be in KITH_KEY.\n"
        "See docs/importing.md.",
        cli_import},
    {"import", NULL, "--undo FILE [--key KEY] [--url BASE]", NULL, cli_import},
    {"export", NULL,
        "KIND [--key KEY] [--url BASE] [--format ndjson|csv|vcard] [--filter QUERY] [--group G] [--type T] [-o FILE] "
        "[--continue]",
        "Exports people, companies, objects, notes, tasks, interactions or events.\n"
        "The last line on stderr is the cursor from which the feed of events continues. --continue completes a\n"
        "FILE that was cut off. The key may be in KITH_KEY. See docs/importing.md.",
        cli_export},
    {"erase", NULL, "--person ID --reason TEXT [--workspace ID] [--by NAME] [--values FILE|-] [--max-seconds N]",
        "Deletes a person as the API does, and erases the person's values in past events and stored answers.\n"
        "Then it searches every table for what remains. --verify only searches, for a person's id and for the\n"
        "values in a file, one per line (-: stdin). The exit status is 1 if something remains; the lines say\n"
        "where, never what. --list shows who was erased and why. After an interruption run the same command\n"
        "again. See docs/erasure.md.",
        cli_erase},
    {"erase", NULL, "--verify [--person ID] [--workspace ID] [--values FILE|-] [--max-seconds N]", NULL,
        cli_erase_verify},
    {"erase", NULL, "--list", NULL, cli_erase_list},
    {"explain", NULL, "QUERY --workspace ID [--resource people|companies|tasks] [--user ID] [--analyze]",
        "Prints the statement of a list and its plan.\n"
        "QUERY is the part after the '?', such as 'filter[emails][like]=x'. The list is read as --user, or as an\n"
        "admin.",
        cli_explain},
    {"explain", NULL, "QUERY --workspace ID --group ID --type NAME [--user ID] [--analyze]", NULL, cli_explain},
    {"config", NULL, "", "Shows every setting with its value, default, unit and meaning.", cli_config},
};

const int n_commands = sizeof commands / sizeof *commands;

const struct program_command *commands_line(const char *name, const struct program_command *c)
{
	for (c = c ? c + 1 : commands; c < commands + n_commands; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const char *commands_behind(const char *usage, const char *option, size_t len)
{
	for (const char *at = usage; (at = strchr(at, '-')); at += strcspn(at, " ]"))
		if ((at == usage || strchr(" [", at[-1])) && strncmp(at, option, len) == 0 && strchr(" ]", at[len]))
			return at + len;
	return NULL;
}
