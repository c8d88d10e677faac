/* A file with all headings that kith knows of a program goes in at the first try: no column stops it, no value refuses
 * its record, and the exit status is 0. */
#include <stdio.h>
#include <string.h>

#include "transfer/record_field.h"
#include "test/lib/flow.h"
#include "test/lib/server/transferred.h"

#define DEALS "--group", "Sales", "--type", "Deal"

static struct transferred t;

RIG("programs");

BEFORE_EACH()
{
	struct caller c;
	const char *group;

	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "packer").key);
	caller_init(&c, server->base, t.key);
	group = arena_printf(t.arena, "%.40s",
	    caller_good(caller_send(&c, "POST", "/v1/groups", NULL, "{\"name\":\"Sales\",\"visibility\":\"public\"}"))
	        .id);
	caller_good(caller_send(
	    &c, "POST", arena_printf(t.arena, "/v1/groups/%s/object-types", group), NULL, "{\"name\":\"Deal\"}"));
	caller_good(caller_send(&c, "POST", "/v1/companies", NULL, "{\"name\":\"Acme\"}"));
	caller_free(&c);
}

AFTER_EACH()
{
	transferred_free(&t);
}

/* What a program could write under the heading. */
static const char *value_of(enum transfer_kind kind, const struct transfer_header *h)
{
	const struct transfer_field *f = field_named(kind, h->field);
	const struct {
		enum transfer_shape shape;
		const char *text;
	} texts[] = {{SHAPE_DATE, "2024-01-02"}, {SHAPE_TIME, "2024-01-02 10:00"}, {SHAPE_NUMBER, "5"},
	    {SHAPE_YEAR, "1999"}, {SHAPE_CLOCK, "10:30"}, {SHAPE_KIND, kind == TRANSFER_PEOPLE ? "Person" : "Company"},
	    {SHAPE_DONE, "Done"}, {SHAPE_LINK, "Acme"}, {SHAPE_ENTITY, "Acme"}, {SHAPE_COMPANIES, "Acme"}};

	if (f && strcmp(f->name, "emails") == 0)
		return "a@x.example";
	if (f && strcmp(f->name, "urls") == 0)
		return "https://x.example";
	for (size_t i = 0; f && i < sizeof texts / sizeof *texts; i++)
		if (f->shape == texts[i].shape)
			return texts[i].text;
	return "x";
}

static bool is_recognized(const char *program)
{
	static const char *const not_recognized[] = {"", "German", "French", "Spanish", "vCard", "vCard properties"};

	for (size_t i = 0; i < sizeof not_recognized / sizeof *not_recognized; i++)
		if (strcmp(program, not_recognized[i]) == 0)
			return false;
	return true;
}

/* Writes a file with all headings of the program that the first of them is of. */
static const char *file_of(enum transfer_kind kind, const struct transfer_header *first, size_t from)
{
	const char *name = arena_printf(t.arena, "%s.%zu.csv", transfer_kind_names[kind], from);
	const struct transfer_header *h;
	struct buf head, row;

	buf_init(&head, 1 << 20);
	buf_init(&row, 1 << 20);
	for (size_t i = from; (h = header_at(kind, i)); i++) {
		if (strcmp(h->program, first->program) != 0)
			continue;
		buf_printf(&head, "%s\"", head.len ? "," : "");
		for (const char *c = h->header; *c; c++)
			buf_addc(&head, *c == '#' ? '1' : *c);
		buf_addz(&head, "\"");
		buf_printf(&row, "%s\"%s\"", row.len ? "," : "", value_of(kind, h));
	}
	/* What every program has, in kith's own words. */
	buf_printf(&head, ",%s\n",
	    kind == TRANSFER_PEOPLE  ? "fullName"
	    : kind == TRANSFER_NOTES ? "content,entity"
	    : kind == TRANSFER_TASKS ? "title,entity"
	                             : "name");
	buf_printf(&row, ",%s %zu%s\n", transfer_kind_names[kind], from, kind > TRANSFER_OBJECTS ? ",Acme" : "");
	buf_add(&head, row.data, row.len);
	name = transferred_write(&t, name, head.data, head.len);
	buf_free(&head);
	buf_free(&row);
	return name;
}

TEST(test_all_headings)
{
	for (int kind = TRANSFER_PEOPLE; kind <= TRANSFER_TASKS; kind++) {
		const struct transfer_header *h;
		const char *before = "";
		for (size_t i = 0; (h = header_at((enum transfer_kind)kind, i)); i++) {
			if (strcmp(h->program, before) == 0)
				continue;
			before = h->program;
			if (!is_recognized(h->program))
				continue;
			const char *path = file_of((enum transfer_kind)kind, h, i);
			if (kind == TRANSFER_OBJECTS)
				TRANSFERRED(&t, "import", path, "--as", transfer_kind_names[kind], DEALS);
			else
				TRANSFERRED(&t, "import", path, "--as", transfer_kind_names[kind]);
			if (t.status != 0 || !strstr(t.out, "\"refused\":0"))
				fail_msg("%s of %s:\n%s%s%s", transfer_kind_names[kind], h->program, t.out, t.err,
				    transferred_read(
				        &t, strrchr(arena_printf(t.arena, "%s.refused.csv", path), '/') + 1));
		}
	}
}
