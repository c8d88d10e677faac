/* Values and headers of other programs. */
#include <stdio.h>
#include <string.h>

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
	    {"1604-05-12", "", false},
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
		const char *number = value_number(&a, cases[i].in), *range = value_range(cases[i].in);
		if (value_is_number(cases[i].in) != cases[i].plain)
			fail_msg("\"%s\": plain", cases[i].in);
		if ((number == NULL) != (cases[i].number == NULL) || (number && strcmp(number, cases[i].number) != 0))
			fail_msg("\"%s\" is the number %s", cases[i].in, number);
		if ((range == NULL) != (cases[i].range == NULL) || (range && strcmp(range, cases[i].range) != 0))
			fail_msg("\"%s\" is the range %s", cases[i].in, range);
	}
	arena_free(&a);
	assert_string_equal(value_gender("male"), "Male");
	assert_string_equal(value_gender("F"), "Female");
	assert_string_equal(value_gender("Unspecified"), "");
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
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int number = 0;
		const struct transfer_header *h = header_find(cases[i].kind, cases[i].header, &number);
		if ((h == NULL) != (cases[i].field == NULL) ||
		    (h && (strcmp(h->field, cases[i].field) != 0 || number != cases[i].number)))
			fail_msg("%s is %s %d", cases[i].header, h ? h->field : "unknown", number);
	}
	/* Every row leads to a field of its kind, and is the first of its name. */
	for (int kind = TRANSFER_PEOPLE; kind <= TRANSFER_COMPANIES; kind++) {
		const struct transfer_header *h = header_at((enum transfer_kind)kind, 0);
		for (size_t i = 0; (h = header_at((enum transfer_kind)kind, i)) != NULL; i++) {
			int number;
			if (*h->field && strcmp(h->field, "-") != 0)
				assert_non_null(field_named((enum transfer_kind)kind, h->field));
			if (header_find((enum transfer_kind)kind, h->header, &number) != h)
				fail_msg("%s stands twice", h->header);
		}
	}
}
