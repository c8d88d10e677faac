# People in batch: create, update, delete.
# ada is the groups' admin, bob an unlisted user, carol a reader.
@users carol

== groups, fields, companies to work with
@make g1 POST /v1/groups {"name": "First", "visibility": "public"}
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}
POST /v1/groups/{{g1}}/members {"id": "{{carol_id}}", "role": "reader"} -- 200
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{g1}}/custom-fields/person {"name": "Text", "type": "textField"}
POST /v1/groups/{{g1}}/custom-fields/person
{"name": "One", "type": "singleSelect", "options": [{"label": "A"}, {"label": "B"}]}
POST /v1/groups/{{g1}}/custom-fields/person {"name": "User", "type": "userField"}
-- 200
@make acme POST /v1/companies {"name": "Acme"}
@make theirs @other POST /v1/people {"firstName": "Theirs"}

# --- the envelope

== an empty batch does nothing
@each create update delete
POST /v1/people/batch/{{each}} {"records": []} -- 200 {"data": {"results": []}}

== what the body must be
POST /v1/people/batch/create {}
POST /v1/people/batch/update
-- 422 Invalid input
* required ["records"] expected=array
POST /v1/people/batch/delete {"records": null} -- 422 Invalid input
* invalid_type ["records"] expected=array received=null
POST /v1/people/batch/create {"records": {"firstName": "x"}, "foo": 1} -- 422 Invalid input
* invalid_type ["records"] expected=array received=object
* unrecognized_keys [] keys=["foo"]
POST /v1/people/batch/create
[{"firstName": "x"}]
-- 422 Invalid input
* invalid_type [] received=array
POST /v1/people/batch/create {"records": [
POST /v1/people/batch/create {"records": [{"firstName": "a", "firstName": "b"}]}
-- 400
@none POST /v1/people/batch/create {"records": []} -- 401

== other operations and methods are not there
POST /v1/people/batch/replace {"records": []} -- 404
GET /v1/people/batch/create -- 405 (Allow: <has POST>)
POST /v1/people/batch {"records": []} -- 405

# --- create

== results come in the order of the records
POST /v1/people/batch/create
{"records": [{"firstName": "Ann", "lastName": "Lee"}, {}, {"fullName": "Max Muster", "groups": [{"id": "{{g1}}"}], "companies": [{"id": "{{acme}}"}],
	"emails": ["max@example.com"], "birthday": "1999-01-02", "gender": "Male", "customFieldValues": {"{{g1}}": {"Text": "hi", "One": "B"}}}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"$person": {"firstName": "Ann", "lastName": "Lee", "fullName": "Ann Lee"}}},
	{"status": "succeeded", "data": {"$person": {}}},
	{"status": "succeeded", "data": {"$person": {"firstName": "Max", "lastName": "Muster", "fullName": "Max Muster", "groups": [{"id": "{{g1}}", "name": "First"}],
		"companies": [{"id": "{{acme}}", "name": "Acme"}], "emails": ["max@example.com"], "birthday": "1999-01-02", "gender": "Male",
		"customFieldValues": {"{{g1}}": {"Text": "hi", "One": "B", "User": null}}}}}]}}
> ann = data.results.0.data.id
> ann_whole = data.results.0.data
> nobody = data.results.1.data.id
> max = data.results.2.data.id
> max_whole = data.results.2.data
GET /v1/people/{{ann}} -- 200 {"data": {{ann_whole}}}
GET /v1/people/{{max}} -- 200 {"data": {{max_whole}}}
@bob POST /v1/people/batch/create {"records": [{"firstName": "By Bob"}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"$person": {"firstName": "By Bob", "fullName": "By Bob", "createdBy": {{bob}}}}}]}}

== a record that cannot be applied fails by itself
POST /v1/people/batch/create {"records": [
	{"firstName": "Good 1"},
	{"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]},
	{"companies": [{"id": "com_00000000-0000-7000-8000-000000000000"}]},
	{"customFieldValues": {"{{g1}}": {"Text": "not in it"}}},
	{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Nope": "x"}}},
	{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"One": "C"}}},
	{"firstName": "Good 2"}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"$person": {"firstName": "Good 1", "fullName": "Good 1"}}},
	{"$invalid": {}}, {"$invalid": {}}, {"$invalid": {}}, {"$invalid": {}}, {"$invalid": {}},
	{"status": "succeeded", "data": {"$person": {"firstName": "Good 2", "fullName": "Good 2"}}}]}}

