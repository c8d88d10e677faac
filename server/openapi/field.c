/* Schemas of fields, in the notation of openapi_put(), and examples, in that of example.c. The table of types is at
 * the end. */
#include <string.h>

#include "server/openapi/document_private.h"
#include "store/entity_kind.h"

/* --- parts of a custom field's definition ------------------------------------------- */

#define COLOR "'color':{'type':'string','pattern':'^#[0-9a-fA-F]{6}$'}"
#define LABEL "'label':{'type':'string','minLength':1,'maxLength':500}"
#define OPTION_ID "{'type':'string','minLength':1,'maxLength':64}"
#define MANY(item) "{'type':'array','maxItems':1000,'items':" item "}"
#define CONFIG                                                                                                         \
	"'format':{'enum':['default','number','percent','currency','none']},"                                          \
	"'decimals':{'type':'integer','minimum':0,'maximum':5},'currency':{'type':'string','pattern':'^[A-Z]{3}$'}"

static const struct definition {
	const char *name, *in, *out;
} definitions[] = {
    {"options", MANY(OBJECT("'label'", LABEL "," COLOR)),
        LIST_OF(OBJECT("'id','label','color'", "'id':" OPTION_ID "," LABEL "," COLOR))},
    {"config", OBJECT("", CONFIG), OBJECT("'format'", CONFIG)},
    {"addOptions", MANY(OBJECT("'label'", LABEL "," COLOR)), NULL},
    {"updateOptions", MANY(OBJECT("'id'", "'id':" OPTION_ID "," LABEL "," COLOR)), NULL},
    {"removeOptions", MANY(OPTION_ID), NULL},
};

static const struct definition *definition_of(const struct field *f)
{
	static const struct definition unknown = {"", "{}", "{}"};

	for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
		if (strcmp(definitions[i].name, f->name) == 0)
			return &definitions[i];
	return &unknown;
}

/* --- answers and bodies ------------------------------------------------------------- */

#define CLOCK "([01][0-9]|2[0-3]):[0-5][0-9]"

/* "'call','meeting'"; NULL: no words. */
static const char *quoted_words(struct openapi_doc *d, const char *const *words)
{
	const char *list = "";

	for (int i = 0; words && words[i]; i++)
		list = arena_printf(&d->arena, "%s%s'%s'", list, i ? "," : "", words[i]);
	return list;
}

static const char *choice_schema(struct openapi_doc *d, const struct field *f, bool empty, bool null)
{
	const char *list = quoted_words(d, f->choices);

	if (f->unset)
		list = arena_printf(&d->arena, "%s%s'%s'", list, *list ? "," : "", f->unset);
	return arena_printf(&d->arena, "{'type':%s,'enum':[%s%s%s]}", null ? "['string','null']" : "'string'", list,
	    empty ? ",''" : "", null ? ",null" : "");
}

/* Every emoji has a character outside ASCII. */
static const char *activity_schema(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return arena_printf(&d->arena,
	    "{'type':'string','minLength':1,'maxLength':%d,'description':'One of these words, or an emoji',"
	    "'anyOf':[{'enum':[%s]},{'pattern':'[^ -~]'}]%s}",
	    f->max, quoted_words(d, f->choices), f->same_as ? ",'deprecated':true" : "");
}

/* Values by group and name; those of objects by name only. */
static const char *custom_schema(struct openapi_doc *d, const struct resource *res, const char *part)
{
	const char *by_name = arena_printf(&d->arena, "{'type':'object','additionalProperties':@%s}", part);

	if (res->id_kind == ID_OBJECT)
		return by_name;
	return arena_printf(&d->arena, "{'type':'object','propertyNames':@GroupId,'additionalProperties':%s}", by_name);
}

static const char *custom_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)f;
	return custom_schema(d, res, "CustomFieldValue");
}

static const char *custom_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)f;
	return custom_schema(d, res, "CustomFieldInput");
}

static bool links_to(const struct field *f, const struct entity_kind *kind)
{
	bool found = kind && !f->choices;

	for (int i = 0; kind && f->choices && f->choices[i]; i++)
		found |= strcmp(f->choices[i], kind->type) == 0;
	return found;
}

