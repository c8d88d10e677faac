/* Signatures against values that Python's hmac and base64 computed. */
#include <string.h>

#include "webhook/sign.h"
#include "test/lib/test.h"

TEST(test_signs)
{
	static const struct {
		unsigned char first, step; /* of the secret's bytes */
		const char *secret_text, *id;
		int64_t timestamp_s;
		const char *body, *signature;
	} cases[] = {
	    {0, 1, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "evt_01890a5d-ac96-774b-bcce-b302099a8057",
	        1614265330, "{\"test\": 2432232314}", "v1,72UzII52B/d+rYjYGrXHu6v7c1hQibnDa9shx72d3Bo="},
	    {255, 0, "whsec_//////////////////////////////////////////8=", "evt_x", 0, "",
	        "v1,kpeCLfyCtJ6HqISLD955e3oTo+TjLwADiIMSUFMzkO4="},
	    {100, 1, "whsec_ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM=", "msg_p5jXN8AQM9LWM0D4loKWxJek", 4102444800,
	        "{\"name\":\"Zo\xc3\xab \xe2\x80\x94 \xe2\x98\x83\"}",
	        "v1,BOD2X8h5M6448l0TeE8e9478CcOznkkDMzoSclzDIOo="},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned char secret[SIGN_SECRET_LEN];
		char text[SIGN_SECRET_TEXT], signature[SIGN_SIGNATURE_TEXT];
		for (int j = 0; j < SIGN_SECRET_LEN; j++)
			secret[j] = (unsigned char)(cases[i].first + j * cases[i].step);
		assert_string_equal(sign_secret_text(text, secret, sizeof secret), cases[i].secret_text);
		assert_string_equal(sign_signature(signature, secret, sizeof secret, cases[i].id, cases[i].timestamp_s,
		                        cases[i].body, strlen(cases[i].body)),
		    cases[i].signature);
	}
}

/* A body may hold any byte. */
TEST(signs_all_of_the_body)
{
	unsigned char secret[SIGN_SECRET_LEN] = {7};
	char a[SIGN_SIGNATURE_TEXT], b[SIGN_SIGNATURE_TEXT];

	sign_signature(a, secret, sizeof secret, "evt_1", 1, "a\0b", 3);
	sign_signature(b, secret, sizeof secret, "evt_1", 1, "a\0c", 3);
	assert_string_not_equal(a, b);
}
