/* Reads and writes a workspace in a file. */
#include "server/cell/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "server/base/text.h"

enum { HEAD_MAX = 64 << 10 };

static const char table_ends[] = "\\.\n", kind[] = "workspace";

/* --- writing ------------------------------------------------------------------------------ */

static bool put_line(struct archive *f, const char *line, size_t len)
{
	hmac_add(&f->mac, line, len);
	return gzip_file_put(f->file, line, len);
}

/* Writes a line of JSON. */
static bool put_json(struct archive *f, struct json_out *o)
{
	bool ok;

	buf_addc(o->buf, '\n');
	ok = !o->buf->overflow && put_line(f, o->buf->data, o->buf->len);
	buf_free(o->buf);
	return ok;
}

static void json_line(struct json_out *o, struct buf *text)
{
	buf_init(text, HEAD_MAX);
	json_out_init(o, text);
	json_begin_object(o);
}

bool archive_begin(struct archive *f)
{
	struct json_out o;
	struct buf text;
	char now[TIME_TEXT_SIZE];

	arena_init(&f->arena);
	file_key_begin(f->key, kind, &f->mac);
	json_line(&o, &text);
	json_add_string(&o, "kith", "workspace");
	json_add_int(&o, "format", ARCHIVE_FORMAT);
	json_add_int(&o, "level", f->level);
	json_add_id(&o, "workspace", ID_WORKSPACE, &f->workspace);
	json_add_int(&o, "generation", f->generation);
	json_add_string(&o, "sealedBy", f->print);
	json_add_string(&o, "exportedAt", time_format(clock_now_ms(), now));
	json_end_object(&o);
	return put_json(f, &o);
}

bool archive_table(struct archive *f, const char *table, const char *columns)
{
	struct json_out o;
	struct buf text;

	f->sums[f->n_sums].table = table;
	f->rows = 0;
	sha256_begin(&f->hash);
	json_line(&o, &text);
	json_add_string(&o, "table", table);
	json_add_string(&o, "columns", columns);
	json_end_object(&o);
	return put_json(f, &o);
}

bool archive_row(struct archive *f, const char *line, size_t len)
{
	f->rows++;
	sha256_add(&f->hash, line, len);
	return put_line(f, line, len);
}

bool archive_table_end(struct archive *f)
{
	struct archive_sum *s = &f->sums[f->n_sums++];

	s->rows = f->rows;
	sha256_end(&f->hash, s->digest);
	return put_line(f, table_ends, sizeof table_ends - 1);
}

static bool put_hmac(struct archive *f)
{
	unsigned char mac[SHA256_SIZE];
	struct json_out o;
	struct buf text;

	hmac_end(&f->mac, mac);
	hmac_begin(&f->mac, "", 0); /* the HMAC does not cover the line that contains it */
	if (!f->key->len)
		return true;
	text_hex(f->said, mac, sizeof mac);
	json_line(&o, &text);
	json_add_string(&o, "hmac", f->said);
	json_end_object(&o);
	return put_json(f, &o);
}

bool archive_end(struct archive *f)
{
	char digest[2 * SHA256_SIZE + 1];
	struct json_out o;
	struct buf text;

	json_line(&o, &text);
	json_key(&o, "tables");
	json_begin_array(&o);
	for (size_t i = 0; i < f->n_sums; i++) {
		json_begin_object(&o);
		json_add_string(&o, "table", f->sums[i].table);
		json_add_int(&o, "rows", f->sums[i].rows);
		text_hex(digest, f->sums[i].digest, SHA256_SIZE);
		json_add_string(&o, "sha256", digest);
		json_end_object(&o);
	}
	json_end_array(&o);
	json_end_object(&o);
	return put_json(f, &o) && put_hmac(f) && gzip_file_finish(f->file);
}

/* --- reading -------------------------------------------------------------------------------- */

static long read_line(struct archive *f, const char **line)
{
	long len = gzip_file_line(f->file, line);

	if (len > 0)
		hmac_add(&f->mac, *line, (size_t)len);
	return len;
}

/* Reads the next line as an object; NULL: it is not an object. */
static struct json *read_json(struct archive *f)
{
	const char *line, *error;
	long len = read_line(f, &line);
	struct json *value = len > 0 && len < HEAD_MAX
	                         ? json_read(&f->arena, arena_dup(&f->arena, line, (size_t)len), (size_t)len, &error)
	                         : NULL;

	return value && value->type == JSON_OBJECT ? value : NULL;
}

static bool read_head(struct archive *f)
{
	const struct json *head = read_json(f);
	const char *id = json_text(head, "workspace"), *print = json_text(head, "sealedBy");

	if (strcmp(json_text(head, "kith"), "workspace") != 0 || json_number(head, "format", -1) != ARCHIVE_FORMAT ||
	    !id_parse(ID_WORKSPACE, id, strlen(id), &f->workspace) || strlen(print) >= sizeof f->print)
		return false;
	f->level = json_number(head, "level", -1);
	f->generation = json_number(head, "generation", -1);
	if (f->generation < 0 || f->generation > ARCHIVE_NUMBER_MAX)
		return false;
	snprintf(f->print, sizeof f->print, "%s", print);
	return true;
}

