/* What is suggested for unknown columns, and that --map accepts the suggestions. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "transfer/mapping.h"
#include "test/lib/test.h"

static const struct mapping_custom customs[] = {
    {"Stage", MAPPING_SELECT}, {"Close date", MAPPING_DATE}, {"A=B", MAPPING_TEXT}, {"Via", MAPPING_OTHER}};

static struct mapping mapping_of(enum transfer_kind kind)
{
	return (struct mapping){.kind = kind, .custom = customs, .n_custom = sizeof customs / sizeof *customs};
}

/* A suggestion that is noise is worse than none. */
TEST(test_near)
{
	static const struct {
		enum transfer_kind kind;
		const char *column, *field; /* NULL: none is near */
	} cases[] = {
	    {TRANSFER_OBJECTS, "Stage of deal", "customFieldValues.Stage"},
	    {TRANSFER_OBJECTS, "Deal stage", "customFieldValues.Stage"},
	    {TRANSFER_OBJECTS, "Satge", "customFieldValues.Stage"},
	    {TRANSFER_OBJECTS, "Expected close date", "customFieldValues.Close date"},
	    {TRANSFER_OBJECTS, "A = B", "customFieldValues.A=B"},
	    {TRANSFER_OBJECTS, "a=b", "customFieldValues.A=B"},
	    {TRANSFER_OBJECTS, "Deal - Name", "name"},
	    {TRANSFER_OBJECTS, "Deal - ID", NULL},
	    {TRANSFER_OBJECTS, "Owner name", NULL},
	    {TRANSFER_OBJECTS, "Filename", NULL},
	    {TRANSFER_OBJECTS, "Via whom", NULL},
	    {TRANSFER_OBJECTS, "", NULL},
	    {TRANSFER_PEOPLE, "emial", "emails"},
	    {TRANSFER_PEOPLE, "Work emails 2", "emails"},
	    {TRANSFER_PEOPLE, "first-nam", "firstName"},
	    {TRANSFER_PEOPLE, "Birthday of the contact", NULL},
	    {TRANSFER_PEOPLE, "Contact birthday", "birthday"},
	    {TRANSFER_PEOPLE, "Shoe size", NULL},
	    {TRANSFER_PEOPLE, "Details", NULL},
	    {TRANSFER_PEOPLE, "Phase", NULL},
	    {TRANSFER_COMPANIES, "Game", NULL},
	    {TRANSFER_COMPANIES, "industri", "industry"},
	    {TRANSFER_PEOPLE, "Description", "description"},
	    {TRANSFER_COMPANIES, "Company industry", "industry"},
	    {TRANSFER_COMPANIES, "Deal industry", NULL},
	    {TRANSFER_TASKS, "due_at", "dueAt"},
	};
	struct buf field;

	buf_init(&field, 4096);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mapping m = mapping_of(cases[i].kind);
		buf_clear(&field);
		bool near = mapping_suggest(&m, cases[i].column, false, &field);
		if (near != (cases[i].field != NULL) || (near && strcmp(field.data, cases[i].field) != 0))
			fail_msg("%s is %s", cases[i].column, near ? field.data : "near to none");
	}
	buf_free(&field);
}

/* NDJSON can only be mapped to fields of the API. */
TEST(test_plain)
{
	struct mapping m = mapping_of(TRANSFER_PEOPLE);
	struct buf field;

	buf_init(&field, 4096);
	assert_true(mapping_suggest(&m, "stage", false, &field));
	assert_false(mapping_suggest(&m, "stage", true, &field));
	assert_true(mapping_suggest(&m, "address street", false, &field));
	assert_false(mapping_suggest(&m, "address street", true, &field));
	buf_free(&field);
}

/* Each line that is printed is understood, whatever the column's name. */
TEST(test_lines)
{
	static const char *const columns[] = {"Stage", "# of employees", " padded ", "a=b", "a = b", "\"quoted\"", "",
	    "two\nlines", "esc\x1b[2J", "back\\slash", "=", "-", "Größe"};
	struct mapping m = mapping_of(TRANSFER_OBJECTS);
	char path[] = "/tmp/kith-mapping.XXXXXX";
	struct buf text;

	buf_init(&text, 1 << 16);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		mapping_put_line(&text, columns[i], i % 2 ? "customFieldValues.A=B" : "customFieldValues.Close date");
		buf_addz(&text, "\n");
	}
	int fd = mkstemp(path);
	assert_int_equal(write(fd, text.data, text.len), (ssize_t)text.len);
	close(fd);
	assert_true(mapping_read(&m, path));
	unlink(path);
	assert_int_equal(m.n_rules, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		const char *field = mapping_rule_for(&m, columns[i]);
		if (!field || strcmp(field, i % 2 ? "customFieldValues.A=B" : "customFieldValues.Close date") != 0)
			fail_msg("\"%s\" is %s", columns[i], field ? field : "not mapped");
	}
	/* Blanks around a name that is not in quotes do not show. */
	assert_non_null(mapping_rule_for(&m, " Stage "));
	assert_null(mapping_rule_for(&m, "padded"));
	mapping_free(&m);
	buf_free(&text);
}
