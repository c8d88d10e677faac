/* The tables of field types compared with each other: everything that a field of any resource needs of its type
 * exists. */
#include <string.h>

#include "filter/filter.h"
#include "server/input/body_value.h"
#include "server/openapi/document_private.h"
#include "server/output/render.h"
#include "store/field_type.h"
#include "store/resources.h"
#include "test/lib/test.h"

static const struct resource *const resources[] = {&person_resource, &company_resource, &object_resource,
    &object_type_resource, &custom_field_resource, &group_resource, &member_resource, &user_resource, &note_resource,
    &task_resource, &completion_resource, &reminder_resource, &interaction_resource, &webhook_resource,
    &webhook_secret_resource, &delivery_resource, &delivery_request_resource, &webhook_health_resource, &usage_resource,
    &search_hit_resource, &recover_resource, &recovery_resource, &person_duplicate_resource, &api_key_resource,
    &api_key_secret_resource, &company_duplicate_resource, &view_resource, &address_book_resource,
    &person_merge_resource, &company_merge_resource};

/* Types whose changes are told in events. */
static const struct resource *const told[] = {&person_resource, &company_resource, &object_resource, &note_resource,
    &task_resource, &reminder_resource, &interaction_resource};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define NEEDS(condition, f)                                                                                            \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			fail_msg("type %d, of field \"%s\", column %s, lacks: %s", (int)(f)->type, (f)->name,          \
			    (f)->column ? (f)->column : "-", #condition);                                              \
	} while (0)

static void check_storage(const struct field *f)
{
	const struct field_storage *s = &field_storages[f->type];

	NEEDS(s->equal, f);
	NEEDS(!s->second == !s->bind_second, f);
	NEEDS(!s->load == !s->columns, f);
	NEEDS((s->columns > 1) == (s->select_more != NULL), f);
	if (f->column)
		NEEDS(s->bind || f->type == FIELD_METADATA, f);
	if (f->column && !(f->flags & FIELD_HIDDEN))
		NEEDS(s->load, f);
}

static void check_input(const struct field *f)
{
	NEEDS(field_readers[f->type].read, f);
	NEEDS(field_readers[f->type].expected, f);
	NEEDS(openapi_types[f->type].in, f);
}

/* Parts of a definition, each of one type of custom field, are rendered by another file. */
static void check_output(const struct field *f)
{
	const struct field_view *v = &field_views[f->type];
	const struct openapi_type *o = &openapi_types[f->type];

	NEEDS(o->out, f);
	if (f->type == FIELD_DEFINITION)
		return;
	NEEDS(!v->render != !v->show, f);
	NEEDS(!v->scalar || v->render, f);
}

TEST(test_fields)
{
	for (size_t i = 0; i < COUNT(resources); i++) {
		for (int k = 0; k < resources[i]->n_fields; k++) {
			const struct field *f = &resources[i]->fields[k];
			if (!f->name)
				fail_msg("the table of fields of %s has no row for its number %d (store/resources.h)",
				    resources[i]->name, k);
			check_storage(f);
			if (f->flags & FIELD_IN)
				check_input(f);
			if (!(f->flags & FIELD_HIDDEN))
				check_output(f);
		}
	}
}

/* A row that no field uses would be checked by nothing. */
TEST(test_types)
{
	bool used[FIELD_TYPES] = {false};

	for (size_t i = 0; i < COUNT(resources); i++)
		for (int k = 0; k < resources[i]->n_fields; k++)
			used[resources[i]->fields[k].type] = true;
	for (int type = 0; type < FIELD_TYPES; type++)
		if (!used[type])
			fail_msg("type %d is the type of no field", type);
}

TEST(test_changes)
{
	for (size_t i = 0; i < COUNT(told); i++) {
		for (int k = 0; k < told[i]->n_fields; k++) {
			const struct field *f = &told[i]->fields[k];
			enum field_type type = f->type;
			if (!f->column || !(f->flags & FIELD_IN) || f->flags & (FIELD_SILENT | FIELD_FROM_ADMIN) ||
			    type == FIELD_CUSTOM || type == FIELD_PARENT)
				continue;
			NEEDS(field_views[type].scalar || type == FIELD_ENTITY || field_storages[type].never_null, f);
		}
	}
}

/* Types whose values server/input/subscription_value.c writes as in events. */
static bool may_watch(enum field_type type)
{
	return type == FIELD_TEXT || type == FIELD_CHOICE || type == FIELD_DATE || type == FIELD_YEAR ||
	       type == FIELD_DECIMAL || type == FIELD_TEXTS || type == FIELD_CUSTOM;
}

TEST(test_watched)
{
	for (size_t i = 0; i < COUNT(resources); i++) {
		for (int k = 0; k < resources[i]->n_fields; k++) {
			const struct field *f = &resources[i]->fields[k];
			if (!f->watched)
				continue;
			NEEDS(f->flags & FIELD_IN_UPDATE && may_watch(f->type), f);
			for (int other = 0; other < k; other++)
				NEEDS(resources[i]->fields[other].watched != f->watched, f);
		}
	}
}

TEST(test_filtered)
{
	const struct filter_table *const tables[] = {&people_filters, &company_filters, &object_filters, &task_filters};

	for (size_t i = 0; i < COUNT(tables); i++) {
		for (int k = 0; k < tables[i]->resource->n_fields; k++) {
			const struct field *f = &tables[i]->resource->fields[k];
			if (f->flags & FIELD_FILTERED)
				NEEDS(filter_field_find(tables[i], f->name, strlen(f->name)), f);
		}
	}
}

/* Readers of lists look for duplicates item by item (server/input/body_value.c), which is cheap for short lists only: a
 * longer one needs a table (server/base/table.h), as custom values have. */
TEST(test_lists)
{
	enum { SHORT = 100 };

	for (size_t i = 0; i < COUNT(resources); i++)
		for (int k = 0; k < resources[i]->n_fields; k++) {
			const struct field *f = &resources[i]->fields[k];
			bool looks = f->type == FIELD_TEXTS || f->type == FIELD_GROUPS || f->type == FIELD_COMPANIES ||
			             f->type == FIELD_PEOPLE || f->type == FIELD_USERS || f->type == FIELD_EVENTS;
			NEEDS(!looks || !(f->flags & FIELD_IN) || (f->max > 0 && f->max <= SHORT), f);
		}
}
