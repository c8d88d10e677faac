# Batches that create or update: people, companies, objects.
# ada is the groups' admin, bob an unlisted user, carol a reader of the first group.
@users carol

== groups, fields, companies to work with
@make g1 POST /v1/groups {"name": "First", "visibility": "public"}
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
@rows target body
| {{g1}}/members                  | {"id": "{{carol_id}}", "role": "reader"}                                                                |
| {{g1}}/custom-fields/person     | {"name": "Code.1", "type": "textField"}                                                                 |
| {{g1}}/custom-fields/person     | {"name": "Number", "type": "numericField"}                                                              |
| {{g1}}/custom-fields/person     | {"name": "Day", "type": "dateField"}                                                                    |
| {{g1}}/custom-fields/person     | {"name": "Many", "type": "multipleSelect", "options": [{"label": "A"}, {"label": "B"}, {"label": "C"}]} |
| {{g1}}/custom-fields/person     | {"name": "Who", "type": "contactField"}                                                                 |
| {{secret}}/custom-fields/person | {"name": "Code", "type": "textField"}                                                                   |
| {{g1}}/object-types             | {"name": "deal"}                                                                                        |
| {{g1}}/custom-fields/deal       | {"name": "Code", "type": "textField"}                                                                   |
| {{g1}}/custom-fields/deal       | {"name": "Many", "type": "multipleSelect", "options": [{"label": "A"}, {"label": "B"}]}                 |
POST /v1/groups/{{target}}
{{body}}
-- 200
@end
@make acme POST /v1/companies {"name": "Acme"}

# --- the body

== an empty batch does nothing
POST /v1/people/batch/upsert {"match": "emails", "records": []} -- 200 {"data": {"results": []}}

== what the body must be
POST /v1/people/batch/upsert {}
POST /v1/people/batch/upsert
-- 422 Invalid input
* required ["records"] expected=array
* required ["match"] expected=string
POST /v1/people/batch/upsert
[]
-- 422 Invalid input
* invalid_type [] received=array
POST /v1/people/batch/upsert {"match": 5, "records": [{"id": "{{acme}}", "firstName": 1}], "foo": 1}
-- 422 Invalid input
* invalid_type ["match"] expected=string received=number
* invalid_type ["records", 0, "firstName"] expected=string received=number
* unrecognized_keys ["records", 0] keys=["id"]
* unrecognized_keys [] keys=["foo"]
POST /v1/people/batch/upsert {"records": [5], "match": "name"} -- 422 Invalid input
* invalid_type ["records", 0] expected=object received=number
* invalid_enum_value ["match"] received=name options=["emails", "phones", "urls", "fullName"]
@rows target value issue
| companies | "fullName", "records": [] | invalid_enum_value ["match"] received=fullName options=["emails", "phones", "urls", "name"] |
| groups/{{g1}}/deal | "emails", "records": [] | invalid_enum_value ["match"] received=emails options=["name"] |
| people | "emails", "records": [<list {} 101>] | too_big ["records"] maximum=100 type=array |
POST /v1/{{target}}/batch/upsert {"match": {{value}}} -- 422 Invalid input
* {{issue}}

== custom fields that cannot be matched by
@rows target value
| people             | "customFieldValues.{{g1}}.None"   |
| people             | "customFieldValues.Code.1"        |
| people             | "customFieldValues.{{g1}}.Many"   |
| people             | "customFieldValues.{{g1}}.Who"    |
| companies          | "customFieldValues.{{g1}}.Number" |
| groups/{{g1}}/deal | "customFieldValues.{{g1}}.Code"   |
POST /v1/{{target}}/batch/upsert {"match": {{value}}, "records": []} -- 422 Invalid input
* custom ["match"]

== a field that the caller may not see is an unknown one
@bob POST /v1/people/batch/upsert {"match": "customFieldValues.{{secret}}.Code", "records": []} -- 422 Invalid input
* custom ["match"]
POST /v1/people/batch/upsert {"match": "customFieldValues.{{secret}}.Code", "records": []} -- 200

