/* The table of routes. Its rows are in server/routes_*.inc. At the same place in a path, constant segments come before
 * parameters. */
#include "server/routes.h"

#include "server/calendar/calendar.h"
#include "server/request/page.h"
#include "server/dav/dav.h"
#include "server/event/feed.h"
#include "server/event/feed_stream.h"
#include "server/mcp/mcp.h"
#include "server/oauth/oauth.h"
#include "server/openapi/document.h"
#include "server/request/params.h"
#include "server/pages/html_page.h"
#include "server/request/admit.h"
#include "server/request/route.h"
#include "server/request/validate.h"
#include "server/resource/steps.h"
#include "server/routes_about.h"
#include "server/signin/account.h"
#include "server/signin/oidc.h"
#include "server/signin/session.h"
#include "server/signin/sign_in.h"

/* Both are deprecated from 2026-09-29 and removed on 2027-03-29. */
static const struct deprecation past_deprecated = {1790640000, 1806278400,
    "GET /v1/interactions/past is deprecated since 2026-09-29 and will be removed on 2027-03-29; use GET "
    "/v1/interactions"};
static const struct deprecation upcoming_deprecated = {1790640000, 1806278400,
    "GET /v1/interactions/upcoming is deprecated since 2026-09-29 and will be removed on 2027-03-29; use GET "
    "/v1/interactions"};

#define R(method_, path_, resource_, ...)                                                                              \
	{                                                                                                              \
		.method = HTTP_##method_, .path = path_, .resource = resource_,                                        \
		.near = "There is nothing at this path; did you mean " path_ "?", __VA_ARGS__                          \
	}
#define PAGE(path_, step_)                                                                                             \
	{                                                                                                              \
		.method = HTTP_GET, .path = path_, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, .steps = { step_ }     \
	}
#define PAGES(path_) PAGE(path_, step_page), PAGE(path_ "/", step_page_moved), PAGE(path_ "/{page}", step_page)
#define STEPS(...) .steps = {__VA_ARGS__}
#define OAUTH(method_, path_, ...)                                                                                     \
	{                                                                                                              \
		.method = HTTP_##method_, .path = path_, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, .steps = {       \
			__VA_ARGS__                                                                                    \
		}                                                                                                      \
	}

static const struct route rows[] = {
    R(GET, "/livez", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_livez), .id = "livez",
        .summary = "Check that the process runs",
        .about = "Answers 200 as long as the process serves requests, whatever the state of the database. Use it to "
                 "restart a process that hangs."),
    R(GET, "/readyz", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN | ROUTE_PROBE, STEPS(step_readyz),
        .id = "readyz", .summary = "Check that the process can serve",
        .about = "Answers 200 when the database can be reached and accepts writes, else 503, also while the process is "
                 "stopping. For load balancers."),
    R(GET, "/docs/errors", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_errors_page),
        .id = "getErrorsPage", .summary = "Read what each error means",
        .about = "A page for people: every error code with its status, its cause and what to do. `documentationUrl` of "
                 "an error leads to its place there."),
    R(GET, "/openapi.json", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_OPEN, STEPS(step_openapi),
        .id = "getDescription", .summary = "Get this description",
        .about = "This document, generated from the tables that the server itself uses. `servers` has the server's "
                 "address as in the request."),

#include "server/routes_contacts.inc"
#include "server/routes_groups.inc"
#include "server/routes_activity.inc"
#include "server/routes_users.inc"
#include "server/routes_signin.inc"
#include "server/routes_events.inc"
#include "server/routes_views.inc"
#include "server/routes_oauth.inc"

/* The routes from here on have no .id and are not in the API's description. */
#include "server/routes_auth.inc"
#include "server/routes_calendar.inc"
    PAGE("/", step_front),
    PAGES("/docs"),
    PAGES("/console"),
    R(POST, "/mcp", NULL, .answer = ANSWER_PLAIN, .flags = ROUTE_CARRIER,
        STEPS(message_head, step_admit, step_admitted, step_snapshot, message_read, message_answer),
        .summary = "Model Context Protocol"),
    OAUTH(GET, "/.well-known/oauth-protected-resource", oauth_resource_show),
    OAUTH(GET, "/.well-known/oauth-protected-resource/mcp", oauth_resource_show),
    OAUTH(GET, "/.well-known/oauth-authorization-server", oauth_server_show),
    OAUTH(GET, "/oauth/authorize", authorize_begin, authorize_found, authorize_admitted, step_snapshot,
        authorize_client, consent_ask, consent_show),
    OAUTH(POST, "/oauth/authorize", authorize_begin, authorize_found, authorize_admitted, step_snapshot,
        authorize_client, consent_decide, consent_made),
    OAUTH(POST, "/oauth/token", oauth_token_ask, oauth_token_found),
    OAUTH(POST, "/oauth/register", oauth_register, oauth_registered),
    OAUTH(POST, "/oauth/revoke", oauth_revoke_read, oauth_revoke_ask, oauth_revoke_end, oauth_revoked),
#include "server/routes_dav.inc"
};

void routes_use(void)
{
	const int n = sizeof rows / sizeof *rows;
	int described = 0;

	while (described < n && rows[described].id)
		described++;
	route_table_use(rows, described, n);
}
