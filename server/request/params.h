/* The query parameters. The table of routes names lists of them. */
#ifndef KITH_SERVER_REQUEST_PARAMS_H
#define KITH_SERVER_REQUEST_PARAMS_H

#include "server/request/route.h"

/* Each list ends with NULL. */
extern const struct param *const params_paged[];           /* lists without filters */
extern const struct param *const params_listed[];          /* lists with filters, and searches */
extern const struct param *const params_aggregate[];       /* aggregates of people, companies and objects */
extern const struct param *const params_aggregate_tasks[]; /* ... of tasks */
extern const struct param *const params_notes[];           /* lists of ... */
extern const struct param *const params_tasks[];           /* ... */
extern const struct param *const params_reminders[];       /* ... */
extern const struct param *const params_interactions[];    /* ... */
extern const struct param *const params_views[];           /* ... */
extern const struct param *const params_deliveries[];      /* ... */
extern const struct param *const params_search[];          /* a search over all kinds */
extern const struct param *const params_events[];          /* the feed */
extern const struct param *const params_stream[];          /* its stream */
extern const struct param *const params_calendar[];        /* a calendar */
extern const struct param *const params_entity[];          /* an interaction, if it is of this entity */
extern const struct param *const params_of_entity[];       /* a list that belongs to one entity */
extern const struct param *const params_unused[];          /* a delete that may spare what is in use */
extern const struct param *const params_forced[];          /* a delete that may delete more */

#endif