== who may
@readonly POST /v1/people/batch/upsert {"match": "emails", "records": [{"emails": ["x@readonly"]}]} -- 403
@none POST /v1/people/batch/upsert {"match": "emails", "records": []} -- 401
POST /v1/groups/{{g1}}/none/batch/upsert {"match": "name", "records": []}
@bob POST /v1/groups/{{secret}}/deal/batch/upsert {"match": "customFieldValues.Code", "records": []}
-- 404

# --- people

== nobody: created; the same again: unchanged
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"firstName": "Ann", "emails": ["Ann@One.example", "ann@two.example"], "groups": [{"id": "{{g1}}"}],
	"customFieldValues": {"{{g1}}": {"Many": ["A"], "Number": 5}}, "companies": [{"name": "Acme"}]}, {"firstName": "Bo", "emails": ["bo@one.example"]}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "created", "data": {"$person": {"firstName": "Ann", "fullName": "Ann", "emails": ["Ann@One.example", "ann@two.example"],
		"groups": [{"id": "{{g1}}", "name": "First"}], "companies": [{"id": "{{acme}}", "name": "Acme"}],
		"customFieldValues": {"{{g1}}": {"Code.1": null, "Number": "5", "Day": null, "Many": ["A"], "Who": null}}}}},
	{"status": "succeeded", "operation": "created", "data": {"$person": {"firstName": "Bo", "fullName": "Bo", "emails": ["bo@one.example"]}}}]}}
> ann = data.results.0.data.id
> ann_whole = data.results.0.data
> bo = data.results.1.data.id
> bo_whole = data.results.1.data
@poll 5 GET /v1/events?record={{bo}} -- 200 {"data": {"items": [{"type": "person.created", "...": 0}], "...": 0}}
GET /v1/events?limit=100 -- 200
> cursor = data.cursor
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"firstName": "Ann", "emails": ["Ann@One.example", "ann@two.example"], "groups": [{"id": "{{g1}}"}],
	"customFieldValues": {"{{g1}}": {"Many": ["A"], "Number": 5}}, "companies": [{"name": "Acme"}]}, {"firstName": "Bo", "emails": ["bo@one.example"]}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "unchanged", "data": {{ann_whole}}},
	{"status": "succeeded", "operation": "unchanged", "data": {{bo_whole}}}]}}
GET /v1/events?after={{cursor}} -- 200 {"data": {"items": [], "cursor": "<string>", "pagination": {}}}
GET /v1/people/{{ann}} -- 200 {"data": {{ann_whole}}}

== e-mail addresses in any case; scalars replace, absent items are appended, groups and values added
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"lastName": "Lee", "jobTitle": "CEO", "emails": ["ANN@one.EXAMPLE", "ann@three.example", "Ann@Two.example"], "phones": ["+1 (23) 45"],
	"addresses": ["Here"], "urls": ["https://a.example"], "groups": [{"id": "{{g2}}"}], "companies": [{"name": "Other"}],
	"customFieldValues": {"{{g1}}": {"Many": ["B", "A"], "Code.1": "x-1", "Who": [{"id": "{{bo}}"}]}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"$person": {"id": "{{ann}}", "firstName": "Ann", "lastName": "Lee", "fullName": "Ann Lee",
	"jobTitle": "CEO", "emails": ["Ann@One.example", "ann@two.example", "ann@three.example"], "phones": ["+1 (23) 45"], "addresses": ["Here"], "urls": ["https://a.example"],
	"groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{g2}}", "name": "Second"}], "companies": [{"id": "{{acme}}", "name": "Acme"}, {"id": "<com>", "name": "Other"}],
	"customFieldValues": {"{{g1}}": {"Code.1": "x-1", "Number": "5", "Day": null, "Many": ["A", "B"], "Who": [{"id": "{{bo}}", "fullName": "Bo", "entityType": "person"}]}}}}}]}}
