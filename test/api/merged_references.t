# References to people and companies that were merged mean the kept record. The ids in a path, of a batch's
# records and of a merge itself do not follow.

== ann was merged into bea, and bea into cat; acme into best
@make g POST /v1/groups {"name": "Sales", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"}
POST /v1/groups/{{g}}/custom-fields/Deal {"name": "Via", "type": "contactField"}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Knows", "type": "contactField"}
-- 200
@make ann POST /v1/people {"firstName": "Ann", "groups": [{"id": "{{g}}"}]}
@make bea POST /v1/people {"firstName": "Bea"}
@make cat POST /v1/people {"firstName": "Cat"}
@make acme POST /v1/companies {"name": "Acme", "groups": [{"id": "{{g}}"}]}
@make best POST /v1/companies {"name": "Best"}
@make deal POST /v1/groups/{{g}}/Deal
{"name": "Old", "people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Via": [{"id": "{{ann}}"}]}}
@make dee POST /v1/people
{"firstName": "Dee", "companies": [{"id": "{{acme}}"}], "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Knows": [{"id": "{{ann}}"}]}}}
@make note POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "of Ann", "visibility": "public"}
@make reminder POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "of Ann", "visibility": "private", "recurrenceRule": "DTSTART:20300101T090000Z\nRRULE:FREQ=DAILY"}
@make interaction POST /v1/interactions
{"entity": {"id": "{{ann}}"}, "dateTime": "2026-01-31T09:30:00Z", "title": "Call", "activityType": "call"}
@make task POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "of Ann", "dueAt": "2030-01-01"}
POST /v1/people/{{bea}}/merge {"id": "{{ann}}"}
POST /v1/people/{{cat}}/merge {"id": "{{bea}}"}
POST /v1/companies/{{best}}/merge {"id": "{{acme}}"}
-- 200

== an object keeps its contacts when a body names the merged ones, each once
PATCH /v1/groups/{{g}}/Deal/{{deal}}
{"people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Via": [{"id": "{{ann}}"}, {"id": "{{acme}}"}]}}
-- 200 {"data": {"people": [{"id": "{{cat}}", "...": 0}], "companies": [{"id": "{{best}}", "...": 0}],
	"customFieldValues": {"Via": [{"id": "{{cat}}", "...": 0}, {"id": "{{best}}", "...": 0}]}, "...": 0}}
PATCH /v1/groups/{{g}}/Deal/{{deal}}
{"people": [{"id": "{{bea}}"}, {"id": "{{ann}}"}, {"id": "{{cat}}"}, {"id": "{{dee}}"}], "customFieldValues": {"Via": [{"id": "{{bea}}"}, {"id": "{{ann}}"}, {"id": "{{cat}}"}]}}
-- 200
{"data": {"people": [{"id": "{{cat}}", "...": 0}, {"id": "{{dee}}", "...": 0}], "customFieldValues": {"Via": [{"id": "{{cat}}", "...": 0}]}, "...": 0}}
POST /v1/groups/{{g}}/Deal {"name": "New", "people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}]} -- 200
{"data": {"people": [{"id": "{{cat}}", "...": 0}], "companies": [{"id": "{{best}}", "...": 0}], "...": 0}}
POST /v1/groups/{{g}}/Deal/batch/update {"records": [{"id": "{{deal}}", "people": [{"id": "{{ann}}"}]}]} -- 200
GET /v1/groups/{{g}}/Deal/{{deal}} -- 200 {"data": {"people": [{"id": "{{cat}}", "...": 0}], "...": 0}}
POST /v1/groups/{{g}}/Deal/batch/upsert
{"match": "name", "records": [{"name": "Up", "people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Via": [{"id": "{{bea}}"}]}}]}
-- 200
> up = data.results.0.data.id
POST /v1/groups/{{g}}/Deal/batch/upsert
{"match": "name", "records": [{"name": "Up", "people": [{"id": "{{cat}}"}, {"id": "{{bea}}"}], "customFieldValues": {"Via": [{"id": "{{ann}}"}]}}]}
-- 200 {"data": {"results": [{"operation": "unchanged", "...": 0}], "...": 0}}
GET /v1/groups/{{g}}/Deal/{{up}} -- 200
{"data": {"people": [{"id": "{{cat}}", "...": 0}], "companies": [{"id": "{{best}}", "...": 0}], "customFieldValues": {"Via": [{"id": "{{cat}}", "...": 0}]}, "...": 0}}

