/* What is sent on request: order binds what is pending, everything else comes out of order and says so in its
 * request. Rows that wait, wait for an hour here. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/rows.h"
#include "test/lib/webhook/hooked.h"
#include "test/lib/webhook/order.h"

enum { WAIT_MS = 60000 };

static struct receiver *receiver;
static struct hooked hook;
static char since[TIME_TEXT_SIZE];
static atomic_bool refuses;

#define BARE(id) (strchr(id, '_') + 1)

/* --- the rig ---------------------------------------------------------------------------------- */

static struct receiver_behaviour refuse_long(void *ctx, const struct receiver_request *q)
{
	(void)ctx;
	(void)q;
	return atomic_load(&refuses) ? (struct receiver_behaviour){.status = 500, .headers = "Retry-After: 3600\r\n"}
	                             : (struct receiver_behaviour){0};
}

RIG("webhooks_manual", .neighbour = true);

BEFORE_EACH()
{
	atomic_store(&refuses, false);
	time_format(clock_now_ms(), since);
	receiver = receiver_start(&(struct receiver_config){.decide = refuse_long});
	hook = hooked_make(&ada, receiver_url(receiver, "/"), "[{\"eventType\":\"person.updated\",\"filter\":{}}]");
}

AFTER_EACH()
{
	caller_good(SEND("DELETE", NULL, "/v1/webhooks/%s", hook.id));
	receiver_stop(receiver);
}

/* --- records and deliveries ---------------------------------------------------------------------- */

static const char *create_person(void)
{
	return POST("{}", "/v1/people");
}

/* Changes the person and waits until the webhook has a delivery of it in that state. */
static void update_until(const char *person, int number, const char *delivery)
{
	caller_good(caller_sendf(&ada, "PATCH", TEXT("/v1/people/%s", person), NULL, "{\"jobTitle\":\"#%d\"}", number));
	await_rows(number, "deliveries where webhook_id = '%s' and record_id = '%s' and state = '%s'", BARE(hook.id),
	    BARE(person), delivery);
}

/* The record's delivery, counted from 1 in the order of commits. */
static const char *delivery_of(const char *person, int number)
{
	return TEXT("dlv_%s", rows_text("select id::text from deliveries where webhook_id = '%s' and record_id = '%s' "
	                                "order by generation, xid, seq offset %d limit 1",
	                          BARE(hook.id), BARE(person), number - 1));
}

/* As if all of its attempts had been made, or it were not wanted any more. */
static void set_state(const char *delivery, const char *to)
{
	assert_int_equal(rows_change("update deliveries set state = '%s', next_attempt_at = null, n_attempts = 9 where "
	                             "webhook_id = '%s' and id = '%s'",
	                     to, BARE(hook.id), BARE(delivery)),
	    1);
}

static void delivery_retry(const char *delivery)
{
	caller_good(SEND("POST", NULL, "/v1/webhooks/%s/deliveries/%s/retry", hook.id, delivery));
}

static void expect_state(const char *delivery, const char *wanted)
{
	await_rows(1, "deliveries where webhook_id = '%s' and id = '%s' and state = '%s'", BARE(hook.id),
	    BARE(delivery), wanted);
}

static bool is_manual(int i)
{
	char *retry_header = receiver_header(receiver_request(receiver, i), "X-Kith-Retry");
	bool manual = retry_header && strcmp(retry_header, "manual") == 0;

	assert_true(manual || !retry_header);
	free(retry_header);
	return manual;
}

/* Request i is for that person and, unless it is 0, that change. */
static void expect_request(int i, const char *person, int number, bool manual)
{
	const struct receiver_request *q = receiver_request(receiver, i);

	assert_string_equal(hooked_event(&ada.arena, q).record, person);
	if (number)
		assert_non_null(strstr(q->body, TEXT("\"#%d\"", number)));
	assert_int_equal(is_manual(i), manual);
}

/* --- the cases -------------------------------------------------------------------------------------- */

/* A delivery that waits behind others of its record is sent after them, at once; others go on waiting. */
TEST(test_retry_of_held)
{
	const char *person = create_person(), *bystander = create_person();

	atomic_store(&refuses, true);
	update_until(bystander, 1, "pending");
	for (int i = 1; i <= 4; i++)
		update_until(person, i, "pending");
	atomic_store(&refuses, false);
	receiver_clear(receiver);
	delivery_retry(delivery_of(person, 3));
	expect_state(delivery_of(person, 3), "delivered");
	for (int i = 1; i <= 3; i++)
		expect_request(i - 1, person, i, false);
	expect_state(delivery_of(person, 4), "pending");
	expect_state(delivery_of(bystander, 1), "pending");
	assert_int_equal(receiver_count(receiver), 3);
	assert_int_equal(order_of(rig.program, receiver).early, 0);
}

