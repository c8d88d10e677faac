/* Columns of files from programs in other languages, and of files that people write by hand: each value gets into a
 * field, or its column is named. */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/server/transferred.h"

static struct transferred t;

RIG("columns");

BEFORE_EACH()
{
	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "clerk").key);
}

AFTER_EACH()
{
	transferred_free(&t);
}

/* Imports a CSV without a refused record. */
static void columns_import(const char *name, const char *text)
{
	TRANSFERRED(&t, "import", transferred_write(&t, name, text, strlen(text)));
	transferred_expect(&t, 0, "\"refused\":0,\"lost\":0,\"complete\":true", "");
}

static void people_have(const char *const texts[], size_t n)
{
	const char *people = transferred_list(&t, "people");

	for (size_t i = 0; i < n; i++)
		if (!strstr(people, texts[i]))
			fail_msg("no %s in\n%s", texts[i], people);
}
#define PEOPLE_HAVE(...)                                                                                               \
	people_have(                                                                                                   \
	    (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* After columns_import(), because an export has messages of its own. */
static void columns_name(const char *text)
{
	if (!strstr(t.err, text))
		fail_msg("no \"%s\" in\n%s", text, t.err);
}

/* --- Outlook in other languages ---------------------------------------------------------------- */

TEST(test_german_outlook)
{
	columns_import("german.csv",
	    "Anrede;Titel;Vorname;Weitere Vornamen;Nachname;Firma;Position;Straße geschäftlich;Ort "
	    "geschäftlich;Postleitzahl "
	    "geschäftlich;Straße privat;Ort privat;Postleitzahl privat;Telefon Firma;Telefon (privat 2);Fax "
	    "geschäftlich;E-Mail-Adresse;E-Mail-Typ;E-Mail 2: Adresse;E-Mail 2: Typ;Geburtstag;Jahrestag;Geschlecht;"
	    "Priorität;Privat\n"
	    "Herr;Dr.;Jürgen;Karl;Größl;Größl KG;Leiter;Hauptstr. 5;Köln;50667;Weg 1;Bonn;53111;0221 1;0228 2;0221 9;"
	    "j@g.example;SMTP;j2@g.example;SMTP;0.0.00;0.0.00;Männlich;Normal;Falsch\n");
	columns_name("kith has no field for it: Fax geschäftlich (1 values)");
	columns_name("E-Mail-Typ (1 values), E-Mail 2: Typ (1 values), Priorität (1 values), Privat (1 values)");
	PEOPLE_HAVE("\"fullName\":\"Herr Dr. Jürgen Karl Größl\"", "\"jobTitle\":\"Leiter\"",
	    "\"addresses\":[\"Hauptstr. 5, Köln, 50667\",\"Weg 1, Bonn, 53111\"]", "\"phones\":[\"0221 1\",\"0228 2\"]",
	    "\"emails\":[\"j@g.example\",\"j2@g.example\"]", "\"gender\":\"Male\"", "\"birthday\":null",
	    "\"name\":\"Größl KG\"");
}

TEST(test_french_outlook)
{
	columns_import("french.csv",
	    "Titre,Prénom,Nom,Titre,Rue (bureau),Ville (bureau),Rue (domicile),Code postal (domicile),Télécopie "
	    "(bureau),"
	    "Téléphone société,Adresse de courrier,Type de courrier,Adresse de courrier 2,Sexe\n"
	    "Mme,Hélène,Lefèvre,Gérante,\"12, rue X\",Lyon,3 rue Y,69001,04 73,04 72,h@l.example,SMTP,h2@l.example,"
	    "Féminin\n");
	columns_name("Télécopie (bureau) (1 values)");
	columns_name("Type de courrier (1 values)");
	PEOPLE_HAVE("\"fullName\":\"Mme Hélène Lefèvre\"", "\"jobTitle\":\"Gérante\"",
	    "\"addresses\":[\"12, rue X, Lyon\",\"3 rue Y, 69001\"]", "\"phones\":[\"04 72\"]",
	    "\"emails\":[\"h@l.example\",\"h2@l.example\"]", "\"gender\":\"Female\"");
}

TEST(test_genders)
{
	static const char *const words[][2] = {{"Weiblich", "Female"}, {"männlich", "Male"}, {"Femme", "Female"},
	    {"HOMME", "Male"}, {"Masculin", "Male"}, {"FÉMININ", "Female"}, {"Mujer", "Female"}, {"w", "Female"}};
	struct buf text;

	buf_init(&text, 1 << 16);
	buf_addz(&text, "Vorname,Geschlecht\n");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		buf_printf(&text, "P%zu,%s\n", i, words[i][0]);
	buf_addz(&text, "Q,Keine Angabe\nR,Baum\n");
	columns_import("genders.csv", text.data);
	buf_free(&text);
	columns_name("the field gender has no such choice: Geschlecht (1 values)");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *at =
		    strstr(transferred_list(&t, "people"), arena_printf(t.arena, "\"firstName\":\"P%zu\"", i));
		assert_non_null(at);
		at = strstr(at, "\"gender\":\"");
		if (!at || strncmp(at + 10, words[i][1], strlen(words[i][1])) != 0)
			fail_msg("%s is %.20s", words[i][0], at);
	}
}

/* --- addresses and companies -------------------------------------------------------------------- */

/* An address beside its city is a street; one that repeats the city is whole. */
TEST(test_streets)
{
	columns_import("english.csv", "Name,Address,City,State,Zip,Country\nAnn,1 Main St,Boston,MA,02101,USA\n"
	                              "Ben,\"2 Main St, Boston, MA 02102\",Boston,MA,02102,USA\n");
	columns_import("french.csv", "Nom,Adresse,Code postal,Ville,Pays\nCy,12 rue de Lyon,69001,Lyon,France\n");
	columns_import("german.csv", "Name,Adresse,PLZ,Ort,Land\nDora,Hauptstr. 5,50667,Köln,DE\n");
	PEOPLE_HAVE("\"addresses\":[\"1 Main St, Boston, MA, 02101, USA\"]",
	    "\"addresses\":[\"2 Main St, Boston, MA 02102\"]",
	    "\"addresses\":[\"12 rue de Lyon, Lyon, 69001, France\"]",
	    "\"addresses\":[\"Hauptstr. 5, Köln, 50667, DE\"]");
}

/* A company of the whole cell's name is one; otherwise the cell names several. */
TEST(test_several_companies)
{
	static const char hubspot[] = "Record ID,First Name,Email,Associated Company\n"
	                              "1,Ann,a@x.example,Northwind; Initech\n2,Ben,b@x.example,Smith; Sons\n"
	                              "3,Cy,c@x.example,Initech;Northwind\n";
	struct caller c;

	caller_init(&c, server->base, t.key);
	caller_good(caller_send(&c, "POST", "/v1/companies", NULL, "{\"name\":\"Smith; Sons\"}"));
	caller_free(&c);
	TRANSFERRED(&t, "import", transferred_write(&t, "dry.csv", hubspot, sizeof hubspot - 1), "--dry-run");
	transferred_expect(&t, 0, "\"created\":3", "");
	columns_import("hubspot.csv", hubspot);
	columns_name("left out without --keep-ids: Record ID (3 values)");
	assert_int_equal(transferred_lines(transferred_list(&t, "companies")), 3);
	PEOPLE_HAVE("\"name\":\"Northwind\"", "\"name\":\"Initech\"", "\"name\":\"Smith; Sons\"");
}

/* Under a heading of one company a ';' belongs to the name. */
TEST(test_semicolon_in_a_name)
{
	static const char *const headings[] = {"Company", "Organization Name", "Account Name", "Firma"};

	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++) {
		columns_import(arena_printf(t.arena, "one%zu.csv", i),
		    arena_printf(
		        t.arena, "First Name,Email,%s\nAnn,a%zu@x.example,Meyer; Partner %zu\n", headings[i], i, i));
		PEOPLE_HAVE(arena_printf(t.arena, "\"name\":\"Meyer; Partner %zu\"", i));
	}
}

