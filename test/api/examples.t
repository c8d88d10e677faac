@server rate_default=0 rate_burst=0 webhook_allow_targets=127.0.0.0/8
# The examples of the API's description: one story, in which every operation has a request marked @example. Each is compared,
# ids and times apart, with what server/openapi/examples.json has, which "make examples" writes from this file.

== the service
@example @none GET /livez -- 200
@example @none GET /readyz -- 200
@example @none GET /docs/errors -- 200
@example @none GET /openapi.json -- 200

== users
@each users/me usage users?limit=20 users/{{bob_id}}
@example GET /v1/{{each}} -- 200

== users, whom workspace admins create
@example @make grace @admin POST /v1/users {"email": "grace.hopper@example.com", "fullName": "Grace Hopper", "role": "member"}
@example @admin GET /v1/users/accounts?limit=2 -- 200
@example @admin GET /v1/users/{{grace}}/account -- 200
@example @admin PATCH /v1/users/{{grace}} {"timeZone": "Europe/Berlin"} -- 200
@example @admin POST /v1/users/{{grace}}/disable -- 200
@example @admin POST /v1/users/{{grace}}/enable -- 200
@example @admin POST /v1/users/{{grace}}/invite -- 200
> link = data.invitationUrl
@none POST /auth/invitation (X-Kith-Console: 1) {"token": "{{link}}", "password": "twelve brown bears"} -- 200
> cookie = header Set-Cookie
@example @none POST /v1/session/password
Cookie: {{cookie}}
X-Kith-Console: 1
{"currentPassword": "twelve brown bears", "newPassword": "thirteen red ravens"}
-- 200

== keys, which workspace admins make
@example @make key @admin POST /v1/keys
{"name": "Import", "user": {"id": "{{ada_id}}"}, "scopes": ["read", "write"], "expiresAt": "2999-01-01T00:00:00.000Z"}
@example @admin POST /v1/keys/{{key}}/rotate {"formerExpiresAt": "2998-01-01T00:00:00.000Z"} -- 200
@example GET /v1/keys/me -- 200
@poll 10 @example @admin GET /v1/keys?limit=2 -- 200
{"data": {"items": [{"lastUsedAt": "<time>", "...": 0}, {"lastUsedAt": "<time>", "...": 0}], "pagination": "<any>"}}
@example @admin DELETE /v1/keys/{{key}} -- 200

== an application, which a user connects
@none POST /oauth/register {"client_name": "Assistant", "redirect_uris": ["https://app.example/callback"], "token_endpoint_auth_method": "none"}
-- 201
> client = client_id
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{ada_key}}"} -- 200
> cookie = header Set-Cookie
@none GET /oauth/authorize?client_id={{client}}&response_type=code&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&resource={{base}}/mcp
Cookie: {{cookie}}
-- 200
> form = text name="token" value="
@none POST /oauth/authorize?client_id={{client}}&response_type=code&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&resource={{base}}/mcp
Content-Type: application/x-www-form-urlencoded
Cookie: {{cookie}}
token={{form}}&decision=allow&may_read=1&may_write=1
-- 303
> code = header Location code=
@none POST /oauth/token
Content-Type: application/x-www-form-urlencoded
grant_type=authorization_code&code={{code}}&client_id={{client}}&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
-- 200
@example GET /v1/grants -- 200
> grant = data.items.0.id
@example DELETE /v1/grants/{{grant}} -- 200

== a browser, which has a session
@none POST /auth/key (X-Kith-Console: 1) {"key": "{{ada_key}}"} -- 200
> cookie = header Set-Cookie
@example @none GET /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200
@example @none DELETE /v1/session
Cookie: {{cookie}}
X-Kith-Console: 1
-- 200

== a group with members, fields and deals
GET /v1/people?limit=1 -- 200
> start = header X-Events-Cursor
@example @make group POST /v1/groups {"name": "Sales", "visibility": "public"}
@example GET /v1/groups?limit=20 -- 200
@example GET /v1/groups/{{group}} -- 200
@example PATCH /v1/groups/{{group}} {"name": "Sales Europe"} -- 200
@example POST /v1/groups/{{group}}/members {"id": "{{bob_id}}", "role": "reader"} -- 200
@example GET /v1/groups/{{group}}/members?limit=20 -- 200
@example PATCH /v1/groups/{{group}}/members/{{bob_id}} {"role": "contributor"} -- 200
@example DELETE /v1/groups/{{group}}/members/{{bob_id}} -- 200
@example POST /v1/groups/{{group}}/object-types {"name": "Deals"} -- 200
@example GET /v1/groups/{{group}}/object-types?limit=20 -- 200
@example POST /v1/groups/{{group}}/custom-fields/Deals
{"name": "Stage", "type": "singleSelect", "options": [{"label": "Lead", "color": "#4F86F7"}, {"label": "Won", "color": "#2E8B57"}]}
-- 200
POST /v1/groups/{{group}}/custom-fields/Deals
{"name": "Value", "type": "numericField", "config": {"format": "currency", "decimals": 2, "currency": "GBP"}}
POST /v1/groups/{{group}}/custom-fields/person {"name": "Language", "type": "textField"}
-- 200
@example GET /v1/groups/{{group}}/custom-fields/Deals?limit=20 -- 200
@example GET /v1/groups/{{group}}/custom-fields/Deals/Stage -- 200
@example PATCH /v1/groups/{{group}}/custom-fields/Deals/Stage
{"addOptions": [{"label": "Negotiation", "color": "#F4A300"}]}
-- 200