== one for which one has no right too
@carol POST /v1/people/batch/create
{"records": [{"groups": [{"id": "{{g1}}"}]}, {"groups": [{"id": "{{g2}}"}]}, {"groups": [{"id": "{{secret}}"}]}, {"groups": [{"id": "{{g2}}"}, {"id": "{{g1}}"}]}]}
-- 200 {"data": {"results": [{"$forbidden": {}},
	{"status": "succeeded", "data": {"$person": {"groups": [{"id": "{{g2}}", "name": "Second"}], "createdBy": {{carol}}}}},
	{"$invalid": {}}, {"$forbidden": {}}]}}

== what failed has left nothing
GET /v1/people?count=exact&limit=1
-- 200 {"data": {"items": ["<object>"], "pagination": {"count": 7, "nextLink": "<text>"}}}

== warnings are those of the record
POST /v1/people/batch/create {"records": [{"firstName": "No warning"},
	{"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"User": [{"email": "nobody@example.com"}, {"id": "{{ada_id}}"}]}}}, {}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": "<object>"},
	{"status": "succeeded", "data": {"customFieldValues": {"{{g1}}": {"Text": null, "One": null, "User": [{{ada}}]}}, "...": 0},
		"warnings": [{"code": "value_not_set", "path": ["..."], "message": "<has nobody@example.com>"}]},
	{"status": "succeeded", "data": {"$person": {}}}]}}

== the same new company of two records is one
POST /v1/people/batch/create
{"records": [{"companies": [{"name": "Fresh"}]}, {"companies": [{"name": "Fresh"}, {"name": "Acme"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"companies": [{"id": "<com>", "name": "Fresh"}], "...": 0}},
	{"status": "succeeded", "data": {"companies": [{"id": "<com>", "name": "Fresh"}, {"id": "{{acme}}", "name": "Acme"}], "...": 0}}]}}
> fresh = data.results.0.data.companies.0.id
POST /v1/companies {"name": "Fresh"} -- 200 {"data": {"$company": {"id": "{{fresh}}", "name": "Fresh"}}}

== a record of the wrong shape refuses the whole
POST /v1/people/batch/create
{"records": [{"firstName": "Must not be"}, {"emails": ["ok", 5], "foo": 1, "groups": [{"id": "grp_1"}]}, "x", {"firstName": "<repeat f 501>"}, {"birthday": "soon"}, {"id": "{{ann}}"}]}
-- 422 Invalid input
* invalid_type ["records", 1, "emails", 1] expected=string received=number
* too_small ["records", 1, "groups", 0, "id"] minimum=40 type=string exact=true
* unrecognized_keys ["records", 1] keys=["foo"]
* invalid_type ["records", 2] expected=object received=string
* too_big ["records", 3, "firstName"] maximum=500 type=string
* invalid_string ["records", 4, "birthday"] validation=date
* unrecognized_keys ["records", 5] keys=["id"]
GET /v1/people?count=exact&limit=1
-- 200 {"data": {"items": ["<object>"], "pagination": {"count": 12, "nextLink": "<text>"}}}

== a value too long refuses the whole, too
POST /v1/people/batch/create
{"records": [{}, {"groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Text": "<repeat t 5001>"}}}]}
-- 422 Invalid input
* too_big ["records", 1, "customFieldValues", "{{g1}}", "Text"] maximum=5000 type=string

== a hundred, and one more
POST /v1/people/batch/create {"records": [<list {"jobTitle": "Number {n}"} 100>]} -- 200
{"data": {"results": [<list {"status": "succeeded", "data": {"$person": {"jobTitle": "Number {n}"}}} 100>]}}
> hundred = data.results.99.data.id
POST /v1/people/batch/create {"records": [<list {"jobTitle": "Number {n}"} 101>]} -- 422 Invalid input
* too_big ["records"] maximum=100 type=array
GET /v1/people?count=exact&limit=1&sort=-createdAt -- 200
{"data": {"items": [{"jobTitle": "<starts Number>", "...": 0}], "pagination": {"count": 112, "nextLink": "<text>"}}}