/* Some programs write lines of text above the header. A file of one column has none. */
TEST(test_titles)
{
	columns_import("linkedin.csv",
	    "Notes:\n\"When exporting your data, you may notice that some e-mail addresses are missing, others "
	    "not.\"\n\n"
	    "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"
	    "Ann,Lee,https://www.linkedin.com/in/ann,a@x.example,Acme,CTO,05 Mar 2024\n");
	columns_name("the file is one of LinkedIn;");
	PEOPLE_HAVE("\"lastName\":\"Lee\"", "\"jobTitle\":\"CTO\"", "\"name\":\"Acme\"");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 1);
	columns_import(
	    "board.csv", "Contacts;;;\r\nOur customers, leads\r\nName;Email;Phone\r\nBob Kay;b@x.example;+49 30 1\r\n");
	PEOPLE_HAVE("\"fullName\":\"Bob Kay\"", "\"+49 30 1\"");
	columns_import("one.csv", "Email\nc@x.example\n\"d@x.example\"\n");
	PEOPLE_HAVE("c@x.example", "d@x.example");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 4);
}

/* --- the program that wrote the file ------------------------------------------------------------- */

/* The heading for the id is nearly that of another program, whose fields would not be these. */
TEST(test_zoho)
{
	columns_import("zoho.csv",
	    "Record Id,Contact Owner,Contact Owner.id,First Name,Last Name,Account Name,Account "
	    "Name.id,Email,Secondary "
	    "Email,Mailing Street,Mailing City,Mailing Zip,Mailing Country,Created Time,Locked\n"
	    "zcrm_1,Eve Holt,zcrm_9,Ann,Lee,Acme,zcrm_5,a@x.example,b@x.example,Weg 1,Bern,3000,CH,2021-08-09 "
	    "10:11:12,false\n");
	columns_name("left out because kith has no field for it: Contact Owner (1 values)\n");
	columns_name("the file is one of Zoho CRM;");
	PEOPLE_HAVE("\"emails\":[\"a@x.example\",\"b@x.example\"]", "\"name\":\"Acme\"", "Weg 1, Bern", "3000", "CH",
	    "\"createdAt\":\"2021-08-09T10:11:12.000Z\"");
}

