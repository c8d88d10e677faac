/* The texts of the model: in bodies, and compared with answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/model/merge_model.h"

enum { MANY = 1 << 16 };

/* A text made of a number, as in bodies and in answers, where an unset one is as here. */
struct model_form {
	const char *name, *before, *after, *unset;
	const char *const *words; /* the allowed words; NULL: any text */
};

static const char *const genders[] = {"Male", "Female", "Other"};
static const char *const ranges[] = {"1-10", "11-50", "51-200"};

/* clang-format off */
static const struct model_form person_forms[MODEL_SCALARS] = {
	{"firstName",   "F",   "",       "\"\"",      NULL},
	{"lastName",    "L",   "",       "\"\"",      NULL},
	{"description", "D",   "",       "\"\"",      NULL},
	{"birthday",    "198", "-01-02", "null",        NULL},
	{"gender",      NULL,  NULL,     "\"Unknown\"", genders},
	{"jobTitle",    "J",   "",       "\"\"",      NULL},
	{NULL, NULL, NULL, NULL, NULL},
};
static const struct model_form company_forms[MODEL_SCALARS] = {
	{"name",            "N",   "",       "\"\"", NULL},
	{"description",     "D",   "",       "\"\"", NULL},
	{"industry",        "I",   "",       "null",   NULL},
	{"fundingRaised",   "",    "",       "null",   NULL},
	{"lastFundingDate", "200", "-03-04", "null",   NULL},
	{"foundationYear",  "190", "",       "null",   NULL},
	{"employeeRange",   NULL,  NULL,     "null",   ranges},
};

/* Lists of texts: an even and an odd number. */
static const struct {
	const char *name;
	struct model_form even, odd;
} text_forms[MODEL_TEXTS] = {
	{"emails",    {NULL, "mail",           "@x.org", "", NULL}, {NULL, "MAIL",           "@X.org", "", NULL}},
	{"phones",    {NULL, "+49 ",           "00 1",   "", NULL}, {NULL, "49-",            "001",    "", NULL}},
	{"urls",      {NULL, "https://x.org/", "",       "", NULL}, {NULL, "HTTPS://X.org/", "",       "", NULL}},
	{"addresses", {NULL, "Street ",        "",       "", NULL}, {NULL, "STREET ",        "",       "", NULL}},
};
/* clang-format on */

static const char *const tag_labels[] = {"x", "y", "z"};
static const char *const tier_labels[] = {"a", "b", "c"};

/* --- bodies and answers: references are ids, in bodies each in an object ------------------------ */

static void put_comma(struct buf *out)
{
	if (out->len && out->data[out->len - 1] != '{' && out->data[out->len - 1] != '[')
		buf_addc(out, ',');
}

static void put_key(struct buf *out, const char *key)
{
	put_comma(out);
	buf_printf(out, "\"%s\":", key);
}

static void put_form(struct buf *out, const struct model_form *f, int n)
{
	if (f->words)
		buf_printf(out, "\"%s\"", f->words[n - 1]);
	else
		buf_printf(out, "\"%s%d%s\"", f->before, n, f->after);
}

static void put_texts(struct buf *out, int which, const struct model_list *l)
{
	buf_addc(out, '[');
	for (int i = 0; i < l->n; i++) {
		put_comma(out);
		put_form(out, l->items[i] % 2 ? &text_forms[which].odd : &text_forms[which].even, l->items[i] / 2);
	}
	buf_addc(out, ']');
}

static void put_words(struct buf *out, const char *const *words, const struct model_list *l)
{
	buf_addc(out, '[');
	for (int i = 0; i < l->n; i++) {
		put_comma(out);
		buf_printf(out, "\"%s\"", words[l->items[i]]);
	}
	buf_addc(out, ']');
}

/* Ids: in a body each in an object. */
static void put_id(struct buf *out, const char *id, bool body)
{
	put_comma(out);
	buf_printf(out, body ? "{\"id\":\"%s\"}" : "\"%s\"", id);
}

static void put_contacts(struct buf *out, const struct merge_model *m, const struct model_list *l, bool body)
{
	buf_addc(out, '[');
	for (int i = 0; i < l->n; i++)
		put_id(out, m->contacts[l->items[i]].id, body);
	buf_addc(out, ']');
}

static void put_ids(struct buf *out, const char *const *ids, const struct model_list *l, bool body)
{
	buf_addc(out, '[');
	for (int i = 0; i < l->n; i++)
		put_id(out, ids[l->items[i]], body);
	buf_addc(out, ']');
}

/* An unset value is null: in a body, too. */
static void put_value(struct buf *out, const char *key, const char *before, int n)
{
	put_key(out, key);
	if (n)
		buf_printf(out, "\"%s%d\"", before, n);
	else
		buf_addz(out, "null");
}