/* One of the schemas PersonId, CompanyId …, for each kind of entity that the field can refer to. */
static const char *field_one_of_kinds(
    struct openapi_doc *d, const struct resource *res, const struct field *f, const char *suffix)
{
	const struct field *link = f->same_as ? &res->fields[field_find(res, f->same_as, strlen(f->same_as))] : f;
	const char *list = "";

	for (int i = 0; i < ID_KINDS; i++) {
		const struct entity_kind *kind = entity_kind_of((enum id_kind)i);
		if (links_to(link, kind))
			list = arena_printf(
			    &d->arena, "%s%s@%s", list, *list ? "," : "", openapi_name(d, kind->type, suffix));
	}
	return arena_printf(&d->arena, "{'oneOf':[%s]}", list);
}

/* --- in answers --------------------------------------------------------------------- */

/* True when an unset value is shown as null. */
static bool field_null_out(const struct field *f)
{
	if (f->type == FIELD_CHOICE && !f->unset && !(f->flags & FIELD_NO_EMPTY))
		return true;
	return f->flags & FIELD_NULL_EMPTY || (f->flags & FIELD_NULLABLE && f->type != FIELD_TEXT);
}

/* The schema of a text; rest begins with a comma. */
static const char *text_out(struct openapi_doc *d, const struct field *f, const char *rest)
{
	return arena_printf(&d->arena, "{'type':%s%s}", field_null_out(f) ? "['string','null']" : "'string'", rest);
}

static const char *id_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)f;
	return arena_printf(&d->arena, "@%s", openapi_id_name(res->id_kind));
}

static const char *choice_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return choice_schema(d, f, false, field_null_out(f));
}

static const char *entity_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	return field_one_of_kinds(d, res, f, "Entity");
}

static const char *to_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	return field_one_of_kinds(d, res, f, "Party");
}

static const char *definition_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)d, (void)res;
	return definition_of(f)->out;
}

/* A deleted parent is shown by its id. */
static const char *parent_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)f;
	return arena_printf(&d->arena,
	    "{'oneOf':[{'type':'null'},@%s," OBJECT("'id','deleted'", "'id':@%s,'deleted':{'const':true}") "]}",
	    openapi_name(d, res->name, "Parent"), openapi_id_name(res->id_kind));
}

/* --- in bodies ---------------------------------------------------------------------- */

/* True when "" unsets the value. */
static bool field_empty_in(const struct field *f)
{
	return !(f->flags & FIELD_NO_EMPTY);
}

static const char *field_text_type(const struct field *f)
{
	return f->flags & FIELD_NULLABLE ? "['string','null']" : "'string'";
}

/* A text that matches pattern, or "". */
static const char *field_form_in(struct openapi_doc *d, const struct field *f, const char *format, const char *pattern)
{
	if (field_empty_in(f))
		return arena_printf(&d->arena, "{'type':%s,'pattern':'^(%s)?$'}", field_text_type(f), pattern);
	return arena_printf(&d->arena, "{'type':%s,'format':'%s'}", field_text_type(f), format);
}

static const char *time_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	const char *form = field_form_in(
	    d, f, "date-time", "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9:.]+([Zz]|[-+][0-9]{2}:[0-9]{2})");

	(void)res;
	return arena_printf(&d->arena, "%.*s,'maxLength':%d}", (int)strlen(form) - 1, form, f->max);
}

/* A text that matches pattern, or a number. */
static const char *field_number_in(
    struct openapi_doc *d, const struct field *f, const char *pattern, const char *number)
{
	return arena_printf(&d->arena, "{'anyOf':[{'type':%s,'pattern':'^(%s)%s$'},%s]}", field_text_type(f), pattern,
	    field_empty_in(f) ? "?" : "", number);
}

/* An array of at most f->max items of the schema form. */
static const char *list_schema(struct openapi_doc *d, const struct field *f, const char *form)
{
	return arena_printf(&d->arena, "{'type':'array','maxItems':%d,'items':%s}", f->max, form);
}

static const char *companies_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	if (!f->item_max)
		return list_schema(d, f, "@NamedById");
	return list_schema(d, f,
	    arena_printf(&d->arena,
	        "{'oneOf':[@CompanyById," OBJECT(
	            "'name'", "'name':{'type':'string','minLength':1,'maxLength':%d}") "]}",
	        f->item_max));
}

