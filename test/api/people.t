# People: every field, every limit at its value and one beyond, names, lists, references.

== an empty person has every field
POST /v1/people {} -- 200 {"data": {"$person": {}}}
> empty = data.id
GET /v1/people/{{empty}} -- 200 {"data": {"$person": {"id": "{{empty}}"}}}

== groups and companies to work with
@make g1 POST /v1/groups {"name": "First", "visibility": "public"}
@make g2 POST /v1/groups {"name": "Second", "visibility": "public"}
@make acme POST /v1/companies {"name": "Acme"}
@make globex POST /v1/companies {"name": "Globex"}

== every field at once
POST /v1/people {
	"firstName": "Grace", "lastName": "Hopper", "fullName": "Rear Admiral Grace Hopper", "description": "Compilers\nand more",
	"birthday": "1906-12-09", "gender": "Female", "jobTitle": "Officer",
	"groups": [{"id": "{{g1}}"}, {"id": "{{g2}}"}], "companies": [{"id": "{{globex}}"}, {"name": "Acme"}, {"name": "Navy"}],
	"addresses": ["Arlington", "New York"], "emails": ["grace@example.com", "hopper@example.org"],
	"phones": ["+1 555 0100", "none"], "urls": ["https://example.com/grace", "not a url"]
}
-- 200 {"data": {"$person": {
	"firstName": "Grace", "lastName": "Hopper", "fullName": "Rear Admiral Grace Hopper", "description": "Compilers\nand more",
	"birthday": "1906-12-09", "gender": "Female", "jobTitle": "Officer",
	"groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{g2}}", "name": "Second"}],
	"companies": [{"id": "{{globex}}", "name": "Globex"}, {"id": "{{acme}}", "name": "Acme"}, {"id": "<com>", "name": "Navy"}],
	"addresses": ["Arlington", "New York"], "emails": ["grace@example.com", "hopper@example.org"],
	"phones": ["+1 555 0100", "none"], "urls": ["https://example.com/grace", "not a url"]
}}}
> grace = data.id
> grace_whole = data
> navy = data.companies.2.id
GET /v1/people/{{grace}}
@bob GET /v1/people/{{grace}}
-- 200 {"data": {{grace_whole}}}
GET /v1/companies/{{navy}} -- 200 {"data": {"$company": {"id": "{{navy}}", "name": "Navy"}}}

== createdBy is the caller
@bob POST /v1/people {"firstName": "By Bob"}
-- 200 {"data": {"$person": {"firstName": "By Bob", "fullName": "By Bob", "createdBy": {{bob}}}}}
@admin POST /v1/people {} -- 200 {"data": {"$person": {"createdBy": {{admin}}}}}

== empty values are accepted and read as unset
POST /v1/people {
	"firstName": "", "lastName": "", "fullName": "", "description": "", "birthday": "", "gender": "", "jobTitle": "",
	"groups": [], "companies": [], "addresses": [], "emails": [], "phones": [], "urls": [], "customFieldValues": {}
}
-- 200 {"data": {"$person": {}}}

== text is stored as sent
POST /v1/people
{"firstName": "  \t\"\\/ <b>&amp; ", "description": "\u00e9\ud83d\ude00 \u007f line\r\nend", "emails": ["Ann@Example.COM "]}
-- 200 {"data": {"$person": {
	"firstName": "  \t\"\\/ <b>&amp; ", "fullName": "<string>", "description": "é😀 \u007f line\r\nend", "emails": ["Ann@Example.COM "]
}}}

# --- names

== without fullName it is first and last joined
POST /v1/people {"firstName": "Ann", "lastName": "Lee"}
-- 200 {"data": {"$person": {"firstName": "Ann", "lastName": "Lee", "fullName": "Ann Lee"}}}
> ann = data.id

== a derived fullName follows first and last name
@rows body answer
| {"lastName": "Smith"}                 | {"firstName": "Ann", "lastName": "Smith", "fullName": "Ann Smith"} |
| {"firstName": ""}                     | {"lastName": "Smith", "fullName": "Smith"}                         |
| {"firstName": "Anna", "lastName": ""} | {"firstName": "Anna", "fullName": "Anna"}                          |
| {"firstName": ""}                     | {}                                                                 |
PATCH /v1/people/{{ann}}
{{body}}
-- 200 {"data": {"$person": {{answer}}}}

