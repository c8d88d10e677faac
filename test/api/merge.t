# Duplicates and merging of people and companies.
@users carol

# --- duplicates -----------------------------------------------------------------------

== nobody shares anything with a person
@make ann POST /v1/people
{"firstName": "Ann", "lastName": "Lee", "emails": ["ann@example.com", "lee@example.org"], "phones": ["+1 (555) 0100", "ask Ann"],
	"urls": ["https://example.com/ann"], "companies": [{"name": "Acme"}, {"name": "Globex"}]}
> acme = data.companies.0.id
> globex = data.companies.1.id
GET /v1/people/{{ann}}/duplicates -- 200 (X-Events-Cursor: <text>) {"data": {"items": [], "pagination": {}}}

== each way of being alike, the most alike first, then the oldest
@make by_mail POST /v1/people {"firstName": "By", "lastName": "Mail", "emails": ["x@example.com", "ANN@Example.com"]}
@make by_phone POST /v1/people {"firstName": "By", "lastName": "Phone", "phones": ["15550100", "ask Ann"]}
@make by_url POST /v1/people {"firstName": "By", "lastName": "Url", "urls": ["https://example.com/ann"]}
@make by_name POST /v1/people {"firstName": "Ann", "lastName": "Lee", "companies": [{"id": "{{globex}}"}, {"name": "Other"}]}
@make by_all POST /v1/people
{"fullName": "Ann Lee", "emails": ["lee@example.org", "Ann@example.com", "ann@example.com"], "companies": [{"id": "{{globex}}"}, {"id": "{{acme}}"}]}
GET /v1/people/{{ann}}/duplicates
-- 200 {"data": {"items": [
	{"id": "{{by_all}}", "fullName": "Ann Lee", "reasons": [
		{"field": "emails", "value": "lee@example.org"}, {"field": "emails", "value": "Ann@example.com"},
		{"field": "emails", "value": "ann@example.com"}, {"field": "fullName", "value": "Ann Lee"},
		{"field": "companies", "value": "Globex"}, {"field": "companies", "value": "Acme"}]},
	{"id": "{{by_name}}", "fullName": "Ann Lee", "reasons": [
		{"field": "fullName", "value": "Ann Lee"}, {"field": "companies", "value": "Globex"}]},
	{"id": "{{by_mail}}", "fullName": "By Mail", "reasons": [{"field": "emails", "value": "ANN@Example.com"}]},
	{"id": "{{by_phone}}", "fullName": "By Phone", "reasons": [{"field": "phones", "value": "15550100"}]},
	{"id": "{{by_url}}", "fullName": "By Url", "reasons": [{"field": "urls", "value": "https://example.com/ann"}]}
], "pagination": {}}}

== one is a duplicate of the other as the other is of it
@bob GET /v1/people/{{by_url}}/duplicates -- 200
{"data": {"items": [{"id": "{{ann}}", "fullName": "Ann Lee", "reasons": [{"field": "urls", "value": "https://example.com/ann"}]}], "pagination": {}}}

== a name without a company does not count, nor a company without a name; names compare letter for letter
@make lower POST /v1/people {"firstName": "ann", "lastName": "Lee", "companies": [{"id": "{{acme}}"}]}
@make elsewhere POST /v1/people
{"firstName": "Ann", "lastName": "Lee", "companies": [{"name": "Third"}], "phones": ["ask Ann"], "urls": ["https://example.com/ANN"]}
GET /v1/people/{{lower}}/duplicates
GET /v1/people/{{elsewhere}}/duplicates
-- 200 {"data": {"items": [], "pagination": {}}}

== beside another reason, too
@make case POST /v1/people {"firstName": "Case", "companies": [{"id": "{{acme}}"}], "urls": ["https://case.example"]}
@make upper POST /v1/people {"firstName": "CASE", "companies": [{"id": "{{acme}}"}], "urls": ["https://case.example"]}
GET /v1/people/{{case}}/duplicates -- 200
{"data": {"items": [{"id": "{{upper}}", "fullName": "CASE", "reasons": [{"field": "urls", "value": "https://case.example"}]}], "pagination": {}}}

