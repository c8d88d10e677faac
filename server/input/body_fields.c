/* Reads an object by the rows of the field table. */
#include <string.h>

#include "server/base/etag.h"
#include "server/input/body.h"
#include "server/input/body_value.h"

static void body_read_field(struct reading *rd, int index, const struct json *json, const struct path *at)
{
	struct input *in = rd->input;
	const struct field *f = &in->resource->fields[index];
	struct value *v = &in->values[index];

	in->given |= FIELD_BIT(index);
	in->json[index] = json;
	if (json->type == JSON_NULL && (f->flags & FIELD_NULLABLE)) {
		v->null = f->type != FIELD_TEXT || (f->flags & FIELD_NULL_EMPTY);
		v->text = "";
		return;
	}
	field_readers[f->type].read(rd, f, json, at, v);
	if (v->null && (f->flags & FIELD_FROM_ADMIN)) /* "" */
		in->given &= ~FIELD_BIT(index);
}

static void body_read_condition(struct reading *rd, const struct json *json, const struct path *at)
{
	if (!body_text(rd->shape, json, 1, IF_MATCH_MAX, at))
		return;
	if (!etag_list_valid(json->text, json->len))
		issue_string(rd->shape, at, "regex");
	rd->input->if_match = json->text;
	rd->input->if_match_len = json->len;
}

/* A field given under a deprecated name counts as given, unless its current name is given too. */
static void older_names(struct input *in)
{
	for (int i = 0; i < in->resource->n_fields; i++) {
		const char *name = in->resource->fields[i].same_as;
		int target = name ? field_find(in->resource, name, strlen(name)) : -1;
		if (target < 0 || !(in->given & FIELD_BIT(i)) || (in->given & FIELD_BIT(target)))
			continue;
		in->values[target] = in->values[i];
		in->given |= FIELD_BIT(target);
	}
}

static void missing_fields(struct reading *rd, const struct input *in, unsigned accepted, const struct path *at)
{
	unsigned required = accepted == FIELD_IN_CREATE ? FIELD_REQUIRED : FIELD_REQUIRED_UPDATE;

	for (int i = 0; accepted && i < in->resource->n_fields; i++) {
		const struct field *f = &in->resource->fields[i];
		struct path here = PATH_NAME(at, f->name);
		if (!(f->flags & required) || (in->given & FIELD_BIT(i)))
			continue;
		issue_required(rd->shape, &here, field_readers[f->type].expected);
	}
}

/* The members that a body may have, for hints. */
struct body_names {
	const struct resource *res;
	unsigned accepted;
	bool with_id;
};

static void body_near(const void *ctx, struct near *n)
{
	const struct body_names *names = ctx;

	if (names->with_id)
		near_try(n, "id", 2);
	for (int i = 0; i < names->res->n_fields; i++) {
		const struct field *f = &names->res->fields[i];
		if (f->flags & names->accepted)
			near_try(n, f->name, strlen(f->name));
	}
}

struct input *body_read(struct reading *rd, const struct resource *res, unsigned accepted, bool with_id,
    const struct json *body, const struct path *at)
{
	struct input *in = arena_alloc(rd->arena, sizeof *in);
	struct path id_path = PATH_NAME(at, "id");
	struct body_names names = {res, accepted, with_id};
	struct issue_keys unknown;

	in->resource = res;
	rd->input = in;
	if (body && !body_object(rd, body, at))
		return in;
	issue_keys_begin(&unknown, rd->shape, body_near, &names, "known here");
	json_each_member(m, body) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		int index = field_find(res, m->key, m->key_len);
		if (with_id && strcmp(m->key, "id") == 0)
			body_id(rd, res->id_kind, m, &here, &in->id);
		else if (with_id && strcmp(m->key, "ifMatch") == 0)
			body_read_condition(rd, m, &here);
		else if (index >= 0 && (res->fields[index].flags & accepted))
			body_read_field(rd, index, m, &here);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	older_names(in);
	if (with_id && (!body || !json_member(body, "id")))
		issue_required(rd->shape, &id_path, "string");
	missing_fields(rd, in, accepted, at);
	issue_keys_end(&unknown, at);
	return in;
}
