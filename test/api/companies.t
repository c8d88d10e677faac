# Companies: every field, unique names, numbers and years as text.

== an empty company has every field
POST /v1/companies {} -- 200 {"data": {"$company": {}}}
> nameless = data.id
GET /v1/companies/{{nameless}} -- 200 {"data": {"$company": {"id": "{{nameless}}"}}}

== any number of companies may have no name
POST /v1/companies {}
POST /v1/companies {"name": ""}
-- 200 {"data": {"$company": {"id": "<not {{nameless}}>"}}}

== groups to work with
@make g1 POST /v1/groups {"name": "First", "visibility": "public"}
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}

== every field at once
POST /v1/companies {
	"name": "Acme", "description": "Anvils", "industry": "Tools", "fundingRaised": 1250000.50, "lastFundingDate": "2024-05-01",
	"foundationYear": 1949, "employeeRange": "51-200", "groups": [{"id": "{{g1}}"}],
	"addresses": ["Fairfield"], "emails": ["info@acme.example", "sales@acme.example"], "phones": ["1"], "urls": ["https://acme.example"]
}
-- 200 {"data": {"$company": {
	"name": "Acme", "description": "Anvils", "industry": "Tools", "fundingRaised": "1250000.5", "lastFundingDate": "2024-05-01",
	"foundationYear": "1949", "employeeRange": "51-200", "groups": [{"id": "{{g1}}", "name": "First"}],
	"addresses": ["Fairfield"], "emails": ["info@acme.example", "sales@acme.example"], "phones": ["1"], "urls": ["https://acme.example"]
}}}
> acme = data.id
> acme_whole = data
@bob GET /v1/companies/{{acme}} -- 200 {"data": {{acme_whole}}}

== empty values are accepted and read as unset
POST /v1/companies
{"name": "", "description": "", "industry": "", "fundingRaised": "", "lastFundingDate": "", "foundationYear": "",
 "employeeRange": "", "groups": [], "addresses": [], "emails": [], "phones": [], "urls": [], "customFieldValues": {}}
POST /v1/companies {"fundingRaised": null, "foundationYear": null, "lastFundingDate": null}
-- 200 {"data": {"$company": {}}}

# --- unique names

== creating an existing one returns it with the groups added and nothing else changed
@bob POST /v1/companies
{"name": "Acme", "description": "other", "fundingRaised": 5, "emails": ["new@acme.example"], "groups": [{"id": "{{g2}}"}, {"id": "{{g1}}"}]}
-- 200 {"data": {"$company": {
	"id": "{{acme}}", "name": "Acme", "description": "Anvils", "industry": "Tools", "fundingRaised": "1250000.5",
	"lastFundingDate": "2024-05-01", "foundationYear": "1949", "employeeRange": "51-200",
	"groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{g2}}", "name": "Second"}],
	"addresses": ["Fairfield"], "emails": ["info@acme.example", "sales@acme.example"], "phones": ["1"], "urls": ["https://acme.example"]
}}, "warnings": [{"code": "record_existed", "path": ["name"], "message": "<ends : description, fundingRaised, emails>"}]}
> acme_whole = data
POST /v1/companies {"name": "Acme"}
POST /v1/companies {"name": "Acme", "groups": [{"id": "{{g1}}"}]}
GET /v1/companies/{{acme}}
-- 200 {"data": {{acme_whole}}}

== names are compared exactly as written
POST /v1/companies {"name": "ACME"} -- 200 {"data": {"$company": {"id": "<not {{acme}}>", "name": "ACME"}}}
> upper = data.id
POST /v1/companies {"name": "Acme "} -- 200 {"data": {"$company": {"id": "<not {{acme}}>", "name": "Acme "}}}
@make cafe POST /v1/companies {"name": "Caf\u00e9"}
POST /v1/companies {"name": "Café"} -- 200 {"data": {"$company": {"id": "{{cafe}}", "name": "Café"}}}
POST /v1/companies {"name": "Cafe\u0301"} -- 200 {"data": {"$company": {"id": "<not {{cafe}}>", "name": "Cafe\u0301"}}}