> ann_whole = data.results.0.data
POST /v1/people/batch/upsert
{"match": "phones", "records": [{"phones": ["12345", "12-3 45"], "emails": ["ANN@THREE.EXAMPLE"], "customFieldValues": {"{{g1}}": {"Many": [], "Who": null}}, "groups": [], "companies": []}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": {{ann_whole}}}]}}

== by each other field
POST /v1/people/batch/upsert {"match": "urls", "records": [{"urls": ["https://a.example"]}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": {{ann_whole}}}]}}
POST /v1/people/batch/upsert
{"match": "fullName", "records": [{"fullName": "Ann Lee"}, {"firstName": "Ann", "lastName": "Lee"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": {{ann_whole}}}, {"status": "succeeded", "operation": "unchanged", "data": {{ann_whole}}}]}}
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Code.1", "records": [{"customFieldValues": {"{{g1}}": {"Code.1": "x-1"}}}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": {{ann_whole}}}]}}
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Number", "records": [{"customFieldValues": {"{{g1}}": {"Number": "5.00", "Day": "2026-01-31"}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"id": "{{ann}}", "customFieldValues": {"{{g1}}": {"Number": "5", "Day": "2026-01-31", "...": 0}}, "...": 0}}]}}
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Day", "records": [{"customFieldValues": {"{{g1}}": {"Day": "2026-01-31", "Number": null}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"id": "{{ann}}", "customFieldValues": {"{{g1}}": {"Number": null, "Day": "2026-01-31", "...": 0}}, "...": 0}}]}}

== other texts are compared exactly
@rows value
| "urls", "records": [{"urls": ["https://A.example"]}]                                                                               |
| "fullName", "records": [{"fullName": "ann lee"}]                                                                                   |
| "customFieldValues.{{g1}}.Code.1", "records": [{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Code.1": "X-1"}}}] |
POST /v1/people/batch/upsert {"match": {{value}}} -- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": "<object>"}]}}

== without a value to match by: created, with a warning
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"firstName": "No"}, {"firstName": "No", "emails": []}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "created", "data": {"$person": {"firstName": "No", "fullName": "No"}}, "warnings": [{"code": "no_match_value", "path": ["emails"], "message": "<has emails>"}]},
	{"status": "succeeded", "operation": "created", "data": {"$person": {"firstName": "No", "fullName": "No"}}, "warnings": [{"code": "no_match_value", "path": ["emails"], "message": "<text>"}]}]}}
> no1 = data.results.0.data.id
GET /v1/people?filter[fullName][eq]=No
-- 200 {"data": {"items": [{"id": "{{no1}}", "...": 0}, {"id": "<not {{no1}}>", "...": 0}], "pagination": {}}}
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Code.1", "records": [{"firstName": "No 2", "groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Code.1": ""}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": "<object>", "warnings": [{"code": "no_match_value", "path": ["customFieldValues", "{{g1}}", "Code.1"], "message": "<text>"}]}]}}

== several match: that record fails, with the candidates, the oldest first
POST /v1/people/batch/create
{"records": [<list {"firstName": "Twin {n}", "emails": ["twin@one.example", "twin{n}@one.example"]} 12>]}
-- 200
> t1 = data.results.0.data.id
> t2 = data.results.1.data.id
> t10 = data.results.9.data.id
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"jobTitle": "x", "emails": ["Twin@one.example"]}, {"jobTitle": "x", "emails": ["twin1@one.example", "twin2@one.example"]}, {"jobTitle": "y", "emails": ["twin3@one.example"]}]}
-- 200 {"data": {"results": [
	{"$ambiguous": {"error": {"code": "AMBIGUOUS_MATCH", "message": "<text>", "documentationUrl": "<ends #ambiguous-match>", "details": {"candidates": ["{{t1}}", "{{t2}}", "<per>", "<per>", "<per>", "<per>", "<per>", "<per>", "<per>", "{{t10}}"]}}}},
	{"$ambiguous": {"error": {"code": "AMBIGUOUS_MATCH", "message": "<text>", "documentationUrl": "<string>", "details": {"candidates": ["{{t1}}", "{{t2}}"]}}}},
	{"status": "succeeded", "operation": "updated", "data": {"firstName": "Twin 3", "jobTitle": "y", "...": 0}}]}}
