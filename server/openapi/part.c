/* Writing the description: schemas in short notation, and shared schemas, which are written only if something refers
 * to them. */
#include "server/openapi/document_private.h"

#include <ctype.h>
#include <string.h>

#include "webhook/event.h"

static const char *const id_names[ID_KINDS] = {[ID_PERSON] = "PersonId",
    [ID_COMPANY] = "CompanyId",
    [ID_GROUP] = "GroupId",
    [ID_USER] = "UserId",
    [ID_OBJECT] = "ObjectId",
    [ID_TASK] = "TaskId",
    [ID_REMINDER] = "ReminderId",
    [ID_INTERACTION] = "InteractionId",
    [ID_NOTE] = "NoteId",
    [ID_WEBHOOK] = "WebhookId",
    [ID_EVENT] = "EventId",
    [ID_WORKSPACE] = "WorkspaceId",
    [ID_KEY] = "KeyId",
    [ID_DELIVERY] = "DeliveryId",
    [ID_GROUP_OPTION] = "GroupOptionId",
    [ID_OBJECT_OPTION] = "ObjectOptionId"};

#define ISSUE(code, required, properties)                                                                              \
	OBJECT("'code','message','path'" required,                                                                     \
	    "'code':{'const':'" code "'},'message':" TEXT ",'path':" PATH ",'hint':" HINT properties)
#define HINT "{'type':'string','minLength':1,'description':'What would be right, where it is known'}"
#define PATH "{'type':'array','items':{'type':['string','integer']}}"
#define ISSUE_RANGE(code, limit)                                                                                       \
	ISSUE(code, ",'" limit "','type','inclusive','exact'",                                                         \
	    ",'" limit "':{'type':'integer'},'type':{'enum':['string','array','number']},"                             \
	    "'inclusive':{'type':'boolean'},'exact':{'type':'boolean'}")
#define POLICY "'policy','limit','remaining','windowSeconds','retryAfter'"
#define POLICY_MEMBERS                                                                                                 \
	"'policy':{'enum':['default','burst']},'limit':{'type':'integer'},'remaining':{'type':'integer'},"             \
	"'windowSeconds':{'type':'integer'},'retryAfter':" TIME_OR_NULL

#define ENTITY(type, id)                                                                                               \
	OBJECT("'id','entityType','fullName'", "'id':@" id ",'entityType':{'const':'" type "'},'fullName':" TEXT)
#define ANY_ID "{'type':'string','minLength':40,'maxLength':40}"
#define BY_ID(id, more) OBJECT("'id'", "'id':" id "," more)
#define PARTY(type, id) OBJECT("'type','value','name'", "'type':{'const':'" type "'},'value':@" id ",'name':" TEXT)

#define FILTER_LIST(item) "{'type':'array','minItems':1,'maxItems':100,'items':" item "}"
#define FILTER_NAMED(ways) "{'type':'object','minProperties':1,'additionalProperties':false,'properties':{" ways "}}"

