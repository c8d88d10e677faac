/* Shared schemas. They are written only if something refers to them. */
#include <string.h>

#include "server/openapi/document_private.h"
#include "server/request/warning.h"
#include "webhook/event.h"

static const struct {
	const char *name, *noun;
} ids[ID_KINDS] = {[ID_PERSON] = {"PersonId", "a person"},
    [ID_COMPANY] = {"CompanyId", "a company"},
    [ID_GROUP] = {"GroupId", "a group"},
    [ID_USER] = {"UserId", "a user"},
    [ID_OBJECT] = {"ObjectId", "an object"},
    [ID_TASK] = {"TaskId", "a task"},
    [ID_REMINDER] = {"ReminderId", "a reminder"},
    [ID_INTERACTION] = {"InteractionId", "an interaction"},
    [ID_NOTE] = {"NoteId", "a note"},
    [ID_WEBHOOK] = {"WebhookId", "a webhook"},
    [ID_EVENT] = {"EventId", "an event"},
    [ID_WORKSPACE] = {"WorkspaceId", "a workspace"},
    [ID_KEY] = {"KeyId", "a key"},
    [ID_DELIVERY] = {"DeliveryId", "a delivery"},
    [ID_GROUP_OPTION] = {"GroupOptionId", "an option"},
    [ID_OBJECT_OPTION] = {"ObjectOptionId", "an option"}};

#define ISSUE(name, code, about, required, properties)                                                                 \
	NAMED(name, about, "'code','message','path'" required,                                                         \
	    "'code':" WORD(code, "What kind of mistake it is") ",'message':" TEXT_OF(                                  \
	        "What is wrong, for people") ",'path':@Path,'hint':" HINT properties)
#define HINT "{'type':'string','minLength':1,'description':'What would be right, where it is known, for people'}"
#define ISSUE_RANGE(name, code, about, limit)                                                                          \
	ISSUE(name, code, about, ",'" limit "','type','inclusive','exact'",                                            \
	    ",'" limit "':{'type':'integer','description':'The limit'},'type':{'type':'string','enum':['string',"      \
	    "'array','number'],'description':'What is limited: characters, items, or the number itself'},"             \
	    "'inclusive':{'type':'boolean','description':'Whether the limit itself is allowed'},'exact':{'type':"      \
	    "'boolean','description':'Whether only the limit is allowed'}")
#define POLICY "'policy','limit','remaining','windowSeconds','retryAfter'"
#define POLICY_MEMBERS                                                                                                 \
	"'policy':{'type':'string','enum':['default','burst'],'description':'Name of the limit'},'limit':{'type':"     \
	"'integer','description':'Requests in a window'},'remaining':{'type':'integer','description':'Requests "       \
	"left'},'windowSeconds':{'type':'integer','description':'Length of the window'},'retryAfter':{'type':"         \
	"['string','null'],'format':'date-time','description':'When a request will be allowed; null: now'}"

#define ENTITY(type, id)                                                                                               \
	OBJECT("'id','entityType','fullName'",                                                                         \
	    "'id':@" id ",'entityType':" WORD(type, "Its kind") ",'fullName':" TEXT_OF("Its name"))
#define BY_ID(id, more) OBJECT("'id'", "'id':@" id "," more)
#define PARTY(type, id)                                                                                                \
	OBJECT("'type','value','name'", "'type':" WORD(type, "Its kind") ",'value':@" id ",'name':" TEXT_OF("Its "     \
	                                                                                                    "name"))
#define USER_MEMBERS                                                                                                   \
	"'id':@UserId,'fullName':" TEXT_OF("Name of the user") ",'email':" TEXT_OF("E-mail address of the user")
#define MET_MEMBERS                                                                                                    \
	"'approximateCount':{'type':'integer','minimum':0,'description':'How many interactions there were'},"          \
	"'lastInteractedAt':{'type':['string','null'],'format':'date-time','description':'When the last one was; "     \
	"null: never'}"

