# Users as admins of the workspace see and change them, and everybody their own name and time zone.
@users carol

== a user is created, once, with a link
@admin POST /v1/users {"email": "grace@example.com"} -- 200 (ETag: <any>)
{"data": {"$account": {"fullName": "grace@example.com", "email": "grace@example.com", "invitationUrl": "<starts {{base}}/console#invitation=>"}}}
> grace_id = data.id
> tag = header ETag
GET /v1/users/{{grace_id}} -- 200 {"data": {"id": "{{grace_id}}", "fullName": "grace@example.com", "email": "grace@example.com"}}
@admin GET /v1/users/{{grace_id}}/account -- 200 (ETag: {{tag}})
{"data": {"$account": {"id": "{{grace_id}}", "fullName": "grace@example.com", "email": "grace@example.com"}}}
@admin POST /v1/users {"email": "GRACE@example.com", "fullName": "Grace", "role": "admin"} -- 422 Invalid input
* custom ["email"]
@admin POST /v1/users {"email": "henry@example.com", "fullName": "Henry", "role": "admin", "timeZone": "Europe/Berlin"} -- 200
{"data": {"$account": {"fullName": "Henry", "email": "henry@example.com", "role": "admin", "timeZone": "Europe/Berlin", "invitationUrl": "<string>"}}}
> henry_id = data.id

== what a new user must have
@rows body issue
| {}                                                             | required ["email"] expected=string                      |
| {"email": ""}                                                  | too_small ["email"] minimum=1 type=string               |
| {"email": "grace"}                                             | invalid_string ["email"] ...                            |
| {"email": "@grace"}                                            | invalid_string ["email"] ...                            |
| {"email": "grace@"}                                            | invalid_string ["email"] ...                            |
| {"email": "gr ace@example.com"}                                | invalid_string ["email"] ...                            |
| {"email": "a@b@example.com"}                                   | invalid_string ["email"] ...                            |
| {"email": "<repeat x 243>@example.com"}                        | too_big ["email"] maximum=254 type=string               |
| {"email": "x@example.com", "role": "owner"}                    | invalid_enum_value ["role"] ...                         |
| {"email": "x@example.com", "fullName": ""}                     | too_small ["fullName"] minimum=1 type=string            |
| {"email": "x@example.com", "timeZone": "Mars/Olympus"}         | custom ["timeZone"] ...                                 |
| {"email": "x@example.com", "password": "eleven green llamas"}  | unrecognized_keys [] keys=["password"]                  |
@admin POST /v1/users {{body}} -- 422 Invalid input
* {{issue}}
@end

== a retry gets the answer without the link
@admin POST /v1/users (Idempotency-Key: user-1) {"email": "ida@example.com"} -- 200 {"data": {"invitationUrl": "<starts {{base}}>", "...": 0}}
> ida_id = data.id
@admin POST /v1/users (Idempotency-Key: user-1) {"email": "ida@example.com"} -- 200 (Idempotent-Replayed: true)
{"data": {"$account": {"id": "{{ida_id}}", "fullName": "ida@example.com", "email": "ida@example.com", "invitationUrl": null}}}
@admin POST /v1/users/{{ida_id}}/invite (Idempotency-Key: user-2) -- 200 {"data": {"invitationUrl": "<starts {{base}}>", "...": 0}}
@admin POST /v1/users/{{ida_id}}/invite (Idempotency-Key: user-2) -- 200 (Idempotent-Replayed: true) {"data": {"invitationUrl": null, "...": 0}}

== a dry run makes no user and no link
@admin POST /v1/users?dryRun=true {"email": "never@example.com"} -- 200 (X-Dry-Run: true)
{"data": {"$account": {"fullName": "never@example.com", "email": "never@example.com", "invitationUrl": null}}}
> never = data.id
GET /v1/users/{{never}} -- 404
@admin POST /v1/users/{{ida_id}}/invite?dryRun=true -- 200 {"data": {"invitationUrl": null, "...": 0}}
@admin POST /v1/users/{{ida_id}}/disable?dryRun=true -- 200 {"data": {"disabledAt": "<time>", "...": 0}}
@admin GET /v1/users/{{ida_id}}/account -- 200 {"data": {"disabledAt": null, "...": 0}}

