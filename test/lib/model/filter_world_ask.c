/* Requests to the world's server. */
#include "test/lib/model/filter_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/text.h"

enum { BODY_MAX = 8 << 20 };

const char filter_type[] = "Deal [x].y & %z", filter_other_type[] = "Deal";

#define EIGHT(entity, group, a, b, c, d, e, f, g, h)                                                                   \
	{entity, group, a, "textField"}, {entity, group, b, "numericField"}, {entity, group, c, "dateField"},          \
	    {entity, group, d, "singleSelect"}, {entity, group, e, "multipleSelect"},                                  \
	    {entity, group, f, "contactField"}, {entity, group, g, "userField"},                                       \
	{                                                                                                              \
		entity, group, h, "objectField"                                                                        \
	}

const struct world_custom filter_customs[] = {
    EIGHT("person", GROUP_SALES, "Text", "dot.ted.number", "brack[et]s", "a][like", "x[eq]", "[in][id]", "in",
        "100% \"q\" 'n' \\ &=+#?/é😀"),
    EIGHT("company", GROUP_SALES, "name", "[0]", "Day of\tyear", "]", "[", "日本 語", "customFieldValues.x", "..."),
    EIGHT("Deal [x].y & %z", GROUP_SALES, "na.me", "[eq]", "d", "s[]", "m[0]", "c.[id]", "u][in", "o"),
    {"person", GROUP_OTHER, "Text", "textField"},
    {"person", GROUP_OTHER, "Number", "numericField"},
    {"person", GROUP_OTHER, "Many", "multipleSelect"},
    {"company", GROUP_OTHER, "Text", "textField"},
    {"company", GROUP_OTHER, "Who", "userField"},
    {"person", GROUP_PRIVATE, "Text", "textField"},
    {"person", GROUP_PRIVATE, "Who", "contactField"},
    {"company", GROUP_PRIVATE, "One", "singleSelect"},
    {"company", GROUP_PRIVATE, "Number", "numericField"},
};
const int n_filter_customs = sizeof filter_customs / sizeof *filter_customs;

struct json *filter_ask(
    struct caller *c, struct arena *a, const char *method, const char *target, const char *body, struct buf *raw)
{
	struct caller_answer r = caller_send(c, method, target, NULL, body);
	const char *error = "";
	struct json *json = r.status == 200 ? json_read(a, r.reply.body, r.reply.body_len, &error) : NULL;

	if (!json) {
		fprintf(stderr, "%s %s %.2000s\n%d %s%s %s\n", method, target, body ? body : "", r.status, r.error,
		    error, r.reply.body ? r.reply.body : "");
		exit(1);
	}
	if (raw)
		buf_add(raw, r.reply.body, r.reply.body_len);
	arena_free(&c->arena);
	return json;
}

const char *filter_next(const struct json *page)
{
	const struct json *link = json_member(json_member(json_member(page, "data"), "pagination"), "nextLink");

	return link ? strstr(link->text, "/v1/") : NULL;
}

const char *filter_encoded(struct arena *a, const char *text)
{
	struct buf b;

	buf_init(&b, BODY_MAX);
	text_percent_encode(&b, text, strlen(text));
	const char *out = arena_dup(a, b.data, b.len);
	buf_free(&b);
	return out;
}

static const char *batch_target(struct filter_world *w, enum filter_kind kind, const char *verb)
{
	if (kind == KIND_OBJECT)
		return arena_printf(&w->arena, "/v1/groups/%s/%s/batch/%s", w->groups[GROUP_SALES],
		    filter_encoded(&w->arena, filter_type), verb);
	return arena_printf(&w->arena, "/v1/%s/batch/%s", kind == KIND_PERSON ? "people" : "companies", verb);
}

void filter_batch_begin(struct buf *b, struct json_out *o)
{
	buf_init(b, BODY_MAX);
	json_out_init(o, b);
	json_begin_object(o);
	json_key(o, "records");
	json_begin_array(o);
}

const struct json *filter_batch_send(struct filter_world *w, enum filter_maker maker, enum filter_kind kind,
    const char *verb, struct buf *b, struct json_out *o)
{
	json_end_array(o);
	json_end_object(o);
	struct json *answer =
	    filter_ask(&w->callers[maker], &w->arena, "POST", batch_target(w, kind, verb), b->data, NULL);
	const struct json *first = json_member(json_member(answer, "data"), "results")->first;
	for (const struct json *r = first; r; r = r->next) {
		if (strcmp(json_member(r, "status")->text, "succeeded") != 0) {
			fprintf(stderr, "%s: a record failed: %s\n", verb,
			    json_member(json_member(r, "error"), "message")->text);
			exit(1);
		}
	}
	buf_free(b);
	return first;
}
