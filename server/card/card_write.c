/* Writes records as cards. */
#include <string.h>
#include <strings.h>

#include "server/card/card_private.h"

enum { LINES_MAX = CARD_PROPERTIES_MAX + 64 };

/* What happened to a kept property. */
enum kept_state { KEPT_OPEN, KEPT_WRITTEN, KEPT_DROPPED };

struct card_writer {
	struct buf *out, line;
	struct arena scratch;
	enum card_version version;
	enum id_kind kind;
	const struct json *record;
	struct card kept;
	enum kept_state *states;
};

/* A line of a list: a kept property, or a value. */
struct card_item {
	const struct card_property *kept; /* NULL: there is only the value */
	const char *value;
};

static void write_property(struct card_writer *w, const struct card_property *p)
{
	buf_clear(&w->line);
	card_write_line(&w->line, p);
	vcard_fold(w->out, w->line.data, w->line.len);
}

/* head: name and parameters; rest: more behind the value, escaped. */
static void write_value(
    struct card_writer *w, const char *head, enum card_shape shape, const char *value, const char *rest)
{
	buf_clear(&w->line);
	buf_addz(&w->line, head);
	buf_addc(&w->line, ':');
	card_write_value(&w->line, shape, value, w->version);
	buf_addz(&w->line, rest);
	vcard_fold(w->out, w->line.data, w->line.len);
}

static void write_kept(struct card_writer *w, size_t i)
{
	write_property(w, &w->kept.properties[i]);
	w->states[i] = KEPT_WRITTEN;
}

/* The first kept property of that name from at on; w->kept.n: there is none. */
static size_t kept_next(const struct card_writer *w, const char *name, size_t at)
{
	while (at < w->kept.n && !card_is(&w->kept.properties[at], name))
		at++;
	return at;
}

/* --- single fields -------------------------------------------------------------------------------- */

/* A kept N stays unchanged while both of its names are those of the record. If it has no names, it stays unchanged
 * while the record's names are those that the API took from FN. */
static bool names_stay(struct card_writer *w, const char *kept, const char *names)
{
	const char *full = json_text(w->record, "fullName"), *first, *last;

	if (w->kind == ID_COMPANY || strcmp(kept, names) == 0)
		return true;
	card_split_name(&w->scratch, card_clean(&w->scratch, full, strlen(full)), &first, &last);
	return strcmp(kept, ";;;;") == 0 && strcmp(card_names_value(&w->scratch, first, last), names) == 0;
}

/* The record has another value than the kept property. Additional names and departments stay, as the job title does. */
static const char *kept_rest(const struct card_row *row, const struct card_property *p)
{
	size_t at = 0, parts = row->shape == CARD_NAMES ? 2 : row->shape == CARD_COMPANY ? 1 : 0;

	for (; parts && at <= p->len; parts--)
		at += vcard_part(p->value + at, p->len - at, ';') + 1;
	return at && at <= p->len && strspn(p->value + at, ";") < p->len - at ? p->value + at - 1 : "";
}

static void write_single(struct card_writer *w, const struct card_row *row)
{
	const char *value = card_record_value(&w->scratch, w->kind, row, w->record), *kept, *rest = "";
	size_t i = kept_next(w, row->name, 0);

	if (i < w->kept.n) {
		kept = card_value(&w->scratch, row, &w->kept.properties[i]);
		if (row->shape == CARD_NAMES ? names_stay(w, kept, value) : strcmp(kept, value) == 0) {
			write_kept(w, i);
			return;
		}
		w->states[i] = KEPT_DROPPED;
		rest = kept_rest(row, &w->kept.properties[i]);
	}
	if ((!*value && !*rest) || (row->shape == CARD_NAMES && w->kind == ID_COMPANY && w->version == CARD_4_0))
		return;
	if (row->shape == CARD_NAMES && *rest)
		value = arena_dup(&w->scratch, value, strlen(value) - strlen(";;;"));
	write_value(w, row->name, row->shape, value, rest);
}

/* --- lists ------------------------------------------------------------------------------------------ */

/* Adds the kept properties that have the value, or the value. */
static size_t list_item(
    struct card_writer *w, const char *value, const char *const *kept_values, struct card_item *items, size_t n)
{
	bool found = false;

	for (size_t i = 0; i < w->kept.n && n < LINES_MAX; i++)
		if (kept_values[i] && strcmp(kept_values[i], value) == 0 && w->states[i] == KEPT_OPEN) {
			items[n++] = (struct card_item){.kept = &w->kept.properties[i], .value = value};
			w->states[i] = KEPT_WRITTEN;
			found = true;
		}
	for (size_t i = 0; i < n && !found; i++)
		found = strcmp(items[i].value, value) == 0;
	if (!found && n < LINES_MAX)
		items[n++] = (struct card_item){.value = value};
	return n;
}

