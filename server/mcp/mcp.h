/* The Model Context Protocol. The client of an assistant posts JSON-RPC messages to /mcp, one by one and without a
 * session, and gets JSON as the answer. A call of a tool becomes a request of the API (runner_redirect()). The same
 * steps check, run and answer it, and only that answer is put into a JSON-RPC message. The files: message.c the
 * methods, envelope.c JSON-RPC, revision.c the revisions of the protocol, tool.c the table of tools, tool_list.c their
 * description, argument.c their arguments, call.c, call_search.c and call_describe.c the requests that they become,
 * kind.c and kind_fields.c kinds of records, refer*.c names in place of ids, words.c and when.c dates in words,
 * call_inside.c requests inside a call, result.c and result_compact.c answers, prompt.c prompts, resource.c
 * records by their URL. */
#ifndef KITH_SERVER_MCP_MCP_H
#define KITH_SERVER_MCP_MCP_H

#include "server/request/request.h"

/* The steps of POST /mcp, in this order, with admission between the first two. */
step_fn message_head, message_read, message_answer;

#endif
