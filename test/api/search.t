# Searches: filters in a body.

== groups, companies, people
@make g POST /v1/groups {"name": "g", "visibility": "public"}
POST /v1/groups/{{g}}/custom-fields/person {"name": "Number", "type": "numericField"} -- 200
@make acme POST /v1/companies {"name": "Acme", "industry": "Steel", "fundingRaised": 7}
@make globex POST /v1/companies {"name": "Globex", "industry": "Wood", "fundingRaised": 7}
@make ann POST /v1/people
{"firstName": "Ann", "emails": ["ann@x.com"], "companies": [{"id": "{{acme}}"}], "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"Number": 5}}}
@bob POST /v1/people
{"firstName": "Bob", "gender": "Male", "emails": ["bob@y.org"], "companies": [{"id": "{{acme}}"}, {"id": "{{globex}}"}]}
POST /v1/people {"firstName": "Cid"}
-- 200

== a search is read-only
POST /v1/people/search {} -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Cid", "...": 0}], "pagination": {}}}
POST /v1/people/search -- 200
@readonly POST /v1/people/search {"filter": {}} -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Cid", "...": 0}], "pagination": {}}}
POST /v1/people/search (Idempotency-Key: one) {"limit": 1}
-- 200 {"data": {"items": ["..."], "pagination": {"nextCursor": "<string>"}}}
POST /v1/people/search (Idempotency-Key: one) {"limit": 2} -- 200 (!Idempotent-Replayed)
{"data": {"items": ["..."], "pagination": {"nextCursor": "<string>"}}}

== the members mirror the keys of a query
@rows value answer
| {"emails": {"like": "X.com"}}                              | {"firstName": "Ann", "...": 0}                                 |
| {"emails": {"like": ["X.com", "Y.org"]}}                   | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| {"emails": {"empty": true}}                                | {"firstName": "Cid", "...": 0}                                 |
| {"groups": {"in": {"id": ["{{g}}"]}}}                      | {"firstName": "Ann", "...": 0}                                 |
| {"companies": {"all": {"id": ["{{globex}}", "{{acme}}"]}}} | {"firstName": "Bob", "...": 0}                                 |
| {"createdBy": {"in": {"email": "{{bob_email}}"}}}          | {"firstName": "Bob", "...": 0}                                 |
| {"customFieldValues.{{g}}.Number": {"gt": 4.5}}            | {"firstName": "Ann", "...": 0}                                 |
| {"customFieldValues.{{g}}.Number": {"lt": "4.5"}}          |                                                                |
POST /v1/people/search {"filter": {{value}}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
POST /v1/people/search
{"combinator": "or", "filter": {"emails": {"like": "x.com"}, "gender": {"eq": "Unknown"}}}
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Cid", "...": 0}], "pagination": {}}}
POST /v1/people/search
{"filter": {"emails": {"like": "x.com"}, "gender": {"eq": "Male"}}, "combinator": "and"}
-- 200 {"data": {"items": [], "pagination": {}}}

== groups of filters nest
POST /v1/people/search
{"filter": {"or": [{"firstName": {"eq": "Cid"}}, {"emails": {"not_empty": true}, "gender": {"eq": "Male"}}]}}
-- 200 {"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Cid", "...": 0}], "pagination": {}}}
POST /v1/people/search
{"filter": {"createdAt": {"gt": "2020-01-01"}, "or": [{"and": [{"firstName": {"like": "n"}}, {"or": [{"gender": {"empty": true}}]}]}, {"firstName": {"eq": "Cid"}}]}}
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Cid", "...": 0}], "pagination": {}}}
POST /v1/people/search
{"filter": {"or": [{"or": [{"or": [{"or": [{"or": [{"firstName": {"eq": "Cid"}}]}]}]}]}]}}
-- 200 {"data": {"items": [{"firstName": "Cid", "...": 0}], "pagination": {}}}

