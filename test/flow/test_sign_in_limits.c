/* Many attempts to sign in with a password, in two processes at once: the limits count together and hold for any number
 * of attempts at once, and a flood from one site does not hold up others. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "server/base/text.h"
#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/signin/page_post.h"

enum { SERVERS = 2, CROWD = 40, PAIR = 10, NETWORK = 30, ACCOUNT = 100, SITE = 300, FLOOD = 90, WAIT_MS = 60000 };

static const char wrong[] = "eleven green lamas";

RIG("sign_in_limits", .servers = SERVERS, .settings = {"rate_default=0"});

/* --- limits ---------------------------------------------------------------------------------- */

struct attempts {
	const char *account, *network; /* each client has its own account, or its own address behind the text */
	bool own_account, own_network;
	atomic_int tried, refused, other;
};

static bool retry_is_possible(const char *retry_s)
{
	uint64_t s;

	return retry_s && text_uint(retry_s, strlen(retry_s), &s) && s >= 1 && s <= 661;
}

static void attempt_one(void *ctx, int i)
{
	struct attempts *t = ctx;
	struct caller c = stranger_at(i % SERVERS);
	char email[64], network[64];
	struct caller_answer a;

	snprintf(email, sizeof email, "%s%d@example.com", t->account, t->own_account ? i : 0);
	snprintf(network, sizeof network, "%s%d", t->network, t->own_network ? i + 1 : 1);
	a = sign_in(&c, network, email, wrong);
	atomic_fetch_add(a.status == 401 ? &t->tried : a.status == 429 ? &t->refused : &t->other, 1);
	if (a.status == 429 && !retry_is_possible(a.retry_after))
		atomic_fetch_add(&t->other, 1);
	caller_free(&c);
}

static void expect_attempts(int tried, struct attempts *t)
{
	assert_int_equal(atomic_load(&t->other), 0);
	assert_int_equal(atomic_load(&t->tried), tried);
	assert_int_equal(atomic_load(&t->refused), CROWD - tried);
}

/* All at once, at both servers. */
TEST(test_an_account_from_one_network)
{
	struct attempts t = {.account = "pair", .network = "2001:db8:77:1::", .own_network = true};

	caller_crowd_run(CROWD, attempt_one, &t);
	expect_attempts(PAIR, &t);
}

TEST(test_one_network_with_many_accounts)
{
	struct attempts t = {.account = "network", .own_account = true, .network = "198.51.101."};

	caller_crowd_run(CROWD, attempt_one, &t);
	expect_attempts(NETWORK, &t);
}

TEST(test_one_account_from_many_networks)
{
	struct attempts t = {.account = "Account", .network = "203.0.113.", .own_network = true};

	for (int i = 0; i < ACCOUNT - 5; i++)
		assert_true(
		    rig_int(&rig, "select kith_sign_in_try('account0@example.com', 'net %d', '{10,100,30}', 60000000)",
		        i) > 0);
	caller_crowd_run(CROWD, attempt_one, &t);
	expect_attempts(5, &t);
}

/* Somebody who has a whole IPv6 site has 65,536 networks, each with a limit of its own. */
TEST(test_one_site_with_many_networks)
{
	struct attempts t = {
	    .account = "site", .own_account = true, .network = "2001:db8:76:a0::", .own_network = true};
	struct caller c = stranger_at(0);

	for (int i = 0; i < SITE - 5; i++)
		assert_true(rig_int(&rig,
		                "select kith_sign_in_try('one%d@example.com', '2001:0db8:0076:%04x::/64', "
		                "'{10,100,30,300}', 60000000)",
		                i, 0x1000 + i) > 0);
	caller_crowd_run(CROWD, attempt_one, &t);
	expect_attempts(5, &t);
	assert_int_equal(sign_in(&c, "2001:db8:75:a0::1", "site0@example.com", wrong).status, 401);
	caller_free(&c);
}

/* --- floods ---------------------------------------------------------------------------------- */

struct flood {
	atomic_int tried, busy, other;
	int bystander_status;
	int bystander_waited; /* attempts of the flood that ended before the bystander's */
};

/* Somebody elsewhere, who comes when the queue is full. */
static void flood_bystander(struct flood *t)
{
	int64_t until_us = patience_ms(WAIT_MS);
	struct caller c = stranger_at(0);
	int before;

	while (atomic_load(&t->busy) == 0 && atomic_load(&t->tried) < FLOOD / 6 && patience_pause(until_us))
		continue;
	before = atomic_load(&t->tried);
	t->bystander_status = sign_in(&c, "198.51.100.77", "bystander@example.com", wrong).status;
	t->bystander_waited = atomic_load(&t->tried) - before;
	caller_free(&c);
}

static void flood_one(void *ctx, int i)
{
	struct flood *t = ctx;
	struct caller c;
	char email[64], network[64];
	struct caller_answer a;

	if (i == FLOOD) {
		flood_bystander(t);
		return;
	}
	c = stranger_at(0);
	client_timeout(c.client, 240);
	snprintf(email, sizeof email, "flood%d@example.com", i);
	snprintf(network, sizeof network, "2001:db8:99:%x::1", i);
	a = sign_in(&c, network, email, wrong);
	atomic_fetch_add(a.status == 401 ? &t->tried : a.status == 503 ? &t->busy : &t->other, 1);
	if (a.status == 503 && (!a.retry_after || strcmp(a.retry_after, "2") != 0))
		atomic_fetch_add(&t->other, 1);
	caller_free(&c);
}

/* Beyond the queue there is a 503. Others are served meanwhile: people elsewhere wait for a few attempts of one site,
 * not for all. */
TEST(test_more_than_may_wait)
{
	struct flood t = {0};

	caller_crowd_run(FLOOD + 1, flood_one, &t);
	assert_int_equal(atomic_load(&t.other), 0);
	assert_true(atomic_load(&t.tried) >= 67); /* the bystander may have taken a place */
	assert_int_equal(t.bystander_status, 401);
	assert_in_range(t.bystander_waited, 0, FLOOD / 4);
	caller_get(&ada, "/v1/users/me");
}
