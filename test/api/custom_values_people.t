# Values of custom fields on people: each type in each form, merging, references, limits, rights.
# ada is the groups' admin, bob an unlisted user, carol a reader.
@users carol

== a group with a field of each type
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
@rows target body
| members              | {"id": "{{carol_id}}", "role": "reader"}   |
| custom-fields/person | {"name": "Text", "type": "textField"}      |
| custom-fields/person | {"name": "Number", "type": "numericField"} |
| custom-fields/person | {"name": "Date", "type": "dateField"}      |
POST /v1/groups/{{g}}/{{target}}
{{body}}
-- 200
@end
POST /v1/groups/{{g}}/custom-fields/person
{"name": "One", "type": "singleSelect", "options": [{"label": "Low"}, {"label": "High"}, {"label": "é 😀"}]}
-- 200
> low = data.options.0.id
> high = data.options.1.id
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Many", "type": "multipleSelect", "options": [{"label": "Red"}, {"label": "Green"}, {"label": "Blue"}]}
-- 200
> red = data.options.0.id
> green = data.options.1.id
> blue = data.options.2.id
POST /v1/groups/{{g}}/custom-fields/person {"name": "Contact", "type": "contactField"}
POST /v1/groups/{{g}}/custom-fields/person {"name": "User", "type": "userField"}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Object", "type": "objectField"}
-- 200

== other groups, and things to refer to
@make bare POST /v1/groups {"name": "Bare", "visibility": "public"}
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}
POST /v1/groups/{{g2}}/custom-fields/person {"name": "Text", "type": "textField"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"}
-- 200
@make deal1 POST /v1/groups/{{g}}/Deal {"name": "Deal 1"}
@make deal2 POST /v1/groups/{{g}}/Deal {"name": "Deal 2"}
POST /v1/groups/{{g2}}/object-types {"name": "Deal"} -- 200
@make far_deal POST /v1/groups/{{g2}}/Deal {"name": "Elsewhere"}
@make rita POST /v1/people {"firstName": "Rita", "lastName": "Ref"}
@make acme POST /v1/companies {"name": "Acme"}
@make theirs @other POST /v1/people {"firstName": "Theirs"}

== every field of the group reads null when unset; a group without fields is absent
POST /v1/people {"firstName": "Ann", "groups": [{"id": "{{g}}"}, {"id": "{{bare}}"}]} -- 200
{"data": {"$person": {"firstName": "Ann", "fullName": "Ann", "groups": [{"id": "{{g}}", "name": "Sales"}, {"id": "{{bare}}", "name": "Bare"}],
	"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null}}}}}
> ann = data.id

== a create with a value for each, and a read of it
POST /v1/people {"firstName": "Full", "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {
	"Text": "Hello\n\"world\" é😀", "Number": 12.50, "Date": "2024-02-29", "One": "Low", "Many": ["Blue", "Red"],
	"Contact": [{"id": "{{acme}}"}, {"id": "{{rita}}"}], "User": [{"id": "{{bob_id}}"}, {"email": "ada@example.com"}],
	"Object": [{"id": "{{deal2}}"}, {"id": "{{deal1}}"}]}}}
-- 200
{"data": {"$person": {"firstName": "Full", "fullName": "Full", "groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {
	"Text": "Hello\n\"world\" é😀", "Number": "12.5", "Date": "2024-02-29", "One": "Low", "Many": ["Blue", "Red"],
	"Contact": [{"id": "{{acme}}", "fullName": "Acme", "entityType": "company"}, {"id": "{{rita}}", "fullName": "Rita Ref", "entityType": "person"}],
	"User": [{{bob}}, {{ada}}], "Object": [{"id": "{{deal2}}", "fullName": "Deal 2", "entityType": "object"}, {"id": "{{deal1}}", "fullName": "Deal 1", "entityType": "object"}]}}}}}
> full = data.id
> full_whole = data
GET /v1/people/{{full}} -- 200 {"data": {{full_whole}}}
GET /v1/people?sort=-createdAt&limit=1
-- 200 {"data": {"items": [{{full_whole}}], "pagination": {"nextLink": "<text>"}}}
@bob GET /v1/people/{{full}}
@carol GET /v1/people/{{full}}
-- 200 {"data": {{full_whole}}}

