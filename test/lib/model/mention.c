/* See mention.h. */
#include "test/lib/model/mention.h"
#include "test/lib/test.h"

#include <string.h>

#include "server/base/buf.h"

enum { TEXT_MAX = 1 << 20 };

#define PERSON(email)                                                                                                  \
	"{\"fullName\":\"Zo\xc3\xab "                                                                                  \
	"Quist\xc3\xb8rpe\",\"firstName\":\"Zo\xc3\xab\",\"lastName\":\"Quist\xc3\xb8rpe\","                           \
	"\"emails\":[\"" email                                                                                         \
	"\"],\"phones\":[\"+49 (30) 5550-1723\"],\"urls\":[\"https://quistorpe.example/~z?a=1\"],"                     \
	"\"addresses\":[\"Lindenweg 12, \\\"Hinterhaus\\\"\"],\"description\":\"Quist\xc3\xb8rpe writes\",\"groups\":" \
	"[{\"id\":\"$G\"}],\"customFieldValues\":{\"$G\":{\"Note\":\"Kundin \\\\ 4711-Q\"}}}"
#define ENTITY "\"entity\":{\"id\":\"$P\"}"
#define RULE "\"recurrenceRule\":\"DTSTART;TZID=Europe/Berlin:20300105T090000\\nRRULE:FREQ=WEEKLY\""
#define TASK "\"title\":\"call Quist\xc3\xb8rpe\",\"dueAt\":\"2030-01-01\""
#define CALL "\"title\":\"met Quist\xc3\xb8rpe\",\"dateTime\":\"2026-01-01T00:00:00Z\",\"activityType\":\"call\""

const struct mention mentions[] = {
    {"POST /v1/people", PERSON("former-quistorpe@example.org"), 'P'},
    {"PATCH /v1/people/{personId}", "{\"emails\":[\"Zoe.Quistorpe@Example.org\"],\"birthday\":\"1984-02-29\"}"},
    {"POST /v1/people/batch/create", "{\"records\":[" PERSON("zoe.quistorpe@example.org") "]}", 'D'},
    {"POST /v1/people/batch/update", "{\"records\":[{\"id\":\"$P\",\"jobTitle\":\"Quist\xc3\xb8rpe's\"}]}"},
    {"POST /v1/people/{personId}/merge", "{\"id\":\"$D\"}"},
    {"POST /v1/people/batch/upsert",
        "{\"match\":\"emails\",\"records\":[{\"emails\":[\"zoe.quistorpe@example.org\"],\"jobTitle\":\"Dr. "
        "Quist\xc3\xb8rpe\"}]}"},
    {"POST /v1/people/search", "{\"filter\":{\"emails\":{\"eq\":\"zoe.quistorpe@example.org\"}}}"},
    {"POST /v1/notes", "{" ENTITY ",\"content\":\"Quist\xc3\xb8rpe\",\"visibility\":\"public\"}", 'N'},
    {"POST /v1/notes/batch/create",
        "{\"records\":[{" ENTITY ",\"content\":\"Quist\xc3\xb8rpe\",\"visibility\":\"private\"}]}"},
    {"PATCH /v1/notes/{noteId}", "{\"content\":\"about Quist\xc3\xb8rpe\"}"},
    {"POST /v1/tasks", "{" ENTITY "," TASK ",\"recurrenceFrequency\":\"weekly\"}", 'T'},
    {"POST /v1/tasks/batch/create", "{\"records\":[{" ENTITY "," TASK "}]}"},
    {"PATCH /v1/tasks/{taskId}", "{\"title\":\"write to Quist\xc3\xb8rpe\"}"},
    {"POST /v1/tasks/{taskId}/mark-as-done", "{\"completedAt\":\"2026-01-01T00:00:00Z\"}"},
    {"POST /v1/tasks/{taskId}/mark-as-todo", "{}"},
    {"POST /v1/reminders",
        "{" ENTITY ",\"name\":\"Quist\xc3\xb8rpe\"," RULE
        ",\"visibility\":\"public\",\"assignedUsers\":[{\"id\":\"$U\"}]}",
        'R'},
    {"PATCH /v1/reminders/{reminderId}", "{\"name\":\"Quist\xc3\xb8rpe again\"}"},
    {"POST /v1/interactions", "{" ENTITY "," CALL ",\"content\":\"Quist\xc3\xb8rpe\"}", 'I'},
    {"POST /v1/interactions/batch/create", "{\"records\":[{" ENTITY "," CALL "}]}"},
    {"PATCH /v1/interactions/{interactionId}", "{" ENTITY ",\"title\":\"asked Quist\xc3\xb8rpe\"}"},
    {"POST /v1/groups/{groupId}/{objectType}", "{\"name\":\"o\",\"people\":[{\"id\":\"$P\"}]}", 'O'},
    {"PATCH /v1/groups/{groupId}/{objectType}/{objectId}", "{\"customFieldValues\":{\"Who\":[{\"id\":\"$P\"}]}}"},
    {"POST /v1/groups/{groupId}/{objectType}/batch/create",
        "{\"records\":[{\"name\":\"p\",\"people\":[{\"id\":\"$P\"}]}]}"},
    {"POST /v1/groups/{groupId}/{objectType}/batch/update",
        "{\"records\":[{\"id\":\"$O\",\"people\":[{\"id\":\"$P\"}]}]}"},
    {"POST /v1/groups/{groupId}/{objectType}/batch/upsert",
        "{\"match\":\"name\",\"records\":[{\"name\":\"q\",\"people\":[{\"id\":\"$P\"}]}]}"},
    {"POST /v1/groups/{groupId}/{objectType}/search", "{\"filter\":{\"people\":{\"in\":{\"id\":\"$P\"}}}}"},
    {"DELETE /v1/interactions/{interactionId}", NULL},
    {"DELETE /v1/reminders/{reminderId}", NULL},
    {"DELETE /v1/tasks/{taskId}", NULL},
    {"DELETE /v1/notes/{noteId}", NULL},
    {"DELETE /v1/groups/{groupId}/{objectType}/{objectId}", NULL},
};
const int n_mentions = sizeof mentions / sizeof *mentions;

