/* The headers that other programs write, from their public descriptions and from exports. "" marks a header for which
 * kith has no field: its column is left out with a message, or becomes a custom field (--make-fields). "-" marks one
 * that means nothing outside of the program that wrote it. A field's own name needs no row ("Job Title" is jobTitle).
 * test/unit/test_transfer_values.c compares the rows with the fields of the API. */
#include <ctype.h>
#include <string.h>

#include "transfer/record_field.h"

/* Properties of a vCard, which exports write, too. Files of other kinds may have them as headers; the "Title" of
 * Outlook is a form of address (mapping.c). */
static const struct transfer_header properties[] = {
    {"FN", "fullName", 0},
    {"TITLE", "jobTitle", 0},
    {"ORG", "companies", 0},
    {"GENDER", "gender", 0},
    {"BDAY", "birthday", 0},
    {"EMAIL", "emails", 0},
    {"TEL", "phones", 0},
    {"ADR", "addresses", 0},
    {"URL", "urls", 0},
    {"NOTE", "description", 0},
    {"CATEGORIES", "groups", 0},
};

static const struct transfer_header person_headers[] = {
    /* Google Contacts: the current layout, then further headers of the layout before 2024 */
    {"Middle Name", "name.middle", 0},
    {"Phonetic First Name", "", 0},
    {"Phonetic Middle Name", "", 0},
    {"Phonetic Last Name", "", 0},
    {"Nickname", "", 0},
    {"File As", "-", 0},
    {"Organization Name", "companies", 0},
    {"Organization Title", "jobTitle", 0},
    {"Organization Department", "", 0},
    {"Notes", "description", 0},
    {"Photo", "-", 0},
    {"Labels", "groups", 0},
    {"E-mail # - Label", "-", 0},
    {"E-mail # - Value", "emails", 0},
    {"Phone # - Label", "-", 0},
    {"Phone # - Value", "phones", 0},
    {"Address # - Label", "-", 0},
    {"Address # - Formatted", "addresses", 0},
    {"Address # - Street", "address.street", 0},
    {"Address # - City", "address.city", 0},
    {"Address # - PO Box", "address.poBox", 0},
    {"Address # - Region", "address.region", 0},
    {"Address # - Postal Code", "address.postalCode", 0},
    {"Address # - Country", "address.country", 0},
    {"Address # - Extended Address", "address.extended", 0},
    {"Website # - Label", "-", 0},
    {"Website # - Value", "urls", 0},
    {"Event # - Label", "-", 0},
    {"Event # - Value", "", 0},
    {"Relation # - Label", "-", 0},
    {"Relation # - Value", "", 0},
    {"IM # - Label", "-", 0},
    {"IM # - Service", "-", 0},
    {"IM # - Value", "", 0},
    {"Custom Field # - Label", "-", 0},
    {"Custom Field # - Value", "", 0},
    {"Name", "fullName", 0},
    {"Given Name", "firstName", 0},
    {"Additional Name", "name.middle", 0},
    {"Family Name", "lastName", 0},
    {"Yomi Name", "", 0},
    {"Given Name Yomi", "", 0},
    {"Additional Name Yomi", "", 0},
    {"Family Name Yomi", "", 0},
    {"Initials", "-", 0},
    {"Short Name", "", 0},
    {"Maiden Name", "", 0},
    {"Location", "addresses", 0},
    {"Billing Information", "", 0},
    {"Directory Server", "-", 0},
    {"Mileage", "", 0},
    {"Occupation", "jobTitle", 0},
    {"Hobby", "", 0},
    {"Sensitivity", "-", 0},
    {"Priority", "-", 0},
    {"Subject", "", 0},
    {"Language", "", 0},
    {"Group Membership", "groups", 0},
    {"E-mail # - Type", "-", 0},
    {"Phone # - Type", "-", 0},
    {"Address # - Type", "-", 0},
    {"Website # - Type", "-", 0},
    {"Event # - Type", "-", 0},
    {"Relation # - Type", "-", 0},
    {"IM # - Type", "-", 0},
    {"Custom Field # - Type", "-", 0},
    {"Organization # - Type", "-", 0},
    {"Organization # - Name", "companies", 0},
    {"Organization # - Yomi Name", "", 0},
    {"Organization # - Title", "jobTitle", 0},
    {"Organization # - Department", "", 0},
    {"Organization # - Symbol", "", 0},
    {"Organization # - Location", "", 0},
    {"Organization # - Job Description", "", 0},

    /* Outlook */
    {"Suffix", "name.suffix", 0},
    {"Given Yomi", "", 0},
    {"Surname Yomi", "", 0},
    {"Company", "companies", 0},
    {"Company Yomi", "", 0},
    {"Department", "", 0},
    {"Business Street", "address.street", 1},
    {"Business Street #", "address.extended", 1},
    {"Business City", "address.city", 1},
    {"Business State", "address.region", 1},
    {"Business Postal Code", "address.postalCode", 1},
    {"Business Country/Region", "address.country", 1},
    {"Business Country", "address.country", 1},
    {"Business Address PO Box", "address.poBox", 1},
    {"Business Address", "addresses", 0},
    {"Home Street", "address.street", 2},
    {"Home Street #", "address.extended", 2},
    {"Home City", "address.city", 2},
    {"Home State", "address.region", 2},
    {"Home Postal Code", "address.postalCode", 2},
    {"Home Country/Region", "address.country", 2},
    {"Home Country", "address.country", 2},
    {"Home Address PO Box", "address.poBox", 2},
    {"Home Address", "addresses", 0},
    {"Other Street", "address.street", 3},
    {"Other Street #", "address.extended", 3},
    {"Other City", "address.city", 3},
    {"Other State", "address.region", 3},
    {"Other Postal Code", "address.postalCode", 3},
    {"Other Country/Region", "address.country", 3},
    {"Other Country", "address.country", 3},
    {"Other Address PO Box", "address.poBox", 3},
    {"Other Address", "addresses", 0},
    {"Assistant's Phone", "", 0},
    {"Business Fax", "", 0},
    {"Business Phone", "phones", 0},
    {"Business Phone #", "phones", 0},
    {"Callback", "", 0},
    {"Car Phone", "phones", 0},
    {"Company Main Phone", "phones", 0},
    {"Home Fax", "", 0},
    {"Home Phone", "phones", 0},
    {"Home Phone #", "phones", 0},
    {"ISDN", "", 0},
    {"Mobile Phone", "phones", 0},
    {"Other Fax", "", 0},
    {"Other Phone", "phones", 0},
    {"Pager", "", 0},
    {"Primary Phone", "phones", 0},
    {"Radio Phone", "", 0},
    {"TTY/TDD Phone", "", 0},
    {"Telex", "", 0},
    {"Account", "", 0},
    {"Anniversary", "", 0},
    {"Assistant's Name", "", 0},
    {"Children", "", 0},
    {"E-mail Address", "emails", 0},
    {"E-mail Type", "-", 0},
    {"E-mail Display Name", "-", 0},
    {"E-mail # Address", "emails", 0},
    {"E-mail # Display Name", "-", 0},
    {"Government ID Number", "", 0},
    {"IMAddress", "", 0},
    {"Internet Free Busy", "-", 0},
    {"Keywords", "", 0},
    {"Manager's Name", "", 0},
    {"Office Location", "", 0},
    {"Organizational ID Number", "", 0},
    {"Private", "-", 0},
    {"Profession", "", 0},
    {"Referred By", "", 0},
    {"Schools", "", 0},
    {"Spouse", "", 0},
    {"User #", "", 0},
    {"Web Page", "urls", 0},
    {"Personal Web Page", "urls", 0},

    /* HubSpot */
    {"Record ID", "-", 0},
    {"Record ID - Contact", "-", 0},
    {"Contact ID", "-", 0},
    {"Work email", "emails", 0},
    {"Additional email addresses", "emails", 0},
    {"Phone Number", "phones", 0},
    {"Mobile Phone Number", "phones", 0},
    {"Fax Number", "", 0},
    {"Lead Status", "", 0},
    {"Lifecycle Stage", "", 0},
    {"Marketing contact status", "", 0},
    {"Contact owner", "", 0},
    {"HubSpot Team", "", 0},
    {"Favorite Content Topics", "", 0},
    {"Preferred channels", "", 0},
    {"Associated Company", "companies", 0},
    {"Associated Company (Primary)", "companies", 0},
    {"Associated Company IDs", "-", 0},
    {"Associated Company IDs (Primary)", "-", 0},
    {"Associated Deal", "", 0},
    {"Associated Deal IDs", "-", 0},
    {"Company Name", "companies", 0},
    {"Website URL", "urls", 0},
    {"LinkedIn URL", "urls", 0},
    {"Street Address", "address.street", 1},
    {"City", "address.city", 1},
    {"State/Region", "address.region", 1},
    {"Postal Code", "address.postalCode", 1},
    {"Country/Region", "address.country", 1},
    {"Date of birth", "birthday", 0},
    {"Salutation", "name.prefix", 0},
    {"Create Date", "createdAt", 0},
    {"Created by user ID", "-", 0},
    {"Last Modified Date", "-", 0},
    {"Last Activity Date", "", 0},

    /* Attio */
    {"Record", "fullName", 0},
    {"Name > First name", "firstName", 0},
    {"Name > Last name", "lastName", 0},
    {"Name > Full name", "fullName", 0},
    {"Email addresses", "emails", 0},
    {"Phone numbers", "phones", 0},
    {"Primary location", "addresses", 0},
    {"Primary location > Line #", "address.street", 1},
    {"Primary location > City", "address.city", 1},
    {"Primary location > State", "address.region", 1},
    {"Primary location > Postcode", "address.postalCode", 1},
    {"Primary location > Country", "address.country", 1},
    {"Primary location > Country code", "-", 0},
    {"Primary location > Latitude", "-", 0},
    {"Primary location > Longitude", "-", 0},
    {"AngelList", "urls", 0},
    {"Facebook", "urls", 0},
    {"Instagram", "urls", 0},
    {"LinkedIn", "urls", 0},
    {"Twitter", "urls", 0},
    {"Twitter follower count", "", 0},
    {"Avatar URL", "-", 0},
    {"Associated deals", "", 0},
    {"Associated users", "", 0},
    {"Connection strength", "-", 0},
    {"Strongest connection user", "-", 0},
    {"First interaction", "", 0},
    {"Last interaction", "", 0},
    {"Next interaction", "", 0},

    /* Pipedrive */
    {"Person - ID", "-", 0},
    {"Person - Name", "fullName", 0},
    {"Person - First name", "firstName", 0},
    {"Person - Last name", "lastName", 0},
    {"Person - Organization", "companies", 0},
    {"Person - Organization ID", "-", 0},
    {"Person - Label", "groups", 0},
    {"Person - Labels", "groups", 0},
    {"Person - Email", "emails", 0},
    {"Person - Email - Work", "emails", 0},
    {"Person - Email - Home", "emails", 0},
    {"Person - Email - Other", "emails", 0},
    {"Person - Phone", "phones", 0},
    {"Person - Phone - Work", "phones", 0},
    {"Person - Phone - Home", "phones", 0},
    {"Person - Phone - Mobile", "phones", 0},
    {"Person - Phone - Other", "phones", 0},
    {"Person - Postal address", "addresses", 0},
    {"Person - Job title", "jobTitle", 0},
    {"Person - Birthday", "birthday", 0},
    {"Person - Notes", "description", 0},
    {"Person - Instant messenger", "", 0},
    {"Person - Owner", "", 0},
    {"Person - Visible to", "-", 0},
    {"Person - Marketing status", "", 0},
    {"Person - Double opt-in", "", 0},
    {"Person - Open deals", "-", 0},
    {"Person - Closed deals", "-", 0},
    {"Person - Won deals", "-", 0},
    {"Person - Lost deals", "-", 0},
    {"Person - Next activity date", "", 0},
    {"Person - Last activity date", "", 0},
    {"Person - Total activities", "-", 0},
    {"Person - Done activities", "-", 0},
    {"Person - Activities to do", "-", 0},
    {"Person - Email messages count", "-", 0},
    {"Person - Profile picture", "-", 0},
    {"Person - Person created", "createdAt", 0},
    {"Person - Update time", "-", 0},

    /* vCard, beside the properties above; N and ORG are split by the reader */
    {"ORG unit", "", 0},
    {"LABEL", "-", 0},
    {"ROLE", "", 0},
    {"IMPP", "", 0},
    {"X-SOCIALPROFILE", "urls", 0},
    {"LANG", "", 0},
    {"RELATED", "", 0},
    {"UID", "-", 0},
    {"REV", "-", 0},
    {"PRODID", "-", 0},
    {"PROFILE", "-", 0},
    {"SOURCE", "-", 0},
    {"KIND", "-", 0},
    {"CLASS", "-", 0},
    {"MAILER", "-", 0},
    {"TZ", "-", 0},
    {"GEO", "-", 0},
    {"SORT-STRING", "-", 0},
    {"CLIENTPIDMAP", "-", 0},
    {"X-ABLABEL", "-", 0},
    {"X-ABADR", "-", 0},
    {"X-ABSHOWAS", "-", 0},
    {"X-ABUID", "-", 0},
    {"X-ABDATE", "", 0},
    {"X-ABRELATEDNAMES", "", 0},
    {"X-ANNIVERSARY", "", 0},
    {"X-AIM", "", 0},
    {"X-ICQ", "", 0},
    {"X-JABBER", "", 0},
    {"X-MSN", "", 0},
    {"X-SKYPE", "", 0},
    {"X-SKYPE-USERNAME", "", 0},
    {"X-YAHOO", "", 0},
    {"X-QQ", "", 0},
    {"X-GENDER", "gender", 0},
    {"X-ANDROID-CUSTOM", "", 0},
    {"X-PHONETIC-FIRST-NAME", "", 0},
    {"X-PHONETIC-MIDDLE-NAME", "", 0},
    {"X-PHONETIC-LAST-NAME", "", 0},

    /* what people write by hand */
    {"Surname", "lastName", 0},
    {"Email #", "emails", 0},
    {"Phone", "phones", 0},
    {"Phone #", "phones", 0},
    {"Mobile", "phones", 0},
    {"Telephone", "phones", 0},
    {"Address", "addresses", 0},
    {"Address #", "addresses", 0},
    {"Street", "address.street", 1},
    {"State", "address.region", 1},
    {"Region", "address.region", 1},
    {"Zip", "address.postalCode", 1},
    {"Zip Code", "address.postalCode", 1},
    {"Country", "address.country", 1},
    {"Website", "urls", 0},
    {"Organization", "companies", 0},
    {"Organisation", "companies", 0},
    {"Position", "jobTitle", 0},
    {"Tags", "groups", 0},
    {"Group", "groups", 0},
};

