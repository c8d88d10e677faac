/* Chooses the reader for a file. */
#include "transfer/source.h"

#include <ctype.h>
#include <strings.h>

static bool source_suffix(const char *name, enum source_format *format)
{
	static const struct {
		const char *suffix;
		enum source_format format;
	} known[] = {{".csv", SOURCE_CSV}, {".tsv", SOURCE_CSV}, {".vcf", SOURCE_VCARD}, {".vcard", SOURCE_VCARD},
	    {".ndjson", SOURCE_NDJSON}, {".jsonl", SOURCE_NDJSON}};
	size_t len = strlen(name);

	if (len > 3 && strcasecmp(name + len - 3, ".gz") == 0)
		len -= 3;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		size_t n = strlen(known[i].suffix);
		if (len >= n && strncasecmp(name + len - n, known[i].suffix, n) == 0) {
			*format = known[i].format;
			return true;
		}
	}
	return false;
}

static enum source_format source_look(struct reader *rd)
{
	const char *text, *end;

	decoder_peek(&rd->in);
	text = rd->in.text + rd->in.at;
	end = rd->in.text + rd->in.len;
	while (text < end && isspace((unsigned char)*text))
		text++;
	if (text < end && *text == '{')
		return SOURCE_NDJSON;
	return end - text >= 11 && strncasecmp(text, "BEGIN:VCARD", 11) == 0 ? SOURCE_VCARD : SOURCE_CSV;
}

bool source_open(struct source *s, int fd, const char *name, const char *encoding)
{
	static reader_fn *const readers[] = {
	    [SOURCE_CSV] = csv_next, [SOURCE_VCARD] = vcard_next, [SOURCE_NDJSON] = ndjson_next};

	memset(s, 0, sizeof *s);
	arena_init(&s->reader.scratch);
	if (!decoder_open(&s->reader.in, fd, encoding))
		return false;
	if (!name || !source_suffix(name, &s->format))
		s->format = source_look(&s->reader);
	s->next = readers[s->format];
	return s->format != SOURCE_CSV || csv_begin(&s->reader);
}

bool source_next(struct source *s, struct entry *e)
{
	return s->next(&s->reader, e);
}

const char *source_error(const struct source *s)
{
	return s->reader.in.error;
}

void source_close(struct source *s)
{
	decoder_close(&s->reader.in);
	entry_columns_free(&s->reader.columns);
	for (size_t i = 0; i < READER_AHEAD_MAX; i++)
		entry_free(&s->reader.ahead[i]);
	buf_free(&s->reader.text);
	buf_free(&s->reader.held);
	arena_free(&s->reader.scratch);
}
