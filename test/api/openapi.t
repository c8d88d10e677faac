# The API's description; its correctness is checked against every answer of the suite (test/openapi).

== the description is served without a key, for the address that was asked
@none GET /openapi.json -- 200
Content-Type: application/json
Cache-Control: no-cache
ETag: <text>
{"openapi": "3.1.0", "servers": [{"url": "{{base}}", "description": "<text>"}], "...": 0}
@none GET /openapi.json
X-Forwarded-Host: api.kith.example
X-Forwarded-Proto: https
-- 200 {"servers": [{"url": "https://api.kith.example", "description": "<text>"}], "...": 0}
@none HEAD /openapi.json -- 200 (Content-Type: application/json)
@none POST /openapi.json -- 405 (Allow: <has GET>)