== a given fullName stays until it is set to the empty text
@rows body answer
| {"fullName": "The Boss"}                | {"fullName": "The Boss"}                                        |
| {"firstName": "Ann", "lastName": "Lee"} | {"firstName": "Ann", "lastName": "Lee", "fullName": "The Boss"} |
| {"fullName": ""}                        | {"firstName": "Ann", "lastName": "Lee", "fullName": "Ann Lee"}  |
| {"firstName": "Eve"}                    | {"firstName": "Eve", "lastName": "Lee", "fullName": "Eve Lee"}  |
PATCH /v1/people/{{ann}}
{{body}}
-- 200 {"data": {"$person": {{answer}}}}

== only a fullName on a create fills first and last
POST /v1/people {"fullName": "Ludwig van Beethoven"} -- 200
{"data": {"$person": {"firstName": "Ludwig", "lastName": "van Beethoven", "fullName": "Ludwig van Beethoven"}}}
> ludwig = data.id
POST /v1/people {"fullName": "Plato"} -- 200 {"data": {"$person": {"firstName": "Plato", "fullName": "Plato"}}}
POST /v1/people {"fullName": "Anna Bell", "firstName": "", "lastName": ""}
-- 200 {"data": {"$person": {"firstName": "Anna", "lastName": "Bell", "fullName": "Anna Bell"}}}

== and is a given one afterwards
PATCH /v1/people/{{ludwig}} {"lastName": "Wittgenstein"} -- 200
{"data": {"$person": {"firstName": "Ludwig", "lastName": "Wittgenstein", "fullName": "Ludwig van Beethoven"}}}

== fullName beside another name fills nothing
POST /v1/people {"fullName": "Dr. Strange Love", "firstName": "Merkwürdig"}
-- 200 {"data": {"$person": {"firstName": "Merkwürdig", "fullName": "Dr. Strange Love"}}}
POST /v1/people {"fullName": "Dr. Strange Love", "lastName": "Liebe"}
-- 200 {"data": {"$person": {"lastName": "Liebe", "fullName": "Dr. Strange Love"}}}

== only a fullName in a change fills nothing
PATCH /v1/people/{{empty}} {"fullName": "Some One"}
-- 200 {"data": {"$person": {"id": "{{empty}}", "fullName": "Some One"}}}
PATCH /v1/people/{{empty}} {"fullName": ""} -- 200 {"data": {"$person": {"id": "{{empty}}"}}}

# --- changes, field by field

== a change touches only what it names
POST /v1/people
{"firstName": "Max", "lastName": "Muster", "description": "d", "birthday": "2000-02-29", "gender": "Male", "jobTitle": "j",
 "groups": [{"id": "{{g1}}"}], "companies": [{"id": "{{acme}}"}],
 "addresses": ["a"], "emails": ["e"], "phones": ["p"], "urls": ["u"]}
-- 200
> max = data.id
PATCH /v1/people/{{max}} {"jobTitle": "Boss"} -- 200
{"data": {"$person": {"id": "{{max}}", "firstName": "Max", "lastName": "Muster", "fullName": "Max Muster", "description": "d",
	"birthday": "2000-02-29", "gender": "Male", "jobTitle": "Boss", "groups": [{"id": "{{g1}}", "name": "First"}],
	"companies": [{"id": "{{acme}}", "name": "Acme"}], "addresses": ["a"], "emails": ["e"], "phones": ["p"], "urls": ["u"]}}}

== each field can be set and unset
@make full POST /v1/people
{"firstName": "Max", "lastName": "Muster", "description": "d", "birthday": "2000-02-29", "gender": "Male", "jobTitle": "j",
 "groups": [{"id": "{{g1}}"}], "companies": [{"id": "{{acme}}"}],
 "addresses": ["a"], "emails": ["e"], "phones": ["p"], "urls": ["u"]}