GET /v1/people?filter[jobTitle][eq]=x&count=exact -- 200 {"data": {"items": [], "pagination": {"count": 0}}}

== records of one request that match each other are one, also over a third, and over an existing one
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"firstName": "Cy", "jobTitle": "a", "emails": ["cy1@x"], "phones": ["1"]}, {"firstName": "Di", "emails": ["di@x"]}, {"emails": ["cy2@x"], "jobTitle": "b", "phones": ["2"]},
	{"emails": ["CY2@x", "Cy1@x"], "lastName": "Young", "phones": ["01"]}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "created", "data": {"$person": {"firstName": "Cy", "lastName": "Young", "fullName": "Cy Young", "jobTitle": "b", "emails": ["cy1@x", "cy2@x"], "phones": ["1", "2", "01"]}}},
	{"status": "succeeded", "operation": "created", "data": {"$person": {"firstName": "Di", "fullName": "Di", "emails": ["di@x"]}}},
	{"status": "succeeded", "operation": "updated", "data": {"firstName": "Cy", "lastName": "Young", "...": 0}},
	{"status": "succeeded", "operation": "updated", "data": {"firstName": "Cy", "lastName": "Young", "...": 0}}]}}
> cy = data.results.0.data.id
GET /v1/people?filter[emails][eq]=cy2@x -- 200 {"data": {"items": [{"id": "{{cy}}", "...": 0}], "pagination": {}}}
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["cy1@x"], "phones": ["3"]}, {"emails": ["cy2@x"], "phones": ["4"]}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "updated", "data": {"id": "{{cy}}", "phones": ["1", "2", "01", "3", "4"], "...": 0}},
	{"status": "succeeded", "operation": "updated", "data": {"id": "{{cy}}", "phones": ["1", "2", "01", "3", "4"], "...": 0}}]}}
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["cy1@x", "new@x"]}, {"emails": ["di@x", "new@x"]}]}
-- 200 {"data": {"results": [{"$ambiguous": {}}, {"$ambiguous": {}}]}}

== custom lists of records that are one are joined
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["ed@x"], "groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Many": ["C"], "Number": 1}}},
	{"emails": ["ed@x"], "groups": [{"id": "{{g2}}"}], "customFieldValues": {"{{g1}}": {"Many": ["A", "C"], "Number": 2}}}, {"emails": ["ed@x"], "customFieldValues": {"{{g1}}": {"Many": null}}}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "created", "data": {"$person": {"emails": ["ed@x"], "groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{g2}}", "name": "Second"}],
		"customFieldValues": {"{{g1}}": {"Code.1": null, "Number": "2", "Day": null, "Many": ["C", "A"], "Who": null}}}}},
	{"status": "succeeded", "operation": "updated", "data": "<object>"}, {"status": "succeeded", "operation": "updated", "data": "<object>"}]}}
GET /v1/people?filter[customFieldValues.{{g1}}.Many][all]=A&filter[customFieldValues.{{g1}}.Many][all]=C
-- 200 {"data": {"items": [{"emails": ["ed@x"], "...": 0}], "pagination": {}}}

== what repeats in records that are one counts once
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["rep@x"], "groups": [{"id": "{{g1}}"}], "companies": [<list {"name": "Rep {n}"} 11>]},
	{"emails": ["rep@x"], "groups": [{"id": "{{g1}}"}], "companies": [<list {"name": "Rep {n}"} 11>]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"emails": ["rep@x"], "groups": [{"id": "{{g1}}", "name": "First"}], "companies": [<list {"id": "<com>", "name": "Rep {n}"} 11>], "...": 0}},
	{"status": "succeeded", "operation": "updated", "data": "<object>"}]}}