/* A report, and the names of the API, as the data loader writes them. */
TEST(test_salesforce)
{
	columns_import("report.csv",
	    "Lead ID,First Name,Last Name,Company / Account,Email,State/Province,Zip/Postal Code,Country,Lead "
	    "Status,Lead "
	    "Owner,Created Date\n00Q1,Ann,Lee,Acme,a@x.example,CA,94105,US,Open,Eve Holt,2023-06-02\n");
	columns_name("the file is one of Salesforce;");
	PEOPLE_HAVE("\"name\":\"Acme\"", "CA", "94105", "\"createdAt\":\"2023-06-02T00:00:00.000Z\"");
	columns_import("loader.csv",
	    "ID,ISDELETED,LASTNAME,FIRSTNAME,COMPANY,POSTALCODE,MOBILEPHONE,OWNERID,CREATEDDATE,LEADSOURCE\n"
	    "00Q2,false,Kay,Bob,Globex,10115,+49 30 1,0051,2023-06-02T10:00:00.000Z,Fair\n");
	columns_name("the file is one of Salesforce;");
	PEOPLE_HAVE("\"lastName\":\"Kay\"", "\"name\":\"Globex\"", "10115", "+49 30 1");
}

TEST(test_folk)
{
	columns_import("folk.csv",
	    "First name,Last name,Companies,Emails,URLs,Last contacted,Status\n"
	    "Ann,Lee,Acme,\"a@x.example, b@x.example\",\"https://a.example, https://b.example\",2024-01-01,Warm\n");
	columns_name("the file is one of folk;");
	PEOPLE_HAVE("\"https://a.example\"", "\"https://b.example\"", "\"b@x.example\"");
}

/* A cell of folk's companies is one name. */
TEST(test_folk_companies)
{
	columns_import(
	    "folk.csv", "First name,Last name,Companies,Emails,URLs\nMia,Lee,Smith; Wesson & Co,m@x.example,\n");
	PEOPLE_HAVE("\"name\":\"Smith; Wesson & Co\"");
}

