@server rate_default=0 rate_burst=0 webhook_allow_targets=127.0.0.0/8,hooks.invalid:443
# Webhooks: subscriptions, URLs, rights, and deliveries.

== the groups, fields and types that filters name
POST /v1/groups {"name": "Sales", "visibility": "public"} -- 200 {"data": {"$group": {"name": "Sales"}}}
> sales = data.id
@rows target value answer
| person | "Stage", "type": "singleSelect", "options": [{"label": "Won"}, {"label": "Lost"}] | "Stage", "type": "singleSelect", "options": "<array>" |
| person | "Tags", "type": "multipleSelect", "options": [{"label": "A"}, {"label": "B"}] | "Tags", "type": "multipleSelect", "options": "<array>" |
| company | "Owner", "type": "userField" | "Owner", "type": "userField" |
| person | "Score", "type": "numericField" | "Score", "type": "numericField", "config": "<object>" |
POST /v1/groups/{{sales}}/custom-fields/{{target}} {"name": {{value}}} -- 200 {"data": {"name": {{answer}}}}
@end
POST /v1/groups/{{sales}}/object-types {"name": "Deals"} -- 200 {"data": {"name": "Deals", "createdAt": "<time>"}}
POST /v1/groups/{{sales}}/custom-fields/Deals {"name": "Closing", "type": "dateField"}
-- 200 {"data": {"name": "Closing", "type": "dateField"}}
@bob POST /v1/groups {"name": "Bob's own", "visibility": "private"}
-- 200 {"data": {"$group": {"name": "Bob's own", "visibility": "private", "createdBy": {{bob}}}}}
> secret = data.id

== create, read, list
POST /v1/webhooks
{"name": "Hook", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [{"eventType": "person.created", "filter": {}}]}
-- 200 {"data": {"$webhook": {"signingSecret": "<starts whsec_>"}}}
> hook = data.id
> signing = data.signingSecret
> redacted = data.redactedSigningSecret
GET /v1/webhooks/{{hook}} -- 200 {"data": {"$webhook": {"id": "{{hook}}", "redactedSigningSecret": "{{redacted}}"}}}
> whole = data
@bob GET /v1/webhooks/{{hook}} -- 200 {"data": {{whole}}}
@other GET /v1/webhooks/{{hook}} -- 404
POST /v1/webhooks
{"name": "Second", "targetUrl": "http://127.0.0.1:9/second", "subscribedEvents": [{"eventType": "note.created"}]}
-- 200
{"data": {"$webhook": {"name": "Second", "targetUrl": "http://127.0.0.1:9/second", "signingSecret": "<not {{signing}}>", "subscribedEvents": [{"eventType": "note.created", "filter": {}}]}}}
> second = data.id
GET /v1/webhooks?limit=1
-- 200 {"data": {"items": [{{whole}}], "pagination": {"nextLink": "<link {{base}}/v1/webhooks?limit=1>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"$webhook": {"id": "{{second}}", "name": "Second", "targetUrl": "http://127.0.0.1:9/second", "subscribedEvents": [{"eventType": "note.created", "filter": {}}]}}], "pagination": {}}}
GET /v1/webhooks?cursor=abc -- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor
@other GET /v1/webhooks -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/webhooks/wbk_1 -- 422 Invalid path parameters
* too_small ["webhookId"] minimum=40 type=string exact=true

== what a create needs, and its limits
POST /v1/webhooks {} -- 422 Invalid input
* required ["name"] expected=string
* required ["targetUrl"] expected=string
* required ["subscribedEvents"] expected=array
POST /v1/webhooks
{"name": "", "targetUrl": 1, "subscribedEvents": {}, "status": "active", "signingSecret": "x"}
-- 422 Invalid input
* too_small ["name"] minimum=1 type=string
* invalid_type ["targetUrl"] expected=string
* invalid_type ["subscribedEvents"] expected=array
* unrecognized_keys [] keys=["status","signingSecret"]
POST /v1/webhooks
{"name": "<repeat x 256>", "targetUrl": "http://127.0.0.1:9/<repeat x 2048>", "subscribedEvents": []}
-- 422 Invalid input
* too_big ["name"] maximum=255 type=string
* too_big ["targetUrl"] maximum=2048 type=string
* too_small ["subscribedEvents"] minimum=1 type=array
@rows value issue
| "http://127.0.0.1:9/", "subscribedEvents": [<list {"eventType":"note.created"} 21>] | too_big ["subscribedEvents"] maximum=20 type=array |
| "ftp://127.0.0.1/", "subscribedEvents": [{"eventType": "note.created"}]             | invalid_string ["targetUrl"] validation=url        |
| "http://10.0.0.1/", "subscribedEvents": [{"eventType": "note.created"}]             | custom ["targetUrl"]                               |
| "http://localhost/", "subscribedEvents": [{"eventType": "note.created"}]            | custom ["targetUrl"]                               |
| "http://user@127.0.0.1:9/", "subscribedEvents": [{"eventType": "note.created"}]     | invalid_string ["targetUrl"] validation=url        |
POST /v1/webhooks {"name": "x", "targetUrl": {{value}}} -- 422 Invalid input
* {{issue}}

== a name that nobody knows is accepted: it fails, and is retried, at connect
POST /v1/webhooks
{"name": "Hook", "targetUrl": "https://hooks.invalid/x", "subscribedEvents": [{"eventType": "note.created"}]}
-- 200
{"data": {"$webhook": {"targetUrl": "https://hooks.invalid/x", "subscribedEvents": [{"eventType": "note.created", "filter": {}}], "signingSecret": "<text>"}}}
> unknown = data.id
DELETE /v1/webhooks/{{unknown}} -- 200 {"data": {"id": "{{unknown}}"}}

== every kind of filter
POST /v1/webhooks {"name": "Hook", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [
 {"eventType": "person.created", "filter": {"groupId": "{{sales}}"}},
 {"eventType": "person.updated", "filter": {"path": ["jobTitle"], "value": "CEO"}},
 {"eventType": "person.updated", "filter": {"groupId": "{{sales}}", "path": ["emails"], "value": ["a@example.com", "b@example.com"]}},
 {"eventType": "person.updated", "filter": {"path": ["description"]}},
 {"eventType": "person.updated", "filter": {"path": ["birthday"], "value": "1990-01-31"}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Stage"], "value": "Won"}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Tags"], "value": ["A"]}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Score"], "value": 5.50}},
 {"eventType": "company.updated", "filter": {"path": ["fundingRaised"], "value": 1e6}},
 {"eventType": "company.updated", "filter": {"path": ["foundationYear"], "value": 1999}},
 {"eventType": "company.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Owner"], "value": [{"email": "{{bob_email}}"}]}},
 {"eventType": "object.created", "filter": {"groupId": "{{sales}}", "objectType": "Deals"}},
 {"eventType": "object.updated", "filter": {"groupId": "{{sales}}", "objectType": "Deals", "path": ["customFieldValues", "Closing"], "value": "2026-01-31"}},
 {"eventType": "reminder.triggered", "filter": {}}]}
