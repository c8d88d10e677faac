# Only the wider policy.
@server rate_default=5/60 rate_burst=0

== five in a minute and no more
@repeat 5 GET /v1/users/me -- 200
X-RateLimit-Limit: 5
RateLimit: <has ;t=60>
GET /v1/users/me -- 429 (Retry-After: <int>)
{"error": {"code": "TOO_MANY_REQUESTS", "details": {"policy": "default", "limit": 5, "remaining": 0, "windowSeconds": 60, "retryAfter": "<time>", "policies": ["..."]}, "...": 0}}

== what is not counted still works
@none OPTIONS /v1/people -- 204
@none GET /v1/users/me -- 401
@bob GET /v1/users/me -- 200 (X-RateLimit-Remaining: 4)
