# Filters of people: each operator on each kind of field.

== groups, companies, people
@make g POST /v1/groups {"name": "g", "visibility": "public"}
@make g2 POST /v1/groups {"name": "g2", "visibility": "public"}
@make acme POST /v1/companies {"name": "acme", "groups": [{"id": "{{g}}"}], "industry": "Steel"}
@make globex POST /v1/companies {"name": "globex", "groups": [{"id": "{{g}}"}], "industry": "Wood"}
@make a POST /v1/people
{"firstName": "Ann", "lastName": "O'Neil", "jobTitle": "CEO 100%", "description": "a_b\\c", "birthday": "1990-05-05", "gender": "Female",
	"emails": ["Ann@X.com", "second@y.org"], "phones": ["+49 (30) 123"], "addresses": ["Main St. 1"], "urls": ["https://x.com/Ann"],
	"groups": [{"id": "{{g}}"}], "companies": [{"id": "{{acme}}"}]}
@make b @bob POST /v1/people
{"firstName": "Bob", "gender": "Male", "birthday": "2000-01-01", "emails": ["bob@x.com"], "phones": ["030123"], "addresses": ["Side St. 2", "Main St. 3"],
	"groups": [{"id": "{{g}}"}, {"id": "{{g2}}"}], "companies": [{"id": "{{acme}}"}, {"id": "{{globex}}"}], "jobTitle": "ceo"}
@make c POST /v1/people {"firstName": "Çelik", "lastName": "ann"}
@make d POST /v1/people
{"firstName": "Dee", "gender": "Other", "birthday": "1990-05-06", "groups": [{"id": "{{g2}}"}], "companies": [{"id": "{{globex}}"}], "jobTitle": "CTO"}

