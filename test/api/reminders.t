# Reminders: rules and their next times, assigned users, lists.

== the people that the reminders are about
POST /v1/people {"fullName": "Ann"} -- 200 {"data": {"$person": {"firstName": "Ann", "fullName": "Ann"}}}
> ann = data.id
POST /v1/people {"fullName": "Ben"} -- 200 {"data": {"$person": {"firstName": "Ben", "fullName": "Ben"}}}
> ben = data.id

== create and read
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "Write", "recurrenceRule": "DTSTART;TZID=Europe/Berlin:20250715T090000\nRRULE:FREQ=WEEKLY;INTERVAL=1", "visibility": "private"}
-- 200
{"data": {"$reminder": {"recurrenceRule": "DTSTART;TZID=Europe/Berlin:20250715T090000\nRRULE:FREQ=WEEKLY;INTERVAL=1"}}}
> mine = data.id
> mine_whole = data
GET /v1/reminders/{{mine}} -- 200 {"data": {{mine_whole}}}
@each bob admin other
@{{each}} GET /v1/reminders/{{mine}} -- 404
@end
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "Far", "recurrenceRule": "DTSTART;TZID=America/New_York:29990705T083000\nRRULE:COUNT=1", "visibility": "public", "assignedUsers": [{"email": "{{bob_email}}"}]}
-- 200
{"data": {"$reminder": {"name": "Far", "recurrenceRule": "DTSTART;TZID=America/New_York:29990705T083000\nRRULE:COUNT=1", "visibility": "public", "assignedUsers": [{{bob}}], "nextTriggerTime": "2999-07-05T12:30:00.000Z"}}}
> far = data.id
> far_whole = data
@bob GET /v1/reminders/{{far}} -- 200 {"data": {{far_whole}}}
POST /v1/reminders
{"entity": {"id": "{{ben}}"}, "name": "Over", "recurrenceRule": "DTSTART:20200101T000000Z\nRRULE:COUNT=1", "visibility": "private"}
-- 200
{"data": {"$reminder": {"name": "Over", "entity": {"id": "{{ben}}", "entityType": "person", "fullName": "Ben"}, "recurrenceRule": "DTSTART:20200101T000000Z\nRRULE:COUNT=1", "nextTriggerTime": null}}}
> over = data.id

== what a create needs, and its limits
POST /v1/reminders {} -- 422 Invalid input
* required ["name"] expected=string
* required ["entity"] expected=object
* required ["recurrenceRule"] expected=string
* required ["visibility"]
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "<repeat é 255>", "recurrenceRule": "DTSTART:29990101T000000Z\nRRULE:FREQ=DAILY", "visibility": "private"}
-- 200 {"data": {"name": "<repeat é 255>", "...": 0}}
> long = data.id
DELETE /v1/reminders/{{long}} -- 200 {"data": {"id": "{{long}}"}}
GET /v1/reminders/{{long}} -- 404
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "<repeat n 256>", "recurrenceRule": "every day", "visibility": "none", "x": 1}
-- 422 Invalid input
* too_big ["name"] maximum=255 type=string
* invalid_string ["recurrenceRule"] validation=rrule
* invalid_enum_value ["visibility"] options=["public","private"] received=none
* unrecognized_keys [] keys=["x"]
POST /v1/reminders
{"entity": {"id": "per_00000000-0000-7000-8000-000000000000"}, "name": "a", "recurrenceRule": "DTSTART:29990101T000000Z\nRRULE:FREQ=DAILY", "visibility": "private"}
-- 422 Invalid input
* custom ["entity", "id"]

== rules
@rows value
| "DTSTART:20260101T000000\nRRULE:FREQ=DAILY"                                     |
| "DTSTART;TZID=Mars/Olympus:20260101T000000\nRRULE:FREQ=DAILY"                   |
| "DTSTART;TZID=UTC:20260101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30" |
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "a", "recurrenceRule": {{value}}, "visibility": "private"}
-- 422 Invalid input
* invalid_string ["recurrenceRule"] validation=rrule
@end
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "a", "recurrenceRule": "DTSTART;TZID=UTC:20260101T000000\nRRULE:FREQ=DAILY;BYMINUTE=<repeat 0, 220>0", "visibility": "private"}
-- 200 {"data": {"name": "a", "...": 0}}
> five_hundred = data.id
DELETE /v1/reminders/{{five_hundred}} -- 200 {"data": {"id": "{{five_hundred}}"}}
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "a", "recurrenceRule": "DTSTART;TZID=UTC:20260101T000000\nRRULE:FREQ=DAILY;BYMINUTE=<repeat 0, 220>00", "visibility": "private"}
-- 422 Invalid input
* too_big ["recurrenceRule"] maximum=500 type=string
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "a", "recurrenceRule": "DTSTART:19980601T000000Z\nRRULE:FREQ=HOURLY;COUNT=999999999;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59;BYSETPOS=1,2,3", "visibility": "private"}
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "a", "recurrenceRule": "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;UNTIL=20251231T000000Z", "visibility": "private"}
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "a", "recurrenceRule": "DTSTART;TZID=America//Argentina/Buenos_Aires:20260101T000000\nRRULE:FREQ=DAILY", "visibility": "private"}
PATCH /v1/reminders/{{far}}
{"recurrenceRule": "DTSTART:20260101T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}
-- 422 Invalid input
* invalid_string ["recurrenceRule"] validation=rrule

== whom it reminds
@rows value issue
| "public" | required ["assignedUsers"] expected=array |
| "public", "assignedUsers": [] | too_small ["assignedUsers"] minimum=1 type=array |
| "public", "assignedUsers": [<list {"id": "{{bob_id}}"} 51>] | too_big ["assignedUsers"] maximum=50 type=array |
| "private", "assignedUsers": [{"id": "{{bob_id}}"}] | custom ["assignedUsers"] |
| "public", "assignedUsers": [{"email": "nobody@x.example"}, {"id": "{{bob_id}}", "email": "{{bob_email}}"}] | custom ["assignedUsers", 0, "email"] |
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "a", "recurrenceRule": "DTSTART:29990101T000000Z\nRRULE:FREQ=DAILY", "visibility": {{value}}}
-- 422 Invalid input
* {{issue}}

