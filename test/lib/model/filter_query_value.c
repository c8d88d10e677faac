/* Values of random conditions; see filter_query.h. */
#include "test/lib/model/filter_query_value.h"

#include <string.h>

#include "server/base/clock.h"
#include "test/lib/patience.h"

enum { TRIES = 4, DAY_MS = 86400000 };

/* --- texts --------------------------------------------------------------------------------- */

static size_t character_at(const char *text, size_t at)
{
	while (at > 0 && (text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

static bool is_like(enum model_op op)
{
	return op == MODEL_LIKE || op == MODEL_NOT_LIKE;
}

/* A random non-empty part of the text. */
static char *part_of(struct arena *a, const char *text)
{
	size_t len = strlen(text), from = character_at(text, patience_chance((unsigned)len)),
	       to = from + 1 + patience_chance(patience_chance(2) ? 3 : (unsigned)(len - from));

	if (to > len)
		to = len;
	while (to < len && (text[to] & 0xc0) == 0x80)
		to++;
	return arena_dup(a, text + from, to - from);
}

/* Letters in the other case: those of ASCII, or all with a single lower case form. */
static char *other_case(struct arena *a, const char *text)
{
	char *out = arena_dupz(a, text);

	if (patience_chance(3) == 0)
		return model_fold(a, text);
	for (char *p = out; *p; p++) {
		if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z'))
			*p ^= patience_chance(4) ? 0x20 : 0;
	}
	return out;
}

/* Replaces a letter with a character that has a meaning in patterns, or appends one. */
static char *spoilt_text(struct arena *a, char *text)
{
	static const char signs[] = "%_\\x";
	size_t at = patience_chance((unsigned)strlen(text));

	if (patience_chance(2))
		return arena_printf(a, "%s%c", text, signs[patience_chance(4)]);
	if ((unsigned char)text[at] < 0x80)
		text[at] = signs[patience_chance(4)];
	return text;
}

static const char *draw_text(struct arena *a, enum model_op op, const char *text)
{
	char *out = is_like(op) && patience_chance(4) ? part_of(a, text) : arena_dupz(a, text);

	if (patience_chance(3) == 0)
		out = other_case(a, out);
	if (patience_chance(8) == 0)
		out = spoilt_text(a, out);
	return out;
}

/* The same digits with other characters between them. */
static const char *draw_phone(struct arena *a, enum model_op op, const char *text)
{
	static const char signs[] = " -/().+";
	size_t len = strlen(text), n = 0;
	char *out;

	if ((op != MODEL_EQ && op != MODEL_NOT_EQ) || !strpbrk(text, "0123456789"))
		return draw_text(a, op, text);
	out = arena_alloc(a, 2 * len + 1);
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			continue;
		if (patience_chance(4) == 0)
			out[n++] = signs[patience_chance(sizeof signs - 1)];
		out[n++] = text[i];
	}
	return out;
}

/* Spans the end of one item and the beginning of the next, which matches nothing. */
static const char *draw_seam(struct arena *a, const struct model_items *items)
{
	const char *one = items->items[0].text, *other = items->items[1].text;
	size_t from = character_at(one, strlen(one) - 1);

	return arena_printf(a, "%s%s%.*s", one + from, patience_chance(3) ? "\n" : ",",
	    1 + (other[1] > 0 && patience_chance(2)), other);
}

/* --- numbers, times ------------------------------------------------------------------------------ */

/* Another notation, or a number near by. */
static const char *draw_number(struct arena *a, const char *text)
{
	switch (patience_chance(8)) {
	case 0:
		return arena_printf(a, "%s%s", text, strchr(text, '.') ? "00" : ".0");
	case 1:
		return arena_printf(a, "%se0", text);
	case 2:
		return arena_printf(a, "%s%s", *text == '-' ? "" : "-", text);
	case 3:
		return arena_printf(a, "%s%d", text, (int)patience_chance(10));
	case 4:
		return arena_printf(a, "%d", (int)patience_chance(4000) - 1000);
	case 5:
		return arena_printf(a, "%s0e-1", strchr(text, '.') ? "1" : text);
	default:
		return text;
	}
}

static const char *day_text(struct arena *a, int32_t day)
{
	char out[DATE_TEXT_SIZE];
	int32_t first, last;

	date_parse("0001-01-01", 10, &first);
	date_parse("9999-12-31", 10, &last);
	return arena_dupz(a, date_format(day < first ? first : day > last ? last : day, out));
}

static const char *draw_day(struct arena *a, const char *text)
{
	int32_t day = 0;

	date_parse(text, 10, &day);
	return day_text(a, day + (patience_chance(3) ? 0 : (int32_t)patience_chance(3) - 1));
}

/* The same instant, or one before or after it, in some zone. */
static const char *draw_instant(struct arena *a, const char *text)
{
	static const struct {
		const char *text;
		int minutes;
	} zones[] = {{"Z", 0}, {"+00:00", 0}, {"+02:00", 120}, {"-09:30", -570}, {"+14:00", 840}};
	char out[TIME_TEXT_SIZE];
	unsigned zone = patience_chance(5);
	int64_t at = 0;

	time_parse(text, strlen(text), &at);
	at += patience_chance(2) ? 0 : (int64_t)patience_chance(3) - 1;
	time_format(at + zones[zone].minutes * INT64_C(60000), out);
	return arena_printf(a, "%.*s%s", (int)strlen(out) - 1, out, zones[zone].text);
}

static const char *draw_time(struct arena *a, enum model_type type, const char *text)
{
	return type == MODEL_DATE || patience_chance(2) ? draw_day(a, text) : draw_instant(a, text);
}

/* --- references ---------------------------------------------------------------------------------------- */

static struct model_item draw_reference(
    struct arena *a, enum model_type type, const struct filter_list *l, const struct model_item *item)
{
	struct model_item out = {.text = item->text};

	if (patience_chance(8) == 0) {
		out.text = l->strays[patience_chance((unsigned)l->n_strays)];
		return out;
	}
	if (type == MODEL_USER && patience_chance(2)) {
		out.text = NULL;
		out.email = patience_chance(10) ? patience_chance(2) ? item->email : other_case(a, item->email)
		                                : "nobody@example.org";
	}
	return out;
}

/* --- all ---------------------------------------------------------------------------------------------------- */

static struct model_item draw_from(
    struct arena *a, const struct model_condition *c, const struct filter_list *l, const struct model_item *item)
{
	char month[MODEL_MONTH_SIZE];

	switch (c->field->type) {
	case MODEL_TEXT:
	case MODEL_EMAIL:
		return (struct model_item){.text = draw_text(a, c->op, item->text)};
	case MODEL_PHONE:
		return (struct model_item){.text = draw_phone(a, c->op, item->text)};
	case MODEL_NUMBER:
		return (struct model_item){.text = draw_number(a, item->text)};
	case MODEL_MONTH:
		return (struct model_item){.text = draw_number(a, arena_dupz(a, model_month(item->text, month)))};
	case MODEL_DATE:
	case MODEL_DAY:
	case MODEL_INSTANT:
		return (struct model_item){.text = draw_time(a, c->field->type, item->text)};
	case MODEL_REF:
	case MODEL_USER:
		return draw_reference(a, c->field->type, l, item);
	case MODEL_GENDER:
	case MODEL_LABEL:
	case MODEL_TYPES:
		break;
	}
	return *item;
}

/* A record that has the field, preferably the one hoped for. */
static bool items_near(
    const struct filter_list *l, const struct model_field *f, const struct json *hoped, struct model_items *items)
{
	if (hoped && patience_chance(3)) {
		model_read(hoped, f, items);
		if (items->count)
			return true;
	}
	for (int i = 0; i < TRIES * TRIES && l->n_records; i++) {
		model_read(l->records[patience_chance((unsigned)l->n_records)], f, items);
		if (items->count)
			return true;
	}
	return false;
}

static size_t how_many(enum model_op op)
{
	if (op == MODEL_EMPTY || op == MODEL_NOT_EMPTY)
		return 0;
	if (op == MODEL_GT || op == MODEL_LT || patience_chance(5) < 3)
		return 1;
	return patience_chance(25) ? 1 + patience_chance(patience_chance(3) ? 3 : 8) : 16 + patience_chance(4);
}

bool filter_draw_values(
    struct arena *a, struct model_condition *c, const struct filter_list *l, const struct json *hoped)
{
	size_t n = how_many(c->op);
	struct model_items items;

	c->n_values = 0;
	if (n == 0)
		return true;
	if (!items_near(l, c->field, hoped, &items))
		return false;
	if (c->op == MODEL_ALL && patience_chance(3)) {
		/* All that the record has, with occasional changes. */
		for (size_t i = 0; i < items.count && i < MODEL_VALUES_MAX; i++)
			c->values[c->n_values++] =
			    patience_chance(12) ? items.items[i] : draw_from(a, c, l, &items.items[i]);
		for (size_t i = 0; i < c->n_values; i++)
			if (c->field->type == MODEL_USER && c->values[i].text)
				c->values[i].email = NULL;
		return true;
	}
	while (c->n_values < n) {
		bool seam = is_like(c->op) && items.count > 1 && (unsigned char)*items.items[1].text < 0x80 &&
		            patience_chance(12) == 0;
		struct model_item *item = &items.items[patience_chance((unsigned)items.count)];
		c->values[c->n_values++] =
		    seam ? (struct model_item){.text = draw_seam(a, &items)} : draw_from(a, c, l, item);
		if (c->n_values < n && !items_near(l, c->field, hoped, &items))
			return false;
	}
	return true;
}
