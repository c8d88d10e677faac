/* What is kept of cards: reads it, and changes properties of one version to the form of the other. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "server/card/card_private.h"

void card_write_line(struct buf *out, const struct card_property *p)
{
	if (*p->group) {
		buf_addz(out, p->group);
		buf_addc(out, '.');
	}
	buf_addz(out, p->name);
	buf_addz(out, p->params);
	buf_addc(out, ':');
	buf_add(out, p->value, p->len);
}

void card_kept_read(struct arena *a, const struct card_kept *kept, enum card_version version, struct card *out)
{
	const char *at = kept ? kept->text : "", *end = at + (kept ? kept->len : 0), *line;
	struct card_property *p;

	*out = (struct card){.version = version, .uid = kept ? kept->uid : ""};
	out->properties = arena_alloc(a, at < end ? CARD_PROPERTIES_MAX * sizeof *p : 0);
	while (at < end && out->n < CARD_PROPERTIES_MAX) {
		line = at;
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at : end;
		p = &out->properties[out->n];
		if (card_property_read(a, line, (size_t)(at - line), p)) {
			if (kept->version != version)
				card_convert(a, p, version);
			out->n++;
		}
		at += at < end;
	}
}

static void set_value(struct card_property *p, const char *value)
{
	p->value = value;
	p->len = strlen(value);
}

/* Returns the parameters without these, with more ones behind. */
static const char *params_without(
    struct arena *a, const struct card_property *p, const char *one, const char *other, const char *more)
{
	struct vcard_line l = {.params = p->params, .params_len = strlen(p->params)};
	struct vcard_param param;
	struct buf out;

	buf_init(&out, CARD_MAX);
	while (vcard_param_next(&l, &param))
		if (!vcard_word(param.name, param.name_len, one) && !vcard_word(param.name, param.name_len, other)) {
			buf_addc(&out, ';');
			buf_add(&out, param.text, param.len);
		}
	buf_addz(&out, more);
	return card_text_move(a, &out, NULL);
}

/* --- pictures, sounds and keys: "PHOTO;ENCODING=b;TYPE=JPEG:…" and "PHOTO:data:image/jpeg;base64,…" ------------ */

static const char *media_of(const struct card_property *p)
{
	static const char *const media[][2] = {
	    {"PHOTO", "image/"}, {"LOGO", "image/"}, {"SOUND", "audio/"}, {"KEY", "application/"}};

	for (size_t i = 0; i < sizeof media / sizeof *media; i++)
		if (card_is(p, media[i][0]))
			return media[i][1];
	return NULL;
}

static void binary_to_4(struct arena *a, struct card_property *p, const char *media)
{
	struct vcard_param param;
	char *type;

	if (!card_param_find(p, "ENCODING", &param))
		return;
	/* Some programs repeat it: "TYPE=JPEG,jpeg". */
	type = card_param_find(p, "TYPE", &param) && param.value_len
	           ? arena_dup(a, param.value, strcspn(param.value, ",;\""))
	           : arena_dupz(a, "octet-stream");
	for (char *c = type; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	set_value(p, arena_printf(a, "data:%s%s;base64,%s", strchr(type, '/') ? "" : media, type, p->value));
	p->params = params_without(a, p, "ENCODING", "TYPE", "");
}

static void binary_to_3(struct arena *a, struct card_property *p, const char *media)
{
	const char *base64 = strstr(p->value, ";base64,"), *type = p->value + 5;
	struct vcard_param param;
	size_t prefix = strlen(media);
	char *word;

	if (strncasecmp(p->value, "data:", 5) != 0 || !base64) {
		if (!card_param_find(p, "VALUE", &param) && !card_param_find(p, "ENCODING", &param))
			p->params = params_without(a, p, "VALUE", "", ";VALUE=uri");
		return;
	}
	type += strncasecmp(type, media, prefix) == 0 ? prefix : 0;
	word = arena_dup(a, type, type < base64 ? (size_t)(base64 - type) : 0);
	for (char *c = word; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	p->params = params_without(a, p, "VALUE", "MEDIATYPE",
	    *word && strcmp(word, "OCTET-STREAM") != 0 && !strpbrk(word, ";,:\"")
	        ? arena_printf(a, ";ENCODING=b;TYPE=%s", word)
	        : ";ENCODING=b");
	set_value(p, base64 + strlen(";base64,"));
}

/* --- days: "1985-04-12" and "19850412"; without a year "1604-04-12" of Apple and "--0412" ------------------------ */

static void day_to_4(struct arena *a, struct card_property *p)
{
	const char *v = p->value;
	struct vcard_param param;
	bool day = p->len == 10 && strspn(v, "0123456789-") == 10 && v[4] == '-' && v[7] == '-';

	if (day && card_param_find(p, "X-APPLE-OMIT-YEAR", &param)) {
		p->params = params_without(a, p, "X-APPLE-OMIT-YEAR", "", "");
		set_value(p, arena_printf(a, "--%.2s%.2s", v + 5, v + 8));
	} else if (day) {
		set_value(p, arena_printf(a, "%.4s%.2s%.2s", v, v + 5, v + 8));
	}
}

static void day_to_3(struct arena *a, struct card_property *p)
{
	const char *v = p->value;

	if (p->len == 8 && strspn(v, "0123456789") == 8) {
		set_value(p, arena_printf(a, "%.4s-%.2s-%.2s", v, v + 4, v + 6));
	} else if (p->len == 6 && strncmp(v, "--", 2) == 0 && strspn(v + 2, "0123456789") == 4) {
		p->params = params_without(a, p, "X-APPLE-OMIT-YEAR", "", ";X-APPLE-OMIT-YEAR=1604");
		set_value(p, arena_printf(a, "1604-%.2s-%.2s", v + 2, v + 4));
	}
}

/* --- all --------------------------------------------------------------------------------------------------------- */

/* 3.0 has telephone numbers only as text. */
static void number_to_3(struct arena *a, struct card_property *p)
{
	if (strncasecmp(p->value, "tel:", 4) != 0)
		return;
	p->params = params_without(a, p, "VALUE", "", "");
	set_value(p, p->value + 4);
}

void card_convert(struct arena *a, struct card_property *p, enum card_version version)
{
	const char *media = media_of(p);
	struct vcard_param param;
	bool day = card_is(p, "BDAY") || card_is(p, "ANNIVERSARY");

	if (version == CARD_4_0) {
		if (media)
			binary_to_4(a, p, media);
		else if (day)
			day_to_4(a, p);
		if (!card_param_find(p, "PREF", &param) && card_rank(p) == 1)
			p->params = card_params_ranked(a, p->params, version, true);
		return;
	}
	if (media)
		binary_to_3(a, p, media);
	else if (day)
		day_to_3(a, p);
	else if (card_is(p, "TEL"))
		number_to_3(a, p);
	if (card_rank(p) == 1)
		p->params = card_params_ranked(a, p->params, version, true);
}