== a person without anything is like nobody
POST /v1/people {} -- 200
@make nameless POST /v1/people {"companies": [{"id": "{{acme}}"}]}
POST /v1/people {"companies": [{"id": "{{acme}}"}]} -- 200
GET /v1/people/{{nameless}}/duplicates -- 200 {"data": {"items": [], "pagination": {}}}

== a deleted company is not shared
DELETE /v1/companies/{{globex}} -- 200
GET /v1/people/{{by_name}}/duplicates -- 200 {"data": {"items": [], "pagination": {}}}

== at most a hundred
POST /v1/people/batch/create {"records": [<list {"firstName": "S{n}", "emails": ["shared@example.com"]} 100>]} -- 200
> first = data.results.0.data.id
@make sharing POST /v1/people {"emails": ["Shared@example.com"], "urls": ["https://shared.example"]}
GET /v1/people/{{sharing}}/duplicates -- 200
{"data": {"items": [{"id": "{{first}}", "fullName": "S1", "reasons": [{"field": "emails", "value": "shared@example.com"}]}, "..."], "pagination": {}}}
> items = data.items
POST /v1/people {"urls": ["https://shared.example"]} -- 200
GET /v1/people/{{sharing}}/duplicates -- 200 {"data": {"items": {{items}}, "pagination": {}}}

== companies
@make one POST /v1/companies {"name": "One", "emails": ["Info@one.example"], "phones": ["0049 89 1"], "urls": ["https://one.example"]}
@make two POST /v1/companies
{"name": "Two", "emails": ["info@ONE.example"], "phones": ["0049-89/1"], "urls": ["https://one.example", "https://two.example"]}
POST /v1/people {"emails": ["info@one.example"]} -- 200
GET /v1/companies/{{one}}/duplicates -- 200
{"data": {"items": [{"id": "{{two}}", "name": "Two", "reasons": [{"field": "emails", "value": "info@ONE.example"},
	{"field": "phones", "value": "0049-89/1"}, {"field": "urls", "value": "https://one.example"}]}], "pagination": {}}}

== duplicates of what there is not
GET /v1/people/{{one}}/duplicates
GET /v1/companies/com_00000000-0000-7000-8000-000000000000/duplicates
@other GET /v1/people/{{ann}}/duplicates
-- 404
GET /v1/people/per_1/duplicates -- 422 Invalid path parameters
* too_small ["personId"] minimum=40 type=string exact=true
POST /v1/people/{{ann}}/duplicates {} -- 405 (Allow: GET, HEAD, OPTIONS)

# --- what a merge refuses -----------------------------------------------------------------

== what its body needs
POST /v1/people/{{ann}}/merge {} -- 422 Invalid input
* required ["id"] expected=string
POST /v1/people/{{ann}}/merge {"id": "per_1", "name": "x"} -- 422 Invalid input
* too_small ["id"] minimum=40 type=string exact=true
* unrecognized_keys [] keys=["name"]
POST /v1/people/{{ann}}/merge {"id": {"id": "{{by_mail}}"}} -- 422 Invalid input
* invalid_type ["id"] expected=string received=object

== with itself, an unknown one, one of another kind, of another workspace
@each "{{ann}}" "per_00000000-0000-7000-8000-000000000000" "{{acme}}"
POST /v1/people/{{ann}}/merge {"id": {{each}}} -- 422 Invalid input
* custom ["id"]
@end
@make foreign @other POST /v1/people {}
POST /v1/people/{{ann}}/merge {"id": "{{foreign}}"} -- 422 Invalid input
* custom ["id"]
@other POST /v1/people/{{ann}}/merge {"id": "{{foreign}}"}
POST /v1/people/per_00000000-0000-7000-8000-000000000000/merge {"id": "{{ann}}"}
-- 404
POST /v1/companies/{{acme}}/merge {"id": "{{ann}}"} -- 422 Invalid input
* custom ["id"]