static const struct transfer_header company_headers[] = {
    {"Company", "name", 0},
    {"Company name", "name", 0},
    {"Organization", "name", 0},
    {"Record", "name", 0},
    {"Organization - Name", "name", 0},
    {"Organization - Address", "addresses", 0},
    {"Organization - Label", "groups", 0},
    {"Organization - Labels", "groups", 0},
    {"Organization - Website", "urls", 0},
    {"Organization - Industry", "industry", 0},
    {"Organization - Number of employees", "employeeRange", 0},
    {"Organization - Organization created", "createdAt", 0},
    {"Organization - ID", "-", 0},
    {"Organization - Owner", "", 0},
    {"Organization - Update time", "-", 0},
    {"Organization - People", "-", 0},
    {"Organization - Visible to", "-", 0},
    {"Organization - Open deals", "-", 0},
    {"Organization - Closed deals", "-", 0},
    {"Organization - Won deals", "-", 0},
    {"Organization - Lost deals", "-", 0},
    {"Record ID", "-", 0},
    {"Domains", "urls", 0},
    {"Domain", "urls", 0},
    {"Company Domain Name", "urls", 0},
    {"Website URL", "urls", 0},
    {"Website", "urls", 0},
    {"LinkedIn Company Page", "urls", 0},
    {"LinkedIn", "urls", 0},
    {"Twitter", "urls", 0},
    {"Facebook", "urls", 0},
    {"Phone", "phones", 0},
    {"Phone Number", "phones", 0},
    {"Email", "emails", 0},
    {"Notes", "description", 0},
    {"Employees", "employeeRange", 0},
    {"Number of Employees", "employeeRange", 0},
    {"Year Founded", "foundationYear", 0},
    {"Foundation date", "foundationYear", 0},
    {"Total Money Raised", "fundingRaised", 0},
    {"Categories", "groups", 0},
    {"Address", "addresses", 0},
    {"Street Address", "address.street", 1},
    {"City", "address.city", 1},
    {"State/Region", "address.region", 1},
    {"Postal Code", "address.postalCode", 1},
    {"Country/Region", "address.country", 1},
    {"Country", "address.country", 1},
    {"Company owner", "", 0},
    {"Create Date", "createdAt", 0},
    {"Last Activity Date", "", 0},
    {"Last Modified Date", "-", 0},
    {"Team", "-", 0},
    {"Associated deals", "", 0},
    {"Associated Contact", "-", 0},
    {"Associated Contact IDs", "-", 0},
    {"Avatar URL", "-", 0},
    {"Connection strength", "-", 0},
};

