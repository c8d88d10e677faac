# Filters of people: each operator on each kind of field.

== groups, companies, people
POST /v1/groups
{"name": "g", "visibility": "public"}
-- 200
> g = data.id
POST /v1/groups
{"name": "g2", "visibility": "public"}
-- 200
> g2 = data.id
POST /v1/companies
{"name": "acme", "groups": [{"id": "{{g}}"}], "industry": "Steel"}
-- 200
> acme = data.id
POST /v1/companies
{"name": "globex", "groups": [{"id": "{{g}}"}], "industry": "Wood"}
-- 200
> globex = data.id
POST /v1/people
{"firstName": "Ann", "lastName": "O'Neil", "jobTitle": "CEO 100%", "description": "a_b\\c", "birthday": "1990-05-05", "gender": "Female",
	"emails": ["Ann@X.com", "second@y.org"], "phones": ["+49 (30) 123"], "addresses": ["Main St. 1"], "urls": ["https://x.com/Ann"],
	"groups": [{"id": "{{g}}"}], "companies": [{"id": "{{acme}}"}]}
-- 200
> a = data.id
@key bob
POST /v1/people
{"firstName": "Bob", "gender": "Male", "birthday": "2000-01-01", "emails": ["bob@x.com"], "phones": ["030123"], "addresses": ["Side St. 2", "Main St. 3"],
	"groups": [{"id": "{{g}}"}, {"id": "{{g2}}"}], "companies": [{"id": "{{acme}}"}, {"id": "{{globex}}"}], "jobTitle": "ceo"}
-- 200
> b = data.id
POST /v1/people
{"firstName": "Çelik", "lastName": "ann"}
-- 200
> c = data.id
POST /v1/people
{"firstName": "Dee", "gender": "Other", "birthday": "1990-05-06", "groups": [{"id": "{{g2}}"}], "companies": [{"id": "{{globex}}"}], "jobTitle": "CTO"}
-- 200
> d = data.id

== texts: exactly, or a part of it in any case
GET /v1/people?filter[firstName][eq]=Ann
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][not_eq]=Ann
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][eq]=ann
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_eq]=ann
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=AN
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][not_like]=AN
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=%C3%A7
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][not_like]=%C3%A7
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[fullName][eq]=Ann%20O'Neil
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[fullName][not_eq]=Ann%20O'Neil
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[fullName][like]=ann
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[fullName][not_like]=ann
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][like]=o'n
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][not_like]=o'n
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][like]=ceo
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][not_like]=ceo
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][eq]=ceo
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][not_eq]=ceo
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][eq]=Ann&filter[firstName][eq]=Dee
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][not_eq][0]=Ann&filter[firstName][not_eq][1]=Dee
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=nn&filter[firstName][like]=ee
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][not_like]=nn&filter[firstName][not_like]=ee
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][empty]
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][empty]
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}

== what means something in patterns and in SQL is taken literally
GET /v1/people?filter[jobTitle][like]=0%25
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][not_like]=0%25
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][like]=_
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[jobTitle][not_like]=_
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][like]=a_b
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][not_like]=a_b
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][like]=_b%5C
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][not_like]=_b%5C
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][like]=%25
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[description][not_like]=%25
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][like]='
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[description][not_like]='
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][like]='
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[lastName][not_like]='
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=%22
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_like]=%22
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][eq]=%27%20or%201=1%20--
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_eq]=%27%20or%201=1%20--
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=%5B%5D%7B%7D$1
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[firstName][not_like]=%5B%5D%7B%7D$1
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][eq]=a_b%5Cc
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[description][not_eq]=a_b%5Cc
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== lists: any item
GET /v1/people?filter[emails][eq]=ann@x.COM
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][not_eq]=ann@x.COM
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][like]=@x.com
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][not_like]=@x.com
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][eq]=x.com
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[emails][not_eq]=x.com
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][like]=Y.ORG
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][not_like]=Y.ORG
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[emails][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][eq]=49-30-123
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][not_eq]=49-30-123
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][eq]=030123
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][not_eq]=030123
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][like]=(30
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][not_like]=(30
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[phones][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][eq]=Main%20St.%203
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][not_eq]=Main%20St.%203
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][eq]=main%20st.%203
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[addresses][not_eq]=main%20st.%203
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][like]=main
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][not_like]=main
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[urls][eq]=https://x.com/Ann
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[urls][not_eq]=https://x.com/Ann
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[urls][like]=x.com/ann
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[urls][not_like]=x.com/ann
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[urls][empty]
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[urls][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}

