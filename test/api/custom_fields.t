# Custom fields of a group: their definitions for people, companies and object types.
# ada is the group's admin, bob an unlisted user, carol a reader, dave an outsider of the private group.
@users carol dave

== groups and an object type to work with
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
POST /v1/groups/{{g}}/members {"id": "{{carol_id}}", "role": "reader"} -- 200
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"}
POST /v1/groups/{{g}}/object-types {"name": "Job / Übung.1"}
-- 200

== without fields the list is empty
@each person company Deal
GET /v1/groups/{{g}}/custom-fields/{{each}} -- 200 {"data": {"items": [], "pagination": {}}}

# --- the eight types

== each type can be made and read, on people
@rows body answer
| {"name": "Text", "type": "textField"}      | "Text", "type": "textField"                                       |
| {"type": "numericField", "name": "Number"} | "Number", "type": "numericField", "config": {"format": "default"} |
| {"name": "Date", "type": "dateField"}      | "Date", "type": "dateField"                                       |
| {"name": "One", "type": "singleSelect"}    | "One", "type": "singleSelect", "options": []                      |
POST /v1/groups/{{g}}/custom-fields/person
{{body}}
-- 200 {"data": {"name": {{answer}}}}
@end
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Many", "type": "multipleSelect", "options": [{"label": "Red", "color": "#ff0000"}, {"label": "Blue", "color": "#0000ff"}]}
-- 200 {"data": {"name": "Many", "type": "multipleSelect", "options": [
	{"id": "<gcfo>", "label": "Red", "color": "#ff0000"}, {"id": "<gcfo>", "label": "Blue", "color": "#0000ff"}]}}
> many = data
@rows value
| "Contact", "type": "contactField" |
| "User", "type": "userField"       |
| "Object", "type": "objectField"   |
POST /v1/groups/{{g}}/custom-fields/person {"name": {{value}}} -- 200 {"data": {"name": {{value}}}}
@rows target answer
| Text    | {"name": "Text", "type": "textField"}                                       |
| Number  | {"name": "Number", "type": "numericField", "config": {"format": "default"}} |
| Date    | {"name": "Date", "type": "dateField"}                                       |
| One     | {"name": "One", "type": "singleSelect", "options": []}                      |
| Many    | {{many}}                                                                    |
| Contact | {"name": "Contact", "type": "contactField"}                                 |
| User    | {"name": "User", "type": "userField"}                                       |
| Object  | {"name": "Object", "type": "objectField"}                                   |
GET /v1/groups/{{g}}/custom-fields/person/{{target}} -- 200 {"data": {{answer}}}

== the list has them in the order of their creation
GET /v1/groups/{{g}}/custom-fields/person
-- 200 {"data": {"items": [
	{"name": "Text", "type": "textField"},
	{"name": "Number", "type": "numericField", "config": {"format": "default"}},
	{"name": "Date", "type": "dateField"},
	{"name": "One", "type": "singleSelect", "options": []},
	{{many}},
	{"name": "Contact", "type": "contactField"},
	{"name": "User", "type": "userField"},
	{"name": "Object", "type": "objectField"}], "pagination": {}}}