static const struct {
	const char *name, *schema;
} parts[] = {
    {"DuplicateReason", OBJECT("'field','value'", "'field':{'enum':['emails','phones','urls','fullName','companies']},"
                                                  "'value':" TEXT)},
    {"MergedDetails", OBJECT("'mergedInto'", "'mergedInto':{'description':'The record into which this one was merged',"
                                             "'oneOf':[@PersonId,@CompanyId]}")},
    {"UserReference", OBJECT("'id','fullName','email'", "'id':@UserId,'fullName':" TEXT ",'email':" TEXT)},
    {"GroupReference", OBJECT("'id','name'", "'id':@GroupId,'name':" TEXT)},
    {"CompanyReference", OBJECT("'id','name'", "'id':@CompanyId,'name':" TEXT)},
    {"PersonReference", OBJECT("'id','fullName'", "'id':@PersonId,'fullName':" TEXT)},
    {"GroupById", BY_ID("@GroupId", "'name':" IGNORED)},
    {"CompanyById", BY_ID("@CompanyId", "'name':" IGNORED)},
    {"NamedById", BY_ID(ANY_ID, "'name':" IGNORED)},
    {"PersonById", BY_ID(ANY_ID, "'fullName':" IGNORED)},
    {"UserById", BY_ID("@UserId", "'fullName':" IGNORED ",'email':" IGNORED)},
    {"UserByEmail", OBJECT("'email'", "'email':{'type':'string','minLength':1,'maxLength':254}")},
    {"Author",
        OBJECT("'type','id','fullName','email','deleted'",
            "'type':{'const':'user'},'id':@UserId,'fullName':" TEXT ",'email':" TEXT ",'deleted':{'type':'boolean'}")},
    {"PersonEntity", ENTITY("person", "PersonId")},
    {"CompanyEntity", ENTITY("company", "CompanyId")},
    {"ObjectEntity", ENTITY("object", "ObjectId")},
    {"UserParty", PARTY("user", "UserId")},
    {"PersonParty", PARTY("person", "PersonId")},
    {"CompanyParty", PARTY("company", "CompanyId")},
    {"InteractionMetadata",
        OBJECT("'user','workspace'",
            "'user':" OBJECT("'approximateCount','lastInteractedAt'",
                "'approximateCount':{'type':'integer','minimum':0},'lastInteractedAt'"
                ":" TIME_OR_NULL) ","
                                  "'workspace':" OBJECT("'approximateCount','lastInteractedAt','lastInteractedBy'",
                                      "'approximateCount':{'type':'integer','minimum':0},'"
                                      "lastInteractedAt':" TIME_OR_NULL ","
                                      "'lastInteractedBy':" LIST_OF("@UserReference")))},
    {"CustomFieldValue",
        "{'description':'Depends on the type of the field: text (also numbers and dates), a list of option "
        "labels, or a list of references. null: unset.',"
        "'oneOf':[{'type':'null'}," TEXT "," LIST_OF("{'oneOf':[" TEXT ",@CustomFieldReference]}") "]}"},
    {"CustomFieldReference", "{'oneOf':[@UserReference,@ContactReference,@ObjectEntity]}"},
    {"ContactReference", OBJECT("'id','fullName','entityType'", "'id':{'oneOf':[@PersonId,@CompanyId]},'fullName':" TEXT
                                                                ",'entityType':{'enum':['person','company']}")},
    {"RecordById", BY_ID(ANY_ID, "'fullName':" IGNORED ",'entityType':" IGNORED ",'email':" IGNORED)},
    {"CustomFieldInput",
        "{'description':'Depends on the type of the field. null or an empty array unsets it.',"
        "'oneOf':[{'type':'null'},{'type':'string','maxLength':5000},{'type':'number'},"
        "{'type':'array','maxItems':1000,'items':{'oneOf':[{'type':'string','maxLength':500},@RecordById," OBJECT(
            "'email'", "'email':{'type':'string','maxLength':254}") "]}}]}"},
    {"Pagination",
        OBJECT("", "'nextLink':{'type':'string','format':'uri','description':'Present when a further page "
                   "exists'},'nextCursor':{'type':'string','description':'In searches, instead of nextLink'},"
                   "'count':{'type':'integer','minimum':0},'countIsEstimated':{'const':true,'description':'The exact "
                   "count would have taken too long: this is an estimate'},'scanned':{'type':'integer','minimum':1,"
                   "'description':'The page ended after testing this many records; it may have fewer than "
                   "the limit, even none. Only a page without a next one is the last'}")},
    {"FilterText", "{'type':'string','minLength':1,'maxLength':5000}"},
    {"FilterTexts", "{'anyOf':[@FilterText," FILTER_LIST("@FilterText") "]}"},
    {"FilterNumber", "{'type':['string','number'],'minLength':1}"},
    {"FilterNumbers", "{'anyOf':[@FilterNumber," FILTER_LIST("@FilterNumber") "]}"},
    {"FilterReferences", FILTER_NAMED("'id':@FilterTexts")},
    {"FilterUsers", FILTER_NAMED("'id':@FilterTexts,'email':@FilterTexts")},
    {"Subscription", OBJECT("'eventType','filter'", "'eventType':@EventType,'filter':@SubscriptionFilter")},
    {"SubscriptionInput", OBJECT("'eventType'", "'eventType':@EventType,'filter':@SubscriptionFilter")},
    {"EventType", NULL}, /* from the table of event kinds */
    {"SubscriptionFilter",
        OBJECT("", "'groupId':@GroupId,'objectType':{'type':'string','minLength':1,'maxLength':500},"
                   "'path':{'type':'array','minItems':1,'maxItems':3,'items':" TEXT "},'value':@SubscriptionValue")},
    {"SubscriptionValue",
        "{'description':'In the form in which the attribute is written; for lists one item, or several "
        "of which any one matches','oneOf':[{'type':'string'},{'type':'number'},{'type':'array',"
        "'minItems':1,'maxItems':100,'items':{'oneOf':[{'type':'string'},@RecordById," OBJECT(
            "'email'", "'email':{'type':'string','maxLength':254}") "]}}]}"},
    {"DeliveryAttempt", OBJECT("'at','durationMs','statusCode','error'",
                            "'at':" TIME ",'durationMs':{'type':'integer','minimum':0},'statusCode':{'type':['integer',"
                            "'null']},'error':{'type':['string','null'],'enum':['timeout','connection','tls',"
                            "'not_allowed','http_error',null]}")},
    {"Warning", OBJECT("'message','path'", "'message':" TEXT ",'path':" PATH)},
    {"IssueDetails", OBJECT("'issues'", "'issues':" LIST_OF("@Issue"))},
    {"Issue",
        "{'oneOf':[" ISSUE("invalid_type", ",'expected','received'", ",'expected':" TEXT ",'received':" TEXT) "," ISSUE(
            "unrecognized_keys", ",'keys'", ",'keys':" TEXTS) "," ISSUE_RANGE("too_small",
            "minimum") "," ISSUE_RANGE("too_big", "maximum") "," ISSUE("invalid_enum_value", ",'options','received'",
            ",'options':" TEXTS ",'received':" TEXT) "," ISSUE("invalid_string", ",'validation'",
            ",'validation':" TEXT) "," ISSUE("custom", "", "") "]}"},
    {"RateLimitDetails", OBJECT(POLICY ",'policies'", POLICY_MEMBERS ",'policies':" LIST_OF("@RateLimitPolicy"))},
    {"RateLimitPolicy", OBJECT(POLICY, POLICY_MEMBERS)},
    {"NoMembers", OBJECT("", "")},
};