== change
PATCH /v1/reminders/{{far}}
{"recurrenceRule": "DTSTART;TZID=Asia/Kolkata:29990705T083000\nRRULE:FREQ=YEARLY", "entity": {"id": "{{ann}}"}}
-- 200
{"data": {"$reminder": {"id": "{{far}}", "name": "Far", "recurrenceRule": "DTSTART;TZID=Asia/Kolkata:29990705T083000\nRRULE:FREQ=YEARLY", "visibility": "public", "assignedUsers": [{{bob}}], "nextTriggerTime": "2999-07-05T03:00:00.000Z"}}}
PATCH /v1/reminders/{{far}} {"entity": {"id": "{{ben}}"}} -- 422 Invalid input
* unrecognized_keys [] keys=["entity"]
PATCH /v1/reminders/{{far}} {"assignedUsers": []} -- 422 Invalid input
* too_small ["assignedUsers"] minimum=1 type=array
PATCH /v1/reminders/{{far}} {"nextTriggerTime": "2026-01-01T00:00:00Z", "name": ""} -- 422 Invalid input
* too_small ["name"] minimum=1 type=string
* unrecognized_keys [] keys=["nextTriggerTime"]
PATCH /v1/reminders/{{far}} {"visibility": "private"}
-- 200 {"data": {"visibility": "private", "assignedUsers": [], "...": 0}}
PATCH /v1/reminders/{{far}} {"visibility": "public"} -- 422 Invalid input
* required ["assignedUsers"] expected=array
PATCH /v1/reminders/{{far}} {"assignedUsers": [{"id": "{{bob_id}}"}]} -- 422 Invalid input
* custom ["assignedUsers"]
PATCH /v1/reminders/{{far}}
{"visibility": "public", "assignedUsers": [{"id": "{{bob_id}}"}, {"id": "{{ada_id}}"}]}
-- 200 {"data": {"visibility": "public", "assignedUsers": [{{bob}}, {{ada}}], "...": 0}}
@bob PATCH /v1/reminders/{{mine}} {"name": "x"}
@bob DELETE /v1/reminders/{{mine}}
-- 404
GET /v1/reminders/rmd_1 -- 422 Invalid path parameters
* too_small ["reminderId"] minimum=40 type=string exact=true

== lists
GET /v1/reminders -- 200
{"data": {"items": [{"id": "{{mine}}", "...": 0}, {"id": "{{far}}", "...": 0}, {"id": "{{over}}", "...": 0}], "pagination": {}}}
@bob GET /v1/reminders -- 200 {"data": {"items": [{"id": "{{far}}", "...": 0}], "pagination": {}}}
GET /v1/reminders?entity.id={{ben}} -- 200 {"data": {"items": [{"id": "{{over}}", "...": 0}], "pagination": {}}}
GET /v1/reminders?filter[entity.id][eq]={{ann}}&limit=1 -- 200
{"data": {"items": [{"id": "{{mine}}", "...": 0}], "pagination": {"nextLink": "<link {{base}}/v1/reminders?filter%5Bentity.id%5D%5Beq%5D={{ann}}&limit=1>"}}}
> more = data.pagination.nextLink
GET {{more}} -- 200 {"data": {"items": [{"id": "{{far}}", "...": 0}], "pagination": {}}}

== a reminder that is due moves on
POST /v1/reminders
{"entity": {"id": "{{ann}}"}, "name": "Ticks", "recurrenceRule": "DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY", "visibility": "private"}
-- 200 {"data": {"lastTriggerTime": null, "nextTriggerTime": "<time>", "...": 0}}
> ticks = data.id
@poll 5
GET /v1/reminders/{{ticks}} -- 200 {"data": {"lastTriggerTime": "<time>", "nextTriggerTime": "<time>", "...": 0}}

== an entity takes its reminders with it
DELETE /v1/people/{{ann}} -- 200 {"data": {"id": "{{ann}}"}}
GET /v1/reminders/{{far}} -- 404
GET /v1/reminders -- 200 {"data": {"items": [{"id": "{{over}}", "...": 0}], "pagination": {}}}
