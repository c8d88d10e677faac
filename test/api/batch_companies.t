# Companies in batch: create, update, delete. The envelope is tested in batch_people.t.
# ada is the groups' admin, bob an unlisted user, carol a reader.
@users carol

== groups and a field to work with
@make g1 POST /v1/groups {"name": "First", "visibility": "public"}
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}
POST /v1/groups/{{g1}}/members {"id": "{{carol_id}}", "role": "reader"} -- 200
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{g1}}/custom-fields/company {"name": "Text", "type": "textField"}
POST /v1/groups/{{g1}}/custom-fields/company
{"name": "Many", "type": "multipleSelect", "options": [{"label": "A"}, {"label": "B"}]}
POST /v1/groups/{{g1}}/custom-fields/company {"name": "Contact", "type": "contactField"}
-- 200
@make acme POST /v1/companies {"name": "Acme", "description": "Anvils", "groups": [{"id": "{{g2}}"}]}

== an empty batch does nothing
@each create update delete
POST /v1/companies/batch/{{each}} {"records": []} -- 200 {"data": {"results": []}}

# --- create

== created, or existing: then only the groups are added
POST /v1/companies/batch/create
{"records": [{"name": "Globex", "fundingRaised": "1.50", "employeeRange": "1-10", "groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Many": ["B"]}}},
	{"name": "Acme", "description": "Other", "groups": [{"id": "{{g1}}"}]}, {}, {}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Globex", "fundingRaised": "1.5", "employeeRange": "1-10", "groups": [{"id": "{{g1}}", "name": "First"}],
		"customFieldValues": {"{{g1}}": {"Text": null, "Many": ["B"], "Contact": null}}}}},
	{"status": "succeeded", "operation": "existing", "data": {"$company": {"id": "{{acme}}", "name": "Acme", "description": "Anvils", "groups": ["<object>", "<object>"],
		"customFieldValues": {"{{g1}}": {"Text": null, "Many": null, "Contact": null}}}}, "warnings": [{"code": "record_existed", "path": ["name"], "message": "<ends : description>"}]},
	{"status": "succeeded", "operation": "created", "data": {"$company": {}}},
	{"status": "succeeded", "operation": "created", "data": {"$company": {}}}]}}
> globex = data.results.0.data.id
> globex_whole = data.results.0.data
> acme_whole = data.results.1.data
> nameless = data.results.2.data.id
GET /v1/companies/{{globex}} -- 200 {"data": {{globex_whole}}}
GET /v1/companies/{{acme}} -- 200 {"data": {{acme_whole}}}
GET /v1/companies/{{nameless}} -- 200 {"data": {"$company": {"id": "{{nameless}}"}}}

== the same new name twice: created, then existing
POST /v1/companies/batch/create
{"records": [{"name": "Twin"}, {"name": "Between"}, {"name": "Twin", "description": "ignored", "groups": [{"id": "{{g2}}"}]}, {"name": "twin"}]}
-- 200 {"data": {"results": [
	{"status": "succeeded", "operation": "created", "data": {"name": "Twin", "description": "", "...": 0}},
	{"status": "succeeded", "operation": "created", "data": {"name": "Between", "...": 0}},
	{"status": "succeeded", "operation": "existing", "data": {"name": "Twin", "description": "", "groups": [{"id": "{{g2}}", "name": "Second"}], "...": 0},
		"warnings": [{"code": "record_existed", "path": ["name"], "message": "<ends : description>"}]},
	{"status": "succeeded", "operation": "created", "data": {"name": "twin", "...": 0}}]}}
> twin = data.results.0.data.id
> twin2 = data.results.2.data.id
GET /v1/companies/{{twin}} -- 200
{"data": {"$company": {"id": "{{twin2}}", "name": "Twin", "groups": [{"id": "{{g2}}", "name": "Second"}]}}}

== a record that cannot be applied fails by itself
POST /v1/companies/batch/create
{"records": [{"name": "Bad 1", "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}, {"name": "Good"}, {"name": "Bad 2", "customFieldValues": {"{{g1}}": {"Text": "x"}}},
	{"name": "Bad 3", "groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Many": ["C"]}}}, {"name": "Acme", "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}]}
-- 200
{"data": {"results": [{"$invalid": {}}, {"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Good"}}}, {"$invalid": {}}, {"$invalid": {}}, {"$invalid": {}}]}}
@carol POST /v1/companies/batch/create
{"records": [{"name": "Bad 4", "groups": [{"id": "{{g1}}"}]}, {"name": "Good 2", "groups": [{"id": "{{g2}}"}]}, {"name": "Bad 5", "groups": [{"id": "{{secret}}"}]}]}
-- 200
{"data": {"results": [{"$forbidden": {}}, {"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Good 2", "groups": [{"id": "{{g2}}", "name": "Second"}], "createdBy": {{carol}}}}}, {"$invalid": {}}]}}

