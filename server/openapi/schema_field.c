/* Schemas of fields, in the notation of openapi_put(). The table is at the end. In its rows <name> stands for text that
 * depends on the field. */
#include <string.h>

#include "server/openapi/document_private.h"
#include "store/entity_kind.h"

/* --- parts of a custom field's definition ------------------------------------------- */

#define COLOR "'color':{'type':'string','pattern':'^#[0-9a-fA-F]{6}$','description':'Color of its label'}"
#define LABEL "'label':{'type':'string','minLength':1,'maxLength':500,'description':'What users see'}"
#define OPTION_ID "{'type':'string','minLength':1,'maxLength':64,'description':'Id of the option'}"
#define MANY(item) "{'type':'array','maxItems':1000,'items':" item "}"
#define NUMBER_MEMBERS                                                                                                 \
	"'format':{'type':'string','enum':['default','number','percent','currency','none'],'description':'How "        \
	"numbers are shown'},'decimals':{'type':'integer','minimum':0,'maximum':5,'description':'Digits after the "    \
	"decimal point'},'currency':{'type':'string','pattern':'^[A-Z]{3}$','description':'With the format currency: " \
	"which one'}"
#define NEW_OPTION NAMED("SelectOptionInput", "A new option of a select", "'label'", LABEL "," COLOR)

static const struct definition {
	const char *name, *in, *out;
} definitions[] = {
    {"options", MANY(NEW_OPTION),
        LIST_OF(NAMED(
            "SelectOption", "An option of a select", "'id','label','color'", "'id':" OPTION_ID "," LABEL "," COLOR))},
    {"config", NAMED("NumberFormatInput", "How numbers are to be shown", "", NUMBER_MEMBERS),
        NAMED("NumberFormat", "How numbers are shown", "'format'", NUMBER_MEMBERS)},
    {"addOptions", MANY(NEW_OPTION), NULL},
    {"updateOptions",
        MANY(NAMED("SelectOptionUpdate", "A change of an option", "'id'", "'id':" OPTION_ID "," LABEL "," COLOR)),
        NULL},
    {"removeOptions", MANY(OPTION_ID), NULL},
    {"optionOrder", MANY("{'type':'string','minLength':1,'maxLength':500,'description':'Id or label of an option'}"),
        NULL},
    {"query", NULL, "@ViewQuery"},
    {"board", NULL, "{'anyOf':[@ViewBoard,{'type':'null'}]}"},
    {"chart", NULL, "{'anyOf':[@ViewChart,{'type':'null'}]}"},
};

static const struct definition *definition_of(const struct field *f)
{
	static const struct definition unknown = {"", "{}", "{}"};

	for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
		if (strcmp(definitions[i].name, f->name) == 0)
			return &definitions[i];
	return &unknown;
}

/* --- parts that depend on the field -------------------------------------------------- */

#define CLOCK "([01][0-9]|2[0-3]):[0-5][0-9]"
#define DATE "[0-9]{4}-[0-9]{2}-[0-9]{2}"
#define ITEM "{'type':'string','minLength':1,'maxLength':<item max>}"
#define ITEM_NAME "{'type':'string','minLength':1,'maxLength':<item max>,'description':'Its name, exactly as written'}"
#define COMPANY_BY_NAME                                                                                                \
	NAMED("CompanyByName", "Names a company, which is created if it is new", "'name'", "'name':" ITEM_NAME)
#define TIME_OF_DAY "[0-9]{2}:[0-9:.]+([Zz]|[-+][0-9]{2}:[0-9]{2})"

static bool links_to(const struct field *f, const struct entity_kind *kind)
{
	bool found = kind && !f->choices;

	for (int i = 0; kind && f->choices && f->choices[i]; i++)
		found |= strcmp(f->choices[i], kind->type) == 0;
	return found;
}

/* Returns the field itself, or the field that it repeats. */
static const struct field *link_of(const struct resource *res, const struct field *f)
{
	return f->same_as ? &res->fields[field_find(res, f->same_as, strlen(f->same_as))] : f;
}

/* Writes "@PersonId,@CompanyId,": a schema for each kind of entity that the field can refer to. */
static const char *field_kinds(
    struct openapi_doc *d, const struct resource *res, const struct field *f, const char *suffix)
{
	const struct field *link = link_of(res, f);
	const char *list = "";

	for (int i = 0; i < ID_KINDS; i++) {
		const struct entity_kind *kind = entity_kind_of((enum id_kind)i);
		if (links_to(link, kind))
			list = arena_printf(&d->arena, "%s@%s,", list, openapi_name(d, kind->type, suffix));
	}
	return list;
}

