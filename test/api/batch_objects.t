# Objects in batch: create, update, delete.
# ada is the groups' admin, bob an unlisted user, carol a reader, dave an outsider of the private group.
@users carol dave

== a group with two types and fields, contacts in and out of it
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
POST /v1/groups/{{g}}/members {"id": "{{carol_id}}", "role": "reader"} -- 200
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}
@rows target value
| {{g}}/object-types       | "Deal"                                                                            |
| {{g}}/object-types       | "Job / é.1"                                                                       |
| {{g2}}/object-types      | "Deal"                                                                            |
| {{g}}/custom-fields/Deal | "Value", "type": "numericField"                                                   |
| {{g}}/custom-fields/Deal | "Stage", "type": "singleSelect", "options": [{"label": "Open"}, {"label": "Won"}] |
| {{g}}/custom-fields/Deal | "Owner", "type": "userField"                                                      |
| {{g}}/custom-fields/Deal | "Note", "type": "textField"                                                       |
POST /v1/groups/{{target}} {"name": {{value}}} -- 200
@end
@make ann POST /v1/people {"firstName": "Ann", "groups": [{"id": "{{g}}"}]}
@make far POST /v1/people {"firstName": "Far"}
@make acme POST /v1/companies {"name": "Acme", "groups": [{"id": "{{g}}"}]}
@make job POST /v1/groups/{{g}}/Job%20%2F%20%C3%A9.1 {"name": "Job"}
@make elsewhere POST /v1/groups/{{g2}}/Deal {"name": "Elsewhere"}

# --- the envelope

== an empty batch does nothing
@each create update delete
POST /v1/groups/{{g}}/Deal/batch/{{each}} {"records": []} -- 200 {"data": {"results": []}}

== an unknown type refuses the whole: the message names it and the group's types
@rows target body answer
| Nope/batch/create | {"name": "x"}     | "<has Nope>"      |
| Nope/batch/update | {"id": "{{job}}"} | "<has Deal>"      |
| deal/batch/delete | {"id": "{{job}}"} | "<has Job / é.1>" |
POST /v1/groups/{{g}}/{{target}} {"records": [{{body}}]} -- 404 {"error": {"message": {{answer}}, "...": 0}}
@end
POST /v1/groups/{{g}}/Nope/batch/update {"records": [{"id": "x"}]} -- 422 Invalid input
* too_small ["records", 0, "id"] minimum=40 type=string exact=true

== other operations and methods are not there
POST /v1/groups/{{g}}/Deal/batch/merge {"records": []} -- 404
GET /v1/groups/{{g}}/Deal/batch/create -- 405 (Allow: <has POST>)

== a malformed or unknown group
POST /v1/groups/grp_1/Deal/batch/create {"records": []} -- 422 Invalid path parameters
* too_small ["groupId"] minimum=40 type=string exact=true
POST /v1/groups/grp_00000000-0000-7000-8000-000000000000/Deal/batch/create {"records": [{}]} -- 404
> missing = error.message
POST /v1/groups/{{g}}/<repeat n 501>/batch/update {"records": []} -- 422 Invalid path parameters
* too_big ["objectType"] maximum=500 type=string

== a hidden group
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{secret}}/object-types {"name": "Plan"} -- 200
POST /v1/groups/{{secret}}/Plan/batch/create {"records": [{"name": "Plan 1"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"$object": {"name": "Plan 1"}}}]}}
> plan = data.results.0.data.id
@dave POST /v1/groups/{{secret}}/Plan/batch/create {"records": [{"name": "x"}]}
-- 404 {"error": {"message": "{{missing}}", "...": 0}}
@rows key target body
| dave  | {{secret}}/Plan/batch/update | {"id": "{{plan}}", "name": "x"} |
| dave  | {{secret}}/Plan/batch/delete | {"id": "{{plan}}"}              |
| other | {{g}}/Deal/batch/create      | {"name": "x"}                   |
@{{key}} POST /v1/groups/{{target}} {"records": [{{body}}]} -- 404

# --- create

