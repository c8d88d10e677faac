/* See soak_check.h. With SOAK_PROVE each rule must see the damage that its row describes. */
#include "test/soak/soak_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/db/consistency.h"
#include "test/lib/patience.h"
#include "test/soak/soak_copy.h"
#include "test/soak/soak.h"

enum { OLD_DAYS = 20, GONE_MS = 60000 };

void check_prepare(void)
{
	char sql[640];

	snprintf(sql, sizeof sql,
	    "select kith_partitions((now() - interval '%d days')::date); with made as (insert into events "
	    "(workspace_id, "
	    "id, type, record_id, created_at) select gen_random_uuid(), gen_random_uuid(), 'old', gen_random_uuid(), "
	    "now() - d * interval '1 day' from generate_series(3, %d, 0.01) d returning 1) select count(*) from made",
	    OLD_DAYS, OLD_DAYS);
	database_int(soak.rig.program, sql);
	/* Days pass in seconds for autovacuum, too. */
	if (!cluster_sql(soak.rig.cluster, "alter system set autovacuum_naptime = '1s'", NULL, 0) ||
	    !cluster_sql(soak.rig.cluster, "select pg_reload_conf()", NULL, 0))
		finding_add("database", "autovacuum is not set");
}

void check_running(void)
{
	int64_t until_us = patience_ms(GONE_MS);

	if (!rig_removed(&soak.rig, GONE_MS))
		finding_add("removals", "deleted things are still being removed from records");
	while (
	    rig_int(&soak.rig, "select (select count(*) from webhooks_gone) + (select count(*) from webhook_repeats)"))
		if (!patience_pause(until_us)) {
			finding_add("removals", "webhooks that were deleted, or repeated, are still there");
			break;
		}
}

/* --- rules ---------------------------------------------------------------------------------------------- */

/* With the values of its places: see soak_check_rules.c. */
static const char *check_text(struct arena *a, const char *text)
{
	const struct {
		const char *place, *value;
	} places[] = {{"{end}", arena_printf(a, "%lld", (long long)soak.ended_ms)},
	    {"{stop}", arena_printf(a, "%lld", (long long)soak.stopped_ms)},
	    {"{days}", arena_printf(a, "%.2f", (double)(soak.stopped_ms - soak.began_ms) / (double)soak_days_ms(1))},
	    {"{drained}", arena_printf(a, "%lld", (long long)soak.drained_ms)},
	    {"{day}", arena_printf(a, "%lld", (long long)soak_days_ms(1))},
	    {"{kept}", arena_printf(a, "%lld", (long long)soak_days_ms(soak.retention))},
	    {"{space0}", soak.spaces[0].workspace}, {"{space1}", soak.spaces[1].workspace},
	    {"{space2}", soak.spaces[2].workspace}};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		for (const char *at; (at = strstr(text, places[i].place)) != NULL;)
			text = arena_printf(
			    a, "%.*s%s%s", (int)(at - text), text, places[i].value, at + strlen(places[i].place));
	return text;
}

/* The number of violations; -2: it could not be asked. */
static int64_t check_ask(struct arena *a, const struct check_rule *rule, char error[256])
{
	int64_t n;

	return database_try(soak.rig.program, check_text(a, rule->sql), &n, error) ? n : -2;
}

static void check_rules(const struct check_rule *rules)
{
	struct arena a;

	arena_init(&a);
	for (; rules->what; rules++) {
		char error[256] = "";
		int64_t began_ms = clock_now_ms(), n = check_ask(&a, rules, error);
		printf(
		    "soak: %-70s %lld (%lld ms)\n", rules->what, (long long)n, (long long)(clock_now_ms() - began_ms));
		if (n != 0)
			finding_add(rules->what, "%lld %s", (long long)n, error);
	}
	arena_free(&a);
}

static void check_proof(const struct check_rule *rules)
{
	struct arena a;
	int64_t ignored;

	arena_init(&a);
	for (; rules->what; rules++) {
		char error[256] = "";
		int64_t before = check_ask(&a, rules, error), after;
		if (!database_try(soak.rig.program, check_text(&a, rules->damage), &ignored, error)) {
			finding_add("proof", "%s: no damage is done: %s", rules->what, error);
			continue;
		}
		after = check_ask(&a, rules, error);
		printf("soak: proof: %-60s %lld, damaged %lld %s\n", rules->what, (long long)before, (long long)after,
		    after == -2 ? error : "");
		if (after == before)
			finding_add("proof", "%s does not see damage", rules->what);
	}
	arena_free(&a);
}

/* The webhooks, and the kinds of events, for the person who looks for the cause. */
static void check_explain(const char *what, const char *sql)
{
	const char *text = database_text(soak.rig.program, &soak.rig.arena, check_text(&soak.rig.arena, sql));

	if (text)
		printf("soak: %s: %s\n", what, text);
}

/* The copy of all events in the place of the table. */
static int told_broken(void)
{
	struct program p = *soak.rig.program;
	char url[4096];

	snprintf(url, sizeof url, "%s&options=-c%%20search_path%%3Dsoak%%2Cpublic", p.database_url);
	p.database_url = url;
	return consistency_untold(&p);
}

void check_stopped(void)
{
	soak.stopped_ms = clock_now_ms();
}

void check_all(void)
{
	static const struct check_rule *const all[] = {check_rows, check_events, check_deliveries, check_storage};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		check_rules(all[i]);
	check_explain("webhooks lack", check_missing);
	int broken = consistency_broken(soak.rig.program), untold = told_broken();
	printf("soak: %-70s %d\n", "rules of consistency that are broken", broken);
	printf("soak: %-70s %d\n", "rules of events against records that are broken", untold);
	if (broken + untold)
		finding_add("consistency", "%d and %d rules", broken, untold);
	copy_compare();
	for (size_t i = 0; getenv("SOAK_PROVE") && i < sizeof all / sizeof *all; i++)
		check_proof(all[i]);
}
