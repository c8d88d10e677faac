/* The demo workspace's contents as statements. */
#ifndef KITH_SERVER_DEMO_DATA_H
#define KITH_SERVER_DEMO_DATA_H

#include "store/sql.h"

#define DEMO_NAME "Demo"
#define DEMO_EMAIL "demo@example.com"

/* Builds one transaction's statements: a workspace with users, groups, companies, people,
 * a type of objects with custom fields, and deals. Answers their number; sets the ids of
 * the workspace and of its admin. */
int demo_statements(struct arena *a, struct sql ***out, struct uuid *workspace, struct uuid *admin);

#endif
