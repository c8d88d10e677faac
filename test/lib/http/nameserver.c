/* See nameserver.h. */
#include "test/lib/http/nameserver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/arena.h"

enum { ROWS_MAX = 64, PACKET_MAX = 4096, HEADER = 12, TYPE_A = 1, TYPE_AAAA = 28 };
enum { RCODE_SERVFAIL = 2, RCODE_NXDOMAIN = 3, RCODE_REFUSED = 5, FLAG_TRUNCATED = 0x02 };

struct name_row {
	char *name, *answers;
	int asked[2]; /* A, AAAA */
};

struct nameserver {
	int fd;
	char address[32];
	pthread_t thread;
	pthread_mutex_t lock;
	struct name_row rows[ROWS_MAX];
	int n_rows, asked;
};

static struct name_row *nameserver_find(struct nameserver *s, const char *name)
{
	for (int i = 0; i < s->n_rows; i++)
		if (strcasecmp(s->rows[i].name, name) == 0)
			return &s->rows[i];
	return NULL;
}

/* Reads the name of the first question; returns the offset of its type, 0 for a malformed packet. */
static size_t read_question(const unsigned char *packet, size_t len, char name[256])
{
	size_t at = HEADER, n = 0;
	while (at < len && packet[at]) {
		size_t label = packet[at++];
		if (label > 63 || at + label >= len || n + label + 1 >= 256)
			return 0;
		memcpy(name + n, packet + at, label);
		n += label;
		name[n++] = '.';
		at += label;
	}
	name[n ? n - 1 : 0] = '\0';
	return at + 5 <= len ? at + 1 : 0;
}

static size_t add_record(unsigned char *packet, size_t at, int type, const void *data, size_t len)
{
	const unsigned char head[] = {0xc0, HEADER, 0, (unsigned char)type, 0, 1, 0, 0, 0, 0, 0, (unsigned char)len};
	if (at + sizeof(head) + len > PACKET_MAX)
		return at;
	memcpy(packet + at, head, sizeof(head));
	memcpy(packet + at + sizeof(head), data, len);
	return at + sizeof(head) + len;
}

/* Appends the addresses in the text that have the type. */
static size_t add_addresses(unsigned char *packet, size_t at, int type, const char *text, size_t text_len)
{
	int count = 0;
	while (text_len) {
		char word[INET6_ADDRSTRLEN + 1];
		unsigned char bytes[16];
		size_t len = strcspn(text, " |");
		len = len < text_len ? len : text_len;
		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		if (inet_pton(type == TYPE_A ? AF_INET : AF_INET6, word, bytes) == 1) {
			at = add_record(packet, at, type, bytes, type == TYPE_A ? 4 : 16);
			count++;
		}
		len += len < text_len;
		text += len;
		text_len -= len;
	}
	packet[6] = (unsigned char)(count >> 8);
	packet[7] = (unsigned char)count;
	return at;
}

/* The answer for this turn. */
static const char *turn_of(const char *answers, int turn, size_t *len)
{
	for (; turn > 0 && strchr(answers, '|'); turn--)
		answers = strchr(answers, '|') + 1;
	*len = strcspn(answers, "|");
	return answers;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(text, word, len) == 0;
}

/* Turns the query into its answer; 0: none is sent. */
static size_t make_answer(struct nameserver *s, unsigned char *packet, size_t len)
{
	char name[256];
	size_t at = read_question(packet, len, name), text_len;
	if (!at)
		return 0;
	int type = packet[at + 1];
	struct name_row *row = nameserver_find(s, name);
	s->asked++;
	packet[2] = 0x84; /* an authoritative answer */
	packet[3] = row ? 0 : RCODE_NXDOMAIN;
	memset(packet + 6, 0, 6);
	at += 4;
	if (!row)
		return at;
	const char *text = turn_of(row->answers, row->asked[type == TYPE_AAAA]++, &text_len);
	if (is_word(text, text_len, "silent"))
		return 0;
	if (is_word(text, text_len, "garbage")) {
		memset(packet + HEADER, 0xff, at - HEADER);
		packet[7] = 9;
		return at;
	}
	if (is_word(text, text_len, "truncated"))
		packet[2] |= FLAG_TRUNCATED;
	if (is_word(text, text_len, "servfail"))
		packet[3] = RCODE_SERVFAIL;
	if (is_word(text, text_len, "refused"))
		packet[3] = RCODE_REFUSED;
	return add_addresses(packet, at, type, text, text_len);
}

static void *nameserver_serve(void *arg)
{
	struct nameserver *s = arg;
	unsigned char packet[PACKET_MAX];
	struct sockaddr_in peer;
	while (true) {
		socklen_t peer_len = sizeof(peer);
		ssize_t n = recvfrom(s->fd, packet, sizeof(packet), 0, (struct sockaddr *)&peer, &peer_len);
		if (n <= 0)
			return NULL; /* shut down */
		if (n < HEADER)
			continue;
		pthread_mutex_lock(&s->lock);
		size_t len = make_answer(s, packet, (size_t)n);
		pthread_mutex_unlock(&s->lock);
		if (len)
			sendto(s->fd, packet, len, 0, (struct sockaddr *)&peer, peer_len);
	}
}

struct nameserver *nameserver_start(void)
{
	struct nameserver *s = mem_zalloc(sizeof(*s));
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	s->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (s->fd < 0 || bind(s->fd, (struct sockaddr *)&at, len) != 0 ||
	    getsockname(s->fd, (struct sockaddr *)&at, &len) != 0) {
		perror("nameserver");
		abort();
	}
	snprintf(s->address, sizeof(s->address), "127.0.0.1:%d", ntohs(at.sin_port));
	pthread_mutex_init(&s->lock, NULL);
	if (pthread_create(&s->thread, NULL, nameserver_serve, s) != 0)
		abort();
	return s;
}

void nameserver_stop(struct nameserver *s)
{
	shutdown(s->fd, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->fd);
	pthread_mutex_destroy(&s->lock);
	for (int i = 0; i < s->n_rows; i++) {
		free(s->rows[i].name);
		free(s->rows[i].answers);
	}
	free(s);
}

const char *nameserver_address(const struct nameserver *s)
{
	return s->address;
}

void nameserver_set(struct nameserver *s, const char *name, const char *answers)
{
	pthread_mutex_lock(&s->lock);
	struct name_row *row = nameserver_find(s, name);
	if (!row) {
		if (s->n_rows == ROWS_MAX)
			abort();
		row = &s->rows[s->n_rows++];
		row->name = mem_dupz(name);
	}
	free(row->answers);
	row->answers = mem_dupz(answers);
	row->asked[0] = row->asked[1] = 0;
	pthread_mutex_unlock(&s->lock);
}

int nameserver_asked(struct nameserver *s, const char *name)
{
	pthread_mutex_lock(&s->lock);
	struct name_row *row = name ? nameserver_find(s, name) : NULL;
	int asked = !name ? s->asked : row ? row->asked[0] + row->asked[1] : 0;
	pthread_mutex_unlock(&s->lock);
	return asked;
}