# --- update

== each record changes what it names
POST /v1/people/batch/update
{"records": [{"id": "{{ann}}", "jobTitle": "Boss"}, {"id": "{{max}}", "customFieldValues": {"{{g1}}": {"Text": null, "User": [{"id": "{{bob_id}}"}]}}, "emails": []}, {"id": "{{nobody}}"}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"$person": {"id": "{{ann}}", "firstName": "Ann", "lastName": "Lee", "fullName": "Ann Lee", "jobTitle": "Boss"}}},
	{"status": "succeeded", "data": {"id": "{{max}}", "emails": [], "customFieldValues": {"{{g1}}": {"Text": null, "One": "B", "User": [{{bob}}]}}, "...": 0}},
	{"status": "succeeded", "data": {"$person": {"id": "{{nobody}}"}}}]}}
> ann_whole = data.results.0.data
GET /v1/people/{{ann}} -- 200 {"data": {{ann_whole}}}

== records that are not there, and such that cannot be applied
POST /v1/people/batch/update
{"records": [{"id": "per_00000000-0000-7000-8000-000000000000", "jobTitle": "x"}, {"id": "{{ann}}", "jobTitle": "CEO"}, {"id": "{{acme}}"}, {"id": "{{theirs}}"},
	{"id": "{{max}}", "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}, {"id": "{{nobody}}", "customFieldValues": {"{{g1}}": {"Text": "x"}}}]}
-- 200
{"data": {"results": [{"$not_found": {}}, {"status": "succeeded", "data": {"id": "{{ann}}", "jobTitle": "CEO", "...": 0}}, {"$not_found": {}}, {"$not_found": {}},
	{"$invalid": {}}, {"$invalid": {}}]}}

== what it left is named in removedGroups, else that is absent
POST /v1/people/batch/update
{"records": [{"id": "{{ann}}", "groups": [{"id": "{{g1}}"}, {"id": "{{g2}}"}, {"id": "{{secret}}"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{g2}}", "name": "Second"}, {"id": "{{secret}}", "name": "Secret"}], "...": 0}}]}}
POST /v1/people/batch/update
{"records": [{"id": "{{ann}}", "groups": [{"id": "{{g1}}"}, {"id": "{{secret}}"}]}, {"id": "{{max}}", "groups": []}, {"id": "{{nobody}}", "groups": []}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"id": "{{ann}}", "groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{secret}}", "name": "Secret"}], "...": 0}, "removedGroups": [{"id": "{{g2}}", "name": "Second"}]},
	{"status": "succeeded", "data": {"id": "{{max}}", "groups": [], "customFieldValues": {}, "...": 0}, "removedGroups": [{"id": "{{g1}}", "name": "First"}]},
	{"status": "succeeded", "data": {"$person": {"id": "{{nobody}}"}}}]}}

== a hidden group is neither left nor named
@bob POST /v1/people/batch/update {"records": [{"id": "{{ann}}", "groups": []}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"groups": [], "...": 0}, "removedGroups": [{"id": "{{g1}}", "name": "First"}]}]}}
GET /v1/people/{{ann}} -- 200 {"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "...": 0}}
@bob POST /v1/people/batch/update {"records": [{"id": "{{ann}}", "groups": []}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"groups": [], "...": 0}}]}}

== a reader's records fail where he would change the group
POST /v1/people/batch/update {"records": [{"id": "{{max}}", "groups": [{"id": "{{g1}}"}]}]} -- 200
@carol POST /v1/people/batch/update
{"records": [{"id": "{{max}}", "groups": []}, {"id": "{{nobody}}", "jobTitle": "by Carol"}, {"id": "{{ann}}", "groups": [{"id": "{{g1}}"}]}]}
-- 200
{"data": {"results": [{"$forbidden": {}}, {"status": "succeeded", "data": {"id": "{{nobody}}", "jobTitle": "by Carol", "...": 0}}, {"$forbidden": {}}]}}
@carol POST /v1/people/batch/update
{"records": [{"id": "{{max}}", "customFieldValues": {"{{g1}}": {"Text": "by Carol"}}}]}
-- 200 {"data": {"results": [{"$forbidden": {}}]}}