== an invalid body does not find an existing company
POST /v1/companies {"name": "Acme", "description": 1} -- 422 Invalid input
* invalid_type ["description"] expected=string received=number
POST /v1/companies {"name": "Acme", "groups": [{"id": "grp_00000000-0000-7000-8000-000000000000"}]} -- 422 Invalid input
* custom ["groups", 0, "id"]

== renaming to a taken name is a 422
PATCH /v1/companies/{{upper}} {"name": "Acme"} -- 422 Invalid input
* custom ["name"]
GET /v1/companies/{{upper}} -- 200 {"data": {"$company": {"id": "{{upper}}", "name": "ACME"}}}
PATCH /v1/companies/{{upper}} {"name": "ACME"} -- 200
PATCH /v1/companies/{{upper}} {"name": "Renamed"} -- 200 {"data": {"$company": {"id": "{{upper}}", "name": "Renamed"}}}
POST /v1/companies {"name": "ACME"} -- 200 {"data": {"$company": {"id": "<not {{upper}}>", "name": "ACME"}}}
PATCH /v1/companies/{{upper}} {"name": ""} -- 200 {"data": {"$company": {"id": "{{upper}}"}}}

== the same name in another workspace is another company
@other POST /v1/companies {"name": "Acme"}
-- 200 {"data": {"$company": {"id": "<not {{acme}}>", "name": "Acme", "createdBy": {{other}}}}}
> theirs = data.id

# --- numbers

== fundingRaised: forms in, plain decimal out
@rows value answer
| 0                                        | "0"                                        |
| "1.50"                                   | "1.5"                                      |
| 1e3                                      | "1000"                                     |
| "2.5E+2"                                 | "250"                                      |
| 125e-3                                   | "0.125"                                    |
| "0010.100"                               | "10.1"                                     |
| "+7"                                     | "7"                                        |
| -0                                       | "0"                                        |
| 123456789012345678901234567890.123456789 | "123456789012345678901234567890.123456789" |
PATCH /v1/companies/{{upper}} {"fundingRaised": {{value}}} -- 200 {"data": {"fundingRaised": {{answer}}, "...": 0}}
@end
GET /v1/companies/{{upper}} -- 200 {"data": {"fundingRaised": "123456789012345678901234567890.123456789", "...": 0}}
PATCH /v1/companies/{{upper}} {"fundingRaised": null} -- 200 {"data": {"fundingRaised": null, "...": 0}}
PATCH /v1/companies/{{upper}} {"fundingRaised": 5} -- 200
PATCH /v1/companies/{{upper}} {"fundingRaised": ""} -- 200 {"data": {"fundingRaised": null, "...": 0}}

== fundingRaised: what is none
@rows value issue
| "a lot"    | invalid_string ["fundingRaised"] ...              |
| " 5"       | invalid_string ["fundingRaised"] ...              |
| "1,000"    | invalid_string ["fundingRaised"] ...              |
| "NaN"      | invalid_string ["fundingRaised"] ...              |
| "Infinity" | invalid_string ["fundingRaised"] ...              |
| "0x10"     | invalid_string ["fundingRaised"] ...              |
| -1         | too_small ["fundingRaised"] minimum=0 type=number |
| "-0.01"    | too_small ["fundingRaised"] minimum=0 type=number |
| true       | invalid_type ["fundingRaised"] received=boolean   |
| [1]        | invalid_type ["fundingRaised"] received=array     |
PATCH /v1/companies/{{upper}} {"fundingRaised": {{value}}} -- 422 Invalid input
* {{issue}}
@end
# more digits than supported: refused, not a failure
PATCH /v1/companies/{{upper}} {"fundingRaised": 1e999999999} -- 422 Invalid input
* <any> ["fundingRaised"] ...