@rows body answer
| {"description": "new", "birthday": "0001-01-01", "gender": "Other"} | {"description": "new", "birthday": "0001-01-01", "gender": "Other", "...": 0} |
| {"birthday": null, "gender": "Unknown"} | {"birthday": null, "gender": "Unknown", "description": "new", "...": 0} |
| {"birthday": "9999-12-31", "gender": "Male"} | {"birthday": "9999-12-31", "gender": "Male", "...": 0} |
PATCH /v1/people/{{full}}
{{body}}
-- 200 {"data": {{answer}}}
@end
PATCH /v1/people/{{full}}
{"birthday": "", "gender": "", "description": "", "jobTitle": "", "firstName": "", "lastName": ""}
-- 200 {"data": {"$person": {"id": "{{full}}", "groups": [{"id": "{{g1}}", "name": "First"}],
	"companies": [{"id": "{{acme}}", "name": "Acme"}], "addresses": ["a"], "emails": ["e"], "phones": ["p"], "urls": ["u"]}}}
PATCH /v1/people/{{full}}
{"groups": [], "companies": [], "addresses": [], "emails": [], "phones": [], "urls": []}
GET /v1/people/{{full}}
-- 200 {"data": {"$person": {"id": "{{full}}"}}}

== lists are replaced, their order kept, the first is primary
@make max POST /v1/people {}
PATCH /v1/people/{{max}}
{"emails": ["b", "a", "c"], "phones": ["2", "1"], "groups": [{"id": "{{g2}}"}, {"id": "{{g1}}"}],
 "companies": [{"id": "{{acme}}"}, {"id": "{{globex}}"}]}
-- 200 {"data": {"$person": {"id": "{{max}}", "emails": ["b", "a", "c"], "phones": ["2", "1"],
	"groups": [{"id": "{{g2}}", "name": "Second"}, {"id": "{{g1}}", "name": "First"}],
	"companies": [{"id": "{{acme}}", "name": "Acme"}, {"id": "{{globex}}", "name": "Globex"}]}}}
PATCH /v1/people/{{max}}
{"emails": ["c", "b"], "companies": [{"id": "{{globex}}"}, {"id": "{{acme}}"}], "groups": [{"id": "{{g1}}"}]}
-- 200
{"data": {"$person": {"id": "{{max}}", "emails": ["c", "b"], "phones": ["2", "1"], "groups": [{"id": "{{g1}}", "name": "First"}],
	"companies": [{"id": "{{globex}}", "name": "Globex"}, {"id": "{{acme}}", "name": "Acme"}]}}}

== repeated items collapse to the first
PATCH /v1/people/{{max}}
{"emails": ["x", "y", "x", "X", "y"], "phones": ["1", "1"], "addresses": ["a", "a"], "urls": ["u", "v", "u"],
 "groups": [{"id": "{{g1}}"}, {"id": "{{g2}}"}, {"id": "{{g1}}"}],
 "companies": [{"name": "Acme"}, {"id": "{{globex}}"}, {"id": "{{acme}}"}, {"name": "Globex"}]}
-- 200
{"data": {"$person": {"id": "{{max}}", "emails": ["x", "y", "X"], "phones": ["1"], "addresses": ["a"], "urls": ["u", "v"],
	"groups": [{"id": "{{g1}}", "name": "First"}, {"id": "{{g2}}", "name": "Second"}],
	"companies": [{"id": "{{acme}}", "name": "Acme"}, {"id": "{{globex}}", "name": "Globex"}]}}}
POST /v1/people {"companies": [{"name": "Twice New"}, {"name": "Twice New"}]}
-- 200 {"data": {"$person": {"companies": [{"id": "<com>", "name": "Twice New"}]}}}

== a company's name is matched exactly, and its new name is read
PATCH /v1/people/{{max}} {"companies": [{"name": "acme"}, {"name": "Acme "}]} -- 200
{"data": {"companies": [{"id": "<not {{acme}}>", "name": "acme"}, {"id": "<not {{acme}}>", "name": "Acme "}], "...": 0}}
> lower = data.companies.0.id
PATCH /v1/companies/{{lower}} {"name": "Lower & Sons"} -- 200
GET /v1/people/{{max}} -- 200
{"data": {"companies": [{"id": "{{lower}}", "name": "Lower & Sons"}, {"id": "<com>", "name": "Acme "}], "...": 0}}

== a company that another user made by name is the same one
@bob POST /v1/people {"companies": [{"name": "Lower & Sons"}]} -- 200
{"data": {"$person": {"createdBy": {{bob}}, "companies": [{"id": "{{lower}}", "name": "Lower & Sons"}]}}}

