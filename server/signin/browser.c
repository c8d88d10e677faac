/* Names browsers by their header User-Agent; see browser.h. */
#include "server/signin/browser.h"

#include <string.h>

#include "server/request/server.h"

enum { AGENT_MAX = 200 }; /* characters, all in ASCII */

/* A word of the header, and the name that it stands for. */
struct agent_word {
	const char *word, *name;
};

/* The first word that occurs decides, because most browsers also name those that they resemble. */
static const struct agent_word programs[] = {{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"OPR/", "Opera"},
    {"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
    {"CriOS/", "Chrome"}, {"Chromium/", "Chromium"}, {"HeadlessChrome/", "Chrome"}, {"Chrome/", "Chrome"},
    {"Safari/", "Safari"}, {"curl/", "curl"}, {NULL, NULL}};
static const struct agent_word systems[] = {{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"},
    {"CrOS", "ChromeOS"}, {"Windows", "Windows"}, {"Macintosh", "macOS"}, {"Linux", "Linux"}, {NULL, NULL}};

static const char *agent_find(const struct agent_word *words, const char *agent)
{
	while (words->word && !strstr(agent, words->word))
		words++;
	return words->name;
}

const char *browser_name(struct arena *a, const char *agent)
{
	const char *program = agent_find(programs, agent), *system = agent_find(systems, agent);

	if (program && system)
		return arena_printf(a, "%s on %s", program, system);
	return program ? program : system ? system : "Browser";
}

/* Other characters than visible ASCII become question marks. */
static const char *agent_of(struct req *r)
{
	const char *sent = http_header(r->call, "User-Agent");
	char *agent = arena_printf(&r->arena, "%.*s", AGENT_MAX, sent ? sent : "");

	for (char *c = agent; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return agent;
}

struct browser browser_of(struct req *r)
{
	char *address = arena_alloc(&r->arena, INET6_ADDRSTRLEN);
	struct browser b = {.agent = agent_of(r)};

	b.name = browser_name(&r->arena, b.agent);
	b.address = proxies_client(&r->server->proxies, r->call, r->in, address);
	return b;
}