== foundationYear
@rows value answer
| 1000   | "1000" |
| 2100   | "2100" |
| "1987" | "1987" |
PATCH /v1/companies/{{upper}} {"foundationYear": {{value}}} -- 200 {"data": {"foundationYear": {{answer}}, "...": 0}}
@rows value issue
| 999     | too_small ["foundationYear"] minimum=1000 type=number |
| 2101    | too_big ["foundationYear"] maximum=2100 type=number   |
| "87"    | invalid_string ["foundationYear"] validation=regex    |
| "19870" | invalid_string ["foundationYear"] validation=regex    |
| "198x"  | invalid_string ["foundationYear"] validation=regex    |
| 1987.5  | <any> ["foundationYear"] ...                          |
| []      | invalid_type ["foundationYear"] received=array        |
PATCH /v1/companies/{{upper}} {"foundationYear": {{value}}} -- 422 Invalid input
* {{issue}}
@end
GET /v1/companies/{{upper}} -- 200 {"data": {"foundationYear": "1987", "...": 0}}
PATCH /v1/companies/{{upper}} {"foundationYear": null} -- 200 {"data": {"foundationYear": null, "...": 0}}
PATCH /v1/companies/{{upper}} {"foundationYear": "2001"} -- 200
PATCH /v1/companies/{{upper}} {"foundationYear": ""} -- 200 {"data": {"foundationYear": null, "...": 0}}

== employeeRange: each of the eight
@each "1-10" "11-50" "51-200" "201-500" "501-1000" "1001-5000" "5001-10000" "10000+"
PATCH /v1/companies/{{upper}} {"employeeRange": {{each}}} -- 200 {"data": {"employeeRange": {{each}}, "...": 0}}
@end
PATCH /v1/companies/{{upper}} {"employeeRange": "1-11"} -- 422 Invalid input
* invalid_enum_value ["employeeRange"] options=["1-10","11-50","51-200","201-500","501-1000","1001-5000","5001-10000","10000+"] received="1-11"
PATCH /v1/companies/{{upper}} {"employeeRange": 10} -- 422 Invalid input
* invalid_type ["employeeRange"] received=number
PATCH /v1/companies/{{upper}} {"employeeRange": ""} -- 200 {"data": {"employeeRange": null, "...": 0}}

== lastFundingDate
PATCH /v1/companies/{{upper}} {"lastFundingDate": "2024-02-29"}
-- 200 {"data": {"lastFundingDate": "2024-02-29", "...": 0}}
@rows value issue
| "2023-02-29"           | invalid_string ["lastFundingDate"] validation=date |
| "2024-02-29T00:00:00Z" | invalid_string ["lastFundingDate"] validation=date |
| 20240229               | invalid_type ["lastFundingDate"] received=number   |
PATCH /v1/companies/{{upper}} {"lastFundingDate": {{value}}} -- 422 Invalid input
* {{issue}}
@end
PATCH /v1/companies/{{upper}} {"lastFundingDate": null} -- 200 {"data": {"lastFundingDate": null, "...": 0}}

# --- limits

== texts
PATCH /v1/companies/{{upper}}
{"name": "<repeat n 1000>", "description": "<repeat d 5000>", "industry": "<repeat i 1000>"}
-- 200 {"data": {"name": "<repeat n 1000>", "description": "<repeat d 5000>", "industry": "<repeat i 1000>", "...": 0}}
PATCH /v1/companies/{{upper}}
{"name": "<repeat n 1001>", "description": "<repeat d 5001>", "industry": "<repeat i 1001>"}
-- 422 Invalid input
* too_big ["name"] maximum=1000 type=string
* too_big ["description"] maximum=5000 type=string
* too_big ["industry"] maximum=1000 type=string