TEST(test_capsule)
{
	columns_import("capsule.csv",
	    "ID,Type,Title,First Name,Last Name,Job Title,Organisation,Organisation ID,About,Email Address,Email "
	    "Address "
	    "2,Work Phone,Fax,Address Street,City,Postcode,Tags,Created,Last Updated\n"
	    "501,Person,Mr,Owen,Jones,Buyer,Jones & Co,601,Nice,owen@j.example,oj@h.example,01234 5,01234 6,1 High "
	    "St,Leeds,LS1,,2023-01-01,2024-01-02\n");
	columns_name("kith has no field for it: Fax (1 values)");
	columns_name("the file is one of Capsule;");
	PEOPLE_HAVE("\"Mr Owen Jones\"", "\"jobTitle\":\"Buyer\"", "\"description\":\"Nice\"", "\"Jones & Co\"",
	    "\"emails\":[\"owen@j.example\",\"oj@h.example\"]", "\"1 High St, Leeds, LS1\"",
	    "\"createdAt\":\"2023-01-01T00:00:00.000Z\"");
}

TEST(test_copper)
{
	columns_import("copper.csv",
	    "Copper ID,Name,Company,Title,Details,Email,Email Type,Email 2,Email 2 Type,Phone Number,Phone Type,Social,"
	    "Social Type,Contact Type,Owned By,Interaction Count,Created At\n"
	    "801,Kim Park,Park Inc,CEO,prefers e-mail,kim@p.example,work,kp@h.example,personal,+82 2 1,work,"
	    "https://t.example/kim,twitter,Customer,,5,1/31/2023\n");
	columns_name("kith has no field for it: Contact Type (1 values)");
	PEOPLE_HAVE("\"description\":\"prefers e-mail\"", "\"emails\":[\"kim@p.example\",\"kp@h.example\"]",
	    "\"https://t.example/kim\"", "\"Park Inc\"", "\"createdAt\":\"2023-01-31T00:00:00.000Z\"");
}

TEST(test_espocrm)
{
	columns_import("espo.csv",
	    "Salutation;First Name;Last Name;Account;Account Title;Email;Do Not Call;Opted Out;Assigned User;Modified "
	    "At;Accounts\nMs.;Inês;Silva;Silva Lda;Gerente;i@s.example;0;0;Ann;2023-02-04 10:00:00;Silva Lda\n");
	columns_name("kith has no field for it: Do Not Call (1 values)");
	assert_null(strstr(t.err, "Account"));
	PEOPLE_HAVE("\"Ms. Inês Silva\"", "\"jobTitle\":\"Gerente\"", "\"name\":\"Silva Lda\"");
}

TEST(test_close)
{
	columns_import("contacts.csv",
	    "lead_id,lead_name,name,title,primary_email,primary_email_type,other_emails,primary_phone,lead_status_"
	    "label,"
	    "date_created\nlead_1,Bluth Company,Gob Bluth,Magician,g@b.example,office,g@m.example,+1650555,Potential,"
	    "2023-01-01T00:00:00+00:00\n");
	columns_name("kith has no field for it: lead_status_label (1 values)");
	PEOPLE_HAVE("\"Gob Bluth\"", "\"name\":\"Bluth Company\"", "\"emails\":[\"g@b.example\",\"g@m.example\"]",
	    "\"jobTitle\":\"Magician\"", "\"createdAt\":\"2023-01-01T00:00:00.000Z\"");
}

/* The name of a page in Notion is followed by its address, and a date has the name of its month. */
TEST(test_notion)
{
	columns_import("notion.csv",
	    "Name,Company,Birthday,Created\n"
	    "Rita Rossi,Rossi SpA (https://www.notion.so/Rossi-SpA-0123?pvs=21),\"March 1, 1974\",\"March 12, 2024 "
	    "3:30 "
	    "PM\"\n"
	    "Carlo,\"Uno (https://www.notion.so/Uno-1), Due (https://www.notion.so/Due-2)\",3 Apr 1980,\n");
	PEOPLE_HAVE("\"name\":\"Rossi SpA\"", "\"birthday\":\"1974-03-01\"",
	    "\"createdAt\":\"2024-03-12T15:30:00.000Z\"", "\"name\":\"Uno\"", "\"name\":\"Due\"",
	    "\"birthday\":\"1980-04-03\"");
	assert_null(strstr(transferred_list(&t, "people"), "notion.so"));
}

