/* Schemas of fields, as the short texts of openapi_put(): one case a type, in answers and in bodies. */
#include <string.h>

#include "server/openapi/private.h"
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

/* --- both ways ---------------------------------------------------------------------- */

#define CLOCK "([01][0-9]|2[0-3]):[0-5][0-9]"

/* "'call','meeting'"; NULL: none. */
static const char *quoted(struct openapi_doc *d, const char *const *words)
{
	const char *list = "";

	for (int i = 0; words && words[i]; i++)
		list = arena_printf(&d->arena, "%s%s'%s'", list, i ? "," : "", words[i]);
	return list;
}

static const char *choices(struct openapi_doc *d, const struct field *f, bool empty, bool null)
{
	const char *list = quoted(d, f->choices);

	if (f->unset)
		list = arena_printf(&d->arena, "%s%s'%s'", list, *list ? "," : "", f->unset);
	return arena_printf(&d->arena, "{'type':%s,'enum':[%s%s%s]}", null ? "['string','null']" : "'string'", list,
	    empty ? ",''" : "", null ? ",null" : "");
}

/* Every emoji has a character outside of ASCII. */
static const char *activity(struct openapi_doc *d, const struct field *f)
{
	return arena_printf(&d->arena,
	    "{'type':'string','minLength':1,'maxLength':%d,'description':'One of these words, or an emoji',"
	    "'anyOf':[{'enum':[%s]},{'pattern':'[^ -~]'}]%s}",
	    f->max, quoted(d, f->choices), f->same_as ? ",'deprecated':true" : "");
}

/* Values by group and by name; those of objects have no level of groups. */
static const char *custom(struct openapi_doc *d, const struct resource *res, const char *part)
{
	const char *by_name = arena_printf(&d->arena, "{'type':'object','additionalProperties':@%s}", part);

	if (res->id_kind == ID_OBJECT)
		return by_name;
	return arena_printf(&d->arena, "{'type':'object','propertyNames':@GroupId,'additionalProperties':%s}", by_name);
}

static bool links_to(const struct field *f, const struct entity_kind *kind)
{
	bool found = kind && !f->choices;

	for (int i = 0; kind && f->choices && f->choices[i]; i++)
		found |= strcmp(f->choices[i], kind->type) == 0;
	return found;
}

