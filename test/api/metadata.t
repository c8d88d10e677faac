# interactionMetadata and strongestConnection of people.

@users carol

== a person without interactions
POST /v1/people {"firstName": "P"} -- 200 {"data": {"$person": {"firstName": "P", "fullName": "P"}}}
> p = data.id

== the first interaction is counted for its user and the workspace
@make a1 POST /v1/interactions {"entity": {"id": "{{p}}"}, "dateTime": "2025-01-01T00:00:00.001Z", "title": "a1", "activityType": "call"}
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z"},
	"workspace": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{ada}}]}},
	"strongestConnection": {}, "...": 0}}

== user is the key's user
@bob GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 0, "lastInteractedAt": null},
	"workspace": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{ada}}]}}, "...": 0}}

== an older one counts and leaves the latest
@make b1 @bob POST /v1/interactions {"entity": {"id": "{{p}}"}, "dateTime": "2024-01-01T00:00:00Z", "title": "b1", "activityType": "call"}
@bob GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2024-01-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{ada}}]}}, "...": 0}}

== two users at the same latest instant are both listed
@bob PATCH /v1/interactions/{{b1}} {"entity": {"id": "{{p}}"}, "dateTime": "2025-01-01T00:00:00.001Z"} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{ada}}, {{bob}}]}}, "...": 0}}

== the list and answers to changes show the same
GET /v1/people
-- 200 {"data": {"items": [{"id": "{{p}}", "interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{ada}}, {{bob}}]}}, "...": 0}],
	"pagination": {}}}
> updated = data.items.0.updatedAt
PATCH /v1/people/{{p}} {"firstName": "P"}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{ada}}, {{bob}}]}},
	"updatedAt": "{{updated}}", "...": 0}}

== a change of the person leaves its counters
PATCH /v1/people/{{p}} {"firstName": "Q"} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"firstName": "Q", "interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{ada}}, {{bob}}]}}, "...": 0}}

== an interaction that is counted twice is counted once
PATCH /v1/interactions/{{a1}}
{"entity": {"id": "{{p}}"}, "title": "other", "dateTime": "2025-01-01T00:00:00.001Z"}
-- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z"}, "workspace": {"approximateCount": 2, "...": 0}}, "...": 0}}

== a later time, then an earlier one
PATCH /v1/interactions/{{a1}} {"entity": {"id": "{{p}}"}, "dateTime": "2025-06-01T00:00:00Z"} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2025-06-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-06-01T00:00:00.000Z", "lastInteractedBy": [{{ada}}]}}, "...": 0}}
PATCH /v1/interactions/{{a1}} {"entity": {"id": "{{p}}"}, "dateTime": "2020-06-01T00:00:00Z"} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{bob}}]}}, "...": 0}}

== to the future and back
PATCH /v1/interactions/{{a1}} {"entity": {"id": "{{p}}"}, "dateTime": "2999-01-01T00:00:00Z"} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 0, "lastInteractedAt": null},
	"workspace": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{bob}}]}}, "...": 0}}
PATCH /v1/interactions/{{a1}} {"entity": {"id": "{{p}}"}, "dateTime": "2020-06-01T00:00:00Z"} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z"}, "workspace": {"approximateCount": 2, "...": 0}}, "...": 0}}

== one dated in the future is not counted yet
@make future POST /v1/interactions
{"entity": {"id": "{{p}}"}, "dateTime": "2999-01-01T00:00:00Z", "title": "future", "activityType": "call"}
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z"}, "workspace": {"approximateCount": 2, "...": 0}}, "...": 0}}
DELETE /v1/interactions/{{future}} -- 200
GET /v1/people/{{p}} -- 200
{"data": {"interactionMetadata": {"user": {"approximateCount": 1, "...": 0}, "workspace": {"approximateCount": 2, "...": 0}}, "...": 0}}

== a move takes the count along, also for another user than the mover
@make r POST /v1/people {"firstName": "R"}
PATCH /v1/interactions/{{b1}} {"entity": {"id": "{{r}}"}} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z", "lastInteractedBy": [{{ada}}]}}, "...": 0}}
GET /v1/people/{{r}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 0, "lastInteractedAt": null},
	"workspace": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{bob}}]}}, "...": 0}}

== to a company and back, to the other person
@make acme POST /v1/companies {"name": "Acme"}
PATCH /v1/interactions/{{b1}} {"entity": {"id": "{{acme}}"}} -- 200
GET /v1/people/{{r}} -- 200 {"data": {"$person": {"id": "{{r}}", "firstName": "R", "fullName": "R"}}}
PATCH /v1/interactions/{{b1}} {"entity": {"id": "{{p}}"}} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 2, "lastInteractedAt": "2025-01-01T00:00:00.001Z", "lastInteractedBy": [{{bob}}]}}, "...": 0}}

== a delete counts down, the last one to nothing
DELETE /v1/interactions/{{b1}} -- 200
GET /v1/people/{{p}}
-- 200 {"data": {"interactionMetadata": {
	"user": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z"},
	"workspace": {"approximateCount": 1, "lastInteractedAt": "2020-06-01T00:00:00.000Z", "lastInteractedBy": [{{ada}}]}}, "...": 0}}
