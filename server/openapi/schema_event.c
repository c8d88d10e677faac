/* Writes the events in the description: those of the feed, and those that webhooks receive. */
#include "server/openapi/document_private.h"
#include "webhook/event.h"
#include "webhook/listen.h"

#define DETAILED "'entity':@EventEntity"
#define DETAILED_TIMES                                                                                                 \
	"'lastTriggerTime':{'type':['string','null'],'format':'date-time','description':'The time at which it was "    \
	"due'},'nextTriggerTime':{'type':['string','null'],'format':'date-time','description':'The next one; null: "   \
	"none'}"

/* The member data.details; NULL: the event has none. */
static const char *const details[] = {
    [DETAILS_NONE] = NULL,
    [DETAILS_ENTITY] = NAMED("EventOfEntity", "The entity to which the record belongs", "'entity'", DETAILED),
    [DETAILS_TRIGGER] = NAMED("EventOfTime", "The record of a reminder, and when it is due",
        "'entity','lastTriggerTime','nextTriggerTime'", DETAILED "," DETAILED_TIMES),
    [DETAILS_CONTACT] = NAMED("EventOfContact", "What is known of a deleted contact", "'name','emails'",
        "'name':" TEXT_OF(
            "Its name") ",'emails':{'type':'array','items':" TEXT ",'description':'Its e-mail addresses'},"
                        "'mergedInto':@RecordId(The record into which it was merged),'erased':{'type':'boolean',"
                        "'description':'True: its values were erased, name and addresses are empty; delete "
                        "your copies, too'}"),
    [DETAILS_NAME] = NAMED("EventOfName", "What is known of a deleted object", "'name'", "'name':" TEXT_OF("Its name")),
    [DETAILS_REASON] = NAMED("EventOfReason", "Why it happened", "'reason'",
        "'reason':{'type':'string','enum':['failing','gone'],'description':'`failing`: nothing arrived for 5 days; "
        "`gone`: the target answered 410'}"),
    [DETAILS_ADDRESS] = NAMED("EventOfAddress", "From where it came", "'address'",
        "'address':" TEXT_OF("The IP address of the client, as far as trusted proxies tell it")),
};

/* Returns a name such as "PersonCreatedEvent". */
static const char *event_name(struct openapi_doc *d, const struct event_kind *kind)
{
	return openapi_name(d, kind->name, "Event");
}

static void event_schema(struct openapi_doc *d, const struct event_kind *kind)
{
	const char *name = event_name(d, kind), *more = details[kind->details];
	const char *data = arena_printf(&d->arena,
	    NAMED("%sData", "What happened to which record", "'id','url',%s%s",
	        "'id':@%s,'url':{'type':'string','format':'uri','description':'Address of the record'},%s%s%s"),
	    name, kind->has_changes ? "'changes'," : "", more ? "'details'" : "", openapi_id_name(kind->id_kind),
	    kind->has_changes ? "'changes':{'type':'array','items':@EventChange,'description':'What changed'}," : "",
	    more ? "'details':" : "", more ? more : "");

	openapi_schema(d, name, kind->about,
	    arena_printf(&d->arena,
	        OBJECT("'id','type','createdAt','actor','data'",
	            "'id':@EventId,'type':" WORD(
	                "%s", "The type of the event") ",'createdAt':{'type':'string','format':'date-time','"
	                                               "description':'When it "
	                                               "happened'},'actor':@EventActor,'source':{'type':'string','"
	                                               "format':'uri','"
	                                               "description':'Only in events that webhooks receive: the "
	                                               "address of the webhook'},'data':%s"),
	        kind->name, data));
}

void openapi_event_schemas(struct openapi_doc *d)
{
	const char *list = "";

	for (int i = 0; i < EVENT_TYPES; i++) {
		event_schema(d, &event_kinds[i]);
		if (event_kinds[i].can_subscribe)
			list = arena_printf(&d->arena, "%s@%s,", list, event_name(d, &event_kinds[i]));
	}
	openapi_schema(d, "FeedEvent", "An event, by its type.", arena_printf(&d->arena, "{'oneOf':[%s]}", list));
}

/* --- events for webhooks --------------------------------------------------------------------- */

static void event_example(struct openapi_doc *d, enum event_type type)
{
	struct uuid record;

	uuid_parse("019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30", 36, &record);
	openapi_put(d,
	    "'example':{'id':$evt,'type':'%s','createdAt':'2026-01-31T09:30:00.000Z','source':'https://kith.example/v1/"
	    "webhooks/wbk_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30','actor':",
	    event_kinds[type].name);
	buf_addz(&d->out, listen_sample_actor);
	openapi_put(d, ",'data':");
	listen_sample(&d->out, type, &record, "https://kith.example");
	openapi_put(d, "}");
}

void openapi_webhooks(struct openapi_doc *d)
{
	openapi_put(d, "'webhooks':{");
	for (int i = 0; i < EVENT_TYPES; i++) {
		const struct event_kind *kind = &event_kinds[i];
		openapi_put(d, "'%s':{'post':{'operationId':'on%s','tags':['Webhooks'],'summary':'%s',", kind->name,
		    openapi_name(d, kind->name, ""), kind->about);
		openapi_put(d,
		    "'description':'%s.\\n\\nPosted to the webhooks that subscribe to `%s`, signed as in Standard "
		    "Webhooks. Answer with a 2xx within 20 seconds; anything else is tried again, for about three "
		    "days.',",
		    kind->about, kind->name);
		openapi_put(d, "'security':[],'parameters':[{'$ref':'#/components/parameters/webhook-id'},"
		               "{'$ref':'#/components/parameters/webhook-timestamp'},"
		               "{'$ref':'#/components/parameters/webhook-signature'},"
		               "{'$ref':'#/components/parameters/x-kith-retry'}],");
		openapi_put(d, "'requestBody':{'required':true,'content':{'application/json':{'schema':@%s,",
		    event_name(d, kind));
		event_example(d, (enum event_type)i);
		openapi_put(d, "}}},'responses':{'200':{'description':'It arrived'},'410':{'description':'The receiver "
		               "wants no more events: the webhook becomes inactive'}}}},");
	}
	openapi_put(d, "},");
}

void openapi_webhook_parameters(struct openapi_doc *d)
{
	json_each_member(p, openapi_read(d, "webhook_parameter.json"))
		openapi_member(d, p);
}
