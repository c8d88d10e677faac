# Custom objects: create, read, change, delete, lists; contacts and values on them; type names; rights.
# ada is the groups' admin, bob an unlisted user, carol a reader, dave an outsider of the private group.
@users carol dave

== groups, types, contacts to work with
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
POST /v1/groups/{{g}}/members {"id": "{{carol_id}}", "role": "reader"} -- 200
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"}
POST /v1/groups/{{g}}/object-types {"name": "Job Applications"}
-- 200
@make ann POST /v1/people {"firstName": "Ann", "lastName": "Lee", "groups": [{"id": "{{g}}"}]}
@make max POST /v1/people {"firstName": "Max", "groups": [{"id": "{{g2}}"}, {"id": "{{g}}"}]}
@make far POST /v1/people {"firstName": "Far", "groups": [{"id": "{{g2}}"}]}
@make acme POST /v1/companies {"name": "Acme", "groups": [{"id": "{{g}}"}]}
@make globex POST /v1/companies {"name": "Globex", "groups": [{"id": "{{g}}"}]}
@make faraway POST /v1/companies {"name": "Faraway"}
@make their_group @other POST /v1/groups {"name": "Theirs", "visibility": "public"}

== a type begins without objects
GET /v1/groups/{{g}}/Deal -- 200 {"data": {"items": [], "pagination": {}}}

== an empty object has every field
POST /v1/groups/{{g}}/Deal {} -- 200 {"data": {"$object": {}}}
> empty = data.id
GET /v1/groups/{{g}}/Deal/{{empty}} -- 200 {"data": {"$object": {"id": "{{empty}}"}}}

== fields for deals
POST /v1/groups/{{g}}/custom-fields/Deal
{"name": "Value", "type": "numericField", "config": {"format": "currency", "currency": "EUR"}}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Note", "type": "textField"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Close", "type": "dateField"}
-- 200
POST /v1/groups/{{g}}/custom-fields/Deal
{"name": "Stage", "type": "singleSelect", "options": [{"label": "Open"}, {"label": "Won"}]}
-- 200
> open = data.options.0.id
POST /v1/groups/{{g}}/custom-fields/Deal
{"name": "Tags", "type": "multipleSelect", "options": [{"label": "Hot"}, {"label": "Cold"}]}
-- 200
> hot = data.options.0.id
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Via", "type": "contactField"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Owner", "type": "userField"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Parent", "type": "objectField"}
-- 200
GET /v1/groups/{{g}}/Deal/{{empty}} -- 200
{"data": {"$object": {"id": "{{empty}}", "customFieldValues": {"Value": null, "Note": null, "Close": null, "Stage": null, "Tags": null, "Via": null, "Owner": null, "Parent": null}}}}

== create with everything
POST /v1/groups/{{g}}/Deal
{"name": "Big \"deal\" é😀", "companies": [{"id": "{{globex}}"}, {"id": "{{acme}}"}], "people": [{"id": "{{max}}"}, {"id": "{{ann}}"}],
 "customFieldValues": {"Value": "1000000.50", "Note": "n", "Close": "2030-06-30", "Stage": "Open", "Tags": ["Cold", "Hot"],
	"Via": [{"id": "{{far}}"}, {"id": "{{faraway}}"}], "Owner": [{"email": "bob@example.com"}], "Parent": [{"id": "{{empty}}"}]}}
-- 200
{"data": {"$object": {"name": "Big \"deal\" é😀", "companies": [{"id": "{{globex}}", "name": "Globex"}, {"id": "{{acme}}", "name": "Acme"}],
	"people": [{"id": "{{max}}", "fullName": "Max"}, {"id": "{{ann}}", "fullName": "Ann Lee"}],
	"customFieldValues": {"Value": "1000000.5", "Note": "n", "Close": "2030-06-30", "Stage": "Open", "Tags": ["Cold", "Hot"],
		"Via": [{"id": "{{far}}", "fullName": "Far", "entityType": "person"}, {"id": "{{faraway}}", "fullName": "Faraway", "entityType": "company"}],
		"Owner": [{{bob}}], "Parent": [{"id": "{{empty}}", "...": 0}]}}}}
> big = data.id
> big_whole = data
GET /v1/groups/{{g}}/Deal/{{big}}
@carol GET /v1/groups/{{g}}/Deal/{{big}}
-- 200 {"data": {{big_whole}}}
GET /v1/groups/{{g}}/Deal -- 200 {"data": {"items": [{"id": "{{empty}}", "...": 0}, {{big_whole}}], "pagination": {}}}

