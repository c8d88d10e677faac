/* The Model Context Protocol. The client of an assistant posts JSON-RPC messages to /mcp, one by one and without a
 * session, and gets JSON as the answer. A call of a tool becomes a request of the API (runner_redirect()). The same
 * steps check, run and answer it, and only that answer is put into a JSON-RPC message. The files: message.c the
 * protocol, envelope.c JSON-RPC, tool.c the table of tools, tool_list.c their description, argument.c their arguments,
 * call.c, call_search.c and call_groups.c the requests that they become, kind.c kinds of records, result.c answers. */
#ifndef KITH_SERVER_MCP_MCP_H
#define KITH_SERVER_MCP_MCP_H

#include "server/base/buf.h"
#include "server/request/request.h"

/* Makes the answer of tools/list, with a line for each tool, from the API's description, which has the schemas of
 * fields. The caller frees it. It is for the build (server/command/describe.c). */
void tool_list_make(const struct buf *description, struct buf *out);

/* The text that tool_list_make() made during the build. */
extern const char mcp_tools[];
extern const size_t mcp_tools_len;

/* The steps of POST /mcp, in this order, with admission between the first two. */
step_fn message_head, message_read, message_answer;

#endif