/* A text of min to max characters. */
static const char *text_schema(struct openapi_doc *d, const char *type, int min, int max)
{
	return arena_printf(&d->arena, "{'type':%s,'minLength':%d,'maxLength':%d}", type, min, max);
}

static const char *parent_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)f;
	return arena_printf(&d->arena,
	    "{'oneOf':[{'type':'null'}," OBJECT("'id'",
	        "'id':@%s,'entity':" IGNORED ",'content':" IGNORED ",'visibility':" IGNORED ",'author':" IGNORED
	        ",'createdAt':" IGNORED ",'deleted':" IGNORED) "]}",
	    openapi_id_name(res->id_kind));
}

static const char *text_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return text_schema(d, field_text_type(f), field_empty_in(f) ? 0 : 1, f->max);
}

static const char *choice_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return choice_schema(d, f, field_empty_in(f), f->flags & FIELD_NULLABLE);
}

static const char *date_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return field_form_in(d, f, "date", "[0-9]{4}-[0-9]{2}-[0-9]{2}");
}

static const char *year_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return field_number_in(d, f, "[0-9]{4}", "{'type':'integer','minimum':1000,'maximum':2100}");
}

static const char *decimal_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return field_number_in(d, f, "[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?", "{'type':'number','minimum':0}");
}

static const char *clock_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return arena_printf(&d->arena, "{'type':%s,'pattern':'^(" CLOCK ")?$'}", field_text_type(f));
}

static const char *rule_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return text_schema(d, "'string','description':'Lines of RFC 5545: DTSTART;TZID=…, then RRULE:…'", 1, f->max);
}

static const char *texts_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return list_schema(d, f, text_schema(d, "'string'", 1, f->item_max));
}

static const char *entity_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	return arena_printf(&d->arena, OBJECT("'id'", "'id':%s,'entityType':" IGNORED ",'fullName':" IGNORED),
	    field_one_of_kinds(d, res, f, "Id"));
}

static const char *definition_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)d, (void)res;
	return definition_of(f)->in;
}

static const char *url_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return arena_printf(&d->arena,
	    "{'type':'string','format':'uri','maxLength':%d,'description':'http or https, to a public address'}",
	    f->max);
}

static const char *events_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return arena_printf(
	    &d->arena, "{'type':'array','minItems':1,'maxItems':%d,'items':@SubscriptionInput}", f->max);
}

static const char *groups_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return list_schema(d, f, "@GroupById");
}

static const char *people_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return list_schema(d, f, "@PersonById");
}

static const char *users_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	(void)res;
	return list_schema(d, f, "{'oneOf':[@UserById,@UserByEmail]}");
}

/* --- the table -------------------------------------------------------------------------- */

#define USER_EXAMPLE "'id':$usr,'fullName':'Charles Babbage','email':'charles@example.com'"
#define MET_EXAMPLE(count) "'approximateCount':" count ",'lastInteractedAt':'2026-01-30T16:20:00.000Z'"

/* clang-format off */
/* .out and .in: schemas that are the same for all fields of the type, or functions that make them (_of). .out_text:
 * a text, null when unset, with these further members. Examples as in openapi_example_out(); example_in where bodies
 * differ from answers. */
