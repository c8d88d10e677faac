/* CSV, RFC 4180, with comma, semicolon or tab.
 *
 * libcsv, the only C library in Debian, is not used. Its last release is from 2013, and it strips blanks around values.
 * It has neither line numbers nor limits, so one unclosed quote collects the rest of the file in memory. */
#include <ctype.h>
#include <stdio.h>

#include "server/base/text.h"
#include "transfer/reader.h"

static bool csv_fail(struct reader *rd, int64_t line, const char *what)
{
	if (!*rd->in.error)
		snprintf(rd->in.error, sizeof rd->in.error, "line %lld: %s", (long long)line, what);
	return false;
}

static void csv_put(struct reader *rd, struct entry *r, int c)
{
	if (c == '\0')
		entry_refuse(r, "contains a NUL byte");
	buf_addc(&rd->text, (char)c);
	if (rd->text.overflow)
		entry_refuse(r, "is longer than %d bytes", ENTRY_MAX);
}

/* Reads the value that begins with c into rd->text; returns what ends it: the delimiter, '\n', or -1. */
static int csv_value(struct reader *rd, struct entry *r, int c)
{
	if (c == '"') {
		int64_t opened = rd->in.line;
		for (;;) {
			c = decoder_byte(&rd->in);
			if (c == '"' && (c = decoder_byte(&rd->in)) != '"')
				break;
			if (c < 0) {
				csv_fail(rd, opened, "the quotation mark in this line has no closing one");
				return -1;
			}
			csv_put(rd, r, c);
		}
		if (c >= 0 && c != rd->delimiter && c != '\n' && c != '\r')
			entry_refuse(r, "has text after a closing quotation mark");
	}
	while (c >= 0 && c != rd->delimiter && c != '\n' && c != '\r') {
		csv_put(rd, r, c);
		c = decoder_byte(&rd->in);
	}
	if (c == '\r' && decoder_peek(&rd->in) == '\n')
		decoder_byte(&rd->in);
	return c == '\r' ? '\n' : c;
}

/* Takes a value of the row; begin: its place in rd->text. */
static void csv_take(struct reader *rd, struct entry *r, size_t column, size_t begin)
{
	const char *text = rd->text.data ? rd->text.data + begin : "";
	size_t len = rd->text.len - begin;

	if (r->refused)
		return;
	if (!text_utf8_valid(text, len)) {
		csv_fail(rd, r->line,
		    "is not UTF-8; if an older Windows program wrote the file, add --encoding windows-1252");
		return;
	}
	if (rd->ours && len && *text == '\'') {
		text++;
		len--;
	}
	if (column >= rd->columns.count && len)
		entry_refuse(r, "has more values than the header has columns (%zu)", rd->columns.count);
	entry_add(r, column, text, len);
}

/* Reads a row; with header, its values become the columns. False at the end or on failure. */
static bool csv_row(struct reader *rd, struct entry *r, bool header)
{
	size_t column = 0;
	int c;

	for (c = decoder_byte(&rd->in); c == '\n' || c == '\r'; c = decoder_byte(&rd->in))
		rd->below_empty = true;
	if (c < 0)
		return false;
	r->line = rd->in.line;
	buf_clear(&rd->text);
	for (;; column++, c = decoder_byte(&rd->in)) {
		size_t begin = rd->text.len;
		c = csv_value(rd, r, c);
		if (!header)
			csv_take(rd, r, column, begin);
		else if (!text_utf8_valid(rd->text.data ? rd->text.data + begin : "", rd->text.len - begin))
			csv_fail(rd, r->line,
			    "the header is not UTF-8; if an older Windows program wrote the file, add --encoding "
			    "windows-1252");
		else if (!entry_column_add(
		             &rd->columns, rd->text.data ? rd->text.data + begin : "", rd->text.len - begin))
			csv_fail(rd, r->line, "has more than 1,000 columns");
		if (*rd->in.error)
			return false;
		if (c != rd->delimiter)
			break;
	}
	return true;
}

static const char delimiters[] = ",;\t";
enum { DELIMITERS = sizeof delimiters - 1, TITLES_MAX = 10, HEADINGS_LEAST = 3 };

/* --- lines beside the table ------------------------------------------------------------------- */

/* True for the header again, which Monday writes above each group of a board. */
static bool csv_is_header(const struct reader *rd, const struct entry *r)
{
	for (size_t i = 0; i < r->n_values; i++)
		if (strcmp(r->values[i].text, rd->columns.names[r->values[i].column]) != 0)
			return false;
	return r->n_values >= HEADINGS_LEAST && !r->refused;
}

/* True for a text in the first of several columns. Below an empty line it may be the name of a group of records, if the
 * header follows, or what a report of Salesforce says about itself, if nothing follows. */
static bool csv_is_text(const struct reader *rd, const struct entry *r)
{
	return rd->columns.count >= HEADINGS_LEAST && r->n_values == 1 && r->values[0].column == 0 && !r->refused;
}

/* The rows that were read ahead are no records. */
static void csv_leave_ahead(struct reader *rd)
{
	for (size_t i = 0; i < rd->n_ahead; i++) {
		const struct entry *r = &rd->ahead[i];
		if (rd->beside++ == 0) {
			rd->beside_line = r->line;
			rd->beside_text = arena_dupz(&rd->scratch, r->values[0].text);
		}
	}
	rd->n_ahead = 0;
}

