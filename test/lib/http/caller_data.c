/* See caller_data.h. */
#include "test/lib/http/caller_data.h"

const struct json *caller_data(struct arena *arena, struct caller_answer a)
{
	const char *error;

	caller_good(a);
	return json_member(json_read(arena, a.reply.body, a.reply.body_len, &error), "data");
}
