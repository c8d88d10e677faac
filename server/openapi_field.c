/* Schemas of fields: one case a type, in answers and in bodies. */
#include <string.h>

#include "server/openapi_parts.h"

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

/* --- in answers --------------------------------------------------------------------- */

/* null stands for an unset value. */
static bool null_out(const struct field *f)
{
	if (f->flags & FIELD_NULLABLE || f->flags & FIELD_NULL_EMPTY)
		return true;
	return f->type == FIELD_CHOICE && !f->unset && !(f->flags & FIELD_NO_EMPTY);
}

/* {'type': …} of a text with a rest that begins with a comma. */
static void text_out(struct openapi_doc *d, const struct field *f, const char *rest)
{
	openapi_put(d, null_out(f) ? "{'type':['string','null']%s}" : "{'type':'string'%s}", rest);
}

static void choices(struct openapi_doc *d, const struct field *f, bool empty, bool null)
{
	struct json_out *o = &d->out;

	json_begin_object(o);
	openapi_member(d, "type", null ? "['string','null']" : "'string'");
	json_key(o, "enum");
	json_begin_array(o);
	for (int i = 0; f->choices && f->choices[i]; i++)
		json_string(o, f->choices[i]);
	if (f->unset)
		json_string(o, f->unset);
	if (empty)
		json_string(o, "");
	if (null)
		json_null(o);
	json_end_array(o);
	json_end_object(o);
}

/* Values by group and by name; those of objects have no level of groups. */
static void custom(struct openapi_doc *d, const struct resource *res, const char *part)
{
	const char *by_name = arena_printf(&d->arena, "{'type':'object','additionalProperties':@%s}", part);

	if (res->id_kind == ID_OBJECT)
		openapi_put(d, "%s", by_name);
	else
		openapi_put(d, "{'type':'object','propertyNames':@GroupId,'additionalProperties':%s}", by_name);
}

/* What only notes, tasks, reminders and interactions have. */
static void linked_out(struct openapi_doc *d, const struct field *f)
{
	switch (f->type) {
	case FIELD_USERS:
		openapi_put(d, LIST_OF("@UserReference"));
		break;
	case FIELD_ENTITY:
		openapi_put(d, "@EntityReference");
		break;
	case FIELD_CLOCK:
		text_out(d, f, ",'pattern':'^([01][0-9]|2[0-3]):[0-5][0-9]$'");
		break;
	case FIELD_RULE:
	case FIELD_ACTIVITY:
		text_out(d, f, "");
		break;
	case FIELD_AUTHOR:
		openapi_put(d, "@Author");
		break;
	case FIELD_PARENT:
		openapi_put(d, "@ParentNote");
		break;
	case FIELD_FROM:
	case FIELD_TO:
		openapi_put(d, "@Party");
		break;
	default: /* never shown */
		break;
	}
}