== a read-only key may not
@readonly POST /v1/people/{{ann}}/merge {"id": "{{by_mail}}"} -- 403

# --- what a person takes over ----------------------------------------------------------------

== empty fields are filled, lists continued
@make bo POST /v1/people
{"firstName": "Bo", "birthday": "1980-01-02", "emails": ["bo@example.com", "BO@example.org"], "phones": ["1 2"], "urls": ["https://a.example"], "addresses": ["A"]}
> bo_since = data.createdAt
@bob POST /v1/people {
	"firstName": "Robert", "lastName": "Ray", "fullName": "Sir Robert", "description": "words", "birthday": "1999-01-01", "gender": "Male",
	"jobTitle": "Cook", "emails": ["new@example.com", "bo@EXAMPLE.org"], "phones": ["1-2", "34"], "urls": ["https://A.example"],
	"addresses": ["A", "B"], "companies": [{"id": "{{acme}}"}, {"name": "Third"}]
}
-- 200
> robert = data.id
> third = data.companies.1.id
POST /v1/people/{{bo}}/merge {"id": "{{robert}}"}
-- 200 {"data": {"$person": {
	"id": "{{bo}}", "createdAt": "{{bo_since}}", "firstName": "Bo", "lastName": "Ray", "fullName": "Bo Ray", "description": "words",
	"birthday": "1980-01-02", "gender": "Male", "jobTitle": "Cook", "emails": ["bo@example.com", "BO@example.org", "new@example.com"],
	"phones": ["1 2", "34"], "urls": ["https://a.example", "https://A.example"], "addresses": ["A", "B"],
	"companies": [{"id": "{{acme}}", "name": "Acme"}, {"id": "{{third}}", "name": "Third"}]
}}}
> merged = data
GET /v1/people/{{bo}} -- 200 {"data": {{merged}}}
GET /v1/people?filter[emails][eq]=NEW@example.com
GET /v1/people?filter[companies][in][id]={{third}}&filter[phones][eq]=34
-- 200 {"data": {"items": [{{merged}}], "pagination": {}}}

== the id that is gone leads to the one that stayed
GET /v1/people/{{robert}} -- 404
{"error": {"code": "RESOURCE_NOT_FOUND", "message": "Resource not found", "documentationUrl": "<string>", "requestId": "<uuid>", "timestamp": "<time>", "details": {"mergedInto": "{{bo}}"}}}
@bob PATCH /v1/people/{{robert}} {"firstName": "x"}
DELETE /v1/people/{{robert}}
GET /v1/people/{{robert}}/duplicates
POST /v1/people/{{robert}}/merge {"id": "{{ann}}"}
-- 404 {"error": {"details": {"mergedInto": "{{bo}}"}, "...": 0}}
POST /v1/people/batch/update {"records": [{"id": "{{robert}}"}]} -- 200 {"data": {"results": [{"$not_found": {}}]}}
@other GET /v1/people/{{robert}} -- 404
{"error": {"code": "RESOURCE_NOT_FOUND", "message": "Resource not found", "documentationUrl": "<string>", "requestId": "<uuid>", "timestamp": "<time>"}}

== an already merged one, from either side
POST /v1/people/{{bo}}/merge {"id": "{{robert}}"}
POST /v1/people/{{ann}}/merge {"id": "{{robert}}"}
-- 422 Invalid input
* custom ["id"]
POST /v1/notes {"entity": {"id": "{{robert}}"}, "content": "n", "visibility": "public"} -- 200

== the last of a chain
@make last POST /v1/people {"firstName": "Last"}
POST /v1/people/{{last}}/merge {"id": "{{bo}}"} -- 200
{"data": {"id": "{{last}}", "firstName": "Last", "lastName": "Ray", "fullName": "Last Ray", "emails": ["bo@example.com", "BO@example.org", "new@example.com"], "...": 0}}
GET /v1/people/{{robert}}
GET /v1/people/{{bo}}
-- 404 {"error": {"details": {"mergedInto": "{{last}}"}, "...": 0}}

