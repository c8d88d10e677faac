#include "test/api/hits.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROUTES_MAX = 512 };

static struct hits_route all[ROUTES_MAX];
static bool hit[ROUTES_MAX];
static size_t n_all;

static void routes_load(void)
{
	if (n_all == 0)
		n_all = hits_routes(all, ROUTES_MAX);
}

/* 0 when the path does not fit; otherwise higher the more literal, earlier segments first. */
static unsigned pattern_fit(const char *pattern, const char *path)
{
	unsigned score = 1;

	for (;;) {
		size_t want = strcspn(pattern, "/"), have = strcspn(path, "/?");
		bool any = *pattern == '{';
		if (any ? have == 0 : (want != have || strncmp(pattern, path, want) != 0))
			return 0;
		score = score * 2 + !any;
		pattern += want;
		path += have;
		if (*pattern != '/' || *path != '/')
			return *pattern == '\0' && *path != '/' ? score : 0;
		pattern++;
		path++;
	}
}

void hits_note(const char *method, const char *target, int status)
{
	unsigned best = 0;
	size_t which = 0;

	routes_load();
	if (status >= 400 || *target != '/')
		return;
	for (size_t i = 0; i < n_all; i++) {
		unsigned score = strcmp(all[i].method, method) == 0 ? pattern_fit(all[i].pattern + 1, target + 1) : 0;
		if (score > best) {
			best = score;
			which = i;
		}
	}
	if (best)
		hit[which] = true;
}

int hits_report(void)
{
	int missed = 0;

	routes_load();
	for (size_t i = 0; i < n_all; i++)
		if (!hit[i]) {
			printf("never answered with success: %s %s\n", all[i].method, all[i].pattern);
			missed++;
		}
	return missed;
}
