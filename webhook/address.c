/* Networks: the special-purpose addresses of IANA's registries. */
#include "webhook/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "server/base/text.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Also networks that a registry calls globally reachable but that no receiver uses: AS112, AMT, anycast of
 * protocols. */
static const struct network v4_forbidden[] = {
    {{0}, 8},             /* this network */
    {{10}, 8},            /* private use */
    {{100, 64}, 10},      /* shared by a provider's customers (CGNAT) */
    {{127}, 8},           /* loopback */
    {{169, 254}, 16},     /* link-local; clouds' credential services */
    {{172, 16}, 12},      /* private use */
    {{192, 0, 0}, 24},    /* IETF protocol assignments */
    {{192, 0, 2}, 24},    /* documentation */
    {{192, 31, 196}, 24}, /* AS112 */
    {{192, 52, 193}, 24}, /* AMT */
    {{192, 88, 99}, 24},  /* relays of 6to4 */
    {{192, 168}, 16},     /* private use */
    {{192, 175, 48}, 24}, /* AS112 */
    {{198, 18}, 15},      /* benchmarking */
    {{198, 51, 100}, 24}, /* documentation */
    {{203, 0, 113}, 24},  /* documentation */
    {{224}, 4},           /* multicast */
    {{240}, 4},           /* reserved, and broadcast */
    /* A public address at which virtual machines of a cloud reach their host. */
    {{168, 63, 129, 16}, 32},
};

/* Within 2000::/3. Everything outside is refused, such as ::1, ::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48,
 * 100::/64, 5f00::/16, fc00::/7, fe80::/10, fec0::/10 and ff00::/8. */
static const struct network v6_forbidden[] = {
    {{0x20, 0x01, 0x00}, 23},                   /* IETF: Teredo, benchmarking, AMT, ORCHID, DRIP */
    {{0x20, 0x01, 0x0d, 0xb8}, 32},             /* documentation */
    {{0x20, 0x02}, 16},                         /* 6to4: embeds an IPv4 address */
    {{0x26, 0x20, 0x00, 0x4f, 0x80, 0x00}, 48}, /* AS112 */
    {{0x3f, 0xfe}, 16},                         /* 6bone, returned */
    {{0x3f, 0xff, 0x00}, 20},                   /* documentation */
};

static bool same_prefix(const unsigned char *a, const unsigned char *b, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	if (memcmp(a, b, (size_t)whole) != 0)
		return false;
	return rest == 0 || ((a[whole] ^ b[whole]) & (0xff << (8 - rest)) & 0xff) == 0;
}

static bool network_in_table(const unsigned char *bytes, const struct network *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (same_prefix(bytes, rows[i].bytes, rows[i].prefix))
			return true;
	return false;
}

const unsigned char *address_bytes(const struct sockaddr *address)
{
	const void *at = address;

	if (address->sa_family == AF_INET)
		return (const unsigned char *)&((const struct sockaddr_in *)at)->sin_addr;
	if (address->sa_family == AF_INET6)
		return ((const struct sockaddr_in6 *)at)->sin6_addr.s6_addr;
	return NULL;
}

/* ISATAP: an interface identifier of 0:5efe or 200:5efe and an IPv4 address. */
static bool is_isatap(const unsigned char *b)
{
	return (b[8] & 0xfd) == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe;
}

bool address_public(const struct sockaddr *address)
{
	const unsigned char *bytes = address_bytes(address);

	if (!bytes)
		return false;
	if (address->sa_family == AF_INET)
		return !network_in_table(bytes, v4_forbidden, COUNT(v4_forbidden));
	return (bytes[0] & 0xe0) == 0x20 && !network_in_table(bytes, v6_forbidden, COUNT(v6_forbidden)) &&
	       !is_isatap(bytes);
}

bool address_parse(struct sockaddr_storage *out, const char *text, size_t len, uint16_t port)
{
	char copy[INET6_ADDRSTRLEN + 1];
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

	memset(out, 0, sizeof *out);
	if (len >= sizeof copy || memchr(text, '\0', len))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET, copy, &v4.sin_addr) == 1) {
		memcpy(out, &v4, sizeof v4);
		return true;
	}
	if (inet_pton(AF_INET6, copy, &v6.sin6_addr) != 1)
		return false;
	memcpy(out, &v6, sizeof v6);
	return true;
}

bool network_parse(struct network *out, const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);
	struct sockaddr_storage address;
	uint64_t prefix;

	if (!slash || !address_parse(&address, text, (size_t)(slash - text), 0))
		return false;
	size_t size = address.ss_family == AF_INET ? 4 : 16;
	const char *number = slash + 1;
	if (!text_uint(number, (size_t)(text + len - number), &prefix) || prefix > size * 8)
		return false;
	*out = (struct network){.prefix = (int)prefix, .family = address.ss_family};
	memcpy(out->bytes, address_bytes((const struct sockaddr *)&address), size);
	return true;
}

bool network_holds(const struct network *n, const struct sockaddr *address)
{
	return address->sa_family == n->family && same_prefix(address_bytes(address), n->bytes, n->prefix);
}