# --- merging

== a change touches only what it names
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Date": "2025-01-01"}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {
	"Text": "Hello\n\"world\" é😀", "Number": "12.5", "Date": "2025-01-01", "One": "Low", "Many": ["Blue", "Red"],
	"Contact": ["<object>", "<object>"], "User": [{{bob}}, {{ada}}], "Object": ["<object>", "<object>"]}}, "...": 0}}
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": "<starts Hello>", "Date": "2025-01-01", "...": 0}}, "...": 0}}
PATCH /v1/people/{{full}} {"customFieldValues": {}, "jobTitle": "Boss"} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": "<starts Hello>", "Date": "2025-01-01", "...": 0}}, "jobTitle": "Boss", "...": 0}}

== values are unset by null
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null}}}
-- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null}}, "...": 0}}

== by an empty array
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Text": "x", "Number": 1, "Date": "2025-01-01", "One": "Low", "Many": ["Red"], "Contact": [{"id": "{{rita}}"}],
	"User": [{"id": "{{ada_id}}"}], "Object": [{"id": "{{deal1}}"}]}}}
-- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": "x", "Number": "1", "Date": "2025-01-01", "One": "Low", "Many": ["Red"], "Contact": ["<object>"],
	"User": [{{ada}}], "Object": [{"id": "{{deal1}}", "...": 0}]}}, "...": 0}}
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Text": [], "Number": [], "Date": [], "One": [], "Many": [], "Contact": [], "User": [], "Object": []}}}
-- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null}}, "...": 0}}

== by the empty text
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Text": "x", "Number": 1, "Date": "2025-01-01", "One": "Low"}}}
-- 200
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Text": "", "Number": "", "Date": "", "One": ""}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "...": 0}}, "...": 0}}

== values of two groups are apart
PATCH /v1/people/{{full}}
{"groups": [{"id": "{{g}}"}, {"id": "{{g2}}"}], "customFieldValues": {"{{g2}}": {"Text": "two"}, "{{g}}": {"Text": "one"}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Text": "one", "...": 0}, "{{g2}}": {"Text": "two"}}, "...": 0}}
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g2}}": {"Text": null}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Text": "one", "...": 0}, "{{g2}}": {"Text": null}}, "...": 0}}

# --- numbers

== numbers in, plain decimal text out
@rows value answer
| 5          | "5"        |
| "5.500"    | "5.5"      |
| -0.250     | "-0.25"    |
| 1E3        | "1000"     |
| "-12.5e-4" | "-0.00125" |
| "+007"     | "7"        |
| -0.0       | "0"        |
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Number": {{value}}}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Number": {{answer}}, "...": 0}}, "...": 0}}

== numbers that no double holds stay exact
@rows value answer
| 9007199254740993                                      | "9007199254740993"                                      |
| -123456789012345678901234567890.123456789012345678901 | "-123456789012345678901234567890.123456789012345678901" |
| "0.1000000000000000055511151231257827"                | "0.1000000000000000055511151231257827"                  |
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Number": {{value}}}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Number": {{answer}}, "...": 0}}, "...": 0}}
@end
GET /v1/people/{{ann}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Number": "0.1000000000000000055511151231257827", "...": 0}}, "...": 0}}

== what is not a number
@rows value issue
| "five"      |         |
| "1,5"       |         |
| " 5"        |         |
| "NaN"       |         |
| "0x1F"      |         |
| 1e999999999 |         |
| ["5"]       | , "..." |
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Number": {{value}}}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Number"{{issue}}] ...
@end
GET /v1/people/{{ann}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Number": "0.1000000000000000055511151231257827", "...": 0}}, "...": 0}}

# --- dates

== what is not a date
@each "2023-02-29" "2023-02-28T00:00:00Z" 20230228 "28.2.2023"
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Date": {{each}}}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Date"] ...
@end
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Date": "0001-01-01"}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Date": "0001-01-01", "...": 0}}, "...": 0}}

