/* The headings that other programs write. They are the rows of headings.json, which the build puts into the program:
 * a list of tables, each of a program or language ("program", "": what people write by hand) and of kinds of records.
 *
 * "headings" leads from a heading to a field. "" marks a heading for which kith has no field: its column is left out
 * with a message, or becomes a custom field (--make-fields). "-" marks one that means nothing outside of the program
 * that wrote it. "customFieldValues.Stage" is the group's custom field of that name, or one with the name of any other
 * heading that leads there. "address.street 2" is a part of the second address. "companies *": a cell may name several
 * companies of a person, with ';' between them; elsewhere a ';' is part of the name. A '#' in a heading is a number,
 * which may be absent at its end. A field's own name needs no row ("Job Title" is jobTitle).
 *
 * The first heading of a pair in "salutations" is a form of address if the file has the second one, too. "values" leads
 * from the words of a language to the choices of a field; "" is an unset value.
 *
 * A file that has all headings of one of the "signatures", letter for letter, was written by that program: "Record ID"
 * and "Record Id" are of different ones. There the rows of that program come before all others. Elsewhere the first row
 * of a heading counts: the last tables have words that mean something else in most files, such as "Geburtstag" for a
 * day of the month.
 *
 * test/unit/test_transfer_values.c compares the rows with the fields of the API. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/built_in.h"
#include "server/base/json.h"
#include "transfer/entry.h"
#include "transfer/record_field.h"
#include "transfer/value.h"

enum { HEADINGS_MAX = 2000, SIGNATURES_MAX = 100, TABLES_MAX = 50, NORMAL_SIZE = 256 };

/* Its rows are also the names under which vCards have fields. */
static const char properties[] = "vCard properties";

struct signature {
	const char *program;
	const struct json *headings;
};

/* The rows for one kind of records. */
struct header_table {
	struct transfer_header rows[HEADINGS_MAX];
	struct signature signatures[SIGNATURES_MAX];
	size_t n, n_signatures;
	const struct json *tables[TABLES_MAX]; /* of the file */
	size_t n_tables;
};

static struct header_table tables[TRANSFER_KINDS];
static struct arena header_arena;
static bool header_loaded;

/* The lower case of the Latin letters with accents, whose second byte in UTF-8 is c. */
static unsigned char header_lower_accent(unsigned char c)
{
	return c >= 0x80 && c <= 0x9e && c != 0x97 ? c + 0x20 : c;
}

void header_normal(const char *header, char *out, size_t size)
{
	size_t n = 0;

	for (; *header && n + 1 < size; header++) {
		unsigned char c = (unsigned char)*header;
		bool latin = n && (unsigned char)out[n - 1] == 0xc3;
		if (isalnum(c) || c >= 0x80 || c == '#')
			out[n++] = (char)(latin ? header_lower_accent(c) : tolower(c));
	}
	out[n] = '\0';
}

/* Adds the rows of a table of the file. A field may be followed by the number of the address, or by '*'. */
static void header_add_rows(struct header_table *t, const struct json *table)
{
	char normal[NORMAL_SIZE];

	json_each_member(m, json_member(table, "headings")) {
		struct transfer_header *h = &t->rows[t->n];
		size_t len = strcspn(m->text, " ");
		bool custom = strncmp(m->text, HEADER_CUSTOM, strlen(HEADER_CUSTOM)) == 0;
		if (t->n == HEADINGS_MAX)
			abort();
		header_normal(m->key, normal, sizeof normal);
		*h = (struct transfer_header){.header = m->key,
		    .program = json_text(table, "program"),
		    .normal = arena_dupz(&header_arena, normal),
		    .field = custom ? m->text : arena_dup(&header_arena, m->text, len),
		    .number = custom ? 0 : (int)strtol(m->text + len, NULL, 10),
		    .several = strcmp(m->text + len, " *") == 0};
		t->n++;
	}
}

static void header_load(void)
{
	const char *text = built_in_text("headings.json"), *error;
	const struct json *list;

	arena_init(&header_arena);
	list = json_read(&header_arena, text, strlen(text), &error);
	if (!list)
		abort();
	json_each(table, list) {
		json_each(name, json_member(table, "kinds")) {
			struct header_table *t = &tables[transfer_kind_parse(name->text)];
			header_add_rows(t, table);
			if (t->n_tables == TABLES_MAX)
				abort();
			t->tables[t->n_tables++] = table;
			json_each(s, json_member(table, "signatures")) {
				if (t->n_signatures == SIGNATURES_MAX)
					abort();
				t->signatures[t->n_signatures++] = (struct signature){json_text(table, "program"), s};
			}
		}
	}
	header_loaded = true;
}

