/* The steps in the table of routes, by file. */
#ifndef KITH_SERVER_RESOURCE_STEPS_H
#define KITH_SERVER_RESOURCE_STEPS_H

#include "filter/compile.h"
#include "server/request/request.h"

/* generic.c: needs only the field table */
step_fn step_get, step_loaded, step_show;                /* reads one row, by the id in the path */
step_fn step_list, step_list_loaded, step_list_show;     /* reads a page of rows */
const struct filter_base *step_list_base(struct req *r); /* the rows of the list, without its filters */
step_fn step_names;                                      /* reads the names in the rows' custom values */
step_fn step_config_open; /* locks the workspace's settings and puts them into r->caller.ws */

/* aggregate_show.c: the figures of a list; after a step that selects its rows */
step_fn aggregate_open, aggregate_show;

/* probes.c */
step_fn step_livez, step_readyz;

/* write_open.c, write_apply.c, write_save.c: people, companies, objects, single and in batches */
step_fn write_open, write_apply, write_save;
/* upsert.c: the first steps of an upsert; write_apply follows */
step_fn upsert_open, upsert_match;

/* merge.c, duplicate.c: people and companies */
step_fn merge_open, merge_apply, merge_show;
step_fn duplicate_ask, duplicate_show;

/* object.c */
step_fn object_get, object_list;

/* group.c, object_type.c, custom_field.c, member.c, user.c: from the snapshot */
step_fn group_list, group_get, group_create, group_update, group_delete, group_delete_all;
step_fn type_list, type_create, type_update, type_delete, type_delete_all;
step_fn field_list, field_get, field_create, field_update, field_update_all, field_delete, field_delete_all;
step_fn member_list, member_add, member_update, member_remove;
step_fn user_list, user_get, user_me;

/* search_all.c */
step_fn search_read, search_kinds, search_show;

/* usage.c */
step_fn usage_show;

/* key.c: for admins of the workspace */
step_fn key_list_begin, key_completed, key_own;
step_fn key_create_open, key_create_apply;
step_fn key_rotate_open, key_rotate_apply;
step_fn key_end_open, key_end_apply;

/* activity.c, note.c, task.c, reminder.c: linked to an entity */
step_fn activity_get, activity_list;
step_fn activity_open, activity_delete;
step_fn note_parents, note_parents_loaded, note_update, note_forget;
step_fn task_update_open, task_update, task_done, task_todo;
step_fn reminder_create_open, reminder_create, reminder_update_open, reminder_update;
/* activity_create.c: notes, tasks, interactions, single and in batches */
step_fn activity_create_open, activity_create;
/* interaction.c */
step_fn interaction_open, interaction_lock; /* for changes and deletes */
step_fn interaction_update, interaction_delete;
step_fn interaction_show, interaction_past, interaction_upcoming;
/* view.c */
step_fn view_list, view_get, view_completed;
step_fn view_create_open, view_create;
step_fn view_open, view_update, view_delete;
/* webhook.c, webhook_target.c, webhook_delivery.c, webhook_recover.c, webhook_health.c */
step_fn webhook_secrets; /* sets what answers show of the secrets */
step_fn webhook_target;  /* resolves the host name of the target */
step_fn webhook_create_open, webhook_create;
step_fn webhook_open, webhook_update, webhook_delete, webhook_rotate;
step_fn webhook_test, webhook_tested;
step_fn delivery_list, delivery_list_allowed, delivery_open, delivery_retry;
step_fn delivery_get, delivery_show;
step_fn health_list, health_ask, health_answered;
step_fn recover_open, recover_count, recover_apply;

#endif
