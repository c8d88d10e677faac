/* Values and headers of other programs. */
#include <stdio.h>
#include <string.h>

#include "transfer/export_record.h"
#include "transfer/record_field.h"
#include "transfer/value.h"
#include "test/lib/test.h"

TEST(test_dates)
{
	static const struct {
		const char *in, *out; /* "": none; NULL: no date */
		bool day_first;
	} cases[] = {
	    {"1985-04-12", "1985-04-12", false},
	    {"19850412", "1985-04-12", false},
	    {"1985/4/2", "1985-04-02", false},
	    {"12.4.1985", "1985-04-12", false},
	    {"4/12/1985", "1985-04-12", false},
	    {"4/12/1985", "1985-12-04", true},
	    {"31/12/1985", "1985-12-31", false},
	    {"1985-04-12T10:00:00Z", "1985-04-12", false},
	    {"1985-04-12 10:00", "1985-04-12", false},
	    {" 1985-04-12", "1985-04-12", false},
	    {"2024-02-29", "2024-02-29", false},
	    {"", "", false},
	    {"--0412", "", false},
	    {" --04-12", "", false},
	    {"0/0/00", "", false},
	    {"0.0.00", "", false},
	    {"1604-05-12", "", false},
	    {"March 1, 2024", "2024-03-01", false},
	    {"Sep 12, 1999 3:30 PM", "1999-09-12", false},
	    {"1 march 2024", "2024-03-01", false},
	    {"3. Apr 1980", "1980-04-03", false},
	    {"February 30, 2024", NULL, false},
	    {"Marc 1, 2024", NULL, false},
	    {"March 1, 24", NULL, false},
	    {"March 1", NULL, false},
	    {"March -1, 2024", NULL, false},
	    {"2023-02-29", NULL, false},
	    {"13/13/1985", NULL, false},
	    {"4/12/85", NULL, false},
	    {"1985-04", NULL, false},
	    {"1985-04-12x", NULL, false},
	    {"yesterday", NULL, false},
	    {"1985-04.12", NULL, false},
	    {"99999-01-01", NULL, false},
	};
	char out[DATE_TEXT_SIZE];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		enum value_state got = value_date(cases[i].in, cases[i].day_first, out);
		enum value_state wanted = !cases[i].out ? VALUE_BAD : *cases[i].out ? VALUE_GOOD : VALUE_NONE;
		if (got != wanted || (got == VALUE_GOOD && strcmp(out, cases[i].out) != 0))
			fail_msg("\"%s\" is %d %s", cases[i].in, got, got == VALUE_GOOD ? out : "");
	}
}

TEST(test_times)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"2024-01-15T10:22:33.5Z", "2024-01-15T10:22:33.500Z"},
	    {"2024-01-15 10:22", "2024-01-15T10:22:00.000Z"},
	    {"2024-01-15 10:22:33", "2024-01-15T10:22:33.000Z"},
	    {"2024-01-15T10:22:33+02:00", "2024-01-15T08:22:33.000Z"},
	    {"2024-01-15", "2024-01-15T00:00:00.000Z"},
	    {"2023-11-02T09:15:30.123456789Z", "2023-11-02T09:15:30.123Z"},
	    {"15.01.2024 10:22", "2024-01-15T10:22:00.000Z"},
	    {"January 15, 2024", "2024-01-15T00:00:00.000Z"},
	    {"January 15, 2024 3:30 PM", "2024-01-15T15:30:00.000Z"},
	    {"Jan 15, 2024 12:05 am", "2024-01-15T00:05:00.000Z"},
	    {"January 15, 2024 13:30 PM", NULL},
	    {"January 15, 2024 noon", NULL},
	    {"2024-01-15 25:00", NULL},
	    {"2024-01-15 noon", NULL},
	};
	char out[TIME_TEXT_SIZE];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		enum value_state got = value_time(cases[i].in, false, out);
		if ((got == VALUE_GOOD) != (cases[i].out != NULL) || (cases[i].out && strcmp(out, cases[i].out) != 0))
			fail_msg("\"%s\" is %d %s", cases[i].in, got, got == VALUE_GOOD ? out : "");
	}
}

