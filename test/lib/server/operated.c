/* See operated.h. */
#include "test/lib/server/operated.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test/lib/patience.h"
#include "test/lib/rig.h"

void operated_init(struct operated *o)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0) {
		perror("a free port");
		exit(1);
	}
	close(fd);
	o->port = ntohs(address.sin_port);
	snprintf(o->setting, sizeof o->setting, "admin_listen=127.0.0.1:%d", o->port);
	o->client = NULL;
	operated_turn(o);
	arena_init(&o->arena);
}

struct server_process *operated_serve(struct operated *o, struct rig *r, bool faulty)
{
	const char *const settings[] = {o->setting, NULL};

	operated_init(o);
	return (faulty ? rig_serve_faulty : rig_serve)(r, false, settings);
}

void operated_turn(struct operated *o)
{
	char base[40];

	if (o->client)
		client_free(o->client);
	snprintf(base, sizeof base, "http://127.0.0.1:%d", o->port);
	o->client = client_new(base);
}

void operated_free(struct operated *o)
{
	client_free(o->client);
	arena_free(&o->arena);
}

struct client_reply operated_send(struct operated *o, const char *method, const char *target)
{
	struct client_request request = {.method = method, .target = target};
	struct client_reply reply;
	char error[256];

	if (!client_send(o->client, &o->arena, &request, &reply, error))
		return (struct client_reply){.body = ""};
	return reply;
}

double operated_value(struct operated *o, const char *sample)
{
	const char *at = operated_send(o, "GET", "/metrics").body;
	size_t len = strlen(sample);

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (strncmp(at, sample, len) == 0 && at[len] == ' ')
			return strtod(at + len, NULL);
	return -1;
}

int64_t operated_reads(struct operated *o, const char *result)
{
	char sample[80];

	snprintf(sample, sizeof sample, "kith_replica_reads_total{result=\"%s\"}", result);
	return (int64_t)operated_value(o, sample);
}

bool operated_until(struct operated *o, const char *sample, double value, int ms)
{
	int64_t until_us = patience_ms(ms);

	while (operated_value(o, sample) < value) {
		arena_free(&o->arena);
		if (!patience_pause(until_us))
			return false;
	}
	return true;
}
