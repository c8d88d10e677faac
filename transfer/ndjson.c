/* NDJSON: one JSON object a line. */
#include "transfer/reader.h"

static bool ndjson_blank(const struct buf *line)
{
	for (size_t i = 0; i < line->len; i++)
		if (!strchr(" \t", line->data[i]))
			return false;
	return !line->overflow;
}

bool ndjson_next(struct reader *rd, struct entry *r)
{
	const char *error = "";

	entry_clear(r);
	if (!rd->text.max)
		buf_init(&rd->text, ENTRY_MAX);
	do {
		r->line = rd->in.line;
		if (!decoder_line(&rd->in, &rd->text))
			return false;
	} while (ndjson_blank(&rd->text));
	r->size = rd->text.len;
	if (rd->text.overflow) {
		entry_refuse(r, "is longer than %d bytes", ENTRY_MAX);
		return true;
	}
	r->object = json_read(&r->arena, rd->text.data, rd->text.len, &error);
	if (r->object && r->object->type == JSON_OBJECT)
		return true;
	r->raw = arena_dup(&r->arena, rd->text.data, rd->text.len);
	if (!r->object) {
		entry_refuse(r, "is not JSON: %s", error);
	} else {
		r->object = NULL;
		entry_refuse(r, "is not a JSON object");
	}
	return true;
}
