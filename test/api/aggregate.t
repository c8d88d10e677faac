# Aggregates (docs/totals.md): groupings, measures, order, limit, sight, bad requests.
# Parts: test/flow/test_aggregate_oracle.c.

== groups, a type and its fields
@make group POST /v1/groups {"name": "Sales", "visibility": "public"}
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
POST /v1/groups/{{group}}/object-types {"name": "Deals"} -- 200
POST /v1/groups/{{group}}/custom-fields/Deals
{"name": "Stage", "type": "singleSelect", "options": [{"label": "Lead"}, {"label": "Won"}, {"label": "Idle"}]}
POST /v1/groups/{{group}}/custom-fields/Deals {"name": "Tags, all", "type": "multipleSelect", "options": [{"label": "A"}, {"label": "B"}]}
POST /v1/groups/{{group}}/custom-fields/Deals
{"name": "Amount", "type": "numericField", "config": {"format": "currency", "currency": "EUR"}}
POST /v1/groups/{{group}}/custom-fields/Deals {"name": "Close", "type": "dateField"}
POST /v1/groups/{{group}}/custom-fields/Deals {"name": "Note", "type": "textField"}
POST /v1/groups/{{group}}/custom-fields/Deals {"name": "Owner", "type": "userField"}
POST /v1/groups/{{secret}}/custom-fields/person {"name": "Rank", "type": "numericField"}
-- 200

== an empty list
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Stage&measures=sum:customFieldValues.Amount,avg:customFieldValues.Amount,min:customFieldValues.Close -- 200
{"data": {"items": [], "total": {"count": 0, "sum": {"customFieldValues.Amount": "0"},
	"avg": {"customFieldValues.Amount": null}, "min": {"customFieldValues.Close": null}, "max": {},
	"values": {"customFieldValues.Amount": 0, "customFieldValues.Close": 0},
	"currency": {"customFieldValues.Amount": "EUR"}}, "pagination": {"tested": 0}}}

== deals
@make acme POST /v1/companies {"name": "Acme", "groups": [{"id": "{{group}}"}]}
@make bolt POST /v1/companies {"name": "bolt", "groups": [{"id": "{{group}}"}]}
POST /v1/groups/{{group}}/Deals/batch/create
{"records": [
	{"name": "a", "companies": [{"id": "{{acme}}"}, {"id": "{{bolt}}"}], "customFieldValues":
		{"Stage": "Won", "Amount": "0.1", "Close": "2026-03-02", "Tags, all": ["A", "B"], "Owner": [{"id": "{{ada_id}}"}]}},
	{"name": "b", "companies": [{"id": "{{bolt}}"}], "customFieldValues":
		{"Stage": "Won", "Amount": "0.2", "Close": "2026-03-08", "Tags, all": ["B"], "Owner": [{"id": "{{bob_id}}"}]}},
	{"name": "c", "customFieldValues": {"Stage": "Lead", "Amount": "1000000000000.5", "Close": "2026-03-09"}},
	{"name": "d", "customFieldValues": {"Stage": "Lead", "Close": "2025-12-29"}},
	{"name": "e"}]}
-- 200

== a select in the order of its options, with exact sums
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Stage&measures=sum:customFieldValues.Amount,avg:customFieldValues.Amount -- 200
{"data": {"items": [
	{"group": [{"value": "Lead", "label": "Lead"}], "count": 2, "sum": {"customFieldValues.Amount": "1000000000000.5"},
		"avg": {"customFieldValues.Amount": "1000000000000.5"}, "min": {}, "max": {},
		"values": {"customFieldValues.Amount": 1}, "currency": {"customFieldValues.Amount": "EUR"}},
	{"group": [{"value": "Won", "label": "Won"}], "count": 2, "sum": {"customFieldValues.Amount": "0.3"},
		"avg": {"customFieldValues.Amount": "0.15"}, "min": {}, "max": {},
		"values": {"customFieldValues.Amount": 2}, "currency": {"customFieldValues.Amount": "EUR"}},
	{"group": [{"value": null, "label": null}], "count": 1, "sum": {"customFieldValues.Amount": "0"},
		"avg": {"customFieldValues.Amount": null}, "min": {}, "max": {},
		"values": {"customFieldValues.Amount": 0}, "currency": {"customFieldValues.Amount": "EUR"}}],
	"total": {"count": 5, "sum": {"customFieldValues.Amount": "1000000000000.8"},
		"avg": {"customFieldValues.Amount": "333333333333.6"}, "min": {}, "max": {},
		"values": {"customFieldValues.Amount": 3}, "currency": {"customFieldValues.Amount": "EUR"}},
	"pagination": {"tested": 5}}}

