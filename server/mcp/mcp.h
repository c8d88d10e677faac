/*
 * The Model Context Protocol: a client of an assistant posts JSON-RPC messages to /mcp, one by one and without a
 * session, and is answered with JSON. A call of a tool becomes a request of the API (runner_redirect()): the same
 * steps check, run and answer it, and only that answer is put into a JSON-RPC message. The files:
 * message.c the protocol, envelope.c JSON-RPC, tool.c the table of tools, tool_list.c their description, argument.c
 * their arguments, call.c, call_search.c and call_groups.c the requests that they become, kind.c kinds of records,
 * result.c answers.
 */
#ifndef KITH_SERVER_MCP_MCP_H
#define KITH_SERVER_MCP_MCP_H

#include "server/base/buf.h"
#include "server/request/request.h"

struct openapi;

/* What tools/list answers: {"tools": […]}. */
struct mcp {
	struct buf all, reading; /* for a key that may write, or only read */
};

/* Called once, at start; the schemas of fields are those of the API's description. */
void tool_list_make(struct mcp *mcp, const struct openapi *api);
void tool_list_free(struct mcp *mcp);

/* POST /mcp: in this order, with admission between the first two. */
step_fn message_head, message_read, message_answer;

#endif