/* Google writes a backslash before the colon of an address. */
TEST(test_google_backslash)
{
	columns_import("google.csv",
	    "First Name,E-mail 1 - Value,Website 1 - Value\nNúria,n@p.example,http\\://www.p.example/x\n");
	PEOPLE_HAVE("\"urls\":[\"http://www.p.example/x\"]");
}

/* A fax or a pager is no phone. */
TEST(test_fax_of_a_card)
{
	columns_import("faxes.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nTEL;type=WORK;type=FAX:11\nTEL;TYPE=\"home,"
	                            "fax\":12\nTEL;TYPE=fax,voice:13\n"
	                            "TEL;PAGER:14\nTEL;type=CELL:15\nEND:VCARD\n");
	columns_name("kith has no field for it: TEL fax (2 values)");
	columns_name("kith has no field for it: TEL pager (1 values)");
	PEOPLE_HAVE("\"phones\":[\"13\",\"15\"]");
}

/* In a CSV the column beside the number says it. */
TEST(test_fax_of_a_label)
{
	columns_import("google.csv",
	    "First Name,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Phone 3 - "
	    "Label,Phone 3 - Value\n"
	    "Ann,a@x.example,Work Fax,11,Mobile,12,Pager,13\n"
	    "Ben,b@x.example,Phone & Fax,21,* homeFax,22,Faxabruf,23\n");
	columns_name("left out because nobody can be called at a fax or pager: Phone 1 - Value (1 values)");
	columns_name("left out because nobody can be called at a fax or pager: Phone 2 - Value (1 values)");
	columns_name("left out because nobody can be called at a fax or pager: Phone 3 - Value (1 values)");
	columns_name("mean nothing outside of the program that wrote them: Phone 1 - Label (2 values)");
	PEOPLE_HAVE("\"phones\":[\"12\"]", "\"phones\":[\"21\",\"23\"]");
	columns_import("close.csv", "lead_id,lead_name,name,primary_phone,primary_phone_type,other_phones\n"
	                            "1,Acme,Cy,31,fax,\"32, 33\"\n");
	PEOPLE_HAVE("\"phones\":[\"32\",\"33\"]");
}

/* German lists often have "Vorname" and "Name"; elsewhere "Name" is the whole name. */
TEST(test_last_name_is_name)
{
	columns_import("last.csv", "Anrede,Vorname,Name\n,Lea,Lesewitz\nDr.,Leo,Lesewitz-Maier\n,,Nur\n");
	PEOPLE_HAVE("\"firstName\":\"Lea\",\"lastName\":\"Lesewitz\",\"fullName\":\"Lea Lesewitz\"",
	    "\"lastName\":\"Lesewitz-Maier\",\"fullName\":\"Dr. Leo Lesewitz-Maier\"", "\"fullName\":\"Nur\"");
	columns_import("whole.csv", "First Name,Name\nMia,Mia Moor\nMax,Max Moor\nBob,Robert Moor\n");
	PEOPLE_HAVE("\"fullName\":\"Mia Moor\"", "\"fullName\":\"Robert Moor\"");
	/* --map says what it is. */
	TRANSFERRED(&t, "import", transferred_write(&t, "mapped.csv", "Vorname,Name\nPia,Pieper\n", 24), "--map",
	    transferred_write(&t, "map", "Name = fullName\n", 16));
	transferred_expect(&t, 0, "\"created\":1", "");
	PEOPLE_HAVE("\"firstName\":\"Pia\",\"lastName\":\"\",\"fullName\":\"Pieper\"");
}

/* The form of address is kept when the file has the whole name, too, without it. */
TEST(test_salutation_beside_the_whole_name)
{
	columns_import("zoho.csv",
	    "Record Id,First Name,Last Name,Contact Name,Salutation\nzcrm_1,Ada,Love,Ada Love,Dr.\n"
	    "zcrm_2,Bea,Bell,\"Bell, Bea\",Dr.\n");
	PEOPLE_HAVE("\"fullName\":\"Dr. Ada Love\"", "\"fullName\":\"Bell, Bea\"");
}

