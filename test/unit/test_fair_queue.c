/* The queue in which tenants take turns: its order, its counts, and what one tenant costs the others. */
#include <string.h>

#include "server/base/fair_queue.h"
#include "test/lib/patience.h"
#include "test/lib/test.h"

enum { MANY = 1000, TENANTS = 5, WORKS = 40, STEPS = 20000 };

struct turn_work {
	struct fair_item item;
	int tenant, number;
};

static struct fair_queue queue;
static struct turn_work works[MANY];

static struct uuid tenant_id(int tenant)
{
	struct uuid id = {{0}};

	id.b[0] = (unsigned char)(tenant / FAIR_BUCKETS);
	id.b[15] = (unsigned char)(tenant % FAIR_BUCKETS);
	return id;
}

static struct turn_work *work_of(const struct fair_item *i)
{
	return fair_as(i, struct turn_work, item);
}

static void add_work(int number, int tenant)
{
	struct uuid id = tenant_id(tenant);

	works[number] = (struct turn_work){.tenant = tenant, .number = number};
	fair_queue_add(&queue, &id, &works[number].item);
}

/* Adds an item for each letter: 'A' is the tenant 1. */
static void add_works(const char *tenants)
{
	for (int i = 0; tenants[i]; i++)
		add_work(i, tenants[i] - '@');
}

static int count_of(int tenant)
{
	struct uuid id = tenant_id(tenant);

	return fair_queue_count(&queue, &id);
}

/* Takes all items, which must come in the order of these digits. */
static void expect_order(const char *numbers)
{
	for (; *numbers; numbers++) {
		struct fair_item *i = fair_queue_take(&queue, NULL, NULL);
		assert_non_null(i);
		assert_int_equal(work_of(i)->number, *numbers - '0');
		assert_false(fair_item_waits(i));
	}
	assert_null(fair_queue_take(&queue, NULL, NULL));
}

BEFORE_EACH()
{
	fair_queue_init(&queue);
}

TEST(test_empty)
{
	struct uuid id = tenant_id(1);
	struct fair_item none = {0};

	assert_null(fair_queue_take(&queue, NULL, NULL));
	assert_null(fair_queue_first(&queue));
	assert_null(fair_queue_longest(&queue));
	assert_int_equal(fair_queue_count(&queue, &id), 0);
	fair_queue_go_behind(&queue, &id);
	fair_item_leave(&none);
	assert_false(fair_item_waits(&none));
	assert_int_equal(queue.n_items + queue.n_tenants, 0);
}

TEST(test_turns)
{
	add_works("AAABBC");
	assert_int_equal(queue.n_items, 6);
	assert_int_equal(queue.n_tenants, 3);
	assert_int_equal(count_of(1), 3);
	expect_order("035142");
	assert_int_equal(queue.n_items + queue.n_tenants, 0);
}

/* The point of it: the number of a tenant's items does not matter to the others. */
TEST(test_one_item_waits_one_turn)
{
	for (int i = 0; i < MANY - 1; i++)
		add_work(i, 1);
	for (int turns = 0; turns < MANY / 2; turns++) {
		int waited = 0;
		add_work(MANY - 1, 2);
		while (work_of(fair_queue_take(&queue, NULL, NULL))->tenant != 2)
			waited++;
		assert_true(waited <= 1);
	}
	while (fair_queue_take(&queue, NULL, NULL))
		;
}

TEST(test_one_item_waits_one_turn_of_each)
{
	for (int i = 0; i < MANY - 1; i++)
		add_work(i, 1 + i % TENANTS);
	for (int turns = 0; turns < 50; turns++) {
		int waited[TENANTS + 1] = {0}, tenant;
		add_work(MANY - 1, 1 + TENANTS);
		while ((tenant = work_of(fair_queue_take(&queue, NULL, NULL))->tenant) <= TENANTS)
			assert_int_equal(waited[tenant]++, 0);
	}
	while (fair_queue_take(&queue, NULL, NULL))
		;
}

TEST(test_again_first)
{
	struct uuid id = tenant_id(2);
	struct fair_item *taken;

	add_works("ABBC");
	assert_int_equal(work_of(fair_queue_take(&queue, NULL, NULL))->number, 0);
	taken = fair_queue_take(&queue, NULL, NULL);
	assert_int_equal(work_of(taken)->number, 1);
	fair_queue_add_first(&queue, &id, taken);
	expect_order("132");
	fair_queue_add_first(&queue, &id, taken); /* a new tenant */
	expect_order("1");
}

TEST(test_leave)
{
	add_works("ABBBCC");
	fair_item_leave(&works[2].item);
	fair_item_leave(&works[2].item); /* not there any more */
	fair_item_leave(&works[0].item); /* and its tenant with it */
	assert_int_equal(count_of(1), 0);
	assert_int_equal(count_of(2), 2);
	assert_int_equal(queue.n_items, 4);
	assert_int_equal(queue.n_tenants, 2);
	expect_order("1435");
}

static bool tenant_is_not(const struct fair_item *first, const void *ctx)
{
	return work_of(first)->tenant != *(const int *)ctx;
}