-- 200 {"data": {"$webhook": {"signingSecret": "<text>", "subscribedEvents": [
 {"eventType": "person.created", "filter": {"groupId": "{{sales}}"}},
 {"eventType": "person.updated", "filter": {"path": ["jobTitle"], "value": "CEO"}},
 {"eventType": "person.updated", "filter": {"groupId": "{{sales}}", "path": ["emails"], "value": ["a@example.com", "b@example.com"]}},
 {"eventType": "person.updated", "filter": {"path": ["description"]}},
 {"eventType": "person.updated", "filter": {"path": ["birthday"], "value": "1990-01-31"}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Stage"], "value": "Won"}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Tags"], "value": ["A"]}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Score"], "value": "5.5"}},
 {"eventType": "company.updated", "filter": {"path": ["fundingRaised"], "value": "1000000"}},
 {"eventType": "company.updated", "filter": {"path": ["foundationYear"], "value": "1999"}},
 {"eventType": "company.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Owner"], "value": [{"id": "{{bob_id}}"}]}},
 {"eventType": "object.created", "filter": {"groupId": "{{sales}}", "objectType": "Deals"}},
 {"eventType": "object.updated", "filter": {"groupId": "{{sales}}", "objectType": "Deals", "path": ["customFieldValues", "Closing"], "value": "2026-01-31"}},
 {"eventType": "reminder.triggered", "filter": {}}]}}}
> filtered = data.id
DELETE /v1/webhooks/{{filtered}} -- 200 {"data": {"id": "{{filtered}}"}}

