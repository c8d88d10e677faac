# Pages of other origins: the setting cors_origins with a list. Without it see cors_none.t.
@server cors_origins=https://app.example.com,http://localhost:5173 rate_burst=4/60 rate_default=100/60

== a preflight needs no key: what may be sent, and for how long that is known
@none OPTIONS /v1/people/{{ada_id}}
Origin: https://app.example.com
Access-Control-Request-Method: PATCH
Access-Control-Request-Headers: authorization,content-type,if-match
-- 204
Access-Control-Allow-Origin: https://app.example.com
Access-Control-Allow-Methods: GET, HEAD, PATCH, DELETE, OPTIONS
Access-Control-Allow-Headers: Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, MCP-Protocol-Version, traceparent, tracestate, X-API-Version, X-Kith-Via, X-Server-Timing
Access-Control-Max-Age: 7200
Vary: Origin
!Access-Control-Allow-Credentials
!Access-Control-Expose-Headers
@none OPTIONS /v1/people
Origin: http://localhost:5173
Access-Control-Request-Method: POST
-- 204
Access-Control-Allow-Origin: http://localhost:5173
Access-Control-Allow-Methods: GET, HEAD, POST, OPTIONS

== a body that is too large
@none POST /v1/people (Origin: https://app.example.com) {<repeat \s 1048575>} -- 413
Access-Control-Allow-Origin: https://app.example.com

== OPTIONS that is not a preflight
@none OPTIONS /v1/people (Origin: https://app.example.com) -- 204
Access-Control-Allow-Origin: https://app.example.com
!Access-Control-Allow-Methods

== answers can be read, with their headers
GET /v1/users/me (Origin: https://app.example.com) -- 200
Access-Control-Allow-Origin: https://app.example.com
Access-Control-Expose-Headers: Allow, Deprecation, ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, Sunset, WWW-Authenticate, X-API-Version, X-Dry-Run, X-Events-Cursor, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id
Vary: Origin
!Access-Control-Allow-Credentials
!Access-Control-Max-Age

== so can errors: 401, 404, 405, 422, 429
@none GET /v1/people (Origin: https://app.example.com) -- 401
Access-Control-Allow-Origin: https://app.example.com
Access-Control-Expose-Headers: <has WWW-Authenticate>
GET /v1/nope (Origin: https://app.example.com) -- 404 (Access-Control-Allow-Origin: https://app.example.com)
PUT /v1/people (Origin: https://app.example.com) -- 405 (Access-Control-Allow-Origin: https://app.example.com)
@bob GET /v1/people?limit=0 (Origin: https://app.example.com) -- 422
* too_small ["limit"] minimum=1 type=number
@repeat 3 @bob GET /v1/users/me -- 200
@bob GET /v1/users/me (Origin: https://app.example.com) -- 429
Access-Control-Allow-Origin: https://app.example.com
Access-Control-Expose-Headers: <has Retry-After>

== refusals before the body has been read, too
@none POST /v1/people (Origin: http://localhost:5173) {"x": "<repeat y 70000>"} -- 401
Access-Control-Allow-Origin: http://localhost:5173
Access-Control-Expose-Headers: <has WWW-Authenticate>
Vary: Origin

== another origin gets nothing, but caches know that it matters; origins are compared letter for letter
@none OPTIONS /v1/people
Origin: https://evil.example.com
Access-Control-Request-Method: GET
-- 204
Vary: Origin
!Access-Control-Allow-Origin
!Access-Control-Allow-Methods
!Access-Control-Allow-Headers
!Access-Control-Max-Age
@none GET /v1/people (Origin: https://app.example.com.evil.example) -- 401
Vary: Origin
!Access-Control-Allow-Origin
@each http://app.example.com null * https://app.example.com,http://localhost:5173
@none GET /v1/people (Origin: {{each}}) -- 401 (!Access-Control-Allow-Origin)

== a request that no page made
@none GET /livez -- 200
Vary: Origin
!Access-Control-Allow-Origin