TEST(test_may)
{
	int a = 1, c = 3;

	add_works("AABBC");
	assert_int_equal(work_of(fair_queue_take(&queue, tenant_is_not, &a))->number, 2);
	assert_int_equal(work_of(fair_queue_take(&queue, tenant_is_not, &c))->number, 0); /* it has kept its place */
	fair_item_leave(&works[1].item);
	fair_item_leave(&works[3].item);
	assert_null(fair_queue_take(&queue, tenant_is_not, &c));
	expect_order("4");
}

TEST(test_go_behind)
{
	struct uuid a = tenant_id(1);

	add_works("AABC");
	fair_queue_go_behind(&queue, &a);
	expect_order("2301");
}

TEST(test_longest)
{
	add_works("ABBCCC");
	assert_int_equal(work_of(fair_queue_longest(&queue))->number, 5);
	fair_item_leave(&works[5].item);
	fair_item_leave(&works[3].item);
	assert_int_equal(work_of(fair_queue_longest(&queue))->number, 2);
	expect_order("0142");
}

TEST(test_more_tenants_than_buckets)
{
	for (int i = 0; i < MANY; i++)
		add_work(i, i);
	assert_int_equal(queue.n_tenants, MANY);
	for (int i = 0; i < MANY; i += 2)
		fair_item_leave(&works[i].item);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(count_of(i), i % 2);
	for (int i = 1; i < MANY; i += 2)
		assert_int_equal(work_of(fair_queue_take(&queue, NULL, NULL))->number, i);
	assert_int_equal(queue.n_items + queue.n_tenants, 0);
}

/* --- a model: all items in the order of fair_item_next(), in an array ------------------------- */

struct fair_model {
	struct turn_work *order[WORKS];
	int n;
};

static void model_put(struct fair_model *m, int at, struct turn_work *w)
{
	memmove(&m->order[at + 1], &m->order[at], (size_t)(m->n - at) * sizeof(m->order[0]));
	m->order[at] = w;
	m->n++;
}

static void model_remove(struct fair_model *m, const struct turn_work *w)
{
	int at = 0;

	while (m->order[at] != w)
		at++;
	m->n--;
	memmove(&m->order[at], &m->order[at + 1], (size_t)(m->n - at) * sizeof(m->order[0]));
}

/* Moves the tenant's items before or behind all others, in their order. */
static void model_move(struct fair_model *m, int tenant, bool first)
{
	struct fair_model old = *m;

	m->n = 0;
	for (int part = 0; part < 2; part++)
		for (int i = 0; i < old.n; i++)
			if ((old.order[i]->tenant == tenant) == (first == (part == 0)))
				m->order[m->n++] = old.order[i];
}

static void model_add(struct fair_model *m, struct turn_work *w)
{
	int at = m->n;

	while (at > 0 && m->order[at - 1]->tenant != w->tenant)
		at--;
	model_put(m, at > 0 ? at : m->n, w);
}

static void model_take(struct fair_model *m)
{
	struct turn_work *w = work_of(fair_queue_take(&queue, NULL, NULL));

	assert_ptr_equal(w, m->n ? m->order[0] : NULL);
	if (!w)
		return;
	model_remove(m, w);
	model_move(m, w->tenant, false);
}

/* An item that waits leaves, another one is added. */
static void model_step(struct fair_model *m, struct turn_work *w, bool first)
{
	struct uuid id;

	if (fair_item_waits(&w->item)) {
		fair_item_leave(&w->item);
		model_remove(m, w);
		return;
	}
	w->tenant = (int)patience_chance(TENANTS);
	id = tenant_id(w->tenant);
	if (first) {
		fair_queue_add_first(&queue, &id, &w->item);
		model_move(m, w->tenant, true);
		model_put(m, 0, w);
	} else {
		fair_queue_add(&queue, &id, &w->item);
		model_add(m, w);
	}
}

static void model_compare(const struct fair_model *m)
{
	int n = 0, tenants = 0;

	fair_each(w, &queue, struct turn_work, item) {
		assert_ptr_equal(w, m->order[n]);
		tenants += n == 0 || m->order[n - 1]->tenant != w->tenant;
		n++;
	}
	assert_int_equal(n, m->n);
	assert_int_equal(queue.n_items, n);
	assert_int_equal(queue.n_tenants, tenants);
}

TEST(test_model)
{
	struct fair_model m = {.n = 0};

	patience_seed(7);
	for (int i = 0; i < WORKS; i++)
		works[i] = (struct turn_work){.number = i};
	for (int step = 0; step < STEPS; step++) {
		int what = (int)patience_chance(6), tenant = (int)patience_chance(TENANTS);
		struct uuid id = tenant_id(tenant);
		if (what == 0) {
			model_take(&m);
		} else if (what == 1) {
			fair_queue_go_behind(&queue, &id);
			model_move(&m, tenant, false);
		} else {
			model_step(&m, &works[patience_chance(WORKS)], what == 2);
		}
		model_compare(&m);
	}
	while (m.n > 0)
		model_take(&m);
}