== telephone numbers without digits are compared as they are; numbers by value
POST /v1/people/batch/upsert
{"match": "phones", "records": [{"phones": ["ask"]}, {"phones": ["none"]}, {"phones": ["ask"]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"phones": ["ask"], "...": 0}}, {"status": "succeeded", "operation": "created", "data": {"phones": ["none"], "...": 0}},
	{"status": "succeeded", "operation": "updated", "data": {"phones": ["ask"], "...": 0}}]}}
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Number", "records": [{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Number": 0}}}, {"customFieldValues": {"{{g1}}": {"Number": "-0.00"}}},
	{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Number": "1e3"}}}, {"customFieldValues": {"{{g1}}": {"Number": 1000}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": "<object>"}, {"status": "succeeded", "operation": "updated", "data": "<object>"},
	{"status": "succeeded", "operation": "created", "data": "<object>"}, {"status": "succeeded", "operation": "updated", "data": "<object>"}]}}

== values of somebody who has left the group, or is deleted, do not match
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Code.1", "records": [{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Code.1": "left"}}}, {"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Code.1": "gone"}}}]}
-- 200
> left = data.results.0.data.id
> gone = data.results.1.data.id
PATCH /v1/people/{{left}} {"groups": []}
DELETE /v1/people/{{gone}}
-- 200
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Code.1", "records": [{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Code.1": "left"}}}, {"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Code.1": "gone"}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"id": "<not {{left}}>", "...": 0}}, {"status": "succeeded", "operation": "created", "data": {"id": "<not {{gone}}>", "...": 0}}]}}

== when and by whom: of what is created
@admin POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["old@x"], "createdAt": "2019-03-04T05:06:07.089Z", "createdBy": {"id": "{{bob_id}}"}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"emails": ["old@x"], "createdAt": "2019-03-04T05:06:07.089Z", "createdBy": {"id": "{{bob_id}}", "...": 0}, "...": 0}}]}}
> old_whole = data.results.0.data
@admin POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["OLD@x"], "createdAt": "2001-01-01T00:00:00Z", "createdBy": {"id": "{{ada_id}}"}}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": {{old_whole}}}]}}
@admin POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["future@x"]}, {"emails": ["future@x"], "createdAt": "2999-01-01T00:00:00Z"}, {"emails": ["not@x"]}]}
-- 200
{"data": {"results": [{"$invalid": {}}, {"$invalid": {}}, {"status": "succeeded", "operation": "created", "data": "<object>"}]}}
@bob POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["not@x"]}, {"emails": ["bob@x"], "createdAt": "2001-01-01T00:00:00Z"}]}
-- 403

== a record that cannot be applied fails by itself, and changes nothing
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["f1@x"], "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}, {"emails": ["di@x"], "firstName": "Never", "customFieldValues": {"{{g1}}": {"Number": "five"}}},
	{"emails": ["f2@x"], "customFieldValues": {"{{g1}}": {"Number": 1}}}, {"emails": ["f3@x"], "companies": [{"id": "com_00000000-0000-7000-8000-000000000000"}]}, {"emails": ["f4@x"]}]}
-- 200
{"data": {"results": [{"$invalid": {}}, {"$invalid": {}}, {"$invalid": {}}, {"$invalid": {}}, {"status": "succeeded", "operation": "created", "data": "<object>"}]}}
GET /v1/people?filter[emails][eq]=f1@x&filter[emails][eq]=f2@x&filter[emails][eq]=f3@x&filter[firstName][eq]=Never&combinator=or
-- 200 {"data": {"items": [], "pagination": {}}}

== a list that would exceed its limit
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": [<list "full{n}@x" 20>], "companies": [<list {"name": "Full {n}"} 20>]}]}
-- 200
POST /v1/people/batch/upsert {"match": "emails", "records": [{"emails": ["full1@x", "full21@x"]}]} -- 200
{"data": {"results": [{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "<starts emails: >", "documentationUrl": "<string>"}}]}}
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["full1@x"], "companies": [{"name": "Full 21"}]}]}
-- 200
{"data": {"results": [{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "<starts companies: >", "documentationUrl": "<string>"}}]}}
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["FULL20@x"], "companies": [{"name": "Full 20"}, {"name": "Full 1"}]}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": "<object>"}]}}