== results come in the order of the records, with the warnings of each
POST /v1/groups/{{g}}/Deal/batch/create
{"records": [{"name": "D1", "people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Value": 1.50, "Stage": "Open"}}, {},
	{"name": "D3", "companies": [{"id": "com_00000000-0000-7000-8000-000000000000"}], "people": [{"id": "{{far}}"}, {"id": "{{ann}}"}], "customFieldValues": {"Owner": [{"email": "nobody@example.com"}, {"email": "bob@example.com"}]}}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"$object": {"name": "D1", "people": [{"id": "{{ann}}", "fullName": "Ann"}], "companies": [{"id": "{{acme}}", "name": "Acme"}],
		"customFieldValues": {"Value": "1.5", "Stage": "Open", "Owner": null, "Note": null}}}},
	{"status": "succeeded", "data": {"$object": {"customFieldValues": {"Value": null, "Stage": null, "Owner": null, "Note": null}}}},
	{"status": "succeeded", "data": {"$object": {"name": "D3", "people": [{"id": "{{ann}}", "fullName": "Ann"}],
		"customFieldValues": {"Value": null, "Stage": null, "Owner": [{{bob}}], "Note": null}}},
		"warnings": [{"code": "reference_not_found", "path": ["..."], "message": "<has com_00000000-0000-7000-8000-000000000000>"}, {"code": "reference_outside_group", "path": ["..."], "message": "<has {{far}}>"}, {"code": "value_not_set", "path": ["..."], "message": "<has nobody@example.com>"}]}]}}
> d1 = data.results.0.data.id
> d1_whole = data.results.0.data
> d2 = data.results.1.data.id
> d3 = data.results.2.data.id
GET /v1/groups/{{g}}/Deal/{{d1}} -- 200 {"data": {{d1_whole}}}

== a record that cannot be applied fails by itself
POST /v1/groups/{{g}}/Deal/batch/create
{"records": [{"customFieldValues": {"Nope": 1}}, {"name": "Good"}, {"customFieldValues": {"Stage": "Lost"}}, {"customFieldValues": {"Value": "much"}}]}
-- 200
{"data": {"results": [{"$invalid": {}}, {"status": "succeeded", "data": {"name": "Good", "...": 0}}, {"$invalid": {}}, {"$invalid": {}}]}}
GET /v1/groups/{{g}}/Deal?count=exact&limit=100 -- 200
{"data": {"items": [{"id": "{{d1}}", "...": 0}, "<object>", "<object>", {"name": "Good", "...": 0}], "pagination": {"count": 4}}}

== a record of the wrong shape refuses the whole
POST /v1/groups/{{g}}/Deal/batch/create
{"records": [{"name": "Must not be"}, {"name": "<repeat n 1001>"}, {"people": [{"id": "x"}], "foo": 1}, {"id": "{{d1}}"}, {"customFieldValues": {"Note": "<repeat n 5001>"}}, [],
	{"people": [<list {"id": "{{ann}}"} 21>]}, {"name": null}]}
-- 422 Invalid input
* too_big ["records", 1, "name"] maximum=1000 type=string
* too_small ["records", 2, "people", 0, "id"] minimum=40 type=string exact=true
* unrecognized_keys ["records", 2] keys=["foo"]
* unrecognized_keys ["records", 3] keys=["id"]
* too_big ["records", 4, "customFieldValues", "Note"] maximum=5000 type=string
* invalid_type ["records", 5] expected=object received=array
* too_big ["records", 6, "people"] maximum=20 type=array
* invalid_type ["records", 7, "name"] expected=string received=null
GET /v1/groups/{{g}}/Deal?count=exact&limit=1
-- 200 {"data": {"items": ["<object>"], "pagination": {"count": 4, "nextLink": "<text>"}}}

== a hundred, and one more
POST /v1/groups/{{g}}/Job%20%2F%20%C3%A9.1/batch/create {"records": [<list {"name": "Job {n}"} 100>]}
-- 200 {"data": {"results": [<list {"status": "succeeded", "data": {"$object": {"name": "Job {n}"}}} 100>]}}
> j1 = data.results.0.data.id
> j100 = data.results.99.data.id
POST /v1/groups/{{g}}/Job%20%2F%20%C3%A9.1/batch/create {"records": [<list {"name": "Job {n}"} 101>]}
-- 422 Invalid input
* too_big ["records"] maximum=100 type=array
GET /v1/groups/{{g}}/Job%20%2F%20%C3%A9.1?count=exact&limit=1
-- 200 {"data": {"items": [{"id": "{{job}}", "...": 0}], "pagination": {"count": 101, "nextLink": "<text>"}}}