== events that are none, and members that a filter does not have
PATCH /v1/webhooks/{{hook}}
{"subscribedEvents": [1, {"filter": {}}, {"eventType": "person.exploded", "x": 1}, {"eventType": "webhook.test"}, {"eventType": 5, "filter": []}]}
-- 422 Invalid input
* invalid_type ["subscribedEvents", 0] expected=object
* required ["subscribedEvents", 1, "eventType"] expected=string
* invalid_enum_value ["subscribedEvents", 2, "eventType"] received=person.exploded ...
* unrecognized_keys ["subscribedEvents", 2] keys=["x"]
* invalid_enum_value ["subscribedEvents", 3, "eventType"] received=webhook.test ...
* invalid_type ["subscribedEvents", 4, "eventType"] expected=string
* invalid_type ["subscribedEvents", 4, "filter"] expected=object
PATCH /v1/webhooks/{{hook}}
{"subscribedEvents": [{"eventType": "note.created", "filter": {"groupId": "{{sales}}"}},
 {"eventType": "person.created", "filter": {"path": ["firstName"], "groupId": "{{sales}}"}},
 {"eventType": "person.updated", "filter": {"objectType": "Deals", "colour": "red"}},
 {"eventType": "object.created", "filter": {"value": "x"}}]}
-- 422 Invalid input
* unrecognized_keys ["subscribedEvents", 0, "filter"] keys=["groupId"]
* unrecognized_keys ["subscribedEvents", 1, "filter"] keys=["path"]
* unrecognized_keys ["subscribedEvents", 2, "filter"] keys=["objectType","colour"]
* unrecognized_keys ["subscribedEvents", 3, "filter"] keys=["value"]

== groups and types that the caller does not see, and what belongs together
PATCH /v1/webhooks/{{hook}}
{"subscribedEvents": [{"eventType": "person.created", "filter": {"groupId": "{{secret}}"}},
 {"eventType": "person.created", "filter": {"groupId": "grp_1"}},
 {"eventType": "person.created", "filter": {"groupId": 1}},
 {"eventType": "object.created", "filter": {"objectType": "Deals"}},
 {"eventType": "object.created", "filter": {"groupId": "{{sales}}", "objectType": "Boats"}},
 {"eventType": "object.updated", "filter": {"groupId": "{{sales}}", "path": ["name"]}},
 {"eventType": "object.updated", "filter": {"path": ["name"]}},
 {"eventType": "person.updated", "filter": {"value": "x"}}]}
-- 422 Invalid input
* custom ["subscribedEvents", 0, "filter", "groupId"]
* too_small ["subscribedEvents", 1, "filter", "groupId"] minimum=40 type=string exact=true
* invalid_type ["subscribedEvents", 2, "filter", "groupId"] expected=string
* required ["subscribedEvents", 3, "filter", "groupId"] expected=string
* custom ["subscribedEvents", 4, "filter", "objectType"]
* required ["subscribedEvents", 5, "filter", "objectType"] expected=string
* required ["subscribedEvents", 6, "filter", "groupId"] expected=string
* required ["subscribedEvents", 6, "filter", "objectType"] expected=string
* required ["subscribedEvents", 7, "filter", "path"] expected=array

== paths and values
PATCH /v1/webhooks/{{hook}} {"subscribedEvents": [{"eventType": "person.updated", "filter": {"path": []}},
 {"eventType": "person.updated", "filter": {"path": ["a", "b", "c", "d"]}},
 {"eventType": "person.updated", "filter": {"path": "firstName"}},
 {"eventType": "person.updated", "filter": {"path": ["fullName"]}},
 {"eventType": "person.updated", "filter": {"path": ["firstName", "x"]}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues"]}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{secret}}", "Stage"]}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Owner"]}},
 {"eventType": "object.updated", "filter": {"groupId": "{{sales}}", "objectType": "Deals", "path": ["customFieldValues", "Nothing"]}}]}