== records for the same person are merged: the last value of a field wins
POST /v1/people/batch/update
{"records": [{"id": "{{max}}", "jobTitle": "First", "emails": ["a"], "customFieldValues": {"{{g1}}": {"Text": "one", "One": "A"}}}, {"id": "{{nobody}}", "jobTitle": "between"},
	{"id": "{{max}}", "jobTitle": "Last", "description": "d", "customFieldValues": {"{{g1}}": {"Text": "two"}}}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "data": {"id": "{{max}}", "jobTitle": "Last", "description": "d", "emails": ["a"], "customFieldValues": {"{{g1}}": {"Text": "two", "One": "A", "User": null}}, "...": 0}},
	{"status": "succeeded", "data": {"id": "{{nobody}}", "jobTitle": "between", "...": 0}},
	{"status": "succeeded", "data": {"id": "{{max}}", "jobTitle": "Last", "description": "d", "emails": ["a"], "customFieldValues": {"{{g1}}": {"Text": "two", "One": "A", "User": null}}, "...": 0}}]}}
> merged = data.results.0.data
GET /v1/people/{{max}} -- 200 {"data": {{merged}}}

== when the merged change is invalid every record of that person fails
POST /v1/people/batch/update
{"records": [{"id": "{{max}}", "jobTitle": "Not this"}, {"id": "{{nobody}}", "jobTitle": "this"}, {"id": "{{max}}", "customFieldValues": {"{{g1}}": {"One": "C"}}}]}
-- 200
{"data": {"results": [{"$invalid": {}}, {"status": "succeeded", "data": {"jobTitle": "this", "...": 0}}, {"$invalid": {}}]}}
GET /v1/people/{{max}} -- 200 {"data": {{merged}}}

== a value that is overwritten in the merge does not count
POST /v1/people/batch/update
{"records": [{"id": "{{max}}", "customFieldValues": {"{{g1}}": {"One": "C", "Text": "x"}}, "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]},
	{"id": "{{max}}", "customFieldValues": {"{{g1}}": {"One": "B"}}, "groups": [{"id": "{{g1}}"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"customFieldValues": {"{{g1}}": {"Text": "x", "One": "B", "User": null}}, "...": 0}},
	{"status": "succeeded", "data": {"customFieldValues": {"{{g1}}": {"Text": "x", "One": "B", "User": null}}, "...": 0}}]}}

== values of a group that a later record leaves make all invalid
POST /v1/people/batch/update
{"records": [{"id": "{{max}}", "customFieldValues": {"{{g1}}": {"Text": "y"}}}, {"id": "{{max}}", "groups": []}]}
-- 200 {"data": {"results": [{"$invalid": {}}, {"$invalid": {}}]}}
GET /v1/people/{{max}} -- 200
{"data": {"groups": [{"id": "{{g1}}", "name": "First"}], "customFieldValues": {"{{g1}}": {"Text": "x", "One": "B", "User": null}}, "...": 0}}

== and such of a group that another record joins are valid
POST /v1/people/batch/update
{"records": [{"id": "{{nobody}}", "customFieldValues": {"{{g1}}": {"Text": "joined"}}}, {"id": "{{nobody}}", "groups": [{"id": "{{g1}}"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"customFieldValues": {"{{g1}}": {"Text": "joined", "...": 0}}, "...": 0}}, {"status": "succeeded", "data": {"customFieldValues": {"{{g1}}": {"Text": "joined", "...": 0}}, "...": 0}}]}}
POST /v1/people/batch/update {"records": [{"id": "{{nobody}}", "groups": []}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"groups": [], "...": 0}, "removedGroups": [{"id": "{{g1}}", "name": "First"}]}]}}

== the same missing person twice
POST /v1/people/batch/update
{"records": [{"id": "per_00000000-0000-7000-8000-000000000000"}, {"id": "per_00000000-0000-7000-8000-000000000000", "jobTitle": "x"}]}
-- 200 {"data": {"results": [{"$not_found": {}}, {"$not_found": {}}]}}