== and in pages
GET /v1/groups/{{g}}/custom-fields/person?limit=3 -- 200
{"data": {"items": [{"name": "Text", "...": 0}, {"name": "Number", "...": 0}, {"name": "Date", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/groups/{{g}}/custom-fields/person?limit=3>"}}}
> next = data.pagination.nextLink
GET {{next}}
-- 200 {"data": {"items": [{"name": "One", "...": 0}, {{many}}, {"name": "Contact", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/groups/{{g}}/custom-fields/person?limit=3>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"name": "User", "...": 0}, {"name": "Object", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/custom-fields/person?limit=8 -- 200
{"data": {"items": ["<object>", "<object>", "<object>", "<object>", "<object>", "<object>", "<object>", "<object>"], "pagination": {}}}
GET /v1/groups/{{g}}/custom-fields/person?limit=0 -- 422 Invalid query parameters
* too_small ["limit"] minimum=1 type=number
GET /v1/groups/{{g}}/custom-fields/person?limit=101 -- 422 Invalid query parameters
* too_big ["limit"] maximum=100 type=number
GET /v1/groups/{{g}}/custom-fields/person?cursor=abc -- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor

== a cursor of people's fields is none of companies'
GET /v1/groups/{{g}}/custom-fields/person?limit=3 -- 200
> next = data.pagination.nextLink
GET /v1/groups/{{g}}/custom-fields/company?limit=3 -- 200 {"data": {"items": [], "pagination": {}}}

== each type on companies
@rows value answer
| "Text", "type": "textField"      | "Text", "type": "textField"                                       |
| "Number", "type": "numericField" | "Number", "type": "numericField", "config": {"format": "default"} |
| "Date", "type": "dateField"      | "Date", "type": "dateField"                                       |
POST /v1/groups/{{g}}/custom-fields/company {"name": {{value}}} -- 200 {"data": {"name": {{answer}}}}
@end
POST /v1/groups/{{g}}/custom-fields/company
{"name": "One", "type": "singleSelect", "options": [{"label": "Low"}]}
-- 200
{"data": {"name": "One", "type": "singleSelect", "options": [{"id": "<gcfo>", "label": "Low", "color": "<text>"}]}}
POST /v1/groups/{{g}}/custom-fields/company {"name": "Many", "type": "multipleSelect", "options": []}
-- 200 {"data": {"name": "Many", "type": "multipleSelect", "options": []}}
POST /v1/groups/{{g}}/custom-fields/company {"name": "Contact", "type": "contactField"}
POST /v1/groups/{{g}}/custom-fields/company {"name": "User", "type": "userField"}
POST /v1/groups/{{g}}/custom-fields/company {"name": "Object", "type": "objectField"}
-- 200
GET /v1/groups/{{g}}/custom-fields/company?limit=2 -- 200
{"data": {"items": [{"name": "Text", "...": 0}, {"name": "Number", "...": 0}], "pagination": {"nextLink": "<text>"}}}

== each type on an object type, whose options have ids of their own kind
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Text", "type": "textField"}
-- 200 {"data": {"name": "Text", "type": "textField"}}
POST /v1/groups/{{g}}/custom-fields/Deal
{"name": "Number", "type": "numericField", "config": {"format": "percent"}}
-- 200 {"data": {"name": "Number", "type": "numericField", "config": {"format": "percent"}}}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Date", "type": "dateField"} -- 200
POST /v1/groups/{{g}}/custom-fields/Deal
{"name": "Stage", "type": "singleSelect", "options": [{"label": "Open"}, {"label": "Won"}]}
-- 200 {"data": {"name": "Stage", "type": "singleSelect", "options": [
	{"id": "<grpo>", "label": "Open", "color": "<text>"}, {"id": "<grpo>", "label": "Won", "color": "<text>"}]}}
> stage = data
POST /v1/groups/{{g}}/custom-fields/Deal
{"name": "Tags", "type": "multipleSelect", "options": [{"label": "Hot"}]}
-- 200
{"data": {"name": "Tags", "type": "multipleSelect", "options": [{"id": "<grpo>", "label": "Hot", "color": "<text>"}]}}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Contact", "type": "contactField"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "User", "type": "userField"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Object", "type": "objectField"}
-- 200
GET /v1/groups/{{g}}/custom-fields/Deal -- 200
{"data": {"items": [{"name": "Text", "...": 0}, {"name": "Number", "...": 0}, {"name": "Date", "...": 0}, {{stage}},
	{"name": "Tags", "...": 0}, {"name": "Contact", "...": 0}, {"name": "User", "...": 0}, {"name": "Object", "...": 0}], "pagination": {}}}

== an object type's name in the path is percent-encoded
POST /v1/groups/{{g}}/custom-fields/Job%20%2F%20%C3%9Cbung.1 {"name": "Level", "type": "textField"}
GET /v1/groups/{{g}}/custom-fields/Job%20%2F%20%c3%9cbung%2E1/Level
-- 200 {"data": {"name": "Level", "type": "textField"}}
GET /v1/groups/{{g}}/custom-fields/Job%20%2F%20%C3%9Cbung.1
-- 200 {"data": {"items": [{"name": "Level", "type": "textField"}], "pagination": {}}}

== an entity type that the group lacks is a 404 that names it and the group's types
@rows target answer
| Task      | "<has Task>"          |
| Task      | "<has Deal>"          |
| deal      | "<has Job / Übung.1>" |
| deal/Text | "<has Deal>"          |
GET /v1/groups/{{g}}/custom-fields/{{target}} -- 404 {"error": {"message": {{answer}}, "...": 0}}
@end
POST /v1/groups/{{g}}/custom-fields/Person {"name": "x", "type": "textField"}
-- 404 {"error": {"message": "<has Person>", "...": 0}}
PATCH /v1/groups/{{g}}/custom-fields/Task/Text {"name": "x"}
DELETE /v1/groups/{{g}}/custom-fields/Task/Text
-- 404

# --- numbers

== the config of a number
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Price", "type": "numericField", "config": {"format": "currency", "currency": "EUR"}}
GET /v1/groups/{{g}}/custom-fields/person/Price
-- 200 {"data": {"name": "Price", "type": "numericField", "config": {"format": "currency", "currency": "EUR"}}}
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Price 2", "type": "numericField", "config": {"decimals": 5, "currency": "USD", "format": "currency"}}
-- 200
{"data": {"name": "Price 2", "type": "numericField", "config": {"format": "currency", "currency": "USD", "decimals": 5}}}
@rows value
| "Share", "type": "numericField", "config": {"format": "percent", "decimals": 0} |
| "Count", "type": "numericField", "config": {"format": "number"}                 |
| "Plain", "type": "numericField", "config": {"format": "none"}                   |
POST /v1/groups/{{g}}/custom-fields/person {"name": {{value}}} -- 200 {"data": {"name": {{value}}}}
@end
POST /v1/groups/{{g}}/custom-fields/person {"name": "Usual", "type": "numericField", "config": {}}
-- 200 {"data": {"name": "Usual", "type": "numericField", "config": {"format": "default"}}}

== what is wrong with a config
@rows value issue
| {"format": "currency"} | <any> ["config", "..."] ... |
| {"format": "dollars"} | invalid_enum_value ["config", "format"] options=["default","number","percent","currency","none"] received=dollars |
| {"format": "number", "decimals": 6} | too_big ["config", "decimals"] maximum=5 type=number |
| {"format": "number", "decimals": -1} | too_small ["config", "decimals"] minimum=0 type=number |
| {"format": "number", "decimals": 1.5} | <any> ["config", "decimals"] ... |
| {"format": "number", "decimals": "2"} | invalid_type ["config", "decimals"] received=string |
| {"format": "currency", "currency": 1} | invalid_type ["config", "currency"] expected=string received=number |
| {"format": "currency", "currency": "Euros"} | <any> ["config", "currency"] ... |
| {"format": "currency", "currency": ""} | <any> ["config", "..."] ... |
| {"format": "number", "symbol": "x"} | unrecognized_keys ["config"] keys=["symbol"] |
| "currency" | invalid_type ["config"] expected=object received=string |
POST /v1/groups/{{g}}/custom-fields/person {"name": "Bad", "type": "numericField", "config": {{value}}}
-- 422 Invalid input
* {{issue}}
@end
GET /v1/groups/{{g}}/custom-fields/person/Bad -- 404

== a change of the config
PATCH /v1/groups/{{g}}/custom-fields/person/Price {"config": {"format": "currency", "currency": "CHF"}} -- 200
{"data": {"name": "Price", "type": "numericField", "config": {"format": "currency", "currency": "CHF"}}}
PATCH /v1/groups/{{g}}/custom-fields/person/Price {"config": {"format": "number", "decimals": 2}}
GET /v1/groups/{{g}}/custom-fields/person/Price
-- 200 {"data": {"name": "Price", "type": "numericField", "config": {"format": "number", "decimals": 2, "...": 0}}}
PATCH /v1/groups/{{g}}/custom-fields/person/Number {"config": {"format": "currency"}} -- 422 Invalid input
* <any> ["config", "..."] ...
PATCH /v1/groups/{{g}}/custom-fields/person/Number {"config": {"format": "EUR", "decimals": 9}} -- 422 Invalid input
* invalid_enum_value ["config", "format"] options=["default","number","percent","currency","none"] received=EUR
* too_big ["config", "decimals"] maximum=5 type=number
GET /v1/groups/{{g}}/custom-fields/person/Number
-- 200 {"data": {"name": "Number", "type": "numericField", "config": {"format": "default"}}}

== config and options only where they belong
@rows value
| "textField", "config": {"format": "number"}    |
| "textField", "options": [{"label": "x"}]       |
| "numericField", "options": [{"label": "x"}]    |
| "singleSelect", "config": {"format": "number"} |
POST /v1/groups/{{g}}/custom-fields/person {"name": "Bad", "type": {{value}}} -- 422 Invalid input
* <any> ["..."] ...
@rows target body
| Text | {"config": {"format": "number"}} |
| Text | {"addOptions": [{"label": "x"}]} |
| One  | {"config": {"format": "number"}} |
PATCH /v1/groups/{{g}}/custom-fields/person/{{target}}
{{body}}
-- 422 Invalid input
* <any> ["..."] ...
@end
GET /v1/groups/{{g}}/custom-fields/person/Bad -- 404

# --- required members of a create

== what a create needs
POST /v1/groups/{{g}}/custom-fields/person {} -- 422 Invalid input
* required ["name"] expected=string
* required ["type"]
POST /v1/groups/{{g}}/custom-fields/person {"foo": 1, "type": "text", "name": ""} -- 422 Invalid input
* invalid_enum_value ["type"] options=["textField","numericField","dateField","singleSelect","multipleSelect","contactField","userField","objectField"] received=text
* too_small ["name"] minimum=1 type=string
* unrecognized_keys [] keys=["foo"]
POST /v1/groups/{{g}}/custom-fields/person {"name": "a\u0000b", "type": "textField"} -- 422 Invalid input
* <any> ["name"] ...
POST /v1/groups/{{g}}/custom-fields/person {"name": 1, "type": null} -- 422 Invalid input
* invalid_type ["name"] expected=string received=number
* invalid_type ["type"] received=null
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Bad", "type": "singleSelect", "options": [{"label": ""}, {}, {"label": 1, "color": "red", "id": "x"}, "Red"]}
-- 422 Invalid input
* too_small ["options", 0, "label"] minimum=1 type=string
* required ["options", 1, "label"] expected=string
* invalid_type ["options", 2, "label"] expected=string received=number
* invalid_string ["options", 2, "color"] validation=regex
* unrecognized_keys ["options", 2] keys=["id"]
* invalid_type ["options", 3] expected=object received=string
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Bad", "type": "singleSelect", "options": [{"label": "a", "color": "#12345"}, {"label": "b", "color": "123456"}, {"label": "c", "color": "#12345g"}]}
-- 422 Invalid input
* <any> ["options", 0, "color"] ...
* <any> ["options", 1, "color"] ...
* <any> ["options", 2, "color"] ...
POST /v1/groups/{{g}}/custom-fields/person {"name": "Bad", "type": "singleSelect", "options": {"label": "a"}}
-- 422 Invalid input
* invalid_type ["options"] expected=array received=object
GET /v1/groups/{{g}}/custom-fields/person/Bad -- 404

== names: limits, duplicates
POST /v1/groups/{{g}}/custom-fields/person {"name": "<repeat 😀 500>", "type": "textField"}
GET /v1/groups/{{g}}/custom-fields/person/<repeat %F0%9F%98%80 500>
-- 200 {"data": {"name": "<repeat 😀 500>", "type": "textField"}}
POST /v1/groups/{{g}}/custom-fields/person {"name": "<repeat n 501>", "type": "textField"} -- 422 Invalid input
* too_big ["name"] maximum=500 type=string
POST /v1/groups/{{g}}/custom-fields/person {"name": "Text", "type": "dateField"} -- 422 Invalid input
* custom ["name"]
POST /v1/groups/{{g}}/custom-fields/person {"name": "Text ", "type": "dateField"}
GET /v1/groups/{{g}}/custom-fields/person/Text%20
-- 200 {"data": {"name": "Text ", "type": "dateField"}}

== the same name elsewhere is another field
POST /v1/groups/{{secret}}/custom-fields/person {"name": "Text", "type": "numericField"}
-- 200 {"data": {"name": "Text", "type": "numericField", "config": {"format": "default"}}}
GET /v1/groups/{{g}}/custom-fields/person/Text -- 200 {"data": {"name": "Text", "type": "textField"}}

== names of any characters, percent-encoded in the path
@rows value target
| "a\"b" | a%22b |
| "a\\b" | a%5Cb |
POST /v1/groups/{{g}}/custom-fields/company {"name": {{value}}, "type": "textField"} -- 200
{"data": {"name": {{value}}, "type": "textField"}}
GET /v1/groups/{{g}}/custom-fields/company/{{target}} -- 200 {"data": {"name": {{value}}, "type": "textField"}}
@rows value target
| "a]b[c"                    | a%5Db%5bc                             |
| "a.b"                      | a.b                                   |
| "a/b"                      | a%2Fb                                 |
| "😀 é +&?#%"                | %F0%9F%98%80%20%C3%A9%20+%26%3F%23%25 |
| "'; DROP TABLE people; --" | %27;%20DROP%20TABLE%20people;%20--    |
POST /v1/groups/{{g}}/custom-fields/company {"name": {{value}}, "type": "textField"} -- 200
GET /v1/groups/{{g}}/custom-fields/company/{{target}} -- 200 {"data": {"name": {{value}}, "type": "textField"}}
@end
PATCH /v1/groups/{{g}}/custom-fields/company/a%2Fb {"name": "b/a"} -- 200 {"data": {"name": "b/a", "type": "textField"}}
GET /v1/groups/{{g}}/custom-fields/company/a%2Fb -- 404
DELETE /v1/groups/{{g}}/custom-fields/company/b%2Fa -- 200 {"data": {"name": "b/a"}}
DELETE /v1/groups/{{g}}/custom-fields/company/a%22b -- 200 {"data": {"name": "a\"b"}}

== names in the path that are no fields
GET /v1/groups/{{g}}/custom-fields/person/Nope
GET /v1/groups/{{g}}/custom-fields/person/text
GET /v1/groups/{{g}}/custom-fields/company/Price
PATCH /v1/groups/{{g}}/custom-fields/person/Nope {"name": "x"}
DELETE /v1/groups/{{g}}/custom-fields/person/Nope
GET /v1/groups/{{g}}/custom-fields/person/<repeat n 500>
-- 404
GET /v1/groups/{{g}}/custom-fields/person/<repeat n 501> -- 422 Invalid path parameters
* too_big ["customFieldName"] maximum=500 type=string
GET /v1/groups/{{g}}/custom-fields/<repeat n 501> -- 422 Invalid path parameters
* too_big ["entityType"] maximum=500 type=string
GET /v1/groups/grp_1/custom-fields/person -- 422 Invalid path parameters
* too_small ["groupId"] minimum=40 type=string exact=true

# --- changes

== rename
PATCH /v1/groups/{{g}}/custom-fields/person/Date {"name": "Day"} -- 200 {"data": {"name": "Day", "type": "dateField"}}
GET /v1/groups/{{g}}/custom-fields/person/Date -- 404
GET /v1/groups/{{g}}/custom-fields/person/Day -- 200 {"data": {"name": "Day", "type": "dateField"}}
PATCH /v1/groups/{{g}}/custom-fields/person/Day {"name": "Day"} -- 200
@rows value issue
| "Text"           | custom ["name"]                          |
| ""               | too_small ["name"] minimum=1 type=string |
| "<repeat n 501>" | too_big ["name"] maximum=500 type=string |
PATCH /v1/groups/{{g}}/custom-fields/person/Day {"name": {{value}}} -- 422 Invalid input
* {{issue}}
@end
PATCH /v1/groups/{{g}}/custom-fields/person/Day {} -- 200 {"data": {"name": "Day", "type": "dateField"}}

== the name is free again
POST /v1/groups/{{g}}/custom-fields/person {"name": "Date", "type": "numericField"} -- 200
DELETE /v1/groups/{{g}}/custom-fields/person/Date -- 200 {"data": {"name": "Date"}}
GET /v1/groups/{{g}}/custom-fields/person/Date
DELETE /v1/groups/{{g}}/custom-fields/person/Date
-- 404

== the type never changes
PATCH /v1/groups/{{g}}/custom-fields/person/Text {"type": "numericField"} -- 422 Invalid input
* unrecognized_keys [] keys=["type"]
PATCH /v1/groups/{{g}}/custom-fields/person/Text {"type": "textField", "options": []} -- 422 Invalid input
* unrecognized_keys [] keys=["type","options"]
GET /v1/groups/{{g}}/custom-fields/person/Text -- 200 {"data": {"name": "Text", "type": "textField"}}

# --- options

== colours are given in turn, eight of them
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Colours", "type": "singleSelect", "options": [<list {"label": "L{n}"} 9>]}
-- 200
> c1 = data.options.0.color
> c2 = data.options.1.color
> c3 = data.options.2.color
> c4 = data.options.3.color
> c5 = data.options.4.color
> c6 = data.options.5.color
> c7 = data.options.6.color
> c8 = data.options.7.color
> o1 = data.options.0.id
> o2 = data.options.1.id
> o9 = data.options.8.id
GET /v1/groups/{{g}}/custom-fields/person/Colours
-- 200 {"data": {"name": "Colours", "type": "singleSelect", "options": [
	{"id": "{{o1}}", "label": "L1", "color": "{{c1}}"}, {"id": "{{o2}}", "label": "L2", "color": "<not {{c1}}>"},
	{"id": "<gcfo>", "label": "L3", "color": "<not {{c2}}>"}, {"id": "<gcfo>", "label": "L4", "color": "<not {{c3}}>"},
	{"id": "<gcfo>", "label": "L5", "color": "<not {{c4}}>"}, {"id": "<gcfo>", "label": "L6", "color": "<not {{c5}}>"},
	{"id": "<gcfo>", "label": "L7", "color": "<not {{c6}}>"}, {"id": "<gcfo>", "label": "L8", "color": "<not {{c7}}>"},
	{"id": "{{o9}}", "label": "L9", "color": "{{c1}}"}]}}

== options are added behind the others
PATCH /v1/groups/{{g}}/custom-fields/person/Colours
{"addOptions": [{"label": "L10"}, {"label": "L11", "color": "#abcdef"}]}
-- 200 {"data": {"name": "Colours", "type": "singleSelect", "options": [
	"<object>", "<object>", "<object>", "<object>", "<object>", "<object>", "<object>", "<object>", "<object>",
	{"id": "<gcfo>", "label": "L10", "color": "{{c2}}"}, {"id": "<gcfo>", "label": "L11", "color": "#abcdef"}]}}

== options are changed
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"addOptions": [{"label": "Green", "color": "#00ff00"}]} -- 200
> red = data.options.0.id
> blue = data.options.1.id
> green = data.options.2.id
PATCH /v1/groups/{{g}}/custom-fields/person/Many
{"updateOptions": [{"id": "{{red}}", "label": "Crimson"}, {"id": "{{blue}}", "color": "#000080"}]}
-- 200
{"data": {"name": "Many", "type": "multipleSelect", "options": [{"id": "{{red}}", "label": "Crimson", "color": "#ff0000"},
	{"id": "{{blue}}", "label": "Blue", "color": "#000080"}, {"id": "{{green}}", "label": "Green", "color": "#00ff00"}]}}
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"updateOptions": [{"id": "{{red}}"}]}
-- 200 {"data": {"options": [{"id": "{{red}}", "label": "Crimson", "color": "#ff0000"}, "..."], "...": 0}}
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"updateOptions": [{"id": "{{red}}", "label": "Crimson"}]} -- 200

== options are removed
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"removeOptions": ["{{blue}}"]} -- 200
{"data": {"name": "Many", "type": "multipleSelect", "options": [{"id": "{{red}}", "label": "Crimson", "color": "#ff0000"},
	{"id": "{{green}}", "label": "Green", "color": "#00ff00"}]}}
PATCH /v1/groups/{{g}}/custom-fields/person/Many {"removeOptions": ["{{blue}}"]} -- 422 Invalid input
* custom ["removeOptions", 0]

== all at once, with another name
PATCH /v1/groups/{{g}}/custom-fields/person/Many
{"name": "Several", "addOptions": [{"label": "White", "color": "#FFFFFF"}], "updateOptions": [{"id": "{{green}}", "label": "Grass"}], "removeOptions": ["{{red}}"]}
-- 200
{"data": {"name": "Several", "type": "multipleSelect", "options": [{"id": "{{green}}", "label": "Grass", "color": "#00ff00"},
	{"id": "<gcfo>", "label": "White", "color": "<text>"}]}}
> several = data
GET /v1/groups/{{g}}/custom-fields/person/Several -- 200 {"data": {{several}}}
GET /v1/groups/{{g}}/custom-fields/person/Many -- 404

== options are moved: those that are named come first, by id or label, also a new one
PATCH /v1/groups/{{g}}/custom-fields/person/Several
{"addOptions": [{"label": "Sand"}, {"label": "Sea"}], "optionOrder": ["Sea", "{{green}}"]}
-- 200 {"data": {"options": [{"label": "Sea", "...": 0}, {"id": "{{green}}", "...": 0}, {"label": "White", "...": 0}, {"label": "Sand", "...": 0}], "...": 0}}
> moved = data
> sea = data.options.0.id
> sand = data.options.3.id
GET /v1/groups/{{g}}/custom-fields/person/Several -- 200 {"data": {{moved}}}
PATCH /v1/groups/{{g}}/custom-fields/person/Several {"optionOrder": []} -- 200 {"data": {{moved}}}
PATCH /v1/groups/{{g}}/custom-fields/person/Several
{"updateOptions": [{"id": "{{green}}", "label": "Sea green"}], "removeOptions": ["{{sea}}"], "optionOrder": ["Sand", "Sea green"]}
-- 200 {"data": {"options": [{"label": "Sand", "...": 0}, {"label": "Sea green", "...": 0}, {"label": "White", "...": 0}], "...": 0}}
PATCH /v1/groups/{{g}}/custom-fields/person/Several
{"updateOptions": [{"id": "{{green}}", "label": "Grass"}], "removeOptions": ["{{sand}}"], "optionOrder": ["Grass"]}
-- 200 {"data": {{several}}}

== what is wrong with a change of options
@rows body issue
| {"addOptions": [{"label": "New"}, {"label": "Grass"}]}     | custom ["addOptions", "..."]       |
| {"addOptions": [{"label": "New"}, {"label": "New"}]}       | custom ["addOptions", "..."]       |
| {"updateOptions": [{"id": "{{green}}", "label": "White"}]} | custom ["updateOptions", 0, "..."] |
| {"updateOptions": [{"id": "{{red}}", "label": "x"}]}       | custom ["updateOptions", 0, "id"]  |
| {"updateOptions": [{"id": "{{o1}}", "label": "x"}]}        | custom ["updateOptions", 0, "id"]  |
| {"removeOptions": ["{{green}}", "{{o1}}"]}                 | custom ["removeOptions", 1]        |
| {"removeOptions": ["Grass"]}                               | <any> ["removeOptions", 0] ...     |
| {"optionOrder": ["White", "Rock"]}                         | custom ["optionOrder", 1]          |
| {"optionOrder": ["White", "Grass", "{{green}}"]}           | custom ["optionOrder", 2]          |
| {"optionOrder": ["{{red}}"]}                               | custom ["optionOrder", 0]          |
| {"optionOrder": ["New"], "removeOptions": ["{{green}}"]}   | custom ["optionOrder", 0]          |
PATCH /v1/groups/{{g}}/custom-fields/person/Several
{{body}}
-- 422 Invalid input
* {{issue}}
@end
PATCH /v1/groups/{{g}}/custom-fields/person/Several
{"addOptions": [{"color": "#000000"}], "updateOptions": [{"label": "x"}], "removeOptions": [1], "optionOrder": [""]}
-- 422 Invalid input
* required ["addOptions", 0, "label"] expected=string
* required ["updateOptions", 0, "id"] expected=string
* invalid_type ["removeOptions", 0] expected=string received=number
* too_small ["optionOrder", 0] minimum=1 type=string
PATCH /v1/groups/{{g}}/custom-fields/person/Several
{"addOptions": [{"label": "x", "color": "blue"}], "updateOptions": [{"id": "{{green}}", "label": "", "foo": 1}], "bar": 1}
-- 422 Invalid input
* invalid_string ["addOptions", 0, "color"] validation=regex
* too_small ["updateOptions", 0, "label"] minimum=1 type=string
* unrecognized_keys ["updateOptions", 0] keys=["foo"]
* unrecognized_keys [] keys=["bar"]
GET /v1/groups/{{g}}/custom-fields/person/Several -- 200 {"data": {{several}}}

== the same label twice in a create
POST /v1/groups/{{g}}/custom-fields/person
{"name": "Twice", "type": "multipleSelect", "options": [{"label": "a"}, {"label": "b"}, {"label": "a"}]}
-- 422 Invalid input
* custom ["options", "..."]
GET /v1/groups/{{g}}/custom-fields/person/Twice -- 404

# --- rights

== every user may read the fields of a public group
@rows key target answer
| bob      | person?limit=1 | {"items": [{"name": "Text", "type": "textField"}], "pagination": {"nextLink": "<text>"}} |
| carol    | person/Several | {{several}}                                                                              |
| readonly | person/Several | {{several}}                                                                              |
@{{key}} GET /v1/groups/{{g}}/custom-fields/{{target}} -- 200 {"data": {{answer}}}

== a contributor may not change them
@bob POST /v1/groups/{{g}}/custom-fields/person {"name": "Bob's", "type": "textField"}
@bob PATCH /v1/groups/{{g}}/custom-fields/person/Text {"name": "Bob's"}
@bob DELETE /v1/groups/{{g}}/custom-fields/person/Text
@bob POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Bob's", "type": "textField"}
-- 403

== nor may a reader
@carol POST /v1/groups/{{g}}/custom-fields/person {"name": "Carol's", "type": "textField"}
@carol PATCH /v1/groups/{{g}}/custom-fields/person/Text {"name": "Carol's"}
@carol DELETE /v1/groups/{{g}}/custom-fields/person/Text
-- 403

== nor a read-only key, whose body is looked at first
@readonly POST /v1/groups/{{g}}/custom-fields/person {"name": "Ada's", "type": "textField"} -- 403
@readonly POST /v1/groups/{{g}}/custom-fields/person {"type": "textField"} -- 422 Invalid input
* required ["name"] expected=string
@readonly PATCH /v1/groups/{{g}}/custom-fields/person/Text {"name": "Ada's"}
@readonly DELETE /v1/groups/{{g}}/custom-fields/person/Text
-- 403
GET /v1/groups/{{g}}/custom-fields/person/Text -- 200 {"data": {"name": "Text", "type": "textField"}}

== a group that one cannot see is a 404
GET /v1/groups/grp_00000000-0000-7000-8000-000000000000/custom-fields/person -- 404
> missing = error.message
@dave GET /v1/groups/{{secret}}/custom-fields/person -- 404 {"error": {"message": "{{missing}}", "...": 0}}
@dave GET /v1/groups/{{secret}}/custom-fields/person/Text -- 404
@dave POST /v1/groups/{{secret}}/custom-fields/person {"name": "Dave's", "type": "textField"}
-- 404 {"error": {"message": "{{missing}}", "...": 0}}
@dave PATCH /v1/groups/{{secret}}/custom-fields/person/Text {"name": "Dave's"}
@dave DELETE /v1/groups/{{secret}}/custom-fields/person/Text
-- 404
@other GET /v1/groups/{{g}}/custom-fields/person -- 404 {"error": {"message": "{{missing}}", "...": 0}}

== the workspace's admin may do everything
@admin GET /v1/groups/{{secret}}/custom-fields/person -- 200
{"data": {"items": [{"name": "Text", "type": "numericField", "config": {"format": "default"}}], "pagination": {}}}
@admin POST /v1/groups/{{secret}}/custom-fields/person {"name": "Alma's", "type": "textField"}
@admin PATCH /v1/groups/{{secret}}/custom-fields/person/Alma's {"name": "Alma"}
-- 200
@admin DELETE /v1/groups/{{secret}}/custom-fields/person/Alma -- 200 {"data": {"name": "Alma"}}

# --- with other things

== an Idempotency-Key makes one field
POST /v1/groups/{{g}}/custom-fields/person
Idempotency-Key: field-1
{"name": "Once", "type": "singleSelect", "options": [{"label": "a"}]}
-- 200
> once = data
POST /v1/groups/{{g}}/custom-fields/person
Idempotency-Key: field-1
{"name": "Once", "type": "singleSelect", "options": [{"label": "a"}]}
-- 200 (Idempotent-Replayed: true) {"data": {{once}}}

== the fields of a deleted type are gone, also for a type of the same name
DELETE /v1/groups/{{g}}/object-types/Deal -- 200
GET /v1/groups/{{g}}/custom-fields/Deal -- 404
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
GET /v1/groups/{{g}}/custom-fields/Deal -- 200 {"data": {"items": [], "pagination": {}}}

== the fields of a renamed type stay
PATCH /v1/groups/{{g}}/object-types/Job%20%2F%20%C3%9Cbung.1 {"name": "Job"} -- 200
GET /v1/groups/{{g}}/custom-fields/Job
-- 200 {"data": {"items": [{"name": "Level", "type": "textField"}], "pagination": {}}}
