/* What /metrics says of joint transactions (server/request/joint.h). With joint_always a write that is left alone has a
 * joint transaction, too, so that every write counts as a member, however a slow machine divides them. */
#include "test/lib/http/members.h"
#include "test/lib/server/operated.h"

enum { ROUNDS = 4 };

static struct operated operated;

RIG("joint_metrics", .servers = RIG_NO_SERVER, .faults = true);

BEFORE_ALL()
{
	server = operated_serve(&operated, &rig, true);
	caller_turn(&ada, server->base);
}

AFTER_ALL()
{
	operated_free(&operated);
}

struct joint_sample {
	int64_t committed, split, lost, members;
};

static struct joint_sample sample_read(void)
{
	return (struct joint_sample){
	    .committed = (int64_t)operated_value(&operated, "kith_joint_transactions_total{outcome=\"committed\"}"),
	    .split = (int64_t)operated_value(&operated, "kith_joint_transactions_total{outcome=\"split\"}"),
	    .lost = (int64_t)operated_value(&operated, "kith_joint_transactions_total{outcome=\"lost\"}"),
	    .members = (int64_t)operated_value(&operated, "kith_joint_members_total")};
}

/* What a crowd adds. */
static struct joint_sample crowd_counts(const char *order)
{
	struct joint_sample before = sample_read(), now;

	members_order(TEXT("joint_always 1 errors\n%s", order));
	members_send();
	now = sample_read();
	return (struct joint_sample){.committed = now.committed - before.committed,
	    .split = now.split - before.split,
	    .lost = now.lost - before.lost,
	    .members = now.members - before.members};
}

TEST(what_is_committed_counts_with_its_members)
{
	struct joint_sample added;

	members_begin_people("Committed");
	members_give_keys("committed", 2);
	added = crowd_counts("");
	members_expect_own_answers();
	assert_int_equal(added.committed, members_transactions("Committed"));
	assert_int_equal(added.members, MEMBERS);
	assert_int_equal(added.split, 0);
	assert_int_equal(added.lost, 0);
	members_end();
}

/* A slow machine may leave the refused one by itself, which then counts as nothing, but not each time. */
TEST(the_refused_count_as_members_of_what_is_committed)
{
	bool counted = false;

	for (int round = 0; round < ROUNDS; round++) {
		const char *name = TEXT("Some-%d", round);
		struct joint_sample added;

		members_begin_people(name);
		members[1].body = "{\"companies\":[{\"id\":\"com_01900000-0000-7000-8000-000000000000\"}]}";
		added = crowd_counts("");
		assert_int_equal(members[1].answer.status, 422);
		assert_int_equal(members_people(name), MEMBERS - 1);
		assert_int_equal(added.committed, members_transactions(name));
		assert_int_equal(added.split, 0);
		counted |= added.members == MEMBERS;
		assert_true(added.members == MEMBERS || added.members == MEMBERS - 1);
		members_end();
	}
	assert_true(counted);
}

/* Each of the split transaction's members then has one of its own, which is not joint. */
static void split_once(const char *name, const char *order)
{
	struct joint_sample added;

	members_begin_people(name);
	members_give_keys(name, 2);
	added = crowd_counts(order);
	members_expect_own_answers();
	assert_int_equal(added.split, 1);
	assert_int_equal(added.lost, 0);
	assert_int_equal(added.members, MEMBERS);
	assert_true(members_transactions(name) > added.committed);
	members_end();
}

TEST(what_is_rolled_back_and_runs_again_counts_as_split)
{
	split_once("Changes", "changes_error 3 error\n");
	split_once("Opening", "open_error 3 error\n");
}

/* Every COMMIT takes longer than the server waits for its answer. */
TEST(a_lost_answer_to_commit_counts_as_lost)
{
	struct joint_sample added;

	SQL("create function end_slowly() returns trigger language plpgsql as $$ begin "
	    "if coalesce(current_setting('test.slept', true), '') = '' then "
	    "perform set_config('test.slept', 'yes', true); perform pg_sleep(2.5); end if; return null; end $$; "
	    "create constraint trigger end_slowly after insert on people deferrable initially deferred "
	    "for each row execute function end_slowly()");
	members_begin_people("Lost");
	members_give_keys("lost", 1);
	added = crowd_counts("commit_soon 1 errors\n");
	SQL("drop function end_slowly cascade");
	members_expect_outcomes("Lost");
	assert_true(added.lost > 0);
	assert_int_equal(added.committed, 0);
	assert_int_equal(added.split, 0);
	assert_int_equal(added.members, MEMBERS);
	members_end();
}

TEST(what_nobody_commits_counts_as_nothing)
{
	struct joint_sample added;

	members_begin();
	members_give_keys("refused", 2);
	for (int i = 0; i < MEMBERS; i++)
		members[i].body = "{\"companies\":[{\"id\":\"com_01900000-0000-7000-8000-000000000000\"}]}";
	added = crowd_counts("");
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(members[i].answer.status, 422);
	assert_int_equal(added.committed + added.split + added.lost + added.members, 0);
	members_end();
}

TEST(a_write_by_itself_is_not_joint)
{
	struct joint_sample before = sample_read(), now;

	rig_write(rig.orders, "");
	MAKE("{}", "/v1/people");
	now = sample_read();
	assert_memory_equal(&before, &now, sizeof now);
}