== what is related
@rows target value answer
| people | {"companies.industry": {"eq": "Wood"}} | {"firstName": "Bob", "...": 0} |
| people | {"companies.name": {"like": "acme"}} | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| people | {"companies.fundingRaised": {"gt": 7}} | |
| people | {"companies.industry": {"not_eq": "Steel"}} | {"firstName": "Bob", "...": 0} |
| companies | {"people.emails": {"like": "y.org"}} | {"name": "Acme", "...": 0}, {"name": "Globex", "...": 0} |
| companies | {"people.gender": {"eq": "Unknown"}} | {"name": "Acme", "...": 0} |
| companies | {"people.createdBy": {"in": {"email": "{{bob_email}}"}}, "industry": {"eq": "Steel"}} | {"name": "Acme", "...": 0} |
POST /v1/{{target}}/search {"filter": {{value}}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
POST /v1/groups/{{g}}/object-types {"name": "Job Offer"}
POST /v1/groups/{{g}}/Job%20Offer {"name": "One", "people": [{"id": "{{ann}}"}]}
POST /v1/groups/{{g}}/Job%20Offer {"name": "Two"}
-- 200
POST /v1/groups/{{g}}/Job%20Offer/search {"filter": {"people.emails": {"like": "ann@"}}}
-- 200 {"data": {"items": [{"name": "One", "...": 0}], "pagination": {}}}
POST /v1/groups/{{g}}/Job%20Offer/search
{"filter": {"name": {"like": "o"}}, "sort": "-createdAt", "count": "exact"}
-- 200 {"data": {"items": [{"name": "Two", "...": 0}, {"name": "One", "...": 0}], "pagination": {"count": 2}}}
POST /v1/groups/{{g}}/Nothing/search {} -- 404

== pages
POST /v1/people/search
{"filter": {"createdAt": {"gt": "2020-01-01"}}, "limit": 2, "sort": "-createdAt", "count": "exact"}
-- 200
{"data": {"items": [{"firstName": "Cid", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {"count": 3, "nextCursor": "<string>"}}}
> next = data.pagination.nextCursor
POST /v1/people/search
{"cursor": "{{next}}", "sort": "-createdAt", "filter": {"createdAt": {"gt": "2020-01-01"}}, "limit": 5}
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
@rows value
| "{{next}}", "sort": "-createdAt"                                                |
| "{{next}}", "filter": {"createdAt": {"gt": "2020-01-01"}}                       |
| "{{next}}", "sort": "-createdAt", "filter": {"createdAt": {"gt": "2020-01-02"}} |
| "x"                                                                             |
POST /v1/people/search {"cursor": {{value}}} -- 422 Invalid input
* invalid_string ["cursor"] validation=cursor
@end
GET /v1/people?sort=-createdAt&filter[createdAt][gt]=2020-01-01&cursor={{next}} -- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor

== bad bodies
@rows body issue
| []                      | invalid_type [] expected=object received=array         |
| {"filters": {}, "x": 1} | unrecognized_keys [] keys=["filters", "x"]             |
| {"filter": []}          | invalid_type ["filter"] expected=object received=array |
| {"filter": null}        | invalid_type ["filter"] expected=object received=null  |
POST /v1/people/search
{{body}}
-- 422 Invalid input
* {{issue}}
@end
POST /v1/people/search {"limit": 0, "sort": "up", "count": true, "combinator": "xor", "cursor": 1} -- 422 Invalid input
* too_small ["limit"] minimum=1 type=number
* invalid_enum_value ["sort"] ...
* invalid_type ["count"] expected=string received=boolean
* invalid_enum_value ["combinator"] ...
* invalid_type ["cursor"] expected=string received=number
@rows value issue
| 101 | too_big ["limit"] maximum=100 type=number              |
| 1.5 | invalid_type ["limit"] ...                             |
| "5" | invalid_type ["limit"] expected=number received=string |
| -1  | too_small ["limit"] minimum=1 type=number              |
POST /v1/people/search {"limit": {{value}}} -- 422 Invalid input
* {{issue}}
@end
POST /v1/people/search
{"filter": {"foo": {"eq": "x"}, "emails": {"gt": "x", "like": ""}, "groups": {"in": {"id": ["grp_1", 5, "{{g}}"], "email": "x"}}}}
-- 422 Invalid input
* too_small ["filter", "emails", "like"] minimum=1 type=string
* unrecognized_keys ["filter", "emails"] keys=["gt"]
* too_small ["filter", "groups", "in", "id", 0] minimum=40 type=string exact=true
* invalid_type ["filter", "groups", "in", "id", 1] expected=string received=number
* unrecognized_keys ["filter", "groups", "in"] keys=["email"]
* unrecognized_keys ["filter"] keys=["foo"]
POST /v1/people/search
{"filter": {"emails": "x", "urls": {}, "phones": {"empty": false}, "addresses": {"empty": "true"}, "groups": {"in": "{{g}}"}, "companies": {"in": {}}}}
-- 422 Invalid input
* invalid_type ["filter", "emails"] expected=object received=string
* custom ["filter", "urls"]
* custom ["filter", "phones", "empty"]
* invalid_type ["filter", "addresses", "empty"] expected=boolean received=string
* invalid_type ["filter", "groups", "in"] expected=object received=string
* custom ["filter", "companies", "in"]
POST /v1/people/search
{"filter": {"firstName": {"eq": [], "like": 5}, "birthday": {"gt": ["2026-01-01", "2026-01-02"], "eq": ["x", null]}}}
-- 422 Invalid input
* too_small ["filter", "firstName", "eq"] minimum=1 type=array
* invalid_type ["filter", "firstName", "like"] expected=string received=number
* too_big ["filter", "birthday", "gt"] maximum=1 type=array
* invalid_string ["filter", "birthday", "eq", 0] validation=date
* invalid_type ["filter", "birthday", "eq", 1] expected=string received=null
POST /v1/people/search {"filter": {"or": {}, "and": []}} -- 422 Invalid input
* invalid_type ["filter", "or"] expected=array received=object
* too_small ["filter", "and"] minimum=1 type=array
POST /v1/people/search {"filter": {"or": [{}, "x", {"foo": 1}]}} -- 422 Invalid input
* custom ["filter", "or", 0]
* invalid_type ["filter", "or", 1] expected=object received=string
* unrecognized_keys ["filter", "or", 2] keys=["foo"]
POST /v1/people/search
{"filter": {"or": [{"or": [{"or": [{"or": [{"or": [{"or": [{"firstName": {"eq": "Cid"}}]}]}]}]}]}]}}
-- 422 Invalid input
* custom ["filter", "or", 0, "or", 0, "or", 0, "or", 0, "or", 0, "or"]
POST /v1/people/search {"filter": {"firstName": {"eq": "a\u0000b"}}} -- 422 Invalid input
* invalid_string ["filter", "firstName", "eq"] validation=regex
POST /v1/people/search
{"filter": {"companies.customFieldValues.x": {"eq": "a"}, "companies.people.emails": {"eq": "a"}, "companies.": {"eq": "a"}, "groups.name": {"eq": "g"}}}
-- 422 Invalid input
* unrecognized_keys ["filter"] keys=["companies.customFieldValues.x", "companies.people.emails", "companies.", "groups.name"]
POST /v1/people/search {"filter": {"customFieldValues.{{g}}.Number": {"gt": "x", "eq": true}}} -- 422 Invalid input
* custom ["filter", "customFieldValues.{{g}}.Number", "gt"]
* invalid_type ["filter", "customFieldValues.{{g}}.Number", "eq"] ...
@rows value issue
| {"or": [<list {"firstName": {"eq": "{n}"}} 21>]}                            | ["filter", "or"] maximum=20               |
| {"emails": {"empty": true}, "or": [<list {"firstName": {"eq": "{n}"}} 20>]} | ["filter"] maximum=20                     |
| {"firstName": {"eq": [<list "{n}" 101>]}}                                   | ["filter", "firstName", "eq"] maximum=100 |
POST /v1/people/search {"filter": {{value}}} -- 422 Invalid input
* too_big {{issue}} type=array
@end
POST /v1/people/search {"filter": {"firstName": {"eq": [<list "{n}" 100>]}}}
-- 200 {"data": {"items": [], "pagination": {}}}
POST /v1/people/search {"filter":  -- 400
