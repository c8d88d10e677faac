/* The steps that the table of routes names. Each file of the server that has
 * some is named beside its group. */
#ifndef KITH_SERVER_STEPS_H
#define KITH_SERVER_STEPS_H

#include "server/request.h"

/* generic.c: what the field table alone can do */
step_fn step_get, step_show;       /* one row by the id in the path */
step_fn step_list, step_list_show; /* a page of rows */
step_fn step_delete_open;          /* locks the row that is to be deleted */
step_fn step_config_open;          /* locks the workspace's settings and asks for them afresh */
step_fn config_opened;             /* has them in r->ws */

/* plain.c */
step_fn step_livez, step_readyz, step_errors_page, step_openapi;

/* person.c, company.c */
step_fn person_create_open, person_update_open, person_apply, person_save, person_delete;
step_fn company_create_open, company_create, company_update_open, company_update, company_delete;

/* group.c, member.c, user.c: out of the snapshot */
step_fn group_list, group_get, group_create, group_update, group_delete;
step_fn member_list, member_add, member_update, member_remove;
step_fn user_list, user_get, user_me;

#endif