== a field of several values counts its record under each, the total once; names with commas
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Tags,%20all -- 200
{"data": {"items": [
	{"group": [{"value": "A", "label": "A"}], "count": 1, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}},
	{"group": [{"value": "B", "label": "B"}], "count": 2, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}},
	{"group": [{"value": null, "label": null}], "count": 3, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}}],
	"total": {"count": 5, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}}, "pagination": {"tested": 5}}}
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=companies -- 200
{"data": {"items": [
	{"group": [{"value": "{{acme}}", "label": "Acme"}], "count": 1, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}},
	{"group": [{"value": "{{bolt}}", "label": "bolt"}], "count": 2, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}},
	{"group": [{"value": null, "label": null}], "count": 3, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}}],
	"total": {"count": 5, "sum": {}, "avg": {}, "min": {}, "max": {}, "values": {}}, "pagination": {"tested": 5}}}

== buckets of a date
@rows bucket first label second
| day     | 2025-12-29 | 2025-12-29 | 2026-03-02 |
| week    | 2025-12-29 | 2026-W01   | 2026-03-02 |
| month   | 2025-12-01 | 2025-12    | 2026-03-01 |
| quarter | 2025-10-01 | 2025-Q4    | 2026-01-01 |
| year    | 2025-01-01 | 2025       | 2026-01-01 |
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Close:{{bucket}}&filter[name][not_eq]=e -- 200
{"data": {"items": [
	{"group": [{"value": "{{first}}", "label": "{{label}}"}], "count": 1, "...": 0},
	{"group": [{"value": "{{second}}", "label": "<string>"}], "...": 0}, "..."],
	"total": {"count": 4, "...": 0}, "pagination": {"tested": 5}}}
@end

== times have the interval of their bucket, in the zone
POST /v1/groups/{{group}}/Deals/aggregate {"groupBy": ["createdAt:year"], "timeZone": "America/New_York"} -- 200
{"data": {"items": [{"group": [{"value": "<date>", "label": "<string>", "from": "<ends -01-01T05:00:00.000Z>",
	"to": "<ends -01-01T05:00:00.000Z>"}], "count": 5, "...": 0}], "...": 0}}

== order and limit; what is left over is one item
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Stage&measures=sum:customFieldValues.Amount&sort=-sum:customFieldValues.Amount&limit=1 -- 200
{"data": {"items": [
	{"group": [{"value": "Lead", "label": "Lead"}], "count": 2, "sum": {"customFieldValues.Amount": "1000000000000.5"}, "...": 0},
	{"group": [], "other": true, "count": 3, "sum": {"customFieldValues.Amount": "0.3"}, "...": 0}],
	"total": {"count": 5, "...": 0}, "pagination": {"tested": 5}}}
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Tags,%20all&sort=-count&limit=2 -- 200
{"data": {"items": [
	{"group": [{"value": null, "label": null}], "count": 3, "...": 0},
	{"group": [{"value": "B", "label": "B"}], "count": 2, "...": 0},
	{"group": [], "other": true, "count": 1, "...": 0}], "total": {"count": 5, "...": 0}, "...": 0}}