-- 422 Invalid input
* too_small ["subscribedEvents", 0, "filter", "path"] minimum=1 type=array
* too_big ["subscribedEvents", 1, "filter", "path"] maximum=3 type=array
* invalid_type ["subscribedEvents", 2, "filter", "path"] expected=array
* invalid_enum_value ["subscribedEvents", 3, "filter", "path", 0] received=fullName options=["firstName","lastName","birthday","jobTitle","description","addresses","emails","phones","urls","customFieldValues"]
* custom ["subscribedEvents", 4, "filter", "path"]
* custom ["subscribedEvents", 5, "filter", "path"]
* custom ["subscribedEvents", 6, "filter", "path", 1]
* custom ["subscribedEvents", 7, "filter", "path", 2]
* custom ["subscribedEvents", 8, "filter", "path", 1]
PATCH /v1/webhooks/{{hook}}
{"subscribedEvents": [{"eventType": "person.updated", "filter": {"path": ["description"], "value": "x"}},
 {"eventType": "person.updated", "filter": {"path": ["birthday"], "value": "31.1.1990"}},
 {"eventType": "person.updated", "filter": {"path": ["jobTitle"], "value": 5}},
 {"eventType": "person.updated", "filter": {"path": ["jobTitle"], "value": ["CEO"]}},
 {"eventType": "person.updated", "filter": {"path": ["jobTitle"], "value": null}},
 {"eventType": "person.updated", "filter": {"path": ["emails"], "value": []}},
 {"eventType": "person.updated", "filter": {"path": ["emails"], "value": ["a@example.com", 5]}},
 {"eventType": "company.updated", "filter": {"path": ["fundingRaised"], "value": "much"}},
 {"eventType": "company.updated", "filter": {"path": ["employeeRange"], "value": "many"}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Stage"], "value": "Maybe"}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Tags"], "value": ["A", "C"]}},
 {"eventType": "person.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Score"], "value": "high"}},
 {"eventType": "company.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Owner"], "value": [{"email": "nobody@example.com"}]}},
 {"eventType": "company.updated", "filter": {"path": ["customFieldValues", "{{sales}}", "Owner"], "value": [7]}},
 {"eventType": "object.updated", "filter": {"groupId": "{{sales}}", "objectType": "Deals", "path": ["customFieldValues", "Closing"], "value": "soon"}}]}
-- 422 Invalid input
* custom ["subscribedEvents", 0, "filter", "value"]
* invalid_string ["subscribedEvents", 1, "filter", "value"] validation=date
* invalid_type ["subscribedEvents", 2, "filter", "value"] expected=string
* invalid_type ["subscribedEvents", 3, "filter", "value"] expected=string
* invalid_type ["subscribedEvents", 4, "filter", "value"] expected=string
* too_small ["subscribedEvents", 5, "filter", "value"] minimum=1 type=array
* invalid_type ["subscribedEvents", 6, "filter", "value", 1] expected=string
* invalid_string ["subscribedEvents", 7, "filter", "value"] validation=regex
* invalid_enum_value ["subscribedEvents", 8, "filter", "value"] ...
* custom ["subscribedEvents", 9, "filter", "value"]
* custom ["subscribedEvents", 10, "filter", "value", 1]
* custom ["subscribedEvents", 11, "filter", "value"]
* custom ["subscribedEvents", 12, "filter", "value", 0]
* custom ["subscribedEvents", 13, "filter", "value", 0]
* custom ["subscribedEvents", 14, "filter", "value"]

== filters have a limit together
PATCH /v1/webhooks/{{hook}}
{"subscribedEvents": [{"eventType": "person.updated", "filter": {"path": ["urls"], "value": [<list "https://example.com/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" 100>]}},
 {"eventType": "person.updated", "filter": {"path": ["urls"], "value": [<list "https://example.com/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" 100>]}},
 {"eventType": "person.updated", "filter": {"path": ["urls"], "value": [<list "https://example.com/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" 100>]}},
 {"eventType": "person.updated", "filter": {"path": ["urls"], "value": [<list "https://example.com/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" 100>]}}]}
-- 422 Invalid input
* custom ["subscribedEvents"]

== what names a private group is absent for others
@bob POST /v1/webhooks
{"name": "Bob's", "targetUrl": "http://127.0.0.1:9/bob", "subscribedEvents": [{"eventType": "person.created", "filter": {"groupId": "{{secret}}"}}, {"eventType": "note.created", "filter": {}}]}
-- 200
{"data": {"$webhook": {"createdBy": {{bob}}, "name": "Bob's", "targetUrl": "http://127.0.0.1:9/bob", "signingSecret": "<text>", "subscribedEvents": [{"eventType": "person.created", "filter": {"groupId": "{{secret}}"}}, {"eventType": "note.created", "filter": {}}]}}}
> bobs = data.id
GET /v1/webhooks/{{bobs}} -- 200
{"data": {"$webhook": {"createdBy": {{bob}}, "name": "Bob's", "targetUrl": "http://127.0.0.1:9/bob", "subscribedEvents": [{"eventType": "note.created", "filter": {}}]}}}
@admin GET /v1/webhooks/{{bobs}} -- 200
{"data": {"$webhook": {"createdBy": {{bob}}, "name": "Bob's", "targetUrl": "http://127.0.0.1:9/bob", "subscribedEvents": [{"eventType": "person.created", "filter": {"groupId": "{{secret}}"}}, {"eventType": "note.created", "filter": {}}]}}}