/* What had an end is sent out of order, and says so; what is pending before it goes on waiting. */
TEST(test_retry_of_ended)
{
	static const char *const states[] = {"failed", "cancelled", "delivered"};
	const char *person = create_person();

	atomic_store(&refuses, true);
	for (int i = 1; i <= 2; i++)
		update_until(person, i, "pending");
	atomic_store(&refuses, false);
	receiver_clear(receiver);
	for (int i = 0; i < 3; i++) {
		set_state(delivery_of(person, 2), states[i]);
		delivery_retry(delivery_of(person, 2));
		assert_true(receiver_wait(receiver, i + 1, WAIT_MS));
		expect_request(i, person, 2, true);
		expect_state(delivery_of(person, 2), "delivered");
	}
	expect_state(delivery_of(person, 1), "pending");
	assert_int_equal(receiver_count(receiver), 3);
}

/* A repetition that fails holds nothing up. */
TEST(test_repetition_fails)
{
	const char *person = create_person();

	update_until(person, 1, "delivered");
	atomic_store(&refuses, true);
	delivery_retry(delivery_of(person, 1));
	assert_true(receiver_wait(receiver, 2, WAIT_MS));
	expect_state(delivery_of(person, 1), "pending");
	await_number(2, "select json_array_length(attempts) from deliveries where webhook_id = '%s' and id = '%s'",
	    BARE(hook.id), BARE(delivery_of(person, 1)));
	atomic_store(&refuses, false);
	caller_good(SEND("PATCH", "{\"jobTitle\":\"#2\"}", "/v1/people/%s", person));
	assert_true(receiver_wait(receiver, 3, WAIT_MS));
	expect_request(2, person, 2, false);
}

static void recover_all(int expected)
{
	struct caller_answer a = caller_good(
	    caller_sendf(&ada, "POST", TEXT("/v1/webhooks/%s/recover", hook.id), NULL, "{\"since\":\"%s\"}", since));

	if (!strstr(a.reply.body, TEXT("\"count\":%d}", expected)))
		fail_msg("%d expected: %s", expected, a.reply.body);
}

/* Recovery sends what waits, in order, and what had ended without arriving, which says so. */
TEST(test_recover)
{
	const char *waiting = create_person(), *failed = create_person(), *cancelled = create_person(),
	           *arrived = create_person();

	update_until(arrived, 1, "delivered");
	atomic_store(&refuses, true);
	for (int i = 1; i <= 3; i++)
		update_until(waiting, i, "pending");
	update_until(failed, 1, "pending");
	update_until(cancelled, 1, "pending");
	set_state(delivery_of(failed, 1), "failed");
	set_state(delivery_of(cancelled, 1), "cancelled");
	atomic_store(&refuses, false);
	receiver_clear(receiver);
	recover_all(5);
	await_rows(6, "deliveries where webhook_id = '%s' and state = 'delivered'", BARE(hook.id));
	assert_int_equal(receiver_count(receiver), 5);
	for (int i = 0, n = 0; i < 5; i++) {
		const char *record = hooked_event(&ada.arena, receiver_request(receiver, i)).record;
		bool is_waiting = strcmp(record, waiting) == 0;
		expect_request(i, record, is_waiting ? ++n : 1, !is_waiting);
	}
	recover_all(0);
}

/* What the webhook had skipped comes after later events: it says so, too. */
TEST(test_recover_untried)
{
	const char *person, *body = "{\"subscribedEvents\":[{\"eventType\":\"person.updated\",\"filter\":{}},"
	                            "{\"eventType\":\"person.created\",\"filter\":{}}]}";

	person = create_person();
	update_until(person, 1, "delivered");
	caller_good(SEND("PATCH", body, "/v1/webhooks/%s", hook.id));
	recover_all(1);
	assert_true(receiver_wait(receiver, 2, WAIT_MS));
	expect_request(1, person, 0, true);
	caller_good(SEND("PATCH", "{\"jobTitle\":\"#2\"}", "/v1/people/%s", person));
	assert_true(receiver_wait(receiver, 3, WAIT_MS));
	expect_request(2, person, 2, false);
	assert_int_equal(order_of(rig.program, receiver).early, 0);
}
