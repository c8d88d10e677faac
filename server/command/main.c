/* Reads the command line by the table of commands, runs a command, and prints the help. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/guard.h"
#include "server/base/near.h"
#include "server/command/cli.h"
#include "server/command/commands.h"
#include "server/config/config.h"
#include "server/config/settings.h"

#ifndef KITH_VERSION
#define KITH_VERSION "unknown"
#endif

enum { NEAR_MAX = 3 };

static void print_usage(FILE *to, const char *before, const char *name)
{
	for (const struct program_command *c = commands_line(name, NULL); c; c = commands_line(name, c)) {
		fprintf(to, "%skith %s%s%s%s%s\n", before, name, c->verb ? " " : "", c->verb ? c->verb : "",
		    *c->usage ? " " : "", c->usage);
		before = "       ";
	}
}

static int print_help(const struct program_command *c)
{
	struct buf text;

	if (c) {
		print_usage(stdout, "Usage: ", c->name);
		printf("\n%s\n\n", c->help);
		if (c->run == cli_trigger)
			cli_trigger_help();
	} else {
		printf("kith %s: a contact and deal management server.\n\n", KITH_VERSION);
		for (c = commands; c < commands + n_commands; c++)
			if (c->help)
				printf("  %-10s %.*s\n", c->name, (int)strcspn(c->help, "\n"), c->help);
		printf("\n"
		       "Run \"kith COMMAND --help\" for the details of a command. Data goes to stdout, one JSON object "
		       "per line;\n"
		       "messages go to stderr. Exit status: 0 (success), 1 (failed) or 2 (wrong usage).\n\n");
	}
	buf_init(&text, 1 << 20);
	config_help(&text);
	fwrite(text.data, 1, text.len, stdout);
	buf_free(&text);
	return 0;
}

/* --- the command line ------------------------------------------------------------------- */

/* The name that is most similar to a mistyped one. */
struct nearest {
	const char *name;
	size_t len, distance;
};

static void nearest_compare(struct nearest *n, const char *name, size_t len, const char *mistyped)
{
	size_t distance = near_distance(name, len, mistyped, strlen(mistyped));

	if (distance < n->distance)
		*n = (struct nearest){name, len, distance};
}

/* Looks for the option in all usage lines of the command. */
static const char *command_behind(const char *name, const char *option, size_t len)
{
	const char *behind = NULL;

	for (const struct program_command *c = commands_line(name, NULL); c && !behind; c = commands_line(name, c))
		behind = commands_behind(c->usage, option, len);
	return behind;
}

static bool refuse_option(const char *name, const char *option, size_t len)
{
	struct nearest near = {.distance = NEAR_MAX + 1};
	char mistyped[64];

	snprintf(mistyped, sizeof mistyped, "%.*s", (int)len, option);
	for (const struct program_command *c = commands_line(name, NULL); c; c = commands_line(name, c))
		for (const char *at = c->usage; (at = strstr(at, "--")); at += 2)
			nearest_compare(&near, at + 2, strcspn(at + 2, " ]"), mistyped + 2);
	for (int i = 0; i < n_settings; i++)
		nearest_compare(&near, settings[i].name, strlen(settings[i].name), mistyped + 2);
	fprintf(stderr, "kith: \"kith %s\" has no option %s%s%.*s%s\n", name, mistyped,
	    near.name ? "; did you mean --" : "", (int)near.len, near.name ? near.name : "", near.name ? "?" : "");
	return false;
}

static bool refuse_value(const char *option, const char *why)
{
	fprintf(stderr, "kith: %.*s %s\n", (int)strcspn(option, "="), option, why);
	return false;
}