# --- privacy

== hidden groups and their values stay, and are not seen
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["hid@x"], "groups": [{"id": "{{secret}}"}], "customFieldValues": {"{{secret}}": {"Code": "s-1"}}}]}
-- 200
> hid = data.results.0.data.id
@bob POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["hid@x"], "jobTitle": "seen", "groups": [{"id": "{{g2}}"}]}, {"emails": ["hid2@x"], "groups": [{"id": "{{secret}}"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"$person": {"id": "{{hid}}", "emails": ["hid@x"], "jobTitle": "seen", "groups": [{"id": "{{g2}}", "name": "Second"}]}}}, {"$invalid": {}}]}}
POST /v1/people/batch/upsert
{"match": "customFieldValues.{{secret}}.Code", "records": [{"customFieldValues": {"{{secret}}": {"Code": "s-1"}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": {"id": "{{hid}}", "groups": [{"id": "{{secret}}", "name": "Secret"}, {"id": "{{g2}}", "name": "Second"}],
	"customFieldValues": {"{{secret}}": {"Code": "s-1"}}, "...": 0}}]}}

== a reader of a group changes neither its membership nor its values
@carol POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["hid@x"], "groups": [{"id": "{{g1}}"}]}, {"emails": ["ed@x"], "customFieldValues": {"{{g1}}": {"Number": 9}}}, {"emails": ["ed@x", "ed2@x"], "groups": [{"id": "{{g2}}"}]}]}
-- 200 {"data": {"results": [{"$forbidden": {}}, {"$forbidden": {}}, {"$forbidden": {}}]}}
@carol POST /v1/people/batch/upsert
{"match": "customFieldValues.{{g1}}.Number", "records": [{"jobTitle": "read", "groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Number": 2}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"emails": ["ed@x"], "jobTitle": "read", "...": 0}}]}}

== another workspace's records do not match
@other POST /v1/people/batch/upsert {"match": "emails", "records": [{"emails": ["ann@two.example"]}]} -- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"id": "<not {{ann}}>", "...": 0}}]}}

== deleted records do not match
DELETE /v1/people/{{bo}} -- 200
POST /v1/people/batch/upsert {"match": "emails", "records": [{"emails": ["bo@one.example"]}]} -- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"id": "<not {{bo}}>", "firstName": "", "...": 0}}]}}

# --- companies

== by name, exactly as written
POST /v1/companies/batch/upsert
{"match": "name", "records": [{"name": "Acme", "industry": "Anvils", "fundingRaised": "1.50", "emails": ["i@acme"], "groups": [{"id": "{{g1}}"}]}, {"name": "acme"}, {"name": "Acme", "industry": "Steel"}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "updated", "data": {"$company": {"id": "{{acme}}", "name": "Acme", "industry": "Steel", "fundingRaised": "1.5", "emails": ["i@acme"], "groups": [{"id": "{{g1}}", "name": "First"}]}}},
	{"status": "succeeded", "operation": "created", "data": {"$company": {"name": "acme"}}},
	{"status": "succeeded", "operation": "updated", "data": {"id": "{{acme}}", "...": 0}}]}}
POST /v1/companies/batch/upsert
{"match": "name", "records": [{"name": "Acme"}, {"name": "Fresh"}, {"name": "Fresh", "urls": ["https://fresh"]}, {"industry": "None"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": "<object>"}, {"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Fresh", "urls": ["https://fresh"]}}},
	{"status": "succeeded", "operation": "updated", "data": "<object>"}, {"status": "succeeded", "operation": "created", "data": "<object>", "warnings": ["<object>"]}]}}
> fresh = data.results.1.data.id