== people's companies and values
PATCH /v1/people/{{dee}}
{"companies": [{"id": "{{acme}}"}], "customFieldValues": {"{{g}}": {"Knows": [{"id": "{{ann}}"}]}}}
-- 200
{"data": {"companies": [{"id": "{{best}}", "name": "Best"}], "customFieldValues": {"{{g}}": {"Knows": [{"id": "{{cat}}", "...": 0}]}}, "...": 0}}
POST /v1/people/batch/create
{"records": [{"firstName": "Eve", "companies": [{"id": "{{acme}}"}, {"id": "{{best}}"}]}]}
-- 200
> eve = data.results.0.data.id
GET /v1/people/{{eve}} -- 200 {"data": {"companies": [{"id": "{{best}}", "name": "Best"}], "...": 0}}
POST /v1/people/batch/upsert
{"match": "emails", "records": [{"firstName": "Fay", "emails": ["fay@example.com"], "companies": [{"id": "{{acme}}"}]}]}
-- 200
> fay = data.results.0.data.id
GET /v1/people/{{fay}} -- 200 {"data": {"companies": [{"id": "{{best}}", "name": "Best"}], "...": 0}}

== what is linked to one
POST /v1/notes
{"entity": {"id": "{{ann}}"}, "content": "later", "visibility": "public", "parentNote": {"id": "{{note}}"}}
POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "later", "dueAt": "2030-01-01"}
-- 200 {"data": {"entity": {"id": "{{cat}}", "entityType": "person", "fullName": "Cat"}, "...": 0}}
POST /v1/reminders
{"entity": {"id": "{{acme}}"}, "name": "later", "visibility": "private", "recurrenceRule": "DTSTART:20300101T090000Z\nRRULE:FREQ=DAILY"}
-- 200 {"data": {"entity": {"id": "{{best}}", "entityType": "company", "fullName": "Best"}, "...": 0}}
POST /v1/interactions/batch/create
{"records": [{"entity": {"id": "{{ann}}"}, "dateTime": "2026-02-01T09:30:00Z", "title": "One", "activityType": "call"},
	{"entity": {"id": "{{cat}}"}, "dateTime": "2026-02-02T09:30:00Z", "title": "Two", "activityType": "call"}]}
-- 200
GET /v1/people/{{cat}}
-- 200 {"data": {"interactionMetadata": {"workspace": {"approximateCount": 3, "...": 0}, "...": 0}, "...": 0}}
PATCH /v1/notes/{{note}} {"entity": {"id": "{{ann}}"}, "content": "changed"}
-- 200 {"data": {"content": "changed", "entity": {"id": "{{cat}}", "...": 0}, "...": 0}}
PATCH /v1/notes/{{note}} {"entity": {"id": "{{acme}}"}, "content": "changed"} -- 422
* unrecognized_keys [] keys=["entity"]
@rows target value answer
| reminders/{{reminder}}       | {"id": "{{bea}}"}, "name": "changed" | {"name": "changed", "entity": {"id": "{{cat}}", "...": 0}, "...": 0} |
| tasks/{{task}}               | {"id": "{{acme}}"}                   | {"entity": {"id": "{{best}}", "...": 0}, "...": 0}                   |
| interactions/{{interaction}} | {"id": "{{ann}}"}, "title": "Same"   | {"title": "Same", "entity": {"id": "{{cat}}", "...": 0}, "...": 0}   |
| interactions/{{interaction}} | {"id": "{{acme}}"}                   | {"entity": {"id": "{{best}}", "...": 0}, "...": 0}                   |
PATCH /v1/{{target}} {"entity": {{value}}} -- 200 {"data": {{answer}}}

== an entity of a query
GET /v1/interactions/{{interaction}}?entity.id={{acme}} -- 200
GET /v1/interactions/{{interaction}}?entity.id={{ann}} -- 404
GET /v1/notes?entity.id={{ann}}&limit=1
-- 200 {"data": {"items": [{"id": "{{note}}", "...": 0}], "pagination": "<object>"}}
> next = data.pagination.nextLink
GET /v1/reminders?entity.id={{bea}} -- 200 {"data": {"items": [{"id": "{{reminder}}", "...": 0}], "pagination": {}}}
GET /v1/interactions?filter[entity.id][eq]={{acme}}
-- 200 {"data": {"items": [{"id": "{{interaction}}", "...": 0}], "pagination": {}}}
GET /v1/interactions/past?entity.id={{acme}} -- 200
{"data": {"items": [{"id": "{{interaction}}", "...": 0}], "pagination": "<object>"}, "deprecations": "<array>", "warnings": [{"code": "deprecated", "path": [], "message": "<text>"}]}
GET /v1/tasks?filter[entity][in]={{acme}} -- 200 {"data": {"items": [{"id": "{{task}}", "...": 0}], "pagination": {}}}
DELETE /v1/interactions/{{interaction}}?entity.id={{ann}} -- 404
DELETE /v1/interactions/{{interaction}}?entity.id={{acme}} -- 200