bool archive_next_table(struct archive *f, const struct cell_table **table, const char **columns)
{
	const struct json *head = read_json(f);
	const char *name = json_text(head, "table");

	*columns = json_text(head, "columns");
	*table = cell_table_find(name, strlen(name));
	return *table && **columns;
}

long archive_next_row(struct archive *f, const char **line)
{
	long len = read_line(f, line);

	if (len == 0)
		return -1;
	return len == sizeof table_ends - 1 && memcmp(*line, table_ends, sizeof table_ends - 1) == 0 ? 0 : len;
}

static bool check_table(struct archive *f)
{
	struct archive_sum *s = &f->sums[f->n_sums];
	const struct cell_table *table;
	const char *columns, *line;
	struct sha256 hash;
	long len;

	if (!archive_next_table(f, &table, &columns))
		return false;
	s->table = table->name;
	sha256_begin(&hash);
	while ((len = archive_next_row(f, &line)) > 0) {
		sha256_add(&hash, line, (size_t)len);
		s->rows++;
	}
	sha256_end(&hash, s->digest);
	f->n_sums++;
	return len == 0;
}

/* Checks that the last line has the same tables, in the same order, with the same checksums. */
static bool check_sums(struct archive *f)
{
	const struct json *list = json_typed(read_json(f), "tables", JSON_ARRAY);
	size_t i = 0;

	if (!list || list->count != f->n_sums)
		return false;
	json_each(one, list) {
		const struct archive_sum *sum = &f->sums[i++];
		char digest[2 * SHA256_SIZE + 1];
		text_hex(digest, sum->digest, SHA256_SIZE);
		if (strcmp(json_text(one, "table"), sum->table) != 0 || json_number(one, "rows", -1) != sum->rows ||
		    strcmp(json_text(one, "sha256"), digest) != 0)
			return false;
	}
	return true;
}

/* Reads what follows the checksums: perhaps the HMAC of everything before, then the end. */
static bool read_end(struct archive *f, unsigned char whole[SHA256_SIZE])
{
	const char *line, *error;
	const struct json *end;
	long len;

	hmac_end(&f->mac, whole);
	hmac_begin(&f->mac, "", 0);
	len = gzip_file_line(f->file, &line);
	if (len <= 0)
		return len == 0;
	end =
	    len < HEAD_MAX ? json_read(&f->arena, arena_dup(&f->arena, line, (size_t)len), (size_t)len, &error) : NULL;
	snprintf(f->said, sizeof f->said, "%s", json_text(end, "hmac"));
	return *f->said && gzip_file_line(f->file, &line) == 0;
}

static bool archive_open(struct archive *f, const char *path)
{
	f->file = gzip_file_open(path);
	file_key_begin(f->key, kind, &f->mac);
	if (!f->file)
		fprintf(stderr, "kith: %s cannot be read: %s\n", path, strerror(errno));
	return f->file;
}

struct archive *archive_check(const char *path, const struct file_key *key)
{
	struct archive *f = mem_zalloc(sizeof *f);
	bool whole;

	f->key = key;
	arena_init(&f->arena);
	if (!archive_open(f, path)) {
		archive_close(f);
		return NULL;
	}
	whole = read_head(f);
	for (size_t i = 0; whole && i < n_cell_tables; i++)
		whole = check_table(f) && f->sums[i].table == cell_tables[i].name;
	if (whole && check_sums(f) && read_end(f, f->whole))
		return f;
	fprintf(stderr,
	    "kith: %s is not a workspace exported by this version of kith, or it is cut off or damaged: nothing was "
	    "imported\n",
	    path);
	archive_close(f);
	return NULL;
}

bool archive_again(struct archive *f, const char *path)
{
	hmac_end(&f->mac, NULL);
	gzip_file_close(f->file);
	return archive_open(f, path) && read_head(f);
}

bool archive_is_same(struct archive *f)
{
	unsigned char whole[SHA256_SIZE];

	return read_json(f) && read_end(f, whole) && crypto_equal(whole, f->whole, sizeof whole);
}

int64_t archive_rows(const struct archive *f, const char *table)
{
	for (size_t i = 0; i < f->n_sums; i++)
		if (strcmp(f->sums[i].table, table) == 0)
			return f->sums[i].rows;
	return 0;
}

void archive_close(struct archive *f)
{
	if (!f)
		return;
	hmac_end(&f->mac, NULL);
	gzip_file_close(f->file);
	arena_free(&f->arena);
	free(f);
}
