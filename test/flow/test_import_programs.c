/* A file with all headings that kith knows of a program goes in at the first try: no column stops it, no value refuses
 * its record, and the exit status is 0. */
#include <stdio.h>
#include <string.h>

#include "transfer/record_field.h"
#include "test/lib/flow.h"
#include "test/lib/server/transferred.h"

#define DEALS "--group", "Sales", "--type", "Deal"

static struct transferred t;

RIG("programs");

BEFORE_EACH()
{
	struct caller c;
	const char *group;

	transferred_init(&t, &rig, server->base, rig_stranger(&rig, "packer").key);
	caller_init(&c, server->base, t.key);
	group = arena_printf(t.arena, "%.40s",
	    caller_good(caller_send(&c, "POST", "/v1/groups", NULL, "{\"name\":\"Sales\",\"visibility\":\"public\"}"))
	        .id);
	caller_good(caller_send(
	    &c, "POST", arena_printf(t.arena, "/v1/groups/%s/object-types", group), NULL, "{\"name\":\"Deal\"}"));
	caller_good(caller_send(&c, "POST", "/v1/companies", NULL, "{\"name\":\"Acme\"}"));
	caller_free(&c);
}

AFTER_EACH()
{
	transferred_free(&t);
}

/* What a program could write under the heading. */
static const char *value_of(enum transfer_kind kind, const struct transfer_header *h)
{
	const struct transfer_field *f = field_named(kind, h->field);
	const struct {
		enum transfer_shape shape;
		const char *text;
	} texts[] = {{SHAPE_DATE, "2024-01-02"}, {SHAPE_TIME, "2024-01-02 10:00"}, {SHAPE_NUMBER, "5"},
	    {SHAPE_YEAR, "1999"}, {SHAPE_CLOCK, "10:30"}, {SHAPE_KIND, kind == TRANSFER_PEOPLE ? "Person" : "Company"},
	    {SHAPE_DONE, "Done"}, {SHAPE_LINK, "Acme"}, {SHAPE_ENTITY, "Acme"}, {SHAPE_COMPANIES, "Acme"}};

	if (f && strcmp(f->name, "emails") == 0)
		return "a@x.example";
	if (f && strcmp(f->name, "urls") == 0)
		return "https://x.example";
	for (size_t i = 0; f && i < sizeof texts / sizeof *texts; i++)
		if (f->shape == texts[i].shape)
			return texts[i].text;
	return "x";
}

static bool is_recognized(const char *program)
{
	static const char *const not_recognized[] = {"", "German", "French", "Spanish", "vCard", "vCard properties"};

	for (size_t i = 0; i < sizeof not_recognized / sizeof *not_recognized; i++)
		if (strcmp(program, not_recognized[i]) == 0)
			return false;
	return true;
}

/* Writes a file with all headings of the program that the first of them is of. */
static const char *file_of(enum transfer_kind kind, const struct transfer_header *first, size_t from)
{
	const char *name = arena_printf(t.arena, "%s.%zu.csv", transfer_kind_names[kind], from);
	const struct transfer_header *h;
	struct buf head, row;

	buf_init(&head, 1 << 20);
	buf_init(&row, 1 << 20);
	for (size_t i = from; (h = header_at(kind, i)); i++) {
		if (strcmp(h->program, first->program) != 0)
			continue;
		buf_printf(&head, "%s\"", head.len ? "," : "");
		for (const char *c = h->header; *c; c++)
			buf_addc(&head, *c == '#' ? '1' : *c);
		buf_addz(&head, "\"");
		buf_printf(&row, "%s\"%s\"", row.len ? "," : "", value_of(kind, h));
	}
	/* What every program has, in kith's own words. */
	buf_printf(&head, ",%s\n",
	    kind == TRANSFER_PEOPLE  ? "fullName"
	    : kind == TRANSFER_NOTES ? "content,entity"
	    : kind == TRANSFER_TASKS ? "title,entity"
	                             : "name");
	buf_printf(&row, ",%s %zu%s\n", transfer_kind_names[kind], from, kind > TRANSFER_OBJECTS ? ",Acme" : "");
	buf_add(&head, row.data, row.len);
	name = transferred_write(&t, name, head.data, head.len);
	buf_free(&head);
	buf_free(&row);
	return name;
}