== updatedAt moves with a change and not without one
GET /v1/people/{{max}} -- 200
> before = data.updatedAt
@repeat 5 GET /v1/people/{{max}} -- 200
POST /v1/people/batch/update {"records": [{"id": "{{max}}"}, {"id": "{{max}}", "jobTitle": "Last"}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"updatedAt": "{{before}}", "...": 0}}, {"status": "succeeded", "data": {"updatedAt": "{{before}}", "...": 0}}]}}

== an update of the wrong shape refuses the whole
POST /v1/people/batch/update
{"records": [{"id": "{{ann}}", "jobTitle": "Must not be"}, {"id": "per_1"}, {"jobTitle": "x"}, {"id": 5, "firstName": null}, {"id": "{{ann}}", "createdAt": "x"}]}
-- 422 Invalid input
* too_small ["records", 1, "id"] minimum=40 type=string exact=true
* required ["records", 2, "id"] expected=string
* invalid_type ["records", 3, "id"] expected=string received=number
* invalid_type ["records", 3, "firstName"] expected=string received=null
* unrecognized_keys ["records", 4] keys=["createdAt"]
POST /v1/people/batch/update {"records": [<list {"id": "{{ann}}"} 101>]} -- 422 Invalid input
* too_big ["records"] maximum=100 type=array
GET /v1/people/{{ann}} -- 200 {"data": {"jobTitle": "CEO", "...": 0}}

== a hundred records of one person
POST /v1/people/batch/update {"records": [<list {"id": "{{ann}}", "jobTitle": "{n}"} 100>]} -- 200
{"data": {"results": [<list {"status": "succeeded", "data": {"id": "{{ann}}", "jobTitle": "100", "...": 0}} 100>]}}

# --- delete