== with one that was deleted the chain ends there
DELETE /v1/people/{{last}} -- 200
GET /v1/people/{{robert}} -- 404 {"error": {"details": {"mergedInto": "{{last}}"}, "...": 0}}
GET /v1/people/{{last}} -- 404
{"error": {"code": "RESOURCE_NOT_FOUND", "message": "Resource not found", "documentationUrl": "<string>", "requestId": "<uuid>", "timestamp": "<time>"}}

== a person without a name takes a given full name as one
@make blank POST /v1/people {}
@make who POST /v1/people {"fullName": "Dr. Who"}
PATCH /v1/people/{{who}} {"firstName": "John"} -- 200
POST /v1/people/{{blank}}/merge {"id": "{{who}}"} -- 200
{"data": {"$person": {"id": "{{blank}}", "firstName": "John", "lastName": "Who", "fullName": "Dr. Who"}}}
PATCH /v1/people/{{blank}} {"fullName": ""} -- 200
{"data": {"$person": {"id": "{{blank}}", "firstName": "John", "lastName": "Who", "fullName": "John Who"}}}

== two empty ones
@make empty POST /v1/people {}
POST /v1/people/{{blank}}/merge {"id": "{{empty}}"} -- 200
{"data": {"$person": {"id": "{{blank}}", "firstName": "John", "lastName": "Who", "fullName": "John Who"}}}

# --- idempotent -------------------------------------------------------------------------------

== a retry gets the first answer
@make once POST /v1/people {"jobTitle": "Once"}
POST /v1/people/{{blank}}/merge (Idempotency-Key: merge-1) {"id": "{{once}}"} -- 200 (!Idempotent-Replayed)
{"data": {"jobTitle": "Once", "...": 0}}
> answer = data
@repeat 2 POST /v1/people/{{blank}}/merge (Idempotency-Key: merge-1) {"id": "{{once}}"} -- 200
Idempotent-Replayed: true
{"data": {{answer}}}
PATCH /v1/people/{{once}} (Idempotency-Key: merge-2) {"firstName": "x"}
-- 404 {"error": {"details": {"mergedInto": "{{blank}}"}, "...": 0}}
> error = error
PATCH /v1/people/{{once}} (Idempotency-Key: merge-2) {"firstName": "x"} -- 404 (Idempotent-Replayed: true)
{"error": {{error}}}

# --- groups and values ----------------------------------------------------------------------------

== groups with fields
@make open POST /v1/groups {"name": "Open", "visibility": "public"}
@make secret POST /v1/groups {"name": "Secret", "visibility": "private"}
@rows target value
| {{open}}   | "Text", "type": "textField"                                                                   |
| {{open}}   | "Number", "type": "numericField"                                                              |
| {{open}}   | "Date", "type": "dateField"                                                                   |
| {{open}}   | "Tier", "type": "singleSelect", "options": [{"label": "a"}, {"label": "b"}]                   |
| {{open}}   | "Tags", "type": "multipleSelect", "options": [{"label": "x"}, {"label": "y"}, {"label": "z"}] |
| {{open}}   | "Friends", "type": "contactField"                                                             |
| {{open}}   | "Owners", "type": "userField"                                                                 |
| {{secret}} | "Hush", "type": "textField"                                                                   |
POST /v1/groups/{{target}}/custom-fields/person {"name": {{value}}} -- 200

