/* Records as CSV. */
#include "transfer/export_record.h"
#include "transfer/refusal.h"

/* The fields that have a column. */
static bool export_csv_has(const struct transfer_field *f)
{
	static const char *const shown[] = {"id", "updatedAt", "author", NULL};
	bool show = f->shape != SHAPE_READ && f->shape != SHAPE_CUSTOM && !shape_is_part(f->shape);

	for (int i = 0; shown[i]; i++)
		show |= strcmp(f->name, shown[i]) == 0;
	return show && !f->hidden;
}

/* The text for an item of a list, or for an object. */
static const char *export_csv_item(enum transfer_kind kind, const struct json *v)
{
	static const char *const names[] = {"name", "email", "fullName", "id"};

	if (v->type == JSON_STRING || v->type == JSON_NUMBER)
		return v->text;
	if (v->type == JSON_BOOL)
		return v->truth ? "true" : "false";
	/* Objects refer to contacts only by id, as notes, tasks and interactions do. */
	if (kind == TRANSFER_OBJECTS && !*json_text(v, "email"))
		return json_text(v, "id");
	if (*json_text(v, "entityType"))
		return json_text(v, "id");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (*json_text(v, names[i]) && !(i == 0 && *json_text(v, "email")))
			return json_text(v, names[i]);
	return "";
}

static void export_csv_value(struct buf *out, enum transfer_kind kind, const struct json *v)
{
	struct buf joined;

	if (!v || v->type == JSON_NULL)
		return;
	if (v->type != JSON_ARRAY) {
		refusal_csv_own(out, export_csv_item(kind, v), ',');
		return;
	}
	buf_init(&joined, 16 << 20);
	json_each(i, v) {
		if (joined.len)
			buf_addz(&joined, "; ");
		buf_addz(&joined, export_csv_item(kind, i));
	}
	refusal_csv_own(out, joined.len ? joined.data : "", ',');
	buf_free(&joined);
}

void export_csv_header(struct buf *out, enum transfer_kind kind, const struct roster *l)
{
	const struct transfer_field *f;
	struct buf name;
	bool any = false;

	for (size_t i = 0; (f = field_at(kind, i)); i++) {
		if (!export_csv_has(f))
			continue;
		buf_printf(out, "%s%s", any ? "," : "", f->name);
		any = true;
	}
	for (size_t i = 0; i < l->n_custom; i++) {
		buf_addc(out, ',');
		buf_init(&name, 8192);
		/* The name is also that of a field, or could be a formula. */
		if (field_named(kind, l->custom[i].name) || refusal_is_formula(l->custom[i].name))
			buf_addz(&name, HEADER_CUSTOM);
		buf_addz(&name, l->custom[i].name);
		refusal_csv_value(out, name.data, name.len, ',');
		buf_free(&name);
	}
	buf_addz(out, "\r\n");
}

void export_csv_record(
    struct buf *out, enum transfer_kind kind, const struct roster *l, const char *group, const struct json *record)
{
	const struct json *values = json_member(record, "customFieldValues");
	const struct transfer_field *f;
	bool any = false;

	if (kind != TRANSFER_OBJECTS)
		values = json_member(values, group);
	for (size_t i = 0; (f = field_at(kind, i)); i++) {
		const struct json *v = json_member(record, f->name);
		if (!export_csv_has(f))
			continue;
		if (any)
			buf_addc(out, ',');
		any = true;
		if (!f->unset || strcmp(json_text(record, f->name), f->unset) != 0)
			export_csv_value(out, kind, v);
	}
	for (size_t i = 0; i < l->n_custom; i++) {
		buf_addc(out, ',');
		export_csv_value(out, kind, json_member(values, l->custom[i].name));
	}
	buf_addz(out, "\r\n");
}
