/* The users and groups of a workspace, and the custom fields of one group, to which imports refer. */
#ifndef KITH_TRANSFER_ROSTER_H
#define KITH_TRANSFER_ROSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/id.h"
#include "transfer/mapping.h"
#include "transfer/remote.h"

struct roster_name {
	char id[ID_SIZE];
	char *name, *email; /* email: of users */
};

struct roster_names {
	struct roster_name *items;
	size_t count;
};

struct roster {
	struct remote *remote;
	char me[ID_SIZE];  /* the key's user */
	int64_t server_ms; /* the server's clock, when it was loaded */
	struct roster_names users, groups;
	struct mapping_custom *custom;
	size_t n_custom;
};

/* Reads users and groups. False with a message. */
bool roster_load(struct roster *l, struct remote *remote);
/* Reads the custom fields of a group for "person", "company" or a type of objects. */
bool roster_load_fields(struct roster *l, const char *group, const char *entity_type);
void roster_free(struct roster *l);

/* Finds it by id, else by exact name, else by name in any case; NULL: unknown. */
const char *roster_group(const struct roster *l, const char *name, size_t len);
/* Finds a user by id, e-mail address or name; NULL: unknown, or several have the name. */
const struct roster_name *roster_user(const struct roster *l, const char *text);
void roster_add_group(struct roster *l, const char *id, const char *name);

/* The name of a type of custom fields; NULL for types that a text cannot fill. */
const char *roster_type_name(enum mapping_type type);

#endif
