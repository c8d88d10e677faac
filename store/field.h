/* The fields of a resource, one row each. The rows drive validation of bodies, SQL, rendering, filters, events, the
 * API's description and the tests' checks of answers. Adding a field means adding a row (and a column). */
#ifndef KITH_STORE_FIELD_H
#define KITH_STORE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/id.h"

/* The form of a value in JSON and in SQL; comments name the SQL type. */
enum field_type {
	FIELD_ID, /* uuid: the record's own id; its kind is the resource's. In a body another record's, of that kind */
	FIELD_TEXT,       /* text, '' when unset */
	FIELD_CHOICE,     /* text from field.choices, null when unset */
	FIELD_DATE,       /* date */
	FIELD_YEAR,       /* int: four digits or an integer in, text out */
	FIELD_DECIMAL,    /* numeric, never negative: number or numeric text in, text out */
	FIELD_TIME,       /* timestamptz, in milliseconds */
	FIELD_STAMP,      /* timestamptz, in microseconds: the record's last change, its ETag */
	FIELD_FLAG,       /* boolean */
	FIELD_TEXTS,      /* text[]; the first item is the primary one */
	FIELD_GROUPS,     /* uuid[]: [{id}] in, [{id, name}] out, only groups that the reader may see */
	FIELD_COMPANIES,  /* uuid[]: [{id}|{name}] in (objects: [{id}]), [{id, name}] out */
	FIELD_PEOPLE,     /* uuid[]: [{id}] in, [{id, fullName}] out; people of the object's group */
	FIELD_USER,       /* uuid: user reference out */
	FIELD_USER_ID,    /* uuid: a user's id in */
	FIELD_GROUP_ID,   /* uuid: the id of a group that the reader may see, in and out */
	FIELD_HIDDEN_ID,  /* uuid, never shown: what a record belongs to */
	FIELD_DEFINITION, /* a part of a custom field's definition, read in server/resource/custom_definition.c */
	FIELD_USERS,      /* uuid[]: [{id}|{email}] in, user references out */
	FIELD_ENTITY,     /* uuid, and its type in entity_type: {id} in, {id, entityType, fullName} out */
	FIELD_CLOCK,      /* int: "HH:MM", stored as minutes since midnight */
	FIELD_RULE,       /* text: a recurrence rule */
	FIELD_AUTHOR,     /* uuid of a user: {type, id, fullName, email, deleted} out */
	FIELD_PARENT,     /* uuid: {id} in, the record out, {id, deleted: true} when it was deleted */
	FIELD_WORDS,      /* bigint[]: hashes of a text's words; write-only */
	FIELD_CUSTOM,     /* json: values by group id and field name */
	FIELD_METADATA,   /* interactionMetadata: maintained by interactions, never written with the record */
	FIELD_CONNECTION, /* strongestConnection, from the same */
	FIELD_ACTIVITY,   /* text: one of field.choices, or an emoji */
	FIELD_FROM,       /* uuid: {type: user, value, name} out */
	FIELD_TO,         /* {type, value, name} of an entity */
	FIELD_URL,        /* text: a webhook's target */
	FIELD_EVENTS,     /* json: [{eventType, filter}] */
	FIELD_SEALED,     /* bytea: a secret as stored by webhook/vault.h; never shown */
	FIELD_EVENT_ID,   /* uuid: an event's id out */
	FIELD_ATTEMPTS,   /* json: shown as stored */
	FIELD_COUNT,      /* bigint: a number out */
	FIELD_REASONS,    /* json: [{field, value}], shown as stored: why a record may be a duplicate */
	FIELD_VIEW_PART,  /* json: an object of a saved view (server/input/view_part.c), shown as stored */
	FIELD_TYPES       /* a new one needs a row in each table named in store/field_type.h */
};

enum field_flag {
	FIELD_IN_CREATE = 1, /* accepted in the body of a create */
	FIELD_IN_UPDATE = 2, /* ... of an update */
	FIELD_IN = FIELD_IN_CREATE | FIELD_IN_UPDATE,
	FIELD_REQUIRED = 4,          /* a create without it is refused with 422 */
	FIELD_NULLABLE = 8,          /* null is accepted, and means unset */
	FIELD_HIDDEN = 16,           /* a column that is never rendered */
	FIELD_NULL_EMPTY = 32,       /* text that is null in SQL and in answers when unset, not '' */
	FIELD_NO_EMPTY = 64,         /* '' is refused (too_small, minimum 1) */
	FIELD_REQUIRED_UPDATE = 128, /* an update without it is refused with 422 */
	FIELD_SILENT = 256,          /* events tell that it changed, not its value */
	FIELD_FILTERED = 512,    /* lists can be filtered by it; fields with an index have a row in filter/tables.c */
	FIELD_WHEN_TRUE = 1024,  /* a flag that answers contain only when true */
	FIELD_FROM_ADMIN = 2048, /* a body that gives it needs a workspace admin's key, else it is a 403 */
	FIELD_IMPORTED = FIELD_IN_CREATE | FIELD_FROM_ADMIN /* what an imported record had where it came from */
};