== lists
PATCH /v1/companies/{{upper}}
{"addresses": [<list "a{n}" 20>], "emails": [<list "e{n}" 20>], "phones": [<list "p{n}" 20>], "urls": [<list "u{n}" 20>]}
-- 200
{"data": {"addresses": [<list "a{n}" 20>], "emails": [<list "e{n}" 20>], "phones": [<list "p{n}" 20>], "urls": [<list "u{n}" 20>], "...": 0}}
PATCH /v1/companies/{{upper}}
{"addresses": [<list "a{n}" 21>], "emails": [<list "e{n}" 21>], "phones": [<list "p{n}" 21>], "urls": [<list "u{n}" 21>], "groups": [<list {"id": "{{g1}}"} 101>]}
-- 422 Invalid input
* too_big ["addresses"] maximum=20 type=array
* too_big ["emails"] maximum=20 type=array
* too_big ["phones"] maximum=20 type=array
* too_big ["urls"] maximum=20 type=array
* too_big ["groups"] maximum=100 type=array
PATCH /v1/companies/{{upper}}
{"addresses": ["<repeat a 500>"], "emails": ["<repeat e 254>"], "phones": ["<repeat p 30>"], "urls": ["<repeat u 2048>"]}
-- 200
PATCH /v1/companies/{{upper}}
{"addresses": ["<repeat a 501>"], "emails": ["<repeat e 255>"], "phones": ["<repeat p 31>"], "urls": ["<repeat u 2049>"]}
-- 422 Invalid input
* too_big ["addresses", 0] maximum=500 type=string
* too_big ["emails", 0] maximum=254 type=string
* too_big ["phones", 0] maximum=30 type=string
* too_big ["urls", 0] maximum=2048 type=string
PATCH /v1/companies/{{upper}} {"addresses": [""], "emails": [""], "phones": [""], "urls": [""]} -- 422 Invalid input
* too_small ["addresses", 0] minimum=1 type=string
* too_small ["emails", 0] minimum=1 type=string
* too_small ["phones", 0] minimum=1 type=string
* too_small ["urls", 0] minimum=1 type=string

== lists are replaced, repeats collapse
PATCH /v1/companies/{{upper}}
{"emails": ["b", "a", "b"], "phones": [], "groups": [{"id": "{{g2}}"}, {"id": "{{g1}}"}, {"id": "{{g2}}"}]}
-- 200
{"data": {"emails": ["b", "a"], "phones": [], "groups": [{"id": "{{g2}}", "name": "Second"}, {"id": "{{g1}}", "name": "First"}], "...": 0}}
PATCH /v1/companies/{{upper}} {"groups": [{"id": "{{g1}}"}]}
-- 200 {"data": {"emails": ["b", "a"], "groups": [{"id": "{{g1}}", "name": "First"}], "...": 0}}
PATCH /v1/companies/{{upper}} {"groups": []} -- 200 {"data": {"groups": [], "...": 0}}

== a change touches only what it names
PATCH /v1/companies/{{acme}} {"description": "Anvils and more"}
-- 200 {"data": {"$company": {
	"id": "{{acme}}", "name": "Acme", "description": "Anvils and more", "industry": "Tools", "fundingRaised": "1250000.5",
	"lastFundingDate": "2024-05-01", "foundationYear": "1949", "employeeRange": "51-200",
	"groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{g2}}", "name": "Second"}],
	"addresses": ["Fairfield"], "emails": ["info@acme.example", "sales@acme.example"], "phones": ["1"], "urls": ["https://acme.example"]
}}}
> before = data.updatedAt

== updatedAt moves with a change and not without one
PATCH /v1/companies/{{acme}}
{"name": "Acme", "fundingRaised": "1250000.500", "foundationYear": "1949", "employeeRange": "51-200"}
-- 200 {"data": {"updatedAt": "{{before}}", "...": 0}}
POST /v1/companies {"name": "Acme", "description": "ignored"} -- 200
{"data": {"updatedAt": "{{before}}", "...": 0}, "warnings": [{"code": "record_existed", "path": ["name"], "message": "<ends : description>"}]}
@repeat 5 GET /v1/companies/{{acme}} -- 200
PATCH /v1/companies/{{acme}} {"fundingRaised": 1250001}
-- 200 {"data": {"updatedAt": "<not {{before}}>", "fundingRaised": "1250001", "...": 0}}