/* True when clients would see another order than the record's. Without any kept property the first one is marked,
 * because programs that sort the numbers show it first. */
static bool list_reorders(const struct card_item *items, size_t n)
{
	int before = 0, best;
	bool kept = false;

	for (size_t i = 0, k; i < n; i = k) {
		best = CARD_RANK_NONE;
		for (k = i; k < n && items[k].value == items[i].value; k++) {
			int rank = items[k].kept ? card_rank(items[k].kept) : CARD_RANK_NONE;
			best = rank < best ? rank : best;
			kept = kept || items[k].kept;
		}
		if (best < before)
			return true;
		before = best;
	}
	return !kept && n > 1;
}

static void list_write(struct card_writer *w, const struct card_row *row, const struct card_item *items, size_t n)
{
	bool rank = list_reorders(items, n);
	struct card_property p;

	for (size_t i = 0; i < n; i++) {
		if (items[i].kept) {
			p = *items[i].kept;
			if (rank)
				p.params = card_params_ranked(&w->scratch, p.params, w->version, i == 0);
			write_property(w, &p);
		} else {
			write_value(w,
			    arena_printf(&w->scratch, "%s%s", row->name,
			        rank && i == 0 ? card_params_ranked(&w->scratch, "", w->version, true) : ""),
			    row->shape, items[i].value, "");
		}
	}
}

static void write_list(struct card_writer *w, const struct card_row *row)
{
	const char **kept_values = arena_alloc(&w->scratch, (w->kept.n + 1) * sizeof *kept_values);
	struct card_item *items = arena_alloc(&w->scratch, LINES_MAX * sizeof *items);
	const char *value;
	size_t n = 0;

	for (size_t i = kept_next(w, row->name, 0); i < w->kept.n; i = kept_next(w, row->name, i + 1))
		kept_values[i] = card_value(&w->scratch, row, &w->kept.properties[i]);
	json_each(item, json_member(w->record, row->member)) {
		value = card_clean(&w->scratch, item->text, item->type == JSON_STRING ? item->len : 0);
		if (*value)
			n = list_item(w, value, kept_values, items, n);
	}
	/* What means nothing to the field stays. */
	for (size_t i = 0; i < w->kept.n; i++)
		if (kept_values[i] && *kept_values[i] && w->states[i] == KEPT_OPEN)
			w->states[i] = KEPT_DROPPED;
	list_write(w, row, items, n);
}

/* --- groups ------------------------------------------------------------------------------------------- */

static bool groups_have(const struct json *groups, const char *name)
{
	json_each(g, groups)
		if (strcmp(json_text(g, "name"), name) == 0)
			return true;
	return false;
}

/* The names of the groups come first. They share a property with the client's own words, because some programs read
 * only one. */
static void write_groups(struct card_writer *w, const struct card_row *row)
{
	const struct json *groups = json_member(w->record, row->member);
	size_t i = kept_next(w, row->name, 0), len, words = 0;
	struct card_property none = {.group = "", .name = row->name, .params = "", .value = ""}, *p = &none;
	char *word;

	if (i < w->kept.n) {
		p = &w->kept.properties[i];
		w->states[i] = KEPT_WRITTEN;
	}
	buf_clear(&w->line);
	card_write_line(
	    &w->line, &(struct card_property){.group = p->group, .name = p->name, .params = p->params, .value = ""});
	json_each(g, groups) {
		const char *name = json_text(g, "name");
		buf_addz(&w->line, words++ ? "," : "");
		vcard_escape(&w->line, card_clean(&w->scratch, name, strlen(name)), false);
	}
	for (size_t at = 0; at < p->len; at += len + 1) {
		len = vcard_part(p->value + at, p->len - at, ',');
		word = arena_alloc(&w->scratch, len + 1);
		vcard_unescape(p->value + at, len, word);
		if (groups_have(groups, word))
			continue;
		buf_addz(&w->line, words++ ? "," : "");
		buf_add(&w->line, p->value + at, len);
	}
	if (words)
		vcard_fold(w->out, w->line.data, w->line.len);
}

/* --- fields that only the API changes --------------------------------------------------------------- */

static const char *own_item(const struct json *value)
{
	static const char *const members[] = {"fullName", "name", "label", "email", "id"};

	if (value->type == JSON_STRING || value->type == JSON_NUMBER)
		return value->text;
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (*json_text(value, members[i]))
			return json_text(value, members[i]);
	return "";
}

static void write_own(struct card_writer *w, const char *head, const struct json *value)
{
	const char *text = value ? own_item(value) : "";

	json_each(item, value)
		text = arena_printf(&w->scratch, "%s%s%s", text, *text ? ", " : "", own_item(item));
	text = card_clean(&w->scratch, text, strlen(text));
	if (*text)
		write_value(w, head, CARD_TEXT, text, "");
}

