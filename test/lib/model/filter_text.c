/* Filters as texts; see filter_text.h. */
#include "test/lib/model/filter_text.h"

#include <inttypes.h>
#include <string.h>

#include "server/base/clock.h"

/* --- the small workspace --------------------------------------------------------- */

static struct uuid uuid_of(const char *text)
{
	struct uuid id = {{0}};
	uuid_parse(text, strlen(text), &id);
	return id;
}

static bool has_group(const void *ctx, const struct uuid *id)
{
	struct uuid known = uuid_of(FILTER_TEXT_UUID("1"));
	(void)ctx;
	return uuid_equal(&known, id);
}

static bool find_custom(
    const void *ctx, const struct uuid *group, const char *name, size_t len, struct filter_custom *out)
{
	static const char *const types[] = {"textField", "numericField", "dateField", "singleSelect", "multipleSelect",
	    "contactField", "userField", "objectField"};
	(void)ctx;
	(void)group;
	out->id = uuid_of(FILTER_TEXT_UUID("f"));
	out->type = "textField";
	if (len == 8 && memcmp(name, "a.b][c d", 8) == 0)
		return true;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		out->type = types[i];
		if (strlen(types[i]) == len && memcmp(types[i], name, len) == 0)
			return true;
	}
	return false;
}

static bool find_option(const void *ctx, const struct uuid *field, const char *label, size_t len, struct uuid *out)
{
	bool red = len == 3 && memcmp(label, "Red", 3) == 0, blue = len == 4 && memcmp(label, "Blue", 4) == 0;
	(void)ctx;
	(void)field;
	*out = uuid_of(red ? FILTER_TEXT_UUID("a") : FILTER_TEXT_UUID("b"));
	return red || blue;
}

static bool find_user(const void *ctx, const char *email, size_t len, struct uuid *out)
{
	(void)ctx;
	*out = uuid_of(FILTER_TEXT_UUID("2"));
	return len == 15 && memcmp(email, "ada@example.com", 15) == 0;
}

const struct filter_resolver filter_text_resolver = {
    .group = has_group, .custom = find_custom, .option = find_option, .user = find_user};

/* --- filters --------------------------------------------------------------------- */

static void write_value(struct buf *out, enum filter_type type, const struct filter_value *v)
{
	char text[40];

	if (v->unknown) {
		buf_addz(out, "nobody");
		return;
	}
	switch (type) {
	case FILTER_TEXT:
	case FILTER_TEXTS:
	case FILTER_EMAILS:
	case FILTER_PHONES:
	case FILTER_CHOICE:
	case FILTER_NUMBER:
		buf_add(out, v->text, v->len);
		break;
	case FILTER_DATE:
		buf_addz(out, date_format(v->day, text));
		break;
	case FILTER_DAY:
	case FILTER_INSTANT:
		buf_addz(out, time_format(v->from_ms, text));
		buf_printf(out, "+%" PRId64, v->to_ms - v->from_ms);
		break;
	case FILTER_USER:
	case FILTER_USERS:
	case FILTER_OPTION:
	case FILTER_OPTIONS:
	case FILTER_ENTITY:
	case FILTER_REFS:
		buf_addz(out, uuid_format(&v->id, text) + 35);
		break;
	}
}

static void write_condition(struct buf *out, const struct filter_condition *c)
{
	if (c->relation)
		buf_printf(out, "%s>", c->relation->name);
	if (c->field->source == FILTER_CUSTOM)
		buf_addz(out, "custom ");
	buf_printf(out, "%s %s", c->field->name, filter_op_word(c->op));
	for (size_t i = 0; i < c->n_values; i++) {
		buf_addz(out, i ? ", " : " [");
		write_value(out, c->field->type, &c->values[i]);
	}
	buf_addz(out, c->n_values ? "]" : "");
}

void filter_text_write(struct buf *out, const struct filter *f)
{
	if (!f) {
		buf_addc(out, '-');
		return;
	}
	if (f->kind == FILTER_ONE) {
		write_condition(out, f->condition);
		return;
	}
	buf_addc(out, '(');
	for (size_t i = 0; i < f->n_parts; i++) {
		buf_addz(out, i == 0 ? "" : f->kind == FILTER_ALL_OF ? " and " : " or ");
		filter_text_write(out, f->parts[i]);
	}
	buf_addc(out, ')');
}

/* --- issues ---------------------------------------------------------------------- */

static void write_issue(struct buf *out, const struct json *issue)
{
	buf_addz(out, json_member(issue, "code")->text);
	buf_addc(out, ' ');
	json_canonical(out, json_member(issue, "path"));
	for (const struct json *m = issue->first; m; m = m->next) {
		if (strcmp(m->key, "code") == 0 || strcmp(m->key, "path") == 0 || strcmp(m->key, "message") == 0 ||
		    strcmp(m->key, "inclusive") == 0 || strcmp(m->key, "hint") == 0 ||
		    (m->type == JSON_BOOL && !m->truth))
			continue;
		buf_printf(out, " %s=", m->key);
		json_canonical(out, m);
	}
	buf_addc(out, '\n');
}

bool filter_text_issues(struct buf *out, const struct issues *is)
{
	struct arena a;
	struct buf details;
	const char *error;
	const struct json *all;

	arena_init(&a);
	buf_init(&details, 1 << 20);
	issues_details(is, &details);
	all = json_read(&a, details.data, details.len, &error);
	for (const struct json *i = all ? all->first->first : NULL; i; i = i->next)
		write_issue(out, i);
	buf_free(&details);
	arena_free(&a);
	return all != NULL;
}