== the name of a failed one is free
POST /v1/companies/batch/create
{"records": [{"name": "Bad 1"}, {"name": "Half", "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}, {"name": "Half"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Bad 1"}}}, {"$invalid": {}},
	{"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Half"}}}]}}

== warnings are those of the record
POST /v1/companies/batch/create
{"records": [{"name": "Silent"}, {"name": "Warned", "groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Contact": [{"id": "per_00000000-0000-7000-8000-000000000000"}, {"id": "{{acme}}"}]}}}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "created", "data": "<object>"},
	{"status": "succeeded", "operation": "created", "data": {"customFieldValues": {"{{g1}}": {"Contact": [{"id": "{{acme}}", "...": 0}], "...": 0}}, "...": 0},
		"warnings": [{"code": "value_not_set", "path": ["..."], "message": "<has per_00000000-0000-7000-8000-000000000000>"}]}]}}

== a record of the wrong shape refuses the whole
POST /v1/companies/batch/create
{"records": [{"name": "Must not be"}, {"name": "x", "fundingRaised": -1, "companies": []}, {"employeeRange": "many"}, 5, {"name": "<repeat n 1001>"}]}
-- 422 Invalid input
* too_small ["records", 1, "fundingRaised"] minimum=0 type=number
* unrecognized_keys ["records", 1] keys=["companies"]
* invalid_enum_value ["records", 2, "employeeRange"] received=many ...
* invalid_type ["records", 3] expected=object received=number
* too_big ["records", 4, "name"] maximum=1000 type=string
POST /v1/companies/batch/create {"records": [{"name": "Must not be"}]}
-- 200 {"data": {"results": [{"status": "succeeded", "operation": "created", "data": "<object>"}]}}

== a hundred, and one more
POST /v1/companies/batch/create {"records": [<list {"name": "Company {n}"} 100>]} -- 200
{"data": {"results": [<list {"status": "succeeded", "operation": "created", "data": {"$company": {"name": "Company {n}"}}} 100>]}}
> c1 = data.results.0.data.id
> c100 = data.results.99.data.id
POST /v1/companies/batch/create {"records": [<list {"name": "Company {n}"} 100>]} -- 200
{"data": {"results": [<list {"status": "succeeded", "operation": "existing", "data": {"$company": {"name": "Company {n}"}}} 100>]}}
POST /v1/companies/batch/create {"records": [<list {"name": "Other {n}"} 101>]} -- 422 Invalid input
* too_big ["records"] maximum=100 type=array

# --- update

== each record changes what it names
POST /v1/companies/batch/update
{"records": [{"id": "{{acme}}", "industry": "Tools", "foundationYear": 1949}, {"id": "{{globex}}", "fundingRaised": null, "customFieldValues": {"{{g1}}": {"Text": "t", "Many": null}}}, {"id": "com_00000000-0000-7000-8000-000000000000"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{acme}}", "description": "Anvils", "industry": "Tools", "foundationYear": "1949", "...": 0}},
	{"status": "succeeded", "data": {"id": "{{globex}}", "fundingRaised": null, "customFieldValues": {"{{g1}}": {"Text": "t", "Many": null, "Contact": null}}, "...": 0}}, {"$not_found": {}}]}}

== a taken name fails by itself
POST /v1/companies/batch/update
{"records": [{"id": "{{globex}}", "name": "Acme"}, {"id": "{{acme}}", "name": "Acme"}, {"id": "{{twin}}", "name": "Twin new"}]}
-- 200
{"data": {"results": [{"$invalid": {}}, {"status": "succeeded", "data": {"name": "Acme", "...": 0}}, {"status": "succeeded", "data": {"name": "Twin new", "...": 0}}]}}

== the same new name for two: no more than one gets it
POST /v1/companies/batch/update
{"records": [{"id": "{{c1}}", "name": "Wanted"}, {"id": "{{c100}}", "name": "Wanted"}]}
-- 200 {"data": {"results": [{"status": "<text>", "...": 0}, {"status": "<text>", "...": 0}]}}
POST /v1/companies/batch/create {"records": [{"name": "Wanted"}]} -- 200

== what it left is named in removedGroups
POST /v1/companies/batch/update
{"records": [{"id": "{{acme}}", "groups": [{"id": "{{secret}}"}, {"id": "{{g1}}"}]}, {"id": "{{globex}}", "groups": [{"id": "{{g1}}"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"groups": [{"id": "{{secret}}", "name": "Secret"}, {"id": "{{g1}}", "name": "First"}], "...": 0}, "removedGroups": [{"id": "{{g2}}", "name": "Second"}]},
	{"status": "succeeded", "data": {"groups": [{"id": "{{g1}}", "name": "First"}], "...": 0}}]}}
