/* Notes in HTML as plain text. */
#include <string.h>

#include "transfer/html.h"
#include "test/lib/test.h"

static const char *text_shown(const char *html, struct buf *out)
{
	buf_clear(out);
	html_to_text(out, html, strlen(html));
	return out->data ? out->data : "";
}

TEST(test_text)
{
	static const struct {
		const char *html, *text;
	} cases[] = {
	    {"<p>One</p><p>Two</p>", "One\n\nTwo"},
	    {"<div style=\"\" dir=\"auto\"><p style=\"margin:0;\">Met at the fair</p></div>", "Met at the fair"},
	    {"Call<br>back<BR/>soon", "Call\nback\nsoon"},
	    {"<ul><li>a</li>\n<li>b <b>c</b></li></ul>end", "- a\n- b c\nend"},
	    {"<a href=\"https://x.example/a?b=1\">offer</a>!", "offer (https://x.example/a?b=1)!"},
	    {"<a href='https://x.example'>https://x.example</a>", "https://x.example"},
	    {"<a href=\"mailto:a@x.example\">Ann</a>", "Ann (a@x.example)"},
	    {"<a href=\"javascript:alert(1)\">x</a>", "x"},
	    {"<p>1 &lt; 2 &amp;&nbsp;&#8364;&#x1F600;&copy;&#0;</p>", "1 < 2 & \u20ac\U0001F600&copy;&#0;"},
	    {"<p>Ada <ada@x.example> wrote 1 < 2</p>", "Ada <ada@x.example> wrote 1 < 2"},
	    {"<style>p { color: red }</style><script>a < b</script>Hi", "Hi"},
	    {"<p title=\"a > b\">Hi</p>", "Hi"},
	    {"<p>a  \n b</p>", "a b"},
	    {"<td>a</td><td>b</td>", "a b"},
	    {"<p>open <b", "open <b"},
	    {"<p>no end of the tag <a href=\"", "no end of the tag <a href=\""},
	    {"<style>never ended", ""},
	};
	struct buf out;

	buf_init(&out, 1 << 20);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strcmp(text_shown(cases[i].html, &out), cases[i].text) != 0)
			fail_msg("%s\nis\n%s\nnot\n%s", cases[i].html, out.data, cases[i].text);
	buf_free(&out);
}

TEST(test_what_is_html)
{
	static const char *const plain[] = {
	    "", "1 < 2", "Ada <ada@x.example>", "<foo>", "a <", "<b", "<p", "</", "x < p >"};

	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		assert_false(html_is(plain[i], strlen(plain[i])));
	assert_true(html_is("a<br>b", 6));
	assert_true(html_is("</P>", 4));
}

/* A megabyte of tags that have no end, and of elements that are never closed, takes no longer than it is long. */
TEST(test_hostile)
{
	static const char *const parts[] = {"<p \"", "<style>", "<a href=\"", "<p title='", "&#", "<br>", "<p>", "<li>",
	    "<a href=\"https://x\">", "</style", "<"};
	struct buf text, out;

	buf_init(&text, 2 << 20);
	buf_init(&out, 2 << 20);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_clear(&text);
		while (text.len < 1 << 20)
			buf_addz(&text, parts[i]);
		html_is(text.data, text.len);
		text_shown(text.data, &out);
		assert_true(out.len <= text.len);
		assert_false(out.overflow);
	}
	buf_free(&text);
	buf_free(&out);
}
