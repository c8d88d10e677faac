/* See merge_model.h. Its texts are in merge_model_text.c. */
#include "test/lib/model/merge_model.h"

#include "test/lib/patience.h"

/* FOLDED: the first lists of texts, whose even and odd items are the same to a filter. */
enum { COMPANIES_MOST = 4, NAMES = 100, FOLDED = 2 };

/* --- lists ------------------------------------------------------------------------------- */

static bool list_has(const struct model_list *l, int item)
{
	for (int i = 0; i < l->n; i++)
		if (l->items[i] == item)
			return true;
	return false;
}

static void list_add(struct model_list *l, int item)
{
	if (!list_has(l, item) && l->n < MODEL_LIST)
		l->items[l->n++] = item;
}

static void list_drop(struct model_list *l, int item)
{
	struct model_list kept = {.n = 0};

	for (int i = 0; i < l->n; i++)
		if (l->items[i] != item)
			list_add(&kept, l->items[i]);
	*l = kept;
}

static void list_replace(struct model_list *l, int gone, int kept)
{
	struct model_list out = {.n = 0};

	for (int i = 0; i < l->n; i++)
		list_add(&out, l->items[i] == gone ? kept : l->items[i]);
	*l = out;
}

static struct model_list list_some(int below, int most)
{
	struct model_list l = {.n = 0};

	for (unsigned n = patience_chance((unsigned)most + 1); n; n--)
		list_add(&l, (int)patience_chance((unsigned)below));
	return l;
}

/* --- at random ------------------------------------------------------------------------------ */

static int some_or_none(int below)
{
	return patience_chance(2) ? 1 + (int)patience_chance((unsigned)below) : 0;
}

static void fill_values(struct model_values *v)
{
	*v = (struct model_values){.text = some_or_none(9),
	    .number = some_or_none(9),
	    .date = some_or_none(9),
	    .tier = some_or_none(3),
	    .tags = list_some(3, 3),
	    .friends = list_some(MODEL_CONTACTS, 3),
	    .owners = list_some(MODEL_USERS, 2)};
}

static void fill_contact(struct model_contact *c, bool person, int name)
{
	*c = (struct model_contact){.into = -1};
	for (int i = 0; i < MODEL_SCALARS; i++)
		c->scalars[i] =
		    some_or_none(i == MODEL_SCALAR_GENDER || i == MODEL_SCALAR_RANGE ? MODEL_SCALAR_WORDS : 9);
	for (int i = 0; i < MODEL_TEXTS; i++)
		c->texts[i] = list_some(6, 4);
	c->groups = list_some(MODEL_GROUPS, MODEL_GROUPS);
	for (int i = 0; i < c->groups.n; i++)
		fill_values(&c->values[c->groups.items[i]]);
	if (person) {
		c->full_name = patience_chance(3) ? 0 : 1 + (int)patience_chance(9);
		if (c->full_name && !c->scalars[1])
			c->scalars[0] = 1; /* without the others it would make first and last name */
		for (int i = 0; i < COMPANIES_MOST; i++)
			if (patience_chance(2))
				list_add(&c->companies, MODEL_PEOPLE + (int)patience_chance(MODEL_COMPANIES));
	} else if (c->scalars[0]) {
		c->scalars[0] = name; /* names of companies are unique */
	}
}

/* Those of a kind that are in the deal's group. */
static struct model_list fill_members(const struct merge_model *m, int group, bool people)
{
	struct model_list l = {.n = 0};

	for (int i = people ? 0 : MODEL_PEOPLE; i < (people ? MODEL_PEOPLE : MODEL_CONTACTS); i++)
		if (list_has(&m->contacts[i].groups, group) && patience_chance(2))
			list_add(&l, i);
	return l;
}

void model_fill(struct merge_model *m, int round)
{
	for (int i = 0; i < MODEL_CONTACTS; i++)
		fill_contact(&m->contacts[i], model_is_person(i), NAMES * (round + 1) + i);
	for (int i = 0; i < MODEL_DEALS; i++) {
		struct model_deal *d = &m->deals[i];
		*d = (struct model_deal){.group = i % 2 ? 2 : 0};
		d->people = fill_members(m, d->group, true);
		d->companies = fill_members(m, d->group, false);
		d->who = list_some(MODEL_CONTACTS, 4);
	}
}

/* --- a merge ------------------------------------------------------------------------------- */

static void merge_list(struct model_list *into, const struct model_list *from)
{
	for (int i = 0; i < from->n; i++)
		list_add(into, from->items[i]);
}

static void merge_number(int *into, int from)
{
	if (*into == 0)
		*into = from;
}

static void merge_texts(struct model_list *into, const struct model_list *from, bool same)
{
	const struct model_list had = *into;

	for (int i = 0; i < from->n; i++) {
		int item = from->items[i];
		if (!list_has(&had, item) && !(same && list_has(&had, item ^ 1)))
			list_add(into, item);
	}
}

static void merge_values(struct model_values *into, const struct model_values *from, int kept, int gone)
{
	merge_number(&into->text, from->text);
	merge_number(&into->number, from->number);
	merge_number(&into->date, from->date);
	merge_number(&into->tier, from->tier);
	merge_list(&into->tags, &from->tags);
	merge_list(&into->owners, &from->owners);
	list_drop(&into->friends, gone);
	for (int i = 0; i < from->friends.n; i++)
		if (from->friends.items[i] != kept && from->friends.items[i] != gone)
			list_add(&into->friends, from->friends.items[i]);
}

static void merge_contact(struct model_contact *k, const struct model_contact *g, int kept, int gone)
{
	if (model_is_person(kept) && !k->full_name && !k->scalars[0] && !k->scalars[1])
		k->full_name = g->full_name;
	for (int i = 0; i < MODEL_SCALARS; i++)
		merge_number(&k->scalars[i], g->scalars[i]);
	for (int i = 0; i < MODEL_TEXTS; i++)
		merge_texts(&k->texts[i], &g->texts[i], i < FOLDED);
	merge_list(&k->groups, &g->groups);
	merge_list(&k->companies, &g->companies);
	for (int i = 0; i < MODEL_GROUPS; i++)
		merge_values(&k->values[i], &g->values[i], kept, gone);
	for (int i = 0; i < MODEL_USERS; i++) {
		k->counts[i] += g->counts[i];
		k->last[i] = k->last[i] > g->last[i] ? k->last[i] : g->last[i];
	}
}

void model_merge(struct merge_model *m, int kept, int gone)
{
	merge_contact(&m->contacts[kept], &m->contacts[gone], kept, gone);
	m->contacts[gone].into = kept;
	for (int i = 0; i < MODEL_CONTACTS; i++) {
		list_replace(&m->contacts[i].companies, gone, kept);
		for (int g = 0; g < MODEL_GROUPS; g++)
			list_replace(&m->contacts[i].values[g].friends, gone, kept);
	}
	for (int i = 0; i < MODEL_DEALS; i++) {
		list_replace(&m->deals[i].people, gone, kept);
		list_replace(&m->deals[i].companies, gone, kept);
		list_replace(&m->deals[i].who, gone, kept);
	}
}
