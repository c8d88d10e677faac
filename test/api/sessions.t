# Sessions of browsers: signing in with a key, the cookie, and where it counts.

== how people can sign in here
@none GET /auth/methods -- 200 (Cache-Control: no-store) {"data": {"sessions": true, "password": true, "key": true, "oidc": false}}

== a key becomes a session, which the browser keeps
@none POST /auth/key
X-Kith-Console: 1
Origin: {{base}}
Sec-Fetch-Site: same-origin
User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
{"key": "{{ada_key}}"}
-- 200
Set-Cookie: <ends ; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000>
Cache-Control: no-store
{"data": {"user": {{ada}}, "workspace": {"id": "{{workspace_id}}", "name": "<text>"},
	"key": {"id": "<key>", "kind": "session", "name": "Firefox on Linux", "scopes": ["read", "write", "delete", "admin"]},
	"createdAt": "<time>", "expiresAt": "<time>", "idleExpiresAt": "<time>"}}
> cookie = header Set-Cookie
> session = data.key.id
> until = data.expiresAt

== who is signed in
@none GET /v1/session
Cookie: theme=dark; {{cookie}}
X-Kith-Console: 1
-- 200
{"data": {"user": {{ada}}, "workspace": {"id": "{{workspace_id}}", "name": "<text>"},
	"key": {"id": "{{session}}", "kind": "session", "name": "Firefox on Linux", "scopes": ["read", "write", "delete", "admin"]},
	"createdAt": "<time>", "expiresAt": "{{until}}", "idleExpiresAt": "<time>"}}
GET /v1/session -- 200
{"data": {"user": {{ada}}, "workspace": {"id": "{{workspace_id}}", "name": "<text>"},
	"key": {"id": "{{ada_key_id}}", "kind": "key", "name": "test", "scopes": ["read", "write", "delete", "admin"]},
	"createdAt": "<time>", "expiresAt": null, "idleExpiresAt": null}}
@readonly GET /v1/session -- 200 {"data": {"key": {"id": "{{readonly_key_id}}", "kind": "key", "name": "test", "scopes": ["read"]}, "...": 0}}
@none GET /v1/session -- 401

== it works like a key, with the header that only our own pages send
@rows header
| Sec-Fetch-Site: same-origin |
| Sec-Fetch-Site: none        |
| Origin: {{base}}            |
@none POST /v1/people
Cookie: {{cookie}}
X-Kith-Console: 1
{{header}}
{"firstName": "Ann"}
-- 200
@end
@none HEAD /v1/people
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200 (Cache-Control: no-store)
GET /v1/people -- 200 (!Cache-Control)

== without the header it is refused, for reads too
@rows method path body
| GET   | /v1/people     |                      |
| GET   | /v1/session    |                      |
| GET   | /v1/events     |                      |
| POST  | /v1/people     | {"firstName": "Eve"} |
@none {{method}} {{path}} (Cookie: {{cookie}}) {{body}} -- 403
@end
@none DELETE /v1/session
Cookie: {{cookie}}
X-Kith-Console: 0
-- 403

== requests of other sites are refused
@rows header
| Origin: null                                |
| Origin: https://evil.example                |
| Origin: http://localhost                    |
| Origin: {{base}}.evil.example               |
| Sec-Fetch-Site: cross-site                  |
| Sec-Fetch-Site: same-site                   |
@none GET /v1/people
Cookie: {{cookie}}
X-Kith-Console: 1
{{header}}
-- 403
@none POST /auth/key
X-Kith-Console: 1
{{header}}
{"key": "{{ada_key}}"}
-- 403 (!Set-Cookie)
@end

== browsers leave out the port that the scheme implies
@rows proto host origin status
| https | crm.example.com:443 | https://crm.example.com     | 200 |
| https | crm.example.com     | https://crm.example.com     | 200 |
| http  | localhost:80        | http://localhost            | 200 |
| https | crm.example.com:443 | http://crm.example.com      | 403 |
| https | crm.example.com:80  | https://crm.example.com     | 403 |
| https | crm.example.com:443 | https://crm.example.com:444 | 403 |
@none POST /auth/key
X-Kith-Console: 1
X-Forwarded-Proto: {{proto}}
X-Forwarded-Host: {{host}}
Origin: {{origin}}
{"key": "{{bob_key}}"}
-- {{status}}
@end

== a large body is refused before it is read
@none POST /v1/people (Cookie: {{cookie}}) {"firstName": "<repeat a 70000>"} -- 403
@none POST /v1/people
Cookie: {{cookie}}
X-Kith-Console: 1
Sec-Fetch-Site: cross-site
{"firstName": "<repeat a 70000>"}
-- 403
@none POST /v1/people (Cookie: kith=1; a=b) {"firstName": "<repeat a 70000>"} -- 401

== with Authorization the cookie is not looked at
@bob GET /v1/users/me (Cookie: {{cookie}}) -- 200 {"data": {{bob}}}
@bob GET /v1/users/me
Cookie: {{cookie}}
Sec-Fetch-Site: cross-site
-- 200 {"data": {{bob}}}
GET /v1/users/me
Authorization: Basic YTpi
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401

== only the cookie of a session counts
@rows cookie
| kith={{ada_key}}            |
| __Host-kith={{ada_key}}     |
| kith=                       |
| kith=kith_<repeat 0 36>     |
| xkith={{ada_key}}           |
| theme=dark                  |
@none GET /v1/users/me
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401