== its creator and admins may change it, others may not
PATCH /v1/webhooks/{{bobs}} {"name": "Mine"}
DELETE /v1/webhooks/{{bobs}}
POST /v1/webhooks/{{bobs}}/rotate-secret
POST /v1/webhooks/{{bobs}}/test
POST /v1/webhooks/{{bobs}}/recover {"since": "2020-01-01T00:00:00Z"}
GET /v1/webhooks/{{bobs}}/deliveries
POST /v1/webhooks/{{bobs}}/deliveries/dlv_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30/retry
@readonly PATCH /v1/webhooks/{{hook}} {"name": "x"}
-- 403
@admin PATCH /v1/webhooks/{{bobs}} {"name": "Renamed"} -- 200
{"data": {"$webhook": {"id": "{{bobs}}", "createdBy": {{bob}}, "name": "Renamed", "targetUrl": "http://127.0.0.1:9/bob", "subscribedEvents": "<array>"}}}
@bob DELETE /v1/webhooks/{{bobs}} -- 200 {"data": {"id": "{{bobs}}"}}
@bob GET /v1/webhooks/{{bobs}}
@bob DELETE /v1/webhooks/{{bobs}}
-- 404

== update
PATCH /v1/webhooks/{{hook}}
{"name": "New", "targetUrl": "http://127.0.0.1:9/new", "subscribedEvents": [{"eventType": "person.deleted", "filter": {"groupId": "{{sales}}"}}]}
-- 200
{"data": {"$webhook": {"id": "{{hook}}", "name": "New", "targetUrl": "http://127.0.0.1:9/new", "subscribedEvents": [{"eventType": "person.deleted", "filter": {"groupId": "{{sales}}"}}], "redactedSigningSecret": "{{redacted}}"}}}
> changed = data
PATCH /v1/webhooks/{{hook}} {} -- 200 {"data": {{changed}}}
PATCH /v1/webhooks/{{hook}} {"name": null, "status": "asleep", "targetUrl": "", "subscribedEvents": []}
-- 422 Invalid input
* invalid_type ["name"] expected=string
* invalid_enum_value ["status"] options=["active","inactive"] received=asleep
* too_small ["targetUrl"] minimum=1 type=string
* too_small ["subscribedEvents"] minimum=1 type=array
PATCH /v1/webhooks/wbk_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30 {"name": "x"}
@other PATCH /v1/webhooks/{{hook}} {"name": "x"}
-- 404

== active and inactive
PATCH /v1/webhooks/{{hook}} {"status": "inactive"} -- 200
{"data": {"$webhook": {"id": "{{hook}}", "name": "New", "targetUrl": "http://127.0.0.1:9/new", "subscribedEvents": "<array>", "status": "inactive"}}}
POST /v1/webhooks/{{hook}}/test
POST /v1/webhooks/{{hook}}/recover {"since": "2020-01-01T00:00:00Z"}
-- 422 Invalid path parameters
* custom ["webhookId"]
PATCH /v1/webhooks/{{hook}} {"status": "active"} -- 200 {"data": {{changed}}}

== a new secret
POST /v1/webhooks/{{hook}}/rotate-secret -- 200
{"data": {"$webhook": {"id": "{{hook}}", "name": "New", "targetUrl": "http://127.0.0.1:9/new", "subscribedEvents": "<array>", "signingSecret": "<not {{signing}}>", "redactedSigningSecret": "<not {{redacted}}>"}}}
> signing = data.signingSecret
GET /v1/webhooks/{{hook}} -- 200
{"data": {"$webhook": {"id": "{{hook}}", "name": "New", "targetUrl": "http://127.0.0.1:9/new", "subscribedEvents": "<array>", "redactedSigningSecret": "<starts whsec_*****>"}}}
POST /v1/webhooks/{{hook}}/rotate-secret {"signingSecret": "mine"} -- 422 Invalid input
* unrecognized_keys [] keys=["signingSecret"]
POST /v1/webhooks/wbk_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30/rotate-secret -- 404

