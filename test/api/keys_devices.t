# Keys that everybody makes for their own devices, and lists and ends.
@users carol

== the password of a device opens nothing else
POST /v1/keys {"name": "Phone", "scopes": ["contacts"]} -- 200
{"data": {"$key": {"kind": "contacts", "name": "Phone", "scopes": ["contacts"], "key": "<starts kith_>", "url": null}}}
> phone = data.id
> phone_key = data.key
@each v1/people v1/users/me v1/keys/me v1/session v1/events
@phone GET /{{each}} -- 403
@end
@phone POST /v1/people {} -- 403
@phone POST /mcp {"jsonrpc": "2.0", "id": 1, "method": "tools/list"} -- 403
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{phone_key}}"} -- 401

== a calendar has an address
POST /v1/keys {"scopes": ["calendar"]} -- 200
{"data": {"$key": {"kind": "calendar", "scopes": ["calendar"], "key": "<starts kith_>", "url": "<starts {{base}}/calendar/kith_>"}}}
> calendar_key = data.key
@calendar GET /v1/people -- 403
POST /v1/keys?dryRun=true {"scopes": ["calendar"]} -- 200
{"data": {"$key": {"kind": "calendar", "scopes": ["calendar"], "key": "", "url": null}}}

== what they may do
@each ["contacts","read"] ["contacts","delete"]
POST /v1/keys {"scopes": {{each}}} -- 200
{"data": {"$key": {"kind": "contacts", "scopes": "<array>", "key": "<starts kith_>", "url": null}}}
@each ["contacts","calendar"] ["contacts","write"] ["contacts","read","delete"] ["calendar","read"] ["contacts","admin"]
POST /v1/keys {"scopes": {{each}}} -- 422 Invalid input
* custom ["scopes"]
@end
POST /v1/keys {"scopes": ["contacts"], "readOnly": true} -- 422 Invalid input
* custom ["scopes"]
@admin POST /v1/keys {"scopes": ["contacts"], "user": {"id": "{{ada_id}}"}} -- 422 Invalid input
* custom ["user"]

== not with more rights than the key that makes them
@readonly POST /v1/keys {"scopes": ["contacts"]} -- 403 {"error": {"message": "This API key lacks the scope write", "...": 0}}
@kith key create --user {{ada_id}} --scope read,write
> keeper_key = key
@keeper POST /v1/keys {"scopes": ["contacts","delete"]}
-- 403 {"error": {"message": "This API key lacks the scope delete", "...": 0}}
@make sales POST /v1/groups {"name": "Sales", "visibility": "public"}
@kith key create --user {{ada_id}} --groups {{sales}} --expires 1h
> inside_key = key
@inside GET /v1/keys/me -- 200
> inside_end = data.expiresAt
@inside POST /v1/keys {"scopes": ["contacts"]} -- 200
{"data": {"$key": {"kind": "contacts", "scopes": ["contacts"], "groups": [{"id": "{{sales}}", "name": "Sales"}], "expiresAt": "{{inside_end}}", "key": "<starts kith_>", "url": null}}}
@inside POST /v1/keys {"scopes": ["contacts"], "expiresAt": null} -- 422 Invalid input
* custom ["expiresAt"]

== members make no other keys
@carol POST /v1/keys {}
@carol POST /v1/keys {"scopes": ["read"]}
@carol POST /v1/keys/{{carol_key_id}}/rotate
-- 403

== everybody lists and ends their own, admins all
@carol POST /v1/keys {"name": "Hers", "scopes": ["contacts"]} -- 200
> hers = data.id
@carol GET /v1/keys?limit=100 -- 200
{"data": {"items": [{"id": "{{carol_key_id}}", "...": 0},
	{"$key": {"id": "{{hers}}", "kind": "contacts", "name": "Hers", "user": "<object>", "scopes": ["contacts"]}}], "pagination": {}}}
@carol DELETE /v1/keys/{{phone}} -- 404
@carol DELETE /v1/keys/{{hers}} -- 200
@carol DELETE /v1/keys/{{hers}} -- 404
@admin POST /v1/keys/{{phone}}/rotate -- 422 Invalid path parameters
* custom ["keyId"]
@admin DELETE /v1/keys/{{phone}} -- 200
@phone GET /v1/users/me -- 401

== a limit for each user
@bob POST /v1/keys {"scopes": ["contacts"], "expiresAt": "2999-01-01T00:00:00.000Z"} -- 200
@repeat 49 @bob POST /v1/keys {"scopes": ["calendar"]} -- 200
@bob POST /v1/keys {"scopes": ["contacts"]} -- 422 Invalid input
* custom []
@carol POST /v1/keys {"scopes": ["contacts"]} -- 200
