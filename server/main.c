/* The program's commands and their help. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/cli.h"
#include "server/config/config.h"
#include "server/config/table.h"
#include "server/serve.h"

#ifndef KITH_VERSION
#define KITH_VERSION "unknown"
#endif

struct program_command {
	const char *name;
	const char *usage;
	const char *help;
	command_fn *run; /* NULL: config, serve and help are handled below */
};

static const struct program_command commands[] = {
    {"serve", "kith serve", "Serves the API until SIGTERM; SIGHUP reloads the log level and the rate limits.", NULL},
    {"migrate", "kith migrate [--plan]",
        "Migrates the database to this program's level, with one line for each step; --plan only prints the steps.",
        cli_migrate},
    {"workspace", "kith workspace create --name NAME\n       kith workspace list", "Creates and lists workspaces.",
        cli_workspace},
    {"user",
        "kith user create --workspace ID --email EMAIL --name NAME [--role admin|member]\n       kith user list "
        "--workspace ID",
        "Creates and lists the users of a workspace; the default role is member.", cli_user},
    {"key",
        "kith key create --user ID [--name NAME] [--read-only]\n       kith key list --workspace ID\n       kith key "
        "revoke ID",
        "Creates, lists and revokes API keys. A new key is shown only once; a revoked one fails at the next request.",
        cli_key},
    {"demo", "kith demo", "Creates a demo workspace with users and a few hundred contacts, once, and prints a key.",
        cli_demo},
    {"listen",
        "kith listen --forward URL --key KEY [--url BASE] [--after CURSOR] [--events TYPE,...] [--secret SECRET]",
        "Posts the events that the key's user may see to an address of yours, signed as webhooks are.\n"
        "It follows them while you develop a receiver. The first line shows the signing secret, then there is a "
        "line for each\n"
        "event with its answer's status; nothing is posted twice. --url: the server to follow, by default the one\n"
        "of the settings; --after: a cursor of the feed, by default from now on; --events: only these types;\n"
        "--secret: one that an earlier run has shown, or a receiver's own: whsec_ and the base64 of 24 to 64 bytes.",
        cli_listen},
    {"trigger", "kith trigger EVENT --forward URL [--secret SECRET]",
        "Posts a sample event of that type to an address of yours, signed as webhooks are; needs no server.",
        cli_trigger},
    {"explain",
        "kith explain QUERY --workspace ID [--resource people|companies|tasks] [--user ID] [--analyze]\n       kith "
        "explain QUERY "
        "--workspace ID --group ID --type NAME [--user ID]",
        "Prints the statement of a list and its plan: QUERY is the part after the '?', such as "
        "'filter[emails][like]=x'. Seen as the user, or as an admin.",
        cli_explain},
    {"config", "kith config", "Shows every setting with its value, default, unit and meaning.", NULL},
};

enum { N_COMMANDS = sizeof commands / sizeof *commands, NEAR_MAX = 3, WORDS_MAX = 8 };

static void print_settings(void)
{
	struct buf text;

	buf_init(&text, 1 << 20);
	config_help(&text);
	fwrite(text.data, 1, text.len, stdout);
	buf_free(&text);
}

static int print_help(const struct program_command *c)
{
	if (c) {
		printf("Usage: %s\n\n%s\n\n", c->usage, c->help);
		if (c->run == cli_trigger)
			cli_trigger_help();
	} else {
		printf("kith %s: a contact and deal management server.\n\n", KITH_VERSION);
		for (int i = 0; i < N_COMMANDS; i++)
			printf(
			    "  %-10s %.*s\n", commands[i].name, (int)strcspn(commands[i].help, "\n"), commands[i].help);
		printf("\n\"kith COMMAND --help\" tells more. Data is printed on stdout, one JSON object a line; "
		       "messages go to\n"
		       "stderr. Exit status: 0, 1 (failed) or 2 (wrong usage).\n\n");
	}
	print_settings();
	return 0;
}

static int show_config(struct config *config, int argc)
{
	struct buf text;

	if (argc)
		return cli_usage("kith config");
	buf_init(&text, 1 << 20);
	config_print(config, &text);
	fwrite(text.data, 1, text.len, stdout);
	buf_free(&text);
	return 0;
}

/* --- mistyped words --------------------------------------------------------------------- */

/* The text after an option in a command's usage, which lists all of them; NULL: no such option. */
static const char *behind_option(const struct program_command *c, const char *name, size_t len)
{
	for (const char *at = c->usage; (at = strstr(at, "--")) != NULL; at += 2)
		if (strncmp(at, name, len) == 0 && strchr(" =]\n", at[len]))
			return at + len;
	return NULL;
}

