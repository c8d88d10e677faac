@server rate_default=0 rate_burst=0 webhook_allow_targets=127.0.0.0/8
# ?dryRun=true: answered as the write would be, and rolled back. test/flow/test_dry_run.c tries every route.

== what is tried
POST /v1/people {"firstName": "Ann", "emails": ["ann@example.com"]} -- 200 (!X-Dry-Run)
> ann = data.id
> whole = data
@make sales POST /v1/groups {"name": "Sales", "visibility": "public"}
GET /v1/events -- 200
> begin = data.cursor

== a create is answered as one, and is none
POST /v1/people?dryRun=true
{"firstName": "Bo", "groups": [{"id": "{{sales}}"}], "companies": [{"name": "Newco"}]}
-- 200 (X-Dry-Run: true)
{"data": {"$person": {"firstName": "Bo", "fullName": "Bo", "groups": "<array>", "companies": [{"id": "<com>", "name": "Newco"}],
	"customFieldValues": "<object>"}}}
> bo = data.id
GET /v1/people/{{bo}} -- 404 (!X-Dry-Run)
GET /v1/people?count=exact -- 200 {"data": {"items": [{{whole}}], "pagination": {"count": 1}}}
GET /v1/companies -- 200 {"data": {"items": [], "pagination": {}}}

== so are updates and deletes
PATCH /v1/people/{{ann}}?dryRun=true {"firstName": "Anna"} -- 200 (X-Dry-Run: true)
{"data": {"$person": {"id": "{{ann}}", "firstName": "Anna", "fullName": "Anna", "emails": ["ann@example.com"]}}}
DELETE /v1/people/{{ann}}?dryRun=true -- 200 (X-Dry-Run: true) {"data": {"id": "{{ann}}"}}
GET /v1/people/{{ann}} -- 200 {"data": {{whole}}}

# A parameter that protects is never ignored: what is one letter away from it is refused, and so is one given twice.

== a misspelt dry run writes nothing
@rows target issue
| dryrun=true      | "dryrun"     |
| DRYRUN=true      | "DRYRUN"     |
| dryRun[]=true    | "dryRun[]"   |
| dryRun[0]=true   | "dryRun[0]"  |
| [dryRun]=true    | "[dryRun]"   |
| dry_run=true     | "dry_run"    |
| dry-run=true     | "dry-run"    |
| dry.run=true     | "dry.run"    |
| dryRunn=true     | "dryRunn"    |
| dyRun=true       | "dyRun"      |
| dryRin=true      | "dryRin"     |
| dyrRun=true      | "dyrRun"     |
| dry%52un%20=true | "dryRun "    |
| %64ryrun=true    | "dryrun"     |
| dryR%C3%BCn=true | "dryRün"     |
| dryRun[][]=true  | "dryRun[][]" |
| ?dryRun=true     | "?dryRun"    |
POST /v1/people?{{target}} {"firstName": "Bo"} -- 422 Invalid query parameters (!X-Dry-Run)
* custom [{{issue}}]
@end
POST /v1/people?dryRun=true&dryRun=false {"firstName": "Bo"}
POST /v1/people?dryRun=true&dryRun=true&dryRun=false {"firstName": "Bo"}
-- 422 Invalid query parameters
* custom ["dryRun"]
POST /v1/people?dryRun=true&dryrun=true {"firstName": "Bo"} -- 422 Invalid query parameters (X-Dry-Run: true)
* custom ["dryrun"]
POST /v1/people/batch/delete?dryrun=true {"records": [{"id": "{{ann}}"}]} -- 422 Invalid query parameters
* custom ["dryrun"]
DELETE /v1/people/{{ann}}?dry_run=true -- 422 Invalid query parameters
* custom ["dry_run"]
PATCH /v1/people/{{ann}}?dryRun%5B%5D=true {"firstName": "Bo"} -- 422 Invalid query parameters
* custom ["dryRun[]"]
GET /v1/people?count=exact -- 200 {"data": {"items": [{{whole}}], "pagination": {"count": 1}}}

== what is two letters away, or beside a read, is an unknown parameter
GET /v1/people/{{ann}}?dryrun=true -- 200 {"data": {{whole}}, "warnings": "<array>"}
PATCH /v1/people/{{ann}}?dryRuuuun=true {"firstName": "Ann"} -- 200 (!X-Dry-Run)
{"data": {{whole}}, "warnings": "<array>"}

== what is refused before its body is read
POST /v1/people?dryRun=true {<repeat \s 1048575>} -- 413 (X-Dry-Run: true)
POST /v1/people {<repeat \s 1048575>} -- 413 (!X-Dry-Run)
@none POST /v1/people?dryRun=true {<repeat \s 100000>} -- 401 (X-Dry-Run: true)

