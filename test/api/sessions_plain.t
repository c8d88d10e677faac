# Without TLS nobody can sign in, because others would see the cookie. Keys work as always.
@server public_url=http://crm.example.com

== the page is told, and keeps a pasted key in memory
@none GET /auth/methods -- 200 {"data": {"sessions": false, "key": true}}
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{ada_key}}"} -- 403 (!Set-Cookie)
{"error": {"message": "<has public_url>", "...": 0}}
GET /v1/users/me -- 200 {"data": {{ada}}}
@none GET /v1/users/me
Cookie: kith={{ada_key}}
X-Kith-Console: 1
-- 401
