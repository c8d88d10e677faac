/* The table of commands. */
#ifndef KITH_SERVER_COMMAND_COMMANDS_H
#define KITH_SERVER_COMMAND_COMMANDS_H

#include <stddef.h>

#include "server/command/cli.h"

/* A usage line. A command has one line for each of its verbs or forms. */
struct program_command {
	const char *name, *verb; /* verb NULL: none */
	const char *usage;       /* what follows them: a word in capitals, then the options */
	const char *help;        /* NULL: the help of the line before */
	command_fn *run;
};

extern const struct program_command commands[];
extern const int n_commands;

/* The first line of the command, or the line after c. NULL: there is none. */
const struct program_command *commands_line(const char *name, const struct program_command *c);

/* Returns the text after an option in a usage line, which lists all its options. NULL: it has no such option. */
const char *commands_behind(const char *usage, const char *option, size_t len);

#endif
