/* Creates the groups and custom fields that an import needs, exactly once. */
#include "server/base/text.h"
#include "transfer/import_private.h"

/* Notes a created group or field in FILE.kith. */
static bool make_note(struct import *im, const char *what, const char *name, const char *group, const char *type)
{
	struct json_out o;
	struct buf line;

	progress_line_begin(&o, &line, "made");
	json_add_string(&o, what, name);
	json_add_string(&o, "in", group);
	json_add_string(&o, "of", type);
	return progress_line_append(&im->progress, &o, &line);
}

bool import_note_contact(struct import *im, const struct json *data)
{
	char state[PROGRESS_STATE_SIZE];
	struct json_out o;
	struct buf line;

	progress_state(data, state);
	progress_line_begin(&o, &line, "made");
	json_add_string(&o, "contact", json_text(data, "id"));
	json_add_string(&o, "state", state);
	return progress_line_append(&im->progress, &o, &line);
}

/* Sends a create; returns the answer's data in *call, NULL with a message. */
static const struct json *make_create(struct import *im, struct remote_call **call, const char *what)
{
	*call = remote_run(im->remote, *call);
	if (!*call)
		return NULL;
	if (!remote_data(*call))
		import_say(im, "%s cannot be created: %s", what, remote_reason(*call));
	return remote_data(*call);
}

bool import_make_group(struct import *im, const char *name)
{
	struct remote_call *c = remote_call_new("POST", "/v1/groups");
	const struct json *data;
	struct json_out o;
	bool ok = false;

	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_add_string(&o, "name", name);
	json_add_string(&o, "visibility", "public");
	json_end_object(&o);
	import_key(im, c->key, arena_printf(&c->arena, "group %s", name), 0);
	data = make_create(im, &c, name);
	if (data) {
		roster_add_group(&im->roster, json_text(data, "id"), name);
		ok = make_note(im, "group", json_text(data, "id"), "", "");
	}
	remote_call_free(c);
	return ok;
}

const char *import_entity_type(const struct import *im)
{
	return im->kind == TRANSFER_PEOPLE ? "person" : im->kind == TRANSFER_COMPANIES ? "company" : im->options->type;
}

bool import_make_field(struct import *im, const char *group, const char *name, const char *type,
    const char *const *labels, size_t n_labels)
{
	const char *of = import_entity_type(im);
	struct buf segment;
	struct remote_call *c;
	struct json_out o;
	bool ok;

	buf_init(&segment, 4096);
	text_percent_encode(&segment, of, strlen(of));
	c = remote_call_new("POST", "/v1/groups/%s/custom-fields/%s", group, segment.data);
	buf_free(&segment);
	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_add_string(&o, "name", name);
	json_add_string(&o, "type", type);
	for (size_t i = 0; i < n_labels; i++) {
		if (i == 0) {
			json_key(&o, "options");
			json_begin_array(&o);
		}
		json_begin_object(&o);
		json_add_string(&o, "label", labels[i]);
		json_end_object(&o);
	}
	if (n_labels)
		json_end_array(&o);
	json_end_object(&o);
	import_key(im, c->key, arena_printf(&c->arena, "field %s %s", group, name), 0);
	ok = make_create(im, &c, name) && make_note(im, "field", name, group, of);
	remote_call_free(c);
	return ok;
}