/* True when an unset value is shown as null. */
static bool field_null_out(const struct field *f)
{
	if (f->type == FIELD_CHOICE && !f->unset && !(f->flags & FIELD_NO_EMPTY))
		return true;
	return f->flags & FIELD_NULL_EMPTY || (f->flags & FIELD_NULLABLE && f->type != FIELD_TEXT);
}

const char *openapi_field_text(
    struct openapi_doc *d, const struct resource *res, const struct field *f, const char *text)
{
	bool empty = !(f->flags & FIELD_NO_EMPTY), null = f->flags & FIELD_NULLABLE, null_out = field_null_out(f),
	     by_group = res->id_kind != ID_OBJECT; /* this decides how custom values are stored */

	const struct {
		const char *name, *text;
	} terms[] = {
	    {"<text>", null ? "['string','null']" : "'string'"},
	    {"<text out>", null_out ? "['string','null']" : "'string'"},
	    {"<unset>", f->unset ? arena_printf(&d->arena, "'%s',", f->unset) : ""},
	    {"<empty>", empty ? "''," : ""},
	    {"<null>", null ? "null" : ""},
	    {"<null out>", null_out ? "null" : ""},
	    {"<date>", empty ? "'pattern':'^(" DATE ")?$'" : "'format':'date'"},
	    {"<time>", empty ? "'pattern':'^(" DATE "[Tt]" TIME_OF_DAY ")?$'" : "'format':'date-time'"},
	    {"<?>", empty ? "?" : ""},
	    {"<alias>", f->same_as ? "{'allOf':[" : ""},
	    {"<alias end>",
	        f->same_as ? arena_printf(&d->arena, "],'deprecated':true,'x-replaced-by':'%s'}", f->same_as) : ""},
	    {"<part>", definition_of(f)->in},
	    {"<part out>", definition_of(f)->out},
	    {"<company>", f->item_max ? "{'oneOf':[@CompanyById," COMPANY_BY_NAME "]}" : "@NamedById"},
	    {"<min>", empty ? "0" : "1"},
	    {"<max>", arena_printf(&d->arena, "%d", f->max)},
	    {"<item>", f->choices ? "{'type':'string','enum':[<words>]}" : ITEM},
	    {"<items out>", f->choices ? "{'type':'string','enum':[<words>]}" : TEXT},
	    {"<fewest>", empty ? "" : "'minItems':1,"},
	    {"<list>", null ? "['array','null']" : "'array'"},
	    {"<words>", openapi_words(d, f->choices)},
	    {"<item max>", arena_printf(&d->arena, "%d", f->item_max)},
	    {"<id>", openapi_id_name(res->id_kind)},
	    {"<record>", openapi_schema_name(d, res, "")},
	    {"<entity ids>", field_kinds(d, res, f, "Id")},
	    {"<entities>", field_kinds(d, res, f, "Entity")},
	    {"<parties>", field_kinds(d, res, f, "Party")},
	    {"<by group>", by_group ? "Group" : ""},
	    {"<named>", link_of(res, f)->choices ? "Contact" : "Entity"},
	};

	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
		for (const char *at; (at = strstr(text, terms[i].name));)
			text = arena_printf(
			    &d->arena, "%.*s%s%s", (int)(at - text), text, terms[i].text, at + strlen(terms[i].name));
	return text;
}

/* --- the table -------------------------------------------------------------------------- */

#define AT_MOST(item) "{'type':<list>,<fewest>'maxItems':<max>,'items':" item "}"
#define CUSTOM(values) "@<by group>" values
/* Every emoji has a character outside ASCII. */
#define ACTIVITY                                                                                                       \
	"<alias>#ActivityType{'description':'A kind of interaction','anyOf':[{'type':'string','enum':[<words>]},"      \
	"{'type':'string','maxLength':<max>,'pattern':'[^ -~]'}]}<alias end>"

