# Views: what they hold, the check of their query, who sees and changes them.

== a group with a type and a field, and a private one
@make sales POST /v1/groups {"name": "Sales", "visibility": "public"}
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{sales}}/object-types {"name": "Deals"}
POST /v1/groups/{{sales}}/object-types {"name": "Boats"}
POST /v1/groups/{{secret}}/object-types {"name": "Deals"}
POST /v1/groups/{{sales}}/custom-fields/Deals {"name": "Stage", "type": "singleSelect", "options": [{"label": "Lead"}]}
POST /v1/groups/{{sales}}/custom-fields/Deals {"name": "Amount", "type": "numericField"}
POST /v1/groups/{{sales}}/custom-fields/Deals {"name": "Memo", "type": "textField"}
POST /v1/groups/{{secret}}/custom-fields/person {"name": "Rank", "type": "textField"}
POST /v1/groups/{{secret}}/custom-fields/person {"name": "Tier", "type": "singleSelect", "options": [{"label": "A"}]}
-- 200

== a view of each kind
POST /v1/views {"name": "All", "kind": "people"} -- 200 (ETag: <text>) {"data": {"$view": {"name": "All"}}}
> all = data.id
> all_whole = data
GET /v1/views/{{all}} -- 200 (ETag: <text>) {"data": {{all_whole}}}
POST /v1/views
{"name": "Banks", "kind": "companies", "query": {"filter": {"or": [{"industry": {"eq": "Banks"}}, {"name": {"like": "bank"}}]}, "combinator": "or", "sort": "-updatedAt"}, "columns": ["name", "industry", "name"], "chart": {"form": "bar", "groupBy": ["industry"], "measures": ["sum:fundingRaised"], "sort": "-count", "limit": 10, "timeZone": "Europe/Berlin"}, "visibility": "public"}
-- 200
{"data": {"$view": {"name": "Banks", "kind": "companies", "query": {"filter": {"or": [{"industry": {"eq": "Banks"}}, {"name": {"like": "bank"}}]}, "combinator": "or", "sort": "-updatedAt"}, "columns": ["name", "industry"], "chart": {"form": "bar", "groupBy": ["industry"], "measures": ["sum:fundingRaised"], "sort": "-count", "limit": 10, "timeZone": "Europe/Berlin"}, "visibility": "public"}}}
> banks = data.id
> banks_whole = data
POST /v1/views
{"name": "Mine", "kind": "tasks", "query": {"onlyAssignedToMe": "true", "filter": {"completedAt": {"empty": true}}}, "groupId": null, "objectType": null, "board": null, "chart": {"form": "number", "groupBy": "assigneeUserId", "measures": "max:dueAt"}}
-- 200
{"data": {"$view": {"name": "Mine", "kind": "tasks", "query": {"onlyAssignedToMe": "true", "filter": {"completedAt": {"empty": true}}}, "chart": {"form": "number", "groupBy": "assigneeUserId", "measures": "max:dueAt"}}}}
> mine = data.id
POST /v1/views
{"name": "Leads", "kind": "objects", "groupId": "{{sales}}", "objectType": "Deals", "query": {"filter": {"customFieldValues.Stage": {"in": ["Lead"]}}}, "board": {"groupBy": "customFieldValues.Stage", "sum": "customFieldValues.Amount"}, "visibility": "public"}
-- 200
{"data": {"$view": {"name": "Leads", "kind": "objects", "groupId": "{{sales}}", "objectType": "Deals", "query": {"filter": {"customFieldValues.Stage": {"in": ["Lead"]}}}, "board": {"groupBy": "customFieldValues.Stage", "sum": "customFieldValues.Amount"}, "visibility": "public"}}}
> leads = data.id
> leads_whole = data