== filters
@rows target answer
| filter[people][in][id]={{ann}}&limit=1 | [{"id": "{{deal}}", "...": 0}], "pagination": "<object>" |
| filter[people][all][id]={{ann}}&filter[people][all][id]={{cat}}&limit=1&sort=createdAt | [{"id": "{{deal}}", "...": 0}], "pagination": "<object>" |
| filter[people][not_in][id]={{bea}} | [], "pagination": {} |
| filter[customFieldValues.Via][in][id]={{ann}}&count=exact | [{"id": "{{deal}}", "...": 0}, {"id": "{{up}}", "...": 0}], "pagination": {"count": 2} |
GET /v1/groups/{{g}}/Deal?{{target}} -- 200 {"data": {"items": {{answer}}}}
@end
POST /v1/people/search
{"filter": {"and": [{"companies": {"in": {"id": "{{acme}}"}}}, {"customFieldValues.{{g}}.Knows": {"in": {"id": "{{bea}}"}}}]}}
-- 200 {"data": {"items": [{"id": "{{dee}}", "...": 0}], "pagination": {}}}

== what does not follow
GET /v1/people/{{ann}}
PATCH /v1/people/{{ann}} {"firstName": "x"}
DELETE /v1/people/{{ann}}
-- 404
POST /v1/people/batch/update {"records": [{"id": "{{ann}}", "firstName": "x"}]}
POST /v1/people/batch/delete {"records": [{"id": "{{ann}}"}]}
-- 200 {"data": {"results": [{"status": "failed", "error": {"code": "NOT_FOUND", "...": 0}}]}}
POST /v1/people/{{dee}}/merge {"id": "{{ann}}"} -- 422
* custom ["id"]
GET /v1/people/{{cat}} -- 200

== one that was merged into a record outside the object's group is left out, as that record is
PATCH /v1/people/{{cat}} {"groups": []} -- 200
POST /v1/groups/{{g}}/Deal {"name": "Outside", "people": [{"id": "{{ann}}"}, {"id": "{{dee}}"}]} -- 200
{"data": {"people": [{"id": "{{dee}}", "...": 0}], "...": 0}, "warnings": [{"code": "reference_outside_group", "...": 0}]}

== one that was merged into a deleted one is unknown
DELETE /v1/companies/{{best}} -- 200
POST /v1/people {"companies": [{"id": "{{acme}}"}]} -- 422
* custom ["companies", 0, "id"]
POST /v1/notes {"entity": {"id": "{{acme}}"}, "content": "x", "visibility": "public"} -- 422
* custom ["entity", "id"]
GET /v1/notes?entity.id={{acme}} -- 200 {"data": {"items": [], "pagination": {}}}

== a chain of many merges
@make one POST /v1/people {"firstName": "One", "groups": [{"id": "{{g}}"}]}
@make two POST /v1/people {"firstName": "Two"}
@make three POST /v1/people {"firstName": "Three"}
@make four POST /v1/people {"firstName": "Four"}
POST /v1/people/{{two}}/merge {"id": "{{one}}"}
POST /v1/people/{{three}}/merge {"id": "{{two}}"}
POST /v1/people/{{four}}/merge {"id": "{{three}}"}
-- 200
POST /v1/groups/{{g}}/Deal {"name": "Chain", "people": [{"id": "{{one}}"}]}
-- 200 {"data": {"people": [{"id": "{{four}}", "...": 0}], "...": 0}}
POST /v1/notes {"entity": {"id": "{{one}}"}, "content": "x", "visibility": "public"}
-- 200 {"data": {"entity": {"id": "{{four}}", "...": 0}, "...": 0}}
GET /v1/groups/{{g}}/Deal?filter[people][in][id]={{one}}&count=exact
-- 200 {"data": {"items": [{"people": [{"id": "{{four}}", "...": 0}], "...": 0}], "pagination": {"count": 1}}}

== nor does anything lead into another workspace
@other POST /v1/notes {"entity": {"id": "{{ann}}"}, "content": "x", "visibility": "public"} -- 422
* custom ["entity", "id"]
@other GET /v1/notes?entity.id={{ann}} -- 200 {"data": {"items": [], "pagination": {}}}