static const char *const *choices_of(enum transfer_kind kind, const char *field)
{
	return field_named(kind, field)->choices;
}

TEST(test_numbers)
{
	static const struct {
		const char *in, *number, *range;
		bool plain;
	} cases[] = {
	    {"5", "5", "1-10", true},
	    {"-1.50", "-1.5", NULL, true},
	    {"1,200", "1200", "1001-5000", false},
	    {"$1,200,000.50", "1200000.5", NULL, false},
	    {"$1,200,000", "1200000", NULL, false},
	    {"€ 12 000", "12000", NULL, false},
	    {"007", "7", "1-10", false},
	    {"1e3", "1000", NULL, false},
	    {"12,5", "12.5", "51-200", false},
	    {"1.200.000,50 €", "1200000.5", NULL, false},
	    {"CHF 1'200.50", "1200.5", NULL, false},
	    {"12\u00a0500,75", "12500.75", NULL, false},
	    {"USD 800", "800", NULL, false},
	    {"", NULL, NULL, false},
	    {"x", NULL, NULL, false},
	    {"11-50", NULL, "11-50", false},
	    {"1,001 - 5,000", NULL, "1001-5000", false},
	    {"10000+", NULL, "10000+", false},
	    {"20001", "20001", "10000+", true},
	    {"0", "0", NULL, true},
	    {"1.", NULL, NULL, false},
	};
	struct arena a;

	arena_init(&a);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *number = value_number(&a, cases[i].in, value_has_decimal_comma(cases[i].in)),
		           *range = value_range(choices_of(TRANSFER_COMPANIES, "employeeRange"), cases[i].in);
		if (value_is_number(cases[i].in) != cases[i].plain)
			fail_msg("\"%s\": plain", cases[i].in);
		if ((number == NULL) != (cases[i].number == NULL) || (number && strcmp(number, cases[i].number) != 0))
			fail_msg("\"%s\" is the number %s", cases[i].in, number);
		if ((range == NULL) != (cases[i].range == NULL) || (range && strcmp(range, cases[i].range) != 0))
			fail_msg("\"%s\" is the range %s", cases[i].in, range);
	}
	arena_free(&a);
	assert_string_equal(value_gender(choices_of(TRANSFER_PEOPLE, "gender"), "male"), "Male");
	assert_string_equal(value_gender(choices_of(TRANSFER_PEOPLE, "gender"), "F"), "Female");
	assert_string_equal(value_gender(choices_of(TRANSFER_PEOPLE, "gender"), "Unspecified"), "");
}

TEST(test_faxes)
{
	static const char *const faxes[] = {"Work Fax", "fax", "* Home Fax", "HOMEFAX", "Pager", "Work Pager",
	    "Fax (privat)", "Télécopie", "Telefax"},
	                         *const phones[] = {"", "Mobile", "Phone/Fax", "Tel. + Fax", "Fax, voice", "Faxabruf",
	                             "Work", "Mobile & Fax", "Handy/Fax"};

	for (size_t i = 0; i < sizeof faxes / sizeof *faxes; i++)
		if (!value_is_fax(faxes[i]))
			fail_msg("%s is a phone", faxes[i]);
	for (size_t i = 0; i < sizeof phones / sizeof *phones; i++)
		if (value_is_fax(phones[i]))
			fail_msg("%s is a fax", phones[i]);
}

/* What tells people from companies tells the same for both, and so does the program that writes it. */
TEST(test_record_kinds)
{
	static const char *const words[][2] = {{"Organisation", "companies"}, {"ORG", "companies"},
	    {"company", "companies"}, {"Person", "people"}, {"individual", "people"}};

	for (int kind = TRANSFER_PEOPLE; kind <= TRANSFER_COMPANIES; kind++) {
		const struct transfer_field *f = field_named((enum transfer_kind)kind, "recordKind");
		const struct transfer_header *h, *other;
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			assert_string_equal(header_choice((enum transfer_kind)kind, f, words[i][0]), words[i][1]);
		assert_null(header_choice((enum transfer_kind)kind, f, "Customer"));
		for (size_t i = 0; (h = header_at((enum transfer_kind)kind, i)); i++) {
			if (strcmp(h->field, f->name) != 0)
				continue;
			other = header_of_program(
			    kind ? TRANSFER_PEOPLE : TRANSFER_COMPANIES, h->program, h->header, &(int){0});
			if (!other || strcmp(other->field, f->name) != 0)
				fail_msg(
				    "%s tells people from companies only for %s", h->header, transfer_kind_names[kind]);
		}
	}
}