# --- update

== each record changes what it names
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{d2}}", "name": "D2", "people": [{"id": "{{ann}}"}]}, {"id": "{{d1}}", "companies": [], "customFieldValues": {"Value": null, "Note": "n"}}, {"id": "{{d3}}"}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"$object": {"id": "{{d2}}", "name": "D2", "people": [{"id": "{{ann}}", "fullName": "Ann"}], "customFieldValues": {"Value": null, "Stage": null, "Owner": null, "Note": null}}}},
	{"status": "succeeded", "data": {"$object": {"id": "{{d1}}", "name": "D1", "people": [{"id": "{{ann}}", "fullName": "Ann"}], "customFieldValues": {"Value": null, "Stage": "Open", "Owner": null, "Note": "n"}}}},
	{"status": "succeeded", "data": {"id": "{{d3}}", "name": "D3", "...": 0}}]}}
> d1_whole = data.results.1.data
GET /v1/groups/{{g}}/Deal/{{d1}} -- 200 {"data": {{d1_whole}}}

== an object of another type or group is not found
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{job}}", "name": "x"}, {"id": "{{elsewhere}}", "name": "x"}, {"id": "obj_00000000-0000-7000-8000-000000000000"}, {"id": "{{ann}}"}, {"id": "{{plan}}"}, {"id": "{{d3}}", "name": "D3 new"}]}
-- 200
{"data": {"results": [{"$not_found": {}}, {"$not_found": {}}, {"$not_found": {}}, {"$not_found": {}}, {"$not_found": {}}, {"status": "succeeded", "data": {"name": "D3 new", "...": 0}}]}}
GET /v1/groups/{{g2}}/Deal/{{elsewhere}} -- 200 {"data": {"name": "Elsewhere", "...": 0}}

== warnings name people, companies and values that could not be set
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{d1}}", "people": [{"id": "{{far}}"}]}, {"id": "{{d2}}", "name": "D2"}, {"id": "{{d3}}", "companies": [{"id": "{{acme}}"}, {"id": "{{ann}}"}], "customFieldValues": {"Owner": [{"id": "{{other_id}}"}]}}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"id": "{{d1}}", "people": [], "...": 0}, "warnings": [{"code": "reference_outside_group", "path": ["..."], "message": "<has {{far}}>"}]},
	{"status": "succeeded", "data": {"id": "{{d2}}", "...": 0}},
	{"status": "succeeded", "data": {"id": "{{d3}}", "companies": [{"id": "{{acme}}", "name": "Acme"}], "customFieldValues": {"Owner": null, "...": 0}, "...": 0},
		"warnings": [{"code": "reference_not_found", "path": ["..."], "message": "<has {{ann}}>"}, {"code": "value_not_set", "path": ["..."], "message": "<has {{other_id}}>"}]}]}}

== records for the same object are merged: last wins, values field by field
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{d1}}", "name": "First", "customFieldValues": {"Value": 1, "Stage": "Open"}}, {"id": "{{d2}}", "name": "Between"},
	{"id": "{{d1}}", "customFieldValues": {"Value": 2, "Note": "second"}, "people": [{"id": "{{ann}}"}]}, {"id": "{{d1}}", "name": "Last"}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"id": "{{d1}}", "name": "Last", "people": [{"id": "{{ann}}", "fullName": "Ann"}], "customFieldValues": {"Value": "2", "Stage": "Open", "Owner": null, "Note": "second"}, "...": 0}},
	{"status": "succeeded", "data": {"id": "{{d2}}", "name": "Between", "...": 0}},
	{"status": "succeeded", "data": {"id": "{{d1}}", "name": "Last", "people": [{"id": "{{ann}}", "fullName": "Ann"}], "customFieldValues": {"Value": "2", "Stage": "Open", "Owner": null, "Note": "second"}, "...": 0}},
	{"status": "succeeded", "data": {"id": "{{d1}}", "name": "Last", "people": [{"id": "{{ann}}", "fullName": "Ann"}], "customFieldValues": {"Value": "2", "Stage": "Open", "Owner": null, "Note": "second"}, "...": 0}}]}}
> merged = data.results.3.data
GET /v1/groups/{{g}}/Deal/{{d1}} -- 200 {"data": {{merged}}}