/* clang-format off */
/* .out: in answers (server/output/render.c); .in: in bodies (server/input/body_value.c). */
const struct openapi_type openapi_types[FIELD_TYPES] = {
	[FIELD_ID] = {.out = "@<id>", .in = "@<id>"},
	[FIELD_TEXT] = {.out = "{'type':<text out>}", .in = "{'type':<text>,'minLength':<min>,'maxLength':<max>}"},
	[FIELD_CHOICE] = {.out = "{'type':<text out>,'enum':[<words><unset><null out>]}",
		.in = "{'type':<text>,'enum':[<words><unset><empty><null>]}"},
	[FIELD_DATE] = {.out = "{'type':<text out>,'format':'date'}", .in = "{'type':<text>,<date>}"},
	[FIELD_YEAR] = {.out = "{'type':<text out>,'pattern':'^[0-9]{4}$'}",
		.in = "{'anyOf':[{'type':<text>,'pattern':'^([0-9]{4})<?>$'},{'type':'integer','minimum':1000,'maximum':2100}]}"},
	[FIELD_DECIMAL] = {.out = "{'type':<text out>}",
		.in = "{'anyOf':[{'type':<text>,'pattern':'^([-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?)<?>$'},{'type':'number','minimum':0}]}"},
	[FIELD_TIME] = {.out = "{'type':<text out>,'format':'date-time'}", .in = "{'type':<text>,<time>,'maxLength':<max>}"},
	[FIELD_STAMP] = {.out = TIME},
	[FIELD_FLAG] = {.out = "{'type':'boolean'}", .in = "{'type':'boolean'}"},
	[FIELD_TEXTS] = {.out = LIST_OF("<items out>"), .in = AT_MOST("<item>")},
	[FIELD_GROUPS] = {.out = "{'type':<list>,'items':@GroupReference}", .in = AT_MOST("@GroupById")},
	[FIELD_COMPANIES] = {.out = LIST_OF("@CompanyReference"), .in = AT_MOST("<company>")},
	[FIELD_PEOPLE] = {.out = LIST_OF("@PersonReference"), .in = AT_MOST("@PersonById")},
	[FIELD_USER] = {.out = "@UserReference", .in = "@UserById"},
	[FIELD_USER_ID] = {.out = "@UserId", .in = "@UserId"},
	[FIELD_GROUP_ID] = {.out = "{'anyOf':[@GroupId,{'type':'null'}]}", .in = "{'anyOf':[@GroupId,{'type':'null'}]}"},
	[FIELD_DEFINITION] = {.out = "<part out>", .in = "<part>"}, /* each part belongs to one type of custom field */
	[FIELD_USERS] = {.out = LIST_OF("@UserReference"), .in = AT_MOST("{'oneOf':[@UserById,@UserByEmail]}")},
	[FIELD_ENTITY] = {.out = "{'oneOf':[<entities>]}",
		.in = NAMED("<named>ById", "Names a record", "'id'", "'id':{'oneOf':[<entity ids>],'description':'Its id'},"
			"'entityType':" IGNORED ",'fullName':" IGNORED)},
	[FIELD_CLOCK] = {.out = "{'type':<text out>,'pattern':'^" CLOCK "$'}", .in = "{'type':<text>,'pattern':'^(" CLOCK ")?$'}"},
	[FIELD_RULE] = {.out = "{'type':<text out>}",
		.in = "{'type':'string','minLength':1,'maxLength':<max>}"},
	[FIELD_AUTHOR] = {.out = "@Author"},
	/* a deleted parent is shown by its id */
	[FIELD_PARENT] = {.out = "{'oneOf':[{'type':'null'},@<record>Parent," NAMED("<record>Gone", "A parent that was deleted", "'id','deleted'",
			"'id':@<id>,'deleted':{'type':'boolean','const':true,'description':'It was deleted'}") "]}",
		.in = "{'oneOf':[{'type':'null'}," NAMED("<record>ById", "Names a parent", "'id'", "'id':@<id>,'entity':" IGNORED ",'content':" IGNORED
			",'visibility':" IGNORED ",'author':" IGNORED ",'createdAt':" IGNORED ",'deleted':" IGNORED) "]}"},
	[FIELD_CUSTOM] = {.out = CUSTOM("CustomFieldValues"), .in = CUSTOM("CustomFieldInputs")},
	[FIELD_METADATA] = {.out = "@InteractionMetadata"},
	[FIELD_CONNECTION] = {.out = "{'type':'object','propertyNames':@GroupId,'additionalProperties':@UserReference}"},
	[FIELD_ACTIVITY] = {.out = ACTIVITY, .in = ACTIVITY},
	[FIELD_FROM] = {.out = "@UserParty"},
	[FIELD_TO] = {.out = "{'oneOf':[<parties>]}"},
	[FIELD_URL] = {.out = "{'type':'string','format':'uri'}",
		.in = "{'type':'string','format':'uri','maxLength':<max>}"},
	[FIELD_EVENTS] = {.out = LIST_OF("@Subscription"),
		.in = "{'type':'array','minItems':1,'maxItems':<max>,'items':@SubscriptionInput}"},
	[FIELD_EVENT_ID] = {.out = "@EventId"},
	[FIELD_ATTEMPTS] = {.out = LIST_OF("@DeliveryAttempt")},
	[FIELD_COUNT] = {.out = "{'type':'integer','minimum':0}"},
	[FIELD_REASONS] = {.out = LIST_OF("@DuplicateReason")},
	[FIELD_VIEW_PART] = {.out = "<part out>", .in = "<part out>"},
};
/* clang-format on */