/* Reads the next row. A text waits for the row below it, which says whether it is a record. */
static void csv_read_ahead(struct reader *rd)
{
	bool waits = true;

	rd->n_ahead = rd->ahead_at = 0;
	while (waits && rd->n_ahead < READER_AHEAD_MAX) {
		struct entry *r = &rd->ahead[rd->n_ahead];
		entry_clear(r);
		if (!csv_row(rd, r, false)) {
			csv_leave_ahead(rd);
			return;
		}
		waits = csv_is_text(rd, r) && rd->has_records && (rd->below_empty || rd->n_ahead);
		rd->below_empty = !r->n_values && !r->refused;
		rd->n_ahead += !rd->below_empty;
		if (csv_is_header(rd, r))
			csv_leave_ahead(rd);
		waits |= rd->below_empty || !rd->n_ahead;
	}
}

bool csv_next(struct reader *rd, struct entry *r)
{
	struct entry empty;

	entry_clear(r);
	if (rd->ours)
		return csv_row(rd, r, false);
	if (rd->ahead_at == rd->n_ahead)
		csv_read_ahead(rd);
	if (rd->ahead_at == rd->n_ahead)
		return false;
	rd->has_records |= rd->ahead[rd->ahead_at].n_values > 1;
	empty = *r;
	*r = rd->ahead[rd->ahead_at];
	rd->ahead[rd->ahead_at++] = empty;
	return true;
}

/* --- the header ---------------------------------------------------------------------------------- */

/* Counts the values of a line that are not empty, for each delimiter. Returns the position of the next line. */
static size_t csv_count_values(const struct decoder *in, size_t at, size_t counts[DELIMITERS])
{
	bool quoted = false, filled[DELIMITERS] = {false};

	memset(counts, 0, DELIMITERS * sizeof *counts);
	for (; at < in->len && (quoted || in->text[at] != '\n'); at++) {
		char c = in->text[at];
		quoted ^= c == '"';
		for (int d = 0; d < DELIMITERS; d++) {
			bool ends = !quoted && c == delimiters[d];
			counts[d] += !ends && !filled[d] && !isspace((unsigned char)c);
			filled[d] = !ends && (filled[d] || !isspace((unsigned char)c));
		}
	}
	return at < in->len ? at + 1 : at;
}

static size_t csv_most(const size_t counts[DELIMITERS])
{
	size_t most = 0;

	for (int d = 0; d < DELIMITERS; d++)
		most = counts[d] > most ? counts[d] : most;
	return most;
}

/* Passes the lines of text that some programs write above the header: the first line has one value, and one of the next
 * lines has many. A file of one column has no such line. */
static void csv_pass_titles(struct reader *rd)
{
	size_t counts[DELIMITERS], begin, next;

	decoder_peek(&rd->in);
	next = csv_count_values(&rd->in, rd->in.at, counts);
	if (csv_most(counts) > 1 || (rd->in.len - rd->in.at > 4 && strncmp(rd->in.text + rd->in.at, "sep=", 4) == 0))
		return;
	for (int i = 0; i < TITLES_MAX && next < rd->in.len; i++) {
		begin = next;
		next = csv_count_values(&rd->in, begin, counts);
		if (csv_most(counts) >= HEADINGS_LEAST) {
			while (rd->in.at < begin)
				decoder_byte(&rd->in);
			return;
		}
	}
}

/* Of comma, semicolon and tab, the one that occurs most often outside of quotes in the first line. */
static char csv_find_delimiter(struct reader *rd)
{
	size_t counts[DELIMITERS] = {0}, best = 0;
	bool quoted = false;

	decoder_peek(&rd->in);
	for (size_t i = rd->in.at; i < rd->in.len && (quoted || !strchr("\r\n", rd->in.text[i])); i++) {
		const char *found = rd->in.text[i] ? strchr(delimiters, rd->in.text[i]) : NULL;
		quoted ^= rd->in.text[i] == '"';
		if (found && !quoted)
			counts[found - delimiters]++;
	}
	for (size_t i = 1; i < DELIMITERS; i++)
		best = counts[i] > counts[best] ? i : best;
	return delimiters[best];
}

/* Reads Excel's first line "sep=;". */
static void csv_take_separator(struct reader *rd)
{
	const char *at = rd->in.text + rd->in.at;
	size_t left = rd->in.len - rd->in.at;

	if (left < 6 || strncmp(at, "sep=", 4) != 0 || !strchr("\r\n", at[5]))
		return;
	rd->delimiter = at[4];
	for (int i = 0; i < 5; i++)
		decoder_byte(&rd->in);
}

bool csv_begin(struct reader *rd)
{
	struct entry r;
	bool ok;

	entry_init(&r);
	for (size_t i = 0; i < READER_AHEAD_MAX; i++)
		entry_init(&rd->ahead[i]);
	buf_init(&rd->text, ENTRY_MAX);
	csv_pass_titles(rd);
	rd->delimiter = csv_find_delimiter(rd);
	csv_take_separator(rd);
	ok = csv_row(rd, &r, true);
	if (ok && r.refused)
		ok = csv_fail(rd, r.line, r.refused);
	else if (!ok)
		csv_fail(rd, 1, "the file has no header");
	rd->below_empty = false;
	rd->ours = rd->columns.count > 1 && strcmp(rd->columns.names[0], "id") == 0;
	for (size_t i = 0, created = 0; rd->ours && i < rd->columns.count; i++) {
		created += strcmp(rd->columns.names[i], "createdAt") == 0;
		rd->ours = created || i + 1 < rd->columns.count;
	}
	entry_free(&r);
	return ok;
}