const struct openapi_type openapi_types[FIELD_TYPES] = {
	[FIELD_ID] = {.out_of = id_out,
		.example = "$own"},
	[FIELD_TEXT] = {.out_text = "", .in_of = text_in,
		.example = "~"},
	[FIELD_CHOICE] = {.out_of = choice_out, .in_of = choice_in,
		.example = "~"},
	[FIELD_DATE] = {.out_text = ",'format':'date'", .in_of = date_in,
		.example = "'2026-01-31'"},
	[FIELD_YEAR] = {.out_text = ",'pattern':'^[0-9]{4}$'", .in_of = year_in,
		.example = "'1843'"},
	[FIELD_DECIMAL] = {.out_text = "", .in_of = decimal_in,
		.example = "'1250000.5'"},
	[FIELD_TIME] = {.out_text = ",'format':'date-time'", .in_of = time_in,
		.example = "'2026-01-31T09:30:00.000Z'"},
	[FIELD_FLAG] = {.out = "{'type':'boolean'}", .in = "{'type':'boolean'}",
		.example = "true"},
	[FIELD_TEXTS] = {.out = TEXTS, .in_of = texts_in,
		.example = "[~]"},
	[FIELD_GROUPS] = {.out = LIST_OF("@GroupReference"), .in_of = groups_in,
		.example = "[{'id':$grp,'name':'Investors'}]", .example_in = "[{'id':$grp}]"},
	[FIELD_COMPANIES] = {.out = LIST_OF("@CompanyReference"), .in_of = companies_in,
		.example = "[{'id':$com,'name':'Analytical Engines'}]", .example_in = "[{'id':$com}]"},
	[FIELD_PEOPLE] = {.out = LIST_OF("@PersonReference"), .in_of = people_in,
		.example = "[{'id':$per,'fullName':'Ada Lovelace'}]", .example_in = "[{'id':$per}]"},
	[FIELD_USER] = {.out = "@UserReference",
		.example = "{" USER_EXAMPLE "}"},
	[FIELD_USER_ID] = {.out = "@UserId", .in = "@UserId",
		.example = "$usr"},
	[FIELD_DEFINITION] = {.out_of = definition_out, .in_of = definition_in}, /* each part belongs to one type of custom field */
	[FIELD_USERS] = {.out = LIST_OF("@UserReference"), .in_of = users_in,
		.example = "[{" USER_EXAMPLE "}]", .example_in = "[{'id':$usr}]"},
	[FIELD_ENTITY] = {.out_of = entity_out, .in_of = entity_in,
		.example = "{'id':$per,'entityType':'person','fullName':'Ada Lovelace'}", .example_in = "{'id':$per}"},
	[FIELD_CLOCK] = {.out_text = ",'pattern':'^" CLOCK "$'", .in_of = clock_in,
		.example = "'09:30'"},
	[FIELD_RULE] = {.out_text = "", .in_of = rule_in,
		.example = "~"},
	[FIELD_AUTHOR] = {.out = "@Author",
		.example = "{'type':'user'," USER_EXAMPLE ",'deleted':false}"},
	[FIELD_PARENT] = {.out_of = parent_out, .in_of = parent_in,
		.example = "null"},
	[FIELD_CUSTOM] = {.out_of = custom_out, .in_of = custom_in,
		.example = "{$grp:{'Stage':'Negotiation'}}", .example_of_object = "{'Stage':'Negotiation'}"},
	[FIELD_METADATA] = {.out = "@InteractionMetadata",
		.example = "{'user':{" MET_EXAMPLE("3") "},'workspace':{" MET_EXAMPLE("4") ",'lastInteractedBy':[{" USER_EXAMPLE "}]}}"},
	[FIELD_CONNECTION] = {.out = "{'type':'object','propertyNames':@GroupId,'additionalProperties':@UserReference}",
		.example = "{$grp:{" USER_EXAMPLE "}}"},
	[FIELD_ACTIVITY] = {.out_of = activity_schema, .in_of = activity_schema,
		.example = "~"},
	[FIELD_FROM] = {.out = "@UserParty",
		.example = "{'type':'user','value':$usr,'name':'Charles Babbage'}"},
	[FIELD_TO] = {.out_of = to_out,
		.example = "{'type':'person','value':$per,'name':'Ada Lovelace'}"},
	[FIELD_URL] = {.out = "{'type':'string','format':'uri'}", .in_of = url_in,
		.example = "~"},
	[FIELD_EVENTS] = {.out = LIST_OF("@Subscription"), .in_of = events_in,
		.example = "[{'eventType':'person.updated','filter':{'groupId':$grp,'path':['jobTitle']}}]"},
	[FIELD_EVENT_ID] = {.out = "@EventId",
		.example = "$evt"},
	[FIELD_ATTEMPTS] = {.out = LIST_OF("@DeliveryAttempt"),
		.example = "[{'at':'2026-01-31T09:30:00.000Z','durationMs':183,'statusCode':503,'error':'http_error'}]"},
	[FIELD_COUNT] = {.out = "{'type':'integer','minimum':0}",
		.example = "42"},
};
/* clang-format on */

void openapi_field_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	const struct openapi_type *t = &openapi_types[f->type];

	openapi_put(d, "%s", t->out ? t->out : t->out_text ? text_out(d, f, t->out_text) : t->out_of(d, res, f));
}

void openapi_field_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	const struct openapi_type *t = &openapi_types[f->type];

	openapi_put(d, "%s", t->in ? t->in : t->in_of(d, res, f));
}
