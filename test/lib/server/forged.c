/* See forged.h. */
#include "test/lib/server/forged.h"
#include "test/lib/test.h"

#include <string.h>

#include "server/base/crypto.h"
#include "server/base/file_key.h"
#include "server/base/gzip_file.h"
#include "server/base/json.h"
#include "server/base/text.h"

static void forged_insert(struct forged *f, size_t at, const char *line)
{
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 1024;
		const char **more = arena_alloc(f->arena, cap * sizeof *more);
		if (f->n)
			memcpy(more, f->lines, f->n * sizeof *more);
		f->lines = more;
		f->cap = cap;
	}
	memmove(f->lines + at + 1, f->lines + at, (f->n - at) * sizeof *f->lines);
	f->lines[at] = line;
	f->n++;
}

struct forged forged_read(struct arena *a, const char *path)
{
	struct gzip_file *file = gzip_file_open(path);
	struct forged f = {.arena = a};
	const char *line;
	long len;

	assert_non_null(file);
	while ((len = gzip_file_line(file, &line)) > 0 && strncmp(line, "{\"tables\":", 10) != 0)
		forged_insert(&f, f.n, arena_dup(a, line, (size_t)len - 1));
	assert_true(len > 0);
	gzip_file_close(file);
	return f;
}

static const char *line_replaced(struct arena *a, const char *line, const char *text, const char *by)
{
	char *copy = arena_dupz(a, line);

	assert_int_equal(strlen(text), strlen(by));
	for (char *at = copy; (at = strstr(at, text)) != NULL;)
		memcpy(at, by, strlen(by));
	return copy;
}

struct forged forged_copy(const struct forged *f, const char *text, const char *by)
{
	struct forged copy = {.arena = f->arena};

	for (size_t i = 0; i < f->n; i++)
		forged_insert(&copy, i,
		    *text && strstr(f->lines[i], text) ? line_replaced(f->arena, f->lines[i], text, by) : f->lines[i]);
	return copy;
}

static bool is_head(const char *line)
{
	return strncmp(line, "{\"table\":\"", 10) == 0;
}

static void put_line(struct gzip_file *file, struct hmac *mac, const char *line)
{
	assert_true(gzip_file_put(file, line, strlen(line)) && gzip_file_put(file, "\n", 1));
	hmac_add(mac, line, strlen(line));
	hmac_add(mac, "\n", 1);
}

static void put_hmac(struct gzip_file *file, struct hmac *mac, struct arena *a, bool wanted)
{
	unsigned char digest[SHA256_SIZE];
	char digits[2 * SHA256_SIZE + 1];
	const char *line;

	hmac_end(mac, digest);
	text_hex(digits, digest, sizeof digest);
	line = arena_printf(a, "{\"hmac\":\"%s\"}\n", digits);
	assert_true(!wanted || gzip_file_put(file, line, strlen(line)));
}

static const char *sum_of(const struct forged *f, size_t head, size_t n)
{
	unsigned char digest[SHA256_SIZE];
	char digits[2 * SHA256_SIZE + 1];
	struct sha256 h;

	sha256_begin(&h);
	for (size_t i = head + 1; i <= head + n; i++) {
		sha256_add(&h, f->lines[i], strlen(f->lines[i]));
		sha256_add(&h, "\n", 1);
	}
	sha256_end(&h, digest);
	text_hex(digits, digest, sizeof digest);
	return arena_printf(f->arena, "{\"table\":\"%.*s\",\"rows\":%zu,\"sha256\":\"%s\"}",
	    (int)strcspn(f->lines[head] + 10, "\""), f->lines[head] + 10, n, digits);
}

void forged_seal(const struct forged *f, const char *path, const char *key)
{
	struct gzip_file *file = gzip_file_create(path);
	struct file_key k = {.len = strlen(key)};
	const char *sums = "";
	struct hmac mac;

	assert_non_null(file);
	memcpy(k.text, key, k.len);
	file_key_begin(&k, "workspace", &mac);
	for (size_t i = 0; i < f->n; i++) {
		size_t n = 0;
		put_line(file, &mac, f->lines[i]);
		if (!is_head(f->lines[i]))
			continue;
		while (strcmp(f->lines[i + 1 + n], "\\.") != 0)
			n++;
		sums = arena_printf(f->arena, "%s%s%s", sums, *sums ? "," : "", sum_of(f, i, n));
	}
	put_line(file, &mac, arena_printf(f->arena, "{\"tables\":[%s]}", sums));
	put_hmac(file, &mac, f->arena, k.len > 0);
	assert_true(gzip_file_finish(file));
	gzip_file_close(file);
}

void forged_write(const struct forged *f, const char *path)
{
	forged_seal(f, path, "");
}

static size_t table_head(const struct forged *f, const char *table)
{
	size_t i = 0, len = strlen(table);

	while (i < f->n &&
	       !(is_head(f->lines[i]) && strncmp(f->lines[i] + 10, table, len) == 0 && f->lines[i][10 + len] == '"'))
		i++;
	assert_true(i < f->n);
	return i;
}

size_t forged_rows(const struct forged *f, const char *table, size_t *n)
{
	size_t first = table_head(f, table) + 1;

	*n = 0;
	while (strcmp(f->lines[first + *n], "\\.") != 0)
		++*n;
	return first;
}

const char *forged_columns(const struct forged *f, const char *table)
{
	const char *head = f->lines[table_head(f, table)], *at = strstr(head, "\"columns\":\"") + 11;

	return arena_dup(f->arena, at, strcspn(at, "\""));
}

void forged_set_nth(struct forged *f, const char *table, size_t row, size_t n, const char *text)
{
	size_t rows, first = forged_rows(f, table, &rows);
	const char *line, *at, *end;

	assert_true(row < rows);
	line = at = f->lines[first + row];
	for (; n > 0; n--) {
		at = strchr(at, '\t');
		assert_non_null(at);
		at++;
	}
	end = at + strcspn(at, "\t");
	f->lines[first + row] = arena_printf(f->arena, "%.*s%s%s", (int)(at - line), line, text, end);
}

void forged_set(struct forged *f, const char *table, size_t row, const char *column, const char *text)
{
	const char *columns = forged_columns(f, table);
	size_t n = 0, len = strlen(column);

	for (; strncmp(columns, column, len) != 0 || (columns[len] && columns[len] != ','); n++) {
		columns = strstr(columns, ", ");
		assert_non_null(columns);
		columns += 2;
	}
	forged_set_nth(f, table, row, n, text);
}

void forged_repeat(struct forged *f, const char *table, size_t row)
{
	size_t rows, first = forged_rows(f, table, &rows);

	assert_true(row < rows);
	forged_insert(f, first + row, f->lines[first + row]);
}

void forged_empty(struct forged *f, const char *table)
{
	size_t rows, first = forged_rows(f, table, &rows);

	memmove(f->lines + first, f->lines + first + rows, (f->n - first - rows) * sizeof *f->lines);
	f->n -= rows;
}