== companies
@example @make company POST /v1/companies
{"name": "Analytical Engines", "industry": "Computing", "foundationYear": "1834", "employeeRange": "11-50", "urls": ["https://engine.example"], "groups": [{"id": "{{group}}"}]}
@example GET /v1/companies/{{company}} -- 200
@example PATCH /v1/companies/{{company}} {"fundingRaised": 17000, "lastFundingDate": "2025-06-30"} -- 200
@example POST /v1/companies/batch/create
{"records": [{"name": "Difference Engines", "emails": ["office@difference.example"]}, {"name": "Analytical Engines"}]}
-- 200
> difference = data.results.0.data.id
@example POST /v1/companies/batch/update {"records": [{"id": "{{difference}}", "industry": "Computing"}]} -- 200
@example POST /v1/companies/batch/upsert
{"match": "name", "records": [{"name": "Difference Engines", "phones": ["+44 20 7946 0101"]}, {"name": "Royal Society", "urls": ["https://society.example"]}]}
-- 200
> society = data.results.1.data.id
@example GET /v1/companies?limit=2&sort=-createdAt&count=exact&filter[industry][eq]=Computing -- 200
@example POST /v1/companies/search
{"filter": {"or": [{"industry": {"eq": "Computing"}}, {"groups": {"in": {"id": ["{{group}}"]}}}]}, "sort": "-createdAt", "limit": 2}
-- 200
@make twin POST /v1/companies {"name": "Analytical Engines Ltd", "urls": ["https://engine.example"]}
@example GET /v1/companies/aggregate?groupBy=industry&measures=sum:fundingRaised&sort=-count&limit=10 -- 200
@example POST /v1/companies/aggregate {"groupBy": ["employeeRange"], "filter": {"industry": {"eq": "Computing"}}} -- 200
@example GET /v1/companies/{{company}}/duplicates -- 200
@example POST /v1/companies/{{company}}/merge {"id": "{{twin}}"} -- 200

== people
@example @make grace POST /v1/people
{"firstName": "Grace", "lastName": "Hopper", "jobTitle": "Rear admiral", "birthday": "1906-12-09", "emails": ["grace@engine.example"], "companies": [{"name": "Analytical Engines"}], "groups": [{"id": "{{group}}"}], "customFieldValues": {"{{group}}": {"Language": "COBOL"}}}
@example GET /v1/people/{{grace}} -- 200
@example
PATCH /v1/people/{{grace}} {"phones": ["+1 202 555 0147"], "description": "Met at the spring conference"} -- 200
@example POST /v1/people/batch/create
{"records": [{"fullName": "Charles Babbage", "emails": ["charles@difference.example"]}, {"firstName": "Mary", "companies": [{"id": "com_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2bff"}]}]}
-- 200
> charles = data.results.0.data.id
@example POST /v1/people/batch/update
{"records": [{"id": "{{charles}}", "jobTitle": "Inventor", "groups": [{"id": "{{group}}"}]}]}
-- 200
@example POST /v1/people/batch/upsert
{"match": "emails", "records": [{"emails": ["charles@difference.example"], "gender": "Male"}, {"emails": ["mary@society.example"], "fullName": "Mary Somerville"}]}
-- 200
> mary = data.results.1.data.id
@example GET /v1/people?limit=1&sort=createdAt&count=exact&filter[groups][in][id]={{group}} -- 200
@example POST /v1/people/search
{"filter": {"and": [{"emails": {"like": "engine.example"}}, {"companies.industry": {"eq": "Computing"}}]}, "count": "exact"}
-- 200
@make same POST /v1/people {"fullName": "G. Hopper", "emails": ["grace@engine.example"]}
@example GET /v1/people/aggregate?groupBy=gender&limit=10 -- 200
@example POST /v1/people/aggregate
{"groupBy": ["companies"], "sort": "-count", "limit": 2, "filter": {"groups": {"in": {"id": ["{{group}}"]}}}}
-- 200
@example GET /v1/people/{{grace}}/duplicates -- 200
@example POST /v1/people/{{grace}}/merge {"id": "{{same}}"} -- 200