== unset values are filled, lists of values continued, references between the two are dropped
@make v POST /v1/people
{"firstName": "V", "groups": [{"id": "{{open}}"}], "customFieldValues": {"{{open}}": {"Text": "mine", "Tags": ["y"], "Owners": [{"id": "{{ada_id}}"}]}}}
@make w POST /v1/people
{"firstName": "W", "groups": [{"id": "{{open}}"}, {"id": "{{secret}}"}], "customFieldValues": {
	"{{open}}": {"Text": "theirs", "Number": 1.50, "Date": "2026-01-31", "Tier": "b", "Tags": ["x", "y"],
		"Friends": [{"id": "{{v}}"}, {"id": "{{acme}}"}], "Owners": [{"id": "{{bob_id}}"}, {"id": "{{ada_id}}"}]},
	"{{secret}}": {"Hush": "hush"}}}
PATCH /v1/people/{{v}}
{"customFieldValues": {"{{open}}": {"Friends": [{"id": "{{w}}"}, {"id": "{{third}}"}]}}}
-- 200
@bob POST /v1/people/{{v}}/merge {"id": "{{w}}"} -- 200
{"data": {"$person": {"id": "{{v}}", "firstName": "V", "fullName": "V", "groups": [{"id": "{{open}}", "name": "Open"}], "customFieldValues": {"{{open}}": {
	"Text": "mine", "Number": "1.5", "Date": "2026-01-31", "Tier": "b", "Tags": ["y", "x"], "Owners": [{{ada}}, {{bob}}],
	"Friends": [{"id": "{{third}}", "fullName": "Third", "entityType": "company"}, {"id": "{{acme}}", "fullName": "Acme", "entityType": "company"}]}}}}}

== a group that the caller does not see moves
GET /v1/people/{{v}} -- 200
{"data": {"groups": [{"id": "{{open}}", "name": "Open"}, {"id": "{{secret}}", "name": "Secret"}], "customFieldValues": {"{{open}}": "<object>", "{{secret}}": {"Hush": "hush"}}, "...": 0}}
GET /v1/people?filter[customFieldValues.{{secret}}.Hush][eq]=hush
-- 200 {"data": {"items": [{"id": "{{v}}", "...": 0}], "pagination": {}}}
GET /v1/people?filter[customFieldValues.{{open}}.Friends][in][id]={{w}} -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[groups][in][id]={{secret}}
-- 200 {"data": {"items": [{"id": "{{v}}", "...": 0}], "pagination": {}}}

== the user who merges contributes to every group of the other one that they see
POST /v1/groups/{{secret}}/members {"id": "{{bob_id}}", "role": "reader"} -- 200
@make x POST /v1/people {"firstName": "X"}
@bob POST /v1/people/{{x}}/merge {"id": "{{v}}"} -- 403
GET /v1/people/{{v}} -- 200
@bob POST /v1/people/{{v}}/merge {"id": "{{x}}"} -- 200 {"data": {"firstName": "V", "...": 0}}
PATCH /v1/groups/{{secret}}/members/{{bob_id}} {"role": "contributor"} -- 200
@make y POST /v1/people {"firstName": "Y", "groups": [{"id": "{{open}}"}]}
@bob POST /v1/people/{{y}}/merge {"id": "{{v}}"} -- 200
{"data": {"firstName": "Y", "groups": [{"id": "{{open}}", "name": "Open"}, {"id": "{{secret}}", "name": "Secret"}], "customFieldValues": {"{{open}}": {
	"Text": "mine", "Tags": ["y", "x"], "...": 0}, "{{secret}}": {"Hush": "hush"}}, "...": 0}}

# --- what refers to it ---------------------------------------------------------------------------