const struct transfer_header *header_at(enum transfer_kind kind, size_t i)
{
	if (!header_loaded)
		header_load();
	return kind < TRANSFER_KINDS && i < tables[kind].n ? &tables[kind].rows[i] : NULL;
}

const char *header_property(const char *field)
{
	const struct transfer_header *h;

	for (size_t i = 0; (h = header_at(TRANSFER_PEOPLE, i)) && strcmp(h->program, properties) == 0; i++)
		if (strcmp(h->field, field) == 0)
			return h->header;
	return NULL;
}

/* Replaces the first number with '#' and returns it; 0: the text has no number. */
static int header_number(char *text)
{
	size_t at = strcspn(text, "0123456789"), len = strspn(text + at, "0123456789");
	int number = 0;

	if (!len || len > 4)
		return 0;
	for (size_t i = at; i < at + len; i++)
		number = number * 10 + text[i] - '0';
	text[at] = '#';
	memmove(text + at + 1, text + at + len, strlen(text + at + len) + 1);
	return number;
}

/* program: only its rows; NULL: any program's. */
static const struct transfer_header *header_named(enum transfer_kind kind, const char *program, const char *normal)
{
	const struct transfer_header *h;

	for (size_t i = 0; (h = header_at(kind, i)); i++)
		if (strcmp(h->normal, normal) == 0 && (!program || strcmp(h->program, program) == 0))
			return h;
	return NULL;
}

const struct transfer_header *header_of_program(
    enum transfer_kind kind, const char *program, const char *header, int *number)
{
	const struct transfer_header *h;
	char text[NORMAL_SIZE];

	header_normal(header, text, sizeof text);
	*number = header_number(text);
	h = header_named(kind, program, text);
	if (h)
		*number = h->number ? h->number : *number ? *number : 1;
	return h;
}

const struct transfer_header *header_find(enum transfer_kind kind, const char *header, int *number)
{
	return header_of_program(kind, NULL, header, number);
}

static bool header_is_among(const char *heading, const struct entry_columns *columns)
{
	for (size_t i = 0; i < columns->count; i++)
		if (strcmp(heading, columns->names[i]) == 0)
			return true;
	return false;
}

const char *header_origin(enum transfer_kind kind, const struct entry_columns *columns)
{
	const struct header_table *t;

	if (!header_at(kind, 0))
		return NULL;
	t = &tables[kind];
	for (size_t i = 0; i < t->n_signatures; i++) {
		bool all = true;
		json_each(heading, t->signatures[i].headings)
			all &= header_is_among(heading->text, columns);
		if (all)
			return t->signatures[i].program;
	}
	return NULL;
}

/* --- other data of the tables ------------------------------------------------------------------ */

static bool header_equal(const char *a, const char *b)
{
	char one[NORMAL_SIZE], other[NORMAL_SIZE];

	header_normal(a, one, sizeof one);
	header_normal(b, other, sizeof other);
	return strcmp(one, other) == 0;
}

/* True when the column has the first heading of the pair, and a column has the second one. Of two columns with the same
 * heading the first one is the form of address. */
static bool header_is_pair(const struct json *pair, const struct entry_columns *columns, size_t column)
{
	const char *first = json_items(pair)->text, *second = json_items(pair)->next->text;
	bool any = false;

	if (!header_equal(columns->names[column], first))
		return false;
	for (size_t i = header_equal(first, second) ? column + 1 : 0; i < columns->count; i++)
		any |= header_equal(columns->names[i], second);
	return any;
}

bool header_is_salutation(enum transfer_kind kind, const struct entry_columns *columns, size_t column)
{
	bool any = false;

	for (size_t i = 0; header_at(kind, 0) && i < tables[kind].n_tables; i++)
		json_each(pair, json_member(tables[kind].tables[i], "salutations"))
			any |= header_is_pair(pair, columns, column);
	return any;
}

const char *header_choice(enum transfer_kind kind, const struct transfer_field *f, const char *text)
{
	const char *own = f->choices ? value_gender(f->choices, text) : "";

	if (*own)
		return own;
	for (size_t i = 0; header_at(kind, 0) && i < tables[kind].n_tables; i++) {
		const struct json *words = json_member(json_member(tables[kind].tables[i], "values"), f->name);
		json_each_member(m, words)
			if (header_equal(m->key, text))
				return m->text;
	}
	return NULL;
}
