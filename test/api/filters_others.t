# Filters of companies, objects and tasks: each field with each of its operators.

== companies
POST /v1/groups
{"name": "g", "visibility": "public"}
-- 200
> g = data.id
POST /v1/companies
{"name": "Acme", "industry": "Steel", "fundingRaised": "1000000.50", "lastFundingDate": "2024-02-29", "foundationYear": "1999", "employeeRange": "11-50", "groups": [{"id": "{{g}}"}], "emails": ["info@acme.com"]}
-- 200
> acme = data.id
@key bob
POST /v1/companies
{"name": "Globex", "fundingRaised": 7, "foundationYear": 2010, "employeeRange": "1-10"}
-- 200
> globex = data.id
POST /v1/companies
{"name": "Initech"}
-- 200
> initech = data.id

== fields of companies
GET /v1/companies?filter[name][eq]=Acme
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[name][not_like]=e
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/companies?filter[name][like]=TECH
-- 200
{"data": {"items": [{"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[industry][eq]=Steel
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[industry][not_eq]=Steel
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[industry][empty]
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[industry][not_like]=st
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[employeeRange][eq]=1-10
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[employeeRange][like]=1
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[employeeRange][empty]
-- 200
{"data": {"items": [{"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[description][empty]
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[fundingRaised][gt]=7
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[fundingRaised][eq]=1000000.5
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[fundingRaised][eq]=7.0
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[fundingRaised][lt]=1e6
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[fundingRaised][not_eq]=7
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[fundingRaised][empty]
-- 200
{"data": {"items": [{"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[fundingRaised][not_empty]
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[foundationYear][eq]=1999
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[foundationYear][gt]=1999
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[foundationYear][gt]=1998.5
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[foundationYear][lt]=2010
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[foundationYear][empty]
-- 200
{"data": {"items": [{"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[lastFundingDate][eq]=2024-02-29
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[lastFundingDate][gt]=2024-02-28
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[lastFundingDate][lt]=2024-02-29
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/companies?filter[lastFundingDate][empty]
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[groups][in][id]={{g}}
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[groups][all][id]={{g}}
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[groups][empty]
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[groups][not_in][id]={{g}}
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[createdBy][in][email]={{bob_email}}
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[createdBy][not_in][id]={{bob_id}}
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[createdAt][gt]=2020-01-01
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}, {"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[emails][like]=ACME
-- 200
{"data": {"items": [{"name": "Acme", "...": 0}], "pagination": {}}}
GET /v1/companies?filter[emails][empty]
-- 200
{"data": {"items": [{"name": "Globex", "...": 0}, {"name": "Initech", "...": 0}], "pagination": {}}}

== objects
POST /v1/groups/{{g}}/object-types
{"name": "Job Application"}
-- 200
POST /v1/groups/{{g}}/object-types
{"name": "Other"}
-- 200
POST /v1/people
{"firstName": "Ann", "groups": [{"id": "{{g}}"}]}
-- 200
> ann = data.id
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "Text", "type": "textField"}
-- 200
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "Number", "type": "numericField"}
-- 200
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "Date", "type": "dateField"}
-- 200
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "One", "type": "singleSelect", "options": [{"label": "Low"}, {"label": "High"}]}
-- 200
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "Many", "type": "multipleSelect", "options": [{"label": "Red"}, {"label": "Green"}]}
-- 200
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "Contact", "type": "contactField"}
-- 200
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "User", "type": "userField"}
-- 200
POST /v1/groups/{{g}}/custom-fields/Job%20Application
{"name": "Object", "type": "objectField"}
-- 200
POST /v1/groups/{{g}}/Job%20Application
{"name": "One", "people": [{"id": "{{ann}}"}], "companies": [{"id": "{{acme}}"}], "customFieldValues": {"Text": "abc", "Number": 5, "Date": "2026-01-31", "One": "Low", "Many": ["Red", "Green"], "Contact": [{"id": "{{ann}}"}], "User": [{"email": "{{ada_email}}"}]}}
-- 200
> one = data.id
@key bob
POST /v1/groups/{{g}}/Job%20Application
{"name": "Two", "customFieldValues": {"Text": "ABD", "Number": -2, "One": "High", "Many": ["Red"], "Contact": [{"id": "{{ann}}"}, {"id": "{{acme}}"}]}}
-- 200
> two = data.id
POST /v1/groups/{{g}}/Job%20Application
{"name": "Three"}
-- 200
> three = data.id
POST /v1/groups/{{g}}/Other
{"name": "One"}
-- 200

== fields of objects
GET /v1/groups/{{g}}/Job%20Application?filter[name][eq]=One
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[name][not_like]=t
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[name][not_empty]
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[people][in][id]={{ann}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[people][empty]
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[companies][all][id]={{acme}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[companies][not_in][id]={{acme}}
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[createdBy][in][id]={{bob_id}}
-- 200
{"data": {"items": [{"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[createdAt][lt]=2020-01-01
-- 200
{"data": {"items": [], "pagination": {}}}

== custom fields of objects
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Text][eq]=abc
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Text][like]=AB
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Text][not_like]=abc
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Text][empty]
-- 200
{"data": {"items": [{"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Number][gt]=-2
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Number][eq]=5.0
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Number][not_eq]=5
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Number][lt]=1e3
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Date][eq]=2026-01-31
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Date][empty]
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.One][in]=Low
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.One][in]=Low&filter[customFieldValues.One][in]=High
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.One][not_in]=Low
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.One][empty]
-- 200
{"data": {"items": [{"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Many][all]=Red
-- 200
{"data": {"items": [{"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Many][all]=Red&filter[customFieldValues.Many][all]=Green
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Many][in]=Green
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Many][not_in]=Green
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Many][not_empty]
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Contact][in][id]={{acme}}
-- 200
{"data": {"items": [{"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Contact][all][id]={{ann}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Contact][all][id]={{ann}}&filter[customFieldValues.Contact][all][id]={{acme}}
-- 200
{"data": {"items": [{"name": "Two", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Contact][not_in][id]={{acme}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Contact][in][id]={{ada_id}}
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Contact][not_in][id]={{ada_id}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][in][id]={{acme}}
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][not_in][id]={{acme}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][in][email]=nobody@example.com
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][not_in][email]=nobody@example.com
-- 200
{"data": {"items": [{"name": "One", "...": 0}, {"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][in][email]={{ada_email}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][in][id]={{bob_id}}
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][not_in][email]={{ada_email}}
-- 200
{"data": {"items": [{"name": "Two", "...": 0}, {"name": "Three", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.User][all][id]={{ada_id}}
-- 200
{"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.Object][empty]
-- 422 Invalid query parameters
* custom ["filter", "customFieldValues.Object"]
GET /v1/groups/{{g}}/Job%20Application?filter[customFieldValues.text][empty]
-- 422 Invalid query parameters
* custom ["filter", "customFieldValues.text"]
GET /v1/groups/{{g}}/Nothing?filter[customFieldValues.Text][eq]=x
-- 404

== tasks
POST /v1/tasks
{"entity": {"id": "{{ann}}"}, "title": "T1", "dueAt": "2026-01-31"}
-- 200
> t1 = data.id
> made = data.createdAt
POST /v1/tasks
{"entity": {"id": "{{acme}}"}, "title": "T2", "dueAt": "2026-02-01", "completedAt": "2026-01-15T10:00:00.500Z", "assignedUsers": [{"id": "{{bob_id}}"}]}
-- 200
> t2 = data.id
POST /v1/tasks
{"entity": {"id": "{{one}}"}, "title": "T3", "dueAt": "2026-02-02", "isPublic": false, "assignedUsers": [{"id": "{{bob_id}}"}, {"id": "{{ada_id}}"}]}
-- 200
> t3 = data.id
GET /v1/tasks?filter[dueAt][eq]=2026-01-31
-- 200
{"data": {"items": [{"title": "T1", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[dueAt][not_eq]=2026-01-31
-- 200
{"data": {"items": [{"title": "T2", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[dueAt][gt]=2026-01-31
-- 200
{"data": {"items": [{"title": "T2", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[dueAt][lt]=2026-02-02
-- 200
{"data": {"items": [{"title": "T1", "...": 0}, {"title": "T2", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[createdAt][gt]=2020-01-01
-- 200
{"data": {"items": [{"title": "T1", "...": 0}, {"title": "T2", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[createdAt][gt]={{made}}
-- 200
{"data": {"items": [{"title": "T2", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[createdAt][lt]={{made}}
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/tasks?filter[createdAt][lt]=2020-01-01T00:00:00Z
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/tasks?filter[assigneeUserId][in]={{bob_id}}
-- 200
{"data": {"items": [{"title": "T2", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[assigneeUserId][not_in]={{bob_id}}
-- 200
{"data": {"items": [{"title": "T1", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[entity][in]={{ann}}
-- 200
{"data": {"items": [{"title": "T1", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[entity][in]={{ann}}&filter[entity][in]={{one}}
-- 200
{"data": {"items": [{"title": "T1", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[entity][not_in]={{acme}}
-- 200
{"data": {"items": [{"title": "T1", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[completedAt][empty]
-- 200
{"data": {"items": [{"title": "T1", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[completedAt][not_empty]
-- 200
{"data": {"items": [{"title": "T2", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[completedAt][gt]=2026-01-15
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/tasks?filter[completedAt][gt]=2026-01-14
-- 200
{"data": {"items": [{"title": "T2", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[completedAt][gt]=2026-01-15T10:00:00.499Z
-- 200
{"data": {"items": [{"title": "T2", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[completedAt][gt]=2026-01-15T10:00:00.5Z
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/tasks?filter[completedAt][lt]=2026-01-16
-- 200
{"data": {"items": [{"title": "T2", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[completedAt][empty]&filter[entity][in]={{ann}}&combinator=or
-- 200
{"data": {"items": [{"title": "T1", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[completedAt][empty]&onlyAssignedToMe=true&filter[dueAt][gt]=2026-01-31
-- 200
{"data": {"items": [{"title": "T3", "...": 0}], "pagination": {}}}
@key admin
GET /v1/tasks?filter[dueAt][gt]=2026-01-31
-- 200
{"data": {"items": [{"title": "T2", "...": 0}], "pagination": {}}}
@key bob
GET /v1/tasks?filter[dueAt][gt]=2026-01-31
-- 200
{"data": {"items": [{"title": "T2", "...": 0}, {"title": "T3", "...": 0}], "pagination": {}}}
GET /v1/tasks?filter[dueAt][gt]=2026-01-01&limit=1&count=exact&sort=-createdAt
-- 200
{"data": {"items": [{"title": "T3", "...": 0}], "pagination": {"count": 3, "nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}}
-- 200
{"data": {"items": [{"title": "T2", "...": 0}], "pagination": {"count": 3, "nextLink": "<string>"}}}