== notes, tasks, reminders, interactions
@make kept POST /v1/people {"firstName": "Kept", "groups": [{"id": "{{open}}"}]}
@make gone POST /v1/people {"firstName": "Gone"}
@make note @bob POST /v1/notes {"entity": {"id": "{{gone}}"}, "content": "private", "visibility": "private"}
@make reply @bob POST /v1/notes
{"entity": {"id": "{{gone}}"}, "content": "reply", "visibility": "private", "parentNote": {"id": "{{note}}"}}
@make task POST /v1/tasks {"entity": {"id": "{{gone}}"}, "title": "T", "dueAt": "2026-03-01"}
> task_before = data.updatedAt
@make reminder POST /v1/reminders
{"entity": {"id": "{{gone}}"}, "name": "R", "recurrenceRule": "DTSTART:20400101T090000Z\nRRULE:FREQ=WEEKLY", "visibility": "private"}
POST /v1/interactions
{"entity": {"id": "{{kept}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "k", "activityType": "call"}
-- 200
@make g1 @bob POST /v1/interactions
{"entity": {"id": "{{gone}}"}, "dateTime": "2025-02-01T00:00:00Z", "title": "g1", "activityType": "call"}
@bob POST /v1/interactions
{"entity": {"id": "{{gone}}"}, "dateTime": "2024-02-01T00:00:00Z", "title": "g2", "activityType": "call"}
POST /v1/interactions
{"entity": {"id": "{{gone}}"}, "dateTime": "2024-03-01T00:00:00Z", "title": "g3", "activityType": "call"}
POST /v1/interactions
{"entity": {"id": "{{gone}}"}, "dateTime": "2090-03-01T00:00:00Z", "title": "future", "activityType": "call"}
-- 200
@carol POST /v1/people/{{kept}}/merge {"id": "{{gone}}"} -- 200
{"data": {"$person": {"id": "{{kept}}", "firstName": "Kept", "fullName": "Kept", "groups": [{"id": "{{open}}", "name": "Open"}],
	"customFieldValues": {"{{open}}": {"Text": null, "Number": null, "Date": null, "Tier": null, "Tags": null, "Friends": null, "Owners": null}},
	"interactionMetadata": {"user": {"approximateCount": 0, "lastInteractedAt": null},
		"workspace": {"approximateCount": 4, "lastInteractedAt": "2025-02-01T00:00:00.000Z", "lastInteractedBy": [{{bob}}]}},
	"strongestConnection": {"{{open}}": {{bob}}}}}}
GET /v1/people/{{kept}} -- 200
{"data": {"interactionMetadata": {"user": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 4, "lastInteractedAt": "2025-02-01T00:00:00.000Z", "lastInteractedBy": [{{bob}}]}},
	"strongestConnection": {"{{open}}": {{bob}}}, "...": 0}}
@bob GET /v1/notes?entity.id={{kept}}
-- 200 {"data": {"items": [
	{"$note": {"id": "{{note}}", "content": "private", "visibility": "private", "author": "<object>", "entity": {"id": "{{kept}}", "entityType": "person", "fullName": "Kept"}}},
	{"id": "{{reply}}", "entity": {"id": "{{kept}}", "entityType": "person", "fullName": "Kept"}, "parentNote": {"id": "{{note}}", "...": 0}, "...": 0}
], "pagination": {}}}
GET /v1/notes?entity.id={{kept}} -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/tasks?filter[entity][in]={{kept}} -- 200
{"data": {"items": [{"id": "{{task}}", "updatedAt": "<not {{task_before}}>", "entity": {"id": "{{kept}}", "entityType": "person", "fullName": "Kept"}, "...": 0}], "pagination": {}}}
GET /v1/reminders?entity.id={{kept}} -- 200
{"data": {"items": [{"id": "{{reminder}}", "entity": {"id": "{{kept}}", "entityType": "person", "fullName": "Kept"}, "nextTriggerTime": "<time>", "...": 0}], "pagination": {}}}
GET /v1/interactions?entity.id={{kept}}
GET /v1/interactions?entity.id={{gone}}
-- 200 {"data": {"items": ["<object>", "<object>", "<object>", "<object>", "<object>"], "pagination": {}}}
@bob DELETE /v1/interactions/{{g1}} -- 200
GET /v1/people/{{kept}} -- 200
{"data": {"interactionMetadata": {"user": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 3, "lastInteractedAt": "2025-01-01T00:00:00.000Z", "lastInteractedBy": [{{ada}}]}},
	"strongestConnection": {"{{open}}": {{ada}}}, "...": 0}}