/* One of the schemas PersonId, CompanyId …: of each kind of entity that the field can link to. */
static const char *one_of_kinds(
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

/* null stands for an unset value. */
static bool null_out(const struct field *f)
{
	if (f->type == FIELD_CHOICE && !f->unset && !(f->flags & FIELD_NO_EMPTY))
		return true;
	return f->flags & FIELD_NULL_EMPTY || (f->flags & FIELD_NULLABLE && f->type != FIELD_TEXT);
}

/* {'type': …} of a text with a rest that begins with a comma. */
static const char *text_out(struct openapi_doc *d, const struct field *f, const char *rest)
{
	return arena_printf(&d->arena, "{'type':%s%s}", null_out(f) ? "['string','null']" : "'string'", rest);
}

/* A parent that is gone leaves its id. */
static const char *parent_out(struct openapi_doc *d, const struct resource *res)
{
	return arena_printf(&d->arena,
	    "{'oneOf':[{'type':'null'},@%s," OBJECT("'id','deleted'", "'id':@%s,'deleted':{'const':true}") "]}",
	    openapi_name(d, res->name, "Parent"), openapi_id_name(res->id_kind));
}

/* What only webhooks and their deliveries have. */
static const char *webhook_out(const struct field *f)
{
	switch (f->type) {
	case FIELD_URL:
		return "{'type':'string','format':'uri'}";
	case FIELD_EVENTS:
		return LIST_OF("@Subscription");
	case FIELD_ATTEMPTS:
		return LIST_OF("@DeliveryAttempt");
	case FIELD_EVENT_ID:
		return "@EventId";
	case FIELD_COUNT:
		return "{'type':'integer','minimum':0}";
	default:
		return "{}"; /* never shown */
	}
}

static const char *schema_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	switch (f->type) {
	case FIELD_ID:
		return arena_printf(&d->arena, "@%s", openapi_id_name(res->id_kind));
	case FIELD_TEXT:
	case FIELD_DECIMAL:
	case FIELD_RULE:
		return text_out(d, f, "");
	case FIELD_CHOICE:
		return choices(d, f, false, null_out(f));
	case FIELD_ACTIVITY:
		return activity(d, f);
	case FIELD_DATE:
		return text_out(d, f, ",'format':'date'");
	case FIELD_YEAR:
		return text_out(d, f, ",'pattern':'^[0-9]{4}$'");
	case FIELD_CLOCK:
		return text_out(d, f, ",'pattern':'^" CLOCK "$'");
	case FIELD_TIME:
		return text_out(d, f, ",'format':'date-time'");
	case FIELD_FLAG:
		return "{'type':'boolean'}";
	case FIELD_TEXTS:
		return TEXTS;
	case FIELD_GROUPS:
		return LIST_OF("@GroupReference");
	case FIELD_COMPANIES:
		return LIST_OF("@CompanyReference");
	case FIELD_PEOPLE:
		return LIST_OF("@PersonReference");
	case FIELD_USER:
		return "@UserReference";
	case FIELD_USERS:
		return LIST_OF("@UserReference");
	case FIELD_USER_ID:
		return "@UserId";
	case FIELD_ENTITY:
		return one_of_kinds(d, res, f, "Entity");
	case FIELD_FROM:
		return "@UserParty";
	case FIELD_TO:
		return one_of_kinds(d, res, f, "Party");
	case FIELD_AUTHOR:
		return "@Author";
	case FIELD_PARENT:
		return parent_out(d, res);
	case FIELD_DEFINITION:
		return definition_of(f)->out;
	case FIELD_CUSTOM:
		return custom(d, res, "CustomFieldValue");
	case FIELD_METADATA:
		return "@InteractionMetadata";
	case FIELD_CONNECTION:
		return "{'type':'object','propertyNames':@GroupId,'additionalProperties':@UserReference}";
	default:
		return webhook_out(f);
	}
}

void openapi_field_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	openapi_put(d, "%s", schema_out(d, res, f));
}

/* --- in bodies ---------------------------------------------------------------------- */

/* "" unsets wherever a value may be unset. */
static bool empty_in(const struct field *f)
{
	return !(f->flags & FIELD_NO_EMPTY);
}

static const char *text_type(const struct field *f)
{
	return f->flags & FIELD_NULLABLE ? "['string','null']" : "'string'";
}

/* A text of a certain form, or "". */
static const char *form_in(struct openapi_doc *d, const struct field *f, const char *format, const char *pattern)
{
	if (empty_in(f))
		return arena_printf(&d->arena, "{'type':%s,'pattern':'^(%s)?$'}", text_type(f), pattern);
	return arena_printf(&d->arena, "{'type':%s,'format':'%s'}", text_type(f), format);
}

static const char *time_in(struct openapi_doc *d, const struct field *f)
{
	const char *form =
	    form_in(d, f, "date-time", "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9:.]+([Zz]|[-+][0-9]{2}:[0-9]{2})");

	return arena_printf(&d->arena, "%.*s,'maxLength':%d}", (int)strlen(form) - 1, form, f->max);
}

/* A text of digits, or a number. */
static const char *number_in(struct openapi_doc *d, const struct field *f, const char *pattern, const char *number)
{
	return arena_printf(&d->arena, "{'anyOf':[{'type':%s,'pattern':'^(%s)%s$'},%s]}", text_type(f), pattern,
	    empty_in(f) ? "?" : "", number);
}

/* At most so many; form is what one of them is. */
static const char *list_in(struct openapi_doc *d, const struct field *f, const char *form)
{
	return arena_printf(&d->arena, "{'type':'array','maxItems':%d,'items':%s}", f->max, form);
}