TEST(test_headers)
{
	static const struct {
		enum transfer_kind kind;
		const char *header, *field;
		int number;
	} cases[] = {
	    {TRANSFER_PEOPLE, "E-mail 2 - Value", "emails", 2},
	    {TRANSFER_PEOPLE, "E-mail 2 - Type", "-", 2},
	    {TRANSFER_PEOPLE, "E-mail 3 Address", "emails", 3},
	    {TRANSFER_PEOPLE, "Address 2 - Street", "address.street", 2},
	    {TRANSFER_PEOPLE, "Home Street", "address.street", 2},
	    {TRANSFER_PEOPLE, "Home Street 2", "address.extended", 2},
	    {TRANSFER_PEOPLE, "business phone 2", "phones", 2},
	    {TRANSFER_PEOPLE, "PERSON - EMAIL - WORK", "emails", 1},
	    {TRANSFER_PEOPLE, "Nickname", "", 1},
	    {TRANSFER_PEOPLE, "Shoe size", NULL, 0},
	    {TRANSFER_COMPANIES, "Company name", "name", 1},
	    {TRANSFER_COMPANIES, "Number of Employees", "employeeRange", 1},
	    {TRANSFER_TASKS, "Email", NULL, 0},
	    {TRANSFER_OBJECTS, "Deal - Title", "name", 1},
	    {TRANSFER_OBJECTS, "Deal stage", "customFieldValues.Stage", 1},
	    {TRANSFER_OBJECTS, "ÉTAPE", "customFieldValues.Stage", 1},
	    {TRANSFER_OBJECTS, "Betrag", "customFieldValues.Amount", 1},
	    {TRANSFER_PEOPLE, "Straße", "address.street", 1},
	    {TRANSFER_PEOPLE, "Correo electrónico 2", "emails", 2},
	    {TRANSFER_PEOPLE, "E-Mail 2: Adresse", "emails", 2},
	    {TRANSFER_PEOPLE, "Straße privat", "address.street", 2},
	    {TRANSFER_PEOPLE, "Telefon (privat 2)", "phones", 2},
	    {TRANSFER_PEOPLE, "Adresse de courrier", "emails", 1},
	    {TRANSFER_PEOPLE, "Rue (domicile)", "address.street", 2},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int number = 0;
		const struct transfer_header *h = header_find(cases[i].kind, cases[i].header, &number);
		if ((h == NULL) != (cases[i].field == NULL) ||
		    (h && (strcmp(h->field, cases[i].field) != 0 || number != cases[i].number)))
			fail_msg("%s is %s %d", cases[i].header, h ? h->field : "unknown", number);
	}
}

/* The row that a file with this heading gets: files of programs that are recognized get that program's own row. */
static const struct transfer_header *header_in_use(enum transfer_kind kind, const struct transfer_header *h)
{
	static const char *const not_recognized[] = {"", "German", "French", "Spanish", "vCard", "vCard properties"};
	const char *program = h->program;
	char header[256], *mark;
	int number;

	/* A column has a number where the heading has a '#'. */
	snprintf(header, sizeof header, "%s", h->header);
	while ((mark = strchr(header, '#')))
		*mark = '1';
	for (size_t i = 0; i < sizeof not_recognized / sizeof *not_recognized; i++)
		if (strcmp(h->program, not_recognized[i]) == 0)
			program = NULL;
	return header_of_program(kind, program, header, &number);
}

