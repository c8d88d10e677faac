/* The contents of the demo workspace, as statements. */
#ifndef KITH_SERVER_COMMAND_DEMO_DATA_H
#define KITH_SERVER_COMMAND_DEMO_DATA_H

#include "store/sql.h"

/* As in demo_data.sql. */
#define DEMO_NAME "Demo"
#define DEMO_EMAIL "demo@example.com"

/* Builds the statements of one transaction: a workspace with users, groups, companies, people, an object type with
 * custom fields, and deals. Returns their number; sets the ids of the workspace and its admin. */
int demo_statements(struct arena *a, struct sql ***out, struct uuid *workspace, struct uuid *admin);

#endif