== what a create needs, and its limits
POST /v1/views {} -- 422 Invalid input
* required ["name"] expected=string
* required ["kind"]
POST /v1/views {"name": "", "kind": "notes", "query": null, "columns": "x", "board": [], "chart": 1, "visibility": "all", "x": 1}
-- 422 Invalid input
* too_small ["name"] minimum=1 type=string
* invalid_enum_value ["kind"] options=["people","companies","tasks","objects"] received=notes
* invalid_type ["query"] expected=object
* invalid_type ["columns"] expected=array
* invalid_type ["board"] expected=object
* invalid_type ["chart"] expected=object
* invalid_enum_value ["visibility"] options=["private","public"] received=all
* unrecognized_keys [] keys=["x"]
@rows value issue
| "people", "columns": [<list "c{n}" 101>]                      | too_big ["columns"] maximum=100 type=array                    |
| "people", "columns": [""]                                     | too_small ["columns", 0] minimum=1 type=string                |
| "people", "board": {}                                         | required ["board", "groupBy"] expected=string                 |
| "people", "board": {"groupBy": 1}                             | invalid_type ["board", "groupBy"] expected=string             |
| "people", "board": {"groupBy": "a", "sums": "b"}              | unrecognized_keys ["board"] keys=["sums"]                     |
| "people", "chart": {}                                         | required ["chart", "form"] expected=string                    |
| "people", "chart": {"form": "pie"}                            | invalid_enum_value ["chart", "form"] options=["bar","line","table","number"] received=pie |
| "people", "chart": {"form": "bar", "groupBy": ["a","b","c"]}  | too_big ["chart", "groupBy"] maximum=2 type=array             |
| "people", "chart": {"form": "bar", "groupBy": ["a", 1]}       | invalid_type ["chart", "groupBy", 1] expected=string          |
| "people", "chart": {"form": "bar", "measures": [<list "m{n}" 9>]} | too_big ["chart", "measures"] maximum=8 type=array        |
| "people", "chart": {"form": "bar", "limit": 0}                | too_small ["chart", "limit"] minimum=1 type=number            |
| "people", "chart": {"form": "bar", "limit": 1001}             | too_big ["chart", "limit"] maximum=1000 type=number           |
| "people", "chart": {"form": "bar", "limit": 1.5}              | invalid_type ["chart", "limit"] expected=integer              |
| "people", "chart": {"form": "bar", "limit": "5"}              | invalid_type ["chart", "limit"] expected=number               |
| "people", "groupId": "{{sales}}"                              | custom ["groupId"]                                            |
| "people", "objectType": "Deals"                               | custom ["objectType"]                                         |
| "objects", "groupId": "{{sales}}"                             | required ["objectType"] expected=string                       |
| "objects", "objectType": "Deals"                              | required ["groupId"] expected=string                          |
| "objects", "objectType": "Deels", "groupId": "{{sales}}"      | custom ["objectType"]                                         |
| "objects", "objectType": "Deals", "groupId": "grp_00000000-0000-7000-8000-000000000000" | custom ["groupId"]                  |
POST /v1/views {"name": "x", "kind": {{value}}} -- 422 Invalid input
* {{issue}}
@end

== a part has at most 60 KiB
POST /v1/views {"name": "x", "kind": "people", "query": {"x": "<repeat x 70000>"}} -- 422 Invalid input
* custom ["query"]
* unrecognized_keys ["query"] keys=["x"]

== the query is checked as a search is
@rows value issue
| "people", "query": {"filter": {"colour": {"eq": "red"}}}                | unrecognized_keys ["query", "filter"] keys=["colour"]        |
| "people", "query": {"filter": {"emails": {"gt": "a"}}}                  | unrecognized_keys ["query", "filter", "emails"] keys=["gt"]  |
| "people", "query": {"filter": {"birthday": {"eq": "soon"}}}             | invalid_string ["query", "filter", "birthday", "eq"] ...     |
| "people", "query": {"filter": []}                                       | invalid_type ["query", "filter"] expected=object             |
| "people", "query": {"sort": "name"}                                     | invalid_enum_value ["query", "sort"] ...                     |
| "people", "query": {"combinator": "xor"}                                | invalid_enum_value ["query", "combinator"] ...               |
| "people", "query": {"search": "a b c d e f g h i"}                      | too_big ["query", "search"] maximum=8 type=array             |
| "people", "query": {"search": " , "}                                    | too_small ["query", "search"] minimum=1 type=array           |
| "people", "query": {"limit": 5}                                         | unrecognized_keys ["query"] keys=["limit"]                   |
| "people", "query": {"onlyAssignedToMe": "true"}                         | unrecognized_keys ["query"] keys=["onlyAssignedToMe"]        |
| "tasks", "query": {"filter": {"emails": {"eq": "a"}}}                   | unrecognized_keys ["query", "filter"] keys=["emails"]        |
| "objects", "groupId": "{{sales}}", "objectType": "Deals", "query": {"filter": {"customFieldValues.Size": {"eq": "a"}}} | custom ["query", "filter", "customFieldValues.Size"] |
| "objects", "groupId": "{{sales}}", "objectType": "Boats", "query": {"filter": {"customFieldValues.Stage": {"in": ["Lead"]}}} | custom ["query", "filter", "customFieldValues.Stage"] |
POST /v1/views {"name": "x", "kind": {{value}}} -- 422 Invalid input
* {{issue}}
@end

