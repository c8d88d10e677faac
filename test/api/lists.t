# Lists: pages, links, cursors, order, count.

== an empty list
@each people companies groups
GET /v1/{{each}} -- 200 {"data": {"items": [], "pagination": {}}}
@end
GET /v1/people?count=exact -- 200 {"data": {"items": [], "pagination": {"count": 0}}}

== twenty-five people
@repeat 25 POST /v1/people {"firstName": "P{{n}}"} -- 200

== a page holds twenty unless told otherwise, oldest first
GET /v1/people
-- 200 {"data": {"items": [<list {"$person": {"firstName": "P{n}", "fullName": "P{n}"}} 20>],
	"pagination": {"nextLink": "<link {{base}}/v1/people?limit=20>"}}}
> next = data.pagination.nextLink
> first = data.items.0
> p1 = data.items.0.id
> p3 = data.items.2.id

== nextLink leads on, and the last page has none
GET {{next}}
-- 200 {"data": {"items": [
	{"firstName": "P21", "...": 0}, {"firstName": "P22", "...": 0}, {"firstName": "P23", "...": 0}, {"firstName": "P24", "...": 0},
	{"firstName": "P25", "...": 0}], "pagination": {}}}

== an item is what the single record is
GET /v1/people/{{p1}} -- 200 {"data": {{first}}}

== a page that ends with the last record has no nextLink
GET /v1/people?limit=25 -- 200 {"data": {"items": [<list {"firstName": "P{n}", "...": 0} 25>], "pagination": {}}}
GET /v1/people?limit=24 -- 200
{"data": {"items": [<list {"firstName": "P{n}", "...": 0} 24>], "pagination": {"nextLink": "<link {{base}}/v1/people?limit=24>"}}}

== limit
GET /v1/people?limit=1 -- 200
{"data": {"items": [{"firstName": "P1", "...": 0}], "pagination": {"nextLink": "<link {{base}}/v1/people?limit=1>"}}}
GET /v1/people?limit=100 -- 200 {"data": {"items": [<list {"firstName": "P{n}", "...": 0} 25>], "pagination": {}}}
@rows target issue
| people?limit=0                    | too_small ["limit"] minimum=1 type=number |
| people?limit=101                  | too_big ["limit"] maximum=100 type=number |
| people?limit=-1                   | <any> ["limit"] ...                       |
| people?limit=abc                  | invalid_type ["limit"]                    |
| people?limit=1.5                  | invalid_type ["limit"]                    |
| people?limit=                     | <any> ["limit"] ...                       |
| people?limit                      | <any> ["limit"] ...                       |
| people?limit=99999999999999999999 | <any> ["limit"] ...                       |
| companies?limit=101               | too_big ["limit"] maximum=100 type=number |
| groups?limit=0                    | too_small ["limit"] minimum=1 type=number |
| users?limit=101                   | too_big ["limit"] maximum=100 type=number |
GET /v1/{{target}} -- 422 Invalid query parameters
* {{issue}}

== of a repeated single parameter the last counts
GET /v1/people?limit=abc&limit=2 -- 200
{"data": {"items": [{"firstName": "P1", "...": 0}, {"firstName": "P2", "...": 0}], "pagination": {"nextLink": "<string>"}}}

== keys and values are percent-decoded
GET /v1/people?%6Cimit=%32 -- 200
{"data": {"items": [{"firstName": "P1", "...": 0}, {"firstName": "P2", "...": 0}], "pagination": {"nextLink": "<link {{base}}/v1/people?limit=2>"}}}