== a deleted company leaves the person
DELETE /v1/companies/{{lower}} -- 200 {"data": {"id": "{{lower}}"}}
GET /v1/people/{{max}} -- 200 {"data": {"companies": [{"id": "<com>", "name": "Acme "}], "...": 0}}

== updatedAt moves with a change and not without one
GET /v1/people/{{grace}} -- 200
> before = data.updatedAt
> created = data.createdAt
PATCH /v1/people/{{grace}} {}
PATCH /v1/people/{{grace}}
{"firstName": "Grace", "emails": ["grace@example.com", "hopper@example.org"], "birthday": "1906-12-09",
 "groups": [{"id": "{{g1}}"}, {"id": "{{g2}}"}], "companies": [{"name": "Globex"}, {"name": "Acme"}, {"name": "Navy"}]}
-- 200 {"data": {"updatedAt": "{{before}}", "...": 0}}
@repeat 5 GET /v1/people/{{grace}} -- 200
PATCH /v1/people/{{grace}} {"emails": ["hopper@example.org", "grace@example.com"]}
-- 200 {"data": {"updatedAt": "<not {{before}}>", "createdAt": "{{created}}", "...": 0}}
> before = data.updatedAt
@repeat 5 GET /v1/people/{{grace}} -- 200
PATCH /v1/people/{{grace}} {"groups": [{"id": "{{g1}}"}]}
-- 200 {"data": {"updatedAt": "<not {{before}}>", "createdAt": "{{created}}", "...": 0}}

== nothing given changes nothing
PATCH /v1/people/{{empty}} -- 200 {"data": {"$person": {"id": "{{empty}}"}}}

# --- limits

== firstName
POST /v1/people {"firstName": "<repeat a 500>"}
-- 200 {"data": {"$person": {"firstName": "<repeat a 500>", "fullName": "<repeat a 500>"}}}
POST /v1/people {"firstName": "<repeat a 501>"} -- 422 Invalid input
* too_big ["firstName"] maximum=500 type=string

== lengths are code points
POST /v1/people {"firstName": "<repeat 😀 500>", "lastName": "<repeat é 500>"} -- 200
{"data": {"$person": {"firstName": "<repeat 😀 500>", "lastName": "<repeat é 500>", "fullName": "<repeat 😀 500> <repeat é 500>"}}}
POST /v1/people {"firstName": "<repeat \ud83d\ude00 501>"} -- 422 Invalid input
* too_big ["firstName"] maximum=500 type=string

== lastName
PATCH /v1/people/{{empty}} {"lastName": "<repeat b 500>"} -- 200
PATCH /v1/people/{{empty}} {"lastName": "<repeat b 501>"} -- 422 Invalid input
* too_big ["lastName"] maximum=500 type=string

== fullName
PATCH /v1/people/{{empty}} {"fullName": "<repeat c 1000>"} -- 200 {"data": {"fullName": "<repeat c 1000>", "...": 0}}
PATCH /v1/people/{{empty}} {"fullName": "<repeat c 1001>"} -- 422 Invalid input
* too_big ["fullName"] maximum=1000 type=string

== only a fullName that is longer than a first name may be
POST /v1/people {"fullName": "<repeat w 600>"} -- 200 {"data": {"fullName": "<repeat w 600>", "...": 0}}

== description
PATCH /v1/people/{{empty}} {"description": "<repeat d 5000>"}
-- 200 {"data": {"description": "<repeat d 5000>", "...": 0}}
PATCH /v1/people/{{empty}} {"description": "<repeat d 5001>"} -- 422 Invalid input
* too_big ["description"] maximum=5000 type=string

== jobTitle
PATCH /v1/people/{{empty}} {"jobTitle": "<repeat e 500>"} -- 200
PATCH /v1/people/{{empty}} {"jobTitle": "<repeat e 501>"} -- 422 Invalid input
* too_big ["jobTitle"] maximum=500 type=string

== a refused change changes nothing
GET /v1/people/{{empty}} -- 200
{"data": {"lastName": "<repeat b 500>", "fullName": "<repeat c 1000>", "description": "<repeat d 5000>", "jobTitle": "<repeat e 500>", "...": 0}}
PATCH /v1/people/{{empty}} {"lastName": "good", "jobTitle": 1} -- 422 Invalid input
* invalid_type ["jobTitle"] expected=string received=number
GET /v1/people/{{empty}} -- 200 {"data": {"lastName": "<repeat b 500>", "...": 0}}