TEST(test_all_headings)
{
	for (int kind = TRANSFER_PEOPLE; kind <= TRANSFER_TASKS; kind++) {
		const struct transfer_header *h;
		const char *before = "";
		for (size_t i = 0; (h = header_at((enum transfer_kind)kind, i)); i++) {
			if (strcmp(h->program, before) == 0)
				continue;
			before = h->program;
			if (!is_recognized(h->program))
				continue;
			const char *path = file_of((enum transfer_kind)kind, h, i);
			if (kind == TRANSFER_OBJECTS)
				TRANSFERRED(&t, "import", path, "--as", transfer_kind_names[kind], DEALS);
			else
				TRANSFERRED(&t, "import", path, "--as", transfer_kind_names[kind]);
			if (t.status != 0 || !strstr(t.out, "\"refused\":0"))
				fail_msg("%s of %s:\n%s%s%s", transfer_kind_names[kind], h->program, t.out, t.err,
				    transferred_read(
				        &t, strrchr(arena_printf(t.arena, "%s.refused.csv", path), '/') + 1));
		}
	}
}

/* --- files of programs, as they write them ----------------------------------------------------- */

/* Imports a file of people at the first try. */
static void people_import(const char *name, const char *text, const char *const texts[], size_t n)
{
	const char *people;

	TRANSFERRED(&t, "import", transferred_write(&t, name, text, strlen(text)));
	transferred_expect(&t, 0, "\"refused\":0,\"lost\":0,\"complete\":true", "");
	people = transferred_list(&t, "people");
	for (size_t i = 0; i < n; i++)
		if (!strstr(people, texts[i]))
			fail_msg("%s: no %s in\n%s", name, texts[i], people);
}
#define PEOPLE_IMPORT(name, text, ...)                                                                                 \
	people_import(name, text, (const char *const[]){__VA_ARGS__},                                                  \
	    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* The birthday has three columns; in the German file the day is called Geburtstag. */
TEST(test_thunderbird)
{
	PEOPLE_IMPORT("english.csv",
	    "First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,Screen Name,Work Phone,Home "
	    "Phone,Fax Number,Mobile Number,Home Address,Home Address 2,Home City,Home County,Home Post Code,Home "
	    "Country,Work Address,Work City,Work ZipCode,Job Title,Department,Organisation,Web Page 1,Birth "
	    "Year,Birth Month,Birth Day,Custom 1,Notes,\n"
	    "Rory,Kay,Rory Kay,,r@k.example,r2@k.example,,555-1,555-2,555-3,555-4,12 Lead Lane,Flat B,Leadworth,"
	    "Glos,GL1 2AB,UK,1 Way,London,SW1A,Nurse,Ward,Hospital,https://k.example,1980,1,15,,a note,\n",
	    "\"emails\":[\"r@k.example\",\"r2@k.example\"]", "\"phones\":[\"555-1\",\"555-2\",\"555-4\"]",
	    "\"1 Way, London, SW1A\"", "\"Flat B, 12 Lead Lane, Leadworth, Glos, GL1 2AB, UK\"",
	    "\"birthday\":\"1980-01-15\"", "\"jobTitle\":\"Nurse\"", "\"name\":\"Hospital\"",
	    "\"urls\":[\"https://k.example\"]");
	PEOPLE_IMPORT("german.csv",
	    "Vorname,Nachname,Anzeigename,Primäre E-Mail-Adresse,Sekundäre E-Mail-Adresse,Tel. dienstlich,Tel. "
	    "privat,Fax-Nummer,Mobil-Tel.-Nr.,Privat: Adresse,Privat: Ort,Dienstlich: Adresse,Dienstlich: "
	    "PLZ,Arbeitstitel,Webseite 1,Geburtsjahr,Geburtsmonat,Geburtstag,Benutzerdef. 1,Notizen,\n"
	    "Jörg,Weiß,Jörg Weiß,j@w.example,,1,2,3,4,Weg 3,Fellbach,Gasse 1,70173,Einkauf,,1971,3,9,alt,Tee,\n"
	    "Anna,Öz,Anna Öz,,,,,,,,,,,,,,12,24,,,\n",
	    "\"birthday\":\"1971-03-09\"", "\"phones\":[\"1\",\"2\",\"4\"]",
	    "\"addresses\":[\"Gasse 1, 70173\",\"Weg 3, Fellbach\"]", "\"jobTitle\":\"Einkauf\"");
	assert_non_null(strstr(t.out, "\"fullName\":\"Anna Öz\",\"description\":\"\",\"birthday\":null"));
}

TEST(test_highrise)
{
	PEOPLE_IMPORT("highrise.csv",
	    "Name,First name,Last name,Company,Title,Background,Tags,Email address - Work,Email address - Home,Phone "
	    "number - Work,Phone number - Fax,Address - Work Street,Address - Work City,Address - Home Street,Address "
	    "- "
	    "Home City,Web address - Work,Twitter account - Business\n"
	    "Ada Byron,Ada,Byron,Byron Ltd,CTO,met at a fair,,ada@b.example,a@h.example,555-1,555-2,1 Way,York,2 "
	    "Way,Leeds,https://b.example,@ada\n",
	    "\"emails\":[\"ada@b.example\",\"a@h.example\"]", "\"phones\":[\"555-1\"]", "\"jobTitle\":\"CTO\"",
	    "\"addresses\":[\"1 Way, York\",\"2 Way, Leeds\"]", "\"name\":\"Byron Ltd\"",
	    "\"description\":\"met at a fair\"", "\"urls\":[\"https://b.example\"]");
}

/* Without its day the birthday is counted. */
TEST(test_part_of_a_birthday)
{
	static const char file[] = "Name,Email,Phone,Birth Year\nAda,a@x.example,1,1980\n";

	TRANSFERRED(&t, "import", transferred_write(&t, "a.csv", file, sizeof file - 1), "--map",
	    transferred_write(&t, "map", "Birth Year = birthday.year\n", 27));
	transferred_expect(&t, 0, "\"created\":1", "1 dates were left out");
}

/* The Spanish file has some English headings. */
TEST(test_spanish_outlook)
{
	PEOPLE_IMPORT("spanish.csv",
	    "Title,Nombre,Segundo nombre,Apellidos,Organización,Puesto,Calle del trabajo,Calle del trabajo 2,Ciudad de "
	    "trabajo,Provincia o estado de trabajo,Código postal del trabajo,País o región del trabajo,Home "
	    "Street,Home "
	    "City,País o región del domicilio,Business Fax,Teléfono del trabajo,Particular,Mobile Phone,E-mail "
	    "Address,E-mail Type,Dirección de correo electrónico 2,Tipo de correo electrónico 2,Dirección del correo "
	    "electrónico 3,Género,Prioridad,Hijos\n"
	    "Sra.,María,José,Peña,Aceites,Directora,C/ Mayor 5,2º,Jaén,JA,23001,España,Rambla 7,Girona,España,1,2,3,4,"
	    "a@x.example,SMTP,b@x.example,SMTP,c@x.example,Femenino,Normal,2\n",
	    "\"fullName\":\"Sra. María José Peña\"", "\"jobTitle\":\"Directora\"",
	    "\"addresses\":[\"2º, C/ Mayor 5, Jaén, JA, 23001, España\",\"Rambla 7, Girona, España\"]",
	    "\"phones\":[\"2\",\"3\",\"4\"]", "\"emails\":[\"a@x.example\",\"b@x.example\",\"c@x.example\"]");
}

/* Headings of Outlook since 2007; two of them end with a blank. */
TEST(test_newer_french_outlook)
{
	PEOPLE_IMPORT("french.csv",
	    "Titre,Prénom,Nom,Société ,Titre,Rue (bureau),Ville (bureau),Pays (bureau),Rue (domicile),Pays "
	    "(domicile),Adresse de messagerie,Type de messagerie,Adresse de messagerie 2,Surnom\n"
	    "M.,Luc,Roy,Roy SA,Gérant,1 quai X,Paris,France,3 rue Y,Suisse,l@r.example,SMTP,l2@r.example,Lulu\n",
	    "\"fullName\":\"M. Luc Roy\"", "\"jobTitle\":\"Gérant\"",
	    "\"addresses\":[\"1 quai X, Paris, France\",\"3 rue Y, Suisse\"]",
	    "\"emails\":[\"l@r.example\",\"l2@r.example\"]", "\"name\":\"Roy SA\"");
}

/* The number of the house belongs to the street; that of a floor does not. */
TEST(test_house_number)
{
	PEOPLE_IMPORT("germans.csv",
	    "Vorname;Nachname;Strasse;Hausnummer;PLZ;Ort\nUrs;Egli;Seestr.;5a;6003;Luzern\nEva;Marti;Gasse "
	    "1;Hinterhaus;6003;Luzern\n",
	    "\"Seestr. 5a, Luzern, 6003\"", "\"Gasse 1, Hinterhaus, Luzern, 6003\"");
}

/* The parts of an address, and kinds of e-mail addresses and phones, as many programs call them. */
TEST(test_work_and_home)
{
	PEOPLE_IMPORT("crm.csv",
	    "Full Name,Work Email,Personal Email,Office Phone,PhoneMobile,Work Address Street,Work Address City,Work "
	    "Address Zip,Work Address Country,Tag1,Background\n"
	    "Grace H,g@n.example,g@h.example,1,2,1 Pentagon,Arlington,22202,USA,,COBOL\n",
	    "\"emails\":[\"g@n.example\",\"g@h.example\"]", "\"phones\":[\"1\",\"2\"]",
	    "\"1 Pentagon, Arlington, 22202, USA\"", "\"description\":\"COBOL\"");
	PEOPLE_IMPORT("erp.csv",
	    "Name,Related Company,Job Position,Street,Street2,Zip,City,Salesperson,Tax ID,Tél. fixe\n"
	    "Bea Bell,Bell SA,Buyer,Rue 1,Bt 2,69001,Lyon,Ada,FR1,04 1\n",
	    "\"name\":\"Bell SA\"", "\"jobTitle\":\"Buyer\"", "\"Bt 2, Rue 1, Lyon, 69001\"", "\"phones\":[\"04 1\"]");
}

TEST(test_hubspot_tasks)
{
	static const char file[] =
	    "Record ID,Task Title,Task Type,Task Status,Priority,Due date,Task Notes,Associated Company,Create Date\n"
	    "1,Call,Call,Not started,High,2026-12-01 09:00,<p>About <b>Q3</b></p>,Acme,2026-11-01 10:00\n"
	    "2,Send,To-do,Completed,None,2026-10-01 08:30,,Acme,2026-09-01 10:00\n";

	TRANSFERRED(&t, "import", transferred_write(&t, "tasks.csv", file, sizeof file - 1), "--as", "tasks");
	transferred_expect(&t, 0, "\"created\":2", "kith has no field for it: Task Type (2 values)");
	transferred_list(&t, "tasks");
	transferred_expect(&t, 0, "\"description\":\"About Q3\"", "");
	transferred_expect(&t, 0, "\"completedAt\":\"2026-10-01", "");
	assert_non_null(strstr(t.out, "\"completedAt\":null"));
}
