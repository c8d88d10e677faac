# Search as people type: lists with "search", and GET /v1/search.

== records to find
@make g POST /v1/groups {"name": "g", "visibility": "public"}
POST /v1/groups/{{g}}/object-types {"name": "Deal"} -- 200
@make acme POST /v1/companies {"name": "Müller & Söhne GmbH", "industry": "Steel", "emails": ["office@mueller.example"], "urls": ["https://www.mueller.example/x"], "phones": ["0049 89 7654321"], "groups": [{"id": "{{g}}"}]}
@make globex POST /v1/companies {"name": "Globex", "groups": [{"id": "{{g}}"}]}
@make a POST /v1/people
{"firstName": "Anna", "lastName": "Łukasiewicz", "jobTitle": "Head of Sales", "emails": ["anna@x.com"], "phones": ["+49 (0)89 123 456-78"], "groups": [{"id": "{{g}}"}], "companies": [{"id": "{{acme}}"}]}
@make b POST /v1/people {"firstName": "Bøb", "lastName": "Großmann", "urls": ["https://bob.example"], "phones": ["(555) 010-2030"], "companies": [{"id": "{{globex}}"}]}
@make c POST /v1/people {"firstName": "王", "lastName": "小明", "jobTitle": "Ａｃｃｏｕｎｔａｎｔ 100%"}
@make o POST /v1/groups/{{g}}/Deal {"name": "Big deal", "people": [{"id": "{{a}}"}], "companies": [{"id": "{{globex}}"}]}
@make o2 POST /v1/groups/{{g}}/Deal {"name": "Small deal", "companies": [{"id": "{{acme}}"}]}
@make t POST /v1/tasks {"title": "Call Anna back", "dueAt": "2030-01-01", "entity": {"id": "{{a}}"}}
@make t2 POST /v1/tasks {"title": "Write to Bob", "dueAt": "2030-01-01", "entity": {"id": "{{b}}"}}
@make note POST /v1/notes {"content": "Anna likes Çay and cafés", "entity": {"id": "{{a}}"}, "visibility": "public"}

