/* See deals.h. */
#include "test/lib/model/deals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/patience.h"

struct deals deals;

struct caller_answer deals_post(const char *target, const char *body)
{
	return caller_good(caller_send(&ada, "POST", target, NULL, body));
}

void deals_field(const char *entity, const char *name, const char *rest)
{
	deals_post(
	    TEXT("/v1/groups/%s/custom-fields/%s", deals.group, entity), TEXT("{\"name\":\"%s\",%s}", name, rest));
}

void deals_make(void)
{
	deals.group = deals_post("/v1/groups", "{\"name\":\"G\",\"visibility\":\"public\"}").id;
	deals.in_group = TEXT("\"groups\":[{\"id\":\"%s\"}]", deals.group);
	deals_post(TEXT("/v1/groups/%s/object-types", deals.group), "{\"name\":\"deal\"}");
	deals.target = TEXT("/v1/groups/%s/deal", deals.group);
}

int deals_exchanges(const struct caller_answer *a)
{
	const char *id = client_header(&a->reply, "X-Request-Id"), *line, *member;
	int64_t until_us = patience_ms(60000);
	static char log[4 << 20];
	size_t len;
	FILE *f;

	do {
		f = fopen(servers[0]->log, "r");
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
