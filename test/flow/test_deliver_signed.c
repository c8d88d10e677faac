/* Signed deliveries as received: the signature covers id, time and body, with one secret and, after a rotation, with
 * two. Deliveries are written to KITH_TEST_DELIVERIES, where test/webhooks/check verifies them with the libraries
 * that receivers use. */
#include <event2/event.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/test.h"
#include "test/lib/webhook/delivery_rig.h"
#include "test/lib/webhook/receiver.h"
#include "webhook/sign.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char *const bodies[] = {
    "{}",
    "{\"id\":\"evt_1\",\"type\":\"person.created\",\"data\":{\"id\":\"per_1\"}}",
    "{\"name\":\"Zo\xc3\xab \xe2\x80\x94 \xe2\x98\x83 \xf0\x9f\x98\x80\",\"escaped\":\"\\u00eb\\n\\\"\"}",
    "{\"dots\":\"a.b.c\",\"plus\":\"+/=\"}",
    "[1,2.50,1e3]",
};

static int done;

static void on_done(void *ctx, const struct deliver_result *result)
{
	(void)ctx;
	assert_int_equal(result->error, DELIVER_NONE);
	done++;
}

static void send_signed(
    struct delivery *world, const struct target *target, int i, const unsigned char *secret, const unsigned char *older)
{
	char id[32], timestamp[24], signature[SIGN_SIGNATURE_TEXT], second[SIGN_SIGNATURE_TEXT],
	    both[2 * SIGN_SIGNATURE_TEXT];
	int64_t now_s = clock_now_ms() / 1000;
	snprintf(id, sizeof(id), "evt_%d", i);
	snprintf(timestamp, sizeof(timestamp), "%" PRId64, now_s);
	sign_signature(signature, secret, SIGN_SECRET_LEN, id, now_s, bodies[i], strlen(bodies[i]));
	if (older)
		sign_signature(second, older, SIGN_SECRET_LEN, id, now_s, bodies[i], strlen(bodies[i]));
	snprintf(both, sizeof(both), "%s%s%s", signature, older ? " " : "", older ? second : "");
	const struct deliver_header headers[] = {{"Content-Type", "application/json"}, {"webhook-id", id},
	    {"webhook-timestamp", timestamp}, {"webhook-signature", both}};
	deliver_start(world->deliverer,
	    &(struct deliver_request){
	        .target = target, .headers = headers, .n_headers = 4, .body = bodies[i], .body_len = strlen(bodies[i])},
	    on_done, NULL);
}

/* HMAC by OpenSSL's old interface and its base64: independent of the code under test. */
static void expect_signature(const struct receiver_request *q, const unsigned char *secret)
{
	unsigned char digest[32];
	char content[1024], want[64] = "v1,", *id = receiver_header(q, "webhook-id");
	char *timestamp = receiver_header(q, "webhook-timestamp"), *signature = receiver_header(q, "webhook-signature");
	int n = snprintf(content, sizeof(content), "%s.%s.%s", id, timestamp, q->body);
	HMAC(EVP_sha256(), secret, SIGN_SECRET_LEN, (unsigned char *)content, (size_t)n, digest, NULL);
	EVP_EncodeBlock((unsigned char *)want + 3, digest, sizeof(digest));
	assert_non_null(strstr(signature, want));
	free(id);
	free(timestamp);
	free(signature);
}

static void write_line(FILE *file, const struct receiver_request *q, const unsigned char *secret)
{
	static const char *const names[] = {"webhook-id", "webhook-timestamp", "webhook-signature"};
	char text[SIGN_SECRET_TEXT];
	struct json_out o;
	struct buf b;
	buf_init(&b, 1 << 16);
	json_out_init(&o, &b);
	json_begin_object(&o);
	json_key(&o, "secret");
	json_string(&o, sign_secret_text(text, secret, SIGN_SECRET_LEN));
	json_key(&o, "headers");
	json_begin_object(&o);
	for (size_t i = 0; i < COUNT(names); i++) {
		char *value = receiver_header(q, names[i]);
		json_key(&o, names[i]);
		json_string(&o, value);
		free(value);
	}
	json_end_object(&o);
	json_key(&o, "body");
	json_string(&o, q->body);
	json_end_object(&o);
	fprintf(file, "%s\n", b.data);
	buf_free(&b);
}

static bool all_came(void *ctx)
{
	return done == *(int *)ctx;
}

TEST(signs_what_arrives)
{
	static struct target target;
	unsigned char secret[SIGN_SECRET_LEN], older[SIGN_SECRET_LEN];
	int all = 2 * (int)COUNT(bodies);
	struct delivery world;
	const char *path = getenv("KITH_TEST_DELIVERIES");
	FILE *file = path ? fopen(path, "w") : NULL;

	for (int i = 0; i < SIGN_SECRET_LEN; i++) {
		secret[i] = (unsigned char)(250 - 7 * i);
		older[i] = (unsigned char)(3 + 5 * i);
	}
	struct receiver *receiver = receiver_start(&(struct receiver_config){0});
	delivery_start(&world, "127.0.0.0/8", (struct deliver_config){.timeout_ms = 30000});
	const char *url = receiver_url(receiver, "/hook");
	assert_int_equal(target_parse(&target, world.rules, url, strlen(url)), TARGET_OK);
	for (int i = 0; i < (int)COUNT(bodies); i++) {
		send_signed(&world, &target, i, secret, NULL);
		send_signed(&world, &target, i, secret, older);
	}
	assert_true(delivery_turn(&world, 60000, all_came, &all));
	for (int i = 0; i < all; i++) {
		const struct receiver_request *q = receiver_request(receiver, i);
		char *signatures = receiver_header(q, "webhook-signature");
		bool two = strchr(signatures, ' ');
		free(signatures);
		expect_signature(q, secret);
		if (two)
			expect_signature(q, older);
		if (file)
			write_line(file, q, two ? older : secret);
	}
	if (file)
		fclose(file);
	delivery_stop(&world);
	receiver_stop(receiver);
}
