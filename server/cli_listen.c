/* kith listen, kith trigger: events for developers of receivers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/cli.h"
#include "webhook/listen.h"

static int listen_refuse(const char *what, const char *why)
{
	fprintf(stderr, "kith: %s: %s\n", what, why);
	return 2;
}

static bool is_url(const char *text)
{
	return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

/* The server's URL according to the settings. */
static char *default_url(const struct config *config)
{
	const char *listen = config->n_listen ? config->listen[0] : "127.0.0.1:8080";
	size_t size = strlen(listen) + sizeof "http://";
	char *url;

	if (config->public_url)
		return mem_dupz(config->public_url);
	url = mem_alloc(size);
	snprintf(url, size, "http://%s", listen);
	return url;
}

static bool listen_read_secret(struct listen_config *c, const char *text)
{
	if (!text) {
		c->secret_len = SIGN_SECRET_LEN;
		random_bytes(c->secret, c->secret_len);
		return true;
	}
	c->secret_len = listen_secret_parse(c->secret, text);
	return c->secret_len > 0;
}

static char *listen_base_url(const struct config *config, const char *url)
{
	char *base = url ? mem_dupz(url) : default_url(config);
	size_t len = strlen(base);

	while (len && base[len - 1] == '/')
		base[--len] = '\0';
	return base;
}

int cli_listen(struct config *config, const struct cli_args *args)
{
	const char *url = cli_option(args, "--url"), *events = cli_option(args, "--events");
	const char *secret = cli_option(args, "--secret");
	struct listen_config c = {.key = cli_option(args, "--key"),
	    .after = cli_option(args, "--after"),
	    .forward = cli_option(args, "--forward")};
	char name[64];
	char *base;
	int status;

	if (!is_url(c.forward) || (url && !is_url(url)))
		return listen_refuse(is_url(c.forward) ? "--url" : "--forward", "begins with http:// or https://");
	if (!listen_read_secret(&c, secret))
		return listen_refuse("--secret", "is whsec_ and the base64 of 24 to 64 bytes");
	if (!listen_events_parse(c.only, events, name))
		return listen_refuse(name, "is no type of event: \"kith trigger --help\" lists them");
	base = listen_base_url(config, url);
	c.base_url = base;
	status = listen_run(&c);
	free(base);
	return status;
}

int cli_trigger(struct config *config, const struct cli_args *args)
{
	const char *secret = cli_option(args, "--secret");
	struct listen_config c = {.forward = cli_option(args, "--forward")};
	enum event_type type;
	char *base;
	int status;

	type = event_type_parse(args->words[0], strlen(args->words[0]));
	if (type == EVENT_TYPES)
		return listen_refuse(args->words[0], "is no type of event: \"kith trigger --help\" lists them");
	if (!is_url(c.forward))
		return listen_refuse("--forward", "begins with http:// or https://");
	if (!listen_read_secret(&c, secret))
		return listen_refuse("--secret", "is whsec_ and the base64 of 24 to 64 bytes");
	base = listen_base_url(config, NULL);
	c.base_url = base;
	if (!secret) {
		char text[SIGN_GIVEN_TEXT];
		fprintf(stderr, "kith: signed with %s\n", sign_given_text(text, c.secret, c.secret_len));
	}
	status = listen_trigger(&c, type);
	free(base);
	return status;
}

void cli_trigger_help(void)
{
	printf("EVENT is one of:\n\n");
	for (int i = 0; i < EVENT_TYPES; i++)
		printf("  %s\n", event_kinds[i].name);
	printf("\n");
}