== a change touches only what it names
PATCH /v1/groups/{{g}}/Deal/{{big}} {"name": "Big"} -- 200
{"data": {"id": "{{big}}", "name": "Big", "companies": ["<object>", "<object>"], "people": ["<object>", "<object>"],
	"customFieldValues": {"Value": "1000000.5", "Note": "n", "Stage": "Open", "...": 0}, "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{big}}
{"people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}, {"id": "{{globex}}"}, {"id": "{{acme}}"}]}
-- 200
{"data": {"name": "Big", "companies": [{"id": "{{acme}}", "name": "Acme"}, {"id": "{{globex}}", "name": "Globex"}],
	"people": [{"id": "{{ann}}", "fullName": "Ann Lee"}], "customFieldValues": {"Value": "1000000.5", "...": 0}, "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{big}}
{"customFieldValues": {"Value": null, "Tags": [], "Note": "", "Close": []}}
-- 200
{"data": {"customFieldValues": {"Value": null, "Note": null, "Close": null, "Stage": "Open", "Tags": null, "Via": ["<object>", "<object>"], "Owner": [{{bob}}], "Parent": ["<object>"]}, "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{big}} {"people": [], "companies": [], "name": ""} -- 200
{"data": {"name": "", "people": [], "companies": [], "customFieldValues": {"Stage": "Open", "...": 0}, "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{big}} {} -- 200 {"data": {"name": "", "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{big}}
{"name": "Big", "people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Value": 123456789012345678901234567890.5}}
-- 200
{"data": {"name": "Big", "people": [{"id": "{{ann}}", "fullName": "Ann Lee"}], "companies": [{"id": "{{acme}}", "name": "Acme"}],
	"customFieldValues": {"Value": "123456789012345678901234567890.5", "...": 0}, "...": 0}}

== people and companies that do not exist, or are not in the group, are left out with a warning
PATCH /v1/groups/{{g}}/Deal/{{big}}
{"people": [{"id": "{{far}}"}, {"id": "{{max}}"}, {"id": "per_00000000-0000-7000-8000-000000000000"}]}
-- 200
{"data": {"people": [{"id": "{{max}}", "fullName": "Max"}], "companies": [{"id": "{{acme}}", "name": "Acme"}], "...": 0},
 "warnings": [{"code": "reference_outside_group", "path": ["people", "..."], "message": "<has {{far}}>"}, {"code": "reference_not_found", "path": ["people", "..."], "message": "<has per_00000000-0000-7000-8000-000000000000>"}]}
PATCH /v1/groups/{{g}}/Deal/{{big}}
{"companies": [{"id": "{{faraway}}"}, {"id": "{{ann}}"}, {"id": "{{globex}}"}]}
-- 200
{"data": {"companies": [{"id": "{{globex}}", "name": "Globex"}], "people": [{"id": "{{max}}", "fullName": "Max"}], "...": 0},
 "warnings": [{"code": "reference_outside_group", "path": ["companies", "..."], "message": "<has {{faraway}}>"}, {"code": "reference_not_found", "path": ["companies", "..."], "message": "<has {{ann}}>"}]}
PATCH /v1/groups/{{g}}/Deal/{{big}} {"companies": [{"id": "{{max}}"}, {"id": "{{globex}}"}, {"id": "{{g}}"}]}
-- 200 {"data": {"companies": [{"id": "{{globex}}", "name": "Globex"}], "...": 0},
 "warnings": [{"code": "reference_not_found", "path": ["companies", "..."], "message": "<has {{max}}>"}, {"code": "reference_not_found", "path": ["companies", "..."], "message": "<has {{g}}>"}]}
POST /v1/groups/{{g}}/Deal
{"name": "Warned", "people": [{"id": "{{far}}"}], "customFieldValues": {"Via": [{"id": "com_00000000-0000-7000-8000-000000000000"}]}}
-- 200 {"data": {"name": "Warned", "people": [], "customFieldValues": {"Via": null, "...": 0}, "...": 0},
 "warnings": [{"code": "reference_outside_group", "path": ["people", "..."], "message": "<has {{far}}>"}, {"code": "value_not_set", "path": ["customFieldValues", "Via", "..."], "message": "<has com_00000000-0000-7000-8000-000000000000>"}]}
> warned = data.id
DELETE /v1/groups/{{g}}/Deal/{{warned}} -- 200 {"data": {"id": "{{warned}}"}}

== limits
PATCH /v1/groups/{{g}}/Deal/{{empty}} {"name": "<repeat 😀 1000>"} -- 200 {"data": {"name": "<repeat 😀 1000>", "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{empty}} {"name": "<repeat n 1001>"} -- 422 Invalid input
* too_big ["name"] maximum=1000 type=string
PATCH /v1/groups/{{g}}/Deal/{{empty}}
{"people": [<list {"id": "{{ann}}"} 20>], "companies": [<list {"id": "{{acme}}"} 20>]}
-- 200
{"data": {"people": [{"id": "{{ann}}", "fullName": "Ann Lee"}], "companies": [{"id": "{{acme}}", "name": "Acme"}], "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{empty}}
{"people": [<list {"id": "{{ann}}"} 21>], "companies": [<list {"id": "{{acme}}"} 21>]}
-- 422 Invalid input
* too_big ["people"] maximum=20 type=array
* too_big ["companies"] maximum=20 type=array
PATCH /v1/groups/{{g}}/Deal/{{empty}}
{"customFieldValues": {"Note": "<repeat n 5000>", "Tags": [<list "Hot" 1000>]}}
-- 200 {"data": {"customFieldValues": {"Note": "<repeat n 5000>", "Tags": ["Hot"], "...": 0}, "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{empty}}
{"customFieldValues": {"Note": "<repeat n 5001>", "Tags": [<list "Hot" 1001>], "Owner": [{"email": "<repeat e 255>"}], "Via": [{"id": "x"}]}}
-- 422 Invalid input
* too_big ["customFieldValues", "Note"] maximum=5000 type=string
* too_big ["customFieldValues", "Tags"] maximum=1000 type=array
* too_big ["customFieldValues", "Owner", 0, "email"] maximum=254 type=string
* too_small ["customFieldValues", "Via", 0, "id"] minimum=40 type=string exact=true

== what is wrong is named at its path
POST /v1/groups/{{g}}/Deal
{"foo": 1, "name": 5, "people": [{"id": "x", "fullName": "y"}, {}, {"name": "z"}, "p"], "companies": {}, "customFieldValues": [], "createdAt": "x"}
-- 422 Invalid input
* invalid_type ["name"] expected=string received=number
* too_small ["people", 0, "id"] minimum=40 type=string exact=true
* required ["people", 1, "id"] expected=string
* required ["people", 2, "id"] expected=string
* unrecognized_keys ["people", 2] keys=["name"]
* invalid_type ["people", 3] expected=object received=string
* invalid_type ["companies"] expected=array received=object
* invalid_type ["customFieldValues"] expected=object received=array
* invalid_string ["createdAt"] validation=datetime
* unrecognized_keys [] keys=["foo"]
PATCH /v1/groups/{{g}}/Deal/{{big}} {"customFieldValues": {"Nope": 1, "Stage": "Lost", "Value": 1}} -- 422 Invalid input
* custom ["customFieldValues", "Nope"]
* custom ["customFieldValues", "Stage"]
PATCH /v1/groups/{{g}}/Deal/{{big}} {"customFieldValues": {"Value": "much"}} -- 422 Invalid input
* <any> ["customFieldValues", "Value"] ...
PATCH /v1/groups/{{g}}/Deal/{{big}} {"customFieldValues": {"{{g}}": {"Value": 1}}} -- 422 Invalid input
* <any> ["customFieldValues", "{{g}}", "..."] ...
* ...
PATCH /v1/groups/{{g}}/Deal/{{big}} {"groups": []} -- 422 Invalid input
* unrecognized_keys [] keys=["groups"]
GET /v1/groups/{{g}}/Deal?count=exact -- 200 {"data": {"items": ["<object>", "<object>"], "pagination": {"count": 2}}}

== updatedAt moves with a change and not without one
GET /v1/groups/{{g}}/Deal/{{big}} -- 200
> before = data.updatedAt
> created = data.createdAt
@repeat 5 GET /v1/groups/{{g}}/Deal/{{big}} -- 200
PATCH /v1/groups/{{g}}/Deal/{{big}}
{"name": "Big", "people": [{"id": "{{max}}"}], "customFieldValues": {"Value": "123456789012345678901234567890.50", "Stage": "Open"}}
-- 200 {"data": {"updatedAt": "{{before}}", "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{big}} {"customFieldValues": {"Stage": "Won"}}
-- 200 {"data": {"updatedAt": "<not {{before}}>", "createdAt": "{{created}}", "...": 0}}

== deleted contacts, options and objects leave the objects
POST /v1/groups/{{g}}/Deal
{"name": "Refs", "people": [{"id": "{{max}}"}, {"id": "{{ann}}"}], "companies": [{"id": "{{globex}}"}, {"id": "{{acme}}"}],
 "customFieldValues": {"Via": [{"id": "{{far}}"}, {"id": "{{max}}"}], "Parent": [{"id": "{{big}}"}, {"id": "{{empty}}"}], "Stage": "Open", "Tags": ["Hot", "Cold"]}}
-- 200
> refs = data.id
DELETE /v1/people/{{max}}
DELETE /v1/companies/{{globex}}
-- 200
DELETE /v1/groups/{{g}}/Deal/{{empty}} -- 200 {"data": {"id": "{{empty}}"}}
PATCH /v1/groups/{{g}}/custom-fields/Deal/Stage {"removeOptions": ["{{open}}"]}
PATCH /v1/groups/{{g}}/custom-fields/Deal/Tags {"removeOptions": ["{{hot}}"]}
-- 200
GET /v1/groups/{{g}}/Deal/{{refs}} -- 200
{"data": {"$object": {"id": "{{refs}}", "name": "Refs", "people": [{"id": "{{ann}}", "fullName": "Ann Lee"}], "companies": [{"id": "{{acme}}", "name": "Acme"}],
	"customFieldValues": {"Value": null, "Note": null, "Close": null, "Stage": null, "Tags": ["Cold"], "Via": [{"id": "{{far}}", "fullName": "Far", "entityType": "person"}],
		"Owner": null, "Parent": [{"id": "{{big}}", "...": 0}]}}}}

== names that change are read
PATCH /v1/people/{{ann}} {"lastName": "Smith"}
PATCH /v1/companies/{{acme}} {"name": "Acme Inc"}
-- 200
GET /v1/groups/{{g}}/Deal/{{refs}} -- 200
{"data": {"people": [{"id": "{{ann}}", "fullName": "Ann Smith"}], "companies": [{"id": "{{acme}}", "name": "Acme Inc"}], "...": 0}}

# --- lists

== sorted, counted, in pages; the type's name is encoded
POST /v1/groups/{{g}}/Job%20Applications {"name": "J1"} -- 200 {"data": {"$object": {"name": "J1"}}}
> j1 = data.id
@make j2 POST /v1/groups/{{g}}/Job%20Applications {"name": "J2"}
@bob POST /v1/groups/{{g}}/Job+Applications {"name": "J3"} -- 404
@bob POST /v1/groups/{{g}}/Job%20Applications {"name": "J3"}
-- 200 {"data": {"$object": {"name": "J3", "createdBy": {{bob}}}}}
> j3 = data.id
GET /v1/groups/{{g}}/Job%20Applications -- 200
{"data": {"items": [{"$object": {"id": "{{j1}}", "name": "J1"}}, {"$object": {"id": "{{j2}}", "name": "J2"}}, {"$object": {"id": "{{j3}}", "name": "J3", "createdBy": {{bob}}}}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Applications?sort=-createdAt&count=exact&limit=2 -- 200
{"data": {"items": [{"id": "{{j3}}", "...": 0}, {"id": "{{j2}}", "...": 0}], "pagination": {"count": 3, "nextLink": "<text>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"id": "{{j1}}", "...": 0}], "pagination": {"count": 3}}}
@repeat 5 GET /v1/users/me -- 200
PATCH /v1/groups/{{g}}/Job%20Applications/{{j1}} {"name": "J1 changed"} -- 200
GET /v1/groups/{{g}}/Job%20Applications?sort=-updatedAt -- 200
{"data": {"items": [{"id": "{{j1}}", "...": 0}, {"id": "{{j3}}", "...": 0}, {"id": "{{j2}}", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Applications?sort=updatedAt&limit=1
-- 200 {"data": {"items": [{"id": "{{j2}}", "...": 0}], "pagination": {"nextLink": "<text>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"id": "{{j3}}", "...": 0}], "pagination": {"nextLink": "<text>"}}}
GET /v1/groups/{{g}}/Job%20Applications?count=estimated
-- 200 {"data": {"items": ["<object>", "<object>", "<object>"], "pagination": {"count": 3}}}
GET /v1/groups/{{g}}/Job%20Applications?limit=0&sort=name&count=all -- 422 Invalid query parameters
* too_small ["limit"] minimum=1 type=number
* invalid_enum_value ["sort"] options=["createdAt","-createdAt","updatedAt","-updatedAt"] received=name
* invalid_enum_value ["count"] options=["exact","estimated"] received=all

== a cursor of one type is none of another
GET /v1/groups/{{g}}/Job%20Applications?limit=1 -- 200
> cursor_link = data.pagination.nextLink
GET /v1/groups/{{g}}/Deal?limit=1&cursor=forged -- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor

# --- types and ids in the path

== an unknown type is a 404 that names it and the group's types
GET /v1/groups/{{g}}/Nope -- 404 {"error": {"message": "<has Nope>", "...": 0}}
GET /v1/groups/{{g}}/Nope -- 404 {"error": {"message": "<has Deal>", "...": 0}}
GET /v1/groups/{{g}}/Nope -- 404 {"error": {"message": "<has Job Applications>", "...": 0}}
POST /v1/groups/{{g}}/deal {"name": "x"} -- 404 {"error": {"message": "<has Deal>", "...": 0}}
GET /v1/groups/{{g}}/DEAL/{{big}} -- 404 {"error": {"message": "<has DEAL>", "...": 0}}
PATCH /v1/groups/{{g}}/Nope/{{big}} {"name": "x"}
DELETE /v1/groups/{{g}}/Nope/{{big}}
GET /v1/groups/{{g2}}/Deal
-- 404 {"error": {"message": "<has Deal>", "...": 0}}
GET /v1/groups/{{g}}/<repeat n 500> -- 404
GET /v1/groups/{{g}}/Deal%00
GET /v1/groups/{{g}}/%ff%fe
-- 422 Invalid path parameters
* <any> ["objectType"] ...
GET /v1/groups/{{g}}/<repeat n 501> -- 422 Invalid path parameters
* too_big ["objectType"] maximum=500 type=string

== an unknown object, one of another type or group: one and the same 404
GET /v1/groups/{{g}}/Deal/obj_00000000-0000-7000-8000-000000000000 -- 404
> missing = error.message
GET /v1/groups/{{g}}/Deal/{{j1}}
GET /v1/groups/{{g}}/Deal/{{ann}}
-- 404 {"error": {"message": "{{missing}}", "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{j1}} {"name": "x"}
DELETE /v1/groups/{{g}}/Deal/{{j1}}
GET /v1/groups/{{g}}/Deal/{{empty}}
PATCH /v1/groups/{{g}}/Deal/{{empty}} {}
DELETE /v1/groups/{{g}}/Deal/{{empty}}
-- 404
POST /v1/groups/{{g2}}/object-types {"name": "Deal"} -- 200
GET /v1/groups/{{g2}}/Deal/{{big}} -- 404
GET /v1/groups/{{g}}/Deal/obj_1 -- 422 Invalid path parameters
* too_small ["objectId"] minimum=40 type=string exact=true
PATCH /v1/groups/{{g}}/Deal/{{big}}0 {} -- 422 Invalid path parameters
* too_big ["objectId"] maximum=40 type=string exact=true
DELETE /v1/groups/grp_1/Deal/obj_1 -- 422 Invalid path parameters
* too_small ["groupId"] minimum=40 type=string exact=true
* too_small ["objectId"] minimum=40 type=string exact=true

== type names of any characters
POST /v1/groups/{{g2}}/object-types {"name": "A/B tests v1.2 \"q\" 100% é😀 [x] +1 \\"} -- 200
POST /v1/groups/{{g2}}/A%2FB%20tests%20v1.2%20%22q%22%20100%25%20%C3%A9%F0%9F%98%80%20%5Bx%5D%20+1%20%5C
{"name": "Odd"}
-- 200 {"data": {"$object": {"name": "Odd"}}}
> odd = data.id
GET /v1/groups/{{g2}}/A%2fB%20tests%20v1%2E2%20%22q%22%20100%25%20%c3%a9%f0%9f%98%80%20%5bx%5d%20%2B1%20%5c/{{odd}}
-- 200 {"data": {"$object": {"id": "{{odd}}", "name": "Odd"}}}
@make odd2 POST /v1/groups/{{g2}}/A%2FB%20tests%20v1.2%20%22q%22%20100%25%20%C3%A9%F0%9F%98%80%20%5Bx%5D%20+1%20%5C {"name": "Odd 2"}
GET /v1/groups/{{g2}}/A%2FB%20tests%20v1.2%20%22q%22%20100%25%20%C3%A9%F0%9F%98%80%20%5Bx%5D%20+1%20%5C?limit=1
-- 200 {"data": {"items": [{"id": "{{odd}}", "...": 0}], "pagination": {"nextLink": "<text>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"id": "{{odd2}}", "...": 0}], "pagination": {}}}
PATCH /v1/groups/{{g2}}/A%2FB%20tests%20v1.2%20%22q%22%20100%25%20%C3%A9%F0%9F%98%80%20%5Bx%5D%20+1%20%5C/{{odd}}
{"name": "Odder"}
-- 200 {"data": {"name": "Odder", "...": 0}}
DELETE /v1/groups/{{g2}}/A%2FB%20tests%20v1.2%20%22q%22%20100%25%20%C3%A9%F0%9F%98%80%20%5Bx%5D%20+1%20%5C/{{odd}}
-- 200 {"data": {"id": "{{odd}}"}}

# --- rights

== every user who is not listed may write objects of a public group
@bob PATCH /v1/groups/{{g}}/Deal/{{big}} {"name": "Bob's"}
-- 200 {"data": {"name": "Bob's", "createdBy": {{ada}}, "...": 0}}
@make bobs @bob POST /v1/groups/{{g}}/Deal {"name": "x"}
@bob DELETE /v1/groups/{{g}}/Deal/{{bobs}} -- 200 {"data": {"id": "{{bobs}}"}}

== a reader may read
@carol GET /v1/groups/{{g}}/Deal?limit=1 -- 200
@carol POST /v1/groups/{{g}}/Deal {"name": "x"}
@carol PATCH /v1/groups/{{g}}/Deal/{{big}} {"name": "x"}
@carol DELETE /v1/groups/{{g}}/Deal/{{big}}
-- 403
@carol POST /v1/groups/{{g}}/Deal {"name": 1} -- 422 Invalid input
* invalid_type ["name"] expected=string received=number

== so may a read-only key
@readonly GET /v1/groups/{{g}}/Deal/{{big}} -- 200 {"data": {"name": "Bob's", "...": 0}}
@readonly POST /v1/groups/{{g}}/Deal {"name": "x"}
@readonly PATCH /v1/groups/{{g}}/Deal/{{big}} {"name": "x"}
@readonly DELETE /v1/groups/{{g}}/Deal/{{big}}
-- 403

== the objects of a group that one cannot see are not there
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{secret}}/object-types {"name": "Plan"} -- 200
@make plan POST /v1/groups/{{secret}}/Plan {"name": "Plan 1"}
@dave GET /v1/groups/grp_00000000-0000-7000-8000-000000000000/Plan -- 404
> missing = error.message
@dave GET /v1/groups/{{secret}}/Plan -- 404 {"error": {"message": "{{missing}}", "...": 0}}
@dave GET /v1/groups/{{secret}}/Plan/{{plan}}
@dave POST /v1/groups/{{secret}}/Plan {"name": "x"}
@dave PATCH /v1/groups/{{secret}}/Plan/{{plan}} {"name": "x"}
@dave DELETE /v1/groups/{{secret}}/Plan/{{plan}}
-- 404
@other GET /v1/groups/{{g}}/Deal -- 404 {"error": {"message": "{{missing}}", "...": 0}}
@admin GET /v1/groups/{{secret}}/Plan/{{plan}} -- 200 {"data": {"$object": {"id": "{{plan}}", "name": "Plan 1"}}}

== an object is not changed from another workspace
@other PATCH /v1/groups/{{their_group}}/Deal/{{big}} {"name": "x"}
@other GET /v1/groups/{{g}}/Deal/{{big}}
-- 404

== an Idempotency-Key makes one object
POST /v1/groups/{{g}}/Deal (Idempotency-Key: object-1) {"name": "Once", "people": [{"id": "{{far}}"}]} -- 200
> once = data
> warnings = warnings
POST /v1/groups/{{g}}/Deal (Idempotency-Key: object-1) {"name": "Once", "people": [{"id": "{{far}}"}]} -- 200
Idempotent-Replayed: true
{"data": {{once}}, "warnings": {{warnings}}}
POST /v1/groups/{{g}}/Job%20Applications (Idempotency-Key: object-1) {"name": "Once", "people": [{"id": "{{far}}"}]}
-- 422 IDEMPOTENCY_KEY_REUSED

== deleting the group deletes its objects
DELETE /v1/groups/{{secret}} -- 200
GET /v1/groups/{{secret}}/Plan/{{plan}} -- 404
