/* What is kept of a card beside the record. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/card/card_private.h"

static void keep_property(struct card_changing *c, const struct card_property *p)
{
	c->n_kept++;
	buf_addz(&c->text, c->text.len ? "\n" : "");
	card_write_line(&c->text, p);
}

/* True when card_write() makes the same of the field's value. */
static bool is_plain(struct card_changing *c, const struct card_row *row, size_t at)
{
	const struct card_property *p = &c->card->properties[at];
	const char *value = c->values[at];
	struct buf text;
	bool same;

	if (*p->group || *p->params)
		return false;
	if (row->shape == CARD_NAMES && c->before->kind == ID_PERSON && strcmp(value, ";;;;") == 0)
		return !c->split;
	if (!*value && row->shape != CARD_ADDRESS)
		return p->len == 0;
	buf_init(&text, CARD_MAX);
	card_write_value(&text, row->shape, value, c->card->version);
	same = text.len == p->len && memcmp(text.data, p->value, p->len) == 0;
	buf_free(&text);
	return same;
}

static size_t count_named(const struct card *card, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < card->n; i++)
		n += card_is(&card->properties[i], name);
	return n;
}

/* Keeps all properties of a single field when there are several. The one that has the field is first. */
static void keep_single(struct card_changing *c, const struct card_row *row)
{
	size_t field = card_field_property(c, row);

	if (field == c->card->n)
		return;
	if (count_named(c->card, row->name) > 1 || !is_plain(c, row, field))
		keep_property(c, &c->card->properties[field]);
	for (size_t i = 0; i < c->card->n; i++)
		if (i != field && card_is(&c->card->properties[i], row->name))
			keep_property(c, &c->card->properties[i]);
}