== nobody could sign in with a link to another host without TLS, and without public_url a request does not decide where it leads
@admin POST /v1/users
Host: crm.example.com
{"email": "kim@example.com"}
-- 200 {"data": {"invitationUrl": null, "...": 0}}
> kim_id = data.id
@admin POST /v1/users/{{kim_id}}/invite (Host: crm.example.com) -- 422 Invalid input
* custom ["userId"]
@admin POST /v1/users/{{kim_id}}/invite
Host: crm.example.com
X-Forwarded-Proto: https
-- 422 Invalid input
* custom ["userId"]

== only admins, with a key that may administer
@kith key create --user {{admin_id}} --scope read,write
> writer_key = key
POST /v1/users {"email": "x@example.com"}
POST /v1/users/{{grace_id}}/invite
POST /v1/users/{{grace_id}}/disable
POST /v1/users/{{grace_id}}/enable
PATCH /v1/users/{{grace_id}} {"fullName": "Grace"}
GET /v1/users/{{grace_id}}/account
GET /v1/users/accounts
-- 403
@writer POST /v1/users {"email": "x@example.com"}
@writer POST /v1/users/{{grace_id}}/invite
@writer POST /v1/users/{{grace_id}}/disable
@writer POST /v1/users/{{grace_id}}/enable
@writer PATCH /v1/users/{{grace_id}} {"fullName": "Grace"}
-- 403

== a key with fewer rights than its user, or with an end, makes no link to all of them permanently
@kith key create --user {{admin_id}} --scope read,write,admin
> narrow_key = key
@kith key create --user {{admin_id}} --expires 90d
> brief_key = key
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{brief_key}}"} -- 200
> cookie = header Set-Cookie
@narrow POST /v1/users {"email": "nora@example.com"} -- 200 {"data": {"invitationUrl": null, "...": 0}}
> nora_id = data.id
@brief POST /v1/users {"email": "brian@example.com"} -- 200 {"data": {"invitationUrl": null, "...": 0}}
@narrow POST /v1/users/{{nora_id}}/invite -- 422 Invalid input
* custom ["userId"] message="Only people who are signed in, and keys with all scopes and without an end, make links"
@brief POST /v1/users/{{admin_id}}/invite -- 422 Invalid input
* custom ["userId"] message="Only people who are signed in, and keys with all scopes and without an end, make links"
@none POST /v1/users/{{nora_id}}/invite
X-Kith-Console: 1
Cookie: {{cookie}}
-- 422 Invalid input
* custom ["userId"] message="Only people who are signed in, and keys with all scopes and without an end, make links"
@admin POST /v1/users/{{nora_id}}/invite -- 200 {"data": {"invitationUrl": "<starts {{base}}/console#invitation=>", "...": 0}}

== nor does it make an admin, who has all rights permanently
@admin POST /v1/users {"email": "vera@example.com", "role": "admin"} -- 200
> vera_id = data.id
@admin POST /v1/users/{{vera_id}}/disable -- 200
@narrow POST /v1/users {"email": "more@example.com", "role": "admin"}
@narrow PATCH /v1/users/{{nora_id}} {"role": "admin"}
@narrow POST /v1/users/{{vera_id}}/enable
-- 403
@brief POST /v1/users {"email": "more@example.com", "role": "admin"}
@brief PATCH /v1/users/{{nora_id}} {"role": "admin"}
-- 422 Invalid input
* custom ["role"] message="A key that expires cannot make an admin, whose rights do not expire"
@none PATCH /v1/users/{{nora_id}}
X-Kith-Console: 1
Cookie: {{cookie}}
{"role": "admin"}
-- 422 Invalid input
* custom ["role"] ...
@brief POST /v1/users/{{vera_id}}/enable -- 422 Invalid input
* custom ["userId"] ...
@brief PATCH /v1/users/{{nora_id}} {"fullName": "Nora", "role": "member"} -- 200
@brief PATCH /v1/users/{{vera_id}} {"role": "member"} -- 200
@brief POST /v1/users/{{vera_id}}/enable -- 200
@brief PATCH /v1/users/{{admin_id}} {"role": "admin"} -- 200