POST /v1/views?dryRun=true {"name": "x", "kind": "tasks", "query": {"search": "call anna"}} -- 200

== the fields of board and chart are checked as an aggregate does
@rows value issue
| "people", "board": {"groupBy": "colour"}                                | custom ["board", "groupBy"]                                  |
| "people", "board": {"groupBy": "emails"}                                | custom ["board", "groupBy"]                                  |
| "people", "board": {"groupBy": "gender:month"}                          | custom ["board", "groupBy"]                                  |
| "companies", "board": {"groupBy": "industry", "sum": "foundationYears"} | custom ["board", "sum"]                                      |
| "companies", "board": {"groupBy": "industry", "sum": "createdAt"}       | custom ["board", "sum"]                                      |
| "people", "chart": {"form": "bar", "groupBy": "colour"}                 | custom ["chart", "groupBy", 0]                               |
| "people", "chart": {"form": "bar", "groupBy": ["gender", "emails"]}     | custom ["chart", "groupBy", 1]                               |
| "people", "chart": {"form": "bar", "measures": ["count"]}               | custom ["chart", "measures", 0]                              |
| "people", "chart": {"form": "bar", "measures": "sum:birthday"}          | custom ["chart", "measures", 0]                              |
| "people", "chart": {"form": "bar", "sort": "-sum:fundingRaised"}        | invalid_enum_value ["chart", "sort"] options=["key","-count"] received=-sum:fundingRaised |
| "people", "chart": {"form": "bar", "timeZone": "Mars/Olympus"}          | custom ["chart", "timeZone"]                                 |
| "tasks", "chart": {"form": "bar", "groupBy": "gender"}                  | custom ["chart", "groupBy", 0]                               |
| "objects", "groupId": "{{sales}}", "objectType": "Deals", "board": {"groupBy": "customFieldValues.Memo"} | custom ["board", "groupBy"] |
| "objects", "groupId": "{{sales}}", "objectType": "Boats", "board": {"groupBy": "customFieldValues.Stage"} | custom ["board", "groupBy"] |
| "objects", "groupId": "{{sales}}", "objectType": "Deals", "board": {"groupBy": "customFieldValues.Stage", "sum": "customFieldValues.Stage"} | custom ["board", "sum"] |
POST /v1/views {"name": "x", "kind": {{value}}} -- 422 Invalid input
* {{issue}}
@end
@each "companies","chart":{"form":"line","groupBy":["createdAt:month","industry"],"measures":["sum:fundingRaised","max:updatedAt"],"sort":"-sum:fundingRaised"} "tasks","board":{"groupBy":"assigneeUserId"} "people","chart":{"form":"number"}
POST /v1/views?dryRun=true {"name": "x", "kind": {{each}}} -- 200
@end
PATCH /v1/views/{{banks}}?dryRun=true {"chart": {"form": "bar", "groupBy": "emails"}} -- 422 Invalid input
* custom ["chart", "groupBy", 0]