== two groupings, written in each way
@each groupBy=customFieldValues.Owner,customFieldValues.Stage groupBy=customFieldValues.Owner&groupBy=customFieldValues.Stage groupBy[0]=customFieldValues.Owner&groupBy[1]=customFieldValues.Stage
GET /v1/groups/{{group}}/Deals/aggregate?{{each}}&filter[customFieldValues.Stage][in]=Won -- 200
{"data": {"items": [
	{"group": [{"value": "{{ada_id}}", "label": "<text>"}, {"value": "Won", "label": "Won"}], "count": 1, "...": 0},
	{"group": [{"value": "{{bob_id}}", "label": "<text>"}, {"value": "Won", "label": "Won"}], "count": 1, "...": 0}],
	"total": {"count": 2, "...": 0}, "pagination": {"tested": 5}}}
@end

== without groupings there is one item; min and max of dates and times
POST /v1/groups/{{group}}/Deals/aggregate
{"measures": ["min:customFieldValues.Close", "max:customFieldValues.Close", "max:createdAt", "max:updatedAt"],
	"filter": {"or": [{"name": {"eq": "a"}}, {"name": {"eq": "c"}}]}}
-- 200
{"data": {"items": [{"group": [], "count": 2, "sum": {}, "avg": {}, "min": {"customFieldValues.Close": "2026-03-02"},
	"max": {"customFieldValues.Close": "2026-03-09", "createdAt": "<time>", "updatedAt": "<time>"}, "...": 0}],
	"total": {"count": 2, "...": 0}, "...": 0}}

== a read-only key may read aggregates in both ways
@readonly POST /v1/people/aggregate
@readonly POST /v1/people/aggregate {"groupBy": "gender"}
@readonly GET /v1/people/aggregate
@readonly GET /v1/companies/aggregate
@readonly POST /v1/companies/aggregate {}
@readonly GET /v1/tasks/aggregate
@readonly POST /v1/tasks/aggregate {"onlyAssignedToMe": "true"}
-- 200

== people: unset words, hidden groups
@make ann POST /v1/people {"firstName": "Ann", "gender": "Female", "groups": [{"id": "{{group}}"}, {"id": "{{secret}}"}], "customFieldValues": {"{{secret}}": {"Rank": 7}}}
@make tom POST /v1/people {"firstName": "Tom", "groups": [{"id": "{{secret}}"}]}
GET /v1/people/aggregate?groupBy=gender -- 200
{"data": {"items": [
	{"group": [{"value": "Female", "label": "Female"}], "count": 1, "...": 0},
	{"group": [{"value": null, "label": "Unknown"}], "count": 1, "...": 0}], "...": 0}}
GET /v1/people/aggregate?groupBy=groups&measures=sum:customFieldValues.{{secret}}.Rank -- 200
{"data": {"items": [
	{"group": [{"value": "{{group}}", "label": "Sales"}], "count": 1, "...": 0},
	{"group": [{"value": "{{secret}}", "label": "Secret"}], "count": 2, "...": 0}],
	"total": {"count": 2, "sum": {"customFieldValues.{{secret}}.Rank": "7"}, "...": 0}, "...": 0}}
@bob GET /v1/people/aggregate?groupBy=groups -- 200
{"data": {"items": [
	{"group": [{"value": "{{group}}", "label": "Sales"}], "count": 1, "...": 0},
	{"group": [{"value": null, "label": null}], "count": 1, "...": 0}], "total": {"count": 2, "...": 0}, "...": 0}}
@bob GET /v1/people/aggregate?measures=sum:customFieldValues.{{secret}}.Rank -- 422 Invalid query parameters
* custom ["measures", 0] message="Group not found"
@bob GET /v1/groups/{{secret}}/Deals/aggregate -- 404

== a zone whose name is also an abbreviation has summer time
@make june @admin POST /v1/people {"firstName": "June", "createdAt": "2026-06-30T22:30:00Z"}
@each CET Europe/Brussels
GET /v1/people/aggregate?groupBy=createdAt:month&timeZone={{each}}&filter[firstName][eq]=June -- 200
{"data": {"items": [{"group": [{"value": "2026-07-01", "label": "2026-07", "from": "2026-06-30T22:00:00.000Z",
	"to": "2026-07-31T22:00:00.000Z"}], "count": 1, "...": 0}], "...": 0}}
