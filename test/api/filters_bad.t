# Refused filters, and unusual ones that are accepted.

== what is there
@make g POST /v1/groups {"name": "g", "visibility": "public"}
@rows value
| "Text", "type": "textField"                                  |
| "Number", "type": "numericField"                             |
| "Date", "type": "dateField"                                  |
| "One", "type": "singleSelect", "options": [{"label": "Low"}] |
| "User", "type": "userField"                                  |
| "Contact", "type": "contactField"                            |
| "We][ird [in] 'x' . é 😀", "type": "textField"                |
POST /v1/groups/{{g}}/custom-fields/person {"name": {{value}}} -- 200
@end
@make ann POST /v1/people
{"firstName": "Ann", "groups": [{"id": "{{g}}"}], "customFieldValues": {"{{g}}": {"We][ird [in] 'x' . é 😀": "there"}}}

== unknown fields and operators
GET /v1/people?filter[foo][eq]=x -- 422 Invalid query parameters
* unrecognized_keys ["filter"] keys=["foo"]
GET /v1/people?filter[foo][eq]=x&limit=abc&filter[bar][eq]=x&filter[Emails][eq]=x -- 422 Invalid query parameters
* unrecognized_keys ["filter"] keys=["foo", "bar", "Emails"]
* invalid_type ["limit"]
GET /v1/people?limit=0&filter[emails][gt]=x&sort=up -- 422 Invalid query parameters
* too_small ["limit"] minimum=1 type=number
* unrecognized_keys ["filter", "emails"] keys=["gt"]
* invalid_enum_value ["sort"] ...
GET /v1/people?filter[emails][EQ]=x&filter[emails][gt]=x -- 422 Invalid query parameters
* unrecognized_keys ["filter", "emails"] keys=["EQ", "gt"]
GET /v1/people?filter[emails]=x -- 422 Invalid query parameters
* invalid_type ["filter", "emails"] expected=object received=string
GET /v1/people?filter[emails=x -- 422 Invalid query parameters
* unrecognized_keys ["filter"] keys=["emails"]
GET /v1/people?filter[=x -- 422 Invalid query parameters
* unrecognized_keys ["filter"] keys=[""]
@rows target issue
| people?filter[][]=x                     | ""                   |
| people?filter[companies.industry][eq]=x | "companies.industry" |
| people?filter[name][eq]=x               | "name"               |
| people?filter[firstName'%3Bdrop][eq]=x  | "firstName';drop"    |
| companies?filter[gender][eq]=Male       | "gender"             |
GET /v1/{{target}} -- 422 Invalid query parameters
* unrecognized_keys ["filter"] keys=[{{issue}}]
@end
GET /v1/tasks?filter[title][eq]=x&filter[dueAt][empty] -- 422 Invalid query parameters
* unrecognized_keys ["filter", "dueAt"] keys=["empty"]
* unrecognized_keys ["filter"] keys=["title"]

== sub-keys
@rows target issue
| people?filter[emails][like][id]=x     | unrecognized_keys ["filter", "emails", "like"] keys=["id"]              |
| people?filter[groups][in]={{g}}       | invalid_type ["filter", "groups", "in"] expected=object received=string |
| people?filter[groups][in][email]=x    | unrecognized_keys ["filter", "groups", "in"] keys=["email"]             |
| people?filter[createdBy][in][name]=x  | unrecognized_keys ["filter", "createdBy", "in"] keys=["name"]           |
| people?filter[groups][in][id][0][1]=x | unrecognized_keys ["filter", "groups", "in"] ...                        |
| people?filter[groups][empty][id]=x    | unrecognized_keys ["filter", "groups", "empty"] keys=["id"]             |
| tasks?filter[entity][in][id]={{ann}}  | unrecognized_keys ["filter", "entity", "in"] keys=["id"]                |
GET /v1/{{target}} -- 422 Invalid query parameters
* {{issue}}

== empty values
@rows target issue
| filter[emails][like]        | too_small ["filter", "emails", "like"] minimum=1 type=string                       |
| filter[emails][like]=       | too_small ["filter", "emails", "like"] minimum=1 type=string                       |
| filter[birthday][gt]=       | too_small ["filter", "birthday", "gt"] minimum=1 type=string                       |
| filter[emails][empty]=false | invalid_enum_value ["filter", "emails", "empty"] options=["true"] received="false" |
| filter[emails][empty]=0     | invalid_enum_value ["filter", "emails", "empty"] options=["true"] received="0"     |
| filter[emails][empty]=x     | invalid_enum_value ["filter", "emails", "empty"] options=["true"] received="x"     |
| filter[emails][empty]=True  | invalid_enum_value ["filter", "emails", "empty"] options=["true"] received="True"  |
GET /v1/people?{{target}} -- 422 Invalid query parameters
* {{issue}}

== values of the wrong type
@rows target issue
| people?filter[birthday][eq]=x | invalid_string ["filter", "birthday", "eq"] validation=date |
| people?filter[birthday][eq]=2026-02-30 | invalid_string ["filter", "birthday", "eq"] validation=date |
| people?filter[birthday][eq]=2026-1-1 | invalid_string ["filter", "birthday", "eq"] validation=date |
| people?filter[birthday][eq]=10000-01-01 | invalid_string ["filter", "birthday", "eq"] validation=date |
| people?filter[birthday][eq]=0 | invalid_string ["filter", "birthday", "eq"] validation=date |
| people?filter[birthday][eq]=01/02/2026 | invalid_string ["filter", "birthday", "eq"] validation=date |
| people?filter[birthday][eq]=2026-01-01T00:00:00Z | invalid_string ["filter", "birthday", "eq"] validation=date |
| people?filter[createdAt][gt]=yesterday | invalid_string ["filter", "createdAt", "gt"] validation=date |
| people?filter[gender][eq]=female | invalid_enum_value ["filter", "gender", "eq"] options=["Male", "Female", "Other", "Unknown"] received=female |
| companies?filter[fundingRaised][gt]=much | invalid_type ["filter", "fundingRaised", "gt"] expected=number received=string |
| companies?filter[foundationYear][eq]=0x10 | invalid_type ["filter", "foundationYear", "eq"] expected=number received=string |
GET /v1/{{target}} -- 422 Invalid query parameters
* {{issue}}
@end
GET /v1/companies?filter[fundingRaised][gt]=NaN&filter[fundingRaised][lt]=Infinity -- 422 Invalid query parameters
* invalid_type ["filter", "fundingRaised", "gt"] ...
* invalid_type ["filter", "fundingRaised", "lt"] ...
GET /v1/tasks?filter[completedAt][gt]=x -- 422 Invalid query parameters
* invalid_string ["filter", "completedAt", "gt"] validation=datetime
GET /v1/people?filter[birthday][gt]=2026-01-01&filter[birthday][gt]=2026-01-02 -- 422 Invalid query parameters
* too_big ["filter", "birthday", "gt"] maximum=1 type=array

== ids
@rows target issue
| filter[groups][in][id]=grp_1 | too_small ["filter", "groups", "in", "id"] minimum=40 type=string exact=true |
| filter[companies][in][id]={{ann}}1 | too_big ["filter", "companies", "in", "id"] maximum=40 type=string exact=true |
| filter[groups][in][id]=grp_01234567-89ab-7cde-8f01-23456789abcd&filter[groups][in][id]={{g}} | custom ["filter", "groups", "in", "id"] |
| filter[groups][in][id]={{ann}} | custom ["filter", "groups", "in", "id"] |
| filter[companies][in][id]=COM_01234567-89ab-7cde-8f01-23456789abcd | invalid_string ["filter", "companies", "in", "id"] validation=regex |
GET /v1/people?{{target}} -- 422 Invalid query parameters
* {{issue}}
@end
GET /v1/people?filter[companies][in][id]=com_01234567-89ab-7cde-8f01-23456789abcd
-- 200 {"data": {"items": [], "pagination": {}}}

== custom fields
@rows target issue
| customFieldValues.{{g}}.Nothing | custom ["filter", "customFieldValues.{{g}}.Nothing"] |
| customFieldValues.{{g}}.text | custom ["filter", "customFieldValues.{{g}}.text"] |
| customFieldValues.grp_01234567-89ab-7cde-8f01-23456789abcd.Text | custom ["filter", "customFieldValues.grp_01234567-89ab-7cde-8f01-23456789abcd.Text"] |
| customFieldValues.Text | unrecognized_keys ["filter"] keys=["customFieldValues.Text"] |
| customFieldValues | unrecognized_keys ["filter"] keys=["customFieldValues"] |
GET /v1/people?filter[{{target}}][eq]=x -- 422 Invalid query parameters
* {{issue}}
@end
GET /v1/people?filter[customFieldValues.{{g}}.Text][gt]=x -- 422 Invalid query parameters
* unrecognized_keys ["filter", "customFieldValues.{{g}}.Text"] keys=["gt"]
GET /v1/people?filter[customFieldValues.{{g}}.Number][like]=x&filter[customFieldValues.{{g}}.Number][gt]=x
-- 422 Invalid query parameters
* custom ["filter", "customFieldValues.{{g}}.Number", "gt"]
* unrecognized_keys ["filter", "customFieldValues.{{g}}.Number"] keys=["like"]
@rows target issue
| filter[customFieldValues.{{g}}.Date][gt]=x | custom ["filter", "customFieldValues.{{g}}.Date", "gt"] |
| filter[customFieldValues.{{g}}.One][in]=low | custom ["filter", "customFieldValues.{{g}}.One", "in"] |
| filter[customFieldValues.{{g}}.One][all]=Low | unrecognized_keys ["filter", "customFieldValues.{{g}}.One"] keys=["all"] |
| filter[customFieldValues.{{g}}.User][in]={{ada_id}} | invalid_type ["filter", "customFieldValues.{{g}}.User", "in"] expected=object received=string |
| filter[customFieldValues.{{g}}.Contact][in][email]=x | unrecognized_keys ["filter", "customFieldValues.{{g}}.Contact", "in"] keys=["email"] |
GET /v1/people?{{target}} -- 422 Invalid query parameters
* {{issue}}

== names may hold brackets, dots, operators, anything
GET /v1/people?filter[customFieldValues.{{g}}.We%5D%5Bird%20%5Bin%5D%20'x'%20.%20%C3%A9%20%F0%9F%98%80][eq]=there
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}
GET /v1/people?filter[customFieldValues.{{g}}.We%5D%5Bird%20%5Bin%5D%20'x'%20.%20%C3%A9%20%F0%9F%98%80][not_eq]=there
-- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[customFieldValues.{{g}}.We][ird+[in]+'x'+.+%C3%A9+%F0%9F%98%80][like]=HERE
-- 200 {"data": {"items": [{"firstName": "Ann", "...": 0}], "pagination": {}}}

== bytes
@rows target issue
| filter[firstName][eq]=a%00b           | invalid_string ["filter", "firstName", "eq"] validation=regex   |
| filter[first%00Name][eq]=a            | unrecognized_keys ["filter"] keys=["first\u0000Name"]           |
| filter[firstName][like]=x%ff          | invalid_string ["filter", "firstName", "like"] validation=regex |
| filter[firstName][like]=x%c0%af       | invalid_string ["filter", "firstName", "like"] validation=regex |
| filter[firstName][like]=x%ed%a0%80    | invalid_string ["filter", "firstName", "like"] validation=regex |
| filter[firstName][like]=x%f4%90%80%80 | invalid_string ["filter", "firstName", "like"] validation=regex |
| filter[firstName][like]=x%e2%82       | invalid_string ["filter", "firstName", "like"] validation=regex |
| filter[first%ffName][eq]=a            | invalid_string ["filter"] validation=regex                      |
| filter[emails][empty]=%ff             | invalid_string ["filter", "emails", "empty"] validation=regex   |
GET /v1/people?{{target}} -- 422 Invalid query parameters
* {{issue}}
@end
GET /v1/people?filter[firstName][eq]=%
GET /v1/people?filter[firstName][eq]=%zz%4
-- 200 {"data": {"items": [], "pagination": {}}}

== twenty filters, a hundred values
GET /v1/people?filter[fullName][eq]=x&filter[fullName][not_eq]=x&filter[fullName][like]=x&filter[fullName][not_like]=x&filter[fullName][not_empty]=&filter[firstName][eq]=x&filter[firstName][not_eq]=x&filter[firstName][like]=x&filter[firstName][not_like]=x&filter[firstName][not_empty]=&filter[lastName][eq]=x&filter[lastName][not_eq]=x&filter[lastName][like]=x&filter[lastName][not_like]=x&filter[lastName][not_empty]=&filter[jobTitle][eq]=x&filter[jobTitle][not_eq]=x&filter[jobTitle][like]=x&filter[jobTitle][not_like]=x&filter[jobTitle][not_empty]=
-- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[fullName][eq]=x&filter[fullName][not_eq]=x&filter[fullName][like]=x&filter[fullName][not_like]=x&filter[fullName][not_empty]=&filter[firstName][eq]=x&filter[firstName][not_eq]=x&filter[firstName][like]=x&filter[firstName][not_like]=x&filter[firstName][not_empty]=&filter[lastName][eq]=x&filter[lastName][not_eq]=x&filter[lastName][like]=x&filter[lastName][not_like]=x&filter[lastName][not_empty]=&filter[jobTitle][eq]=x&filter[jobTitle][not_eq]=x&filter[jobTitle][like]=x&filter[jobTitle][not_like]=x&filter[jobTitle][not_empty]=&filter[description][eq]=x
-- 422 Invalid query parameters
* too_big ["filter"] maximum=20 type=array
GET /v1/people?filter[urls][eq]=0&filter[urls][eq]=1&filter[urls][eq]=2&filter[urls][eq]=3&filter[urls][eq]=4&filter[urls][eq]=5&filter[urls][eq]=6&filter[urls][eq]=7&filter[urls][eq]=8&filter[urls][eq]=9&filter[urls][eq]=10&filter[urls][eq]=11&filter[urls][eq]=12&filter[urls][eq]=13&filter[urls][eq]=14&filter[urls][eq]=15&filter[urls][eq]=16&filter[urls][eq]=17&filter[urls][eq]=18&filter[urls][eq]=19&filter[urls][eq]=20&filter[urls][eq]=21&filter[urls][eq]=22&filter[urls][eq]=23&filter[urls][eq]=24&filter[urls][eq]=25&filter[urls][eq]=26&filter[urls][eq]=27&filter[urls][eq]=28&filter[urls][eq]=29&filter[urls][eq]=30&filter[urls][eq]=31&filter[urls][eq]=32&filter[urls][eq]=33&filter[urls][eq]=34&filter[urls][eq]=35&filter[urls][eq]=36&filter[urls][eq]=37&filter[urls][eq]=38&filter[urls][eq]=39&filter[urls][eq]=40&filter[urls][eq]=41&filter[urls][eq]=42&filter[urls][eq]=43&filter[urls][eq]=44&filter[urls][eq]=45&filter[urls][eq]=46&filter[urls][eq]=47&filter[urls][eq]=48&filter[urls][eq]=49&filter[urls][eq]=50&filter[urls][eq]=51&filter[urls][eq]=52&filter[urls][eq]=53&filter[urls][eq]=54&filter[urls][eq]=55&filter[urls][eq]=56&filter[urls][eq]=57&filter[urls][eq]=58&filter[urls][eq]=59&filter[urls][eq]=60&filter[urls][eq]=61&filter[urls][eq]=62&filter[urls][eq]=63&filter[urls][eq]=64&filter[urls][eq]=65&filter[urls][eq]=66&filter[urls][eq]=67&filter[urls][eq]=68&filter[urls][eq]=69&filter[urls][eq]=70&filter[urls][eq]=71&filter[urls][eq]=72&filter[urls][eq]=73&filter[urls][eq]=74&filter[urls][eq]=75&filter[urls][eq]=76&filter[urls][eq]=77&filter[urls][eq]=78&filter[urls][eq]=79&filter[urls][eq]=80&filter[urls][eq]=81&filter[urls][eq]=82&filter[urls][eq]=83&filter[urls][eq]=84&filter[urls][eq]=85&filter[urls][eq]=86&filter[urls][eq]=87&filter[urls][eq]=88&filter[urls][eq]=89&filter[urls][eq]=90&filter[urls][eq]=91&filter[urls][eq]=92&filter[urls][eq]=93&filter[urls][eq]=94&filter[urls][eq]=95&filter[urls][eq]=96&filter[urls][eq]=97&filter[urls][eq]=98&filter[urls][eq]=99
-- 200 {"data": {"items": [], "pagination": {}}}
GET /v1/people?filter[urls][eq]=0&filter[urls][eq]=1&filter[urls][eq]=2&filter[urls][eq]=3&filter[urls][eq]=4&filter[urls][eq]=5&filter[urls][eq]=6&filter[urls][eq]=7&filter[urls][eq]=8&filter[urls][eq]=9&filter[urls][eq]=10&filter[urls][eq]=11&filter[urls][eq]=12&filter[urls][eq]=13&filter[urls][eq]=14&filter[urls][eq]=15&filter[urls][eq]=16&filter[urls][eq]=17&filter[urls][eq]=18&filter[urls][eq]=19&filter[urls][eq]=20&filter[urls][eq]=21&filter[urls][eq]=22&filter[urls][eq]=23&filter[urls][eq]=24&filter[urls][eq]=25&filter[urls][eq]=26&filter[urls][eq]=27&filter[urls][eq]=28&filter[urls][eq]=29&filter[urls][eq]=30&filter[urls][eq]=31&filter[urls][eq]=32&filter[urls][eq]=33&filter[urls][eq]=34&filter[urls][eq]=35&filter[urls][eq]=36&filter[urls][eq]=37&filter[urls][eq]=38&filter[urls][eq]=39&filter[urls][eq]=40&filter[urls][eq]=41&filter[urls][eq]=42&filter[urls][eq]=43&filter[urls][eq]=44&filter[urls][eq]=45&filter[urls][eq]=46&filter[urls][eq]=47&filter[urls][eq]=48&filter[urls][eq]=49&filter[urls][eq]=50&filter[urls][eq]=51&filter[urls][eq]=52&filter[urls][eq]=53&filter[urls][eq]=54&filter[urls][eq]=55&filter[urls][eq]=56&filter[urls][eq]=57&filter[urls][eq]=58&filter[urls][eq]=59&filter[urls][eq]=60&filter[urls][eq]=61&filter[urls][eq]=62&filter[urls][eq]=63&filter[urls][eq]=64&filter[urls][eq]=65&filter[urls][eq]=66&filter[urls][eq]=67&filter[urls][eq]=68&filter[urls][eq]=69&filter[urls][eq]=70&filter[urls][eq]=71&filter[urls][eq]=72&filter[urls][eq]=73&filter[urls][eq]=74&filter[urls][eq]=75&filter[urls][eq]=76&filter[urls][eq]=77&filter[urls][eq]=78&filter[urls][eq]=79&filter[urls][eq]=80&filter[urls][eq]=81&filter[urls][eq]=82&filter[urls][eq]=83&filter[urls][eq]=84&filter[urls][eq]=85&filter[urls][eq]=86&filter[urls][eq]=87&filter[urls][eq]=88&filter[urls][eq]=89&filter[urls][eq]=90&filter[urls][eq]=91&filter[urls][eq]=92&filter[urls][eq]=93&filter[urls][eq]=94&filter[urls][eq]=95&filter[urls][eq]=96&filter[urls][eq]=97&filter[urls][eq]=98&filter[urls][eq]=99&filter[urls][eq]=100
-- 422 Invalid query parameters
* too_big ["filter", "urls", "eq"] maximum=100 type=array
GET /v1/people?filter[firstName][eq]=<repeat x 8000> -- 422 Invalid query parameters
* too_big ["filter", "firstName", "eq"] maximum=5000 type=string