static bool put_list_key(struct buf *out, const char *key, const struct model_list *l)
{
	put_key(out, key);
	if (l->n == 0)
		buf_addz(out, "null");
	return l->n > 0;
}

static void put_values(struct buf *out, const struct merge_model *m, const struct model_values *v, bool body)
{
	buf_addc(out, '{');
	put_value(out, "Text", "t", v->text);
	put_value(out, "Number", "", v->number);
	put_value(out, "Date", "2026-01-0", v->date);
	put_key(out, "Tier");
	if (v->tier)
		buf_printf(out, "\"%s\"", tier_labels[v->tier - 1]);
	else
		buf_addz(out, "null");
	if (put_list_key(out, "Tags", &v->tags))
		put_words(out, tag_labels, &v->tags);
	if (put_list_key(out, "Friends", &v->friends))
		put_contacts(out, m, &v->friends, body);
	if (put_list_key(out, "Owners", &v->owners))
		put_ids(out, m->users, &v->owners, body);
	buf_addc(out, '}');
}

static const struct model_form *forms_of(int contact)
{
	return model_is_person(contact) ? person_forms : company_forms;
}

void model_put_create(struct buf *out, const struct merge_model *m, int contact)
{
	const struct model_contact *c = &m->contacts[contact];
	const struct model_form *forms = forms_of(contact);

	for (int i = 0; i < MODEL_SCALARS; i++)
		if (forms[i].name && c->scalars[i]) {
			put_key(out, forms[i].name);
			put_form(out, &forms[i], c->scalars[i]);
		}
	if (c->full_name) {
		put_key(out, "fullName");
		buf_printf(out, "\"Full %d\"", c->full_name);
	}
	for (int i = 0; i < MODEL_TEXTS; i++) {
		put_key(out, text_forms[i].name);
		put_texts(out, i, &c->texts[i]);
	}
	put_key(out, "groups");
	put_ids(out, m->groups, &c->groups, true);
}

void model_put_rest(struct buf *out, const struct merge_model *m, int contact)
{
	const struct model_contact *c = &m->contacts[contact];

	if (model_is_person(contact)) {
		put_key(out, "companies");
		put_contacts(out, m, &c->companies, true);
	}
	put_key(out, "customFieldValues");
	buf_addc(out, '{');
	for (int i = 0; i < c->groups.n; i++) {
		put_key(out, m->groups[c->groups.items[i]]);
		put_values(out, m, &c->values[c->groups.items[i]], true);
	}
	buf_addc(out, '}');
}

void model_put_deal(struct buf *out, const struct merge_model *m, int deal)
{
	const struct model_deal *d = &m->deals[deal];

	put_key(out, "people");
	put_contacts(out, m, &d->people, true);
	put_key(out, "companies");
	put_contacts(out, m, &d->companies, true);
	put_key(out, "customFieldValues");
	buf_addz(out, "{\"Who\":");
	put_contacts(out, m, &d->who, true);
	buf_addc(out, '}');
}

/* --- comparing ------------------------------------------------------------------------------- */

/* As the record has it, without blanks; NULL: no such member. */
static char *member_text(const struct json *record, const char *name)
{
	const struct json *v = json_member(record, name);
	struct json_out o;
	struct buf text;

	if (!v)
		return NULL;
	buf_init(&text, MANY);
	json_out_init(&o, &text);
	json_value(&o, v);
	return buf_take(&text, NULL);
}

struct comparing {
	const char *id;
	const struct json *record;
	bool same;
};

/* Frees the expected text. */
static void expect_member(struct comparing *c, const char *name, struct buf *expected)
{
	char *found = member_text(c->record, name);

	if (!found || !expected->data || strcmp(found, expected->data) != 0) {
		fprintf(stderr, "%s.%s\n  expected %s\n  found    %s\n", c->id, name,
		    expected->data ? expected->data : "", found ? found : "nothing");
		c->same = false;
	}
	free(found);
	buf_free(expected);
}

static void put_full_name(struct buf *out, const struct model_contact *c)
{
	buf_addc(out, '"');
	if (c->full_name) {
		buf_printf(out, "Full %d", c->full_name);
	} else {
		if (c->scalars[0])
			buf_printf(out, "F%d%s", c->scalars[0], c->scalars[1] ? " " : "");
		if (c->scalars[1])
			buf_printf(out, "L%d", c->scalars[1]);
	}
	buf_addc(out, '"');
}

static void put_met(struct buf *out, int count, int last)
{
	put_key(out, "approximateCount");
	buf_printf(out, "%d", count);
	put_key(out, "lastInteractedAt");
	if (last)
		buf_printf(out, "\"2025-01-01T%02d:%02d:00.000Z\"", last / 60, last % 60);
	else
		buf_addz(out, "null");
}

/* The users interacted at different times. */
static int latest_user(const struct model_contact *c)
{
	return c->last[0] > c->last[1] ? 0 : 1;
}

