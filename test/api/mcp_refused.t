# The Model Context Protocol: what a client may do wrong around a message, and refusals before a message is read.
@server rate_default=0 rate_burst=0 public_url=https://crm.example.com/kith cors_origins=https://app.example.com

# --- messages

== what is not a message is refused
@rows body code id
| ~                                                                                              | -32700 | null |
| {                                                                                              | -32700 | null |
| {"jsonrpc": "2.0", "id": 1, "id": 1, "method": "ping"}                                         | -32700 | null |
| {"jsonrpc": "2.0", "id": 1, "method": "ping"}{"jsonrpc": "2.0", "id": 1, "method": "ping"}     | -32700 | null |
| ~{"jsonrpc": "2.0", "id": "\xff", "method": "ping"}                                            | -32700 | null |
| []                                                                                             | -32600 | null |
| [{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 1, "method": "ping"}] | -32600 | null |
| "ping"                                                                                         | -32600 | null |
| null                                                                                           | -32600 | null |
| {}                                                                                             | -32600 | null |
| {"id": 1, "method": "ping"}                                                                    | -32600 | 1    |
| {"jsonrpc": 2.0, "id": 1, "method": "ping"}                                                    | -32600 | 1    |
| {"jsonrpc": "1.0", "id": 1, "method": "ping"}                                                  | -32600 | 1    |
| {"jsonrpc": "2.0", "id": null, "method": "ping"}                                               | -32600 | null |
| {"jsonrpc": "2.0", "id": true, "method": "ping"}                                               | -32600 | null |
| {"jsonrpc": "2.0", "id": [1], "method": "ping"}                                                | -32600 | null |
| {"jsonrpc": "2.0", "id": {}, "method": "ping"}                                                 | -32600 | null |
| {"jsonrpc": "2.0", "id": 1}                                                                    | -32600 | 1    |
| {"jsonrpc": "2.0", "id": 1, "method": 5}                                                       | -32600 | 1    |
| {"jsonrpc": "2.0", "method": null}                                                             | -32600 | null |
| {"jsonrpc": "2.0", "result": {}}                                                               | -32600 | null |
POST /mcp
{{body}}
-- 400 (Content-Type: application/json)
{"jsonrpc": "2.0", "id": {{id}}, "error": {"code": {{code}}, "message": "<text>", "...": 0}}
@end
POST /mcp
{"jsonrpc": "2.0", "id": 1, "method": "ping"}
-- 200

== nothing is answered to notifications and answers, and nothing that needs an answer is done for them
@rows body
| "method": "notifications/initialized" |
| "method": "notifications/cancelled", "params": {"requestId": 1} |
| "method": "anything", "params": [1] |
| "id": 1, "result": {} |
| "id": "x", "error": {"code": 1, "message": "no"} |
| "method": "tools/call", "params": {"name": "create", "arguments": {"kind": "company", "fields": {"name": "Unasked"}}} |
POST /mcp
{"jsonrpc": "2.0", {{body}}}
-- 202
Content-Length: 0
!Content-Type
@end
GET /v1/companies -- 200 {"data": {"items": [], "pagination": {}}}

== two requests with one id are two requests: there is no session that could tell
@repeat 2 POST /mcp
{"jsonrpc": "2.0", "id": 1, "method": "ping"}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {}}

== long and deep bodies are refused
@rows body status code
| {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": <repeat [ 40><repeat ] 40>}} | 400 | -32700 |
| {"jsonrpc": "2.0", "id": "<repeat i 1001>", "method": "ping"}                              | 400 | -32600 |
| {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": [0<repeat ,0 250000>]}}      | 413 | -32600 |
POST /mcp
{{body}}
-- {{status}}
{"jsonrpc": "2.0", "id": null, "error": {"code": {{code}}, "message": "<text>", "...": 0}}
@end
POST /mcp
~<repeat \s 1048577>
-- 413 {"error": {"code": "INVALID_REQUEST", "...": 0}}

# --- around messages

== other methods of HTTP
@each GET DELETE PUT PATCH HEAD
{{each}} /mcp
-- 405 (Allow: POST, OPTIONS)

== versions in the header
@each 2025-03-26 2025-06-18 2025-11-25
POST /mcp (MCP-Protocol-Version: {{each}}) {"jsonrpc": "2.0", "id": 1, "method": "ping"} -- 200
@rows version
| 2024-11-05             |
|                        |
| 2025-06-18, 2025-03-26 |
| latest                 |
POST /mcp (MCP-Protocol-Version: {{version}}) {"jsonrpc": "2.0", "id": 1, "method": "ping"} -- 400
{"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "Unsupported protocol version",
	"data": {"supported": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"], "requested": "{{version}}"}}}

== pages of some origins may ask
@each https://crm.example.com HTTPS://CRM.example.com http://localhost http://localhost:6274 https://app.example.com http://127.0.0.1:8080 https://[::1]:9
POST /mcp (Origin: {{each}}) {"jsonrpc": "2.0", "id": 1, "method": "ping"} -- 200

== pages of other origins are refused
@rows origin
| https://evil.example                 |
| https://app.example.com:8443         |
| http://crm.example.com               |
| https://crm.example.com:8443         |
| https://crm.example.com.evil.example |
| https://crm.example.com/kith         |
| null                                 |
|                                      |
| http://localhost.evil.example        |
| http://localhost:80x                 |
| http://127.0.0.1.evil.example        |
| file://localhost                     |
POST /mcp (Origin: {{origin}}) {"jsonrpc": "2.0", "id": 1, "method": "ping"} -- 403
{"jsonrpc": "2.0", "id": null, "error": {"code": -32600, "message": "<text>", "...": 0}}

== without a valid key
@rows header
| !Authorization                                                                  |
| Authorization: Bearer kith_0000000000000000000000000000000000000000000000000000 |
POST /mcp
{{header}}
{"jsonrpc": "2.0", "id": 1, "method": "ping"}
-- 401 (WWW-Authenticate: <starts Bearer resource_metadata=>)
{"jsonrpc": "2.0", "id": null, "error": {"code": "<int>", "message": "<has Authorization: Bearer>", "...": 0}}
