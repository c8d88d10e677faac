# People sign in with a password. Failures from one network are limited, so each case has a network of its own.
@users dora erin

== a user who was invited sets a password and is signed in
@admin POST /v1/users {"email": "Grace@Example.com", "fullName": "Grace Hopper"} -- 200
{"data": {"$account": {"fullName": "Grace Hopper", "email": "Grace@Example.com", "invitationUrl": "<starts {{base}}/console#invitation=>"}}}
> grace_id = data.id
> link = data.invitationUrl
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}"} -- 422 Invalid input
* required ["password"] expected=string
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}"}
-- 422 {"error": {"details": {"issues": ["..."], "user": {"fullName": "Grace Hopper", "email": "Grace@Example.com"}, "workspace": {"name": "<text>"}}, "...": 0}}
@rows password issue
| elevenchars     | too_small ["password"] minimum=12 type=string |
| <repeat x 201>  | too_big ["password"] maximum=200 type=string  |
| QwertyUiop123   | custom ["password"]                           |
| ababababababab  | custom ["password"]                           |
| grace-hopper-12 | custom ["password"]                           |
|                 | too_small ["password"] minimum=1 type=string  |
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "{{password}}"} -- 422 Invalid input
* {{issue}}
@end
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "eleven green llamas"}
-- 200 (Set-Cookie: <starts kith=kith_>)
{"data": {"user": {"id": "{{grace_id}}", "fullName": "Grace Hopper", "email": "Grace@Example.com"}, "workspace": {"id": "{{workspace_id}}", "name": "<string>"}, "...": 0}}
> cookie = header Set-Cookie
@none GET /v1/users/me
X-Kith-Console: 1
Cookie: {{cookie}}
-- 200 {"data": {"id": "{{grace_id}}", "fullName": "Grace Hopper", "email": "Grace@Example.com"}}

== a link works once; every other one gets the same answer
@each {{link}} nothing <repeat x 43>
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{each}}", "password": "eleven green llamas"}
-- 422 Invalid input
* custom ["token"] message="This link is no longer valid: ask an admin of the workspace for a new one"
@end
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "", "pass": 1} -- 422 Invalid input
* too_small ["token"] minimum=1 type=string
* unrecognized_keys [] keys=["pass"]

== the address in any case, and the password as it is
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.1
{"email": "gRACE@example.COM", "password": "eleven green llamas"}
-- 200 (Set-Cookie: <starts kith=kith_>) {"data": {"user": {"id": "{{grace_id}}", "...": 0}, "...": 0}}
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.1
{"email": "grace@example.com", "password": "Eleven green llamas"}
-- 401 The e-mail address or the password is wrong

== an address without a user or a password gets the same answer
@rows email
| nobody@example.com |
| {{ada_email}}      |
| not an address     |
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.2
{"email": "{{email}}", "password": "eleven green llamas"}
-- 401 The e-mail address or the password is wrong
@end