@bob POST /v1/companies/batch/update {"records": [{"id": "{{acme}}", "groups": []}]} -- 200
{"data": {"results": [{"status": "succeeded", "data": {"groups": [], "...": 0}, "removedGroups": [{"id": "{{g1}}", "name": "First"}]}]}}
GET /v1/companies/{{acme}} -- 200 {"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "...": 0}}
@carol POST /v1/companies/batch/update
{"records": [{"id": "{{globex}}", "groups": []}, {"id": "{{globex}}", "industry": "x"}, {"id": "{{twin}}", "industry": "by Carol"}]}
-- 200
{"data": {"results": [{"$forbidden": {}}, {"$forbidden": {}}, {"status": "succeeded", "data": {"industry": "by Carol", "...": 0}}]}}

== records for the same company are merged
POST /v1/companies/batch/update
{"records": [{"id": "{{globex}}", "industry": "a", "customFieldValues": {"{{g1}}": {"Many": ["C"], "Text": "1"}}}, {"id": "{{globex}}", "industry": "b", "name": "Globex Inc", "customFieldValues": {"{{g1}}": {"Many": ["A"]}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"name": "Globex Inc", "industry": "b", "customFieldValues": {"{{g1}}": {"Text": "1", "Many": ["A"], "Contact": null}}, "...": 0}},
	{"status": "succeeded", "data": {"name": "Globex Inc", "industry": "b", "customFieldValues": {"{{g1}}": {"Text": "1", "Many": ["A"], "Contact": null}}, "...": 0}}]}}
POST /v1/companies/batch/update
{"records": [{"id": "{{globex}}", "industry": "c"}, {"id": "{{globex}}", "customFieldValues": {"{{g1}}": {"Many": ["C"]}}}]}
-- 200 {"data": {"results": [{"$invalid": {}}, {"$invalid": {}}]}}
GET /v1/companies/{{globex}} -- 200
{"data": {"industry": "b", "customFieldValues": {"{{g1}}": {"Text": "1", "Many": ["A"], "Contact": null}}, "...": 0}}

== a record refused for its name, or of an existing company, stores no values
POST /v1/companies/batch/update
{"records": [{"id": "{{globex}}", "name": "Acme", "customFieldValues": {"{{g1}}": {"Text": "refused"}}}]}
-- 200 {"data": {"results": [{"$invalid": {}}]}}
POST /v1/companies/batch/create
{"records": [{"name": "Globex Inc", "groups": [{"id": "{{g1}}"}], "customFieldValues": {"{{g1}}": {"Text": "refused"}}}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "existing", "data": {"id": "{{globex}}", "...": 0},
	"warnings": [{"code": "record_existed", "path": ["name"], "message": "<ends : customFieldValues>"}]}]}}
GET /v1/companies?filter[customFieldValues.{{g1}}.Text][eq]=refused -- 200 {"data": {"items": [], "...": 0}}
GET /v1/companies?filter[customFieldValues.{{g1}}.Text][eq]=1
-- 200 {"data": {"items": [{"id": "{{globex}}", "...": 0}], "...": 0}}

== an update of the wrong shape refuses the whole
POST /v1/companies/batch/update
{"records": [{"id": "{{globex}}", "industry": "Must not be"}, {"id": "com_1"}, {"name": "x"}, {"id": "{{globex}}", "foo": 1}]}
-- 422 Invalid input
* too_small ["records", 1, "id"] minimum=40 type=string exact=true
* required ["records", 2, "id"] expected=string
* unrecognized_keys ["records", 3] keys=["foo"]
GET /v1/companies/{{globex}} -- 200 {"data": {"industry": "b", "...": 0}}

# --- delete, rights, idempotency

== delete
POST /v1/companies/batch/delete
{"records": [{"id": "{{c1}}"}, {"id": "{{c1}}"}, {"id": "{{c100}}"}, {"id": "com_00000000-0000-7000-8000-000000000000"}]}
-- 200
{"data": {"results": [{"status": "succeeded", "data": {"id": "{{c1}}"}}, {"$not_found": {}}, {"status": "succeeded", "data": {"id": "{{c100}}"}}, {"$not_found": {}}]}}
GET /v1/companies/{{c1}} -- 404
POST /v1/companies/batch/delete {"records": [{"id": "{{acme}}", "name": "Acme"}]} -- 422 Invalid input
* unrecognized_keys ["records", 0] keys=["name"]

== a read-only key is refused as a whole
@rows target body
| create |                    |
| update | {"id": "{{acme}}"} |
| delete | {"id": "{{acme}}"} |
@readonly POST /v1/companies/batch/{{target}} {"records": [{{body}}]} -- 403
@end
GET /v1/companies/{{acme}} -- 200

== a retry gets every result again
POST /v1/companies/batch/create
Idempotency-Key: companies-1
{"records": [{"name": "Once"}, {"name": "Once"}, {"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}]}
-- 200
{"data": {"results": [{"status": "succeeded", "operation": "created", "data": "<object>"}, {"status": "succeeded", "operation": "existing", "data": "<object>"}, {"$invalid": {}}]}}
> whole = data
POST /v1/companies/batch/create
Idempotency-Key: companies-1
{"records": [{"name": "Once"}, {"name": "Once"}, {"groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]}]}
-- 200 (Idempotent-Replayed: true) {"data": {{whole}}}
