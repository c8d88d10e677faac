/* See written_rows.h. */
#include "test/api/written_rows.h"

#include <string.h>

#include "server/base/buf.h"

enum { COLUMNS_MAX = 8, LINE_MAX_BYTES = 1 << 20, LINES_MAX_BYTES = 16 << 20 };

/* The block of an @each or @rows that is being read. */
struct row_block {
	const char *names[COLUMNS_MAX]; /* as {{name}} */
	size_t n_names;
	const struct case_line *rows, *body; /* within the file's lines */
	size_t n_rows, n_body;
	const char *words[CASE_WORDS_MAX]; /* of @each */
};

static bool line_begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static bool table_begins(const char *line)
{
	return line_begins(line, "@each ") || line_begins(line, "@rows ");
}

/* The cell of that number in "| a | b |", without blanks around it; NULL: there is none. */
static const char *row_cell(struct arena *a, const char *row, size_t number)
{
	size_t len;

	for (size_t i = 0; i <= number; i++) {
		row = strchr(row, '|');
		if (!row)
			return NULL;
		row++;
	}
	row += strspn(row, " ");
	len = strcspn(row, "|");
	while (len > 0 && row[len - 1] == ' ')
		len--;
	return arena_dup(a, row, len);
}

static size_t split_names(struct arena *a, const char *text, const char *out[], size_t max)
{
	size_t n = 0;

	while (*(text += strspn(text, " ")) && n < max) {
		size_t len = strcspn(text, " ");
		out[n++] = arena_dup(a, text, len);
		text += len;
	}
	return n;
}

/* The line with the values of a row in place of the names of the columns. */
static const char *line_with(struct arena *a, const struct row_block *t, size_t row, const char *line)
{
	struct buf out;

	buf_init(&out, LINE_MAX_BYTES);
	while (*line) {
		const char *value = NULL;
		size_t taken = 1;
		for (size_t i = 0; i < t->n_names && !value; i++)
			if (line_begins(line, t->names[i])) {
				taken = strlen(t->names[i]);
				value = t->n_rows ? row_cell(a, t->rows[row].text, i) : t->words[row];
			}
		buf_add(&out, value ? value : line, value ? strlen(value) : taken);
		line += taken;
	}
	const char *text = arena_dup(a, out.len ? out.data : "", out.len);
	buf_free(&out);
	return text;
}

/* Reads a block that begins at lines[*at]; *at becomes the line after it. Returns what is wrong, or NULL. */
static const char *read_table(
    struct arena *a, const struct case_line *lines, size_t n, size_t *at, struct row_block *t, size_t *times)
{
	const char *head = lines[*at].text, *names[CASE_WORDS_MAX];
	bool rows = head[1] == 'r';

	memset(t, 0, sizeof *t);
	(*at)++;
	*times = split_names(a, head + strlen("@each "), rows ? names : t->words, CASE_WORDS_MAX);
	t->n_names = rows ? *times : 1;
	if (t->n_names > COLUMNS_MAX)
		return "too many columns";
	for (size_t i = 0; i < t->n_names; i++)
		t->names[i] = arena_printf(a, "{{%s}}", rows ? names[i] : "each");
	if (rows) {
		t->rows = lines + *at;
		for (; *at < n && line_begins(lines[*at].text, "|"); (*at)++)
			if (!row_cell(a, lines[*at].text, t->n_names) || row_cell(a, lines[*at].text, t->n_names + 1))
				return "a row has another number of cells than @rows has names";
		*times = t->n_rows = (size_t)(lines + *at - t->rows);
	}
	t->body = lines + *at;
	while (*at < n && strcmp(lines[*at].text, "@end") != 0 && !table_begins(lines[*at].text) &&
	       (lines + *at == t->body || !line_begins(lines[*at].text, "==")))
		(*at)++;
	t->n_body = (size_t)(lines + *at - t->body);
	if (*at < n && strcmp(lines[*at].text, "@end") == 0)
		(*at)++;
	return t->n_body && *times ? NULL : "a table without rows, or without lines that it is for";
}

static struct case_line *split_lines(struct arena *a, const char *text, size_t *n)
{
	size_t most = 1;
	struct case_line *lines;

	for (const char *c = text; *c; c++)
		most += *c == '\n';
	lines = arena_alloc(a, most * sizeof *lines);
	for (*n = 0; *text; (*n)++) {
		size_t len = strcspn(text, "\n");
		lines[*n] = (struct case_line){arena_dup(a, text, len), (int)*n + 1};
		text += len + (text[len] == '\n');
	}
	return lines;
}

struct case_line *table_lines(struct arena *a, const char *text, size_t *n, int *error_line, const char **error)
{
	size_t n_lines;
	struct case_line *lines = split_lines(a, text, &n_lines), *copy;
	struct buf out;

	buf_init(&out, LINES_MAX_BYTES);
	*error = NULL;
	for (size_t i = 0; i < n_lines && !*error;) {
		struct row_block t;
		size_t times;
		if (!table_begins(lines[i].text)) {
			buf_add(&out, &lines[i++], sizeof *lines);
			continue;
		}
		*error_line = lines[i].number;
		*error = read_table(a, lines, n_lines, &i, &t, &times);
		for (size_t row = 0; row < times && !*error; row++)
			for (size_t k = 0; k < t.n_body; k++) {
				struct case_line line = {line_with(a, &t, row, t.body[k].text), t.body[k].number};
				buf_add(&out, &line, sizeof line);
			}
	}
	*n = out.len / sizeof *copy;
	copy = arena_alloc(a, out.len + 1);
	if (out.len)
		memcpy(copy, out.data, out.len);
	buf_free(&out);
	return copy;
}