== with an idempotency key the secret is not answered again
POST /v1/webhooks
Idempotency-Key: hook-1
{"name": "Hook", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [{"eventType": "person.created", "filter": {}}]}
-- 200 {"data": {"$webhook": {"signingSecret": "<starts whsec_>"}}}
> keyed_id = data.id
POST /v1/webhooks
Idempotency-Key: hook-1
{"name": "Hook", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [{"eventType": "person.created", "filter": {}}]}
-- 200 (Idempotent-Replayed: true) {"data": {"$webhook": {"id": "{{keyed_id}}", "signingSecret": null}}}
POST /v1/webhooks
Idempotency-Key: hook-1
{"name": "Other", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [{"eventType": "person.created", "filter": {}}]}
-- 422 IDEMPOTENCY_KEY_REUSED
POST /v1/webhooks/{{keyed_id}}/rotate-secret (Idempotency-Key: rotate-1)
-- 200 {"data": {"$webhook": {"id": "{{keyed_id}}", "signingSecret": "<starts whsec_>"}}}
POST /v1/webhooks/{{keyed_id}}/rotate-secret (Idempotency-Key: rotate-1) -- 200 (Idempotent-Replayed: true)
{"data": {"$webhook": {"id": "{{keyed_id}}", "signingSecret": null}}}
POST /v1/webhooks/{{keyed_id}}/rotate-secret (Idempotency-Key: rotate-3)
-- 200 {"data": {"$webhook": {"id": "{{keyed_id}}", "signingSecret": "<starts whsec_>"}}}
POST /v1/webhooks/wbk_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30/rotate-secret (Idempotency-Key: rotate-2) -- 404
POST /v1/webhooks/wbk_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30/rotate-secret (Idempotency-Key: rotate-2) -- 404
Idempotent-Replayed: true

== a test event, its delivery, and sending it again
POST /v1/webhooks/{{hook}}/test -- 200 {"data": {"$delivery": {}}}
> test = data.id
> test_event = data.eventId
GET /v1/webhooks/{{hook}}/deliveries
-- 200 {"data": {"items": [{"$delivery": {"id": "{{test}}", "eventId": "{{test_event}}"}}], "pagination": {}}}
POST /v1/webhooks/{{hook}}/deliveries/{{test}}/retry
-- 200 {"data": {"$delivery": {"id": "{{test}}", "eventId": "{{test_event}}"}}}
@repeat 2 POST /v1/webhooks/{{hook}}/test -- 200 {"data": {"$delivery": {}}}
> last = data.id
GET /v1/webhooks/{{hook}}/deliveries?limit=1&sort=-createdAt -- 200
{"data": {"items": [{"$delivery": {"id": "{{last}}"}}], "pagination": {"nextLink": "<link {{base}}/v1/webhooks/{{hook}}/deliveries?sort=-createdAt&limit=1>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"$delivery": {}}], "pagination": {"nextLink": "<link {{base}}/v1/webhooks/{{hook}}/deliveries?sort=-createdAt&limit=1>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"$delivery": {"id": "{{test}}"}}], "pagination": {}}}
GET /v1/webhooks/{{hook}}/deliveries?state=pending&limit=1 -- 200
{"data": {"items": [{"$delivery": {"id": "{{test}}"}}], "pagination": {"nextLink": "<link {{base}}/v1/webhooks/{{hook}}/deliveries?state=pending&limit=1>"}}}
GET /v1/webhooks/{{hook}}/deliveries?state=delivered -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/webhooks/{{hook}}/deliveries?state=lost&sort=updatedAt -- 422 Invalid query parameters
* invalid_enum_value ["state"] options=["pending","delivered","failed","cancelled"] received=lost
* invalid_enum_value ["sort"] options=["createdAt","-createdAt"] received=updatedAt
POST /v1/webhooks/{{hook}}/deliveries/dlv_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30/retry
POST /v1/webhooks/{{second}}/deliveries/{{test}}/retry
@other POST /v1/webhooks/{{hook}}/deliveries/{{test}}/retry
@other GET /v1/webhooks/{{hook}}/deliveries
-- 404

