# Every type of event that needs neither a receiver nor the passing of time, once in a page of the feed: it is compared
# with the description of its type (test/openapi/answers.mjs).

== each kind of record is created, changed and deleted
@make g POST /v1/groups {"name": "G", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
@make com POST /v1/companies {"name": "A"}
PATCH /v1/companies/{{com}} {"industry": "Steel", "groups": [{"id": "{{g}}"}], "urls": ["https://a.example"]} -- 200
@make per POST /v1/people {"firstName": "Ann", "emails": ["ann@a.example"]}
PATCH /v1/people/{{per}}
{"lastName": "B", "gender": "Female", "birthday": "1990-01-31", "groups": [{"id": "{{g}}"}], "companies": [{"id": "{{com}}"}]}
-- 200
@make obj POST /v1/groups/{{g}}/Deal {"name": "One"}
PATCH /v1/groups/{{g}}/Deal/{{obj}}
{"name": "Two", "people": [{"id": "{{per}}"}], "companies": [{"id": "{{com}}"}]}
-- 200
@make note POST /v1/notes {"entity": {"id": "{{obj}}"}, "content": "a", "visibility": "public"}
PATCH /v1/notes/{{note}} {"content": "b", "visibility": "private"} -- 200
@make reminder POST /v1/reminders
{"name": "A", "entity": {"id": "{{per}}"}, "recurrenceRule": "DTSTART:20990101T000000Z\nRRULE:FREQ=DAILY", "visibility": "public", "assignedUsers": [{"id": "{{ada_id}}"}]}
PATCH /v1/reminders/{{reminder}} {"name": "B", "assignedUsers": [{"id": "{{bob_id}}"}]} -- 200
@make task POST /v1/tasks {"title": "A", "entity": {"id": "{{com}}"}, "dueAt": "2030-01-31"}
PATCH /v1/tasks/{{task}}
{"dueTime": "09:30", "entity": {"id": "{{per}}"}, "isPublic": false, "recurrenceFrequency": "weekly"}
POST /v1/tasks/{{task}}/mark-as-done {"completedAt": "2026-01-31T09:30:00.000Z"}
-- 200
@make interaction POST /v1/interactions
{"title": "A", "entity": {"id": "{{per}}"}, "dateTime": "2026-01-31T09:30:00.000Z", "activityType": "call"}
PATCH /v1/interactions/{{interaction}} {"entity": {"id": "{{com}}"}, "title": "B", "activityType": "coffee"} -- 200
@each interactions/{{interaction}} tasks/{{task}} reminders/{{reminder}} notes/{{note}} groups/{{g}}/Deal/{{obj}} people/{{per}} companies/{{com}}
DELETE /v1/{{each}} -- 200

== all of them are in the feed
@poll 5 GET /v1/events?record={{com}}&limit=100 -- 200
{"data": {"items": [{"type": "company.created", "...": 0}, {"type": "company.updated", "...": 0}, {"type": "company.groups_updated", "...": 0}, {"type": "company.deleted", "...": 0}], "cursor": "<text>", "pagination": {}}}
GET /v1/events?limit=100 -- 200