const char *mentioned[128];

const char *mention_expand(struct arena *a, const char *text)
{
	struct buf out;
	const char *kept;

	buf_init(&out, TEXT_MAX);
	for (; text && *text; text++)
		if (*text == '$')
			buf_addz(&out, mentioned[(int)*++text]);
		else
			buf_addc(&out, *text);
	kept = arena_dup(a, out.data ? out.data : "", out.len);
	buf_free(&out);
	return kept;
}

/* "/v1/notes/{noteId}" with the id. */
static const char *mention_target(struct arena *a, const char *path)
{
	static const struct {
		const char *name, *text;
	} names[] = {{"{personId}", "$P"}, {"{noteId}", "$N"}, {"{taskId}", "$T"}, {"{reminderId}", "$R"},
	    {"{interactionId}", "$I"}, {"{groupId}", "$G"}, {"{objectType}", "Deal"}, {"{objectId}", "$O"}};
	struct buf out;
	const char *kept;

	buf_init(&out, TEXT_MAX);
	while (*path) {
		size_t i = 0;
		while (i < 8 && strncmp(path, names[i].name, strlen(names[i].name)) != 0)
			i++;
		if (i < 8)
			buf_addz(&out, names[i].text);
		else
			buf_addc(&out, *path);
		path += i < 8 ? strlen(names[i].name) : 1;
	}
	kept = arena_dup(a, out.data, out.len);
	buf_free(&out);
	return mention_expand(a, kept);
}

/* The first id in the answer. */
static const char *mention_id(struct arena *arena, const struct caller_answer *a, char letter)
{
	static const char *const prefixes[128] = {['P'] = "per_",
	    ['D'] = "per_",
	    ['N'] = "not_",
	    ['T'] = "tsk_",
	    ['R'] = "rem_",
	    ['I'] = "int_",
	    ['O'] = "obj_"};
	const char *at;

	if (*a->id)
		return arena_dupz(arena, a->id);
	at = strstr(a->reply.body, prefixes[(int)letter]);
	assert_non_null(at);
	return arena_dup(arena, at, 40);
}

void mention_send(struct arena *a, struct caller *c, const struct mention *m, const char *once)
{
	const char *path = strchr(m->route, ' ') + 1, *body = m->body ? mention_expand(a, m->body) : NULL;
	const char *method = arena_dup(a, m->route, (size_t)(path - 1 - m->route));
	struct caller_answer got = caller_send(c, method, mention_target(a, path), once, body);

	if (got.status != 200)
		fail_msg("%s: %d %s", m->route, got.status, got.reply.body);
	if (m->made)
		mentioned[(int)m->made] = mention_id(a, &got, m->made);
}

void mention_world(struct arena *a, struct caller *c, const char *user)
{
	mentioned['U'] = user;
	mentioned['G'] = arena_dupz(a,
	    caller_good(caller_send(c, "POST", "/v1/groups", NULL, "{\"name\":\"G\",\"visibility\":\"public\"}")).id);
	caller_good(
	    caller_send(c, "POST", mention_expand(a, "/v1/groups/$G/object-types"), NULL, "{\"name\":\"Deal\"}"));
	caller_good(caller_send(c, "POST", mention_expand(a, "/v1/groups/$G/custom-fields/person"), NULL,
	    "{\"name\":\"Note\",\"type\":\"textField\"}"));
	caller_good(caller_send(c, "POST", mention_expand(a, "/v1/groups/$G/custom-fields/Deal"), NULL,
	    "{\"name\":\"Who\",\"type\":\"contactField\"}"));
}