# --- selects

== labels
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"One": "\u00e9 \ud83d\ude00"}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"One": "é 😀", "...": 0}}, "...": 0}}
@rows value issue
| "low"     | custom ["customFieldValues", "{{g}}", "One"]           |
| "{{low}}" | custom ["customFieldValues", "{{g}}", "One"]           |
| ["Low"]   | <any> ["customFieldValues", "{{g}}", "One", "..."] ... |
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"One": {{value}}}}} -- 422 Invalid input
* {{issue}}
@end
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": ["Blue", "Red", "Blue", "Green", "Red"]}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"One": "é 😀", "Many": ["Blue", "Red", "Green"], "...": 0}}, "...": 0}}
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": ["Green"]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Many": ["Green"], "...": 0}}, "...": 0}}
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": ["Red", "Yellow"]}}} -- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "Many", "..."]
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": "Red"}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Many"] ...
GET /v1/people/{{ann}} -- 200 {"data": {"customFieldValues": {"{{g}}": {"Many": ["Green"], "...": 0}}, "...": 0}}

# --- references

== repeated references collapse, in whatever form they come
PATCH /v1/people/{{ann}}
{"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}"}, {"id": "{{acme}}"}, {"id": "{{rita}}"}],
	"User": [{"email": "bob@example.com"}, {"id": "{{bob_id}}"}, {"id": "{{ada_id}}"}],
	"Object": [{"id": "{{deal1}}"}, {"id": "{{deal1}}"}]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {
	"Contact": [{"id": "{{rita}}", "fullName": "Rita Ref", "entityType": "person"}, {"id": "{{acme}}", "fullName": "Acme", "entityType": "company"}],
	"User": [{{bob}}, {{ada}}], "Object": [{"id": "{{deal1}}", "...": 0}], "...": 0}}, "...": 0}}

== a contact that does not exist is left out, with a warning that names it
PATCH /v1/people/{{ann}}
{"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}"}, {"id": "per_00000000-0000-7000-8000-000000000000"}]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}", "...": 0}], "...": 0}}, "...": 0},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "Contact", "..."], "message": "<has per_00000000-0000-7000-8000-000000000000>"}]}
GET /v1/people/{{ann}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}", "...": 0}], "...": 0}}, "...": 0}}

== each one is named; when none is left the field is unset
PATCH /v1/people/{{ann}}
{"customFieldValues": {"{{g}}": {"Contact": [{"id": "com_00000000-0000-7000-8000-000000000000"}, {"id": "{{theirs}}"}]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Contact": null, "...": 0}}, "...": 0},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "Contact", "..."], "message": "<has com_00000000-0000-7000-8000-000000000000>"},
	{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "Contact", "..."], "message": "<has {{theirs}}>"}]}

== an id of the wrong kind, or of another group, too
PATCH /v1/people/{{ann}}
{"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{deal1}}"}, {"id": "{{rita}}"}]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}", "...": 0}], "...": 0}}, "...": 0},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "Contact", "..."], "message": "<has {{deal1}}>"}]}
PATCH /v1/people/{{ann}}
{"customFieldValues": {"{{g}}": {"Object": [{"id": "{{rita}}"}, {"id": "{{far_deal}}"}, {"id": "{{deal2}}"}, {"id": "obj_00000000-0000-7000-8000-000000000000"}]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Object": [{"id": "{{deal2}}", "...": 0}], "...": 0}}, "...": 0},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "Object", "..."], "message": "<has {{rita}}>"},
	{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "Object", "..."], "message": "<has {{far_deal}}>"},
	{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "Object", "..."], "message": "<has obj_00000000-0000-7000-8000-000000000000>"}]}
PATCH /v1/people/{{ann}}
{"customFieldValues": {"{{g}}": {"User": [{"email": "nobody@example.com"}, {"id": "{{ada_id}}"}, {"id": "{{other_id}}"}, {"email": "other@example.com"}, {"id": "{{rita}}"}]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"User": [{{ada}}], "...": 0}}, "...": 0},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "User", "..."], "message": "<has nobody@example.com>"},
	{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "User", "..."], "message": "<has {{other_id}}>"},
	{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "User", "..."], "message": "<has other@example.com>"},
	{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "User", "..."], "message": "<has {{rita}}>"}]}