/* What has no @ is no e-mail address: Outlook writes the path of a colleague in the organization's directory. */
TEST(test_no_email_address)
{
	columns_import("outlook.csv",
	    "First Name,E-mail Address,E-mail 2 Address\nAnn,ann@x.example,\n"
	    "Ben,/o=ExchangeLabs/ou=Group (FYDIBOHF)/cn=Recipients/cn=ben,ben@x.example\nCy,n/a,\n");
	columns_name("2 e-mail addresses were left out: they have no @; the first is in line 3");
	PEOPLE_HAVE("\"emails\":[\"ann@x.example\"]", "\"emails\":[\"ben@x.example\"]", "\"emails\":[]");
}

/* Airtable puts names that have a comma in quotes. */
TEST(test_airtable_names)
{
	columns_import("airtable.csv", "Name,Company\nAnn,\"\"\"Acme, Inc.\"\"\"\nBen,\"\"\"Beta, Ltd\"\",Gamma\"\n"
	                               "Cy,\"\"\"Die Zwei\"\" OHG, Bonn\"\nDee,\"\"\"Die Drei\"\"\"\n");
	PEOPLE_HAVE("\"name\":\"Acme, Inc.\"", "\"name\":\"Beta, Ltd\"", "\"name\":\"Gamma\"",
	    "\"name\":\"\\\"Die Zwei\\\" OHG, Bonn\"", "\"name\":\"\\\"Die Drei\\\"\"");
}

/* Pipedrive has an address as a whole and in parts, and each may be absent. */
TEST(test_pipedrive_address)
{
	columns_import("parts.csv",
	    "Person - Name,Person - Street/road name of Postal address,Person - City/town/village/locality of Postal "
	    "address,Person - Country of Postal address\nAnn,Königsallee 61,Düsseldorf,Germany\n");
	PEOPLE_HAVE("\"addresses\":[\"Königsallee 61, Düsseldorf, Germany\"]");
	columns_import("whole.csv",
	    "Person - Name,Person - Postal address,Person - House number of Postal address,Person - Street/road name "
	    "of Postal address,Person - City/town/village/locality of Postal address,Person - ZIP/Postal code of "
	    "Postal address\nBen,\"Allee 61, 40215 Düren\",61,Allee,Düren,40215\n");
	assert_null(strstr(t.err, "left out"));
	PEOPLE_HAVE("\"addresses\":[\"Allee 61, 40215 Düren\"]");
}

/* A report of Salesforce has the id of HubSpot's contacts, too; below the last record it speaks of itself. */
TEST(test_salesforce_report)
{
	columns_import("report.csv",
	    "\"Contact ID\",\"First Name\",\"Last Name\",\"Account Name\",\"Mailing City\",\"Mailing "
	    "Country\",\"Shoe size\"\n"
	    "\"003\",\"Ann\",\"Ash\",\"Ash AG\",\"Bonn\",\"Germany\",\"38\"\n\n\n\"All contacts\"\n\"Copyright (c) "
	    "2026 "
	    "salesforce.com, inc.\"\n\"Generated By: Ada\"\n");
	transferred_expect(&t, 0, "\"records\":1,", "");
	columns_name("the file is one of Salesforce;");
	columns_name("3 lines were left out because they are no records; the first is line 5: All contacts");
	PEOPLE_HAVE("\"name\":\"Ash AG\"");
}

/* Google's own labels are no groups. */
TEST(test_google_labels)
{
	columns_import("labels.csv",
	    "First Name,E-mail 1 - Value,Labels\nAnn,a@x.example,* Other Contacts\nBen,b@x.example,Press ::: * "
	    "myContacts ::: * starred\n");
	columns_name("label Press (1 records)");
	assert_null(strstr(t.err, "Other"));
	assert_null(strstr(t.err, "starred"));
}

/* --- what has no place -------------------------------------------------------------------------- */

