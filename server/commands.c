/* The table of commands: the one place where a command is added. The command line is read by it, and the help, the man
 * page and the shell's completion are made of it. */
#include "server/commands.h"

#include <string.h>

const struct program_command commands[] = {
    {"serve", NULL, "", "Serves the API until SIGTERM; SIGHUP reloads the log level and the rate limits.", serve_run},
    {"setup", NULL, "[--admin URL] [--print]",
        "Makes the login and the database that database_url names, and the roles of kith, and says what it made.\n"
        "Run it as root or postgres on the machine of PostgreSQL, or name an administrator's connection by --admin.\n"
        "It may run again. --print prints the statements instead, for managed servers.",
        cli_setup},
    {"doctor", NULL, "",
        "Looks at the database and this machine, changes nothing, and says what to do about each finding.\n"
        "One line for each check; exit status 1 when there is a finding. See docs/operating.md.",
        cli_doctor},
    {"migrate", NULL, "[--plan]",
        "Migrates the database to this program's level, with one line for each step; --plan only prints the steps.",
        cli_migrate},
    {"backup", NULL, "DIR [--passphrase-file FILE] [--without-secret] [--file-key FILE]",
        "Writes a dump of the database, the sealed secret file and a manifest to a new directory.\n"
        "The passphrase that seals may also stand in KITH_BACKUP_PASSPHRASE. --without-secret leaves the secret file\n"
        "out: without a copy of it the webhooks' secrets in the dump cannot be used. --file-key, or KITH_FILE_KEY: a "
        "secret\n"
        "that shows who made the backup; restore demands it. See docs/operating.md.",
        cli_backup},
    {"restore", NULL, "DIR [--passphrase-file FILE] [--without-secret] [--file-key FILE] [--trust-file]",
        "Restores such a backup into an empty database, with its secret file.\n"
        "Everything is checked before anything is written, and the database is restored in one transaction.\n"
        "A backup without the HMAC of --file-key is refused, unless --trust-file says that everybody who could have\n"
        "changed it is trusted.",
        cli_restore},
    {"workspace", "create", "--name NAME", "Creates and lists workspaces.", cli_workspace_create},
    {"workspace", "list", "", NULL, cli_workspace_list},
    {"workspace", "export", "ID -o FILE [--seal KEYFILE] [--file-key FILE]",
        "Exports everything of a workspace to a file, of one moment, and imports it into another installation.\n"
        "--file-key, or KITH_FILE_KEY: a secret that shows who made the file; import refuses a file without it, "
        "unless\n"
        "--trust-file says that everybody who could have changed the file is trusted.\n"
        "--seal: a key's file, made if it is absent, that encrypts the webhooks' secrets in the file; without it only "
        "an\n"
        "installation with the same secret_file can import them. --webhooks-off: the copy's webhooks are inactive.",
        cli_workspace_export},
    {"workspace", "import", "FILE [--seal KEYFILE] [--webhooks-off] [--file-key FILE] [--trust-file]", NULL,
        cli_workspace_import},
    {"workspace", "move", "ID --to URL --address URL [--to-secret-file FILE] [--hold SECONDS]",
        "Moves a workspace to another cell while it works: --to is that cell's database_url, --address where clients "
        "reach it.\n"
        "Writes are held for the last seconds only. After any end the same command goes on; --cancel gives it up.",
        cli_workspace_move},
    {"workspace", "move", "ID --cancel", NULL, cli_workspace_move_cancel},
    {"user", "create", "--workspace ID --email EMAIL --name NAME [--role admin|member]",
        "Creates, changes and lists the users of a workspace; the default role is member.\n"
        "The keys of a disabled user are refused from the next request on, and the webhooks they created become "
        "inactive;\n"
        "what belongs to them stays.",
        cli_user_create},
    {"user", "update", "ID [--role admin|member] [--name NAME]", NULL, cli_user_update},
    {"user", "disable", "ID", NULL, cli_user_disable},
    {"user", "enable", "ID", NULL, cli_user_enable},
    {"user", "list", "--workspace ID", NULL, cli_user_list},
    {"key", "create",
        "--user ID [--name NAME] [--expires 90d] [--scope read,write,delete,admin] [--groups ID,...] [--read-only]",
        "Creates, replaces, lists and revokes API keys.\n"
        "A new key is shown only once; a revoked one fails at the next request. --scope: what the key may do, all by\n"
        "default; --read-only is --scope read. --groups: the only groups that there are for it. rotate makes a key of "
        "the\n"
        "same rights in its place, and the former one is good for another 24h, or as long as --valid-for says.",
        cli_key_create},
    {"key", "rotate", "ID [--valid-for 24h]", NULL, cli_key_rotate},
    {"key", "list", "--workspace ID", NULL, cli_key_list},
    {"key", "revoke", "ID", NULL, cli_key_revoke},
    {"demo", NULL, "", "Creates a demo workspace with users and a few hundred contacts, once, and prints a key.",
        cli_demo},
    {"listen", NULL, "--forward URL --key KEY [--url BASE] [--after CURSOR] [--events TYPE,...] [--secret SECRET]",
        "Posts the events that the key's user may see to an address of yours, signed as webhooks are.\n"
        "It follows them while you develop a receiver. The first line shows the signing secret, then there is a "
        "line for each\n"
        "event with its answer's status; nothing is posted twice. --url: the server to follow, by default the one\n"
        "of the settings; --after: a cursor of the feed, by default from now on; --events: only these types;\n"
        "--secret: one that an earlier run has shown, or a receiver's own: whsec_ and the base64 of 24 to 64 bytes.",
        cli_listen},
    {"trigger", NULL, "EVENT --forward URL [--secret SECRET]",
        "Posts a sample event of that type to an address of yours, signed as webhooks are; needs no server.",
        cli_trigger},
    {"import", NULL,
        "FILE|- [--key KEY] [--url BASE] [--as people|companies|objects|notes|tasks|interactions] [--group G] "
        "[--type T] [--map FILE] [--match FIELD] [--encoding NAME] [--make-fields] [--make-groups] [--dry-run]",
        "Imports people, companies and other records from CSV, vCard or NDJSON, exactly once, and undoes it.\n"
        "FILE.kith holds what is done: run the same line again after any end. FILE.refused.csv (or .ndjson) gets what\n"
        "the server refuses, with the reasons. The key may stand in KITH_KEY. See docs/importing.md.",
        cli_import},
    {"import", NULL, "--undo FILE [--key KEY] [--url BASE]", NULL, cli_import},
    {"export", NULL,
        "KIND [--key KEY] [--url BASE] [--format ndjson|csv|vcard] [--filter QUERY] [--group G] [--type T] [-o FILE] "
        "[--continue]",
        "Exports people, companies, objects, notes, tasks, interactions or events.\n"
        "The last line on stderr is the cursor from which the feed of events goes on. --continue goes on with a FILE\n"
        "that was cut. The key may stand in KITH_KEY. See docs/importing.md.",
        cli_export},
    {"erase", NULL, "--person ID --reason TEXT [--workspace ID] [--by NAME] [--values FILE|-] [--max-seconds N]",
        "Deletes a person as the API does, and erases their values in past events and stored answers.\n"
        "Then it looks through every table for what remains. --verify does that alone, for a person's id and for the "
        "values in\n"
        "a file, one a line (-: stdin). Exit status 1 when something remains: lines say where, never what. --list "
        "shows\n"
        "who was erased, and why. After any end the same command goes on. See docs/erasure.md.",
        cli_erase},
    {"erase", NULL, "--verify [--person ID] [--workspace ID] [--values FILE|-] [--max-seconds N]", NULL,
        cli_erase_verify},
    {"erase", NULL, "--list", NULL, cli_erase_list},
    {"explain", NULL, "QUERY --workspace ID [--resource people|companies|tasks] [--user ID] [--analyze]",
        "Prints the statement of a list and its plan: QUERY is the part after the '?', such as "
        "'filter[emails][like]=x'. Seen as the user, or as an admin.",
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
	for (const char *at = usage; (at = strchr(at, '-')) != NULL; at += strcspn(at, " ]"))
		if ((at == usage || strchr(" [", at[-1])) && strncmp(at, option, len) == 0 && strchr(" ]", at[len]))
			return at + len;
	return NULL;
}
