/* A step of the build. It writes files that are installed beside the program, from the tables of commands and settings.
 *   manual kith.1              the man page of the program
 *   manual kith.conf.5         the man page of the settings file
 *   manual kith.bash           the completion for bash
 *   manual kith.conf [NAME=VALUE…]   a settings file, where all settings except those given are commented out */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "server/command/commands.h"
#include "server/config/settings.h"

#ifndef KITH_VERSION
#define KITH_VERSION "unknown"
#endif
#ifndef KITH_CONFIG_FILE
#define KITH_CONFIG_FILE ""
#endif

/* The settings file that the man pages name. */
static const char *manual_file(void)
{
	return *KITH_CONFIG_FILE ? KITH_CONFIG_FILE : "/etc/kith/kith.conf";
}

static const char *setting_default(const struct setting *s)
{
	return *s->initial ? s->initial : "unset";
}

/* --- man pages ------------------------------------------------------------------------------ */

/* Writes text so that troff does not take any of it for a request or an escape. */
static void roff_text(const char *text, size_t len)
{
	bool begins = true;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];
		const char *as = c == '\\'   ? "\\e"
		                 : c == '-'  ? "\\-"
		                 : c == '\'' ? "\\(aq"
		                 : c == '^'  ? "\\(ha"
		                 : c == '~'  ? "\\(ti"
		                 : c == '`'  ? "\\(ga"
		                             : NULL;
		if (begins && c == '.')
			fputs("\\&", stdout);
		if (as)
			fputs(as, stdout);
		else
			putchar(c);
		begins = c == '\n';
	}
}

static void roff_line(const char *text)
{
	roff_text(text, strlen(text));
	putchar('\n');
}

static void roff_setting(const struct setting *s, const char *before)
{
	fputs(".TP\n.B ", stdout);
	roff_text(before, strlen(before));
	roff_line(s->name);
	roff_line(s->meaning);
	fputs(".br\n(", stdout);
	roff_text(s->unit, strlen(s->unit));
	fputs("; default: ", stdout);
	roff_text(setting_default(s), strlen(setting_default(s)));
	fputs(")\n", stdout);
}

static void roff_command(const char *name)
{
	printf(".SS kith %s\n", name);
	for (const struct program_command *c = commands_line(name, NULL); c; c = commands_line(name, c)) {
		printf(".B kith %s %s\n", name, c->verb ? c->verb : "");
		roff_line(c->usage);
		puts(".br");
	}
	for (const struct program_command *c = commands_line(name, NULL); c; c = commands_line(name, c))
		if (c->help) {
			puts(".PP");
			roff_line(c->help);
		}
}

/* True for the first line of a command; the lines of a command follow each other in the table. */
static bool is_first_line(int i)
{
	return i == 0 || strcmp(commands[i].name, commands[i - 1].name) != 0;
}

static void manual_program(void)
{
	puts(".TH KITH 1 \"\" \"kith " KITH_VERSION "\" \"User Commands\"\n.SH NAME\n"
	     "kith \\- contact and deal management server\n.SH SYNOPSIS\n.B kith\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
	     ".SH DESCRIPTION\n"
	     "One program and one PostgreSQL server provide a REST API for people, companies, groups, deals, notes, "
	     "tasks and\n"
	     "interactions, with signed webhooks and a feed of events. The same program has the commands that operate "
	     "it.\n"
	     ".PP\nData goes to standard output, one JSON object per line; messages go to standard error.\n"
	     ".SH COMMANDS");
	for (int i = 0; i < n_commands; i++)
		if (is_first_line(i))
			roff_command(commands[i].name);
	puts(".SH OPTIONS\nEvery command takes\n.B \\-\\-config\n.IR FILE ,\n.B \\-\\-help\n"
	     "and the settings below; each of these may also be in the settings file, see\n"
	     ".BR kith.conf (5),\nor in the environment as \\fBKITH_\\fR\\fINAME\\fR. The command line wins, then the "
	     "environment.");
	for (int i = 0; i < n_settings; i++)
		roff_setting(&settings[i], "--");
	printf(".SH EXIT STATUS\n"
	       "0: done; 1: failed; 2: wrong usage or settings.\n"
	       ".SH FILES\n"
	       ".TP\n"
	       ".I %s\n"
	       "the settings; the packaged program reads this file by default\n"
	       ".TP\n"
	       ".I /var/lib/kith\n"
	       "the service's data: the file of the key that encrypts webhook secrets\n"
	       ".SH SEE ALSO\n"
	       ".BR kith.conf (5),\n"
	       ".BR psql (1)\n"
	       ".PP\n"
	       "The pages of a running server: /docs, /console. /usr/share/doc/kith\n",
	    manual_file());
}

static void manual_settings(void)
{
	printf(".TH KITH.CONF 5 \"\" \"kith " KITH_VERSION "\" \"File Formats\"\n"
	       ".SH NAME\n"
	       "kith.conf \\- settings of the contact and deal management server\n"
	       ".SH SYNOPSIS\n"
	       ".I %s\n"
	       ".SH DESCRIPTION\n"
	       "Each line is \\fIname\\fR = \\fIvalue\\fR; a line that begins with # is a comment. A setting in the\n"
	       "environment (\\fBKITH_\\fR\\fINAME\\fR) or on the command line (\\fB\\-\\-\\fR\\fIname value\\fR) wins "
	       "over the file.\n"
	       "\\fBkith config\\fR shows the values in effect, and \\fBsystemctl restart kith\\fR applies a change;\n"
	       "\\fBsystemctl reload kith\\fR applies only log_level and the rate limits.\n"
	       ".PP\n"
	       "The file may contain a password, so only the service's group should be able to read it.\n"
	       ".SH SETTINGS\n",
	    manual_file());
	for (int i = 0; i < n_settings; i++)
		roff_setting(&settings[i], "");
	puts(".SH EXAMPLE\n.nf\ndatabase_url = host=db1.example.com,db2.example.com dbname=kith user=kith\n"
	     "public_url = https://crm.example.com\n.fi\n.SH SEE ALSO\n.BR kith (1)");
}