int card_compare_groups(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A card may have half a million words, and a workspace a thousand groups. */
static bool names_group(const struct card_before *before, const char *word)
{
	return before->n_groups &&
	       bsearch(&word, before->groups, before->n_groups, sizeof *before->groups, card_compare_groups);
}

/* Keeps the words that are not the name of a group. What is kept is shown to everybody, and some programs write a blank
 * before the name of a group that is private. */
static void keep_words(struct card_changing *c, const struct card_property *p)
{
	struct card_property kept = *p;
	struct buf words;
	char *word;
	size_t len;

	buf_init(&words, CARD_MAX);
	for (size_t at = 0; at < p->len && c->n_kept <= CARD_KEPT_PROPERTIES_MAX; at += len + 1) {
		len = vcard_part(p->value + at, p->len - at, ',');
		word = arena_alloc(c->a, len + 1);
		vcard_unescape(p->value + at, len, word);
		if (!len || names_group(c->before, card_clean(c->a, word, strlen(word))))
			continue;
		c->n_kept += words.len > 0; /* each word counts as a property */
		buf_addz(&words, words.len ? "," : "");
		buf_add(&words, p->value + at, len);
	}
	kept.value = words.data;
	kept.len = words.len;
	if (words.len)
		keep_property(c, &kept);
	buf_free(&words);
}

/* Keeps the properties of a list that have the value. Plain ones are kept if there are several, and if keep_plain. */
static void keep_value(
    struct card_changing *c, const size_t *list, size_t n, const bool *plain, const char *value, bool keep_plain)
{
	size_t same = 0;

	for (size_t i = 0; i < n; i++)
		same += strcmp(c->values[list[i]], value) == 0;
	for (size_t i = 0; i < n; i++)
		if (strcmp(c->values[list[i]], value) == 0 && (keep_plain || same > 1 || !plain[i]))
			keep_property(c, &c->card->properties[list[i]]);
}

/* Keeps the properties of a list in the order in which card_write() writes them, so that a card that was only sent back
 * is kept as it was. When all are plain, the first one is kept: it tells that none is preferred. */
static void keep_list(struct card_changing *c, const struct card_row *row)
{
	struct card_values *v = arena_alloc(c->a, sizeof *v);
	size_t *list = arena_alloc(c->a, c->card->n * sizeof *list), n = 0, n_plain = 0;
	bool *plain = arena_alloc(c->a, c->card->n * sizeof *plain);

	for (size_t i = 0; i < c->card->n; i++)
		if (card_is(&c->card->properties[i], row->name)) {
			list[n] = i;
			plain[n] = is_plain(c, row, i);
			n_plain += plain[n++];
		}
	card_values_take(c, row, v);
	v->values[v->n] = ""; /* the last are those without a value */
	for (size_t k = 0; k <= v->n; k++)
		keep_value(c, list, n, plain, v->values[k], k == 0 && n_plain == n && n > 1);
}

static void keep_card(struct card_changing *c)
{
	const struct card_property *p;
	bool company = c->before->kind == ID_COMPANY;

	for (const struct card_row *row = card_rows(c->before->kind); row->name; row++) {
		if (row->shape < CARD_GROUPS)
			keep_single(c, row);
		else if (row->shape >= CARD_URL)
			keep_list(c, row);
		for (size_t i = 0; row->shape == CARD_GROUPS && i < c->card->n; i++)
			if (card_is(&c->card->properties[i], row->name))
				keep_words(c, &c->card->properties[i]);
	}
	for (size_t i = 0; i < c->card->n; i++) {
		p = &c->card->properties[i];
		if (!card_row_named(c->before->kind, p->name) &&
		    !(company && (card_is(p, "KIND") || card_is(p, "X-ABSHOWAS"))))
			keep_property(c, p);
	}
}

/* --- what is kept although the card lacks it -------------------------------------------------------- */

/* True when the card has nothing in place of that kept property. */
static bool card_lacks(const struct card_changing *c, size_t at)
{
	const struct card_property *p = &c->kept.properties[at];
	const struct card_row *row = card_row_named(c->before->kind, p->name);
	const char *value = c->kept_values[at];
	bool field = row && row->shape < CARD_GROUPS;

	for (size_t i = 0; field && i < at; i++)
		field = !card_is(&c->kept.properties[i], p->name);
	if (field)
		return strspn(card_field(c, row), ";") == strlen(card_field(c, row));
	for (size_t i = 0; i < c->card->n; i++) {
		const struct card_property *other = &c->card->properties[i];
		if (card_is(other, p->name) && (!row || strcmp(c->values[i], value) == 0))
			return false;
	}
	return true;
}

static bool group_is_used(const struct card *card, const char *group)
{
	for (size_t i = 0; i < card->n; i++)
		if (strcasecmp(card->properties[i].group, group) == 0)
			return true;
	return false;
}

/* The name that the group of a kept property gets. names: those of the properties before it. */
static const char *group_unused(const struct card_changing *c, const char *const *names, size_t at)
{
	const char *group = c->kept.properties[at].group;

	for (size_t k = 0; *group && k < at; k++)
		if (strcmp(c->kept.properties[k].group, group) == 0)
			return names[k];
	while (*group && group_is_used(c->card, group))
		group = arena_printf(c->a, "%sx", group);
	return group;
}

/* Keeps these properties. A label stays with what it labels. Groups that the card uses, too, get other names. */
static void keep_further(struct card_changing *c, const bool *lacks)
{
	const char **names = arena_alloc(c->a, c->kept.n * sizeof *names);
	struct card_property p;
	bool stays;

	for (size_t i = 0; i < c->kept.n; i++)
		names[i] = group_unused(c, names, i);
	for (size_t i = 0; i < c->kept.n; i++) {
		p = c->kept.properties[i];
		stays = lacks[i];
		for (size_t k = 0; card_is_label(&p) && !stays && k < c->kept.n; k++)
			stays = lacks[k] && strcmp(c->kept.properties[k].group, p.group) == 0;
		p.group = names[i];
		if (stays)
			keep_property(c, &p);
	}
}

static void keep_unseen(struct card_changing *c)
{
	bool *lacks = arena_alloc(c->a, c->kept.n * sizeof *lacks);

	for (size_t i = 0; i < c->kept.n; i++)
		lacks[i] = !card_is_label(&c->kept.properties[i]) && card_lacks(c, i);
	keep_further(c, lacks);
}

/* --- two records ------------------------------------------------------------------------------------- */

/* A second one of these would make the card invalid. */
static bool is_once(const struct card_property *p)
{
	static const char *const names[] = {"FN", "N", "BDAY", "GENDER", "KIND", "ANNIVERSARY", "PRODID"};
	bool once = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		once = once || card_is(p, names[i]);
	return once;
}

/* True when the first card has neither that property of the other one nor something in its place. */
static bool unite_lacks(const struct card_changing *c, enum id_kind kind, size_t at)
{
	const struct card_property *p = &c->kept.properties[at];
	const struct card_row *row = card_row_named(kind, p->name);

	for (size_t i = 0; i < c->card->n; i++) {
		const struct card_property *first = &c->card->properties[i];
		bool same = row && row->shape >= CARD_URL
		                ? strcmp(c->values[i], c->kept_values[at]) == 0
		                : first->len == p->len && memcmp(first->value, p->value, p->len) == 0;
		if (card_is(first, p->name) && (same || is_once(p)))
			return false;
	}
	return true;
}

static size_t property_size(const struct card_property *p)
{
	return strlen(p->group) + strlen(p->name) + strlen(p->params) + p->len + strlen(".:\n");
}

/* Marks what is taken of the other card. Labels have their room in any case. */
static bool *unite_choose(const struct card_changing *c, enum id_kind kind, size_t size)
{
	bool *lacks = arena_alloc(c->a, c->kept.n * sizeof *lacks);
	size_t n = c->card->n;

	for (size_t i = 0; i < c->kept.n; i++)
		if (card_is_label(&c->kept.properties[i])) {
			size += property_size(&c->kept.properties[i]);
			n++;
		}
	for (size_t i = 0; i < c->kept.n; i++) {
		size_t more = property_size(&c->kept.properties[i]);
		lacks[i] = !card_is_label(&c->kept.properties[i]) && n < CARD_KEPT_PROPERTIES_MAX &&
		           size + more <= CARD_MAX && unite_lacks(c, kind, i);
		size += lacks[i] ? more : 0;
		n += lacks[i];
	}
	return lacks;
}

struct card_kept card_unite(
    struct arena *a, enum id_kind kind, const struct card_kept *kept, const struct card_kept *other)
{
	enum card_version version = kept && kept->len ? kept->version : other ? other->version : CARD_UNKNOWN;
	struct card first;
	struct card_changing c = {.a = a, .card = &first};
	struct card_kept out = kept ? *kept : (struct card_kept){.text = "", .uid = ""};

	card_kept_read(a, kept, version, &first);
	card_kept_read(a, other, version, &c.kept);
	c.values = card_values_of(a, kind, &first);
	c.kept_values = card_values_of(a, kind, &c.kept);
	buf_init(&c.text, 2 * CARD_MAX);
	buf_add(&c.text, out.text, out.len);
	keep_further(&c, unite_choose(&c, kind, out.len));
	if (c.text.len > out.len && c.text.len <= CARD_MAX) {
		out.text = arena_dup(a, c.text.data, c.text.len);
		out.len = c.text.len;
		out.version = version;
	}
	buf_free(&c.text);
	return out;
}

/* --- all of it --------------------------------------------------------------------------------------- */

/* Some programs change the case. */
static bool same_uid(const char *a, const char *b)
{
	return strcasecmp(card_uid_bare(a), card_uid_bare(b)) == 0;
}

void card_keep(struct card_changing *c)
{
	const struct card_kept *now = c->before->kept;
	const char *uid = now ? now->uid : "";
	struct card_kept *kept = &c->change->kept;

	buf_init(&c->text, 2 * CARD_MAX);
	keep_card(c);
	if (!c->before->seen)
		keep_unseen(c);
	kept->text = arena_dup(c->a, c->text.data ? c->text.data : "", c->text.len);
	kept->len = c->text.len;
	kept->version = c->card->version;
	kept->uid = uid;
	if (*c->card->uid && (!c->before->record || !same_uid(c->card->uid, card_uid(c->a, c->before->record, now))))
		kept->uid = c->card->uid;
	c->change->kept_differs = strcmp(kept->uid, uid) != 0 || kept->len != (now ? now->len : 0) ||
	                          (now && memcmp(kept->text, now->text, kept->len) != 0);
	c->change->kept_too_much = c->n_kept > CARD_KEPT_PROPERTIES_MAX || kept->len > CARD_MAX || c->text.overflow;
	buf_free(&c->text);
}