@end

== tasks: only those that the user sees
@make mine POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "mine", "dueAt": "2026-01-05", "isPublic": false}
@make ours POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "ours", "dueAt": "2026-01-06", "assignedUsers": [{"id": "{{bob_id}}"}]}
GET /v1/tasks/aggregate?groupBy=dueAt:week&measures=max:dueAt -- 200
{"data": {"items": [{"group": [{"value": "2026-01-05", "label": "2026-W02"}], "count": 2, "max": {"dueAt": "2026-01-06"}, "...": 0}],
	"total": {"count": 2, "...": 0}, "pagination": {"tested": 2}}}
@bob GET /v1/tasks/aggregate?groupBy=assigneeUserId -- 200
{"data": {"items": [{"group": [{"value": "{{bob_id}}", "label": "<text>"}], "count": 1, "...": 0}],
	"total": {"count": 1, "...": 0}, "pagination": {"tested": 1}}}
GET /v1/tasks/aggregate?onlyAssignedToMe=true&groupBy=completedAt -- 200
{"data": {"items": [{"group": [{"value": null, "label": null}], "count": 1, "...": 0}], "...": 0}}

== an average is rounded half up, away from zero
POST /v1/groups/{{group}}/Deals/batch/create
{"records": [{"name": "tie 1", "customFieldValues": {"Amount": "-0.000001"}}, {"name": "tie 2", "customFieldValues": {"Amount": "0"}}]}
-- 200
GET /v1/groups/{{group}}/Deals/aggregate?measures=avg:customFieldValues.Amount&filter[name][like]=tie -- 200
{"data": {"items": [{"group": [], "count": 2, "avg": {"customFieldValues.Amount": "-0.000001"}, "...": 0}], "...": 0}}

== bad requests
@rows query issue
| groupBy=nope | custom ["groupBy", 0] message="Unknown field" |
| groupBy=gender,emails | custom ["groupBy", 1] message="Records cannot be grouped by this field" |
| groupBy=gender:month | custom ["groupBy", 0] message="Only dates and times have a bucket" |
| groupBy=createdAt:hour | custom ["groupBy", 0] message="Unknown field" |
| groupBy=gender,jobTitle,groups | too_big ["groupBy"] maximum=2 type=array |
| measures=sum:birthday | custom ["measures", 0] message="This field has no sum" |
| measures=median:birthday | custom ["measures", 0] message="Unknown measure" |
| measures=min:birthday,min:nope | custom ["measures", 1] message="Unknown field" |
| measures=min:gender | custom ["measures", 0] message="This field has no min" |
| timeZone=Nowhere | custom ["timeZone"] message="Unknown time zone" |
| limit=1001 | too_big ["limit"] maximum=1000 type=number |
| limit=0 | too_small ["limit"] minimum=1 type=number |
| cursor=abc | invalid_string ["cursor"] validation=cursor |
| filter[nope][eq]=1 | unrecognized_keys ["filter"] keys=["nope"] |
| groupBy=customFieldValues.{{group}}.Nope | custom ["groupBy", 0] message="Unknown custom field" |
GET /v1/people/aggregate?{{query}} -- 422 Invalid query parameters
* {{issue}}
@end
GET /v1/people/aggregate?sort=-sum:customFieldValues.{{secret}}.Rank -- 422 Invalid query parameters
* invalid_enum_value ["sort"] ...
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Note -- 422 Invalid query parameters
* custom ["groupBy", 0] message="Records cannot be grouped by this field"
POST /v1/people/aggregate {"groupBy": [1], "measures": "sum:x", "nope": 1} -- 422 Invalid input
* ...
GET /v1/groups/{{group}}/Nope/aggregate?groupBy=x -- 404
POST /v1/groups/{{group}}/Nope/aggregate {} -- 404
@each companies tasks groups/{{group}}/Deals
GET /v1/{{each}}/aggregate?groupBy=nope -- 422 Invalid query parameters
* ...
POST /v1/{{each}}/aggregate {"groupBy": "nope"} -- 422 Invalid input
* ...