== words of people, in any order, in any field
@rows target answer
| search=anna | {"firstName": "Anna", "...": 0} |
| search=NNA | {"firstName": "Anna", "...": 0} |
| search=lukasiewicz%20ANNA | {"firstName": "Anna", "...": 0} |
| search=anna,%C5%82uka | {"firstName": "Anna", "...": 0} |
| search=anna%20globex | |
| search=globex | {"firstName": "Bøb", "...": 0} |
| search=bob%20globex%20grossmann | {"firstName": "Bøb", "...": 0} |
| search=soehne | |
| search=sohne%20gmbh | {"firstName": "Anna", "...": 0} |
| search=steel | |
| search=sales%20x.com | {"firstName": "Anna", "...": 0} |
| search=%22head%20of%22 | {"firstName": "Anna", "...": 0} |
| search=%22of%20head%22 | |
| search=of%20head | {"firstName": "Anna", "...": 0} |
| search=%22of%20sales | {"firstName": "Anna", "...": 0} |
| search=l%20a | {"firstName": "Anna", "...": 0} |
| search=nn | |
| search=ob | |
| search=bo | {"firstName": "Bøb", "...": 0} |
| search=%E5%B0%8F | {"firstName": "王", "...": 0} |
| search=%E6%98%8E | {"firstName": "王", "...": 0} |
| search=accountant | {"firstName": "王", "...": 0} |
| search=100%25 | {"firstName": "王", "...": 0} |
| search=10_ | |
GET /v1/people?{{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}

== telephone numbers, however they are written
@rows target answer
| %2B49%2089%2012345678 | {"firstName": "Anna", "...": 0} |
| 089%2F123%20456%2078 | {"firstName": "Anna", "...": 0} |
| 0049%20(0)%2089-12345678 | {"firstName": "Anna", "...": 0} |
| 12345678 | {"firstName": "Anna", "...": 0} |
| 45678 | {"firstName": "Anna", "...": 0} |
| %2B1%20555%20010%202030 | {"firstName": "Bøb", "...": 0} |
| 5550102030%20bob | {"firstName": "Bøb", "...": 0} |
| 5550102030%20anna | |
| 88812345678 | |
GET /v1/people?search={{target}} -- 200 {"data": {"items": [{{answer}}], "pagination": {}}}
GET /v1/companies?search=089%207654321 -- 200 {"data": {"items": [{"name": "Müller & Söhne GmbH", "...": 0}], "pagination": {}}}

== companies, objects, tasks
GET /v1/companies?search=muller%20sohne -- 200 {"data": {"items": [{"name": "Müller & Söhne GmbH", "...": 0}], "pagination": {}}}
GET /v1/companies?search=www.mueller -- 200 {"data": {"items": [{"name": "Müller & Söhne GmbH", "...": 0}], "pagination": {}}}
GET /v1/companies?search=steel -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/groups/{{g}}/Deal?search=big%20anna%20globex -- 200 {"data": {"items": [{"name": "Big deal", "...": 0}], "pagination": {}}}
GET /v1/groups/{{g}}/Deal?search=muller -- 200 {"data": {"items": [{"name": "Small deal", "...": 0}], "pagination": {}}}
GET /v1/tasks?search=anna%20call -- 200 {"data": {"items": [{"title": "Call Anna back", "...": 0}], "pagination": {}}}
POST /v1/groups/{{g}}/Deal/search {"search": "deal globex"} -- 200 {"data": {"items": [{"name": "Big deal", "...": 0}], "pagination": {}}}

== a further condition beside filters
GET /v1/people?search=example&filter[firstName][eq]=Anna&filter[lastName][eq]=x&combinator=or -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?search=sales&filter[firstName][eq]=Anna&filter[lastName][eq]=x&combinator=or -- 200
{"data": {"items": [{"firstName": "Anna", "...": 0}], "pagination": {}}}
POST /v1/people/search {"search": "anna", "filter": {"gender": {"empty": true}}, "count": "exact"} -- 200
{"data": {"items": [{"firstName": "Anna", "...": 0}], "pagination": {"count": 1}}}
POST /v1/people/search {"search": "anna", "filter": {}} -- 200 {"data": {"items": [{"firstName": "Anna", "...": 0}], "pagination": {}}}

== names of related records as they are now
PATCH /v1/companies/{{globex}} {"name": "Initech"} -- 200
GET /v1/people?search=globex -- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?search=init%20bob -- 200 {"data": {"items": [{"firstName": "Bøb", "...": 0}], "pagination": {}}}

== what is refused
GET /v1/people?search= -- 422
GET /v1/people?search=%20,%22%22 -- 422
GET /v1/people?search=a%20b%20c%20d%20e%20f%20g%20h%20i -- 422
POST /v1/people/search {"search": 1} -- 422

== the best of all kinds
GET /v1/search?q=anna -- 200
{"data": {"items": [
	{"id": "{{note}}", "kind": "notes", "title": "Anna likes Çay and cafés", "subtitle": "Anna Łukasiewicz", "matched": ["content"]},
	{"id": "{{a}}", "kind": "people", "title": "Anna Łukasiewicz", "subtitle": "Head of Sales, Müller & Söhne GmbH", "matched": ["fullName", "firstName", "emails"]},
	{"id": "{{t}}", "kind": "tasks", "title": "Call Anna back", "subtitle": "Anna Łukasiewicz", "matched": ["title"]},
	{"id": "{{o}}", "kind": "objects", "title": "Big deal", "subtitle": "Initech", "matched": ["people.fullName"], "groupId": "{{g}}", "objectType": "Deal"}],
	"pagination": {}}}
GET /v1/search?q=initech&limit=1 -- 200
{"data": {"items": [{"id": "{{globex}}", "kind": "companies", "title": "Initech", "subtitle": "", "matched": ["name"]}], "pagination": {}}}
GET /v1/search?q=089%2012345678 -- 200 {"data": {"items": [{"id": "{{a}}", "kind": "people", "matched": ["phones"], "...": 0}], "pagination": {}}}
GET /v1/search?q=anna&kinds=tasks,notes -- 200
{"data": {"items": [{"id": "{{note}}", "...": 0}, {"id": "{{t}}", "...": 0}], "pagination": {}}}
GET /v1/search?q=cafes%20cay -- 200 {"data": {"items": [{"id": "{{note}}", "matched": ["content"], "...": 0}], "pagination": {}}}
# Three signs that fold to one letter stand before the "@": the index is asked for all of the word.
@make odd POST /v1/people {"firstName": "Odd", "emails": ["xa@odd.example"]}
GET /v1/search?q=a%CC%81%CC%82@odd.example -- 200 {"data": {"items": [{"id": "{{odd}}", "matched": ["emails"], "...": 0}], "pagination": {}}}
DELETE /v1/people/{{odd}} -- 200
GET /v1/search -- 422
GET /v1/search?q=%22 -- 422
GET /v1/search?q=a&kinds=person -- 422
GET /v1/search?q=a&limit=51 -- 422

== what is hidden stays hidden
@make secret POST /v1/groups {"name": "secret", "visibility": "private"}
POST /v1/groups/{{secret}}/object-types {"name": "Plan"} -- 200
@make plan POST /v1/groups/{{secret}}/Plan {"name": "Xylophone"}
@make private POST /v1/notes {"content": "xylophone", "entity": {"id": "{{a}}"}, "visibility": "private"}
GET /v1/search?q=xylo -- 200 {"data": {"items": [{"id": "{{private}}", "...": 0}, {"id": "{{plan}}", "...": 0}], "pagination": {}}}
@bob GET /v1/search?q=xylo -- 200 {"data": {"items": [], "pagination": {}}}
