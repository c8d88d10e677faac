/* kith listen and kith trigger send events to developers of receivers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/command/cli.h"
#include "webhook/listen.h"

static int listen_refuse(const char *what, const char *why)
{
	fprintf(stderr, "kith: %s %s\n", what, why);
	return 2;
}

bool cli_is_url(const char *text)
{
	return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

/* Returns the URL without a slash at its end. url NULL: the server's URL according to the settings. */
char *cli_base_url(const struct config *config, const char *url)
{
	const char *listen = config->n_listen ? config->listen[0] : "127.0.0.1:8080", *scheme;
	char *base;
	size_t len;

	url = url ? url : config->public_url;
	scheme = url ? "" : "http://";
	url = url ? url : listen;
	len = strlen(scheme) + strlen(url);
	base = mem_alloc(len + 1);
	snprintf(base, len + 1, "%s%s", scheme, url);
	while (len && base[len - 1] == '/')
		base[--len] = '\0';
	return base;
}

/* Checks and completes the options that both commands have. Returns 0 or the exit status. */
static int listen_complete(struct listen_config *c, const struct config *config, const char *url, const char *secret)
{
	if (!cli_is_url(c->forward) || (url && !cli_is_url(url)))
		return listen_refuse(
		    cli_is_url(c->forward) ? "--url" : "--forward", "must begin with http:// or https://");
	if (secret) {
		c->secret_len = listen_secret_parse(c->secret, secret);
	} else {
		c->secret_len = SIGN_SECRET_LEN;
		random_bytes(c->secret, c->secret_len);
	}
	if (!c->secret_len)
		return listen_refuse("--secret", "must be whsec_ and the base64 of 24 to 64 bytes");
	c->base_url = cli_base_url(config, url);
	return 0;
}

int cli_listen(struct config *config, const struct cli_args *args)
{
	struct listen_config c = {.key = cli_option(args, "--key"),
	    .after = cli_option(args, "--after"),
	    .forward = cli_option(args, "--forward")};
	char name[64];
	int status;

	if (!listen_events_parse(c.only, cli_option(args, "--events"), name))
		return listen_refuse(name, "is not a type of event: \"kith trigger --help\" lists the types");
	status = listen_complete(&c, config, cli_option(args, "--url"), cli_option(args, "--secret"));
	if (status == 0)
		status = listen_run(&c);
	free(c.base_url);
	return status;
}

int cli_trigger(struct config *config, const struct cli_args *args)
{
	const char *secret = cli_option(args, "--secret");
	struct listen_config c = {.forward = cli_option(args, "--forward")};
	enum event_type type = event_type_parse(args->words[0], strlen(args->words[0]));
	char text[SIGN_SECRET_TEXT];
	int status;

	if (type == EVENT_TYPES)
		return listen_refuse(args->words[0], "is not a type of event: \"kith trigger --help\" lists the types");
	status = listen_complete(&c, config, NULL, secret);
	if (status == 0 && !secret)
		fprintf(stderr, "kith: the event is signed with %s\n", sign_secret_text(text, c.secret, c.secret_len));
	if (status == 0)
		status = listen_trigger(&c, type);
	free(c.base_url);
	return status;
}

void cli_trigger_help(void)
{
	printf("EVENT is one of:\n\n");
	for (int i = 0; i < EVENT_TYPES; i++)
		printf("  %s\n", event_kinds[i].name);
	printf("\n");
}