== a create warns as well
POST /v1/people
{"groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"User": [{"email": "nobody@example.com"}], "Text": "kept"}}}
-- 200
{"data": {"$person": {"groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Text": "kept", "User": null, "...": 0}}}},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "User", "..."], "message": "<has nobody@example.com>"}]}

== references in a form that the field does not take
@rows value issue
| {"Contact": ["{{rita}}"]}                   | "Contact", "..." |
| {"Contact": "{{rita}}"}                     | "Contact"        |
| {"Contact": [{"email": "ada@example.com"}]} | "Contact", "..." |
| {"User": 5}                                 | "User"           |
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {{value}}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", {{issue}}] ...
@end
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Contact": [{}]}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Contact", "..."] ...
* ...
@rows value issue
| {"Contact": [{"id": "per_1"}]} | too_small ["customFieldValues", "{{g}}", "Contact", 0, "id"] minimum=40 type=string exact=true |
| {"Contact": [{"id": "{{rita}}", "email": "rita@example.com"}]} | unrecognized_keys ["customFieldValues", "{{g}}", "Contact", 0] keys=["email"] |
| {"Object": [{"id": "{{deal1}}", "name": "Deal 1"}]} | unrecognized_keys ["customFieldValues", "{{g}}", "Object", 0] keys=["name"] |
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {{value}}}} -- 422 Invalid input
* {{issue}}

== texts of the wrong type
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Text": 5}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Text"] ...
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Text": ["x"]}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Text", "..."] ...
@rows value issue
| {"Text": true}        | "Text"        |
| {"Text": {"id": "x"}} | "Text", "..." |
| {"Many": ["Red", 5]}  | "Many", "..." |
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {{value}}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", {{issue}}] ...
* ...

== names and groups that are not there
@rows value issue
| {"{{g}}": {"Nope": "x"}}                                    | "{{g}}", "Nope"                            |
| {"{{g}}": {"text": null}}                                   | "{{g}}", "text"                            |
| {"{{g2}}": {"Text": "x"}}                                   | "{{g2}}"                                   |
| {"{{bare}}": {"Text": "x"}}                                 | "{{bare}}", "Text"                         |
| {"grp_00000000-0000-7000-8000-000000000000": {"Text": "x"}} | "grp_00000000-0000-7000-8000-000000000000" |
PATCH /v1/people/{{ann}} {"customFieldValues": {{value}}} -- 422 Invalid input
* custom ["customFieldValues", {{issue}}]
@end
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Te\u0000xt": "x"}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "..."] ...
* ...
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Text": "\u0000"}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "Text"] ...
* ...
@rows body issue
| {"customFieldValues": {"Sales": {"Text": "x"}}} | <any> ["customFieldValues", "Sales"] ... |
| {"customFieldValues": {"{{g}}": "x"}} | invalid_type ["customFieldValues", "{{g}}"] expected=object received=string |
| {"groups": [{"id": "{{bare}}"}], "customFieldValues": {"{{g}}": {"Text": "x"}}} | custom ["customFieldValues", "{{g}}"] |
PATCH /v1/people/{{ann}}
{{body}}
-- 422 Invalid input
* {{issue}}
@end
POST /v1/people {"customFieldValues": {"{{g}}": {"Text": "x"}}} -- 422 Invalid input
* custom ["customFieldValues", "{{g}}"]

== several faults are all named, and nothing is done
PATCH /v1/people/{{ann}}
{"firstName": "Changed", "customFieldValues": {"{{g}}": {"Nope": 1, "Text": "changed", "One": "Nope", "Date": "2024-01-01"}}}
-- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "Nope"]
* custom ["customFieldValues", "{{g}}", "One"]
GET /v1/people/{{ann}} -- 200
{"data": {"firstName": "Ann", "customFieldValues": {"{{g}}": {"Text": null, "One": "é 😀", "Date": "0001-01-01", "...": 0}}, "...": 0}}