== emails
POST /v1/people {"emails": [<list "{n}@example.com" 20>]}
-- 200 {"data": {"$person": {"emails": [<list "{n}@example.com" 20>]}}}
POST /v1/people {"emails": [<list "{n}@example.com" 21>]} -- 422 Invalid input
* too_big ["emails"] maximum=20 type=array
POST /v1/people {"emails": ["<repeat e 254>"]} -- 200
POST /v1/people {"emails": ["ok", "<repeat e 255>"]} -- 422 Invalid input
* too_big ["emails", 1] maximum=254 type=string
POST /v1/people {"emails": ["odd but kept", "a@b@c", "é"]}
-- 200 {"data": {"emails": ["odd but kept", "a@b@c", "é"], "...": 0}}
POST /v1/people {"emails": ["", "ok"]} -- 422 Invalid input
* too_small ["emails", 0] minimum=1 type=string

== phones
POST /v1/people {"phones": [<list "+1 {n}" 20>]} -- 200 {"data": {"$person": {"phones": [<list "+1 {n}" 20>]}}}
POST /v1/people {"phones": [<list "+1 {n}" 21>]} -- 422 Invalid input
* too_big ["phones"] maximum=20 type=array
POST /v1/people {"phones": ["<repeat 1 30>"]} -- 200
POST /v1/people {"phones": ["<repeat 1 31>"]} -- 422 Invalid input
* too_big ["phones", 0] maximum=30 type=string
POST /v1/people {"phones": [""]} -- 422 Invalid input
* too_small ["phones", 0] minimum=1 type=string

== addresses
POST /v1/people {"addresses": [<list "Street {n}" 20>]} -- 200
POST /v1/people {"addresses": [<list "Street {n}" 21>]} -- 422 Invalid input
* too_big ["addresses"] maximum=20 type=array
POST /v1/people {"addresses": ["<repeat a 500>"]} -- 200
POST /v1/people {"addresses": ["<repeat a 501>"]} -- 422 Invalid input
* too_big ["addresses", 0] maximum=500 type=string
POST /v1/people {"addresses": [""]} -- 422 Invalid input
* too_small ["addresses", 0] minimum=1 type=string

== urls
POST /v1/people {"urls": [<list "https://example.com/{n}" 20>]} -- 200
POST /v1/people {"urls": [<list "https://example.com/{n}" 21>]} -- 422 Invalid input
* too_big ["urls"] maximum=20 type=array
POST /v1/people {"urls": ["<repeat u 2048>"]} -- 200
POST /v1/people {"urls": ["<repeat u 2049>"]} -- 422 Invalid input
* too_big ["urls", 0] maximum=2048 type=string
POST /v1/people {"urls": [""]} -- 422 Invalid input
* too_small ["urls", 0] minimum=1 type=string

== companies
POST /v1/people {"companies": [<list {"name": "Limit {n}"} 20>]}
-- 200 {"data": {"$person": {"companies": [<list {"id": "<com>", "name": "Limit {n}"} 20>]}}}
POST /v1/people {"companies": [<list {"name": "Limit {n}"} 21>]} -- 422 Invalid input
* too_big ["companies"] maximum=20 type=array
POST /v1/people {"companies": [{"name": "<repeat n 1000>"}]}
-- 200 {"data": {"$person": {"companies": [{"id": "<com>", "name": "<repeat n 1000>"}]}}}
POST /v1/people {"companies": [{"name": "<repeat n 1001>"}]} -- 422 Invalid input
* too_big ["companies", 0, "name"] maximum=1000 type=string

== groups: what is sent is counted
POST /v1/people {"groups": [<list {"id": "{{g1}}"} 100>]}
-- 200 {"data": {"$person": {"groups": [{"id": "{{g1}}", "name": "First"}]}}}
POST /v1/people {"groups": [<list {"id": "{{g1}}"} 101>]} -- 422 Invalid input
* too_big ["groups"] maximum=100 type=array

# --- forms

== birthday
POST /v1/people {"birthday": "2000-02-29"} -- 200 {"data": {"birthday": "2000-02-29", "...": 0}}
@each "1900-02-29" "1990-02-30" "1990-13-01" "0000-01-01" "01/02/1990"
POST /v1/people {"birthday": {{each}}} -- 422 Invalid input
* invalid_string ["birthday"] validation=date
@end
POST /v1/people {"birthday": 19900101} -- 422 Invalid input
* invalid_type ["birthday"] received=number