== batches, record by record
POST /v1/companies/batch/create?dryRun=true
{"records": [{"name": "Acme"}, {"name": "Acme"}, {"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}]}
-- 200 (X-Dry-Run: true)
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Acme"}}},
	{"status": "succeeded", "operation": "existing", "data": {"$company": {"name": "Acme"}}}, {"$invalid": {}}]}}
POST /v1/people/batch/delete?dryRun=true {"records": [{"id": "{{ann}}"}, {"id": "{{ann}}"}]} -- 200 (X-Dry-Run: true)
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{ann}}"}}, {"$not_found": {}}]}}
POST /v1/companies {"name": "Acme"} -- 200 (!X-Dry-Run)
> acme = data.id
DELETE /v1/companies/{{acme}} -- 200

== changes of settings leave the snapshot as it was
PATCH /v1/groups/{{sales}}?dryRun=true {"name": "Marketing"} -- 200 (X-Dry-Run: true)
{"data": {"$group": {"id": "{{sales}}", "name": "Marketing"}}}
@rows target body answer
| custom-fields/person | {"name": "Level", "type": "textField"} | {"name": "Level", "type": "textField"}   |
| object-types         | {"name": "Deals"}                      | {"name": "Deals", "createdAt": "<time>"} |
| members              | {"id": "{{bob_id}}", "role": "admin"}  | {"...": 0}                               |
POST /v1/groups/{{sales}}/{{target}}?dryRun=true
{{body}}
-- 200 (X-Dry-Run: true) {"data": {{answer}}}
@end
DELETE /v1/groups/{{sales}}?dryRun=true -- 200 (X-Dry-Run: true) {"data": {"id": "{{sales}}"}}
GET /v1/groups -- 200 {"data": {"items": [{"$group": {"id": "{{sales}}", "name": "Sales"}}], "pagination": {}}}
GET /v1/groups/{{sales}}/custom-fields/person
GET /v1/groups/{{sales}}/object-types
-- 200 {"data": {"items": [], "pagination": {}}}
@bob PATCH /v1/groups/{{sales}} {"name": "Bob's"} -- 403