== nextLink repeats the caller's query, unknown keys too
GET /v1/people?foo=bar&limit=2&sp%20ace=a+b%26c&foo=again
-- 200 {"data": {"items": [{"firstName": "P1", "...": 0}, {"firstName": "P2", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/people?foo=bar&limit=2&sp%20ace=a%20b%26c&foo=again>"}},
	"warnings": [{"code": "unknown_parameter", "path": ["foo"], "message": "<text>"}, {"code": "unknown_parameter", "path": ["sp ace"], "message": "<text>"}]}
> warnings = warnings
> next = data.pagination.nextLink
GET {{next}}
-- 200 {"data": {"items": [{"firstName": "P3", "...": 0}, {"firstName": "P4", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/people?foo=bar&limit=2&sp%20ace=a%20b%26c&foo=again>"}}, "warnings": {{warnings}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"firstName": "P5", "...": 0}, {"firstName": "P6", "...": 0}], "pagination": {"nextLink": "<string>"}}, "warnings": {{warnings}}}

== nextLink names the host that the caller used
GET /v1/people?limit=1 (Host: kith.example.org:81) -- 200
{"data": {"items": ["..."], "pagination": {"nextLink": "<link http://kith.example.org:81/v1/people?limit=1>"}}}

== and what a trusted proxy says
GET /v1/people?limit=1
X-Forwarded-Proto: https
X-Forwarded-Host: api.example.org
-- 200 {"data": {"items": ["..."], "pagination": {"nextLink": "<link https://api.example.org/v1/people?limit=1>"}}}
GET /v1/people/per_1
X-Forwarded-Proto: https
X-Forwarded-Host: api.example.org
-- 422 {"error": {"documentationUrl": "https://api.example.org/docs/errors#unprocessable-entity", "...": 0}}

# --- order

== newest first
GET /v1/people?sort=-createdAt&limit=2
-- 200 {"data": {"items": [{"firstName": "P25", "...": 0}, {"firstName": "P24", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/people?sort=-createdAt&limit=2>"}}}
> newest_next = data.pagination.nextLink
GET {{newest_next}} -- 200
{"data": {"items": [{"firstName": "P23", "...": 0}, {"firstName": "P22", "...": 0}], "pagination": {"nextLink": "<string>"}}}
GET /v1/people?sort=createdAt&limit=1 -- 200
{"data": {"items": [{"firstName": "P1", "...": 0}], "pagination": {"nextLink": "<link {{base}}/v1/people?sort=createdAt&limit=1>"}}}

== by last change
PATCH /v1/people/{{p3}} {"jobTitle": "changed"} -- 200
GET /v1/people?sort=-updatedAt&limit=3 -- 200
{"data": {"items": [{"firstName": "P3", "...": 0}, {"firstName": "P25", "...": 0}, {"firstName": "P24", "...": 0}],
	"pagination": {"nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"firstName": "P23", "...": 0}, {"firstName": "P22", "...": 0}, {"firstName": "P21", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/people?sort=-updatedAt&limit=3>"}}}
GET /v1/people?sort=updatedAt&limit=3 -- 200
{"data": {"items": [{"firstName": "P1", "...": 0}, {"firstName": "P2", "...": 0}, {"firstName": "P4", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/people?sort=updatedAt&limit=3>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"firstName": "P5", "...": 0}, {"firstName": "P6", "...": 0}, {"firstName": "P7", "...": 0}], "pagination": {"nextLink": "<string>"}}}

== a list walked by updatedAt to its end holds every record once
GET /v1/people?sort=updatedAt&limit=10 -- 200 {"data": {"items": ["..."], "pagination": {"nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [<list "<object>" 10>], "pagination": {"nextLink": "<string>"}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"firstName": "P22", "...": 0}, {"firstName": "P23", "...": 0}, {"firstName": "P24", "...": 0}, {"firstName": "P25", "...": 0}, {"firstName": "P3", "...": 0}],
	"pagination": {}}}

== another order is a 422
GET /v1/people?sort=name -- 422 Invalid query parameters
* invalid_enum_value ["sort"] options=["createdAt","-createdAt","updatedAt","-updatedAt"] received=name
GET /v1/companies?sort= -- 422 Invalid query parameters
* invalid_enum_value ["sort"] options=["createdAt","-createdAt","updatedAt","-updatedAt"] received=""

# --- count

== count is of the whole list
GET /v1/people?count=exact&limit=2
-- 200 {"data": {"items": [{"firstName": "P1", "...": 0}, {"firstName": "P2", "...": 0}],
	"pagination": {"nextLink": "<link {{base}}/v1/people?count=exact&limit=2>", "count": 25}}}
> next = data.pagination.nextLink
GET {{next}} -- 200
{"data": {"items": [{"firstName": "P3", "...": 0}, {"firstName": "P4", "...": 0}], "pagination": {"nextLink": "<string>", "count": 25}}}
GET /v1/people?count=estimated&limit=100 -- 200 {"data": {"items": [<list "<object>" 25>], "pagination": {"count": 25}}}
GET /v1/people?count=all -- 422 Invalid query parameters
* invalid_enum_value ["count"] options=["exact","estimated"] received=all

== combinator
GET /v1/people?combinator=or&limit=1 -- 200
{"data": {"items": [{"firstName": "P1", "...": 0}], "pagination": {"nextLink": "<link {{base}}/v1/people?combinator=or&limit=1>"}}}
GET /v1/companies?combinator=xor -- 422 Invalid query parameters
* invalid_enum_value ["combinator"] options=["and","or"] received=xor

== all issues, in the order of the query
GET /v1/people?count=1&limit=0&sort=x&combinator=nor -- 422 Invalid query parameters
* invalid_enum_value ["count"] options=["exact","estimated"] received="1"
* too_small ["limit"] minimum=1 type=number
* invalid_enum_value ["sort"] options=["createdAt","-createdAt","updatedAt","-updatedAt"] received=x
* invalid_enum_value ["combinator"] options=["and","or"] received=nor

# --- cursors

== an empty cursor is an absent one
GET /v1/people?cursor=&limit=1
-- 200 {"data": {"items": [{"firstName": "P1", "...": 0}], "pagination": {"nextLink": "<string>"}}}

== a forged cursor
GET /v1/people?cursor=abc
GET {{newest_next}}x
-- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor
@rows target issue
| people?cursor=<repeat c 512> | invalid_string ["cursor"] validation=cursor |
| people?cursor=<repeat c 513> | too_big ["cursor"] maximum=512 type=string  |
| groups?cursor=abc            | invalid_string ["cursor"] validation=cursor |
| users?cursor=%00             | <any> ["cursor"] ...                        |
GET /v1/{{target}} -- 422 Invalid query parameters
* {{issue}}

== a cursor belongs to its order, its endpoint and its workspace
GET {{newest_next}}&sort=createdAt
GET {{newest_next}}&combinator=or
@other GET {{newest_next}}
-- 422 Invalid query parameters
* invalid_string ["cursor"] validation=cursor

== and not to a page size, an unknown key or a user
GET {{newest_next}}&limit=1&foo=1 -- 200
{"data": {"items": [{"firstName": "P23", "...": 0}], "pagination": {"nextLink": "<string>"}}, "warnings": [{"code": "unknown_parameter", "path": ["foo"], "message": "<text>"}]}
@bob GET {{newest_next}} -- 200
{"data": {"items": [{"firstName": "P23", "...": 0}, {"firstName": "P22", "...": 0}], "pagination": {"nextLink": "<string>"}}}

== records that come and go do not disturb the walk
GET /v1/people?limit=2 -- 200
> next = data.pagination.nextLink
> p2 = data.items.1.id
DELETE /v1/people/{{p1}}
DELETE /v1/people/{{p2}}
POST /v1/people {"firstName": "P26"}
-- 200
GET {{next}} -- 200
{"data": {"items": [{"firstName": "P3", "...": 0}, {"firstName": "P4", "...": 0}], "pagination": {"nextLink": "<string>"}}}
GET /v1/people?count=exact&limit=1 -- 200
{"data": {"items": [{"firstName": "P3", "...": 0}], "pagination": {"nextLink": "<string>", "count": 24}}}

== another workspace sees none of it
@other GET /v1/people?count=exact -- 200 {"data": {"items": [], "pagination": {"count": 0}}}

== companies are listed the same way
@repeat 3 POST /v1/companies {"name": "C{{n}}"} -- 200
GET /v1/companies?limit=2&count=exact
-- 200 {"data": {"items": [{"$company": {"name": "C1"}}, {"$company": {"name": "C2"}}],
	"pagination": {"nextLink": "<link {{base}}/v1/companies?limit=2&count=exact>", "count": 3}}}
> next = data.pagination.nextLink
GET {{next}} -- 200 {"data": {"items": [{"$company": {"name": "C3"}}], "pagination": {"count": 3}}}
GET /v1/companies?sort=-createdAt -- 200
{"data": {"items": [{"name": "C3", "...": 0}, {"name": "C2", "...": 0}, {"name": "C1", "...": 0}], "pagination": {}}}
GET /v1/companies?sort=-updatedAt&limit=1
-- 200 {"data": {"items": [{"name": "C3", "...": 0}], "pagination": {"nextLink": "<string>"}}}