== lists of objects, custom values of people, companies and objects; one of two is enough
POST /v1/groups/{{open}}/object-types {"name": "Deal"}
POST /v1/groups/{{open}}/custom-fields/Deal {"name": "Who", "type": "contactField"}
POST /v1/groups/{{open}}/custom-fields/company {"name": "Who", "type": "contactField"}
-- 200
@make p1 POST /v1/people {"firstName": "P1", "groups": [{"id": "{{open}}"}]}
@make p2 POST /v1/people {"firstName": "P2", "groups": [{"id": "{{open}}"}]}
@make p3 POST /v1/people
{"firstName": "P3", "groups": [{"id": "{{open}}"}], "customFieldValues": {"{{open}}": {"Friends": [{"id": "{{acme}}"}, {"id": "{{p2}}"}]}}}
> p3_before = data.updatedAt
@make d1 POST /v1/groups/{{open}}/Deal {"name": "D1", "people": [{"id": "{{p2}}"}, {"id": "{{p3}}"}]}
@make d2 POST /v1/groups/{{open}}/Deal
{"name": "D2", "people": [{"id": "{{p2}}"}, {"id": "{{p3}}"}, {"id": "{{p1}}"}], "customFieldValues": {"Who": [{"id": "{{p3}}"}, {"id": "{{p1}}"}, {"id": "{{p2}}"}]}}
PATCH /v1/companies/{{acme}}
{"groups": [{"id": "{{open}}"}], "customFieldValues": {"{{open}}": {"Who": [{"id": "{{p2}}"}]}}}
@bob POST /v1/people/{{p1}}/merge {"id": "{{p2}}"}
-- 200
GET /v1/groups/{{open}}/Deal/{{d1}} -- 200
{"data": {"people": [{"id": "{{p1}}", "fullName": "P1"}, {"id": "{{p3}}", "fullName": "P3"}], "...": 0}}
GET /v1/groups/{{open}}/Deal/{{d2}} -- 200
{"data": {"people": [{"id": "{{p1}}", "fullName": "P1"}, {"id": "{{p3}}", "fullName": "P3"}], "customFieldValues": {"Who": [
	{"id": "{{p3}}", "fullName": "P3", "entityType": "person"}, {"id": "{{p1}}", "fullName": "P1", "entityType": "person"}]}, "...": 0}}
GET /v1/people/{{p3}} -- 200
{"data": {"updatedAt": "<not {{p3_before}}>", "customFieldValues": {"{{open}}": {"Friends": [{"id": "{{acme}}", "fullName": "Acme", "entityType": "company"},
	{"id": "{{p1}}", "fullName": "P1", "entityType": "person"}], "...": 0}}, "...": 0}}
GET /v1/companies/{{acme}} -- 200
{"data": {"customFieldValues": {"{{open}}": {"Who": [{"id": "{{p1}}", "fullName": "P1", "entityType": "person"}]}}, "...": 0}}
GET /v1/groups/{{open}}/Deal?filter[people][in][id]={{p1}}
-- 200 {"data": {"items": [{"id": "{{d1}}", "...": 0}, {"id": "{{d2}}", "...": 0}], "pagination": {}}}
GET /v1/groups/{{open}}/Deal?filter[customFieldValues.Who][all][id]={{p1}}&filter[customFieldValues.Who][all][id]={{p3}}
-- 200 {"data": {"items": [{"id": "{{d2}}", "...": 0}], "pagination": {}}}
GET /v1/groups/{{open}}/Deal?filter[people][in][id]={{p2}}
-- 200 {"data": {"items": [{"id": "{{d1}}", "...": 0}, {"id": "{{d2}}", "...": 0}], "pagination": {}}}