# --- limits

== a text of 5000, and one more
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Text": "<repeat 😀 5000>"}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Text": "<repeat 😀 5000>", "...": 0}}, "...": 0}}
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Text": "<repeat t 5001>"}}} -- 422 Invalid input
* too_big ["customFieldValues", "{{g}}", "Text"] maximum=5000 type=string

== an array of 1000, and one more
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": [<list "Red" 1000>]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Many": ["Red"], "...": 0}}, "...": 0}}
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": [<list "Red" 1001>]}}} -- 422 Invalid input
* too_big ["customFieldValues", "{{g}}", "Many"] maximum=1000 type=array
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Contact": [<list {"id": "{{rita}}"} 1000>]}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}", "...": 0}], "...": 0}}, "...": 0}}
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Contact": [<list {"id": "{{rita}}"} 1001>]}}}
-- 422 Invalid input
* too_big ["customFieldValues", "{{g}}", "Contact"] maximum=1000 type=array

== an item of 500, and one more
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"addOptions": [{"label": "<repeat l 500>"}]} -- 200
> long = data.options.3.id
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": ["<repeat l 500>"]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Many": ["<repeat l 500>"], "...": 0}}, "...": 0}}
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"Many": ["Red", "<repeat l 501>"]}}} -- 422 Invalid input
* too_big ["customFieldValues", "{{g}}", "Many", 1] maximum=500 type=string
* ...

== an e-mail of 254, and one more
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"User": [{"email": "<repeat e 242>@example.com"}]}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"User": null, "...": 0}}, "...": 0},
 "warnings": [{"code": "value_not_set", "path": ["customFieldValues", "{{g}}", "User", "..."], "message": "<has <repeat e 242>@example.com>"}]}
PATCH /v1/people/{{ann}} {"customFieldValues": {"{{g}}": {"User": [{"email": "<repeat e 243>@example.com"}]}}}
-- 422 Invalid input
* too_big ["customFieldValues", "{{g}}", "User", 0, "email"] maximum=254 type=string

# --- changes of updatedAt

== a value that changes, and not one that does not
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Number": "7.50", "Many": ["Red", "Blue"], "User": [{"id": "{{ada_id}}"}]}}}
-- 200
> before = data.updatedAt
@repeat 5 GET /v1/people/{{full}} -- 200
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Number": 7.5, "Many": ["Red", "Blue", "Red"], "User": [{"email": "ada@example.com"}], "Date": null}}}
-- 200 {"data": {"updatedAt": "{{before}}", "...": 0}}
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Many": ["Blue", "Red"]}}}
-- 200 {"data": {"updatedAt": "<not {{before}}>", "...": 0}}

# --- membership

== values leave with membership, and do not come back
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g2}}": {"Text": "two"}}} -- 200
PATCH /v1/people/{{full}} {"groups": [{"id": "{{g2}}"}]} -- 200
{"data": {"groups": [{"id": "{{g2}}", "name": "Second"}], "customFieldValues": {"{{g2}}": {"Text": "two"}}, "...": 0}}
PATCH /v1/people/{{full}} {"groups": [{"id": "{{g2}}"}, {"id": "{{g}}"}]}
-- 200 {"data": {"customFieldValues": {"{{g2}}": {"Text": "two"},
	"{{g}}": {"Text": null, "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null}}, "...": 0}}

== joining and setting in one change
PATCH /v1/people/{{full}} {"groups": []} -- 200 {"data": {"groups": [], "customFieldValues": {}, "...": 0}}
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Text": "back", "One": "High", "Many": ["Red", "Green", "Blue"]}}, "groups": [{"id": "{{g}}"}]}
-- 200
{"data": {"groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Text": "back", "One": "High", "Many": ["Red", "Green", "Blue"], "...": 0}}, "...": 0}}

# --- rights

== a reader of the group may not write its values, nor those of a new person
@carol PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Text": "Carol's"}}}
@carol PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Text": null}}}
-- 403
@carol PATCH /v1/people/{{full}} {"jobTitle": "Anything"} -- 200
{"data": {"jobTitle": "Anything", "customFieldValues": {"{{g}}": {"Text": "back", "...": 0}}, "...": 0}}
@readonly PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Text": "x"}}} -- 403

== a contributor may
@bob PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Text": "Bob's"}}}
-- 200 {"data": {"customFieldValues": {"{{g}}": {"Text": "Bob's", "...": 0}}, "...": 0}}

== a private group's values are absent for others
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{secret}}/custom-fields/person {"name": "Salary", "type": "numericField"} -- 200
PATCH /v1/people/{{full}}
{"groups": [{"id": "{{g}}"}, {"id": "{{secret}}"}], "customFieldValues": {"{{secret}}": {"Salary": 100}}}
-- 200
{"data": {"customFieldValues": {"{{secret}}": {"Salary": "100"}, "{{g}}": {"Text": "Bob's", "...": 0}}, "...": 0}}
@bob GET /v1/people/{{full}} -- 200
{"data": {"groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Text": "Bob's", "...": 0}}, "...": 0}}
@admin GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{secret}}": {"Salary": "100"}, "{{g}}": {"Text": "Bob's", "...": 0}}, "...": 0}}