/* A name as the value of a parameter, which cannot have quotation marks. */
static const char *quoted_name(struct card_writer *w, const char *name)
{
	char *text = arena_dupz(&w->scratch, card_clean(&w->scratch, name, strlen(name)));

	for (char *c = text; *c; c++)
		*c = (char)(*c == '"' ? '\'' : *c == '\n' ? ' ' : *c);
	return text;
}

static void write_custom(struct card_writer *w)
{
	const char *group;

	json_each_member(values, json_member(w->record, "customFieldValues")) {
		group = "";
		json_each(g, json_member(w->record, "groups"))
			group = strcmp(json_text(g, "id"), values->key) == 0 ? json_text(g, "name") : group;
		json_each_member(value, values)
			write_own(w,
			    arena_printf(&w->scratch, "X-KITH-FIELD;X-GROUP=\"%s\";X-NAME=\"%s\"",
			        quoted_name(w, group), quoted_name(w, value->key)),
			    value);
	}
}

static void write_company(struct card_writer *w)
{
	static const char *const own[][2] = {{"industry", "X-KITH-INDUSTRY"}, {"fundingRaised", "X-KITH-FUNDINGRAISED"},
	    {"lastFundingDate", "X-KITH-LASTFUNDINGDATE"}, {"foundationYear", "X-KITH-FOUNDATIONYEAR"},
	    {"employeeRange", "X-KITH-EMPLOYEERANGE"}};

	buf_addz(w->out, "KIND:org\r\n");
	if (w->version == CARD_3_0)
		buf_addz(w->out, "X-ABSHOWAS:COMPANY\r\n");
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		write_own(w, own[i][1], json_member(w->record, own[i][0]));
}

/* --- the card ------------------------------------------------------------------------------------------- */

/* A label is dropped when all properties that it labels were dropped. */
static bool label_stays(const struct card_writer *w, const struct card_property *label)
{
	bool gone = false, there = false;

	for (size_t i = 0; i < w->kept.n; i++) {
		const struct card_property *p = &w->kept.properties[i];
		if (strcmp(p->group, label->group) != 0 || card_is_label(p))
			continue;
		gone = gone || w->states[i] == KEPT_DROPPED;
		there = there || w->states[i] != KEPT_DROPPED;
	}
	return there || !gone;
}

static void write_rest(struct card_writer *w)
{
	for (size_t i = 0; i < w->kept.n; i++)
		if (w->states[i] == KEPT_OPEN &&
		    (!card_is_label(&w->kept.properties[i]) || label_stays(w, &w->kept.properties[i])))
			write_property(w, &w->kept.properties[i]);
}

/* 2026-01-31T10:00:00.123Z is 20260131T100000Z. */
static void write_revision(struct card_writer *w)
{
	buf_addz(w->out, "REV:");
	for (const char *text = json_text(w->record, "updatedAt"); *text && !strchr(".Z", *text); text++)
		if (!strchr("-:", *text))
			buf_addc(w->out, *text);
	buf_addz(w->out, "Z\r\n");
}

const char *card_uid(struct arena *a, const struct json *record, const struct card_kept *kept)
{
	const char *id = json_text(record, "id");

	return kept && *kept->uid ? kept->uid : arena_printf(a, "urn:uuid:%s", strlen(id) == ID_LEN ? id + 4 : id);
}

const char *card_uid_bare(const char *uid)
{
	static const char prefix[] = "urn:uuid:";
	size_t len = strlen(prefix);

	return strncasecmp(uid, prefix, len) == 0 ? uid + len : uid;
}

void card_write(struct buf *out, enum id_kind kind, const struct json *record, const struct card_kept *kept,
    enum card_version version, const char *tag)
{
	struct card_writer w = {.out = out, .version = version, .kind = kind, .record = record};

	arena_init(&w.scratch);
	buf_init(&w.line, out->max);
	card_kept_read(&w.scratch, kept, version, &w.kept);
	w.states = arena_alloc(&w.scratch, (w.kept.n + 1) * sizeof *w.states);
	buf_printf(out, "BEGIN:VCARD\r\nVERSION:%s\r\n", card_version_name(version));
	write_value(&w, "UID", CARD_TEXT, card_uid(&w.scratch, record, kept), "");
	for (const struct card_row *row = card_rows(kind); row->name; row++) {
		if (row->shape == CARD_GROUPS)
			write_groups(&w, row);
		else if (row->shape >= CARD_URL)
			write_list(&w, row);
		else
			write_single(&w, row);
	}
	write_rest(&w);
	if (kind == ID_COMPANY)
		write_company(&w);
	write_custom(&w);
	write_revision(&w);
	if (*tag)
		buf_printf(out, CARD_TAG_PROPERTY ":%s\r\n", tag);
	buf_addz(out, "END:VCARD\r\n");
	buf_free(&w.line);
	arena_free(&w.scratch);
}