== by other fields: a name that another company has fails the record
POST /v1/companies/batch/upsert
{"match": "urls", "records": [{"urls": ["https://fresh"], "name": "Fresher"}, {"urls": ["https://acme"], "name": "Acme"}, {"urls": ["https://twin1"], "name": "Twin"}, {"urls": ["https://twin2"], "name": "Twin"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"id": "{{fresh}}", "name": "Fresher", "...": 0}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "<starts name: >", "documentationUrl": "<string>"}},
	{"status": "succeeded", "operation": "created", "data": {"name": "Twin", "...": 0}},
	{"status": "failed", "error": {"code": "UNPROCESSABLE_ENTITY", "message": "<starts name: >", "documentationUrl": "<string>"}}]}}
POST /v1/companies/batch/upsert
{"match": "emails", "records": [{"emails": ["I@ACME"], "urls": ["https://acme"], "name": "Acme"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"id": "{{acme}}", "emails": ["i@acme"], "urls": ["https://acme"], "...": 0}}]}}

# --- objects

== by name and by a field of the type; contacts and options are appended
@make in POST /v1/people {"firstName": "In", "groups": [{"id": "{{g1}}"}]}
POST /v1/groups/{{g1}}/deal/batch/upsert
{"match": "name", "records": [{"name": "Deal", "people": [{"id": "{{ann}}"}], "customFieldValues": {"Code": "d", "Many": ["A"]}}, {"name": "x"}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "created", "data": {"$object": {"name": "Deal", "people": [{"id": "{{ann}}", "fullName": "Ann Lee"}], "customFieldValues": {"Code": "d", "Many": ["A"]}}}},
	{"status": "succeeded", "operation": "created", "data": {"$object": {"name": "x", "customFieldValues": {"Code": null, "Many": null}}}}]}}
> deal = data.results.0.data.id
> deal_whole = data.results.0.data
POST /v1/groups/{{g1}}/deal/batch/upsert
{"match": "customFieldValues.Code", "records": [{"people": [{"id": "{{ann}}"}], "customFieldValues": {"Code": "d"}}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "unchanged", "data": {{deal_whole}}}]}}
POST /v1/groups/{{g1}}/deal/batch/upsert
{"match": "name", "records": [{"name": "Deal", "people": [{"id": "{{in}}"}, {"id": "{{ann}}"}, {"id": "per_00000000-0000-7000-8000-000000000000"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Many": ["B"]}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "updated", "data": {"$object": {"id": "{{deal}}", "name": "Deal", "people": [{"id": "{{ann}}", "fullName": "Ann Lee"}, {"id": "{{in}}", "fullName": "In"}],
	"companies": [{"id": "{{acme}}", "name": "Acme"}], "customFieldValues": {"Code": "d", "Many": ["A", "B"]}}}, "warnings": ["<object>"]}]}}

== objects of another type do not match
POST /v1/groups/{{g1}}/object-types {"name": "lead"} -- 200
POST /v1/groups/{{g1}}/lead/batch/upsert {"match": "name", "records": [{"name": "Deal"}]} -- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"id": "<not {{deal}}>", "...": 0}}]}}

== who may only read them: every record fails
@carol POST /v1/groups/{{g1}}/deal/batch/upsert
{"match": "name", "records": [{"name": "Deal"}, {"name": "New"}]}
-- 200 {"data": {"results": [{"$forbidden": {}}, {"$forbidden": {}}]}}
@readonly POST /v1/groups/{{g1}}/deal/batch/upsert {"match": "name", "records": [{"name": "Deal"}]}
-- 200 {"data": {"results": [{"$forbidden": {}}]}}

# --- idempotency keys

== the same key runs once
POST /v1/people/batch/upsert (Idempotency-Key: upsert-1) {"match": "emails", "records": [{"emails": ["key@x"]}]} -- 200
!Idempotent-Replayed
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": "<object>"}]}}
> keyed = data.results.0.data.id
POST /v1/people/batch/upsert (Idempotency-Key: upsert-1) {"records": [{"emails": ["key@x"]}], "match": "emails"} -- 200
Idempotent-Replayed: true
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"id": "{{keyed}}", "...": 0}}]}}
POST /v1/people/batch/upsert (Idempotency-Key: upsert-1) {"match": "phones", "records": [{"emails": ["key@x"]}]}
-- 422 IDEMPOTENCY_KEY_REUSED