static const char *companies_in(struct openapi_doc *d, const struct field *f)
{
	if (!f->item_max)
		return list_in(d, f, "@NamedById");
	return list_in(d, f,
	    arena_printf(&d->arena,
	        "{'oneOf':[@CompanyById," OBJECT(
	            "'name'", "'name':{'type':'string','minLength':1,'maxLength':%d}") "]}",
	        f->item_max));
}

/* A text of so many characters. */
static const char *text_in(struct openapi_doc *d, const char *type, int min, int max)
{
	return arena_printf(&d->arena, "{'type':%s,'minLength':%d,'maxLength':%d}", type, min, max);
}

static const char *parent_in(struct openapi_doc *d, const struct resource *res)
{
	return arena_printf(&d->arena,
	    "{'oneOf':[{'type':'null'}," OBJECT("'id'",
	        "'id':@%s,'entity':" IGNORED ",'content':" IGNORED ",'visibility':" IGNORED ",'author':" IGNORED
	        ",'createdAt':" IGNORED ",'deleted':" IGNORED) "]}",
	    openapi_id_name(res->id_kind));
}

static const char *webhook_in(struct openapi_doc *d, const struct field *f)
{
	switch (f->type) {
	case FIELD_URL:
		return arena_printf(&d->arena,
		    "{'type':'string','format':'uri','maxLength':%d,'description':'http or https, to a public "
		    "address'}",
		    f->max);
	case FIELD_EVENTS:
		return arena_printf(
		    &d->arena, "{'type':'array','minItems':1,'maxItems':%d,'items':@SubscriptionInput}", f->max);
	default:
		return "{'type':'null'}"; /* never written by clients */
	}
}

static const char *schema_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	switch (f->type) {
	case FIELD_TEXT:
		return text_in(d, text_type(f), empty_in(f) ? 0 : 1, f->max);
	case FIELD_CHOICE:
		return choices(d, f, empty_in(f), f->flags & FIELD_NULLABLE);
	case FIELD_ACTIVITY:
		return activity(d, f);
	case FIELD_DATE:
		return form_in(d, f, "date", "[0-9]{4}-[0-9]{2}-[0-9]{2}");
	case FIELD_YEAR:
		return number_in(d, f, "[0-9]{4}", "{'type':'integer','minimum':1000,'maximum':2100}");
	case FIELD_DECIMAL:
		return number_in(d, f, "[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?", "{'type':'number','minimum':0}");
	case FIELD_CLOCK:
		return arena_printf(&d->arena, "{'type':%s,'pattern':'^(" CLOCK ")?$'}", text_type(f));
	case FIELD_TIME:
		return time_in(d, f);
	case FIELD_RULE:
		return text_in(
		    d, "'string','description':'Lines of RFC 5545: DTSTART;TZID=…, then RRULE:…'", 1, f->max);
	case FIELD_FLAG:
		return "{'type':'boolean'}";
	case FIELD_TEXTS:
		return list_in(d, f, text_in(d, "'string'", 1, f->item_max));
	case FIELD_GROUPS:
		return list_in(d, f, "@GroupById");
	case FIELD_COMPANIES:
		return companies_in(d, f);
	case FIELD_PEOPLE:
		return list_in(d, f, "@PersonById");
	case FIELD_USERS:
		return list_in(d, f, "{'oneOf':[@UserById,@UserByEmail]}");
	case FIELD_USER_ID:
		return "@UserId";
	case FIELD_ENTITY:
		return arena_printf(&d->arena, OBJECT("'id'", "'id':%s,'entityType':" IGNORED ",'fullName':" IGNORED),
		    one_of_kinds(d, res, f, "Id"));
	case FIELD_PARENT:
		return parent_in(d, res);
	case FIELD_DEFINITION:
		return definition_of(f)->in;
	case FIELD_CUSTOM:
		return custom(d, res, "CustomFieldInput");
	default:
		return webhook_in(d, f);
	}
}

void openapi_field_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	openapi_put(d, "%s", schema_in(d, res, f));
}
