# Signing in behind TLS: the cookie that browsers take only over HTTPS from this very host.
@server public_url=https://crm.example.com

== the cookie, and who may use it
@none POST /auth/key
X-Kith-Console: 1
Origin: https://crm.example.com
{"key": "{{ada_key}}"}
-- 200
Set-Cookie: <starts __Host-kith=kith_>
> cookie = header Set-Cookie
@none GET /v1/users/me
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200 {"data": {{ada}}}
@none GET /v1/users/me
Cookie: x{{cookie}}
X-Kith-Console: 1
-- 401
@none GET /v1/users/me
Cookie: {{cookie}}
X-Kith-Console: 1
Origin: {{base}}
-- 403
@none DELETE /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200 (Set-Cookie: __Host-kith=; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=0)