void header_normal(const char *header, char *out, size_t size)
{
	size_t n = 0;

	for (; *header && n + 1 < size; header++) {
		unsigned char c = (unsigned char)*header;
		if (isalnum(c) || c >= 0x80 || c == '#')
			out[n++] = (char)tolower(c);
	}
	out[n] = '\0';
}

/* Replaces the first number by '#' and returns it; 0: the text has no number. */
static int header_number(char *text)
{
	size_t at = strcspn(text, "0123456789"), len = strspn(text + at, "0123456789");
	int number = 0;

	if (!len || len > 4)
		return 0;
	for (size_t i = at; i < at + len; i++)
		number = number * 10 + text[i] - '0';
	text[at] = '#';
	memmove(text + at + 1, text + at + len, strlen(text + at + len) + 1);
	return number;
}

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

const struct transfer_header *header_at(enum transfer_kind kind, size_t i)
{
	if (kind == TRANSFER_COMPANIES)
		return i < COUNT(company_headers) ? &company_headers[i] : NULL;
	if (kind != TRANSFER_PEOPLE || i >= COUNT(properties) + COUNT(person_headers))
		return NULL;
	return i < COUNT(properties) ? &properties[i] : &person_headers[i - COUNT(properties)];
}

const char *header_property(const char *field)
{
	for (size_t i = 0; i < COUNT(properties); i++)
		if (strcmp(properties[i].field, field) == 0)
			return properties[i].header;
	return NULL;
}

const struct transfer_header *header_find(enum transfer_kind kind, const char *header, int *number)
{
	const struct transfer_header *h;
	char text[256], row[256];

	header_normal(header, text, sizeof text);
	*number = header_number(text);
	for (size_t i = 0; (h = header_at(kind, i)); i++) {
		header_normal(h->header, row, sizeof row);
		if (strcmp(row, text) != 0)
			continue;
		*number = h->number ? h->number : *number ? *number : 1;
		return h;
	}
	return NULL;
}
