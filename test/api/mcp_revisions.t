# The Model Context Protocol: what differs between its revisions. 2026-07-28 has no initialize: each request says in
# _meta what it needs, and headers repeat parts of its body.

== a world to work with
@make ann POST /v1/people {"fullName": "Ann Lee"}

# --- 2026-07-28 ------------------------------------------------------------------------

== discover shows what there is
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: server/discover
{"jsonrpc": "2.0", "id": "d", "method": "server/discover", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 200
{"jsonrpc": "2.0", "id": "d", "result": {"resultType": "complete", "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
	"capabilities": {"tools": {}, "prompts": {}, "resources": {}}, "instructions": "<has never orders>", "ttlMs": 3600000, "cacheScope": "public",
	"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "kith", "version": "<text>"}}}}

== lists say how long they may be kept, and for whom
@rows method member scope
| tools/list               | tools             | private |
| prompts/list             | prompts           | public  |
| resources/list           | resources         | public  |
| resources/templates/list | resourceTemplates | public  |
POST /mcp
MCP-Protocol-Version: 2026-07-28
mcp-method: {{method}}
{"jsonrpc": "2.0", "id": 1, "method": "{{method}}", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "{{member}}": "<array>", "ttlMs": "<int>", "cacheScope": "{{scope}}", "_meta": "<object>"}}

== results say that they are complete
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: tools/call
Mcp-Name: get
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": {"id": "{{ann}}", "fields": "fullName"}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "isError": false, "content": "<array>", "_meta": "<object>",
	"structuredContent": {"data": {"id": "{{ann}}", "fullName": "Ann Lee"}, "etag": "<text>"}}}
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: tools/call
Mcp-Name: get
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": {}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 200
{"jsonrpc": "2.0", "id": 1, "result": {"resultType": "complete", "isError": true, "content": "<array>", "_meta": {"io.modelcontextprotocol/serverInfo": "<object>", "code": "UNPROCESSABLE_ENTITY", "...": 0}}}

== a header may be encoded
@each get =?base64?Z2V0?=
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: tools/call
Mcp-Name: {{each}}
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": {"id": "{{ann}}"}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "...": 0}}

== headers that differ from the body
@rows version method name
| 2026-07-28   | Mcp-Method: tools/call   | !Mcp-Name                  |
| 2026-07-28   | Mcp-Method: tools/call   | Mcp-Name: search           |
| 2026-07-28   | Mcp-Method: tools/call   | Mcp-Name: GET              |
| 2026-07-28   | Mcp-Method: tools/call   | Mcp-Name: =?base64?Z2V0    |
| 2026-07-28   | Mcp-Method: tools/call   | Mcp-Name: =?base64?Z2V?=   |
| 2026-07-28   | Mcp-Method: tools/list   | Mcp-Name: get              |
| 2026-07-28   | Mcp-Method: TOOLS/CALL   | Mcp-Name: get              |
| 2026-07-28   | !Mcp-Method              | Mcp-Name: get              |
| 2025-11-25   | Mcp-Method: tools/call   | Mcp-Name: get              |
POST /mcp
MCP-Protocol-Version: {{version}}
{{method}}
{{name}}
{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "get", "arguments": {"id": "{{ann}}"}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 400 {"jsonrpc": "2.0", "id": 7, "error": {"code": -32020, "message": "<starts Header mismatch>"}}

== a version only in _meta
@rows version code
| 2026-07-28 | -32020 |
| 2030-01-01 | -32022 |
POST /mcp
{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "{{version}}", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 400 {"jsonrpc": "2.0", "id": 7, "error": {"code": {{code}}, "message": "<text>", "...": 0}}

== a header that is given twice
POST /mcp
MCP-Protocol-Version: 2026-07-28
MCP-Protocol-Version: 2025-11-25
{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}
-- 400 {"jsonrpc": "2.0", "id": 7, "error": {"code": -32020, "message": "<has twice>"}}

== two versions
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: tools/list
{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2030-01-01", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 400 {"jsonrpc": "2.0", "id": 7, "error": {"code": -32020, "message": "<text>"}}

== what _meta must have
@rows params
|                                                                                                                         |
| , "params": {}                                                                                                          |
| , "params": {"_meta": 5}                                                                                                |
| , "params": {"_meta": {"io.modelcontextprotocol/clientCapabilities": {}}}                                               |
| , "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": 5, "io.modelcontextprotocol/clientCapabilities": {}}} |
| , "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}                                        |
| , "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": []}} |
| , "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": "x"}} |
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: tools/list
{"jsonrpc": "2.0", "id": 7, "method": "tools/list"{{params}}}
-- 400 {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "<has _meta>"}}

== methods of other revisions
@each initialize ping logging/setLevel resources/subscribe subscriptions/listen unknown/method
POST /mcp
MCP-Protocol-Version: 2026-07-28
Mcp-Method: {{each}}
{"jsonrpc": "2.0", "id": 7, "method": "{{each}}", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
-- 404 {"jsonrpc": "2.0", "id": 7, "error": {"code": -32601, "message": "<has server/discover>"}}

# --- the text of a result --------------------------------------------------------------

== the oldest revision knows only text
@rows header
| !MCP-Protocol-Version            |
| MCP-Protocol-Version: 2025-03-26 |
POST /mcp
{{header}}
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get", "arguments": {"id": "{{ann}}"}}}
-- 200 {"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<has \"fullName\":\"Ann Lee\">"}]}}

== later ones repeat it as text if it is small
CALL get {"id": "{{ann}}", "fields": ["fullName"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "<starts {\"data\":{\"id\":\"{{ann}}\",\"fullName\":\"Ann Lee\"},\"etag\":>"}],
	"structuredContent": {"data": {"id": "{{ann}}", "fullName": "Ann Lee"}, "etag": "<text>"}}}
@make long POST /v1/people {"fullName": "Long", "description": "<repeat x 3000>"}
CALL get {"id": "{{long}}", "fields": ["description"]} -- 200
{"jsonrpc": "2.0", "id": 1, "result": {"isError": false, "content": [{"type": "text", "text": "The record is in structuredContent."}],
	"structuredContent": {"data": {"id": "{{long}}", "description": "<repeat x 3000>"}, "etag": "<text>"}}}