== companies: fields, people, objects, values; a name goes to one that has none
@make k POST /v1/companies {"description": "d", "urls": ["https://kept.example"]}
@make t POST /v1/companies
{"name": "Takeover", "description": "e", "industry": "Trade", "fundingRaised": 5, "lastFundingDate": "2020-01-01", "foundationYear": 1999,
	"employeeRange": "11-50", "groups": [{"id": "{{open}}"}], "emails": ["t@example.com"], "customFieldValues": {"{{open}}": {"Who": [{"id": "{{p3}}"}]}}}
@make e POST /v1/people {"firstName": "E", "companies": [{"id": "{{acme}}"}, {"id": "{{t}}"}, {"id": "{{k}}"}]}
@make f POST /v1/people {"firstName": "F", "companies": [{"id": "{{t}}"}]}
@make d3 POST /v1/groups/{{open}}/Deal {"name": "D3", "companies": [{"id": "{{t}}"}]}
POST /v1/companies/{{k}}/merge {"id": "{{t}}"} -- 200
{"data": {"$company": {"id": "{{k}}", "name": "Takeover", "description": "d", "industry": "Trade", "fundingRaised": "5", "lastFundingDate": "2020-01-01",
	"foundationYear": "1999", "employeeRange": "11-50", "groups": [{"id": "{{open}}", "name": "Open"}], "emails": ["t@example.com"],
	"urls": ["https://kept.example"], "customFieldValues": {"{{open}}": {"Who": [{"id": "{{p3}}", "fullName": "P3", "entityType": "person"}]}}}}}
GET /v1/people/{{e}} -- 200
{"data": {"companies": [{"id": "{{acme}}", "name": "Acme"}, {"id": "{{k}}", "name": "Takeover"}], "...": 0}}
GET /v1/people?filter[companies][in][id]={{k}} -- 200
{"data": {"items": [{"id": "{{e}}", "...": 0}, {"id": "{{f}}", "companies": [{"id": "{{k}}", "name": "Takeover"}], "...": 0}], "pagination": {}}}
GET /v1/groups/{{open}}/Deal/{{d3}} -- 200 {"data": {"companies": [{"id": "{{k}}", "name": "Takeover"}], "...": 0}}
GET /v1/companies/{{t}}
PATCH /v1/companies/{{t}} {"name": "x"}
-- 404 {"error": {"details": {"mergedInto": "{{k}}"}, "...": 0}}
POST /v1/companies {"name": "Takeover"} -- 200 {"data": {"id": "{{k}}", "...": 0}}

== a name is kept
@make n2 POST /v1/companies {"name": "Second name"}
POST /v1/companies/{{k}}/merge {"id": "{{n2}}"} -- 200 {"data": {"name": "Takeover", "...": 0}}
POST /v1/companies {"name": "Second name"} -- 200 {"data": {"id": "<not {{n2}}>", "...": 0}}

# --- limits --------------------------------------------------------------------------------------

== a list that would be too long is named, and nothing is done
@make full POST /v1/people
{"firstName": "Full", "emails": [<list "a{n}@example.com" 20>], "phones": [<list "{n}" 11>], "companies": [<list {"name": "C{n}"} 20>]}
> full_whole = data
@make more POST /v1/people {"firstName": "More", "emails": ["b@example.com"], "phones": [<list "9{n}" 10>], "companies": [{"name": "C21"}]}
> more_whole = data
POST /v1/people/{{full}}/merge {"id": "{{more}}"} -- 422 Invalid input
* custom ["companies"]
* custom ["emails"]
* custom ["phones"]
GET /v1/people/{{full}} -- 200 {"data": {{full_whole}}}
GET /v1/people/{{more}} -- 200 {"data": {{more_whole}}}

== what both have does not count twice
PATCH /v1/people/{{more}}
{"emails": ["A1@example.com"], "phones": [<list "9{n}" 9>], "companies": [{"name": "C20"}]}
-- 200
POST /v1/people/{{full}}/merge {"id": "{{more}}"}
-- 200 {"data": {"firstName": "Full", "emails": ["a1@example.com", "a2@example.com", "..."], "...": 0}}
