@server rate_burst=0 rate_default=3/3600
# The rate limits of /mcp are those of the API. A call that they refuse is a result, so that the model knows; another
# message is a 429.

== the fourth request is refused
POST /mcp
{"jsonrpc": "2.0", "id": 1, "method": "ping"}
-- 200 (X-RateLimit-Limit: 3)
POST /mcp
{"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": "search", "arguments": {"kind": "people"}}}
-- 200 {"jsonrpc": "2.0", "id": "c", "result": {"isError": false, "...": 0}}
POST /mcp
{}
-- 400
POST /mcp
{"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": "search", "arguments": {"kind": "people"}}}
-- 200 (Retry-After: <digits>)
{"jsonrpc": "2.0", "id": "c", "result": {"isError": true, "content": [{"type": "text", "text": "<has Retry after >"}], "_meta": {"code": "TOO_MANY_REQUESTS", "...": 0}}}
POST /mcp
{"jsonrpc": "2.0", "id": 1, "method": "ping"}
-- 429 (Retry-After: <digits>) {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "<text>", "...": 0}}
GET /v1/people -- 429