/* Of two columns for one field the second one fills it where the first one is empty; what it cannot fill is counted. */
TEST(test_two_columns)
{
	columns_import("two.csv", "Name,Job Title,Position\nAnn,CEO,Head of all\nBen,,Clerk\nCy,Cook,Cook\n");
	columns_name("left out because the column \"Job Title\" fills the field jobTitle already: Position (1 values)");
	PEOPLE_HAVE("\"jobTitle\":\"CEO\"", "\"jobTitle\":\"Clerk\"", "\"jobTitle\":\"Cook\"");
}

TEST(test_skipped_columns)
{
	columns_import("outlook.csv",
	    "First Name,Last Name,E-mail Address,E-mail Type,Sensitivity,Private,Initials,Photo\n"
	    "Gus,P,g@x.example,SMTP,Private,True,G.P.,\nIda,,i@x.example,SMTP,,,,\n");
	columns_name(
	    "left out because they mean nothing outside of the program that wrote them: E-mail Type (2 values), "
	    "Sensitivity (1 values), Private (1 values), Initials (1 values)\n");
	/* A column that --map leaves out was not forgotten. */
	TRANSFERRED(&t, "import", transferred_write(&t, "b.csv", "Name,Initials\nBo,B\n", 19), "--map",
	    transferred_write(&t, "map", "Initials = -\n", 13));
	transferred_expect(&t, 0, "\"created\":1", "");
	assert_null(strstr(t.err, "Initials"));
}

/* --- unknown columns ---------------------------------------------------------------------------- */

static void columns_stop(const char *name, const char *text, const char *line)
{
	TRANSFERRED(&t, "import", transferred_write(&t, name, text, strlen(text)));
	transferred_expect(&t, 1, "", line);
}

/* A file in which most columns are known goes in; what is unknown is named. */
TEST(test_few_unknown_columns)
{
	columns_import("crm.csv", "Vorname,Nachname,E-Mail,Kd.-Nr.,Umsatz 2025,Leer\nAda,Love,a@x.example,10001,5,\n");
	columns_name("kith has no field for it: Kd.-Nr. (1 values)");
	columns_name("kith has no field for it: Umsatz 2025 (1 values)");
	columns_name("kith: a group's field of the same name, or --map, gives a column a place");
	PEOPLE_HAVE("\"fullName\":\"Ada Love\"");
	/* Too many are unknown, too few are known, one is nearly the name of a field, and the names are those of the
	 * API.
	 */
	columns_stop("many.csv", "Name,Email,Phone,A1,B1,C1\nAda,a@x.example,1,2,3,4\n", "\nA1 = -\n");
	columns_stop("two.csv", "Name,Email,A1\nAda,a@x.example,2\n", "\nA1 = -\n");
	columns_stop("near.csv", "Name,Phone,City,Zip,emial\nAda,1,Bern,3000,a@x.example\n", "\nemial = emails\n");
	columns_stop(
	    "api.csv", "firstName,lastName,emails,phones,shoeSize\nAda,L,a@x.example,1,38\n", "\nshoeSize = -\n");
	assert_int_equal(transferred_lines(transferred_list(&t, "people")), 1);
}

/* The file of refused records goes in like the file that they are from, although most of its columns are empty. */
TEST(test_unknown_columns_of_refused_records)
{
	static const char file[] =
	    "Vorname,Nachname,E-Mail,Geburtstag,Kd.-Nr.\nAda,Love,a@x.example,,1\n,,,someday,2\n";

	TRANSFERRED(&t, "import", transferred_write(&t, "a.csv", file, sizeof file - 1));
	transferred_expect(&t, 1, "\"created\":1", "Kd.-Nr. (2 values)");
	TRANSFERRED(&t, "import", transferred_path(&t, "a.csv.refused.csv"));
	transferred_expect(&t, 1, "\"refused\":1", "Kd.-Nr. (1 values)");
}

/* What --map leaves out, or a field takes, does not count. */
TEST(test_unknown_columns_and_a_mapping)
{
	static const char file[] = "Name,Email,A1,B1\nAda,a@x.example,2,3\n";

	TRANSFERRED(&t, "import", transferred_write(&t, "a.csv", file, sizeof file - 1), "--map",
	    transferred_write(&t, "map", "A1 = -\n", 7));
	transferred_expect(&t, 1, "", "\nB1 = -\n");
}