== and not to be written by them
@bob PATCH /v1/people/{{full}} {"customFieldValues": {"{{secret}}": {"Salary": 1}}} -- 422 Invalid input
* custom ["customFieldValues", "{{secret}}"]
@bob PATCH /v1/people/{{full}}
{"groups": [{"id": "{{secret}}"}], "customFieldValues": {"{{secret}}": {"Salary": 1}}}
-- 422 Invalid input

== and untouched by what they do
@bob PATCH /v1/people/{{full}} {"groups": [], "customFieldValues": {}}
-- 200 {"data": {"groups": [], "customFieldValues": {}, "...": 0}}
GET /v1/people/{{full}} -- 200
{"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "customFieldValues": {"{{secret}}": {"Salary": "100"}}, "...": 0}}
@bob PATCH /v1/people/{{full}}
{"groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Text": "again", "One": "High", "Many": ["Red", "Green", "Blue"]}}}
-- 200
{"data": {"groups": [{"id": "{{g}}", "name": "Sales"}], "customFieldValues": {"{{g}}": {"Text": "again", "...": 0}}, "...": 0}}
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{secret}}": {"Salary": "100"}, "{{g}}": {"Text": "again", "...": 0}}, "...": 0}}

== a person whose only values are hidden reads as one without
@make spy POST /v1/people {"firstName": "Spy", "groups": [{"id": "{{secret}}"}], "customFieldValues": {"{{secret}}": {"Salary": "1e2"}}}
@bob GET /v1/people/{{spy}} -- 200 {"data": {"$person": {"id": "{{spy}}", "firstName": "Spy", "fullName": "Spy"}}}
@bob PATCH /v1/people/{{spy}} {"lastName": "Y"} -- 200
GET /v1/people/{{spy}}
-- 200 {"data": {"fullName": "Spy Y", "customFieldValues": {"{{secret}}": {"Salary": "100"}}, "...": 0}}

# --- definitions that change under the values

== a renamed option is read by its new label
PATCH /v1/groups/{{g}}/custom-fields/person/One {"updateOptions": [{"id": "{{high}}", "label": "Top"}]}
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"updateOptions": [{"id": "{{green}}", "label": "Grass"}]}
-- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"One": "Top", "Many": ["Red", "Grass", "Blue"], "...": 0}, "{{secret}}": "<object>"}, "...": 0}}
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"One": "High"}}} -- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "One"]

== a removed option leaves the values that held it
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"removeOptions": ["{{green}}"]} -- 200
@rows target body answer
| One  | {"removeOptions": ["{{high}}"]}            | {"One": null, "Many": ["Red", "Blue"], "Text": "again", "...": 0} |
| Many | {"removeOptions": ["{{red}}", "{{blue}}"]} | {"Many": null, "...": 0}                                          |
| Many | {"addOptions": [{"label": "Red"}]}         | {"Many": null, "...": 0}                                          |
PATCH /v1/groups/{{g}}/custom-fields/person/{{target}}
{{body}}
-- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {{answer}}, "{{secret}}": "<object>"}, "...": 0}}