== deals
@example @make deal POST /v1/groups/{{group}}/Deals
{"name": "An engine for the navy", "companies": [{"id": "{{company}}"}], "people": [{"id": "{{grace}}"}], "customFieldValues": {"Stage": "Lead", "Value": 17000}}
@example GET /v1/groups/{{group}}/Deals/{{deal}} -- 200
@example PATCH /v1/groups/{{group}}/Deals/{{deal}} {"customFieldValues": {"Stage": "Negotiation"}} -- 200
@example POST /v1/groups/{{group}}/Deals/batch/create
{"records": [{"name": "Punched cards", "customFieldValues": {"Stage": "Lead", "Value": 240}}, {"name": "Spare gears"}]}
-- 200
> cards = data.results.0.data.id
> gears = data.results.1.data.id
@example POST /v1/groups/{{group}}/Deals/batch/update
{"records": [{"id": "{{cards}}", "customFieldValues": {"Stage": "Won"}}]}
-- 200
@example POST /v1/groups/{{group}}/Deals/batch/upsert
{"match": "name", "records": [{"name": "Punched cards", "people": [{"id": "{{charles}}"}]}, {"name": "A printing table"}]}
-- 200
@example
GET /v1/groups/{{group}}/Deals?limit=2&sort=-updatedAt&filter[customFieldValues.Stage][in]=Lead&filter[customFieldValues.Stage][in]=Negotiation
-- 200
@example POST /v1/groups/{{group}}/Deals/search {"filter": {"customFieldValues.Value": {"gt": 1000}}, "limit": 2} -- 200
@example
GET /v1/groups/{{group}}/Deals/aggregate?groupBy=customFieldValues.Stage&measures=sum:customFieldValues.Value&limit=10
-- 200
@example POST /v1/groups/{{group}}/Deals/aggregate
{"groupBy": ["createdAt:quarter"], "measures": ["sum:customFieldValues.Value", "avg:customFieldValues.Value"], "timeZone": "Europe/London"}
-- 200
@example POST /v1/groups/{{group}}/Deals/batch/delete {"records": [{"id": "{{gears}}"}]} -- 200
@example DELETE /v1/groups/{{group}}/Deals/{{cards}} -- 200

== notes
@example @make note POST /v1/notes
{"entity": {"id": "{{grace}}"}, "content": "Asked for drawings of the mill.", "visibility": "public"}
@example POST /v1/notes/batch/create
{"records": [{"entity": {"id": "{{company}}"}, "content": "Moved to Dorset Street.", "visibility": "public"}, {"entity": {"id": "{{grace}}"}, "content": "Sent them.", "visibility": "private", "parentNote": {"id": "{{note}}"}}]}
-- 200
@example GET /v1/notes/{{note}} -- 200
@example PATCH /v1/notes/{{note}} {"content": "Asked for drawings of the mill and the store."} -- 200
@example GET /v1/notes?limit=20&entity.id={{grace}}&query=drawings -- 200

== tasks
@example @make task POST /v1/tasks
{"title": "Send the drawings", "entity": {"id": "{{grace}}"}, "dueAt": "2031-02-03", "dueTime": "09:30", "isPublic": true, "assignedUsers": [{"email": "{{bob_email}}"}]}
@example POST /v1/tasks/batch/create
{"records": [{"title": "Ask for a quote", "entity": {"id": "{{company}}"}, "dueAt": "2031-02-10", "recurrenceFrequency": "monthly"}]}
-- 200
@example GET /v1/tasks/{{task}} -- 200
@example PATCH /v1/tasks/{{task}} {"dueAt": "2031-02-04", "assignedUsers": [{"id": "{{ada_id}}"}]} -- 200
@example GET /v1/tasks?limit=20&sort=createdAt&onlyAssignedToMe=true -- 200
@example GET /v1/tasks/aggregate?groupBy=dueAt:week&onlyAssignedToMe=true&limit=10 -- 200
@example POST /v1/tasks/aggregate
{"groupBy": ["assigneeUserId"], "measures": ["min:dueAt"], "filter": {"completedAt": {"empty": true}}}
-- 200
@example POST /v1/tasks/{{task}}/mark-as-done {"completedAt": "2031-02-03T16:20:00.000Z"} -- 200
@example POST /v1/tasks/{{task}}/mark-as-todo -- 200
@example DELETE /v1/tasks/{{task}} -- 200