/* --- the settings file ---------------------------------------------------------------------------- */

/* Returns the value given for a setting as NAME=VALUE, or NULL. */
static const char *given_value(const struct setting *s, int argc, char **argv)
{
	size_t len = strlen(s->name);

	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], s->name, len) == 0 && argv[i][len] == '=')
			return argv[i] + len + 1;
	return NULL;
}

/* False when a name is given that is not a setting. */
static bool manual_conf(int argc, char **argv)
{
	puts("# Settings of kith, one per line: name = value. See kith.conf(5).\n"
	     "# \"kith config\" shows the values in effect; \"systemctl restart kith\" applies a change.\n"
	     "# A line that begins with # is a comment and shows the default.");
	for (int i = 0; i < argc; i++)
		if (!setting_find(argv[i], strcspn(argv[i], "="))) {
			fprintf(stderr, "manual: %s is not a setting\n", argv[i]);
			return false;
		}
	for (int i = 0; i < n_settings; i++) {
		const struct setting *s = &settings[i];
		const char *value = given_value(s, argc, argv);
		printf("\n# %c%s (%s; default: %s)\n", toupper((unsigned char)s->meaning[0]), s->meaning + 1, s->unit,
		    setting_default(s));
		printf(value         ? "%s = %s\n"
		       : *s->initial ? "#%s = %s\n"
		                     : "#%s =\n",
		    s->name, value ? value : s->initial);
	}
	return true;
}

/* --- shell completion ----------------------------------------------------------------------------- */

/* True when a line of the command before c already has the option. */
static bool is_repeated(const struct program_command *c, const char *option, size_t len)
{
	for (const struct program_command *p = commands_line(c->name, NULL); p != c; p = commands_line(c->name, p))
		if (commands_behind(p->usage, option, len))
			return true;
	return false;
}

static void complete_options(const char *name)
{
	for (const struct program_command *c = commands_line(name, NULL); c; c = commands_line(name, c))
		for (const char *at = c->usage; (at = strstr(at, "--")); at += 2) {
			size_t len = strcspn(at, " ]");
			if (!is_repeated(c, at, len))
				printf("%.*s ", (int)len, at);
		}
}

static void complete_commands(void)
{
	for (int i = 0; i < n_commands; i++)
		if (is_first_line(i))
			printf("%s ", commands[i].name);
}

/* Writes the values that may follow an option when its usage lists them as "a|b". Other values are unknown. */
static void complete_values(const struct program_command *c)
{
	for (const char *at = c->usage; (at = strstr(at, "--"));) {
		size_t len = strcspn(at, " ]"), value = at[len] == ' ' ? strcspn(at + len + 1, " ]") : 0;
		const char *text = at + len + 1;
		if (value > 0 && text[0] != '[' && text[0] != '-') {
			printf("\t'%s %.*s') words='", c->name, (int)len, at);
			for (size_t i = 0; memchr(text, '|', value) && i < value; i++)
				putchar(text[i] == '|' ? ' ' : text[i]);
			puts("' ;;");
		}
		at += len;
	}
}

static void complete_settings(void)
{
	puts("\t*' --config') words= ;;");
	for (int i = 0; i < n_settings; i++) {
		const char *words = settings[i].kind == SETTING_SWITCH  ? "on off"
		                    : settings[i].kind == SETTING_LEVEL ? "error warn info debug"
		                                                        : "";
		printf("\t*' --%s') words='%s' ;;\n", settings[i].name, words);
	}
}

static void complete_command(const char *name)
{
	printf("\t%s)\n\t\toptions='", name);
	complete_options(name);
	fputs("'\n\t\tverbs='", stdout);
	for (const struct program_command *c = commands_line(name, NULL); c; c = commands_line(name, c))
		if (c->verb)
			printf("%s ", c->verb);
	puts("' ;;");
}

static void manual_completion(void)
{
	fputs("# Completion of kith's commands, options and settings for bash.\n_kith()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
	      "\tlocal words= options= verbs= settings='--help --config",
	    stdout);
	for (int i = 0; i < n_settings; i++)
		printf(" --%s", settings[i].name);
	puts("'\n\tcase $command in");
	for (int i = 0; i < n_commands; i++)
		if (is_first_line(i))
			complete_command(commands[i].name);
	fputs("\tesac\n\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\twords='", stdout);
	complete_commands();
	puts("--help --version'\n\telse\n\tcase \"$command $before\" in");
	for (int i = 0; i < n_commands; i++)
		complete_values(&commands[i]);
	complete_settings();
	puts("\t*)\n\t\tcase $word in\n\t\t-*) words=\"$options $settings\" ;;\n"
	     "\t\t*) [ \"$COMP_CWORD\" != 2 ] || words=$verbs ;;\n\t\tesac ;;\n\tesac\n\tfi\n"
	     "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\ncomplete -o default -F _kith kith");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool ok = true;

	if (strcmp(what, "kith.1") == 0)
		manual_program();
	else if (strcmp(what, "kith.conf.5") == 0)
		manual_settings();
	else if (strcmp(what, "kith.bash") == 0)
		manual_completion();
	else if (strcmp(what, "kith.conf") == 0)
		ok = manual_conf(argc - 2, argv + 2);
	else
		ok = false;
	return ok && fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