#define FILTER_LIST(item) "{'type':'array','minItems':1,'maxItems':100,'items':" item "}"
#define FILTER_NAMED(ways) "{'type':'object','minProperties':1,'additionalProperties':false,'properties':{" ways "}}"

static const char *part_event_types(struct openapi_doc *d)
{
	const char *list = "";

	for (int i = 0; i < EVENT_TYPES; i++)
		if (event_kinds[i].can_subscribe)
			list = arena_printf(&d->arena, "%s'%s',", list, event_kinds[i].name);
	return arena_printf(&d->arena, "{'type':'string','enum':[%s]}", list);
}

static const char *part_warning_codes(struct openapi_doc *d)
{
	const char *list = "", *about = "Which warning it is, for programs.";

	for (int i = 0; i < WARNING_CODES; i++) {
		list = arena_printf(&d->arena, "%s'%s',", list, warning_rows[i].code);
		about = arena_printf(&d->arena, "%s `%s`: %s.", about, warning_rows[i].code, warning_rows[i].about);
	}
	return arena_printf(&d->arena, "{'type':'string','enum':[%s],'description':'%s'}", list, about);
}

static const struct {
	const char *name, *about, *schema;
	const char *(*make)(struct openapi_doc *d); /* a schema from a table of the program */
} parts[] = {
    {"DuplicateReason", "What two records have in common.",
        OBJECT("'field','value'",
            "'field':{'type':'string','enum':['emails','phones','urls','fullName','companies'],'description':'The "
            "field in which they agree'},'value':" TEXT_OF("Its value, as the other record has it"))},
    {"MergedDetails", "The record into which a record was merged.",
        OBJECT("'mergedInto'", "'mergedInto':{'description':'The record into which this one was merged',"
                               "'oneOf':[@PersonId,@CompanyId]}")},
    {"RecordId", "Id of a record of any kind: its prefix and a UUID. One of another kind counts as unknown.",
        "{'type':'string','minLength':40,'maxLength':40}"},
    {"UserReference", "A user, as records refer to them.", OBJECT("'id','fullName','email'", USER_MEMBERS)},
    {"GroupReference", "A group, as records refer to it.",
        OBJECT("'id','name'", "'id':@GroupId,'name':" TEXT_OF("Name of the group"))},
    {"CompanyReference", "A company, as records refer to it.",
        OBJECT("'id','name'", "'id':@CompanyId,'name':" TEXT_OF("Name of the company"))},
    {"PersonReference", "A person, as records refer to them.",
        OBJECT("'id','fullName'", "'id':@PersonId,'fullName':" TEXT_OF("Name of the person"))},
    {"GroupById", "Names a group.", BY_ID("GroupId", "'name':" IGNORED)},
    {"CompanyById", "Names a company.", BY_ID("CompanyId", "'name':" IGNORED)},
    {"NamedById", "Names a record.", BY_ID("RecordId", "'name':" IGNORED)},
    {"PersonById", "Names a person.", BY_ID("RecordId", "'fullName':" IGNORED)},
    {"UserById", "Names a user.", BY_ID("UserId", "'fullName':" IGNORED ",'email':" IGNORED)},
    {"UserByEmail", "Names a user by e-mail address.",
        OBJECT("'email'", "'email':{'type':'string','minLength':1,'maxLength':254,'description':'E-mail address of "
                          "the user'}")},
    {"Author", "The user who wrote something.",
        OBJECT("'type','id','fullName','email','deleted'",
            "'type':" WORD(
                "user", "Its kind") "," USER_MEMBERS
                                    ",'deleted':{'type':'boolean','description':'Whether the user was removed'}")},
    {"PersonEntity", "A person to whom something belongs.", ENTITY("person", "PersonId")},
    {"CompanyEntity", "A company to which something belongs.", ENTITY("company", "CompanyId")},
    {"ObjectEntity", "An object to which something belongs.", ENTITY("object", "ObjectId")},
    {"UserParty", "The user at one end of an interaction.", PARTY("user", "UserId")},
    {"PersonParty", "The person at one end of an interaction.", PARTY("person", "PersonId")},
    {"CompanyParty", "The company at one end of an interaction.", PARTY("company", "CompanyId")},
    {"InteractionMetadata", "Contact with a person.",
        OBJECT("'user','workspace'", "'user':" NAMED("UserInteractions", "Interactions with the key’s user",
                                         "'approximateCount',"
                                         "'lastInteractedAt'",
                                         MET_MEMBERS) ",'workspace':" NAMED("WorkspaceInteractions",
                                         "Interactions with all users of the workspace",
                                         "'approximateCount',"
                                         "'lastInteractedAt','lastInteractedBy'",
                                         MET_MEMBERS ",'lastInteractedBy':{'type':'array','items':@UserReference,'"
                                                     "description':'The users who had the latest interactions'}"))},
    {"CustomFieldValues", "Values of custom fields, by the fields’ names.",
        "{'type':'object','additionalProperties':@CustomFieldValue}"},
    {"GroupCustomFieldValues", "Values of custom fields, by the groups’ ids.",
        "{'type':'object','propertyNames':@GroupId,'additionalProperties':@CustomFieldValues}"},
    {"CustomFieldValue",
        "The form depends on the type of the field: text (also for numbers and dates), a list of option labels, or a "
        "list of references. null: unset.",
        "{'oneOf':[{'type':'null'}," TEXT "," LIST_OF("{'oneOf':[" TEXT ",@CustomFieldReference]}") "]}"},
    {"CustomFieldReference", "A user, contact or object that is the value of a custom field.",
        "{'oneOf':[@UserReference,@ContactReference,@ObjectEntity]}"},
    {"ContactReference", "A person or company that is the value of a custom field.",
        OBJECT("'id','fullName','entityType'",
            "'id':{'oneOf':[@PersonId,@CompanyId],'description':'Its id'},'fullName':" TEXT_OF(
                "Its name") ","
                            "'entityType':{'type':'string','enum':['person','company'],'description':'Its kind'}")},
    {"RecordById", "Names a contact, user or object.",
        BY_ID("RecordId", "'fullName':" IGNORED ",'entityType':" IGNORED ",'email':" IGNORED)},
    {"RecordByEmail", "Names a user by e-mail address.",
        OBJECT("'email'", "'email':{'type':'string','maxLength':254,'description':'E-mail address of the user'}")},
    {"CustomFieldInputs", "Values of custom fields, by the fields’ names.",
        "{'type':'object','additionalProperties':@CustomFieldInput}"},
    {"GroupCustomFieldInputs", "Values of custom fields, by the groups’ ids.",
        "{'type':'object','propertyNames':@GroupId,'additionalProperties':@CustomFieldInputs}"},
    {"CustomFieldInput", "Depends on the type of the field. null or an empty array unsets it.",
        "{'oneOf':[{'type':'null'},{'type':'string','maxLength':5000},{'type':'number'},{'type':'array','maxItems':"
        "1000,'items':{'oneOf':[{'type':'string','maxLength':500},@RecordById,@RecordByEmail]}}]}"},
    {"Pagination", "Where a list continues.",
        OBJECT("",
            "'nextLink':{'type':'string','format':'uri','description':'Address of the next page; absent: this is the "
            "last one'},'nextCursor':{'type':'string','description':'In searches, instead of nextLink'},'count':"
            "{'type':'integer','minimum':0,'description':'Number of all records of the list, if asked for'},"
            "'countIsEstimated':{'type':'boolean','const':true,'description':'The exact count would have taken too "
            "long: this is an estimate'},'scanned':{'type':'integer','minimum':1,'description':'The page ended after "
            "testing this many records; it may have fewer than the limit, even none. Only a page without a next one "
            "is the last'}")},
    {"FilterText", "A value to compare with.", "{'type':'string','minLength':1,'maxLength':5000}"},
    {"FilterTexts", "A value to compare with, or several values; one of them must match.",
        "{'anyOf':[@FilterText," FILTER_LIST("@FilterText") "]}"},
    {"FilterNumber", "A number to compare with; in a query, or of a custom field, any value.",
        "{'anyOf':[{'type':'string','minLength':1},{'type':'number'}]}"},
    {"FilterNumbers", "A number to compare with, or several numbers; one of them must match.",
        "{'anyOf':[@FilterNumber," FILTER_LIST("@FilterNumber") "]}"},
    {"FilterReferences", "Records to compare with.", FILTER_NAMED("'id':@FilterTexts(Their ids)")},
    {"FilterUsers", "Users to compare with.",
        FILTER_NAMED("'id':@FilterTexts(Their ids),'email':@FilterTexts(Their e-mail addresses)")},
    {"FilterChoices", "Options by their labels, or records by their ids, or users by their e-mail addresses.",
        "{'anyOf':[@FilterTexts,@FilterUsers]}"},
    {"Subscription", "Events that a webhook gets.",
        OBJECT("'eventType','filter'", "'eventType':@EventType,'filter':@SubscriptionFilter")},
    {"SubscriptionInput", "Events that a webhook is to get.",
        OBJECT("'eventType'", "'eventType':@EventType,'filter':@SubscriptionFilter")},
    {"EventType", "A type of event that can be subscribed to.", NULL, part_event_types},
    {"SubscriptionFilter", "Which events of the type are sent; without members all of them.",
        OBJECT("", "'groupId':@GroupId(Only of records in this group),'objectType':{'type':'string','minLength':1,"
                   "'maxLength':500,'description':'Only of objects of this type, with groupId'},'path':{'type':"
                   "'array','minItems':1,'maxItems':3,'items':" TEXT ",'description':'Only changes of this attribute "
                   "or custom field'},'value':@SubscriptionValue")},
    {"SubscriptionValue",
        "Only changes to this value, in the form in which the attribute is written; for lists one item, or several "
        "items; one of them must match.",
        "{'oneOf':[{'type':'string'},{'type':'number'},{'type':'array','minItems':1,'maxItems':100,'items':{'oneOf':"
        "[{'type':'string'},@RecordById,@RecordByEmail]}}]}"},
    {"DeliveryAttempt", "An attempt to deliver an event.",
        OBJECT("'at','durationMs','statusCode','error'",
            "'at':{'type':'string','format':'date-time','description':'When it began'},'durationMs':{'type':"
            "'integer','minimum':0,'description':'How long it took'},'statusCode':{'type':['integer','null'],"
            "'description':'The answer; null: none came'},'error':{'type':['string','null'],'enum':['timeout',"
            "'connection','tls','not_allowed','http_error',null],'description':'Why it failed; null: it arrived'}")},
    {"Warning", "Something that was accepted, but perhaps not as intended.",
        OBJECT("'code','message','path'",
            "'code':@WarningCode,'message':" TEXT_OF("What was done, for people") ",'path':@Path")},
    {"WarningCode", NULL, NULL, part_warning_codes},
    {"Path", "Where it is: names of members and positions in lists, from the outside in.",
        "{'type':'array','items':{'anyOf':[{'type':'string'},{'type':'integer'}]}}"},
    {"IssueDetails", "All mistakes of a request.",
        OBJECT("'issues'", "'issues':{'type':'array','items':@Issue,'description':'The mistakes, in the order of the "
                           "request'}")},
    {"Issue", "A mistake in a request.",
        "{'oneOf':[" ISSUE("IssueInvalidType", "invalid_type", "A value of the wrong type", ",'expected','received'",
            ",'expected':" TEXT_OF("The type that it must have") ",'received':" TEXT_OF(
                "The type that it has")) "," ISSUE("IssueUnrecognizedKeys", "unrecognized_keys",
            "Members that are not known", ",'keys'",
            ",'keys':{'type':'array','items':" TEXT ",'description':'Their names'}") "," ISSUE_RANGE("IssueTooSmall",
            "too_small", "A value below its limit", "minimum") "," ISSUE_RANGE("IssueTooBig", "too_big",
            "A value beyond its limit", "maximum") "," ISSUE("IssueInvalidEnumValue", "invalid_enum_value",
            "A value that is not one of those allowed", ",'options','received'",
            ",'options':{'type':'array','items':" TEXT
            ",'description':'The values allowed'},'received':" TEXT_OF("The value")) "," ISSUE("IssueInvalidString",
            "invalid_string", "A text that does not have the required form", ",'validation'",
            ",'validation':" TEXT_OF("Name of the form")) "," ISSUE("IssueCustom", "custom",
            "A value that contradicts other data or a rule", "", "") "]}"},
    {"RateLimitDetails", "The limit that was exceeded, and all limits.",
        OBJECT(POLICY ",'policies'", POLICY_MEMBERS ",'policies':{'type':'array','items':@RateLimitPolicy,"
                                                    "'description':'Every limit'}")},
    {"RateLimitPolicy", "A limit on requests.", OBJECT(POLICY, POLICY_MEMBERS)},
    {"EventEntity", "The entity to which a record belongs.",
        OBJECT("'id','entityType'",
            "'id':@RecordId,'entityType':{'type':'string','enum':['person','company','object'],'description':'Its "
            "kind'}")},
    {"EventChange", "A change of one attribute.",
        OBJECT("'path','type'",
            "'path':{'type':'array','items':" TEXT ",'description':'Name of the attribute; of custom values "
            "customFieldValues, the id of the group unless it is of an object, and the name of the field'},'type':"
            "{'type':'string','enum':['set','add','remove'],'description':'`set`: it has another value; `add`, "
            "`remove`: the "
            "list has other items'},'value':@EventValue")},
    {"EventValue",
        "The new value, or the items that were added or removed. Absent: the event does not have it, so fetch the "
        "record.",
        "{'oneOf':[{'type':'null'},{'type':'string'},{'type':'boolean'},@EventReference,{'type':'array','items':"
        "{'oneOf':[{'type':'string'},@EventReference]}}]}"},
    {"EventReference", "A record that is the value of an attribute.",
        OBJECT("'id'", "'id':@RecordId,'entityType':{'type':'string','enum':['person','company','object'],"
                       "'description':'Its kind'}")},
    {"NoMembers", "A body without members, which may be absent as well.", OBJECT("", "")},
};

