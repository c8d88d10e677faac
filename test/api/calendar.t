# Calendars: who gets one, and its parameters. Their content is in test/flow/test_calendar.c.
@users carol

== only a calendar key is an address, and nothing tells why not
POST /v1/keys {"scopes": ["calendar"]} -- 200
> token = data.key
> id = data.id
POST /v1/keys {"scopes": ["contacts"]} -- 200
> phone = data.key
@none GET /calendar/{{phone}}.ics
@none GET /calendar/{{ada_key}}.ics
@none GET /calendar/{{readonly_key}}.ics
@none GET /calendar/kith_000000000000000000000000000000000000.ics
@none GET /calendar/{{token}}
@none GET /calendar/{{token}}.ICS
@none GET /calendar/{{token}}.ics.ics
@none GET /calendar/{{token}}%2eics.ics
@none GET /calendar/%00{{token}}.ics
@none GET /calendar/.ics
@none GET /calendar/{{phone}}.ics?include=nothing
GET /calendar/{{phone}}.ics
-- 404 (!X-RateLimit-Limit) {"error": {"message": "Resource not found", "...": 0}}
@none GET /calendar/{{token}}.ics/ -- 404
@none GET /calendar -- 404
DELETE /v1/keys/{{id}} -- 200
@none GET /calendar/{{token}}.ics -- 404

== it can only be read
POST /v1/keys {"scopes": ["calendar"]} -- 200
> token = data.key
@none PUT /calendar/{{token}}.ics -- 405 (Allow: GET, HEAD, OPTIONS, PROPFIND)
@none POST /calendar/{{token}}.ics -- 405 (Allow: GET, HEAD, OPTIONS, PROPFIND)
@none DELETE /calendar/{{token}}.ics -- 405 (Allow: GET, HEAD, OPTIONS, PROPFIND)

== parameters
@rows query issue
| include=tasks,nothing | invalid_enum_value ["include"] options=["tasks","reminders","birthdays"] received=nothing |
| include=tasks,        | invalid_enum_value ["include"] ...                                                       |
| include=birthdays     | required ["group"] expected=array                                                        |
| group=grp_1           | too_small ["group"] minimum=40 type=string exact=true                                    |
| group={{ada_id}}1     | too_big ["group"] maximum=40 type=string exact=true                                      |
@none GET /calendar/{{token}}.ics?{{query}} -- 422
* {{issue}}
@end
