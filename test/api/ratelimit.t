# Rate limits: three requests in eight seconds, and a wider policy that is never reached.
@server rate_default=100/60 rate_burst=3/8
@users carol dave

== what needs no key, and a 401, do not count
@repeat 5 @none GET /v1/users/me -- 401 (!X-RateLimit-Limit)
@repeat 5 GET /v1/nope -- 404
@repeat 5 PUT /v1/people -- 405
@repeat 5 OPTIONS /v1/people -- 204

== the headers speak of the tighter policy, the IETF fields of both
GET /v1/users/me -- 200
X-RateLimit-Limit: 3
X-RateLimit-Remaining: 2
X-RateLimit-Reset: <int>
RateLimit-Policy: <has "default";q=100;w=60>
RateLimit: <has "default";r=99>
!Retry-After

== every authenticated request counts, refused ones by validation and of other keys of the user too
GET /v1/people?limit=0 -- 422 Invalid query parameters
X-RateLimit-Limit: 3
X-RateLimit-Remaining: 1
RateLimit-Policy: <has "burst";q=3;w=8>
RateLimit: <has "burst";r=1>
@readonly GET /v1/people/per_00000000-0000-7000-8000-000000000000 -- 404
X-RateLimit-Limit: 3
X-RateLimit-Remaining: 0

== over the limit
GET /v1/users/me -- 429
Retry-After: <int>
X-RateLimit-Limit: 3
X-RateLimit-Remaining: 0
{"error": {"code": "TOO_MANY_REQUESTS", "message": "<text>", "documentationUrl": "{{base}}/docs/errors#rate-limiting", "requestId": "<uuid>", "timestamp": "<time>",
	"details": {"policy": "burst", "limit": 3, "remaining": 0, "windowSeconds": 8, "retryAfter": "<time>", "policies": [
		{"policy": "default", "limit": 100, "remaining": 97, "windowSeconds": 60, "retryAfter": null},
		{"policy": "burst", "limit": 3, "remaining": 0, "windowSeconds": 8, "retryAfter": "<time>"}]}}}
@readonly GET /v1/users/me -- 429 (Retry-After: <int>)

== the key of another user is not touched by that
@bob GET /v1/users/me -- 200
X-RateLimit-Limit: 3
X-RateLimit-Remaining: 2

== a refused write did not run and took no idempotency key; refused requests are not counted
POST /v1/people (Idempotency-Key: limited-1) {"firstName": "Limited"} -- 429 (!Idempotent-Replayed)
@poll 30 POST /v1/people (Idempotency-Key: limited-1) {"firstName": "Limited"} -- 200
!Idempotent-Replayed
X-RateLimit-Remaining: <int>

== a replay counts as well, and its headers are of now
@carol POST /v1/people (Idempotency-Key: replay-1) {"firstName": "Replay"} -- 200 (X-RateLimit-Remaining: 2)
@carol POST /v1/people (Idempotency-Key: replay-1) {"firstName": "Replay"} -- 200
Idempotent-Replayed: true
X-RateLimit-Remaining: 1

== a dry run counts, and says that it is one when it is refused
@dave POST /v1/people?dryRun=true {"firstName": "Tried"} -- 200
X-Dry-Run: true
X-RateLimit-Remaining: 2
@repeat 2 @dave POST /v1/people?dryRun=true {"firstName": "Tried"} -- 200 (X-Dry-Run: true)
@dave POST /v1/people?dryRun=true {"firstName": "Tried"} -- 429 (X-Dry-Run: true)