enum { FIELDS_MAX = 32 }; /* of one resource: a set of fields is a uint32_t */

struct field {
	const char *name;   /* member in JSON */
	const char *column; /* column in SQL; NULL: not stored */
	enum field_type type;
	unsigned flags;             /* enum field_flag */
	int max;                    /* code points of a text, items of a list */
	int item_max;               /* code points of a list's item */
	const char *const *choices; /* FIELD_CHOICE; FIELD_ENTITY: the types allowed, NULL: all; NULL terminated */
	const char *unset;          /* FIELD_CHOICE: an unset value as shown, also accepted; NULL: null */
	int watched;                /* position among the attributes that webhooks may watch; 0: not watched */
	const char *same_as; /* an alias without a column: repeats the field of this name in answers; in bodies it
	                        stands for that field unless that is given too */
	const char *about;   /* for the API's description; rows that are never shown have none */
};

struct resource {
	const char *name;  /* "person" */
	const char *title; /* type name in the API's description, if the name would be too general; NULL: name */
	const char *about; /* for the API's description */
	const char *table; /* "people"; NULL: no table of its own */
	const char *order; /* the table that lists by updated_at read, "people_updates"; NULL: table, if any */
	/* The kind of the records' ids. It also decides whether a standby may give lists (replica_has_events()), and
	 * whether a 404 names the kept record of a merge (merged_not_found()). */
	enum id_kind id_kind;
	int stamp; /* the field of FIELD_STAMP, for records with an ETag; 0: none */
	const struct field *fields;
	int n_fields;
};

struct entity_kind;
struct record;
struct recurrence_times;

/* A value. null: unset (texts and lists are never null, but empty). */
struct value {
	bool null;
	union {
		struct {
			const char *text;
			size_t len;
			const struct recurrence_times *times; /* RULE in a body: server/recurrence/expand.h */
		};              /* TEXT, CHOICE, DECIMAL, RULE, CUSTOM, URL, EVENTS, SEALED, ATTEMPTS, REASONS,
		      VIEW_PART */
		int64_t number; /* DATE days, YEAR, TIME ms, STAMP us, FLAG, CLOCK minutes, COUNT */
		struct uuid id; /* ID, USER, USER_ID, GROUP_ID, AUTHOR, EVENT_ID */
		struct {
			struct uuid *ids;
			const char **names;
			size_t n_ids;
		}; /* GROUPS, COMPANIES, PEOPLE, USERS */
		struct {
			struct uuid entity;
			const struct entity_kind *kind; /* store/entity_kind.h */
			const char *entity_name;
			size_t entity_name_len;
		}; /* ENTITY */
		struct {
			struct uuid parent;
			const struct record *parent_record; /* NULL: deleted */
		};                                          /* PARENT */
		struct {
			const int64_t *hashes;
			size_t n_hashes;
		}; /* WORDS */
		struct {
			const char **items;
			size_t *lens;
			size_t n_items;
		}; /* TEXTS */
		struct {
			struct uuid *users; /* by id */
			int64_t *numbers;   /* the counts, then the times of the last interaction, ms */
			size_t n_users;
		}; /* METADATA */
	};
};

/* A record as stored, or as it is to be stored. */
struct record {
	const struct resource *resource;
	struct value values[FIELDS_MAX];
};

typedef uint32_t field_set;
#define FIELD_BIT(index) ((field_set)1 << (index))

/* The index of the field of that name, -1 when there is none. */
int field_find(const struct resource *res, const char *name, size_t len);

/* True when both are equal as values of that type. */
bool value_equal(enum field_type type, const struct value *a, const struct value *b);
/* True for null and for an empty text. */
bool value_unset(enum field_type type, const struct value *v);
/* True when the list has the text. */
bool value_has_text(const struct value *list, const char *text, size_t len);

#endif
