/* The gate's rules as tables. Every case is read in one piece, byte by byte and in random pieces, and must give the
 * same verdict at the same byte. */
#include <string.h>

#include "test/lib/http/gate_run.h"
#include "test/lib/test.h"

/* status 0: a whole request that ends with the last byte; 1: more is needed; else refused with that status. */
struct gate_row {
	const char *name, *bytes;
	size_t len;
	int status;
};

#define ROW(name, status, text)                                                                                        \
	{                                                                                                              \
		name, text, sizeof(text) - 1, status                                                                   \
	}

static const struct gate_row rows[] = {
    /* request line */
    ROW("plain", 0, GET("")),
    ROW("HEAD", 0, HEAD("HEAD / HTTP/1.1") "\r\n"),
    ROW("POST", 0, HEAD("POST / HTTP/1.1") "\r\n"),
    ROW("PUT", 0, HEAD("PUT / HTTP/1.1") "\r\n"),
    ROW("PATCH", 0, HEAD("PATCH / HTTP/1.1") "\r\n"),
    ROW("DELETE", 0, HEAD("DELETE / HTTP/1.1") "\r\n"),
    ROW("OPTIONS", 0, HEAD("OPTIONS / HTTP/1.1") "\r\n"),
    ROW("OPTIONS *", 0, HEAD("OPTIONS * HTTP/1.1") "\r\n"),
    ROW("OPTIONS **", 400, HEAD("OPTIONS ** HTTP/1.1") "\r\n"),
    ROW("GET *", 400, HEAD("GET * HTTP/1.1") "\r\n"),
    ROW("PROPFIND", 0, HEAD("PROPFIND / HTTP/1.1") "\r\n"),
    ROW("PROPPATCH", 0, HEAD("PROPPATCH / HTTP/1.1") "\r\n"),
    ROW("ACL", 0, HEAD("ACL / HTTP/1.1") "\r\n"),
    ROW("PROPFIND *", 400, HEAD("PROPFIND * HTTP/1.1") "\r\n"),
    ROW("TRACE", 501, HEAD("TRACE / HTTP/1.1") "\r\n"),
    ROW("CONNECT", 501, HEAD("CONNECT a:1 HTTP/1.1") "\r\n"),
    ROW("unknown method", 501, HEAD("BREW / HTTP/1.1") "\r\n"),
    ROW("lower-case method", 501, HEAD("get / HTTP/1.1") "\r\n"),
    ROW("long method", 501, HEAD("ABCDEFGHIJKLMNOPQRSTUVWXYZ / HTTP/1.1") "\r\n"),
    ROW("HTTP/2 preface", 501, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ROW("no method", 400, HEAD(" / HTTP/1.1") "\r\n"),
    ROW("method with a control", 400, "G\001T / HTTP/1.1\r\n"),
    ROW("method, then a line end", 400, "GET\r\n"),
    ROW("method, then a tab", 400, "GET\t/ HTTP/1.1\r\n"),
    ROW("empty line in front", 400, "\r\n" GET("")),
    ROW("TLS", 400, "\x16\x03\x01\x02\x00"),
    ROW("two spaces", 400, HEAD("GET  / HTTP/1.1") "\r\n"),
    ROW("two spaces before the version", 400, HEAD("GET /  HTTP/1.1") "\r\n"),
    ROW("space in the target", 400, HEAD("GET /a b HTTP/1.1") "\r\n"),
    ROW("tab in the target", 400, HEAD("GET /a\tb HTTP/1.1") "\r\n"),
    ROW("NUL in the target", 400, "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n"),
    ROW("DEL in the target", 400, HEAD("GET /a\177 HTTP/1.1") "\r\n"),
    ROW("byte over 127 in the target", 400, HEAD("GET /\xc3\xa9 HTTP/1.1") "\r\n"),
    ROW("target without a slash", 400, HEAD("GET a HTTP/1.1") "\r\n"),
    ROW("target of a question mark", 400, HEAD("GET ?a HTTP/1.1") "\r\n"),
    ROW("target of two slashes", 0, HEAD("GET //a HTTP/1.1") "\r\n"),
    ROW("query of all kinds", 0, HEAD("GET /a?b=c&d[e]=%00{}|\"<>^`\\ HTTP/1.1") "\r\n"),
    ROW("absolute form", 0, HEAD("GET http://b/c HTTP/1.1") "\r\n"),
    ROW("absolute form, https, case, port", 0, HEAD("GET HTTPS://b.example:8443/c?d HTTP/1.1") "\r\n"),
    ROW("absolute form without a path", 0, HEAD("GET http://b HTTP/1.1") "\r\n"),
    ROW("absolute form, query only", 0, HEAD("GET http://b?c HTTP/1.1") "\r\n"),
    ROW("absolute form without Host", 400, "GET http://b/c HTTP/1.1\r\n\r\n"),
    ROW("absolute form, IPv6", 0, HEAD("GET http://[::1]:80/c HTTP/1.1") "\r\n"),
    ROW("absolute form, no host", 400, HEAD("GET http:///c HTTP/1.1") "\r\n"),
    ROW("absolute form, user", 400, HEAD("GET http://u@b/c HTTP/1.1") "\r\n"),
    ROW("absolute form, no port", 400, HEAD("GET http://b:/c HTTP/1.1") "\r\n"),
    ROW("absolute form, large port", 400, HEAD("GET http://b:65536/c HTTP/1.1") "\r\n"),
    ROW("absolute form, ftp", 400, HEAD("GET ftp://b/c HTTP/1.1") "\r\n"),
    ROW("absolute form, one slash", 400, HEAD("GET http:/b/c HTTP/1.1") "\r\n"),
    ROW("authority form", 400, HEAD("GET b:80 HTTP/1.1") "\r\n"),
    ROW("HTTP/0.9 without a version", 505, "GET /\r\n"),
    ROW("HTTP/0.9", 505, HEAD("GET / HTTP/0.9") "\r\n"),
    ROW("HTTP/1.2", 505, HEAD("GET / HTTP/1.2") "\r\n"),
    ROW("HTTP/2.0", 505, HEAD("GET / HTTP/2.0") "\r\n"),
    ROW("HTTP/2", 505, HEAD("GET / HTTP/2") "\r\n"),
    ROW("HTTP/3.1", 505, HEAD("GET / HTTP/3.1") "\r\n"),
    ROW("HTTP/1.10", 400, HEAD("GET / HTTP/1.10") "\r\n"),
    ROW("HTTP/11.1", 400, HEAD("GET / HTTP/11.1") "\r\n"),
    ROW("HTTP/1", 505, HEAD("GET / HTTP/1") "\r\n"),
    ROW("HTTP/.1", 400, HEAD("GET / HTTP/.1") "\r\n"),
    ROW("http/1.1", 400, HEAD("GET / http/1.1") "\r\n"),
    ROW("HTTP 1.1", 400, HEAD("GET / HTTP 1.1") "\r\n"),
    ROW("ICY/1.1", 400, HEAD("GET / ICY/1.1") "\r\n"),
    ROW("space after the version", 400, HEAD("GET / HTTP/1.1 ") "\r\n"),
    ROW("HTTP/1.0", 0, HEAD("GET / HTTP/1.0") "\r\n"),
    /* line ends */
    ROW("bare LF in the request line", 400, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
    ROW("bare LF in a header", 400, "GET / HTTP/1.1\r\nHost: a\n\r\n"),
    ROW("bare LF as the end", 400, "GET / HTTP/1.1\r\nHost: a\r\n\n"),
    ROW("CR without LF in the request line", 400, "GET / HTTP/1.1\rHost: a\r\n\r\n"),
    ROW("CR without LF in a value", 400, "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n"),
    ROW("CR CR LF", 400, "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n"),
    ROW("CR without LF at the end", 400, "GET / HTTP/1.1\r\nHost: a\r\n\rX"),
    /* headers */
    ROW("many shapes of values", 0, GET("A:b\r\nC: \t d \t\r\nE:\r\nF: \xff\xfe\"(){}\r\n!#$%&'*+-.^_`|~0: x\r\n")),
    ROW("folded line", 400, GET("A: b\r\n c\r\n")),
    ROW("folded with a tab", 400, GET("A: b\r\n\tc\r\n")),
    ROW("first line folded", 400, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
    ROW("space before the colon", 400, GET("A : b\r\n")),
    ROW("tab before the colon", 400, GET("A\t: b\r\n")),
    ROW("no colon", 400, GET("Abc\r\n")),
    ROW("no name", 400, GET(": b\r\n")),
    ROW("quoted name", 400, GET("\"A\": b\r\n")),
    ROW("slash in a name", 400, GET("A/B: b\r\n")),
    ROW("NUL in a name", 400, GET("A\0B: b\r\n")),
    ROW("byte over 127 in a name", 400, GET("\xc3\xa9: b\r\n")),
    ROW("NUL in a value", 400, GET("A: b\0c\r\n")),
    ROW("control in a value", 400, GET("A: b\001c\r\n")),
    ROW("vertical tab in a value", 400, GET("A: b\013c\r\n")),
    ROW("DEL in a value", 400, GET("A: b\177\r\n")),
    ROW("control in front of a value", 400, GET("A: \001\r\n")),
    ROW("control in a length", 400, POST("Content-Length: 1\0\r\n", "a")),
    /* Host */
    ROW("no Host", 400, "GET / HTTP/1.1\r\nA: b\r\n\r\n"),
    ROW("no Host on 1.0", 0, "GET / HTTP/1.0\r\n\r\n"),
    ROW("two Hosts on 1.0", 400, "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"),
    ROW("empty Host on 1.0", 400, "GET / HTTP/1.0\r\nHost:\r\n\r\n"),
    ROW("two Hosts", 400, GET("Host: b\r\n")),
    ROW("two equal Hosts, other case", 400, GET("hOST: a\r\n")),
    ROW("empty Host", 400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    ROW("blank Host", 400, "GET / HTTP/1.1\r\nHost:  \t\r\n\r\n"),
    ROW("Host with port", 0, "GET / HTTP/1.1\r\nHost:a-b_c.example:8080 \r\n\r\n"),
    ROW("Host, IPv6", 0, "GET / HTTP/1.1\r\nHost: [2001:db8::1]\r\n\r\n"),
    ROW("Host, IPv6 and port", 0, "GET / HTTP/1.1\r\nHost: [2001:db8::1]:1\r\n\r\n"),
    ROW("Host, percent", 0, "GET / HTTP/1.1\r\nHost: a%2db\r\n\r\n"),
    ROW("Host, half a percent", 400, "GET / HTTP/1.1\r\nHost: a%2\r\n\r\n"),
    ROW("Host, bad percent", 400, "GET / HTTP/1.1\r\nHost: a%zz\r\n\r\n"),
    ROW("Host, IPv6 unclosed", 400, "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"),
    ROW("Host, empty brackets", 400, "GET / HTTP/1.1\r\nHost: []\r\n\r\n"),
    ROW("Host, after brackets", 400, "GET / HTTP/1.1\r\nHost: [::1]a\r\n\r\n"),
    ROW("Host, empty port", 400, "GET / HTTP/1.1\r\nHost: a:\r\n\r\n"),
    ROW("Host, letters as port", 400, "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"),
    ROW("Host, large port", 400, "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n"),
    ROW("Host, two ports", 400, "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n"),
    ROW("Host, user", 400, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
    ROW("Host, path", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    ROW("Host, list", 400, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
    ROW("Host, two words", 400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    ROW("Host, markup", 400, "GET / HTTP/1.1\r\nHost: <a>\r\n\r\n"),
    ROW("Host, not ASCII", 400, "GET / HTTP/1.1\r\nHost: \xc3\xa9\r\n\r\n"),
    /* Content-Length */
    ROW("length", 0, POST("Content-Length: 5\r\n", "12345")),
    ROW("length, one byte missing", 1, POST("Content-Length: 5\r\n", "1234")),
    ROW("length 0", 0, POST("Content-Length: 0\r\n", "")),
    ROW("length with zeros in front", 0, POST("Content-Length: 0000000003\r\n", "abc")),
    ROW("length with blanks", 0, POST("Content-Length: \t2 \t\r\n", "ab")),
    ROW("length of a GET", 0, GET("Content-Length: 2\r\n") "ab"),
    ROW("body of any bytes", 0, POST("Content-Length: 6\r\n", "\0\r\n\n\xff\001")),
    ROW("11 digits", 400, POST("Content-Length: 00000000005\r\n", "12345")),
    ROW("negative", 400, POST("Content-Length: -5\r\n", "12345")),
    ROW("plus", 400, POST("Content-Length: +5\r\n", "12345")),
    ROW("hexadecimal", 400, POST("Content-Length: 0x5\r\n", "12345")),
    ROW("empty length", 400, POST("Content-Length: \r\n", "12345")),
    ROW("length with a fraction", 400, POST("Content-Length: 5.0\r\n", "12345")),
    ROW("length of two words", 400, POST("Content-Length: 5 5\r\n", "12345")),
    ROW("list of lengths", 400, POST("Content-Length: 5, 5\r\n", "12345")),
    ROW("list without a blank", 400, POST("Content-Length: 5,5\r\n", "12345")),
    ROW("length of letters", 400, POST("Content-Length: five\r\n", "12345")),
    ROW("two equal lengths", 400, POST("Content-Length: 5\r\nContent-Length: 5\r\n", "12345")),
    ROW("two lengths", 400, POST("Content-Length: 5\r\nContent-Length: 6\r\n", "123456")),
    ROW("two lengths, other case", 400, POST("Content-Length: 0\r\ncontent-length: 6\r\n", "123456")),
    ROW("length at the cap", 1, POST("Content-Length: 1000\r\n", "")),
    ROW("length over the cap", 413, POST("Content-Length: 1001\r\n", "")),
    ROW("largest length", 413, POST("Content-Length: 9999999999\r\n", "")),
    ROW("batch at the cap", 1, HEAD("POST /v1/people/batch/create HTTP/1.1") "Content-Length: 5000\r\n\r\n"),
    ROW("batch over the cap", 413, HEAD("POST /v1/people/batch/create HTTP/1.1") "Content-Length: 5001\r\n\r\n"),
    ROW("report at the cap of batches", 1, HEAD("REPORT / HTTP/1.1") "Content-Length: 5000\r\n\r\n"),
    ROW("report over the cap of batches", 413, HEAD("REPORT / HTTP/1.1") "Content-Length: 5001\r\n\r\n"),
    ROW("propfind over the cap", 413, HEAD("PROPFIND / HTTP/1.1") "Content-Length: 1001\r\n\r\n"),
    ROW("batch in absolute form", 1, HEAD("POST http://a/x/batch/y HTTP/1.1") "Content-Length: 5000\r\n\r\n"),
    ROW("batch as the host", 413, HEAD("POST http://batch/ HTTP/1.1") "Content-Length: 1001\r\n\r\n"),
    ROW("batch in the query", 413, HEAD("POST /a?/batch/ HTTP/1.1") "Content-Length: 1001\r\n\r\n"),
    ROW("batch, not whole", 413, HEAD("POST /batches/batch HTTP/1.1") "Content-Length: 1001\r\n\r\n"),
    ROW("batch after a false start", 1, HEAD("POST /bat/batch/ HTTP/1.1") "Content-Length: 1001\r\n\r\n"),
    ROW("batch after two slashes", 1, HEAD("POST //batch/ HTTP/1.1") "Content-Length: 1001\r\n\r\n"),
    ROW("HEAD with a body", 400, HEAD("HEAD / HTTP/1.1") "Content-Length: 1\r\n\r\na"),
    ROW("HEAD with length 0", 0, HEAD("HEAD / HTTP/1.1") "Content-Length: 0\r\n\r\n"),
    ROW("HEAD, chunked", 400, HEAD("HEAD / HTTP/1.1") "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    /* Transfer-Encoding */
    ROW("chunked", 0, CHUNKED("3\r\nabc\r\n0\r\n\r\n")),
    ROW("chunked, other case", 0, POST("tRANSFER-eNCODING: ChunkeD \r\n", "0\r\n\r\n")),
    ROW("chunked and length", 400, POST("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n")),
    ROW("length and chunked", 400, POST("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
    ROW("length 0 and chunked", 400, POST("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
    ROW("chunked twice", 400, POST("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
    ROW("chunked, chunked", 400, POST("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")),
    ROW("gzip, chunked", 400, POST("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
    ROW("gzip", 400, POST("Transfer-Encoding: gzip\r\n", "0\r\n\r\n")),
    ROW("identity", 400, POST("Transfer-Encoding: identity\r\n", "0\r\n\r\n")),
    ROW("identity, then chunked", 400, POST("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", "")),
    ROW("empty encoding", 400, POST("Transfer-Encoding:\r\n", "0\r\n\r\n")),
    ROW("xchunked", 400, POST("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")),
    ROW("chunkedx", 400, POST("Transfer-Encoding: chunkedx\r\n", "0\r\n\r\n")),
    ROW("chunk ed", 400, POST("Transfer-Encoding: chunk ed\r\n", "0\r\n\r\n")),
    ROW("chunked with a parameter", 400, POST("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n")),
    ROW("quoted", 400, POST("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n")),
    ROW("comma after", 400, POST("Transfer-Encoding: chunked,\r\n", "0\r\n\r\n")),
    ROW("comma in front", 400, POST("Transfer-Encoding: ,chunked\r\n", "0\r\n\r\n")),
    ROW("vertical tab in front", 400, POST("Transfer-Encoding: \013chunked\r\n", "0\r\n\r\n")),
    ROW("folded encoding", 400, POST("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n")),
    ROW("space in the name", 400, POST("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")),
    ROW("underscore is another name", 0, POST("Transfer_Encoding: chunked\r\n", "")),
    ROW("longer name", 0, POST("Transfer-Encodings: chunked\r\nX-Transfer-Encoding: chunked\r\n", "")),
    ROW("chunked on 1.0", 400, HEAD("POST / HTTP/1.0") "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    /* chunks */
    ROW("no chunks", 0, CHUNKED("0\r\n\r\n")),
    ROW("8 zeros", 0, CHUNKED("00000000\r\n\r\n")),
    ROW("9 digits", 400, CHUNKED("000000003\r\nabc\r\n0\r\n\r\n")),
    ROW("8 digits", 0, CHUNKED("00000003\r\nabc\r\n0\r\n\r\n")),
    ROW("hexadecimal size", 0, CHUNKED("a\r\n0123456789\r\nB\r\n0123456789x\r\n0\r\n\r\n")),
    ROW("extension", 400, CHUNKED("3;a=b\r\nabc\r\n0\r\n\r\n")),
    ROW("extension of the last chunk", 400, CHUNKED("0;a\r\n\r\n")),
    ROW("blank after the size", 400, CHUNKED("3 \r\nabc\r\n0\r\n\r\n")),
    ROW("blank in front of the size", 400, CHUNKED(" 3\r\nabc\r\n0\r\n\r\n")),
    ROW("empty size", 400, CHUNKED("\r\nabc\r\n0\r\n\r\n")),
    ROW("0x", 400, CHUNKED("0x3\r\nabc\r\n0\r\n\r\n")),
    ROW("negative size", 400, CHUNKED("-3\r\nabc\r\n0\r\n\r\n")),
    ROW("plus size", 400, CHUNKED("+3\r\nabc\r\n0\r\n\r\n")),
    ROW("letters as size", 400, CHUNKED("g\r\nabc\r\n0\r\n\r\n")),
    ROW("size ends with LF", 400, CHUNKED("3\nabc\r\n0\r\n\r\n")),
    ROW("size ends with CR", 400, CHUNKED("3\rabc\r\n0\r\n\r\n")),
    ROW("chunk too long", 400, CHUNKED("3\r\nabcd\r\n0\r\n\r\n")),
    ROW("chunk too short", 400, CHUNKED("3\r\nab\r\n0\r\n\r\n")),
    ROW("chunk ends with LF", 400, CHUNKED("3\r\nabc\n0\r\n\r\n")),
    ROW("chunk ends with CR", 400, CHUNKED("3\r\nabc\r0\r\n\r\n")),
    ROW("cap in one chunk", 1, CHUNKED("3e8\r\n")),
    ROW("over the cap in one chunk", 413, CHUNKED("3e9\r\n")),
    ROW("over the cap in two chunks", 413, CHUNKED("3\r\nabc\r\n3e6\r\n")),
    ROW("largest chunk", 413, CHUNKED("ffffffff\r\n")),
    ROW("batch chunk", 1, HEAD("POST /a/batch/b HTTP/1.1") "Transfer-Encoding: chunked\r\n\r\n1388\r\n"),
    ROW("batch chunk over the cap", 413, HEAD("POST /a/batch/b HTTP/1.1") "Transfer-Encoding: chunked\r\n\r\n1389\r\n"),
    /* trailers */
    ROW("trailers", 0, CHUNKED("0\r\nA: b\r\nC: d\r\n\r\n")),
    ROW("trailers that look like framing", 0, CHUNKED("0\r\nContent-Length: x\r\nHost: \r\nExpect: y\r\n\r\n")),
    ROW("trailers never end", 1, CHUNKED("0\r\nA: b\r\n")),
    ROW("folded trailer", 400, CHUNKED("0\r\nA: b\r\n c\r\n\r\n")),
    ROW("trailer without a colon", 400, CHUNKED("0\r\nAb\r\n\r\n")),
    ROW("trailer with a control", 400, CHUNKED("0\r\nA: \001\r\n\r\n")),
    ROW("trailer ends with LF", 400, CHUNKED("0\r\nA: b\n\r\n")),
    ROW("trailers end with LF", 400, CHUNKED("0\r\n\n")),
    /* Expect */
    ROW("100-continue", 0, POST("Expect: 100-Continue\r\nContent-Length: 1\r\n", "a")),
    ROW("100-continue over the cap", 413, POST("Expect: 100-continue\r\nContent-Length: 1001\r\n", "")),
    ROW("another expectation", 417, POST("Expect: 200-ok\r\nContent-Length: 1\r\n", "a")),
    ROW("two expectations", 417, POST("Expect: 100-continue, x\r\n", "")),
    ROW("empty expectation", 417, POST("Expect:\r\n", "")),
};

TEST(test_rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct gate_row *row = &rows[i];
		struct result r = gate_run_all_ways(row->name, row->bytes, row->len);
		enum gate_verdict want = row->status == 0 ? GATE_DONE : row->status == 1 ? GATE_MORE : GATE_REFUSED;

		if (r.verdict != want || (want == GATE_REFUSED && r.status != row->status) ||
		    (want != GATE_REFUSED && r.used != row->len))
			fail_msg("%s: verdict %d, status %d, %zu of %zu bytes used", row->name, r.verdict, r.status,
			    r.used, row->len);
	}
}

/* Every prefix of a good request wants more; every other byte in its place is either in order or refused there. */
TEST(test_prefixes)
{
	static const char request[] = HEAD(
	    "POST http://a:1/x/batch/?y HTTP/1.1") "Connection: close\r\nExpect: 100-continue\r\n"
	                                           "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nT: u\r\n\r\n";
	char copy[sizeof(request)];

	for (size_t n = 0; n < sizeof(request) - 1; n++)
		assert_int_equal(gate_run(request, n, WHOLE).verdict, GATE_MORE);
	for (size_t at = 0; at < sizeof(request) - 1; at++)
		for (int c = 0; c < 256; c++) {
			memcpy(copy, request, sizeof(copy));
			copy[at] = (char)c;
			struct result whole = gate_run(copy, sizeof(copy) - 1, WHOLE),
			              single = gate_run(copy, sizeof(copy) - 1, BYTEWISE);
			assert_int_equal(whole.verdict, single.verdict);
			assert_int_equal(whole.used, single.used);
			assert_int_equal(whole.status, single.status);
			assert_true(whole.verdict != GATE_REFUSED || whole.used >= at);
		}
}

/* The exact byte that is refused. */
TEST(test_offsets)
{
	static const struct {
		const char *bytes;
		size_t used;
	} cases[] = {{"GET / HTTP/1.1\nHost", 14}, {"BREW / HTTP/1.1\r\n", 4},
	    {"GET / HTTP/1.1\r\nHost: a\r\nA : b\r\n", 26}, {"GET /\r\n", 5}, {"GET / HTTP/2.0\r\n", 13},
	    {"GET / HTTP/1.2\r\n", 13}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(
		    gate_run_all_ways(cases[i].bytes, cases[i].bytes, strlen(cases[i].bytes)).used, cases[i].used);
}