static void check_header(enum transfer_kind kind, const struct transfer_header *h)
{
	bool custom = strncmp(h->field, HEADER_CUSTOM, strlen(HEADER_CUSTOM)) == 0;
	const struct transfer_header *first;
	const struct transfer_field *f;
	char header[256], own[256];

	if (*h->field && strcmp(h->field, "-") != 0 && !custom && !field_named(kind, h->field))
		fail_msg("transfer/headings.json: \"%s\" leads to the field \"%s\", which %s do not have", h->header,
		    h->field, transfer_kind_names[kind]);
	first = header_in_use(kind, h);
	if (!first || strcmp(first->field, h->field) != 0)
		fail_msg("transfer/headings.json: \"%s\" of %s is a heading of %s, too, with another field", h->header,
		    transfer_kind_names[kind], first ? first->program : "no program");
	header_normal(h->header, header, sizeof header);
	for (size_t i = 0; (f = field_at(kind, i)); i++) {
		header_normal(f->name, own, sizeof own);
		/* Such a row says that a cell of the program names one company, or that the program means something
		 * else. */
		if (*h->program && ((f->shape == SHAPE_COMPANIES && !h->several) || strcmp(h->field, f->name) != 0))
			continue;
		if (strcmp(header, own) == 0 && header_property(f->name) != h->header)
			fail_msg(
			    "transfer/headings.json: remove the row \"%s\": %s have the field \"%s\", whose own name "
			    "needs no row",
			    h->header, transfer_kind_names[kind], f->name);
	}
}

TEST(test_header_rows)
{
	for (int kind = 0; kind < TRANSFER_KINDS; kind++) {
		const struct transfer_header *h;
		for (size_t i = 0; (h = header_at((enum transfer_kind)kind, i)); i++)
			check_header((enum transfer_kind)kind, h);
	}
}

/* A record in which no other field has a value. */
static const struct json *record_with(struct arena *a, const struct transfer_field *f)
{
	const char *value = f->shape == SHAPE_DATE                                 ? "\"2001-02-03\""
	                    : f->choices                                           ? "\"Other\""
	                    : f->shape == SHAPE_LIST || f->shape == SHAPE_COMMAS   ? "[\"x\"]"
	                    : f->shape >= SHAPE_GROUPS && f->shape <= SHAPE_PEOPLE ? "[{\"name\":\"x\"}]"
	                                                                           : "\"7\"";
	const char *text = arena_printf(a, "{\"%s\":%s}", f->name, value), *error;

	return json_read(a, text, strlen(text), &error);
}

static bool is_written(const struct transfer_field *f)
{
	return !f->from_admin && f->shape != SHAPE_READ && f->shape != SHAPE_CUSTOM && !shape_is_part(f->shape);
}

static void check_exports(struct arena *a, enum transfer_kind kind, const struct transfer_field *f)
{
	static const struct roster no_custom = {0};
	struct buf csv, card, empty;
	const char *error;

	buf_init(&csv, 1 << 16);
	buf_init(&card, 1 << 16);
	buf_init(&empty, 1 << 16);
	export_csv_header(&csv, kind, &no_custom);
	export_vcard_record(&card, kind, record_with(a, f));
	export_vcard_record(&empty, kind, json_read(a, "{}", 2, &error));
	if (!strstr(csv.data, f->name))
		fail_msg("transfer/export_csv.c has no column for the field \"%s\" of %s", f->name,
		    transfer_kind_names[kind]);
	if (strcmp(card.data, empty.data) == 0)
		fail_msg("transfer/export_vcard.c: export_vcard_field() writes nothing for the field \"%s\" of %s",
		    f->name, transfer_kind_names[kind]);
	buf_free(&csv);
	buf_free(&card);
	buf_free(&empty);
}

TEST(test_exports)
{
	struct arena a;

	arena_init(&a);
	for (int kind = TRANSFER_PEOPLE; kind <= TRANSFER_COMPANIES; kind++) {
		const struct transfer_field *f;
		for (size_t i = 0; (f = field_at((enum transfer_kind)kind, i)); i++)
			if (is_written(f))
				check_exports(&a, (enum transfer_kind)kind, f);
	}
	arena_free(&a);
}
