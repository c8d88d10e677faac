/* A webhook is changed while its events are being read: events committed after the change are sent as the webhook is
 * then. The sending process stops right before a read, and another process makes the change. */
#include <string.h>

#include <signal.h>

#include "test/lib/await.h"
#include "test/lib/rows.h"
#include "test/lib/server/child.h"
#include "test/lib/webhook/hooked.h"

static struct server_process *sender, *other;
static struct receiver *before, *after;

RIG("webhooks_changed", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	static const char *const settings[] = {"clock_scale=1000", NULL};

	rig_write(rig.orders, "");
	sender = rig_serve_faulty(&rig, false, settings);
	/* From now on it is the sender. */
	await_rows(1, "dispatcher_term where term > 0");
	other = rig_serve(&rig, false, settings);
	caller_turn(&ada, other->base);
	before = receiver_start(&(struct receiver_config){0});
	after = receiver_start(&(struct receiver_config){0});
	assert_true(before && after);
}

AFTER_ALL()
{
	receiver_stop(before);
	receiver_stop(after);
}

static const char *create_person(void)
{
	return POST("{\"firstName\":\"Changed\"}", "/v1/people");
}

static bool has_arrived(struct receiver *r, const char *id)
{
	for (int i = 0; i < receiver_count(r); i++)
		if (strcmp(hooked_event(&ada.arena, receiver_request(r, i)).record, id) == 0)
			return true;
	return false;
}

static void until_arrived(struct receiver *r, const char *id)
{
	await_true(has_arrived(r, id));
}

/* Waits until the sender has stopped before its next read. */
static void until_stopped(void)
{
	await_true(child_stopped(sender->pid));
}

static void change_hook(struct hooked h)
{
	caller_good(caller_sendf(
	    &ada, "PATCH", TEXT("/v1/webhooks/%s", h.id), NULL, "{\"targetUrl\":\"%s\"}", receiver_url(after, "/")));
}

static void go_on(struct hooked h, const char *id)
{
	rig_write(rig.orders, "");
	kill(sender->pid, SIGCONT);
	until_arrived(after, id);
	caller_good(SEND("DELETE", NULL, "/v1/webhooks/%s", h.id));
}

TEST(test_new_events)
{
	struct hooked h = hooked_make(&ada, receiver_url(before, "/"), NULL);
	const char *id;

	until_arrived(before, create_person()); /* loads the webhook */
	rig_write(rig.orders, "dispatch_read_events 1 stop\n");
	create_person();
	until_stopped();
	change_hook(h);
	id = create_person();
	go_on(h, id);
	assert_false(has_arrived(before, id));
}

TEST(test_due_again)
{
	struct hooked h;
	const char *id;
	int tried;

	receiver_behave(before, (struct receiver_behaviour){.status = 500});
	h = hooked_make(&ada, receiver_url(before, "/"), NULL);
	id = create_person();
	until_arrived(before, id);
	rig_write(rig.orders, "dispatch_read_due 1 stop\n");
	until_stopped();
	tried = receiver_count(before);
	change_hook(h);
	go_on(h, id);
	assert_int_equal(receiver_count(before), tried);
}