== what the body must have
@none POST /auth/password (X-Kith-Console: 1) -- 422 Invalid input
* required ["email"] expected=string
* required ["password"] expected=string
@none POST /auth/password (X-Kith-Console: 1) {"email": 1, "password": "", "user": 1} -- 422 Invalid input
* invalid_type ["email"] expected=string received=number
* too_small ["password"] minimum=1 type=string
* unrecognized_keys [] keys=["user"]
@none POST /auth/password (X-Kith-Console: 1) {"email" -- 400

== only from kith's own pages
@none POST /auth/password {"email": "grace@example.com", "password": "eleven green llamas"} -- 403
@none POST /auth/invitation {"token": "x", "password": "eleven green llamas"} -- 403
@none POST /auth/password
X-Kith-Console: 1
Origin: https://evil.example.com
{"email": "grace@example.com", "password": "eleven green llamas"}
-- 403
@none POST /auth/password
X-Kith-Console: 1
Sec-Fetch-Site: cross-site
{"email": "grace@example.com", "password": "eleven green llamas"}
-- 403
@none POST /auth/password
X-Kith-Console: 1
Host: crm.example.com
{"email": "grace@example.com", "password": "eleven green llamas"}
-- 403
@none GET /auth/password -- 405
@none GET /auth/invitation -- 405

== there is no dry run, and an idempotency key means nothing
@none POST /auth/password?dryRun=true (X-Kith-Console: 1) {"email": "grace@example.com", "password": "eleven green llamas"} -- 422
* custom ["dryRun"]
@none POST /auth/invitation?dryRun=true (X-Kith-Console: 1) {"token": "x"} -- 422
* custom ["dryRun"]
@repeat 2
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.3
Idempotency-Key: once
{"email": "grace@example.com", "password": "eleven green llamas"}
-- 200
Set-Cookie: <starts kith=kith_>
!Idempotent-Replayed

== an invitation of somebody who has a password is a reset: the old one stays valid until then
@admin POST /v1/users/{{grace_id}}/invite -- 200 {"data": {"$account": {"id": "{{grace_id}}", "fullName": "Grace Hopper", "email": "Grace@Example.com", "passwordAt": "<time>", "invitationUrl": "<starts {{base}}/console#invitation=>"}}}
> first = data.invitationUrl
@admin POST /v1/users/{{grace_id}}/invite -- 200
> second = data.invitationUrl
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.4
{"email": "grace@example.com", "password": "eleven green llamas"}
-- 200
> cookie = header Set-Cookie
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{first}}", "password": "nine yellow yaks"} -- 422
* custom ["token"]
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{second}}", "password": "nine yellow yaks"} -- 200
@none GET /v1/users/me
X-Kith-Console: 1
Cookie: {{cookie}}
-- 401
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.4
{"email": "grace@example.com", "password": "eleven green llamas"}
-- 401

== somebody who is signed in changes their password
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.5
{"email": "grace@example.com", "password": "nine yellow yaks"}
-- 200
> other = header Set-Cookie
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.5
{"email": "grace@example.com", "password": "nine yellow yaks"}
-- 200
> cookie = header Set-Cookie
@none POST /v1/session/password
X-Kith-Console: 1
Cookie: {{cookie}}
X-Forwarded-For: 203.0.113.5
{"currentPassword": "nine yellow yacks", "newPassword": "seven blue herons"}
-- 422 Invalid input
* custom ["currentPassword"]
@none POST /v1/session/password
X-Kith-Console: 1
Cookie: {{cookie}}
X-Forwarded-For: 203.0.113.5
Idempotency-Key: nothing is kept
{"currentPassword": "nine yellow yaks", "newPassword": "password1234"}
-- 422 Invalid input
* custom ["newPassword"]
@none POST /v1/session/password?dryRun=true
X-Kith-Console: 1
Cookie: {{cookie}}
{"currentPassword": "nine yellow yaks", "newPassword": "seven blue herons"}
-- 422
* custom ["dryRun"]
@admin POST /v1/users/{{grace_id}}/invite -- 200
> unused = data.invitationUrl
@none POST /v1/session/password
X-Kith-Console: 1
Cookie: {{cookie}}
X-Forwarded-For: 203.0.113.5
{"currentPassword": "nine yellow yaks", "newPassword": "seven blue herons"}
-- 200
Set-Cookie: <starts kith=kith_>
{"data": {"user": {"id": "{{grace_id}}", "...": 0}, "...": 0}}
> renewed = header Set-Cookie
@each {{other}} {{cookie}}
@none GET /v1/users/me
X-Kith-Console: 1
Cookie: {{each}}
-- 401
@end
@none GET /v1/users/me
X-Kith-Console: 1
Cookie: {{renewed}}
-- 200
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.5
{"email": "grace@example.com", "password": "seven blue herons"}
-- 200

== a link from before the change is no longer valid
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{unused}}", "password": "nine yellow yaks"} -- 422 Invalid input
* custom ["token"]

== a key changes no password
POST /v1/session/password {"currentPassword": "nine yellow yaks", "newPassword": "seven blue herons"} -- 403
POST /v1/session/password {} -- 422
* required ["currentPassword"] expected=string
* required ["newPassword"] expected=string

== ten failures of an account from one network
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 2001:db8:1:2:3::4
{"email": "{{dora_email}}", "password": "wrong as can be"}
-- 401
@repeat 9
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 2001:db8:1:2::{{n}}
{"email": "{{dora_email}}", "password": "wrong as can be"}
-- 401
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 2001:db8:1:2:ffff::1
{"email": "{{dora_email}}", "password": "wrong as can be"}
-- 429 TOO_MANY_REQUESTS
Retry-After: <digits>
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 2001:db8:1:3::1
{"email": "{{dora_email}}", "password": "wrong as can be"}
-- 401

