/* Sample data for every type of event. */
#include <string.h>

#include "server/base/json.h"
#include "webhook/listen.h"

#define ENTITY                                                                                                         \
	"{\"id\":\"per_019a9d79-7c30-7b3e-9fa4-2516532f8c01\",\"entityType\":\"person\",\"fullName\":\"Ada "           \
	"Lovelace\"}"
#define GROUP "grp_019a9d79-7c30-7b3e-9fa4-2516532f8c02"

/* Selected by the end of the type's name; the first match is used. */
static const struct {
	const char *ending, *members;
} samples[] = {
    {"person.created", "\"changes\":[{\"path\":[\"firstName\"],\"type\":\"set\",\"value\":\"Ada\"},"
                       "{\"path\":[\"emails\"],\"type\":\"add\",\"value\":[\"ada@example.com\"]}]"},
    {"person.updated", "\"changes\":[{\"path\":[\"jobTitle\"],\"type\":\"set\",\"value\":\"Analyst\"}]"},
    {".groups_updated", "\"changes\":[{\"path\":[\"groups\"],\"type\":\"add\",\"value\":[{\"id\":\"" GROUP "\"}]}]"},
    {"person.deleted", "\"details\":{\"name\":\"Ada Lovelace\",\"emails\":[\"ada@example.com\"]}"},
    {"company.created", "\"changes\":[{\"path\":[\"name\"],\"type\":\"set\",\"value\":\"Analytical Engines\"}]"},
    {"company.updated", "\"changes\":[{\"path\":[\"industry\"],\"type\":\"set\",\"value\":\"Computing\"}]"},
    {"company.deleted", "\"details\":{\"name\":\"Analytical Engines\",\"emails\":[\"office@example.com\"]}"},
    {"object.created", "\"changes\":[{\"path\":[\"name\"],\"type\":\"set\",\"value\":\"Big deal\"}]"},
    {"object.updated", "\"changes\":[{\"path\":[\"name\"],\"type\":\"set\",\"value\":\"Bigger deal\"}]"},
    {"object.deleted", "\"details\":{\"name\":\"Big deal\"}"},
    {"reminder.triggered", "\"details\":{\"entity\":" ENTITY ",\"lastTriggerTime\":\"2026-01-31T09:30:00.000Z\","
                           "\"nextTriggerTime\":\"2026-02-07T09:30:00.000Z\"}"},
    {"note.created", "\"details\":{\"entity\":" ENTITY "}"},
    {"note.updated", "\"details\":{\"entity\":" ENTITY "}"},
    {"note.deleted", "\"details\":{\"entity\":" ENTITY "}"},
    {"reminder.created", "\"details\":{\"entity\":" ENTITY "}"},
    {"reminder.updated", "\"details\":{\"entity\":" ENTITY "}"},
    {"reminder.deleted", "\"details\":{\"entity\":" ENTITY "}"},
};

static bool ends_with(const char *text, const char *ending)
{
	size_t len = strlen(text), n = strlen(ending);

	return len >= n && strcmp(text + len - n, ending) == 0;
}

void listen_sample(struct buf *out, enum event_type type, const char *base_url)
{
	const struct event_kind *kind = &event_kinds[type];
	struct uuid record = id_new();
	struct json_out o;
	char id[ID_SIZE];

	id_format(kind->id_kind, &record, id);
	json_out_init(&o, out);
	json_begin_object(&o);
	json_key(&o, "id");
	json_string(&o, id);
	json_key(&o, "url");
	if (kind->path)
		buf_printf(out, "\"%s%s%s\"", base_url, kind->path, id);
	else
		buf_printf(out, "\"%s/v1/groups/" GROUP "/Deals/%s\"", base_url, id);
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		if (!ends_with(kind->name, samples[i].ending))
			continue;
		buf_addc(out, ',');
		buf_addz(out, samples[i].members);
		break;
	}
	o.after_key = false;
	json_end_object(&o);
}