# --- errors

== all issues: values in document order, then unknown keys, object by object
POST /v1/companies
{"foo": 1, "employeeRange": "2", "name": 5, "emails": "e", "groups": [{"id": "x", "y": 1}, {}], "companies": [], "createdAt": "x"}
-- 422 Invalid input
* invalid_enum_value ["employeeRange"] options=["1-10","11-50","51-200","201-500","501-1000","1001-5000","5001-10000","10000+"] received="2"
* invalid_type ["name"] expected=string received=number
* invalid_type ["emails"] expected=array received=string
* too_small ["groups", 0, "id"] minimum=40 type=string exact=true
* unrecognized_keys ["groups", 0] keys=["y"]
* required ["groups", 1, "id"] expected=string
* invalid_string ["createdAt"] validation=datetime
* unrecognized_keys [] keys=["foo","companies"]

== ids in the path
GET /v1/companies/abc -- 422 Invalid path parameters
* too_small ["companyId"] minimum=40 type=string exact=true
PATCH /v1/companies/{{acme}}x {} -- 422 Invalid path parameters
* too_big ["companyId"] maximum=40 type=string exact=true
DELETE /v1/companies/x -- 422 Invalid path parameters
* too_small ["companyId"] minimum=40 type=string exact=true
GET /v1/companies/com_00000000-0000-7000-8000-000000000000 -- 404
> missing = error.message
GET /v1/companies/{{g1}}
GET /v1/companies/{{theirs}}
-- 404 {"error": {"message": "{{missing}}", "...": 0}}
PATCH /v1/companies/{{theirs}} {"name": "x"}
DELETE /v1/companies/{{theirs}}
-- 404

== only what is not in use is deleted, on request
@make used POST /v1/companies {"name": "Used"}
@make free POST /v1/companies {"name": "Free"}
@make worker POST /v1/people {"firstName": "W", "companies": [{"id": "{{used}}"}]}
DELETE /v1/companies/{{used}}?unused=true -- 412 The record is in use
POST /v1/companies/batch/delete?unused=true {"records": [{"id": "{{used}}"}, {"id": "{{free}}"}]} -- 200
{"data": {"results": [{"status": "failed", "error": {"code": "PRECONDITION_FAILED", "message": "The record is in use", "...": 0}},
	{"status": "succeeded", "data": {"id": "{{free}}"}}]}}
DELETE /v1/people/{{worker}}?unused=true -- 200
@rows path body
| notes        | "content": "x", "visibility": "public"                                        |
| tasks        | "title": "x", "dueAt": "2030-01-01"                                           |
| interactions | "title": "x", "activityType": "call", "dateTime": "2025-01-01T00:00:00Z"      |
POST /v1/{{path}} {"entity": {"id": "{{used}}"}, {{body}}} -- 200
> made = data.id
DELETE /v1/companies/{{used}}?unused=true -- 412
DELETE /v1/{{path}}/{{made}} -- 200
@end
GET /v1/companies/{{used}} -- 200
DELETE /v1/companies/{{used}}?unused=maybe -- 422
* ...
DELETE /v1/companies/{{used}}?unused=true -- 200

== delete
DELETE /v1/companies/{{acme}} -- 200 {"data": {"id": "{{acme}}"}}
GET /v1/companies/{{acme}}
PATCH /v1/companies/{{acme}} {}
DELETE /v1/companies/{{acme}}
-- 404

== the name is free again
POST /v1/companies {"name": "Acme"} -- 200 {"data": {"$company": {"id": "<not {{acme}}>", "name": "Acme"}}}