== delete: the second of the same is not found
POST /v1/people/batch/delete
{"records": [{"id": "{{ann}}"}, {"id": "per_00000000-0000-7000-8000-000000000000"}, {"id": "{{max}}"}, {"id": "{{ann}}"}, {"id": "{{acme}}"}, {"id": "{{theirs}}"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{ann}}"}}, {"$not_found": {}}, {"status": "succeeded", "data": {"id": "{{max}}"}}, {"$not_found": {}}, {"$not_found": {}}, {"$not_found": {}}]}}
GET /v1/people/{{ann}}
GET /v1/people/{{max}}
-- 404
GET /v1/companies/{{acme}}
@other GET /v1/people/{{theirs}}
-- 200
POST /v1/people/batch/delete {"records": [{"id": "{{ann}}"}]} -- 200 {"data": {"results": [{"$not_found": {}}]}}

== contacts deleted in batch leave the fields that name them, one that names itself too
POST /v1/groups/{{g2}}/custom-fields/person {"name": "Contact", "type": "contactField"} -- 200
POST /v1/people/batch/create
{"records": [{"groups": [{"id": "{{g2}}"}]}, {"groups": [{"id": "{{g2}}"}]}, {"groups": [{"id": "{{g2}}"}]}]}
-- 200
> p1 = data.results.0.data.id
> p2 = data.results.1.data.id
> p3 = data.results.2.data.id
POST /v1/people/batch/update
{"records": [{"id": "{{p1}}", "customFieldValues": {"{{g2}}": {"Contact": [{"id": "{{p1}}"}, {"id": "{{p2}}"}]}}}, {"id": "{{p3}}", "customFieldValues": {"{{g2}}": {"Contact": [{"id": "{{p2}}"}, {"id": "{{p3}}"}, {"id": "{{p1}}"}]}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": "<object>"}, {"status": "succeeded", "data": {"customFieldValues": {"{{g2}}": {"Contact": ["<object>", "<object>", "<object>"]}}, "...": 0}}]}}
POST /v1/people/batch/delete {"records": [{"id": "{{p1}}"}, {"id": "{{p2}}"}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{p1}}"}}, {"status": "succeeded", "data": {"id": "{{p2}}"}}]}}
GET /v1/people/{{p3}}
-- 200 {"data": {"customFieldValues": {"{{g2}}": {"Contact": [{"id": "{{p3}}", "...": 0}]}}, "...": 0}}

== a delete of the wrong shape refuses the whole
POST /v1/people/batch/delete
{"records": [{"id": "{{nobody}}"}, {}, {"id": "x"}, {"id": "{{nobody}}", "firstName": "x"}, "{{nobody}}"]}
-- 422 Invalid input
* required ["records", 1, "id"] expected=string
* too_small ["records", 2, "id"] minimum=40 type=string exact=true
* unrecognized_keys ["records", 3] keys=["firstName"]
* invalid_type ["records", 4] expected=object received=string
POST /v1/people/batch/delete {"records": [<list {"id": "{{nobody}}"} 101>]} -- 422 Invalid input
* too_big ["records"] maximum=100 type=array
GET /v1/people/{{nobody}} -- 200
POST /v1/people/batch/delete {"records": [<list {"id": "{{hundred}}"} 100>]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{hundred}}"}}, <list {"$not_found": {}} 99>]}}

# --- rights, idempotency, limits

== a read-only key is refused as a whole, after the body is looked at
@rows target body
| create | {}                                    |
| update | {"id": "{{nobody}}", "jobTitle": "x"} |
| delete | {"id": "{{nobody}}"}                  |
@readonly POST /v1/people/batch/{{target}} {"records": [{{body}}]} -- 403
@end
@readonly POST /v1/people/batch/delete {"records": [{"id": "x"}]} -- 422 Invalid input
* too_small ["records", 0, "id"] minimum=40 type=string exact=true
GET /v1/people/{{nobody}} -- 200 {"data": {"jobTitle": "this", "...": 0}}

== a retry gets every result again
POST /v1/people/batch/create
Idempotency-Key: batch-1
{"records": [{"firstName": "Once"}, {"groups": [{"id": "{{secret}}"}]}, {"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}]}
-- 200 (!Idempotent-Replayed)
{"data": {"results": [{"status": "succeeded", "data": "<object>"}, {"status": "succeeded", "data": "<object>"}, {"$invalid": {}}]}}
> whole = data
> once = data.results.0.data.id
POST /v1/people/batch/create
Idempotency-Key: batch-1
{"records": [{"firstName": "Once"}, {"groups": [{"id": "{{secret}}"}]}, {"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}]}
-- 200 (Idempotent-Replayed: true) {"data": {{whole}}}
POST /v1/people/batch/create (Idempotency-Key: batch-1) {"records": [{"firstName": "Twice"}]}
-- 422 IDEMPOTENCY_KEY_REUSED
POST /v1/people/batch/delete (Idempotency-Key: batch-2) {"records": [{"id": "{{once}}"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "data": {"id": "{{once}}"}}]}}
POST /v1/people/batch/delete (Idempotency-Key: batch-2) {"records": [{"id": "{{once}}"}]} -- 200
Idempotent-Replayed: true
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{once}}"}}]}}

== a refused batch leaves its key free
POST /v1/people/batch/delete (Idempotency-Key: batch-3) {"records": [{"id": "x"}]} -- 422 Invalid input
* too_small ["records", 0, "id"] minimum=40 type=string exact=true
POST /v1/people/batch/delete (Idempotency-Key: batch-3) {"records": []} -- 200 (!Idempotent-Replayed)
{"data": {"results": []}}

== an answer of more than 1 MiB is not kept
PATCH /v1/people/{{nobody}} {"description": "<repeat 😀 5000>"} -- 200
POST /v1/people/batch/update
Idempotency-Key: batch-4
{"records": [<list {"id": "{{nobody}}", "jobTitle": "{n}"} 100>]}
-- 200 (!Idempotent-Replayed)
POST /v1/people/batch/update
Idempotency-Key: batch-4
{"records": [<list {"id": "{{nobody}}", "jobTitle": "{n}"} 100>]}
-- 422 IDEMPOTENCY_RESPONSE_NOT_STORED
GET /v1/people/{{nobody}} -- 200 {"data": {"jobTitle": "100", "...": 0}}

== a body of 8 MiB, and one byte more
POST /v1/people/batch/create {"records": []<repeat \s 8388593>} -- 200 {"data": {"results": []}}
POST /v1/people/batch/create {"records": []<repeat \s 8388594>}
POST /v1/people/batch/delete {"records": []<repeat \s 8388594>}
-- 413
