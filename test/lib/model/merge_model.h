/* A model of people, companies and objects, and of what a merge makes of them: without SQL or the program's tables. Its
 * records are numbered; their texts follow from small numbers, 0 being unset. */
#ifndef KITH_TEST_LIB_MODEL_MERGE_MODEL_H
#define KITH_TEST_LIB_MODEL_MERGE_MODEL_H

#include <stdbool.h>

#include "server/base/buf.h"
#include "server/base/json.h"

enum {
	MODEL_PEOPLE = 6,
	MODEL_COMPANIES = 5,
	MODEL_CONTACTS = MODEL_PEOPLE + MODEL_COMPANIES, /* people first */
	MODEL_DEALS = 6,
	MODEL_GROUPS = 3, /* public; private with both users; private, without the second one */
	MODEL_USERS = 2,
	MODEL_TEXTS = 4,         /* emails, phones, urls, addresses */
	MODEL_SCALARS = 7,       /* of a person or a company */
	MODEL_SCALAR_GENDER = 4, /* the scalar that is the gender of a person */
	MODEL_SCALAR_RANGE = 6,  /* the scalar that is the employeeRange of a company */
	MODEL_SCALAR_WORDS = 3,  /* the words that each of these may have */
	MODEL_LIST = 64
};

struct model_list {
	int n, items[MODEL_LIST];
};

/* Custom values in a group. */
struct model_values {
	int text, number, date, tier;
	struct model_list tags, friends, owners;
};

struct model_contact {
	const char *id;
	int into; /* merged into that one; -1: it is there */
	int scalars[MODEL_SCALARS];
	int full_name;                        /* a person's, if given */
	struct model_list texts[MODEL_TEXTS]; /* an odd item of the first two equals the even one before it */
	struct model_list groups, companies;  /* companies: contacts */
	struct model_values values[MODEL_GROUPS];
	int counts[MODEL_USERS], last[MODEL_USERS]; /* interactions; minutes of a day, 0: none */
};

struct model_deal {
	const char *id;
	int group;
	struct model_list people, companies, who; /* contacts */
};

struct merge_model {
	const char *groups[MODEL_GROUPS], *users[MODEL_USERS]; /* ids */
	struct model_contact contacts[MODEL_CONTACTS];
	struct model_deal deals[MODEL_DEALS];
};

static inline bool model_is_person(int contact)
{
	return contact < MODEL_PEOPLE;
}

/* Fills it at random (patience_chance()): records without ids, and without interactions. round: makes company names
 * unique. */
void model_fill(struct merge_model *m, int round);

/* Appends the members of a body: what a create takes; the rest, which refers to other records. */
void model_put_create(struct buf *out, const struct merge_model *m, int contact);
void model_put_rest(struct buf *out, const struct merge_model *m, int contact);
void model_put_deal(struct buf *out, const struct merge_model *m, int deal);

void model_merge(struct merge_model *m, int kept, int gone);

/* Compares a record with references by id (test/lib/model/follower.h) with the model, as the first user sees it; prints
 * what differs. */
bool model_contact_is(const struct merge_model *m, int contact, const char *record);
bool model_deal_is(const struct merge_model *m, int deal, const char *record);

#endif