== one invalid value fails every record of that object, earlier ones too
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{d1}}", "name": "Not this"}, {"id": "{{d2}}", "name": "This"}, {"id": "{{d1}}", "customFieldValues": {"Stage": "Lost"}}, {"id": "{{d1}}", "name": "Nor this"}]}
-- 200
{"data": {"results": [{"$invalid": {}}, {"status": "succeeded", "data": {"id": "{{d2}}", "name": "This", "...": 0}}, {"$invalid": {}}, {"$invalid": {}}]}}
GET /v1/groups/{{g}}/Deal/{{d1}} -- 200 {"data": {{merged}}}

== a value that is overwritten in the merge does not count
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{d1}}", "customFieldValues": {"Stage": "Lost", "Value": "much"}}, {"id": "{{d1}}", "customFieldValues": {"Stage": "Won", "Value": 3}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"customFieldValues": {"Value": "3", "Stage": "Won", "Owner": null, "Note": "second"}, "...": 0}}, {"status": "succeeded", "data": {"customFieldValues": {"Stage": "Won", "...": 0}, "...": 0}}]}}

== an update of the wrong shape refuses the whole
POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{d1}}", "name": "Must not be"}, {"name": "x"}, {"id": "obj_1"}, {"id": "{{d1}}", "createdAt": "x"}, {"id": "{{d1}}", "customFieldValues": {"Owner": [{"email": "<repeat e 255>"}]}}]}
-- 422 Invalid input
* required ["records", 1, "id"] expected=string
* too_small ["records", 2, "id"] minimum=40 type=string exact=true
* unrecognized_keys ["records", 3] keys=["createdAt"]
* too_big ["records", 4, "customFieldValues", "Owner", 0, "email"] maximum=254 type=string
POST /v1/groups/{{g}}/Deal/batch/update {"records": [<list {"id": "{{d1}}"} 101>]} -- 422 Invalid input
* too_big ["records"] maximum=100 type=array
POST /v1/groups/{{g}}/Deal/batch/update {"records": {}, "type": "Deal"} -- 422 Invalid input
* invalid_type ["records"] expected=array received=object
* unrecognized_keys [] keys=["type"]
GET /v1/groups/{{g}}/Deal/{{d1}} -- 200 {"data": {"name": "Last", "...": 0}}

== the type's name is encoded in the path
POST /v1/groups/{{g}}/Job%20%2F%20%C3%A9%2E1/batch/update {"records": [{"id": "{{job}}", "name": "Job new"}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"$object": {"id": "{{job}}", "name": "Job new"}}}]}}

# --- rights

== of a reader every record fails
@rows target body answer
| create | {"name": "x"}, {}                               | {"$forbidden": {}}, {"$forbidden": {}} |
| update | {"id": "{{d1}}", "name": "x"}, {"id": "{{d2}}"} | {"$forbidden": {}}, {"$forbidden": {}} |
| delete | {"id": "{{d1}}"}                                | {"$forbidden": {}}                     |
@carol POST /v1/groups/{{g}}/Deal/batch/{{target}} {"records": [{{body}}]} -- 200 {"data": {"results": [{{answer}}]}}

== and of a read-only key
@readonly POST /v1/groups/{{g}}/Deal/batch/create {"records": [{"name": "x"}]}
-- 200 {"data": {"results": [{"$forbidden": {}}]}}
@readonly POST /v1/groups/{{g}}/Deal/batch/update
{"records": [{"id": "{{d1}}", "name": "x"}, {"id": "{{d2}}", "name": "x"}, {"id": "{{d1}}", "name": "y"}]}
-- 200 {"data": {"results": [{"$forbidden": {}}, {"$forbidden": {}}, {"$forbidden": {}}]}}
@readonly POST /v1/groups/{{g}}/Deal/batch/delete {"records": [{"id": "{{d1}}"}]}
-- 200 {"data": {"results": [{"$forbidden": {}}]}}
@readonly POST /v1/groups/{{g}}/Deal/batch/delete {"records": []} -- 200 {"data": {"results": []}}
@readonly POST /v1/groups/{{g}}/Deal/batch/update {"records": [{"id": "x"}]} -- 422 Invalid input
* too_small ["records", 0, "id"] minimum=40 type=string exact=true
GET /v1/groups/{{g}}/Deal/{{d1}} -- 200 {"data": {"name": "Last", "...": 0}}