static void put_metadata(struct buf *out, const struct merge_model *m, const struct model_contact *c)
{
	int count = c->counts[0] + c->counts[1], latest = latest_user(c);

	buf_addz(out, "{\"user\":{");
	put_met(out, c->counts[0], c->last[0]);
	buf_addz(out, "},\"workspace\":{");
	put_met(out, count, c->last[latest]);
	buf_addz(out, ",\"lastInteractedBy\":[");
	if (count)
		put_id(out, m->users[latest], false);
	buf_addz(out, "]}}");
}

/* The second user is not a member of the last group. */
static void put_connection(struct buf *out, const struct merge_model *m, const struct model_contact *c)
{
	int strongest = c->counts[0] == c->counts[1] ? latest_user(c) : c->counts[0] > c->counts[1] ? 0 : 1;

	buf_addc(out, '{');
	for (int i = 0; i < c->groups.n; i++) {
		int group = c->groups.items[i], user = group == MODEL_GROUPS - 1 ? 0 : strongest;
		if (c->counts[user] == 0)
			continue;
		put_key(out, m->groups[group]);
		buf_printf(out, "\"%s\"", m->users[user]);
	}
	buf_addc(out, '}');
}

static void expect_person(struct comparing *c, const struct merge_model *m, const struct model_contact *p)
{
	struct buf text;

	buf_init(&text, MANY);
	put_full_name(&text, p);
	expect_member(c, "fullName", &text);
	buf_init(&text, MANY);
	put_contacts(&text, m, &p->companies, false);
	expect_member(c, "companies", &text);
	buf_init(&text, MANY);
	put_metadata(&text, m, p);
	expect_member(c, "interactionMetadata", &text);
	buf_init(&text, MANY);
	put_connection(&text, m, p);
	expect_member(c, "strongestConnection", &text);
}

static void expect_values(struct comparing *c, const struct merge_model *m, const struct model_contact *p)
{
	struct buf text;

	buf_init(&text, MANY);
	buf_addc(&text, '{');
	for (int i = 0; i < p->groups.n; i++) {
		put_key(&text, m->groups[p->groups.items[i]]);
		put_values(&text, m, &p->values[p->groups.items[i]], false);
	}
	buf_addc(&text, '}');
	expect_member(c, "customFieldValues", &text);
}

static bool comparing_begin(struct comparing *c, struct arena *a, const char *id, const char *record)
{
	const char *error;

	*c = (struct comparing){.id = id, .record = record ? json_read(a, record, strlen(record), &error) : NULL};
	c->same = c->record != NULL;
	if (!c->same)
		fprintf(stderr, "%s is not there\n", id);
	return c->same;
}

bool model_contact_is(const struct merge_model *m, int contact, const char *record)
{
	const struct model_contact *p = &m->contacts[contact];
	const struct model_form *forms = forms_of(contact);
	struct comparing c;
	struct arena arena;
	struct buf text;

	if (p->into >= 0) {
		if (record)
			fprintf(stderr, "%s is still there\n", p->id);
		return !record;
	}
	arena_init(&arena);
	if (comparing_begin(&c, &arena, p->id, record)) {
		for (int i = 0; i < MODEL_SCALARS && forms[i].name; i++) {
			buf_init(&text, MANY);
			if (p->scalars[i])
				put_form(&text, &forms[i], p->scalars[i]);
			else
				buf_addz(&text, forms[i].unset);
			expect_member(&c, forms[i].name, &text);
		}
		for (int i = 0; i < MODEL_TEXTS; i++) {
			buf_init(&text, MANY);
			put_texts(&text, i, &p->texts[i]);
			expect_member(&c, text_forms[i].name, &text);
		}
		buf_init(&text, MANY);
		put_ids(&text, m->groups, &p->groups, false);
		expect_member(&c, "groups", &text);
		expect_values(&c, m, p);
		if (model_is_person(contact))
			expect_person(&c, m, p);
	}
	arena_free(&arena);
	return c.same;
}

bool model_deal_is(const struct merge_model *m, int deal, const char *record)
{
	const struct model_deal *d = &m->deals[deal];
	struct comparing c;
	struct arena arena;
	struct buf text;

	arena_init(&arena);
	if (comparing_begin(&c, &arena, d->id, record)) {
		buf_init(&text, MANY);
		put_contacts(&text, m, &d->people, false);
		expect_member(&c, "people", &text);
		buf_init(&text, MANY);
		put_contacts(&text, m, &d->companies, false);
		expect_member(&c, "companies", &text);
		buf_init(&text, MANY);
		buf_addc(&text, '{');
		if (put_list_key(&text, "Who", &d->who))
			put_contacts(&text, m, &d->who, false);
		buf_addc(&text, '}');
		expect_member(&c, "customFieldValues", &text);
	}
	arena_free(&arena);
	return c.same;
}
