/* Parses the body, and validates headers, path, query and body, with all issues in one 422. Also checks the right to
 * write. */
#ifndef KITH_SERVER_REQUEST_VALIDATE_H
#define KITH_SERVER_REQUEST_VALIDATE_H

#include "server/input/body.h"
#include "server/request/route.h"

/* The steps run in this order. */
step_fn step_read, step_check, step_body;
/* The part of step_read that parses the body. */
step_fn step_json;

/* True for a write (also for route NULL: unknown) whose query has dryRun=true. This is looked at first, because every
 * answer to a dry run says that it is one. */
bool validate_dry_run(struct arena *a, const struct route *route, const char *query, size_t len);
/* Reads the query into r->given.query, r->given.params and r->given.listing; adds issues. */
void validate_query(struct req *r);
/* kith never ignores a parameter that protects data. validate_dry_name() adds an issue for a name that resembles dryRun
 * where dryRun is unknown. validate_dry_query() does this for all parameters of a write's query, which may have dryRun
 * once, and for the query of /mcp, which may not have it. */
void validate_dry_name(struct req *r, const char *name, size_t len);
void validate_dry_query(struct req *r);
/* Reads the body of a search (combinator, filter, sort, limit, cursor, count) into r->given.params and
 * r->given.listing. */
void validate_search(struct req *r, struct reading *rd);
/* Checks what depends on the kind of a view: its group and type, the query, as the body of a search, and the fields of
 * board and chart, as an aggregate does. The first function is for the body of a create. The second one checks those of
 * the parts that the body gives for a view of this kind; path: the group and the type of objects. */
void validate_view(struct req *r);
void validate_view_parts(struct req *r, const char *kind, const struct path_value *path, field_set parts);
/* Reads the value of a parameter from a query or a body. at: the path for issues. */
void validate_param(struct issues *issues, const struct param *p, const struct json *json, const struct path *at,
    struct param_value *v);

#endif