== texts: exactly, or a part of it in any case
GET /v1/people?filter[firstName][eq]=Ann -- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][not_eq]=Ann -- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][eq]=ann -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_eq]=ann -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[firstName][like]=AN | {"firstName": "Ann", "...": 0} |
| filter[firstName][not_like]=AN | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[firstName][like]=%C3%A7 | {"firstName": "Çelik", "...": 0} |
| filter[firstName][not_like]=%C3%A7 | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[fullName][eq]=Ann%20O'Neil | {"firstName": "Ann", "...": 0} |
| filter[fullName][not_eq]=Ann%20O'Neil | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[fullName][like]=ann | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0} |
| filter[fullName][not_like]=ann | {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[lastName][like]=o'n | {"firstName": "Ann", "...": 0} |
| filter[lastName][not_like]=o'n | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[jobTitle][like]=ceo | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| filter[jobTitle][not_like]=ceo | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[jobTitle][eq]=ceo | {"firstName": "Bob", "...": 0} |
| filter[jobTitle][not_eq]=ceo | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[firstName][eq]=Ann&filter[firstName][eq]=Dee | {"firstName": "Ann", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[firstName][not_eq][0]=Ann&filter[firstName][not_eq][1]=Dee | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0} |
| filter[firstName][like]=nn&filter[firstName][like]=ee | {"firstName": "Ann", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[firstName][not_like]=nn&filter[firstName][not_like]=ee | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0} |
| filter[lastName][empty] | {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[lastName][not_empty] | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0} |
| filter[jobTitle][empty] | {"firstName": "Çelik", "...": 0} |
| filter[jobTitle][not_empty] | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[description][empty] | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[description][not_empty] | {"firstName": "Ann", "...": 0} |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== what means something in patterns and in SQL is taken literally
GET /v1/people?filter[jobTitle][like]=0%25
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][not_like]=0%25 -- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][like]=_ -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[jobTitle][not_like]=_ -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[description][like]=a_b       | {"firstName": "Ann", "...": 0}                                                                   |
| filter[description][not_like]=a_b   | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[description][like]=_b%5C     | {"firstName": "Ann", "...": 0}                                                                   |
| filter[description][not_like]=_b%5C | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[description][like]=%25       |                                                                                                  |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[description][not_like]=%25 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][like]=' -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[description][not_like]=' -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][like]=' -- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][not_like]=' -- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=%22 -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_like]=%22 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][eq]=%27%20or%201=1%20-- -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_eq]=%27%20or%201=1%20-- -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=%5B%5D%7B%7D$1 -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_like]=%5B%5D%7B%7D$1 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][eq]=a_b%5Cc
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][not_eq]=a_b%5Cc -- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== lists: any item
@rows target answer
| filter[emails][eq]=ann@x.COM     | {"firstName": "Ann", "...": 0}                                                                   |
| filter[emails][not_eq]=ann@x.COM | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[emails][like]=@x.com      | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}                                   |
| filter[emails][not_like]=@x.com  | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}                                 |
| filter[emails][eq]=x.com         |                                                                                                  |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[emails][not_eq]=x.com -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[emails][like]=Y.ORG       | {"firstName": "Ann", "...": 0}                                                                   |
| filter[emails][not_like]=Y.ORG   | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[emails][empty]            | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}                                 |
| filter[emails][not_empty]        | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}                                   |
| filter[phones][eq]=49-30-123     | {"firstName": "Ann", "...": 0}                                                                   |
| filter[phones][not_eq]=49-30-123 | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[phones][eq]=030123        | {"firstName": "Bob", "...": 0}                                                                   |
| filter[phones][not_eq]=030123    | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[phones][like]=(30 -- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][not_like]=(30 -- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[phones][empty]                    | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}                                 |
| filter[phones][not_empty]                | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}                                   |
| filter[addresses][eq]=Main%20St.%203     | {"firstName": "Bob", "...": 0}                                                                   |
| filter[addresses][not_eq]=Main%20St.%203 | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[addresses][eq]=main%20st.%203     |                                                                                                  |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[addresses][not_eq]=main%20st.%203 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[addresses][like]=main           | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}                                   |
| filter[addresses][not_like]=main       | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}                                 |
| filter[addresses][empty]               | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}                                 |
| filter[addresses][not_empty]           | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}                                   |
| filter[urls][eq]=https://x.com/Ann     | {"firstName": "Ann", "...": 0}                                                                   |
| filter[urls][not_eq]=https://x.com/Ann | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[urls][like]=x.com/ann           | {"firstName": "Ann", "...": 0}                                                                   |
| filter[urls][not_like]=x.com/ann       | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[urls][empty]                    | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[urls][not_empty]                | {"firstName": "Ann", "...": 0}                                                                   |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== an item is not looked for across two
GET /v1/people?filter[emails][like]=com%0Asecond -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[emails][not_like]=com%0Asecond -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][like]=2%0AMain -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[addresses][not_like]=2%0AMain -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== days
@rows target answer
| filter[birthday][eq]=1990-05-05 | {"firstName": "Ann", "...": 0} |
| filter[birthday][not_eq]=1990-05-05 | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[birthday][gt]=1990-05-05 | {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[birthday][lt]=1990-05-06 | {"firstName": "Ann", "...": 0} |
| filter[birthday][eq]=1990-05-05&filter[birthday][eq]=2000-01-01 | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| filter[birthday][empty] | {"firstName": "Çelik", "...": 0} |
| filter[birthday][not_empty] | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[birthday][gt]=1990-05-05&filter[birthday][lt]=1990-05-07 | {"firstName": "Dee", "...": 0} |
| filter[birthday.month][eq]=5 | {"firstName": "Ann", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[birthday.month][eq]=1&filter[birthday.month][eq]=12 | {"firstName": "Bob", "...": 0} |
| filter[birthday.month][not_eq]=5 | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0} |
| filter[birthday.month][gt]=1 | {"firstName": "Ann", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[birthday.month][lt]=5 | {"firstName": "Bob", "...": 0} |
| filter[birthday.month][empty] | {"firstName": "Çelik", "...": 0} |
| filter[birthday.month][not_empty]&filter[updatedAt][gt]=2020-01-01 | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[updatedAt][lt]=2020-01-01 | |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[updatedAt][eq]=2020-01-01
GET /v1/people?filter[birthday.month][eq]=May
GET /v1/people?filter[birthday.year][eq]=1990
-- 422
* ...
GET /v1/people?filter[createdAt][gt]=2020-01-01 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdAt][lt]=2020-01-01
GET /v1/people?filter[createdAt][eq]=2020-01-01T12:00:00Z
-- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdAt][not_eq]=2020-01-01 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdAt][empty] -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdAt][not_empty] -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== gender
@rows target answer
| filter[gender][eq]=Female | {"firstName": "Ann", "...": 0} |
| filter[gender][eq]=Unknown | {"firstName": "Çelik", "...": 0} |
| filter[gender][eq]=Unknown&filter[gender][eq]=Male | {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0} |
| filter[gender][not_eq]=Male | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[gender][not_eq]=Unknown | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[gender][empty] | {"firstName": "Çelik", "...": 0} |
| filter[gender][not_empty] | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== references
@rows target answer
| filter[companies][in][id]={{acme}}                                        | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}   |
| filter[companies][not_in][id]={{acme}}                                    | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[companies][all][id]={{acme}}                                       | {"firstName": "Ann", "...": 0}                                   |
| filter[companies][all][id]={{globex}}&filter[companies][all][id]={{acme}} | {"firstName": "Bob", "...": 0}                                   |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[companies][in][id][0]={{acme}}&filter[companies][in][id][1]={{globex}} -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[companies][empty] | {"firstName": "Çelik", "...": 0} |
| filter[companies][not_empty] | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[groups][in][id]={{g}} | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| filter[groups][not_in][id]={{g}} | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[groups][all][id]={{g2}}&filter[groups][all][id]={{g}} | {"firstName": "Bob", "...": 0} |
| filter[groups][all][id]={{g}} | {"firstName": "Ann", "...": 0} |
| filter[groups][empty] | {"firstName": "Çelik", "...": 0} |
| filter[groups][not_empty] | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[companies][in][id]={{ada_id}} | |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[companies][not_in][id]={{ada_id}} -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[companies][all][id]={{ada_id}} | |
| filter[companies][all][id]={{acme}}&filter[companies][all][id]={{ada_id}} | |
| filter[createdBy][in][id]={{bob_id}} | {"firstName": "Bob", "...": 0} |
| filter[createdBy][not_in][id]={{bob_id}} | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[createdBy][in][email]={{bob_email}} | {"firstName": "Bob", "...": 0} |
| filter[createdBy][in][email]=nobody@example.com | |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[createdBy][not_in][email]=nobody@example.com
GET /v1/people?filter[createdBy][in][email]={{bob_email}}&filter[createdBy][in][id]={{ada_id}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdBy][empty] -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdBy][not_empty] -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== several filters together
GET /v1/people?filter[firstName][like]=e&filter[gender][eq]=Other
GET /v1/people?filter[firstName][like]=e&filter[gender][eq]=Other&combinator=and
-- 200 {"data": {"items": [{"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=e&filter[gender][eq]=Male&combinator=or -- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| combinator=or&filter[birthday][empty]&filter[emails][like]=ann | {"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0} |
| combinator=or | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| combinator=or&filter[emails][not_empty]=true | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0} |
| filter%5BfirstName%5D%5Blike%5D=%C3%87 | {"firstName": "Çelik", "...": 0} |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== sort, count, pages
GET /v1/people?filter[jobTitle][not_empty]&sort=-createdAt&limit=2&count=exact
-- 200 {"data": {"items": [{"firstName": "Dee", "...": 0}, {"firstName": "Bob", "...": 0}],
	"pagination": {"count": 3, "nextLink": "<link {{base}}/v1/people?filter%5BjobTitle%5D%5Bnot_empty%5D&sort=-createdAt&limit=2&count=exact>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {"count": 3}}}
GET /v1/people?filter[jobTitle][not_empty]&sort=updatedAt&limit=2 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {"nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][like]=c&count=estimated
-- 200 {"data": {"items": ["..."], "pagination": {"count": "<int>"}}}

== what one user interacted with is of nobody else's concern
POST /v1/interactions
{"entity": {"id": "{{a}}"}, "dateTime": "2025-03-01T10:00:00Z", "title": "t", "activityType": "call"}
@bob POST /v1/interactions
{"entity": {"id": "{{b}}"}, "dateTime": "2025-03-02T23:59:59.999Z", "title": "t", "activityType": "call"}
-- 200
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][eq]=2025-03-02
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][gt]=2025-03-01
-- 200 {"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][lt]=2025-03-02
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][not_eq]=2025-03-02 -- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@rows target answer
| filter[interactionMetadata.workspace.lastInteractedAt][empty]              | {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0} |
| filter[interactionMetadata.workspace.lastInteractedAt][not_empty]          | {"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}   |
| filter[interactionMetadata.user.lastInteractedAt][eq]=2025-03-01T01:00:00Z | {"firstName": "Ann", "...": 0}                                   |
| filter[interactionMetadata.user.lastInteractedAt][not_empty]               | {"firstName": "Ann", "...": 0}                                   |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
@end
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][empty]
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][not_eq]=2025-03-01
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][gt]=2025-01-01
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][lt]=2025-01-01
-- 200 {"data": {"items": [], "pagination": {}}}
@rows key target answer
| bob   | filter[interactionMetadata.user.lastInteractedAt][not_empty]     | {"firstName": "Bob", "...": 0} |
| bob   | filter[interactionMetadata.user.lastInteractedAt][gt]=2025-03-01 | {"firstName": "Bob", "...": 0} |
| admin | filter[interactionMetadata.user.lastInteractedAt][not_empty]     |                                |
@{{key}} GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== a cursor belongs to its filters
GET /v1/people?filter[jobTitle][not_empty]&filter[createdAt][gt]=2020-01-01&limit=1
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {"nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}}&limit=3
-- 200 {"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
@each filter[gender][eq]=Male combinator=or filter[jobTitle][like]=c
GET {{next}}&{{each}} -- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor
@end
GET {{next}}&filter[jobTitle][not_empty]=true
-- 200 {"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {"nextLink": "<string>"}}}