== a renamed field keeps its values
PATCH /v1/groups/{{g}}/custom-fields/person/Text {"name": "Te\"x]t\\.1/😀"} -- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Te\"x]t\\.1/😀": "again", "Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null},
	"{{secret}}": "<object>"}, "...": 0}}
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Te\"x]t\\.1/😀": "odd name"}}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Te\"x]t\\.1/😀": "odd name", "...": 0}, "{{secret}}": "<object>"}, "...": 0}}
PATCH /v1/people/{{full}} {"customFieldValues": {"{{g}}": {"Text": "old name"}}} -- 422 Invalid input
* custom ["customFieldValues", "{{g}}", "Text"]

== a deleted field is gone, and one of the same name begins empty
DELETE /v1/groups/{{g}}/custom-fields/person/Te%22x%5Dt%5C.1%2F%F0%9F%98%80 -- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Number": null, "Date": null, "One": null, "Many": null, "Contact": null, "User": null, "Object": null},
	"{{secret}}": "<object>"}, "...": 0}}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Te\"x]t\\.1/😀", "type": "textField"} -- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Te\"x]t\\.1/😀": null, "...": 0}, "{{secret}}": "<object>"}, "...": 0}}

== without its last field the group is absent
DELETE /v1/groups/{{secret}}/custom-fields/person/Salary -- 200
GET /v1/people/{{spy}}
-- 200 {"data": {"groups": [{"id": "{{secret}}", "name": "Secret"}], "customFieldValues": {}, "...": 0}}

# --- references to changed and deleted records

== a contact's new name is read, and a deleted one leaves every field
PATCH /v1/people/{{full}}
{"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}"}, {"id": "{{acme}}"}, {"id": "{{ann}}"}], "Object": [{"id": "{{deal1}}"}, {"id": "{{deal2}}"}]}}}
PATCH /v1/people/{{rita}} {"lastName": "New"}
PATCH /v1/companies/{{acme}} {"name": "Acme & Sons"}
-- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{rita}}", "fullName": "Rita New", "entityType": "person"},
	{"id": "{{acme}}", "fullName": "Acme & Sons", "entityType": "company"}, {"id": "{{ann}}", "fullName": "Ann", "entityType": "person"}], "...": 0}}, "...": 0}}
DELETE /v1/people/{{rita}} -- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{acme}}", "...": 0}, {"id": "{{ann}}", "...": 0}], "...": 0}}, "...": 0}}
GET /v1/people/{{ann}} -- 200 {"data": {"customFieldValues": {"{{g}}": {"Contact": null, "...": 0}}, "...": 0}}
DELETE /v1/companies/{{acme}} -- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Contact": [{"id": "{{ann}}", "...": 0}], "...": 0}}, "...": 0}}
DELETE /v1/people/{{ann}} -- 200
GET /v1/people/{{full}} -- 200 {"data": {"customFieldValues": {"{{g}}": {"Contact": null, "...": 0}}, "...": 0}}

== a deleted object leaves every field
DELETE /v1/groups/{{g}}/Deal/{{deal1}} -- 200
GET /v1/people/{{full}} -- 200
{"data": {"customFieldValues": {"{{g}}": {"Object": [{"id": "{{deal2}}", "...": 0}], "...": 0}}, "...": 0}}
DELETE /v1/groups/{{g}}/object-types/Deal?force=true -- 200
GET /v1/people/{{full}} -- 200 {"data": {"customFieldValues": {"{{g}}": {"Object": null, "...": 0}}, "...": 0}}

== a deleted group takes its values along
PATCH /v1/people/{{full}}
{"groups": [{"id": "{{g}}"}, {"id": "{{g2}}"}], "customFieldValues": {"{{g2}}": {"Text": "stays"}}}
DELETE /v1/groups/{{g}}
-- 200
GET /v1/people/{{full}} -- 200
{"data": {"groups": [{"id": "{{g2}}", "name": "Second"}], "customFieldValues": {"{{g2}}": {"Text": "stays"}}, "...": 0}}