== not for /mcp
@none POST /mcp
Cookie: {{cookie}}
X-Kith-Console: 1
{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
-- 401

== what signing in refuses
@none POST /auth/key {"key": "{{ada_key}}"} -- 403 (!Set-Cookie)
@none POST /auth/key (X-Kith-Console: 1) {"key": 1} -- 422 Invalid input
* invalid_type ["key"] expected=string received=number
@none POST /auth/key (X-Kith-Console: 1) -- 422 Invalid input
* required ["key"] expected=string
@none POST /auth/key (X-Kith-Console: 1) {"key" -- 400
@none POST /auth/key?dryRun=true (X-Kith-Console: 1) {"key": "{{ada_key}}"} -- 422 Invalid query parameters
* custom ["dryRun"]
@each {{ada_key_id}} kith_ {{ada_key}}x
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{each}}"} -- 401 (!Set-Cookie)

== everybody sees and ends their own sessions
GET /v1/keys?limit=100 -- 200
{"data": {"items": [
	{"$key": {"id": "{{ada_key_id}}", "name": "test", "lastUsedAt": "<any>"}},
	{"$key": {"id": "{{readonly_key_id}}", "name": "test", "readOnly": true, "scopes": ["read"], "lastUsedAt": "<any>"}},
	{"$key": {"id": "{{session}}", "kind": "session", "name": "Firefox on Linux", "expiresAt": "{{until}}", "lastUsedAt": "<any>",
		"address": "127.0.0.1", "userAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"}}], "pagination": {}}}
@bob DELETE /v1/keys/{{session}} -- 404
@readonly DELETE /v1/keys/{{session}} -- 403 {"error": {"message": "This API key lacks the scope delete", "...": 0}}
DELETE /v1/keys/{{session}} -- 200 {"data": {"id": "{{session}}"}}
@none GET /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401

== signing out
DELETE /v1/session -- 403
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{ada_key}}"} -- 200
> cookie = header Set-Cookie
> session = data.key.id
@none DELETE /v1/session?dryRun=true
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200 (!Set-Cookie)
@none DELETE /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200 (Set-Cookie: kith=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0) {"data": {"id": "{{session}}"}}
@none DELETE /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401

== a session has the rights of its key, and ends with it
@make sales POST /v1/groups {"name": "Sales", "visibility": "public"}
@make open POST /v1/groups {"name": "Open", "visibility": "public"}
@admin POST /v1/keys
{"user": {"id": "{{ada_id}}"}, "scopes": ["read"], "groups": [{"id": "{{sales}}"}], "expiresAt": "{{until}}"}
-- 200
> limited = data.id
> limited_key = data.key
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{limited_key}}"} -- 200
{"data": {"key": {"id": "<key>", "kind": "session", "name": "<string>", "scopes": ["read"]}, "expiresAt": "{{until}}", "...": 0}}
> cookie = header Set-Cookie
@none GET /v1/groups
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200 {"data": {"items": [{"id": "{{sales}}", "...": 0}], "pagination": {}}}
@none POST /v1/people
Cookie: {{cookie}}
X-Kith-Console: 1
{}
-- 403
@admin DELETE /v1/keys/{{limited}} -- 200
@none GET /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{limited_key}}"} -- 401

== also when the key is replaced or ended by hand
@kith key create --user {{bob_id}}
> first = id
> first_key = key
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{first_key}}"} -- 200
> cookie = header Set-Cookie
@kith key rotate {{first}} --valid-for 0s
> second = id
> second_key = key
@none GET /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{second_key}}"} -- 200
> cookie = header Set-Cookie
@kith key revoke {{second}}
> ended = revokedAt
@none GET /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401

== a session makes no key that outlives the key that it was made from
@kith key create --user {{admin_id}} --expires 1h
> short_key = key
@short GET /v1/keys/me -- 200
> short_end = data.expiresAt
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{short_key}}"} -- 200 {"data": {"expiresAt": "{{short_end}}", "...": 0}}
> cookie = header Set-Cookie
@none POST /v1/keys
Cookie: {{cookie}}
X-Kith-Console: 1
{"name": "Child"}
-- 200 {"data": {"name": "Child", "kind": "key", "expiresAt": "{{short_end}}", "...": 0}}
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{admin_key}}"} -- 200
> cookie = header Set-Cookie
> admins = data.key.id
@none POST /v1/keys
Cookie: {{cookie}}
X-Kith-Console: 1
{"name": "Child"}
-- 200 {"data": {"name": "Child", "kind": "key", "expiresAt": null, "...": 0}}
@admin POST /v1/keys/{{admins}}/rotate -- 422 Invalid path parameters
* custom ["keyId"]

== somebody who leaves is out, permanently
@kith user create --workspace {{workspace_id}} --email carol@example.com --name Carol
> carol_id = id
@kith key create --user {{carol_id}}
> carol_key = key
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{carol_key}}"} -- 200
> cookie = header Set-Cookie
@kith user disable {{carol_id}}
> since = disabledAt
@none GET /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{carol_key}}"} -- 401
@kith user enable {{carol_id}}
> again = id
@carol GET /v1/users/me -- 200
@none GET /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 401
