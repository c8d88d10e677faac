# Values of custom fields on companies. Rules shared with people are tested in more depth in custom_values_people.t.
# ada is the groups' admin, bob an unlisted user, carol a reader.
@users carol

== a group with a field of each type
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
@rows target body
| members               | {"id": "{{carol_id}}", "role": "reader"}                                                                       |
| custom-fields/company | {"name": "Text", "type": "textField"}                                                                          |
| custom-fields/company | {"name": "Number", "type": "numericField", "config": {"format": "currency", "currency": "EUR", "decimals": 0}} |
| custom-fields/company | {"name": "Date", "type": "dateField"}                                                                          |
POST /v1/groups/{{g}}/{{target}}
{{body}}
-- 200
@end
POST /v1/groups/{{g}}/custom-fields/company
{"name": "One", "type": "singleSelect", "options": [{"label": "A"}, {"label": "B"}]}
-- 200
> a = data.options.0.id
> b = data.options.1.id
POST /v1/groups/{{g}}/custom-fields/company
{"name": "Many", "type": "multipleSelect", "options": [{"label": "A"}, {"label": "B"}]}
-- 200
> ma = data.options.0.id
> mb = data.options.1.id
@rows target value
| custom-fields/company | "Contact", "type": "contactField"  |
| custom-fields/company | "User", "type": "userField"        |
| custom-fields/company | "Object", "type": "objectField"    |
| custom-fields/person  | "Person only", "type": "textField" |
| object-types          | "Deal"                             |
POST /v1/groups/{{g}}/{{target}} {"name": {{value}}} -- 200
@end
@make deal POST /v1/groups/{{g}}/Deal {"name": "Deal 1"}
@make pia POST /v1/people {"firstName": "Pia"}

== a company in the group has the fields of companies
POST /v1/companies {"name": "Acme", "groups": [{"id": "{{g}}"}]}
-- 200 {"data": {"$company": {"name": "Acme", "groups": [{"id": "{{g}}", "name": "Sales"}],
	"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null}}}}}
> acme = data.id
POST /v1/people {"groups": [{"id": "{{g}}"}]} -- 200
{"data": {"$person": {"groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Person only": null}}}}}

== each type, written and read
PATCH /v1/companies/{{acme}}
{"customFieldValues": {"{{g}}": {"Text": "t", "Number": "1234567.89", "Date": "1999-12-31", "One": "B", "Many": ["B", "A"],
	"Contact": [{"id": "{{pia}}"}, {"id": "{{acme}}"}], "User": [{"email": "bob@example.com"}], "Object": [{"id": "{{deal}}"}]}}}
-- 200
{"data": {"$company": {"id": "{{acme}}", "name": "Acme", "groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {
	"Text": "t", "Number": "1234567.89", "Date": "1999-12-31", "One": "B", "Many": ["B", "A"],
	"Contact": [{"id": "{{pia}}", "fullName": "Pia", "entityType": "person"}, {"id": "{{acme}}", "fullName": "Acme", "entityType": "company"}],
	"User": [{{bob}}], "Object": [{"id": "{{deal}}", "...": 0}]}}}}}
> acme_whole = data
GET /v1/companies/{{acme}} -- 200 {"data": {{acme_whole}}}
GET /v1/companies -- 200 {"data": {"items": [{{acme_whole}}], "pagination": {}}}
POST /v1/companies
{"name": "Globex", "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Number": 1e2, "User": [{"id": "{{ada_id}}"}, {"id": "{{pia}}"}]}}}
-- 200
{"data": {"$company": {"name": "Globex", "groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {
	"Text": null, "Number": "100", "Date": null, "One": null, "Many": null, "Contact": null, "User": [{{ada}}], "Object": null}}}},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "User", "..."], "message": "<has {{pia}}>"}]}
> globex = data.id

== a text of brackets, quotes and backslashes hides no names
PATCH /v1/companies/{{acme}}
{"customFieldValues": {"{{g}}": {"Text": "}]\"[{\\"}}}
-- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": "}]\"[{\\", "Contact": [{"id": "{{pia}}", "fullName": "Pia", "entityType": "person"}, "<object>"],
	"Object": [{"id": "{{deal}}", "fullName": "Deal 1", "entityType": "object"}], "...": 0}}, "...": 0}}
GET /v1/companies/{{acme}}
-- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": "}]\"[{\\", "Contact": [{"id": "{{pia}}", "fullName": "Pia", "entityType": "person"}, "<object>"],
	"Object": [{"id": "{{deal}}", "fullName": "Deal 1", "entityType": "object"}], "...": 0}}, "...": 0}}
PATCH /v1/companies/{{acme}}
{"customFieldValues": {"{{g}}": {"Text": "t"}}}
-- 200
> acme_whole = data

== creating an existing company changes none of its values
POST /v1/companies
{"name": "Acme", "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Text": "other"}}}
-- 200
{"data": {{acme_whole}}, "warnings": [{"code": "record_existed", "path": ["name"], "message": "<ends : customFieldValues>"}]}
GET /v1/companies/{{acme}} -- 200 {"data": {{acme_whole}}}

