/* The members of records, as the API names them, and the parts that other programs split them into. */
#include "transfer/record_field.h"

#include <string.h>

enum {
	P = 1 << TRANSFER_PEOPLE,
	C = 1 << TRANSFER_COMPANIES,
	O = 1 << TRANSFER_OBJECTS,
	N = 1 << TRANSFER_NOTES,
	T = 1 << TRANSFER_TASKS,
	I = 1 << TRANSFER_INTERACTIONS,
	ALL = P | C | O | N | T | I
};

const char *const transfer_kind_names[TRANSFER_KINDS + 1] = {
    "people", "companies", "objects", "notes", "tasks", "interactions", "events", NULL};

enum transfer_kind transfer_kind_parse(const char *text)
{
	int i = 0;

	while (transfer_kind_names[i] && strcmp(transfer_kind_names[i], text) != 0)
		i++;
	return (enum transfer_kind)i;
}

static const struct transfer_field fields[] = {
    {"id", SHAPE_READ, ALL},
    {"firstName", SHAPE_TEXT, P},
    {"lastName", SHAPE_TEXT, P},
    {"fullName", SHAPE_TEXT, P},
    {"name", SHAPE_TEXT, C | O},
    {"description", SHAPE_LINES, P | C | T},
    {"birthday", SHAPE_DATE, P},
    {"gender", SHAPE_GENDER, P},
    {"jobTitle", SHAPE_TEXT, P},
    {"industry", SHAPE_TEXT, C},
    {"fundingRaised", SHAPE_NUMBER, C},
    {"lastFundingDate", SHAPE_DATE, C},
    {"foundationYear", SHAPE_YEAR, C},
    {"employeeRange", SHAPE_RANGE, C},
    {"emails", SHAPE_COMMAS, P | C},
    {"phones", SHAPE_COMMAS, P | C},
    {"addresses", SHAPE_LIST, P | C},
    {"urls", SHAPE_LIST, P | C},
    {"groups", SHAPE_GROUPS, P | C},
    {"companies", SHAPE_COMPANIES, P | O},
    {"people", SHAPE_PEOPLE, O},
    {"entity", SHAPE_ENTITY, N | T | I},
    {"content", SHAPE_LINES, N | I},
    {"visibility", SHAPE_TEXT, N},
    {"parentNote", SHAPE_READ, N},
    {"author", SHAPE_READ, N},
    {"title", SHAPE_TEXT, T | I},
    {"dueAt", SHAPE_DATE, T},
    {"dueTime", SHAPE_TEXT, T},
    {"completedAt", SHAPE_TIME, T},
    {"assignedUsers", SHAPE_USERS, T},
    {"isPublic", SHAPE_BOOL, T},
    {"recurrenceFrequency", SHAPE_TEXT, T},
    {"dateTime", SHAPE_TIME, I},
    {"activityType", SHAPE_TEXT, I},
    {"type", SHAPE_READ, I},
    {"interactionType", SHAPE_READ, I},
    {"from", SHAPE_READ, I},
    {"to", SHAPE_READ, I},
    {"privacyLevel", SHAPE_READ, I},
    {"createdAt", SHAPE_TIME, ALL},
    {"createdBy", SHAPE_USER, ALL},
    {"updatedAt", SHAPE_READ, ALL},
    {"customFieldValues", SHAPE_CUSTOM, P | C | O},
    {"interactionMetadata", SHAPE_READ, ALL},
    {"strongestConnection", SHAPE_READ, P},
    {"_refused", SHAPE_READ, ALL},
    {"_line", SHAPE_READ, ALL},
    {"name.prefix", SHAPE_NAME, P},
    {"name.middle", SHAPE_NAME, P},
    {"name.suffix", SHAPE_NAME, P},
    {"address.street", SHAPE_ADDRESS, P | C},
    {"address.extended", SHAPE_ADDRESS, P | C},
    {"address.poBox", SHAPE_ADDRESS, P | C},
    {"address.city", SHAPE_ADDRESS, P | C},
    {"address.region", SHAPE_ADDRESS, P | C},
    {"address.postalCode", SHAPE_ADDRESS, P | C},
    {"address.country", SHAPE_ADDRESS, P | C},
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

const struct transfer_field *field_after(const struct transfer_field *f)
{
	f = f ? f + 1 : fields;
	return f < fields + N_FIELDS ? f : NULL;
}

const struct transfer_field *field_named(enum transfer_kind kind, const char *name)
{
	for (size_t i = 0; i < N_FIELDS; i++)
		if (fields[i].kinds & 1U << kind && strcmp(fields[i].name, name) == 0)
			return &fields[i];
	return NULL;
}