@bob DELETE /v1/interactions/{{a1}} -- 200
GET /v1/people/{{p}} -- 200 {"data": {"$person": {"id": "{{p}}", "firstName": "Q", "fullName": "Q"}}}

== what was refused is not counted
POST /v1/interactions
{"entity": {"id": "{{p}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "", "activityType": "call"}
-- 422
* too_small ["title"] minimum=1 type=string
GET /v1/people/{{p}} -- 200
{"data": {"interactionMetadata": {"user": {"approximateCount": 0, "...": 0}, "workspace": {"approximateCount": 0, "...": 0}}, "...": 0}}

== what is repeated under a key is counted once
@repeat 3 POST /v1/interactions
Idempotency-Key: counted-once
{"entity": {"id": "{{r}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "once", "activityType": "call"}
-- 200
GET /v1/people/{{r}} -- 200
{"data": {"interactionMetadata": {"user": {"approximateCount": 1, "...": 0}, "workspace": {"approximateCount": 1, "...": 0}}, "...": 0}}

== in the same millisecond as the latest of a user's own
@make twin POST /v1/interactions {"entity": {"id": "{{r}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "twin", "activityType": "call"}
DELETE /v1/interactions/{{twin}} -- 200
GET /v1/people/{{r}} -- 200
{"data": {"interactionMetadata": {"user": {"approximateCount": 1, "lastInteractedAt": "2025-01-01T00:00:00.000Z"}, "workspace": {"approximateCount": 1, "...": 0}}, "...": 0}}

# --- strongestConnection: ada is a member of the private group, bob is not

== a public and a private group, a person in both
@make public @ada POST /v1/groups {"name": "Public", "visibility": "public"}
@make private POST /v1/groups {"name": "Private", "visibility": "private"}
POST /v1/groups/{{private}}/members {"id": "{{carol_id}}", "role": "reader"} -- 200
@make s POST /v1/people {"firstName": "S", "groups": [{"id": "{{public}}"}, {"id": "{{private}}"}]}
GET /v1/people/{{s}} -- 200 {"data": {"strongestConnection": {}, "...": 0}}

== nobody of the private group has interacted: it is absent
@repeat 2 @bob POST /v1/interactions
{"entity": {"id": "{{s}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "b", "activityType": "call"}
-- 200
GET /v1/people/{{s}} -- 200 {"data": {"strongestConnection": {"{{public}}": {{bob}}}, "...": 0}}

== the member with most interactions
POST /v1/interactions
{"entity": {"id": "{{s}}"}, "dateTime": "2025-06-01T00:00:00Z", "title": "a", "activityType": "call"}
-- 200
GET /v1/people/{{s}} -- 200 {"data": {"strongestConnection": {"{{public}}": {{bob}}, "{{private}}": {{ada}}}, "...": 0}}

== ties go to the latest
@make c @carol POST /v1/interactions {"entity": {"id": "{{s}}"}, "dateTime": "2025-05-31T00:00:00Z", "title": "c", "activityType": "call"}
GET /v1/people/{{s}} -- 200 {"data": {"strongestConnection": {"{{public}}": {{bob}}, "{{private}}": {{ada}}}, "...": 0}}
@carol PATCH /v1/interactions/{{c}} {"entity": {"id": "{{s}}"}, "dateTime": "2025-06-02T00:00:00Z"} -- 200
GET /v1/people/{{s}}
-- 200 {"data": {"strongestConnection": {"{{public}}": {{bob}}, "{{private}}": {{carol}}}, "...": 0}}
@carol POST /v1/interactions
{"entity": {"id": "{{s}}"}, "dateTime": "2019-06-02T00:00:00Z", "title": "c", "activityType": "call"}
-- 200
GET /v1/people/{{s}}
-- 200 {"data": {"strongestConnection": {"{{public}}": {{carol}}, "{{private}}": {{carol}}}, "...": 0}}

== who cannot see the private group sees its connection neither
@bob GET /v1/people/{{s}} -- 200 {"data": {"strongestConnection": {"{{public}}": {{carol}}}, "...": 0}}

== a workspace admin sees it, and does not count as its member
@repeat 5 @admin POST /v1/interactions
{"entity": {"id": "{{s}}"}, "dateTime": "2025-01-01T00:00:00Z", "title": "x", "activityType": "call"}
-- 200
@admin GET /v1/people/{{s}}
-- 200 {"data": {"strongestConnection": {"{{public}}": {{admin}}, "{{private}}": {{carol}}}, "...": 0}}

== who leaves the group counts no longer
DELETE /v1/groups/{{private}}/members/{{carol_id}} -- 200
GET /v1/people/{{s}}
-- 200 {"data": {"strongestConnection": {"{{public}}": {{admin}}, "{{private}}": {{ada}}}, "...": 0}}

== a person who leaves a group has no connection there
PATCH /v1/people/{{s}} {"groups": [{"id": "{{public}}"}]}
-- 200 {"data": {"strongestConnection": {"{{public}}": {{admin}}}, "...": 0}}
