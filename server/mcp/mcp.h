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

/* What tools/list answers, a line for each tool, made from the API's description, of which the schemas of fields are;
 * the caller frees it. For the build (server/describe.c). */
void tool_list_make(const struct buf *description, struct buf *out);

/* What tool_list_make() made when the program was built. */
extern const char mcp_tools[];
extern const size_t mcp_tools_len;

/* POST /mcp: in this order, with admission between the first two. */
step_fn message_head, message_read, message_answer;

#endif