== everybody changes their own name and time zone, and not their role
GET /v1/users/{{ada_id}}/account -- 200 {"data": {"$account": {"id": "{{ada_id}}", "fullName": "Ada Lovelace", "email": "{{ada_email}}"}}}
PATCH /v1/users/{{ada_id}} {"fullName": "Ada King", "timeZone": "Europe/London"} -- 200
{"data": {"$account": {"id": "{{ada_id}}", "fullName": "Ada King", "email": "{{ada_email}}", "timeZone": "Europe/London"}}}
GET /v1/users/me -- 200 {"data": {"id": "{{ada_id}}", "fullName": "Ada King", "email": "{{ada_email}}"}}
PATCH /v1/users/{{ada_id}} {"timeZone": "Europe/Atlantis"} -- 422
* custom ["timeZone"] ...
PATCH /v1/users/{{ada_id}} {"timeZone": null, "fullName": "Ada Lovelace"} -- 200 {"data": {"timeZone": null, "...": 0}}
# what was read, sent back with the role that she has
PATCH /v1/users/{{ada_id}} {"fullName": "Ada Lovelace", "role": "member", "timeZone": null} -- 200
{"data": {"$account": {"id": "{{ada_id}}", "fullName": "Ada Lovelace", "email": "{{ada_email}}"}}}
PATCH /v1/users/{{ada_id}} {"role": "admin"} -- 403
PATCH /v1/users/{{ada_id}} {"email": "ada2@example.com"} -- 422
* unrecognized_keys [] keys=["email"]
@readonly PATCH /v1/users/{{ada_id}} {"fullName": "Eve"} -- 403

== a change under the record's tag
@admin GET /v1/users/{{grace_id}}/account -- 200
> tag = header ETag
@admin PATCH /v1/users/{{grace_id}} (If-Match: {{tag}}) {"role": "admin"} -- 200
{"data": {"$account": {"id": "{{grace_id}}", "fullName": "grace@example.com", "email": "grace@example.com", "role": "admin"}}}
@admin PATCH /v1/users/{{grace_id}} (If-Match: {{tag}}) {"role": "member"}
@admin POST /v1/users/{{grace_id}}/disable (If-Match: {{tag}})
@admin POST /v1/users/{{grace_id}}/enable (If-Match: {{tag}})
@admin POST /v1/users/{{grace_id}}/invite (If-Match: {{tag}})
-- 412
@admin PATCH /v1/users/{{grace_id}} {"role": "member"} -- 200

== a disabled user's keys are refused
@kith key create --user {{carol_id}}
> c_key = key
@c GET /v1/users/me -- 200
@admin POST /v1/users/{{carol_id}}/disable -- 200 {"data": {"disabledAt": "<time>", "...": 0}}
> since = data.disabledAt
@admin POST /v1/users/{{carol_id}}/disable -- 200 {"data": {"disabledAt": "{{since}}", "...": 0}}
@c GET /v1/users/me -- 401
@admin POST /v1/users/{{carol_id}}/enable -- 200 {"data": {"disabledAt": null, "...": 0}}
@admin POST /v1/users/{{carol_id}}/enable -- 200 {"data": {"disabledAt": null, "...": 0}}
@c GET /v1/users/me -- 200

== a link gives its user's rights only while who made it is an admin
@kith key create --user {{henry_id}}
> henry_key = key
@henry POST /v1/users/{{nora_id}}/invite -- 200
> link = data.invitationUrl
@admin PATCH /v1/users/{{henry_id}} {"role": "member"} -- 200
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "eleven green llamas"} -- 422
* custom ["token"] ...
@admin PATCH /v1/users/{{henry_id}} {"role": "admin"} -- 200
@admin POST /v1/users/{{henry_id}}/disable -- 200
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "eleven green llamas"} -- 422
* custom ["token"] ...
@admin POST /v1/users/{{henry_id}}/enable -- 200
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "eleven green llamas"} -- 200

== nobody disables themselves, and the last admin keeps the role
@admin POST /v1/users/{{admin_id}}/disable -- 422
* custom ["userId"] message="Nobody can disable themselves"
@admin POST /v1/users/{{henry_id}}/disable -- 200
@admin PATCH /v1/users/{{admin_id}} {"role": "member"} -- 422
* custom ["role"] ...
@admin POST /v1/users/{{henry_id}}/enable -- 200
@kith key create --user {{henry_id}}
> henry_key = key
@henry POST /v1/users/{{admin_id}}/disable -- 200
@henry PATCH /v1/users/{{henry_id}} {"role": "member"} -- 422
* custom ["role"] ...
@henry POST /v1/users/{{admin_id}}/enable -- 200
@admin PATCH /v1/users/{{henry_id}} {"role": "member"} -- 200

== an unknown user, and one of another workspace
@each usr_00000000-0000-7000-8000-000000000000 {{other_id}}
@admin GET /v1/users/{{each}}/account
@admin PATCH /v1/users/{{each}} {"role": "admin"}
@admin POST /v1/users/{{each}}/disable
@admin POST /v1/users/{{each}}/enable
@admin POST /v1/users/{{each}}/invite
-- 404
@end