== a delivery with what is posted
@poll 5 GET /v1/webhooks/{{hook}}/deliveries/{{test}} -- 200
{"data": {"$delivery": {"id": "{{test}}", "eventId": "{{test_event}}", "attempts": [{"at": "<time>", "durationMs": "<int>", "statusCode": null, "error": "<text>"}, "..."], "body": "<starts {\"id\":\"{{test_event}}\",\"type\":\"webhook.test\">", "webhookTimestamp": "<digits>", "webhookSignature": "<starts v1,>"}}}
GET /v1/webhooks/{{hook}}/deliveries/{{test}} -- 200
{"data": {"body": "<has \"actor\":{\"type\":\"user\",\"id\":\"{{ada_id}}\",\"fullName\":\"Ada Lovelace\",\"keyId\":\"{{ada_key_id}}\",\"keyName\":\"test\",\"via\":\"api\"}>", "...": 0}}
GET /v1/webhooks/{{second}}/deliveries/{{test}}
GET /v1/webhooks/{{hook}}/deliveries/dlv_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30
-- 404
@bob GET /v1/webhooks/{{hook}}/deliveries/{{test}} -- 403
@other GET /v1/webhooks/{{hook}}/deliveries/{{test}} -- 404

== how webhooks do is for their creators and admins
@poll 30 GET /v1/webhooks/health?limit=1 -- 200
{"data": {"items": [{"id": "{{hook}}", "state": "failing", "failingSince": "<time>", "lagSeconds": "<int>", "pending": 3, "lastDeliveredAt": null, "lastFailedAt": "<time>", "lastError": "<text>"}], "pagination": {"nextLink": "<link {{base}}/v1/webhooks/health?limit=1>"}}}
@admin GET /v1/webhooks/health?limit=1
-- 200 {"data": {"items": [{"id": "{{hook}}", "...": 0}], "pagination": "<object>"}}
@other GET /v1/webhooks/health -- 200 {"data": {"items": [], "pagination": {}}}
@other POST /v1/webhooks/{{hook}}/test -- 404
POST /v1/webhooks/{{hook}}/deliveries/dlv_1/retry -- 422 Invalid path parameters
* too_small ["deliveryId"] minimum=40 type=string exact=true

== recover counts what the webhook subscribes to
POST /v1/webhooks
{"name": "Hook", "targetUrl": "http://127.0.0.1:9/hook", "subscribedEvents": [{"eventType": "person.updated", "filter": {"path": ["jobTitle"], "value": "CEO"}}, {"eventType": "person.created", "filter": {"groupId": "{{sales}}"}}]}
-- 200 {"data": {"$webhook": {"signingSecret": "<text>", "subscribedEvents": "<array>"}}}
> counted = data.id
> since = data.createdAt
POST /v1/webhooks/{{counted}}/recover {"since": "{{since}}"} -- 200 {"data": {"count": 0}}
POST /v1/people {"firstName": "Ann", "groups": [{"id": "{{sales}}"}]} -- 200
{"data": {"$person": {"firstName": "Ann", "fullName": "Ann", "groups": [{"id": "{{sales}}", "name": "Sales"}], "customFieldValues": "<object>"}}}
> ann = data.id
POST /v1/people {"firstName": "Ben"} -- 200 {"data": {"$person": {"firstName": "Ben", "fullName": "Ben"}}}
PATCH /v1/people/{{ann}} {"jobTitle": "CTO"}
PATCH /v1/people/{{ann}} {"jobTitle": "CEO"}
-- 200 {"data": "<any>"}
# Deliveries with failed attempts that will be repeated are not counted.
POST /v1/webhooks/{{counted}}/recover {"since": "{{since}}"} -- 200 {"data": {"count": "<int>"}}
@rows body issue
| {}                                | required ["since"] expected=string           |
| {"since": "yesterday"}            | invalid_string ["since"] validation=datetime |
| {"since": "2020-01-01T00:00:00Z"} | custom ["since"]                             |
| {"since": "2099-01-01T00:00:00Z"} | custom ["since"]                             |
POST /v1/webhooks/{{counted}}/recover
{{body}}
-- 422 Invalid input
* {{issue}}
@end
@other POST /v1/webhooks/{{counted}}/recover {"since": "{{since}}"} -- 404

== a workspace has at most 100
@repeat 100 @other POST /v1/webhooks
{"name": "{{n}}", "targetUrl": "http://127.0.0.1:9/", "subscribedEvents": [{"eventType": "note.created"}]}
-- 200 {"data": "<object>"}
@other POST /v1/webhooks
{"name": "x", "targetUrl": "http://127.0.0.1:9/", "subscribedEvents": [{"eventType": "note.created"}]}
-- 422 Invalid input
* custom []