void openapi_field_out(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	switch (f->type) {
	case FIELD_ID:
		openapi_put(d, "@%s", openapi_id_name(res->id_kind));
		break;
	case FIELD_TEXT:
	case FIELD_DECIMAL:
		text_out(d, f, "");
		break;
	case FIELD_CHOICE:
		choices(d, f, false, null_out(f));
		break;
	case FIELD_DATE:
		text_out(d, f, ",'format':'date'");
		break;
	case FIELD_YEAR:
		text_out(d, f, ",'pattern':'^[0-9]{4}$'");
		break;
	case FIELD_TIME:
		text_out(d, f, ",'format':'date-time'");
		break;
	case FIELD_FLAG:
		openapi_put(d, "{'type':'boolean'}");
		break;
	case FIELD_TEXTS:
		openapi_put(d, TEXTS);
		break;
	case FIELD_GROUPS:
		openapi_put(d, LIST_OF("@GroupReference"));
		break;
	case FIELD_COMPANIES:
		openapi_put(d, LIST_OF("@CompanyReference"));
		break;
	case FIELD_PEOPLE:
		openapi_put(d, LIST_OF("@PersonReference"));
		break;
	case FIELD_USER:
		openapi_put(d, "@UserReference");
		break;
	case FIELD_USER_ID:
		openapi_put(d, "@UserId");
		break;
	case FIELD_HIDDEN_ID:
		break;
	case FIELD_DEFINITION:
		openapi_put(d, "%s", definition_of(f)->out);
		break;
	case FIELD_CUSTOM:
		custom(d, res, "CustomFieldValue");
		break;
	case FIELD_METADATA:
		openapi_put(d, "@InteractionMetadata");
		break;
	case FIELD_CONNECTION:
		openapi_put(d, "{'type':'object','propertyNames':@GroupId,'additionalProperties':@UserReference}");
		break;
	default:
		linked_out(d, f);
		break;
	}
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
static void form_in(struct openapi_doc *d, const struct field *f, const char *format, const char *pattern)
{
	if (empty_in(f))
		openapi_put(d, "{'type':%s,'pattern':'^(%s)?$'}", text_type(f), pattern);
	else
		openapi_put(d, "{'type':%s,'format':'%s'}", text_type(f), format);
}

/* A text of digits, or a number. */
static void number_in(struct openapi_doc *d, const struct field *f, const char *pattern, const char *number)
{
	openapi_put(d, "{'anyOf':[{'type':%s,'pattern':'^(%s)%s$'},%s]}", text_type(f), pattern, empty_in(f) ? "?" : "",
	    number);
}

static void companies_in(struct openapi_doc *d, const struct field *f)
{
	if (f->item_max)
		openapi_put(d,
		    "{'type':'array','maxItems':%d,'items':{'oneOf':[@CompanyById," OBJECT(
		        "'name'", "'name':{'type':'string','minLength':1,'maxLength':%d}") "]}}",
		    f->max, f->item_max);
	else
		openapi_put(d, "{'type':'array','maxItems':%d,'items':@RecordById}", f->max);
}

static void text_in(struct openapi_doc *d, const struct field *f)
{
	openapi_put(d, "{'type':%s,'minLength':%d,'maxLength':%d}", text_type(f), empty_in(f) ? 0 : 1, f->max);
}

/* What only notes, tasks, reminders and interactions have. */
static void linked_in(struct openapi_doc *d, const struct field *f)
{
	switch (f->type) {
	case FIELD_USERS:
		openapi_put(d, "{'type':'array','maxItems':%d,'items':@UserByIdOrEmail}", f->max);
		break;
	case FIELD_ENTITY:
		openapi_put(d, "@EntityById");
		break;
	case FIELD_CLOCK:
		form_in(d, f, "time", "([01][0-9]|2[0-3]):[0-5][0-9]");
		break;
	case FIELD_RULE:
	case FIELD_ACTIVITY: /* a word of a list, or an emoji */
		text_in(d, f);
		break;
	case FIELD_PARENT:
		openapi_put(d, "{'oneOf':[{'type':'null'}," OBJECT("'id'", "'id':@NoteId") "]}");
		break;
	default:
		openapi_put(d, "{'type':'null'}"); /* never written by clients */
		break;
	}
}

void openapi_field_in(struct openapi_doc *d, const struct resource *res, const struct field *f)
{
	switch (f->type) {
	case FIELD_TEXT:
		text_in(d, f);
		break;
	case FIELD_CHOICE:
		choices(d, f, empty_in(f), f->flags & FIELD_NULLABLE);
		break;
	case FIELD_DATE:
		form_in(d, f, "date", "[0-9]{4}-[0-9]{2}-[0-9]{2}");
		break;
	case FIELD_YEAR:
		number_in(d, f, "[0-9]{4}", "{'type':'integer','minimum':1000,'maximum':2100}");
		break;
	case FIELD_DECIMAL:
		number_in(d, f, "[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?", "{'type':'number','minimum':0}");
		break;
	case FIELD_TIME:
		form_in(d, f, "date-time", "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9:.]+([Zz]|[-+][0-9]{2}:[0-9]{2})");
		break;
	case FIELD_FLAG:
		openapi_put(d, "{'type':'boolean'}");
		break;
	case FIELD_TEXTS:
		openapi_put(d, "{'type':'array','maxItems':%d,'items':{'type':'string','minLength':1,'maxLength':%d}}",
		    f->max, f->item_max);
		break;
	case FIELD_GROUPS:
		openapi_put(d, "{'type':'array','maxItems':%d,'items':@GroupById}", f->max);
		break;
	case FIELD_COMPANIES:
		companies_in(d, f);
		break;
	case FIELD_PEOPLE:
		openapi_put(d, "{'type':'array','maxItems':%d,'items':@RecordById}", f->max);
		break;
	case FIELD_USER_ID:
		openapi_put(d, "@UserId");
		break;
	case FIELD_DEFINITION:
		openapi_put(d, "%s", definition_of(f)->in);
		break;
	case FIELD_CUSTOM:
		custom(d, res, "CustomFieldInput");
		break;
	default:
		linked_in(d, f);
		break;
	}
}