== reminders
@example @make reminder POST /v1/reminders
{"entity": {"id": "{{grace}}"}, "name": "Call about the mill", "recurrenceRule": "DTSTART;TZID=Europe/London:20310106T093000\nRRULE:FREQ=WEEKLY;INTERVAL=2", "visibility": "public", "assignedUsers": [{"id": "{{bob_id}}"}]}
@example GET /v1/reminders/{{reminder}} -- 200
@example PATCH /v1/reminders/{{reminder}}
{"name": "Call about the store", "recurrenceRule": "DTSTART;TZID=Europe/London:20310107T100000\nRRULE:FREQ=MONTHLY"}
-- 200
@example GET /v1/reminders?limit=20&entity.id={{grace}} -- 200
@example DELETE /v1/reminders/{{reminder}} -- 200

== interactions
@example @make interaction POST /v1/interactions
{"entity": {"id": "{{grace}}"}, "dateTime": "2025-12-10T14:00:00.000Z", "activityType": "meeting", "title": "Demonstration", "content": "The mill runs."}
@example POST /v1/interactions/batch/create
{"records": [{"entity": {"id": "{{company}}"}, "dateTime": "2031-01-15T10:00:00.000Z", "activityType": "call", "title": "Quote"}]}
-- 200
@example GET /v1/interactions/{{interaction}}?entity.id={{grace}} -- 200
@example PATCH /v1/interactions/{{interaction}}
{"entity": {"id": "{{grace}}"}, "content": "The mill and the store run."}
-- 200
@example GET /v1/interactions?limit=20&entity.id={{grace}}&from=2025-12-01&to=2025-12-31 -- 200
@example GET /v1/interactions/past?entity.id={{grace}} -- 200
@example GET /v1/interactions/upcoming?entity.id={{company}} -- 200
@example DELETE /v1/interactions/{{interaction}}?entity.id={{grace}} -- 200

== events, once all older transactions have ended
@poll 10 GET /v1/events?after={{start}}&limit=100&record={{grace}}
-- 200 {"data": {"items": ["<any>", "<any>", "<any>", "..."], "cursor": "<any>", "pagination": "<any>"}}
@example GET /v1/events?after={{start}}&limit=2&record={{grace}} -- 200
@example GET /v1/events/stream?after={{start}}&wait=0&record={{grace}} -- 200

== webhooks
@example @make hook POST /v1/webhooks
{"name": "New people", "targetUrl": "http://127.0.0.1:9/kith", "subscribedEvents": [{"eventType": "person.created", "filter": {"groupId": "{{group}}"}}, {"eventType": "person.updated", "filter": {"path": ["jobTitle"]}}]}
> since = data.createdAt
@example GET /v1/webhooks/{{hook}} -- 200
@example GET /v1/webhooks?limit=20 -- 200
@example PATCH /v1/webhooks/{{hook}} {"name": "New people and new jobs"} -- 200
@example @make delivery POST /v1/webhooks/{{hook}}/test
@poll 20 @example GET /v1/webhooks/{{hook}}/deliveries?limit=20&sort=-createdAt
-- 200 {"data": {"items": [{"attempts": ["<any>", "..."], "...": 0}], "pagination": {}}}
@example GET /v1/webhooks/{{hook}}/deliveries/{{delivery}} -- 200
@example GET /v1/webhooks/health?limit=20 -- 200
@example POST /v1/webhooks/{{hook}}/deliveries/{{delivery}}/retry -- 200
@example POST /v1/webhooks/{{hook}}/recover {"since": "{{since}}"} -- 200
@example POST /v1/webhooks/{{hook}}/rotate-secret -- 200
@example DELETE /v1/webhooks/{{hook}} -- 200

== searching all kinds
@example GET /v1/search?q=zuse&kinds=people,companies -- 200

== views
@example @make view POST /v1/views
{"name": "Engineers", "kind": "people", "query": {"filter": {"jobTitle": {"like": "engineer"}}, "sort": "-updatedAt"}, "columns": ["fullName", "companies", "jobTitle"], "visibility": "public"}
@example GET /v1/views?limit=20&kind=people -- 200
@example GET /v1/views/{{view}} -- 200
@example PATCH /v1/views/{{view}} {"name": "All engineers"} -- 200
@example DELETE /v1/views/{{view}} -- 200

== address books of devices
@example GET /v1/address-books?limit=20 -- 200
@example PATCH /v1/address-books/companies {"shown": true} -- 200

== deleting
@example DELETE /v1/notes/{{note}} -- 200
@example POST /v1/people/batch/delete {"records": [{"id": "{{charles}}"}, {"id": "{{mary}}"}]} -- 200
@example DELETE /v1/people/{{grace}} -- 200
@example POST /v1/companies/batch/delete {"records": [{"id": "{{difference}}"}]} -- 200
@example DELETE /v1/companies/{{society}} -- 200
@example PATCH /v1/groups/{{group}}/object-types/Deals {"name": "Orders"} -- 200
@each {{group}}/custom-fields/Orders/Stage {{group}}/object-types/Orders?force=true {{group}}
@example DELETE /v1/groups/{{each}} -- 200