== the list
GET /v1/views -- 200
{"data": {"items": [{{all_whole}}, {{banks_whole}}, {"id": "{{mine}}", "...": 0}, {{leads_whole}}], "pagination": {}}}
GET /v1/views?kind=companies -- 200 {"data": {"items": [{{banks_whole}}], "pagination": {}}}
@each groupId={{sales}} objectType=Deals kind=objects&groupId={{sales}}&objectType=Deals
GET /v1/views?{{each}} -- 200 {"data": {"items": [{{leads_whole}}], "pagination": {}}}
@each groupId=grp_00000000-0000-7000-8000-000000000000 objectType=Boats objectType=x kind=people&groupId={{sales}}
GET /v1/views?{{each}} -- 200 {"data": {"items": [], "pagination": {}}}
@end
GET /v1/views?kind=notes&groupId=x -- 422 Invalid query parameters
* invalid_enum_value ["kind"] ...
* too_small ["groupId"] minimum=40 type=string exact=true
GET /v1/views?limit=1&kind=people -- 200 {"data": {"items": [{{all_whole}}], "pagination": {}}}
GET /v1/views?limit=3 -- 200 {"data": {"items": ["<any>", "<any>", "<any>"], "pagination": {"nextLink": "<link {{base}}/v1/views?limit=3>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{{leads_whole}}], "pagination": {}}}

== private views exist for their maker only, public ones are changed by maker and admins
@each bob admin other
@{{each}} GET /v1/views/{{all}} -- 404
@{{each}} PATCH /v1/views/{{all}} {"name": "x"} -- 404
@{{each}} DELETE /v1/views/{{all}} -- 404
@end
@bob GET /v1/views/{{banks}} -- 200 {"data": {{banks_whole}}}
@bob PATCH /v1/views/{{banks}} {"name": "x"} -- 403
@bob DELETE /v1/views/{{banks}} -- 403
@bob GET /v1/views -- 200 {"data": {"items": [{{banks_whole}}, {{leads_whole}}], "pagination": {}}}
@other GET /v1/views/{{banks}} -- 404
@readonly GET /v1/views/{{all}} -- 200
@readonly POST /v1/views {"name": "x", "kind": "people"} -- 403
@readonly PATCH /v1/views/{{all}} {"name": "x"} -- 403
@readonly DELETE /v1/views/{{all}} -- 403
@admin PATCH /v1/views/{{banks}} {"name": "Banks here"} -- 200
{"data": {"id": "{{banks}}", "name": "Banks here", "createdBy": {{ada}}, "...": 0}}
GET /v1/views/vew_00000000-0000-7000-8000-000000000000 -- 404
GET /v1/views/per_00000000-0000-7000-8000-000000000000 -- 404

== a view that names a group is for those who see the group
@make by_field POST /v1/views
{"name": "By field", "kind": "people", "visibility": "public", "query": {"filter": {"customFieldValues.{{secret}}.Rank": {"eq": "a"}}}}
@make by_group POST /v1/views {"name": "By group", "kind": "people", "visibility": "public", "query": {"filter": {"groups": {"in": {"id": "{{secret}}"}}}}}
@make column POST /v1/views {"name": "Column", "kind": "people", "visibility": "public", "columns": ["customFieldValues.{{secret}}.Rank"]}
@make board POST /v1/views {"name": "Board", "kind": "people", "visibility": "public", "board": {"groupBy": "customFieldValues.{{secret}}.Tier"}}
@make deals POST /v1/views {"name": "Deals", "kind": "objects", "groupId": "{{secret}}", "objectType": "Deals", "visibility": "public"}
@each {{by_field}} {{by_group}} {{column}} {{board}} {{deals}}
@bob GET /v1/views/{{each}} -- 404
@bob DELETE /v1/views/{{each}} -- 404
@admin GET /v1/views/{{each}} -- 200
GET /v1/views/{{each}} -- 200
@end
@bob GET /v1/views?kind=people -- 200 {"data": {"items": [], "pagination": {}}}
@bob GET /v1/views?objectType=Deals -- 200 {"data": {"items": [{{leads_whole}}], "pagination": {}}}
@rows value issue
| "people", "columns": ["customFieldValues.{{secret}}.Rank"]                                   | custom ["columns"]    |
| "people", "query": {"filter": {"groups": {"in": {"id": "{{secret}}"}}}}                      | custom ["query", "filter", "groups", "in", "id"] |
| "people", "chart": {"form": "bar", "groupBy": "customFieldValues.{{secret}}.Tier"}           | custom ["chart", "groupBy", 0] |
| "objects", "groupId": "{{secret}}", "objectType": "Deals"                                    | custom ["groupId"]    |
@bob POST /v1/views {"name": "x", "kind": {{value}}} -- 422 Invalid input
* {{issue}}
@end
DELETE /v1/views/{{column}} -- 200 {"data": {"id": "{{column}}"}}
GET /v1/views/{{column}} -- 404

== changes
PATCH /v1/views/{{leads}} {"kind": "people", "groupId": "{{sales}}", "objectType": "Deals"} -- 422 Invalid input
* unrecognized_keys [] keys=["kind","groupId","objectType"]
PATCH /v1/views/{{leads}} {"query": {"filter": {"customFieldValues.Size": {"eq": "a"}}}} -- 422 Invalid input
* custom ["query", "filter", "customFieldValues.Size"]
PATCH /v1/views/{{leads}} {} -- 200 {"data": {{leads_whole}}}
GET /v1/views/{{leads}} -- 200
> etag = header ETag
PATCH /v1/views/{{leads}} (If-Match: {{etag}}) {"columns": ["name"], "board": null, "query": {}, "visibility": "private"}
-- 200
{"data": {"$view": {"name": "Leads", "kind": "objects", "groupId": "{{sales}}", "objectType": "Deals", "columns": ["name"]}}}
PATCH /v1/views/{{leads}} (If-Match: {{etag}}) {"name": "x"} -- 412
DELETE /v1/views/{{leads}} (If-Match: {{etag}}) -- 412
@bob GET /v1/views/{{leads}} -- 404
PATCH /v1/views/{{leads}}?dryRun=true {"name": "x"} -- 200 {"data": {"name": "x", "...": 0}}
PATCH /v1/views/{{leads}} {"query": {"filter": {"customFieldValues.Stage": {"in": ["Lead"]}}}} -- 200
> leads_whole = data

== boards and charts are kept when a field goes, too
POST /v1/groups/{{sales}}/custom-fields/Deals {"name": "Phase", "type": "singleSelect", "options": [{"label": "One"}]} -- 200
@make phases POST /v1/views {"name": "Phases", "kind": "objects", "groupId": "{{sales}}", "objectType": "Deals", "board": {"groupBy": "customFieldValues.Phase"}}
DELETE /v1/groups/{{sales}}/custom-fields/Deals/Phase -- 200
PATCH /v1/views/{{phases}} {"name": "Old phases", "board": {"groupBy": "customFieldValues.Phase"}} -- 200
{"data": {"name": "Old phases", "board": {"groupBy": "customFieldValues.Phase"}, "...": 0}}
PATCH /v1/views/{{phases}} {"chart": {"form": "bar", "groupBy": "customFieldValues.Phase"}} -- 422 Invalid input
* custom ["chart", "groupBy", 0]
DELETE /v1/views/{{phases}} -- 200

== a view stays when a field goes, follows a renamed type, and goes with its type
DELETE /v1/groups/{{sales}}/custom-fields/Deals/Stage -- 200
GET /v1/views/{{leads}} -- 200 {"data": {{leads_whole}}}
PATCH /v1/views/{{leads}} {"name": "Leads", "query": {"filter": {"customFieldValues.Stage": {"in": ["Lead"]}}}} -- 200
PATCH /v1/groups/{{sales}}/object-types/Deals {"name": "Orders"} -- 200
GET /v1/views?objectType=Orders -- 200 {"data": {"items": [{"id": "{{leads}}", "objectType": "Orders", "...": 0}], "pagination": {}}}
DELETE /v1/groups/{{sales}}/object-types/Orders -- 200
GET /v1/views/{{leads}} -- 404
DELETE /v1/groups/{{secret}} -- 200
GET /v1/views/{{deals}} -- 404
GET /v1/views/{{by_group}} -- 200
GET /v1/views/{{by_group}} (X-API-Version: 1999-01-01) -- 422 Invalid headers
* ...
DELETE /v1/views/{{by_group}} (X-API-Version: 1999-01-01) -- 422 Invalid headers
* ...