== an item is not looked for across two
GET /v1/people?filter[emails][like]=com%0Asecond
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[emails][not_like]=com%0Asecond
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[addresses][like]=2%0AMain
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[addresses][not_like]=2%0AMain
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== days
GET /v1/people?filter[birthday][eq]=1990-05-05
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[birthday][not_eq]=1990-05-05
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[birthday][gt]=1990-05-05
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[birthday][lt]=1990-05-06
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[birthday][eq]=1990-05-05&filter[birthday][eq]=2000-01-01
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[birthday][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[birthday][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[birthday][gt]=1990-05-05&filter[birthday][lt]=1990-05-07
-- 200
{"data": {"items": [{"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdAt][gt]=2020-01-01
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdAt][lt]=2020-01-01
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdAt][eq]=2020-01-01T12:00:00Z
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdAt][not_eq]=2020-01-01
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdAt][empty]
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdAt][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== gender
GET /v1/people?filter[gender][eq]=Female
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[gender][eq]=Unknown
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[gender][eq]=Unknown&filter[gender][eq]=Male
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[gender][not_eq]=Male
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[gender][not_eq]=Unknown
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[gender][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[gender][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== references
GET /v1/people?filter[companies][in][id]={{acme}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][not_in][id]={{acme}}
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][all][id]={{acme}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][all][id]={{globex}}&filter[companies][all][id]={{acme}}
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][in][id][0]={{acme}}&filter[companies][in][id][1]={{globex}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[groups][in][id]={{g}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[groups][not_in][id]={{g}}
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[groups][all][id]={{g2}}&filter[groups][all][id]={{g}}
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[groups][all][id]={{g}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[groups][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?filter[groups][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][in][id]={{ada_id}}
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[companies][not_in][id]={{ada_id}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[companies][all][id]={{ada_id}}
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[companies][all][id]={{acme}}&filter[companies][all][id]={{ada_id}}
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdBy][in][id]={{bob_id}}
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdBy][not_in][id]={{bob_id}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdBy][in][email]={{bob_email}}
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdBy][in][email]=nobody@example.com
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdBy][not_in][email]=nobody@example.com
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdBy][in][email]={{bob_email}}&filter[createdBy][in][id]={{ada_id}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[createdBy][empty]
-- 200
{"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[createdBy][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}

== several filters together
GET /v1/people?filter[firstName][like]=e&filter[gender][eq]=Other
-- 200
{"data": {"items": [{"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=e&filter[gender][eq]=Other&combinator=and
-- 200
{"data": {"items": [{"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[firstName][like]=e&filter[gender][eq]=Male&combinator=or
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?combinator=or&filter[birthday][empty]&filter[emails][like]=ann
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}], "pagination": {}}}
GET /v1/people?combinator=or
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?combinator=or&filter[emails][not_empty]=true
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter%5BfirstName%5D%5Blike%5D=%C3%87
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}], "pagination": {}}}

== sort, count, pages
GET /v1/people?filter[jobTitle][not_empty]&sort=-createdAt&limit=2&count=exact
-- 200
{"data": {"items": [{"firstName": "Dee", "...": 0}, {"firstName": "Bob", "...": 0}],
	"pagination": {"count": 3, "nextLink": "<link {{base}}/v1/people?filter%5BjobTitle%5D%5Bnot_empty%5D&sort=-createdAt&limit=2&count=exact>"}}}
> next = data.pagination.nextLink
GET {{next}}
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {"count": 3}}}
GET /v1/people?filter[jobTitle][not_empty]&sort=updatedAt&limit=2
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {"nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}}
-- 200
{"data": {"items": [{"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[jobTitle][like]=c&count=estimated
-- 200
{"data": {"items": ["..."], "pagination": {"count": "<int>"}}}

== what one user interacted with is of nobody else's concern
POST /v1/interactions
{"entity": {"id": "{{a}}"}, "dateTime": "2025-03-01T10:00:00Z", "title": "t", "activityType": "call"}
-- 200
@key bob
POST /v1/interactions
{"entity": {"id": "{{b}}"}, "dateTime": "2025-03-02T23:59:59.999Z", "title": "t", "activityType": "call"}
-- 200
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][eq]=2025-03-02
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][gt]=2025-03-01
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][lt]=2025-03-02
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][not_eq]=2025-03-02
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][empty]
-- 200
{"data": {"items": [{"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.workspace.lastInteractedAt][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}, {"firstName": "Bob", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][eq]=2025-03-01T01:00:00Z
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][not_empty]
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][empty]
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][not_eq]=2025-03-01
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Çelik", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][gt]=2025-01-01
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][lt]=2025-01-01
-- 200
{"data": {"items": [], "pagination": {}}}
@key bob
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][not_empty]
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
@key bob
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][gt]=2025-03-01
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {}}}
@key admin
GET /v1/people?filter[interactionMetadata.user.lastInteractedAt][not_empty]
-- 200
{"data": {"items": [], "pagination": {}}}

== a cursor belongs to its filters
GET /v1/people?filter[jobTitle][not_empty]&filter[createdAt][gt]=2020-01-01&limit=1
-- 200
{"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {"nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}}&limit=3
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}, {"firstName": "Dee", "...": 0}], "pagination": {}}}
GET {{next}}&filter[gender][eq]=Male
-- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor
GET {{next}}&combinator=or
-- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor
GET {{next}}&filter[jobTitle][like]=c
-- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor
GET {{next}}&filter[jobTitle][not_empty]=true
-- 200
{"data": {"items": [{"firstName": "Bob", "...": 0}], "pagination": {"nextLink": "<string>"}}}