== gender
POST /v1/people {"gender": "Male"} -- 200 {"data": {"gender": "Male", "...": 0}}
POST /v1/people {"gender": "male"} -- 422 Invalid input
* invalid_enum_value ["gender"] options=["Male","Female","Other","Unknown"] received=male
POST /v1/people {"gender": 1} -- 422 Invalid input
* invalid_type ["gender"] received=number

== null for texts and lists is refused, each named
PATCH /v1/people/{{max}}
{"firstName": null, "lastName": null, "fullName": null, "description": null, "jobTitle": null, "groups": null,
 "companies": null, "addresses": null, "emails": null, "phones": null, "urls": null}
-- 422 Invalid input
* invalid_type ["firstName"] expected=string received=null
* invalid_type ["lastName"] expected=string received=null
* invalid_type ["fullName"] expected=string received=null
* invalid_type ["description"] expected=string received=null
* invalid_type ["jobTitle"] expected=string received=null
* invalid_type ["groups"] expected=array received=null
* invalid_type ["companies"] expected=array received=null
* invalid_type ["addresses"] expected=array received=null
* invalid_type ["emails"] expected=array received=null
* invalid_type ["phones"] expected=array received=null
* invalid_type ["urls"] expected=array received=null

== wrong types, in document order
POST /v1/people
{"urls": "u", "firstName": 1, "lastName": true, "fullName": [], "description": {}, "jobTitle": 1.5, "groups": {},
 "companies": "Acme", "addresses": 1, "emails": {"0": "a"}, "phones": [1, null, ["x"]], "customFieldValues": []}
-- 422 Invalid input
* invalid_type ["urls"] expected=array received=string
* invalid_type ["firstName"] expected=string received=number
* invalid_type ["lastName"] expected=string received=boolean
* invalid_type ["fullName"] expected=string received=array
* invalid_type ["description"] expected=string received=object
* invalid_type ["jobTitle"] expected=string received=number
* invalid_type ["groups"] expected=array received=object
* invalid_type ["companies"] expected=array received=string
* invalid_type ["addresses"] expected=array received=number
* invalid_type ["emails"] expected=array received=object
* invalid_type ["phones", 0] expected=string received=number
* invalid_type ["phones", 1] expected=string received=null
* invalid_type ["phones", 2] expected=string received=array
* invalid_type ["customFieldValues"] expected=object received=array

== all issues: values in document order, then what is missing, then unknown keys, object by object
POST /v1/people
{"noSuchField": "x", "gender": "X", "emails": ["", 5], "groups": [{"id": "short", "foo": 1}, {"bar": 2}, "g"], "firstName": "<repeat a 501>", "id": "y"}
-- 422 Invalid input
* invalid_enum_value ["gender"] options=["Male","Female","Other","Unknown"] received=X
* too_small ["emails", 0] minimum=1 type=string
* invalid_type ["emails", 1] expected=string received=number
* too_small ["groups", 0, "id"] minimum=40 type=string exact=true
* unrecognized_keys ["groups", 0] keys=["foo"]
* required ["groups", 1, "id"] expected=string
* unrecognized_keys ["groups", 1] keys=["bar"]
* invalid_type ["groups", 2] expected=object received=string
* too_big ["firstName"] maximum=500 type=string
* unrecognized_keys [] keys=["noSuchField","id"]

== what the server makes cannot be given
PATCH /v1/people/{{max}}
{"createdAt": "2020-01-01T00:00:00.000Z", "createdBy": {}, "updatedAt": "x", "interactionMetadata": {}, "strongestConnection": {}}
-- 422 Invalid input
* unrecognized_keys [] keys=["createdAt","createdBy","updatedAt","interactionMetadata","strongestConnection"]

# --- references

== ids of the wrong length
POST /v1/people {"groups": [{"id": ""}, {"id": "{{g1}}0"}], "companies": [{"id": "com_1"}]} -- 422 Invalid input
* too_small ["groups", 0, "id"] minimum=40 type=string exact=true
* too_big ["groups", 1, "id"] maximum=40 type=string exact=true
* too_small ["companies", 0, "id"] minimum=40 type=string exact=true

