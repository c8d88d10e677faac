# Filters of companies, objects and tasks: each field with each of its operators.

== companies
@make g POST /v1/groups {"name": "g", "visibility": "public"}
@make acme POST /v1/companies
{"name": "Acme", "industry": "Steel", "fundingRaised": "1000000.50", "lastFundingDate": "2024-02-29", "foundationYear": "1999", "employeeRange": "11-50", "groups": [{"id": "{{g}}"}], "emails": ["info@acme.com"]}
@make globex @bob POST /v1/companies {"name": "Globex", "fundingRaised": 7, "foundationYear": 2010, "employeeRange": "1-10"}
@make initech POST /v1/companies {"name": "Initech"}

== fields of companies
@rows target answer
| filter[name][eq]=Acme                      | {"name": "Acme", "...": 0}                                                              |
| filter[name][not_like]=e                   |                                                                                         |
| filter[name][like]=TECH                    | {"name": "Initech", "...": 0}                                                           |
| filter[industry][eq]=Steel                 | {"name": "Acme", "...": 0}                                                              |
| filter[industry][not_eq]=Steel             | {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}                             |
| filter[industry][empty]                    | {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}                             |
| filter[industry][not_like]=st              | {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}                             |
| filter[employeeRange][eq]=1-10             | {"name": "Globex", "...": 0}                                                            |
| filter[employeeRange][like]=1              | {"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}                                |
| filter[employeeRange][empty]               | {"name": "Initech", "...": 0}                                                           |
| filter[description][empty]                 | {"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0} |
| filter[fundingRaised][gt]=7                | {"name": "Acme", "...": 0}                                                              |
| filter[fundingRaised][eq]=1000000.5        | {"name": "Acme", "...": 0}                                                              |
| filter[fundingRaised][eq]=7.0              | {"name": "Globex", "...": 0}                                                            |
| filter[fundingRaised][lt]=1e6              | {"name": "Globex", "...": 0}                                                            |
| filter[fundingRaised][not_eq]=7            | {"name": "Acme", "...": 0}, {"name": "Initech", "...": 0}                               |
| filter[fundingRaised][empty]               | {"name": "Initech", "...": 0}                                                           |
| filter[fundingRaised][not_empty]           | {"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}                                |
| filter[foundationYear][eq]=1999            | {"name": "Acme", "...": 0}                                                              |
| filter[foundationYear][gt]=1999            | {"name": "Globex", "...": 0}                                                            |
| filter[foundationYear][gt]=1998.5          | {"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}                                |
| filter[foundationYear][lt]=2010            | {"name": "Acme", "...": 0}                                                              |
| filter[foundationYear][empty]              | {"name": "Initech", "...": 0}                                                           |
| filter[lastFundingDate][eq]=2024-02-29     | {"name": "Acme", "...": 0}                                                              |
| filter[lastFundingDate][gt]=2024-02-28     | {"name": "Acme", "...": 0}                                                              |
| filter[lastFundingDate][lt]=2024-02-29     |                                                                                         |
| filter[lastFundingDate][empty]             | {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}                             |
| filter[groups][in][id]={{g}}               | {"name": "Acme", "...": 0}                                                              |
| filter[groups][all][id]={{g}}              | {"name": "Acme", "...": 0}                                                              |
| filter[groups][empty]                      | {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}                             |
| filter[groups][not_in][id]={{g}}           | {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}                             |
| filter[createdBy][in][email]={{bob_email}} | {"name": "Globex", "...": 0}                                                            |
| filter[createdBy][not_in][id]={{bob_id}}   | {"name": "Acme", "...": 0}, {"name": "Initech", "...": 0}                               |
| filter[createdAt][gt]=2020-01-01           | {"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0} |
| filter[emails][like]=ACME                  | {"name": "Acme", "...": 0}                                                              |
| filter[emails][empty]                      | {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}                             |
GET /v1/companies?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== objects
POST /v1/groups/{{g}}/object-types {"name": "Job Application"}
POST /v1/groups/{{g}}/object-types {"name": "Other"}
-- 200
@make ann POST /v1/people {"firstName": "Ann", "groups": [{"id": "{{g}}"}]}
@rows value
| "Text", "type": "textField"                                                         |
| "Number", "type": "numericField"                                                    |
| "Date", "type": "dateField"                                                         |
| "One", "type": "singleSelect", "options": [{"label": "Low"}, {"label": "High"}]     |
| "Many", "type": "multipleSelect", "options": [{"label": "Red"}, {"label": "Green"}] |
| "Contact", "type": "contactField"                                                   |
| "User", "type": "userField"                                                         |
| "Object", "type": "objectField"                                                     |
POST /v1/groups/{{g}}/custom-fields/Job%20Application {"name": {{value}}} -- 200
@end
@make one POST /v1/groups/{{g}}/Job%20Application
{"name": "One", "people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Text": "abc", "Number": 5, "Date": "2026-01-31", "One": "Low", "Many": ["Red", "Green"], "Contact": [{"id": "{{ann}}"}], "User": [{"email": "{{ada_email}}"}]}}
@make two @bob POST /v1/groups/{{g}}/Job%20Application
{"name": "Two", "customFieldValues": {"Text": "ABD", "Number": -2, "One": "High", "Many": ["Red"], "Contact": [{"id": "{{ann}}"}, {"id": "{{acme}}"}]}}
@make three POST /v1/groups/{{g}}/Job%20Application {"name": "Three"}
POST /v1/groups/{{g}}/Other {"name": "One"} -- 200

== fields of objects
@rows target answer
| filter[name][eq]=One                   | {"name": "One", "...": 0}                                                         |
| filter[name][not_like]=t               | {"name": "One", "...": 0}                                                         |
| filter[name][not_empty]                | {"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[people][in][id]={{ann}}         | {"name": "One", "...": 0}                                                         |
| filter[people][empty]                  | {"name": "Two", "...": 0}, {"name": "Three", "...": 0}                            |
| filter[companies][all][id]={{acme}}    | {"name": "One", "...": 0}                                                         |
| filter[companies][not_in][id]={{acme}} | {"name": "Two", "...": 0}, {"name": "Three", "...": 0}                            |
| filter[createdBy][in][id]={{bob_id}}   | {"name": "Two", "...": 0}                                                         |
| filter[createdAt][lt]=2020-01-01       |                                                                                   |
GET /v1/groups/{{g}}/Job%20Application?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== custom fields of objects
@rows target answer
| filter[customFieldValues.Text][eq]=abc | {"name": "One", "...": 0} |
| filter[customFieldValues.Text][like]=AB | {"name": "One", "...": 0}, {"name": "Two", "...": 0} |
| filter[customFieldValues.Text][not_like]=abc | {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.Text][empty] | {"name": "Three", "...": 0} |
| filter[customFieldValues.Number][gt]=-2 | {"name": "One", "...": 0} |
| filter[customFieldValues.Number][eq]=5.0 | {"name": "One", "...": 0} |
| filter[customFieldValues.Number][not_eq]=5 | {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.Number][lt]=1e3 | {"name": "One", "...": 0}, {"name": "Two", "...": 0} |
| filter[customFieldValues.Date][eq]=2026-01-31 | {"name": "One", "...": 0} |
| filter[customFieldValues.Date][empty] | {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.One][in]=Low | {"name": "One", "...": 0} |
| filter[customFieldValues.One][in]=Low&filter[customFieldValues.One][in]=High | {"name": "One", "...": 0}, {"name": "Two", "...": 0} |
| filter[customFieldValues.One][not_in]=Low | {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.One][empty] | {"name": "Three", "...": 0} |
| filter[customFieldValues.Many][all]=Red | {"name": "Two", "...": 0} |
| filter[customFieldValues.Many][all]=Red&filter[customFieldValues.Many][all]=Green | {"name": "One", "...": 0} |
| filter[customFieldValues.Many][in]=Green | {"name": "One", "...": 0} |
| filter[customFieldValues.Many][not_in]=Green | {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.Many][not_empty] | {"name": "One", "...": 0}, {"name": "Two", "...": 0} |
| filter[customFieldValues.Contact][in][id]={{acme}} | {"name": "Two", "...": 0} |
| filter[customFieldValues.Contact][all][id]={{ann}} | {"name": "One", "...": 0} |
| filter[customFieldValues.Contact][all][id]={{ann}}&filter[customFieldValues.Contact][all][id]={{acme}} | {"name": "Two", "...": 0} |
| filter[customFieldValues.Contact][not_in][id]={{acme}} | {"name": "One", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.Contact][in][id]={{ada_id}} | |
| filter[customFieldValues.Contact][not_in][id]={{ada_id}} | {"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.User][in][id]={{acme}} | |
| filter[customFieldValues.User][not_in][id]={{acme}} | {"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.User][in][email]=nobody@example.com | |
| filter[customFieldValues.User][not_in][email]=nobody@example.com | {"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.User][in][email]={{ada_email}} | {"name": "One", "...": 0} |
| filter[customFieldValues.User][in][id]={{bob_id}} | |
| filter[customFieldValues.User][not_in][email]={{ada_email}} | {"name": "Two", "...": 0}, {"name": "Three", "...": 0} |
| filter[customFieldValues.User][all][id]={{ada_id}} | {"name": "One", "...": 0} |
GET /v1/groups/{{g}}/Job%20Application?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Object][empty] -- 422 Invalid query parameters
* custom ["filter", "customFieldValues.Object"]
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.text][empty] -- 422 Invalid query parameters
* custom ["filter", "customFieldValues.text"]
GET /v1/groups/{{g}}/Nothing?filter[customFieldValues.Text][eq]=x -- 404

== tasks
@make t1 POST /v1/tasks {"entity": {"id": "{{ann}}"}, "title": "T1", "dueAt": "2026-01-31"}
> made = data.createdAt
@make t2 POST /v1/tasks
{"entity": {"id": "{{acme}}"}, "title": "T2", "dueAt": "2026-02-01", "completedAt": "2026-01-15T10:00:00.500Z", "assignedUsers": [{"id": "{{bob_id}}"}]}
@make t3 POST /v1/tasks
{"entity": {"id": "{{one}}"}, "title": "T3", "dueAt": "2026-02-02", "isPublic": false, "assignedUsers": [{"id": "{{bob_id}}"}, {"id": "{{ada_id}}"}]}
@rows target answer
| filter[dueAt][eq]=2026-01-31 | {"title": "T1", "...": 0} |
| filter[dueAt][not_eq]=2026-01-31 | {"title": "T2", "...": 0}, {"title": "T3", "...": 0} |
| filter[dueAt][gt]=2026-01-31 | {"title": "T2", "...": 0}, {"title": "T3", "...": 0} |
| filter[dueAt][lt]=2026-02-02 | {"title": "T1", "...": 0}, {"title": "T2", "...": 0} |
| filter[createdAt][gt]=2020-01-01 | {"title": "T1", "...": 0}, {"title": "T2", "...": 0}, {"title": "T3", "...": 0} |
| filter[createdAt][gt]={{made}} | {"title": "T2", "...": 0}, {"title": "T3", "...": 0} |
| filter[createdAt][lt]={{made}} | |
| filter[createdAt][lt]=2020-01-01T00:00:00Z | |
| filter[assigneeUserId][in]={{bob_id}} | {"title": "T2", "...": 0}, {"title": "T3", "...": 0} |
| filter[assigneeUserId][not_in]={{bob_id}} | {"title": "T1", "...": 0} |
| filter[entity][in]={{ann}} | {"title": "T1", "...": 0} |
| filter[entity][in]={{ann}}&filter[entity][in]={{one}} | {"title": "T1", "...": 0}, {"title": "T3", "...": 0} |
| filter[entity][not_in]={{acme}} | {"title": "T1", "...": 0}, {"title": "T3", "...": 0} |
| filter[completedAt][empty] | {"title": "T1", "...": 0}, {"title": "T3", "...": 0} |
| filter[completedAt][not_empty] | {"title": "T2", "...": 0} |
| filter[completedAt][gt]=2026-01-15 | |
| filter[completedAt][gt]=2026-01-14 | {"title": "T2", "...": 0} |
| filter[completedAt][gt]=2026-01-15T10:00:00.499Z | {"title": "T2", "...": 0} |
| filter[completedAt][gt]=2026-01-15T10:00:00.5Z | |
| filter[completedAt][lt]=2026-01-16 | {"title": "T2", "...": 0} |
| filter[completedAt][empty]&filter[entity][in]={{ann}}&combinator=or | {"title": "T1", "...": 0}, {"title": "T3", "...": 0} |
| filter[completedAt][empty]&onlyAssignedToMe=true&filter[dueAt][gt]=2026-01-31 | {"title": "T3", "...": 0} |
GET /v1/tasks?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
@admin GET /v1/tasks?filter[dueAt][gt]=2026-01-31
-- 200 {"data": {"items": [{"title": "T2", "...": 0}], "pagination": {}}}
@bob GET /v1/tasks?filter[dueAt][gt]=2026-01-31
-- 200 {"data": {"items": [{"title": "T2", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[dueAt][gt]=2026-01-01&limit=1&count=exact&sort=-createdAt
-- 200 {"data": {"items": [{"title": "T3", "...": 0}], "pagination": {"count": 3, "nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"title": "T2", "...": 0}], "pagination": {"count": 3, "nextLink": "<string>"}}}