/* The option or setting that was probably meant; "" for none. */
static void nearest_option(const struct program_command *c, const char *name, char out[64])
{
	size_t best = NEAR_MAX + 1;

	out[0] = '\0';
	for (const char *at = c->usage; (at = strstr(at, "--")) != NULL; at += 2) {
		char option[64];
		snprintf(option, sizeof option, "%.*s", (int)strcspn(at + 2, " =]\n"), at + 2);
		for (char *p = option; *p; p++)
			*p = *p == '-' ? '_' : *p;
		size_t distance = config_distance(option, name);
		if (distance < best) {
			best = distance;
			snprintf(out, 64, "--%.*s", (int)strcspn(at + 2, " =]\n"), at + 2);
		}
	}
	for (int i = 0; i < n_settings; i++)
		if (setting_distance(&settings[i], name) < best) {
			best = setting_distance(&settings[i], name);
			snprintf(out, 64, "--%s", settings[i].name);
		}
}

/* The next word of a usage that does not belong to an option; false at the end of the line. */
static bool usage_word(const char **at, const char **word, size_t *len)
{
	bool value = false;

	for (*at += strspn(*at, " "); **at && **at != '\n'; *at += strspn(*at, " ")) {
		bool option = strncmp(*at, "--", 2) == 0 || strncmp(*at, "[--", 3) == 0, taken = value;
		*word = *at;
		*len = strcspn(*at, " \n");
		*at += *len;
		value = option && (*word)[*len - 1] != ']';
		if (!option && !taken)
			return true;
	}
	return false;
}

/* How many words match the beginning of a line of usage; words in capitals match anything. */
static int words_fit(const char *line, int n, char *const *words)
{
	const char *word;
	size_t len;
	int fit = 0;

	for (int head = 2; head > 0 && usage_word(&line, &word, &len); head--)
		;
	while (fit < n && usage_word(&line, &word, &len) &&
	       (isupper((unsigned char)*word) || (strlen(words[fit]) == len && strncmp(word, words[fit], len) == 0)))
		fit++;
	return fit;
}

static bool words_known(const struct program_command *c, int n, char *const *words)
{
	int best = 0;

	for (const char *line = c->usage; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		int fit = words_fit(line, n, words);
		best = fit > best ? fit : best;
	}
	if (best == n)
		return true;
	fprintf(stderr, "kith: \"kith %s\" does not take \"%s\"\nkith: usage: %s\n", c->name, words[best], c->usage);
	return false;
}

/* Settings have been removed from argv before. */
static bool arguments_known(const struct program_command *c, int argc, char **argv)
{
	char *words[WORDS_MAX];
	int n = 0;

	for (int i = 0; i < argc; i++) {
		size_t len = strcspn(argv[i], "=");
		char name[64], near[64];
		if (strncmp(argv[i], "--", 2) != 0) {
			if (n < WORDS_MAX)
				words[n++] = argv[i];
			continue;
		}
		const char *behind = behind_option(c, argv[i], len);
		if (behind) {
			/* Its value may look like an option. */
			bool takes = behind[0] == ' ' && behind[1] != '[' && behind[1] != '-' && behind[1] != '\n';
			if (takes && argv[i][len] != '=' && ++i == argc) {
				fprintf(stderr, "kith: %s needs a value\nkith: usage: %s\n", argv[i - 1], c->usage);
				return false;
			}
			continue;
		}
		snprintf(name, sizeof name, "%.*s", (int)len, argv[i]);
		nearest_option(c, name + 2, near);
		fprintf(stderr, "kith: \"kith %s\" has no option %s%s%s%s\nkith: usage: %s\n", c->name, name,
		    *near ? "; did you mean " : "", near, *near ? "?" : "", c->usage);
		return false;
	}
	return words_known(c, n, words);
}

static int no_command(const char *name)
{
	const struct program_command *near = NULL;
	size_t best = NEAR_MAX;

	for (int i = 0; i < N_COMMANDS; i++)
		if (config_distance(commands[i].name, name) < best) {
			best = config_distance(commands[i].name, name);
			near = &commands[i];
		}
	fprintf(stderr, "kith: there is no command \"%s\"%s%s%s \"kith --help\" lists them\n", name,
	    near ? "; did you mean \"" : ":", near ? near->name : "", near ? "\"?" : "");
	return 2;
}

static int run_command(const struct program_command *c, int argc, char **argv)
{
	char **all = malloc((size_t)(argc + 1) * sizeof *all); /* as given, for SIGHUP */
	struct config config;
	char error[512];
	int given = argc, status;

	if (!all)
		return 1;
	memcpy(all, argv, (size_t)(argc + 1) * sizeof *all);
	if (!config_load(&config, &argc, argv, error)) {
		fprintf(stderr, "kith: %s\n", error);
		free(all);
		return 2;
	}
	if (!arguments_known(c, argc, argv))
		status = 2;
	else if (c->run)
		status = c->run(&config, argc, argv);
	else if (strcmp(c->name, "config") == 0)
		status = show_config(&config, argc);
	else
		status = argc ? cli_usage(c->usage) : serve_run(&config, given, all);
	config_free(&config);
	free(all);
	return status;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "--help";
	const struct program_command *c = NULL;

	for (int i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			c = &commands[i];
	if (strcmp(name, "--version") == 0) {
		printf("kith %s\n", KITH_VERSION);
		return 0;
	}
	if (!c && (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0))
		return print_help(NULL);
	if (!c)
		return no_command(name);
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return print_help(c);
	return run_command(c, argc - 2, argv + 2);
}