enum { N_PARTS = sizeof parts / sizeof *parts };

_Static_assert((int)N_PARTS <= (int)OPENAPI_PARTS_MAX, "room for the marks of all shared schemas");

const char *openapi_id_name(enum id_kind kind)
{
	return id_names[kind];
}

const char *openapi_name(struct openapi_doc *d, const char *name, const char *suffix)
{
	char *out = arena_alloc(&d->arena, strlen(name) + strlen(suffix) + 1), *p = out;
	bool up = true;

	for (; *name; name++) {
		if (isalnum((unsigned char)*name))
			*p++ = up ? (char)toupper((unsigned char)*name) : *name;
		up = !isalnum((unsigned char)*name);
	}
	memcpy(p, suffix, strlen(suffix) + 1);
	return out;
}

/* --- the notation ------------------------------------------------------------------------ */

static void part_want(struct openapi_doc *d, const char *name, size_t len)
{
	for (int i = 0; i < N_PARTS; i++)
		if (strlen(parts[i].name) == len && memcmp(parts[i].name, name, len) == 0)
			d->wanted[i] = true;
	for (int i = 0; i < ID_KINDS; i++)
		if (strlen(id_names[i]) == len && memcmp(id_names[i], name, len) == 0)
			d->wanted_ids[i] = true;
}