/* The settings were removed from argv before. */
static bool read_arguments(const char *name, int argc, char **argv, struct cli_args *args)
{
	for (int i = 0; i < argc; i++) {
		const char *option = argv[i], *value;
		size_t len = strcspn(option, "=");
		bool is_short = len == 2 && option[0] == '-' && command_behind(name, option, len);
		if (strncmp(option, "--", 2) != 0 && !is_short) {
			if (args->n_words < CLI_WORDS_MAX)
				args->words[args->n_words++] = option;
			continue;
		}
		const char *behind = command_behind(name, option, len);
		bool takes = behind && behind[0] == ' ' && behind[1] != '[' && behind[1] != '-';
		if (!behind)
			return refuse_option(name, option, len);
		if (!takes && option[len])
			return refuse_value(option, "takes no value");
		if (args->n_options == CLI_OPTIONS_MAX || cli_option_len(args, option, len))
			return refuse_value(option, "is given twice");
		/* A word that looks like an option may be a value. */
		value = option[len] ? option + len + 1 : takes ? argv[++i] : "";
		if (!value)
			return refuse_value(option, "needs a value");
		args->options[args->n_options++] = (struct cli_option){option, value, len};
	}
	return true;
}

/* Returns how many of the words this usage line takes. */
static int line_words(const struct program_command *c, const struct cli_args *args)
{
	int n = c->verb != NULL;

	if (n && (args->n_words == 0 || strcmp(args->words[0], c->verb) != 0))
		return 0;
	return n + (isupper((unsigned char)*c->usage) && n < args->n_words);
}

/* True when the usage line has every given option, and every option outside brackets is given. */
static bool line_options_fit(const struct program_command *c, const struct cli_args *args)
{
	for (int i = 0; i < args->n_options; i++)
		if (!commands_behind(c->usage, args->options[i].name, args->options[i].len))
			return false;
	for (const char *at = c->usage; (at = strstr(at, "--")); at += 2)
		if ((at == c->usage || at[-1] != '[') && !cli_option_len(args, at, strcspn(at, " ]")))
			return false;
	return true;
}

static const struct program_command *choose_line(const char *name, const struct cli_args *args)
{
	int best = 0;

	for (const struct program_command *c = commands_line(name, NULL); c; c = commands_line(name, c)) {
		int words = line_words(c, args), wanted = (c->verb != NULL) + (isupper((unsigned char)*c->usage) != 0);
		if (words == wanted && words == args->n_words && line_options_fit(c, args))
			return c;
		best = words > best ? words : best;
	}
	if (best < args->n_words)
		fprintf(stderr, "kith: \"kith %s\" does not take \"%s\"\n", name, args->words[best]);
	return NULL;
}

static int no_command(const char *name)
{
	struct nearest near = {.distance = NEAR_MAX};

	for (int i = 0; i < n_commands; i++)
		nearest_compare(&near, commands[i].name, strlen(commands[i].name), name);
	fprintf(stderr, "kith: there is no command \"%s\"%s%s%s \"kith --help\" lists the commands\n", name,
	    near.name ? "; did you mean \"" : ":", near.name ? near.name : "", near.name ? "\"?" : "");
	return 2;
}

static int run_command(const char *name, int argc, char **argv)
{
	size_t size = (size_t)(argc + 1) * sizeof *argv;
	struct cli_args args = {.argc = argc, .argv = memcpy(mem_alloc(size), argv, size)};
	const struct program_command *c = NULL;
	struct config config;
	char error[512];
	int status = 2;

	if (config_load(&config, &argc, argv, error)) {
		argv[argc] = NULL;
		if (read_arguments(name, argc, argv, &args))
			c = choose_line(name, &args);
		if (c)
			status = c->run(&config, &args);
		else
			print_usage(stderr, "kith: usage: ", name);
		config_free(&config);
	} else {
		fprintf(stderr, "kith: %s\n", error);
	}
	free(args.argv);
	return status;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "--help";
	const struct program_command *c = commands_line(name, NULL);

	if (!c || c->run != cli_serve)
		guard_streams(c && c->run == cli_export);
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
	return run_command(name, argc - 2, argv + 2);
}