== what would be refused is refused, with the header
POST /v1/people?dryRun=true {"firstName": 1, "nick": "x"} -- 422 Invalid input (X-Dry-Run: true)
* invalid_type ["firstName"] expected=string received=number
* unrecognized_keys [] keys=["nick"]
POST /v1/people?dryRun=true {"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]} -- 422 Invalid input
X-Dry-Run: true
* custom ["groups", 0, "id"]
POST /v1/people?dryRun=true {"firstName": -- 400 (X-Dry-Run: true)
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000?dryRun=true {} -- 404 (X-Dry-Run: true)
@bob PATCH /v1/groups/{{sales}}?dryRun=true {"name": "Bob's"}
@readonly POST /v1/people?dryRun=true {"firstName": "x"}
-- 403 (X-Dry-Run: true)
@none POST /v1/people?dryRun=true {"firstName": "x"} -- 401 (X-Dry-Run: true)
POST /v1/people/unknown/path?dryRun=true {} -- 404 (!X-Dry-Run)

== its value is true or false, and it is given once
POST /v1/people?dryRun=yes {"firstName": "x"} -- 422 Invalid query parameters (!X-Dry-Run)
* invalid_enum_value ["dryRun"] options=["true","false"] received=yes
POST /v1/people?dryRun=TRUE {"firstName": "x"} -- 422 Invalid query parameters
* invalid_enum_value ["dryRun"] options=["true","false"] received=TRUE
POST /v1/people?dryRun {"firstName": "x"} -- 422 Invalid query parameters
* invalid_enum_value ["dryRun"] options=["true","false"] received=""
POST /v1/people?dryRun=true&dryRun=no {"firstName": "x"} -- 422 Invalid query parameters
* invalid_enum_value ["dryRun"] options=["true","false"] received=no
* custom ["dryRun"]
POST /v1/people?x=y&dry%52un=tr%75e {"firstName": "x"} -- 200 (X-Dry-Run: true)
DELETE /v1/groups/{{sales}}?force=no&dryRun=no -- 422 Invalid query parameters
* invalid_enum_value ["dryRun"] options=["true","false"] received=no
DELETE /v1/groups/{{sales}}/object-types/none?force=no&dryRun=no -- 422 Invalid query parameters
* invalid_enum_value ["force"] options=["true","false"] received=no
* invalid_enum_value ["dryRun"] options=["true","false"] received=no
GET /v1/people?count=exact -- 200 {"data": {"items": [{{whole}}], "pagination": {"count": 1}}}

== nothing was written: there is no event but those of the company that was
GET /v1/events?after={{begin}} -- 200
{"data": {"items": [{"type": "company.created", "...": 0}, {"type": "company.deleted", "...": 0}], "cursor": "<text>", "pagination": {}}}
> begin = data.cursor

== false is a write
POST /v1/people?dryRun=false {"firstName": "Real"} -- 200 (!X-Dry-Run)
> real = data.id
DELETE /v1/people/{{real}}?dryRun=false -- 200 (!X-Dry-Run)
GET /v1/people/{{real}} -- 404

== a key beside it is ignored, and is free for the write
POST /v1/people?dryRun=true (Idempotency-Key: dry-1) {"firstName": "Keyed"} -- 200
X-Dry-Run: true
!Idempotent-Replayed
> tried = data.id
POST /v1/people (Idempotency-Key: dry-1) {"firstName": "Keyed"} -- 200 (!Idempotent-Replayed)
{"data": {"$person": {"id": "<not {{tried}}>", "firstName": "Keyed", "fullName": "Keyed"}}}
> keyed = data.id
POST /v1/people?dryRun=true (Idempotency-Key: dry-1) {"firstName": "Keyed"} -- 200
X-Dry-Run: true
!Idempotent-Replayed
{"data": {"id": "<not {{keyed}}>", "...": 0}}
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000?dryRun=true (Idempotency-Key: dry-1) {} -- 404
X-Dry-Run: true
!Idempotent-Replayed
POST /v1/people?dryRun=true (Idempotency-Key: not a key) {"firstName": "x"} -- 200 (X-Dry-Run: true)
POST /v1/people?dryRun=maybe (Idempotency-Key: not a key) {"firstName": "x"} -- 400 IDEMPOTENCY_KEY_INVALID
DELETE /v1/people/{{keyed}} -- 200

== reads and searches know no such parameter
GET /v1/people?dryRun=maybe -- 200 (!X-Dry-Run) {"data": {"items": [{{whole}}], "pagination": {}}, "...": 0}
GET /v1/people/{{ann}}?dryRun=true -- 200 (!X-Dry-Run)
POST /v1/people/search?dryRun=maybe {} -- 200 (!X-Dry-Run) {"data": {"items": [{{whole}}], "pagination": {}}, "...": 0}
POST /v1/people/search {"dryRun": true} -- 422 Invalid input
* unrecognized_keys [] keys=["dryRun"]

== webhooks: no secret is shown, and nothing is sent
POST /v1/webhooks?dryRun=true
{"name": "Hook", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [{"eventType": "person.created"}]}
-- 200 (X-Dry-Run: true) {"data": {"$webhook": {"signingSecret": ""}}}
GET /v1/webhooks -- 200 {"data": {"items": [], "pagination": {}}}
POST /v1/webhooks
{"name": "Hook", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [{"eventType": "person.created"}]}
-- 200 {"data": {"$webhook": {"signingSecret": "<starts whsec_>"}}}
> hook = data.id
> redacted = data.redactedSigningSecret
POST /v1/webhooks/{{hook}}/rotate-secret?dryRun=true -- 200 (X-Dry-Run: true)
{"data": {"$webhook": {"signingSecret": "", "redactedSigningSecret": "<not {{redacted}}>"}}}
PATCH /v1/webhooks/{{hook}}?dryRun=true {"name": "Tried", "status": "inactive"} -- 200 (X-Dry-Run: true)
{"data": {"$webhook": {"name": "Tried", "status": "inactive"}}}
DELETE /v1/webhooks/{{hook}}?dryRun=true -- 200 (X-Dry-Run: true)
GET /v1/webhooks/{{hook}} -- 200 {"data": {"$webhook": {"redactedSigningSecret": "{{redacted}}"}}}
POST /v1/webhooks/{{hook}}/test?dryRun=true -- 422 Invalid query parameters (X-Dry-Run: true)
* custom ["dryRun"]
POST /v1/webhooks/{{hook}}/test?dryRun=maybe -- 422 Invalid query parameters
* invalid_enum_value ["dryRun"] options=["true","false"] received=maybe
POST /v1/webhooks/{{hook}}/recover?dryRun=true {"since": "2026-01-01T00:00:00.000Z"} -- 422 Invalid query parameters
X-Dry-Run: true
* custom ["dryRun"]
GET /v1/webhooks/{{hook}}/deliveries -- 200 {"data": {"items": [], "pagination": {}}}
POST /v1/webhooks/{{hook}}/test?dryRun=false -- 200 (!X-Dry-Run) {"data": {"$delivery": {}}}
> delivery = data.id
POST /v1/webhooks/{{hook}}/deliveries/{{delivery}}/retry?dryRun=true -- 422 Invalid query parameters (X-Dry-Run: true)
* custom ["dryRun"]
