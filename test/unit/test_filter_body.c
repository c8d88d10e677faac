/* filter/read.c: reading the filter of a body, and the issues of a wrong one. */
#include <stdio.h>
#include <string.h>

#include "filter/read.h"
#include "test/lib/model/filter_text.h"
#include "test/lib/test.h"

#define GROUP "grp_" FILTER_TEXT_UUID("1")
#define USER "usr_" FILTER_TEXT_UUID("2")

struct body_case {
	const char *body;
	const char *expected; /* the filter; or the issues, one per line */
};

static const struct body_case cases[] = {
    {"{}", "-"},
    {"{'emails':{'like':'x'}}", "(emails like [x])"},
    {"{'emails':{'like':['x','y'],'not_eq':'z'},'urls':{'empty':true}}",
        "(emails like [x, y] and emails not_eq [z] and urls empty)"},
    {"{'groups':{'in':{'id':'" GROUP "'}},'createdBy':{'not_in':{'email':['ada@example.com','b'],'id':'" USER "'}}}",
        "(groups in [1] and createdBy not_in [2, nobody, 2])"},
    {"{'customFieldValues." GROUP ".numericField':{'gt':1.50},'customFieldValues." GROUP
     ".singleSelect':{'in':['Red','Blue']}}",
        "(custom numericField gt [1.5] and custom singleSelect in [a, b])"},
    {"{'companies.industry':{'not_eq':'Steel'},'companies.fundingRaised':{'lt':'1e3'}}",
        "(companies>industry not_eq [Steel] and companies>fundingRaised lt [1000])"},
    {"{'or':[{'firstName':{'eq':'a'},'lastName':{'empty':true}},{'and':[{'or':[{'urls':{'eq':'u'}}]}]}]}",
        "(((firstName eq [a] and lastName empty) or (((((urls eq [u])))))))"},
    {"{'or':[{'or':[{'or':[{'or':[{'or':[{'urls':{'empty':true}}]}]}]}]}]}", "(((((((((((urls empty)))))))))))"},
    {"{'or':[{'or':[{'or':[{'or':[{'or':[{'or':[]}]}]}]}]}]}",
        "custom [\"filter\",\"or\",0,\"or\",0,\"or\",0,\"or\",0,\"or\",0,\"or\"]\n"},
    {"null", "invalid_type [\"filter\"] expected=\"object\" received=\"null\"\n"},
    {"{'foo':{'eq':1},'emails':{'gt':'x','eq':''},'companies.people.emails':{'eq':'x'}}",
        "too_small [\"filter\",\"emails\",\"eq\"] minimum=1 type=\"string\"\n"
        "unrecognized_keys [\"filter\",\"emails\"] keys=[\"gt\"]\n"
        "unrecognized_keys [\"filter\"] keys=[\"foo\",\"companies.people.emails\"]\n"},
    {"{'emails':'x','urls':{},'groups':{'in':'x','all':{},'not_in':{'name':'x','id':[]}}}",
        "invalid_type [\"filter\",\"emails\"] expected=\"object\" received=\"string\"\n"
        "custom [\"filter\",\"urls\"]\n"
        "invalid_type [\"filter\",\"groups\",\"in\"] expected=\"object\" received=\"string\"\n"
        "custom [\"filter\",\"groups\",\"all\"]\n"
        "too_small [\"filter\",\"groups\",\"not_in\",\"id\"] minimum=1 type=\"array\"\n"
        "unrecognized_keys [\"filter\",\"groups\",\"not_in\"] keys=[\"name\"]\n"},
    {"{'urls':{'empty':false,'not_empty':'true','eq':[1,null,'a\\u0000']}}",
        "custom [\"filter\",\"urls\",\"empty\"]\n"
        "invalid_type [\"filter\",\"urls\",\"not_empty\"] expected=\"boolean\" received=\"string\"\n"
        "invalid_type [\"filter\",\"urls\",\"eq\",0] expected=\"string\" received=\"number\"\n"
        "invalid_type [\"filter\",\"urls\",\"eq\",1] expected=\"string\" received=\"null\"\n"
        "invalid_string [\"filter\",\"urls\",\"eq\",2] validation=\"regex\"\n"},
    {"{'birthday':{'gt':['2026-01-01','2026-01-02']},'companies.foundationYear':{'eq':[true,'x']}}",
        "too_big [\"filter\",\"birthday\",\"gt\"] maximum=1 type=\"array\"\n"
        "invalid_type [\"filter\",\"companies.foundationYear\",\"eq\",0] expected=\"number\" received=\"boolean\"\n"
        "invalid_type [\"filter\",\"companies.foundationYear\",\"eq\",1] expected=\"number\" received=\"string\"\n"},
    {"{'and':{},'or':[{},1]}", "invalid_type [\"filter\",\"and\"] expected=\"array\" received=\"object\"\n"
                               "custom [\"filter\",\"or\",0]\n"
                               "invalid_type [\"filter\",\"or\",1] expected=\"object\" received=\"number\"\n"},
};

TEST(test_reads)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena a;
		struct issues is;
		struct buf out;
		const char *error;
		struct filter_reading rd = {
		    .arena = &a, .table = &people_filters, .resolver = &filter_text_resolver, .issues = &is};
		arena_init(&a);
		issues_init(&is);
		buf_init(&out, 1 << 16);
		char *text = arena_dupz(&a, cases[i].body);
		for (char *p = text; *p; p++)
			*p = *p == '\'' ? '"' : *p;
		const struct json *json = json_read(&a, text, strlen(text), &error);
		assert_non_null(json);
		const struct filter *f = filter_read_body(&rd, json, false);
		if (is.count)
			assert_null(f);
		if (is.count)
			assert_true(filter_text_issues(&out, &is));
		else
			filter_text_write(&out, f);
		if (strcmp(out.data, cases[i].expected) != 0)
			fprintf(stderr, "%s\n", cases[i].body);
		assert_string_equal(out.data, cases[i].expected);
		buf_free(&out);
		issues_free(&is);
		arena_free(&a);
	}
}
