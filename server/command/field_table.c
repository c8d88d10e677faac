/* A step of the build. It writes the fields of records as TypeScript, for the console. It contains only the tables,
 * because the program contains the console and is built later. */
#include <stdio.h>
#include <string.h>

#include "filter/filter.h"
#include "store/resources.h"

/* How the console names the types that it has a control for; it leaves out fields of other types. */
static const char *const type_names[FIELD_TYPES] = {
    [FIELD_TEXT] = "text",
    [FIELD_URL] = "text",
    [FIELD_CHOICE] = "choice",
    [FIELD_ACTIVITY] = "choice",
    [FIELD_DATE] = "date",
    [FIELD_YEAR] = "year",
    [FIELD_DECIMAL] = "number",
    [FIELD_TIME] = "moment",
    [FIELD_CLOCK] = "time",
    [FIELD_TEXTS] = "texts",
    [FIELD_GROUPS] = "groups",
    [FIELD_COMPANIES] = "companies",
    [FIELD_PEOPLE] = "people",
    [FIELD_USER] = "user",
    [FIELD_USERS] = "users",
};

static const struct shown_table {
	const struct resource *resource;
	const struct filter_table *filters; /* NULL: the console has no filters for it */
} tables[] = {
    {&person_resource, &people_filters},
    {&company_resource, &company_filters},
    {&object_resource, &object_filters},
    {&note_resource},
    {&task_resource},
    {&interaction_resource},
    {&webhook_resource},
};

static void field_choices_print(const struct field *f)
{
	const char *before = " choices: [";

	for (int i = 0; f->choices[i]; i++) {
		printf("%s'%s'", before, f->choices[i]);
		before = ", ";
	}
	fputs("],", stdout);
}

static void field_print(const struct shown_table *t, const struct field *f)
{
	printf("\t\t{name: '%s', type: '%s',", f->name, type_names[f->type]);
	if (f->max)
		printf(" max: %d,", f->max);
	if (f->item_max)
		printf(" itemMax: %d,", f->item_max);
	if (f->choices)
		field_choices_print(f);
	if (f->unset)
		printf(" unset: '%s',", f->unset);
	if (f->watched)
		printf(" watched: %d,", f->watched);
	if (f->flags & FIELD_IN_UPDATE)
		fputs(" writable: true,", stdout);
	if (f->flags & FIELD_NULLABLE)
		fputs(" nullable: true,", stdout);
	if (f->flags & FIELD_NO_EMPTY)
		fputs(" required: true,", stdout);
	if (t->filters && filter_field_find(t->filters, f->name, strlen(f->name)))
		fputs(" filtered: true,", stdout);
	puts("},");
}

static void field_table_print(const struct shown_table *t)
{
	printf("\t%s: [\n", t->resource->name);
	for (int i = 0; i < t->resource->n_fields; i++) {
		const struct field *f = &t->resource->fields[i];
		if (!(f->flags & FIELD_HIDDEN) && type_names[f->type])
			field_print(t, f);
	}
	puts("\t],");
}

int main(void)
{
	puts("/* Made by server/command/field_table.c. */\nexport const tables = {");
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		field_table_print(&tables[i]);
	puts("} as const;");
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
