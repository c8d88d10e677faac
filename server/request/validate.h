/* Parses the body; validates headers, path, query and body, with all issues in one 422; checks the right to write. */
#ifndef KITH_SERVER_REQUEST_VALIDATE_H
#define KITH_SERVER_REQUEST_VALIDATE_H

#include "server/input/body.h"
#include "server/request/route.h"

/* In this order. */
step_fn step_read, step_check, step_body;
/* The part of step_read that parses the body. */
step_fn step_json;

/* True for a write (route NULL: none) whose query says dryRun=true. Asked first of all, as every answer to a dry run
 * says that it is one. */
bool validate_dry_run(struct arena *a, const struct route *route, const char *query, size_t len);
/* Reads the query into r->query, r->params and r->listing; adds issues. */
void validate_query(struct req *r);
/* What protects is never ignored. Adds an issue for a name that means dryRun where it is not known; the same for all
 * parameters of a write's query, where dryRun itself may be given once, and of /mcp's, where it may not. */
void validate_dry_name(struct req *r, const char *name, size_t len);
void validate_dry_query(struct req *r);
/* Reads a search's body: combinator, filter, sort, limit, cursor, count, into r->params and r->listing. */
void validate_search(struct req *r, struct reading *rd);
/* Reads a parameter's value, which is in a query or a body; at: its path for issues. */
void validate_param(
    struct req *r, const struct param *p, const struct json *json, const struct path *at, struct param_value *v);

#endif