enum { N_PARTS = sizeof parts / sizeof *parts };

_Static_assert((int)N_PARTS <= (int)OPENAPI_PARTS_MAX, "room for the marks of all shared schemas");

const char *openapi_id_name(enum id_kind kind)
{
	return ids[kind].name;
}

void openapi_want(struct openapi_doc *d, const char *name, size_t len)
{
	for (int i = 0; i < N_PARTS; i++)
		if (strlen(parts[i].name) == len && memcmp(parts[i].name, name, len) == 0)
			d->wanted[i] = true;
	for (int i = 0; i < ID_KINDS; i++)
		if (strlen(ids[i].name) == len && memcmp(ids[i].name, name, len) == 0)
			d->wanted_ids[i] = true;
}

/* Any UUID is valid: if there is no such record, it is an unknown record. */
static void part_id(struct openapi_doc *d, enum id_kind kind)
{
	const char *prefix = id_prefix(kind);

	openapi_schema(d, ids[kind].name,
	    arena_printf(&d->arena, "Id of %s: `%s_` and a UUID.", ids[kind].noun, prefix),
	    arena_printf(&d->arena,
	        "{'type':'string','minLength':%d,'maxLength':%d,'pattern':'^%s_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"
	        "[0-9a-f]{4}-[0-9a-f]{12}$'}",
	        ID_LEN, ID_LEN, prefix));
}

void openapi_parts(struct openapi_doc *d)
{
	bool written[OPENAPI_PARTS_MAX] = {false}, more = true;

	while (more) { /* a schema may refer to an earlier one */
		more = openapi_named(d);
		for (int i = 0; i < N_PARTS; i++) {
			if (!d->wanted[i] || written[i])
				continue;
			openapi_schema(
			    d, parts[i].name, parts[i].about, parts[i].make ? parts[i].make(d) : parts[i].schema);
			written[i] = more = true;
		}
	}
	for (int i = 0; i < ID_KINDS; i++)
		if (d->wanted_ids[i])
			part_id(d, (enum id_kind)i);
}