== ids that designate nothing
POST /v1/people {"groups": [{"id": "{{g1}}"}, {"id": "grp_00000000-0000-7000-8000-000000000000"}]} -- 422 Invalid input
* custom ["groups", 1, "id"]
POST /v1/people
{"companies": [{"id": "com_00000000-0000-7000-8000-000000000000"}, {"name": "Must not come to be"}]}
-- 422 Invalid input
* custom ["companies", 0, "id"]
@rows body issue
| {"groups": [{"id": "{{acme}}"}]}      | "groups"    |
| {"companies": [{"id": "{{g1}}"}]}     | "companies" |
| {"groups": [{"id": "<repeat x 40>"}]} | "groups"    |
PATCH /v1/people/{{max}}
{{body}}
-- 422 Invalid input
* custom [{{issue}}, 0, "id"]

== a refused request leaves no company behind
POST /v1/companies {"name": "Must not come to be", "description": "new"}
-- 200 {"data": {"$company": {"name": "Must not come to be", "description": "new"}}}

== records of another workspace are not there
@make theirs @other POST /v1/groups {"name": "Theirs", "visibility": "public"}
@make their_person @other POST /v1/people {"firstName": "Their"}
POST /v1/people {"groups": [{"id": "{{theirs}}"}]} -- 422 Invalid input
* custom ["groups", 0, "id"]

== a company is named by id or by name
POST /v1/people {"companies": [{"id": "{{acme}}", "name": "Whatever it is called meanwhile"}]}
-- 200 {"data": {"companies": [{"id": "{{acme}}", "name": "Acme"}], "...": 0}}
POST /v1/people {"companies": [{}]} -- 422 Invalid input
* <any> ["companies", 0, "..."] ...
POST /v1/people {"companies": [{"id": "{{acme}}", "foo": 1}]} -- 422 Invalid input
* unrecognized_keys ["companies", 0] keys=["foo"]

# --- ids in the path

== a malformed id is a 422
GET /v1/people/abc -- 422 Invalid path parameters
* too_small ["personId"] minimum=40 type=string exact=true
GET /v1/people/{{max}}0 -- 422 Invalid path parameters
* too_big ["personId"] maximum=40 type=string exact=true
PATCH /v1/people/per_1 {}
DELETE /v1/people/per_1
-- 422 Invalid path parameters
* too_small ["personId"] minimum=40 type=string exact=true

== unknown, of another type, of another workspace: one and the same 404
GET /v1/people/per_00000000-0000-7000-8000-000000000000 -- 404
> missing = error.message
@rows target status
| {{acme}}                                 | 404 RESOURCE_NOT_FOUND |
| {{their_person}}                         | 404                    |
| <repeat z 40>                            | 404                    |
| PER_00000000-0000-7000-8000-000000000000 | 404                    |
GET /v1/people/{{target}}
-- {{status}}
{"error": {"message": "{{missing}}", "...": 0}}
@end
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000 {"firstName": "x"}
PATCH /v1/people/{{their_person}} {"firstName": "x"}
DELETE /v1/people/{{their_person}}
DELETE /v1/people/per_00000000-0000-7000-8000-000000000000
-- 404
@other GET /v1/people/{{their_person}} -- 200
{"data": {"$person": {"id": "{{their_person}}", "firstName": "Their", "fullName": "Their", "createdBy": {{other}}}}}

== a wrong body for an unknown person is a 422
PATCH /v1/people/per_00000000-0000-7000-8000-000000000000 {"firstName": 1} -- 422 Invalid input
* invalid_type ["firstName"] expected=string received=number

# --- delete

== delete
DELETE /v1/people/{{max}} -- 200 {"data": {"id": "{{max}}"}}
GET /v1/people/{{max}}
PATCH /v1/people/{{max}} {"firstName": "x"}
DELETE /v1/people/{{max}}
-- 404
GET /v1/companies/{{acme}} -- 200 {"data": {"$company": {"id": "{{acme}}", "name": "Acme"}}}

== anybody of the workspace may change and delete a person
@bob PATCH /v1/people/{{grace}} {"jobTitle": "Changed by Bob"}
-- 200 {"data": {"jobTitle": "Changed by Bob", "createdBy": {{ada}}, "...": 0}}
@bob DELETE /v1/people/{{grace}} -- 200 {"data": {"id": "{{grace}}"}}