== a user who is not listed may
@bob POST /v1/groups/{{g}}/Deal/batch/update {"records": [{"id": "{{d3}}", "name": "Bob's"}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"name": "Bob's", "createdBy": {{ada}}, "...": 0}}]}}

# --- delete

== delete: the second of the same is not found
POST /v1/groups/{{g}}/Deal/batch/delete
{"records": [{"id": "{{d1}}"}, {"id": "{{job}}"}, {"id": "{{d1}}"}, {"id": "{{elsewhere}}"}, {"id": "{{d2}}"}, {"id": "obj_00000000-0000-7000-8000-000000000000"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{d1}}"}}, {"$not_found": {}}, {"$not_found": {}}, {"$not_found": {}}, {"status": "succeeded", "data": {"id": "{{d2}}"}}, {"$not_found": {}}]}}
GET /v1/groups/{{g}}/Deal/{{d1}} -- 404
GET /v1/groups/{{g}}/Job%20%2F%20%C3%A9.1/{{job}} -- 200
POST /v1/groups/{{g}}/Deal/batch/delete {"records": [{"id": "{{d3}}"}, {"id": "{{d3}}", "name": "x"}, {}]}
-- 422 Invalid input
* unrecognized_keys ["records", 1] keys=["name"]
* required ["records", 2, "id"] expected=string
GET /v1/groups/{{g}}/Deal/{{d3}} -- 200

# --- idempotency, limits

== a retry gets every result again, warnings and failures too
POST /v1/groups/{{g}}/Deal/batch/update
Idempotency-Key: objects-1
{"records": [{"id": "{{d3}}", "people": [{"id": "{{far}}"}]}, {"id": "{{d1}}", "name": "gone"}]}
-- 200 (!Idempotent-Replayed)
{"data": {"results": [{"status": "succeeded", "data": "<object>", "warnings": ["<object>"]}, {"$not_found": {}}]}}
> whole = data
POST /v1/groups/{{g}}/Deal/batch/update
Idempotency-Key: objects-1
{"records": [{"id": "{{d3}}", "people": [{"id": "{{far}}"}]}, {"id": "{{d1}}", "name": "gone"}]}
-- 200 (Idempotent-Replayed: true) {"data": {{whole}}}
POST /v1/groups/{{g2}}/Deal/batch/update
Idempotency-Key: objects-1
{"records": [{"id": "{{d3}}", "people": [{"id": "{{far}}"}]}, {"id": "{{d1}}", "name": "gone"}]}
-- 422 IDEMPOTENCY_KEY_REUSED

== the 404 of a type is kept too
POST /v1/groups/{{g}}/Later/batch/create (Idempotency-Key: objects-2) {"records": []} -- 404
> error = error
POST /v1/groups/{{g}}/object-types {"name": "Later"} -- 200
POST /v1/groups/{{g}}/Later/batch/create (Idempotency-Key: objects-2) {"records": []} -- 404 (Idempotent-Replayed: true)
> again = error.requestId

== an answer of more than 1 MiB is not kept
PATCH /v1/groups/{{g}}/Deal/{{d3}} {"customFieldValues": {"Note": "<repeat 😀 5000>"}} -- 200
POST /v1/groups/{{g}}/Deal/batch/update
Idempotency-Key: objects-3
{"records": [<list {"id": "{{d3}}", "name": "{n}"} 100>]}
-- 200 (!Idempotent-Replayed)
POST /v1/groups/{{g}}/Deal/batch/update
Idempotency-Key: objects-3
{"records": [<list {"id": "{{d3}}", "name": "{n}"} 100>]}
-- 422 IDEMPOTENCY_RESPONSE_NOT_STORED
GET /v1/groups/{{g}}/Deal/{{d3}} -- 200 {"data": {"name": "100", "...": 0}}

== a body of 8 MiB, and one byte more; the single endpoints keep to 1 MiB
POST /v1/groups/{{g}}/Deal/batch/create {"records": []<repeat \s 8388593>} -- 200 {"data": {"results": []}}
POST /v1/groups/{{g}}/Deal/batch/create {"records": []<repeat \s 8388594>} -- 413
POST /v1/groups/{{g}}/Deal {<repeat \s 1048574>} -- 200
POST /v1/groups/{{g}}/Deal {<repeat \s 1048575>} -- 413