== the right password does not count
@repeat 12
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.6
{"email": "grace@example.com", "password": "seven blue herons"}
-- 200

== who was disabled is out at once, permanently
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.7
{"email": "grace@example.com", "password": "seven blue herons"}
-- 200
> cookie = header Set-Cookie
@admin POST /v1/users/{{grace_id}}/invite -- 200
> link = data.invitationUrl
@admin POST /v1/users/{{grace_id}}/disable -- 200 {"data": {"$account": {"id": "{{grace_id}}", "fullName": "Grace Hopper", "email": "Grace@Example.com", "passwordAt": "<time>", "disabledAt": "<time>"}}}
@none GET /v1/users/me
X-Kith-Console: 1
Cookie: {{cookie}}
-- 401
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.7
{"email": "grace@example.com", "password": "seven blue herons"}
-- 401 The e-mail address or the password is wrong
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "seven blue herons"} -- 422
* custom ["token"]
@admin POST /v1/users/{{grace_id}}/invite -- 422
* custom ["userId"]
@admin POST /v1/users/{{grace_id}}/enable -- 200 {"data": {"$account": {"id": "{{grace_id}}", "fullName": "Grace Hopper", "email": "Grace@Example.com", "passwordAt": "<time>", "disabledAt": null}}}
@none GET /v1/users/me
X-Kith-Console: 1
Cookie: {{cookie}}
-- 401
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "seven blue herons"} -- 422
* custom ["token"]
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.7
{"email": "grace@example.com", "password": "seven blue herons"}
-- 200

== the command line prints a link, too
@kith user invite {{erin_id}}
> link = invitationUrl
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "six purple snails"}
-- 200 {"data": {"user": {{erin}}, "...": 0}}

== the same address in two workspaces
@kith user create --workspace {{workspace_id}} --email twice@example.com --name "Twice Here"
> here = invitationUrl
@kith workspace create --name "Other side"
> side_id = id
@kith user create --workspace {{side_id}} --email twice@example.com --name "Twice There"
> there = invitationUrl
> there_id = id
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{here}}", "password": "six purple snails"} -- 200
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{there}}", "password": "four orange crabs"} -- 200
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.8
{"email": "twice@example.com", "password": "four orange crabs"}
-- 200 {"data": {"workspace": {"id": "{{side_id}}", "name": "Other side"}, "user": {"id": "{{there_id}}", "...": 0}, "...": 0}}
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.8
{"email": "twice@example.com", "password": "four orange crabs", "workspace": "{{workspace_id}}"}
-- 401 The e-mail address or the password is wrong
@kith user invite {{there_id}}
> there = invitationUrl
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{there}}", "password": "six purple snails"} -- 200
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.8
{"email": "twice@example.com", "password": "six purple snails"}
-- 409 SEVERAL_WORKSPACES
{"error": {"details": {"workspaces": [{"id": "<wsp>", "name": "<string>"}, {"id": "{{side_id}}", "name": "Other side"}]}, "...": 0}}
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.8
{"email": "twice@example.com", "password": "six purple snails", "workspace": "{{side_id}}"}
-- 200 {"data": {"workspace": {"id": "{{side_id}}", "name": "Other side"}, "...": 0}}
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.8
{"email": "twice@example.com", "password": "six purple snails", "workspace": "nowhere"}
-- 401

== a password of one workspace is no way to try those of another one
@kith user create --workspace {{workspace_id}} --email both@example.com --name "Both Here"
> here = invitationUrl
@kith user create --workspace {{side_id}} --email both@example.com --name "Both There"
> there = invitationUrl
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{here}}", "password": "seven blue herons"} -- 200
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{there}}", "password": "four orange crabs"} -- 200
@repeat 10
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.9
{"email": "both@example.com", "password": "four orange crabs"}
-- 200
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.9
{"email": "both@example.com", "password": "four orange crabs"}
-- 429 TOO_MANY_REQUESTS
Retry-After: <digits>
@repeat 12
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.10
{"email": "both@example.com", "password": "four orange crabs", "workspace": "{{side_id}}"}
-- 200
