/* Writing refused records. */
#include "transfer/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/base/json.h"
#include "transfer/keep.h"

void refusal_csv_value(struct buf *out, const char *text, size_t len, char delimiter)
{
	bool quote = len && (strchr(" \t", text[0]) || strchr(" \t", text[len - 1]));

	for (size_t i = 0; i < len; i++)
		quote |= text[i] == '"' || text[i] == '\n' || text[i] == '\r' || text[i] == delimiter;
	if (quote)
		buf_addc(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			buf_addc(out, '"');
		buf_addc(out, text[i]);
	}
	if (quote)
		buf_addc(out, '"');
}

/* Numbers are not formulas, nor are telephone numbers. */
bool refusal_is_formula(const char *text)
{
	if (!*text || !strchr("=+-@\t\r", *text))
		return false;
	return !strchr("+-", *text) || text[1 + strspn(text + 1, "0123456789 ().-/+;")] != '\0';
}

void refusal_csv_own(struct buf *out, const char *text, char delimiter)
{
	struct buf value;

	buf_init(&value, 16 << 20);
	if (refusal_is_formula(text) || *text == '\'')
		buf_addc(&value, '\'');
	buf_addz(&value, text);
	refusal_csv_value(out, value.len ? value.data : "", value.len, delimiter);
	buf_free(&value);
}

void refusal_init(struct refusal *r, const char *file, const char *part, const struct source *s, int64_t bytes)
{
	size_t size = strlen(file) + strlen(part) + sizeof ".refused.ndjson";

	memset(r, 0, sizeof *r);
	r->csv = s->format == SOURCE_CSV;
	r->path = mem_alloc(size);
	snprintf(r->path, size, "%s%s.refused.%s", file, part, r->csv ? "csv" : "ndjson");
	r->fd = -1;
	r->bytes = bytes;
	r->columns = &s->reader.columns;
	r->delimiter = s->reader.delimiter;
	r->ours = s->reader.ours;
	r->converted = s->reader.in.convert != NULL;
}

static bool refusal_write(struct refusal *r, const struct buf *text)
{
	size_t at = 0;

	while (at < text->len) {
		ssize_t n = write(r->fd, text->data + at, text->len - at);
		if (n < 0 && errno != EINTR) {
			fprintf(stderr, "kith: %s: %s\n", r->path, strerror(errno));
			return false;
		}
		at += n > 0 ? (size_t)n : 0;
	}
	r->bytes += (int64_t)text->len;
	return true;
}

static bool refusal_open(struct refusal *r)
{
	struct buf header;
	bool ok = true;

	if (r->fd >= 0)
		return true;
	r->fd = keep_open(r->path, O_WRONLY | O_CREAT);
	if (r->fd < 0)
		return false;
	if (ftruncate(r->fd, r->bytes) != 0 || lseek(r->fd, 0, SEEK_END) < 0) {
		fprintf(stderr, "kith: %s: %s\n", r->path, strerror(errno));
		return false;
	}
	if (r->bytes)
		return true;
	buf_init(&header, 1 << 20);
	/* This file is UTF-8. The byte order mark shows this when it is imported with the same --encoding. */
	if (r->converted)
		buf_addz(&header, "\xef\xbb\xbf");
	for (size_t i = 0; r->csv && i < r->columns->count; i++) {
		refusal_csv_value(&header, r->columns->names[i], strlen(r->columns->names[i]), r->delimiter);
		buf_addc(&header, r->delimiter);
	}
	if (r->csv)
		buf_addz(&header, "_refused\n");
	ok = refusal_write(r, &header);
	buf_free(&header);
	return ok;
}

static void refusal_put_csv(const struct refusal *r, const struct entry *e, const char *reason, struct buf *line)
{
	/* The values are in the order of the columns. */
	size_t at = 0;

	for (size_t i = 0; i < r->columns->count; i++) {
		if (at < e->n_values && e->values[at].column == i) {
			if (r->ours)
				refusal_csv_own(line, e->values[at].text, r->delimiter);
			else
				refusal_csv_value(line, e->values[at].text, e->values[at].len, r->delimiter);
			at++;
		}
		buf_addc(line, r->delimiter);
	}
	refusal_csv_value(line, reason, strlen(reason), r->delimiter);
	buf_addc(line, '\n');
}

static void refusal_put_json(const struct entry *e, const char *reason, const char *body, size_t len, struct buf *line)
{
	struct json_out o;

	json_out_init(&o, line);
	json_begin_object(&o);
	json_add_string(&o, "_refused", reason);
	if (e->raw) {
		json_add_string(&o, "_line", e->raw);
	}
	json_each_member(m, e->object) {
		if (strcmp(m->key, "_refused") == 0)
			continue;
		json_key(&o, m->key);
		json_value(&o, m);
	}
	/* A body is an object: its members follow. */
	if (!e->object && !e->raw && len > 2) {
		buf_addc(line, ',');
		buf_add(line, body + 1, len - 2);
	}
	json_end_object(&o);
	buf_addc(line, '\n');
}

bool refusal_add(struct refusal *r, const struct entry *e, const char *reason, const char *body, size_t len)
{
	struct buf line;
	bool ok;

	buf_init(&line, 16 << 20);
	if (r->csv)
		refusal_put_csv(r, e, reason, &line);
	else
		refusal_put_json(e, reason, body, len, &line);
	ok = refusal_open(r) && refusal_write(r, &line);
	buf_free(&line);
	return ok;
}

void refusal_close(struct refusal *r)
{
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
}