/* Writes the example of an id by its prefix; false when there is no such prefix. */
static bool part_put_id(struct openapi_doc *d, const char *prefix, size_t len)
{
	char text[ID_SIZE];
	struct uuid id;

	for (enum id_kind kind = 0; kind < ID_KINDS; kind++) {
		if (strlen(id_prefix(kind)) != len || memcmp(id_prefix(kind), prefix, len) != 0)
			continue;
		uuid_parse("019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30", 36, &id);
		id.b[15] = (unsigned char)(id.b[15] + kind);
		buf_printf(&d->out, "\"%s\"", id_format(kind, &id, text));
		return true;
	}
	return false;
}

/* Writes what the sign at the start of the text stands for; returns the length of what was read. */
static size_t part_put_sign(struct openapi_doc *d, const char *text)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[1 + len]))
		len++;
	if (*text == '@' && isupper((unsigned char)text[1])) {
		part_want(d, text + 1, len);
		buf_printf(&d->out, "{\"$ref\":\"#/components/schemas/%.*s\"}", (int)len, text + 1);
		return 1 + len;
	}
	if (*text == '$' && part_put_id(d, text + 1, len))
		return 1 + len;
	if ((*text == '}' || *text == ']') && d->out.len && d->out.data[d->out.len - 1] == ',')
		d->out.len--;
	buf_addc(&d->out, *text == '\'' ? '"' : *text);
	return 1;
}

void openapi_put(struct openapi_doc *d, const char *format, ...)
{
	const char *text;
	va_list args;

	va_start(args, format);
	text = arena_vprintf(&d->arena, format, args);
	va_end(args);
	for (size_t len; *text; text += len) {
		len = strcspn(text, "'@$}]");
		buf_add(&d->out, text, len);
		if (len == 0)
			len = part_put_sign(d, text);
	}
}

void openapi_string(struct openapi_doc *d, const char *text)
{
	struct json_out o;

	json_out_init(&o, &d->out);
	json_string(&o, text);
}

void openapi_text(struct openapi_doc *d, const char *key, const char *text)
{
	openapi_put(d, "'%s':", key);
	openapi_string(d, text);
	openapi_put(d, ",");
}

const char *openapi_words(struct openapi_doc *d, const char *const *words)
{
	const char *list = "";

	for (int i = 0; words && words[i]; i++)
		list = arena_printf(&d->arena, "%s'%s',", list, words[i]);
	return list;
}

/* --- shared schemas ---------------------------------------------------------------------- */

static void part_id(struct openapi_doc *d, enum id_kind kind)
{
	int len = (int)strlen(id_prefix(kind)) + 37; /* '_' and a UUID */

	openapi_put(d,
	    "'%s':{'type':'string','minLength':%d,'maxLength':%d,'pattern':'^%s_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-"
	    "[89ab][0-9a-f]{3}-[0-9a-f]{12}$'},",
	    id_names[kind], len, len, id_prefix(kind));
}

static const char *part_event_types(struct openapi_doc *d)
{
	const char *list = "";

	for (int i = 0; i < EVENT_TYPES; i++)
		if (event_kinds[i].can_subscribe)
			list = arena_printf(&d->arena, "%s'%s',", list, event_kinds[i].name);
	return arena_printf(&d->arena, "{'enum':[%s]}", list);
}

void openapi_parts(struct openapi_doc *d)
{
	bool written[OPENAPI_PARTS_MAX] = {false}, more = true;

	while (more) { /* a schema may refer to an earlier one */
		more = false;
		for (int i = 0; i < N_PARTS; i++) {
			if (!d->wanted[i] || written[i])
				continue;
			openapi_put(
			    d, "'%s':%s,", parts[i].name, parts[i].schema ? parts[i].schema : part_event_types(d));
			written[i] = more = true;
		}
	}
	for (int i = 0; i < ID_KINDS; i++)
		if (d->wanted_ids[i])
			part_id(d, (enum id_kind)i);
}