== the list
@admin GET /v1/users/accounts?limit=2 -- 200
{"data": {"items": [{"$account": {"role": "admin"}}, {"$account": {"id": "{{ada_id}}"}}], "pagination": {"nextLink": "<link {{base}}/v1/users/accounts?limit=2>"}}}

== commands make the same events, if they change something
@admin GET /v1/events?limit=1&sort=-createdAt -- 200
> cursor = data.cursor
@kith user create --workspace {{workspace_id}} --email zoe@example.com --name Zoe
> zoe_id = id
@kith user update {{zoe_id}} --role admin
> same = role
@kith user update {{zoe_id}} --role admin --name Zoe
> same = role
@kith user invite {{zoe_id}}
> link = invitationUrl
@kith user disable {{zoe_id}}
> same = role
@kith user disable {{zoe_id}}
> same = role
@kith user enable {{zoe_id}}
> same = role
@poll 10 @admin GET /v1/events?after={{cursor}} -- 200
{"data": {"items": [
	{"type": "user.created", "actor": {"type": "system", "id": null, "fullName": null, "keyId": null, "keyName": null, "via": "command"}, "data": {"id": "{{zoe_id}}", "url": "{{base}}/v1/users/{{zoe_id}}"}, "...": 0},
	{"type": "user.updated", "actor": {"via": "command", "...": 0}, "data": {"changes": [{"path": ["role"], "type": "set", "value": "admin", "previous": "member"}], "...": 0}, "...": 0},
	{"type": "user.invited", "actor": {"via": "command", "...": 0}, "...": 0},
	{"type": "user.disabled", "actor": {"via": "command", "...": 0}, "...": 0},
	{"type": "user.enabled", "actor": {"via": "command", "...": 0}, "...": 0}], "...": 0}}

== events are for admins and the user
@admin GET /v1/events?limit=1&sort=-createdAt -- 200
> cursor = data.cursor
@admin POST /v1/users {"email": "leo@example.com"} -- 200
> leo_id = data.id
@admin PATCH /v1/users/{{leo_id}} {"fullName": "Leo", "role": "admin"} -- 200
@admin PATCH /v1/users/{{leo_id}} {"role": "member"} -- 200
@admin POST /v1/users/{{leo_id}}/invite -- 200
> link = data.invitationUrl
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "six purple snails"} -- 200
@none POST /auth/password
X-Kith-Console: 1
X-Forwarded-For: 203.0.113.77
{"email": "leo@example.com", "password": "six purple snakes"}
-- 401

# The event of a failed attempt is written after the answer.
@poll 10 @admin GET /v1/events?after={{cursor}}&type=user.sign_in_failed -- 200 {"data": {"items": [{"type": "user.sign_in_failed", "...": 0}], "...": 0}}
@admin POST /v1/users/{{leo_id}}/disable -- 200
@admin POST /v1/users/{{leo_id}}/enable -- 200
@poll 10 @admin GET /v1/events?after={{cursor}} -- 200
{"data": {"items": [
	{"type": "user.created", "data": {"id": "{{leo_id}}", "url": "{{base}}/v1/users/{{leo_id}}"}, "...": 0},
	{"type": "user.updated", "data": {"changes": [
		{"path": ["fullName"], "type": "set", "value": "Leo", "previous": "leo@example.com"},
		{"path": ["role"], "type": "set", "value": "admin", "previous": "member"}], "...": 0}, "...": 0},
	{"type": "user.updated", "...": 0},
	{"type": "user.invited", "actor": {"id": "{{admin_id}}", "...": 0}, "...": 0},
	{"type": "user.password_changed", "actor": {"id": "{{leo_id}}", "keyId": null, "...": 0}, "...": 0},
	{"type": "user.sign_in_failed", "actor": {"type": "system", "...": 0}, "data": {"id": "{{leo_id}}", "url": "<string>", "details": {"address": "203.0.113.77"}}, "...": 0},
	{"type": "user.disabled", "...": 0},
	{"type": "user.enabled", "...": 0}], "...": 0}}
> newest = data.cursor
GET /v1/events?after={{cursor}} -- 200 {"data": {"items": [], "...": 0}}
PATCH /v1/users/{{ada_id}} {"timeZone": "Asia/Tokyo"} -- 200
@poll 10 GET /v1/events?after={{newest}} -- 200 {"data": {"items": [{"type": "user.updated", "...": 0}], "...": 0}}
@bob GET /v1/events?after={{newest}} -- 200 {"data": {"items": [], "...": 0}}
