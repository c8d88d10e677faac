/* The shape of options, colours and number formats of custom fields. */
#include "server/input/body_value.h"

#include <string.h>

#include "server/base/text.h"
#include "store/resources.h"

enum { LABEL_MAX = 500, OPTIONS_MAX = 1000, DECIMALS_MAX = 5, OPTION_ID_MAX = 64 };

static const char *const formats[] = {"default", "number", "percent", "currency", "none", NULL};

static void color_shape(struct reading *rd, const struct json *value, const struct path *at)
{
	if (value->type != JSON_STRING)
		issue_type(rd->shape, at, "string", value);
	else if (value->len != 7 || value->text[0] != '#' || strspn(value->text + 1, "0123456789abcdefABCDEF") != 6)
		issue_string_form(rd->shape, at, "#rrggbb");
}

/* {label, color?}, or {id, label?, color?} in an update. */
static void option_shape(struct reading *rd, const struct json *option, bool with_id, const struct path *at)
{
	static const char *const members[] = {"id", "label", "color", NULL};
	struct path id = PATH_NAME(at, "id"), label = PATH_NAME(at, "label");
	struct issue_keys unknown;

	if (!body_object(rd, option, at))
		return;
	issue_keys_begin(&unknown, rd->shape, near_list, members + !with_id, "known here");
	json_each_member(m, option) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		if (strcmp(m->key, "label") == 0)
			body_text(rd->shape, m, 1, LABEL_MAX, &here);
		else if (strcmp(m->key, "color") == 0)
			color_shape(rd, m, &here);
		else if (with_id && strcmp(m->key, "id") == 0)
			body_text(rd->shape, m, 1, OPTION_ID_MAX, &here);
		else
			issue_keys_add(&unknown, m->key, m->key_len);
	}
	if (with_id && !json_member(option, "id"))
		issue_required(rd->shape, &id, "string");
	if (!with_id && !json_member(option, "label"))
		issue_required(rd->shape, &label, "string");
	issue_keys_end(&unknown, at);
}

static void decimals_shape(struct reading *rd, const struct json *value, const struct path *at)
{
	uint64_t n = 0;
	bool number = value->type == JSON_NUMBER, whole = number && text_uint(value->text, value->len, &n);

	if (!number || (!whole && value->text[0] != '-'))
		issue_type(rd->shape, at, "integer", value);
	else if (!whole)
		issue_range(rd->shape, at, false, 0, "number", false);
	else if (n > DECIMALS_MAX)
		issue_range(rd->shape, at, true, DECIMALS_MAX, "number", false);
}

static void format_shape(struct reading *rd, const struct json *value, const struct path *at)
{
	if (value->type != JSON_STRING) {
		issue_type(rd->shape, at, "string", value);
		return;
	}
	for (int i = 0; formats[i]; i++)
		if (strcmp(formats[i], value->text) == 0)
			return;
	issue_choice(rd->shape, at, formats, value->text, value->len);
}

static void config_shape(struct reading *rd, const struct json *config, const struct path *at)
{
	static const char *const members[] = {"format", "decimals", "currency", NULL};
	struct path currency = PATH_NAME(at, "currency");
	struct issue_keys unknown;

	issue_keys_begin(&unknown, rd->shape, near_list, members, "known here");
	json_each_member(m, config) {
		struct path here = {.up = at, .name = m->key, .len = m->key_len};
		if (strcmp(m->key, "format") == 0)
			format_shape(rd, m, &here);
		else if (strcmp(m->key, "decimals") == 0)
			decimals_shape(rd, m, &here);
		else if (strcmp(m->key, "currency") != 0)
			issue_keys_add(&unknown, m->key, m->key_len);
		else if (m->type != JSON_STRING)
			issue_type(rd->shape, &here, "string", m);
		else if (m->len != 3 || strspn(m->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 3)
			issue_string_form(rd->shape, &here, "three capital letters such as EUR");
	}
	if (strcmp(json_text(config, "format"), "currency") == 0 && !json_member(config, "currency"))
		issue_required(rd->shape, &currency, "string");
	issue_keys_end(&unknown, at);
}

void definition_shape(
    struct reading *rd, const struct field *f, const struct json *value, const struct path *at, struct value *v)
{
	int member = (int)(f - rd->input->resource->fields); /* of enum custom_field_field */
	size_t index = 0;

	(void)v; /* server/resource/custom_definition.c reads it */
	if (member == CF_CONFIG) {
		if (body_object(rd, value, at))
			config_shape(rd, value, at);
		return;
	}
	if (!body_array(rd, value, OPTIONS_MAX, at))
		return;
	for (const struct json *item = value->first; item; item = item->next, index++) {
		struct path here = PATH_INDEX(at, index);
		if (member == CF_REMOVE_OPTIONS)
			body_text(rd->shape, item, 1, OPTION_ID_MAX, &here);
		else if (member == CF_OPTION_ORDER)
			body_text(rd->shape, item, 1, LABEL_MAX, &here);
		else
			option_shape(rd, item, member == CF_UPDATE_OPTIONS, &here);
	}
}
