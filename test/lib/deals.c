/* See deals.h. */
#include "test/lib/deals.h"

#include <stdio.h>
#include <string.h>

#include "test/lib/patience.h"
#include <stdlib.h>

struct caller_answer deals_good(struct caller_answer a)
{
	return caller_good(a);
}

struct caller_answer deals_post(struct deals *d, const char *target, const char *body)
{
	return deals_good(caller_send(&d->ada, "POST", target, NULL, body));
}

void deals_field(struct deals *d, const char *entity, const char *name, const char *rest)
{
	deals_post(d, arena_printf(&d->ada.arena, "/v1/groups/%s/custom-fields/%s", d->group, entity),
	    arena_printf(&d->ada.arena, "{\"name\":\"%s\",%s}", name, rest));
}

void deals_open(struct deals *d, const char *name)
{
	rig_open(&d->rig, name, false);
	for (int i = 0; i < 2; i++)
		d->servers[i] = rig_serve(&d->rig, false, NULL);
	caller_init(&d->ada, d->servers[0]->base, d->rig.ada.key);
	d->group = deals_post(d, "/v1/groups", "{\"name\":\"G\",\"visibility\":\"public\"}").id;
	d->in_group = arena_printf(&d->ada.arena, "\"groups\":[{\"id\":\"%s\"}]", d->group);
	deals_post(d, arena_printf(&d->ada.arena, "/v1/groups/%s/object-types", d->group), "{\"name\":\"deal\"}");
	d->target = arena_printf(&d->ada.arena, "/v1/groups/%s/deal", d->group);
}

bool deals_close(struct deals *d)
{
	bool clean = server_stop(d->servers[0]);

	clean = server_stop(d->servers[1]) && clean;
	caller_free(&d->ada);
	rig_close(&d->rig);
	return clean;
}

int deals_exchanges(const struct deals *d, const struct caller_answer *a)
{
	const char *id = client_header(&a->reply, "X-Request-Id"), *line, *member;
	int64_t until_us = patience_ms(5000);
	static char log[4 << 20];
	size_t len;
	FILE *f;

	do {
		f = fopen(d->servers[0]->log, "r");
		len = f ? fread(log, 1, sizeof log - 1, f) : 0;
		log[len] = '\0';
		if (f)
			fclose(f);
		line = strstr(log, id);
		member = line ? strstr(line, "\"exchanges\":") : NULL;
	} while (!member && patience_pause(until_us));
	if (!member) {
		fprintf(stderr, "deals: no access line of %s\n", id);
		exit(1);
	}
	return (int)strtol(member + strlen("\"exchanges\":"), NULL, 10);
}