== merge and unset
PATCH /v1/companies/{{acme}} {"customFieldValues": {"{{g}}": {"Text": "", "Number": null, "Many": []}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": "1999-12-31", "One": "B", "Many": null, "Contact": ["<object>", "<object>"], "User": [{{bob}}], "Object": ["<object>"]}}, "...": 0}}
PATCH /v1/companies/{{acme}} {"customFieldValues": {"{{g}}": {"Many": ["A", "B"], "Number": -1}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": null, "Number": "-1", "Many": ["A", "B"], "...": 0}}, "...": 0}}

== what is wrong is named at its path
PATCH /v1/companies/{{acme}} {"customFieldValues": {"{{g}}": {"Person only": "x", "One": "C", "Many": ["C"]}}}
-- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "Person only"]
* custom ["customFieldValues", "{{g}}", "One"]
* custom ["customFieldValues", "{{g}}", "Many", "..."]
PATCH /v1/companies/{{acme}} {"customFieldValues": {"{{g}}": {"Date": "tomorrow"}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Date"] ...
PATCH /v1/companies/{{acme}}
{"customFieldValues": {"{{g}}": {"Text": "<repeat t 5001>", "Many": [<list "A" 1001>], "One": "A", "User": [{"email": "<repeat e 255>"}, {"id": "x"}]}}}
-- 422 Invalid input
* too_big ["customFieldValues", "{{g}}", "Text"] maximum=5000 type=string
* too_big ["customFieldValues", "{{g}}", "Many"] maximum=1000 type=array
* too_big ["customFieldValues", "{{g}}", "User", 0, "email"] maximum=254 type=string
* too_small ["customFieldValues", "{{g}}", "User", 1, "id"] minimum=40 type=string exact=true
PATCH /v1/companies/{{acme}} {"customFieldValues": {"grp_00000000-0000-7000-8000-000000000000": {}}}
-- 422 Invalid input
* custom ["customFieldValues", "grp_00000000-0000-7000-8000-000000000000"]
POST /v1/companies {"name": "Nowhere", "customFieldValues": {"{{g}}": {"Text": "x"}}} -- 422 Invalid input
* custom ["customFieldValues", "{{g}}"]
GET /v1/companies?count=exact -- 200 {"data": {"items": ["<object>", "<object>"], "pagination": {"count": 2}}}

== removed options and deleted things leave the values
PATCH /v1/groups/{{g}}/custom-fields/company/Many {"removeOptions": ["{{ma}}"]}
PATCH /v1/groups/{{g}}/custom-fields/company/One
{"removeOptions": ["{{b}}"], "updateOptions": [{"id": "{{a}}", "label": "Alpha"}]}
DELETE /v1/people/{{pia}}
DELETE /v1/groups/{{g}}/Deal/{{deal}}
-- 200
GET /v1/companies/{{acme}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": null, "Number": "-1", "Date": "1999-12-31", "One": null, "Many": ["B"],
	"Contact": [{"id": "{{acme}}", "fullName": "Acme", "entityType": "company"}], "User": [{{bob}}], "Object": null}}, "...": 0}}

== rights
@carol PATCH /v1/companies/{{acme}} {"customFieldValues": {"{{g}}": {"Text": "Carol's"}}}
@carol POST /v1/companies
{"name": "Carol's", "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Text": "Carol's"}}}
-- 403
@bob PATCH /v1/companies/{{acme}} {"customFieldValues": {"{{g}}": {"Text": "Bob's"}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Text": "Bob's", "...": 0}}, "...": 0}}

== a private group's values
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{secret}}/custom-fields/company {"name": "Rating", "type": "textField"} -- 200
PATCH /v1/companies/{{acme}}
{"groups": [{"id": "{{secret}}"}, {"id": "{{g}}"}], "customFieldValues": {"{{secret}}": {"Rating": "AAA"}}}
-- 200
{"data": {"customFieldValues": {"{{secret}}": {"Rating": "AAA"}, "{{g}}": {"Text": "Bob's", "...": 0}}, "...": 0}}
@bob GET /v1/companies/{{acme}} -- 200
{"data": {"groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Text": "Bob's", "...": 0}}, "...": 0}}
@bob PATCH /v1/companies/{{acme}} {"customFieldValues": {"{{secret}}": {"Rating": "B"}}} -- 422 Invalid input
* custom ["customFieldValues", "{{secret}}"]
@bob PATCH /v1/companies/{{acme}} {"groups": [], "name": "Acme Inc"}
-- 200 {"data": {"groups": [], "customFieldValues": {}, "...": 0}}
@bob POST /v1/companies {"name": "Acme Inc", "groups": [{"id": "{{g}}"}]} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null}}, "...": 0}}
GET /v1/companies/{{acme}} -- 200
{"data": {"customFieldValues": {"{{secret}}": {"Rating": "AAA"}, "{{g}}": {"Text": null, "...": 0}}, "...": 0}}

== a company named in a person's list or made by it has no values
POST /v1/people {"companies": [{"name": "By Person"}]} -- 200
> made = data.companies.0.id
GET /v1/companies/{{made}} -- 200 {"data": {"$company": {"id": "{{made}}", "name": "By Person"}}}
