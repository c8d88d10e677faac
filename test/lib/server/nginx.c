/* See nginx.h. */
#include "test/lib/server/nginx.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/lib/http/caller.h"
#include "test/lib/patience.h"
#include "test/lib/rig.h"
#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"

enum { WAIT_MS = 60000, CONF_MAX = 65536 };

#define SHIPPED_LOG "access_log /var/log/nginx/access.log"
#define CELLS_CONF "deploy/nginx-cells.conf"

static void nginx_fail(const char *what, const char *detail)
{
	fprintf(stderr, "nginx: %s %s\n", what, detail);
	exit(1);
}

int nginx_free_port(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || getsockname(fd, (struct sockaddr *)&at, &len) != 0)
		nginx_fail("no free port", "");
	close(fd);
	return ntohs(at.sin_port);
}

/* Replaces a text of the shipped file, which must occur. */
static void put_text(char *conf, const char *shipped, const char *text)
{
	char *at = strstr(conf, shipped), *end;

	if (at == NULL || strlen(conf) + strlen(text) >= CONF_MAX)
		nginx_fail("deploy/nginx.conf has no", shipped);
	end = at + strlen(shipped);
	memmove(at + strlen(text), end, strlen(end) + 1);
	memcpy(at, text, strlen(text));
}

/* Two cells, and what their addresses are to clients. */
static void put_cells(char *conf, const char *first, const char *second)
{
	char address[128];

	put_text(conf, "127.0.0.1:8080", first + strlen("http://"));
	put_text(conf, "127.0.0.1:8090", second + strlen("http://"));
	snprintf(address, sizeof address, "\"~^%s/\"", first);
	put_text(conf, "\"~^https://cell1\\.example\\.org/\"", address);
	snprintf(address, sizeof address, "\"~^%s/\"", second);
	put_text(conf, "\"~^https://cell2\\.example\\.org/\"", address);
}

static void write_conf(const char *directory, int port, const char *file, const char *first, const char *second)
{
	static char conf[CONF_MAX];
	char path[128], text[1024];
	FILE *shipped = fopen(file, "r");

	if (shipped == NULL)
		nginx_fail("cannot read", file);
	conf[fread(conf, 1, sizeof(conf) - 1, shipped)] = '\0';
	fclose(shipped);
	if (strcmp(file, CELLS_CONF) == 0) {
		put_cells(conf, first, second);
	} else {
		put_text(conf, "127.0.0.1:8080", first + strlen("http://"));
		if (second) {
			put_text(conf, "# server ", "server ");
			put_text(conf, "127.0.0.1:8081", second + strlen("http://"));
		}
	}
	snprintf(text, sizeof(text), "listen 127.0.0.1:%d;", port);
	put_text(conf, "listen 443 ssl http2;", text);
	put_text(conf, "ssl_certificate ", "# ");
	put_text(conf, "ssl_certificate_key ", "# ");
	snprintf(text, sizeof(text), "access_log %s/access.log", directory);
	while (strstr(conf, SHIPPED_LOG))
		put_text(conf, SHIPPED_LOG, text);
	snprintf(path, sizeof(path), "%s/site.conf", directory);
	rig_write(path, conf);
	snprintf(text, sizeof(text),
	    "daemon off; master_process off; pid %s/pid; error_log %s/error.log; events {}\n"
	    "http { access_log %s/access.log; client_body_temp_path %s/body; proxy_temp_path %s/proxy; "
	    "fastcgi_temp_path %s/f;\n"
	    "uwsgi_temp_path %s/u; scgi_temp_path %s/s; include %s/site.conf; }\n",
	    directory, directory, directory, directory, directory, directory, directory, directory, directory);
	snprintf(path, sizeof(path), "%s/nginx.conf", directory);
	rig_write(path, text);
}

static void start_with(struct nginx *n, const char *file, const char *first, const char *second)
{
	const char *program = access("/usr/sbin/nginx", X_OK) == 0 ? "/usr/sbin/nginx" : "nginx";
	int64_t until_us = patience_ms(WAIT_MS);
	int port = nginx_free_port();
	char path[128], *directory = n->directory;
	struct caller asking;

	if (!directory_make("nginx", directory))
		nginx_fail("no directory", "");
	write_conf(directory, port, file, first, second);
	snprintf(path, sizeof(path), "%s/nginx.conf", directory);
	snprintf(n->base, sizeof(n->base), "http://127.0.0.1:%d", port);
	n->pid = child_start(&(struct child){
	    .argv = (const char *const[]){program, "-p", directory, "-c", path, NULL}, .ends_with_us = true});
	caller_init(&asking, n->base, "");
	while (caller_send(&asking, "GET", "/readyz", NULL, NULL).status != 200)
		if (!patience_pause(until_us))
			nginx_fail("does not answer at", n->base);
	caller_free(&asking);
}

void nginx_start(struct nginx *n, const char *first, const char *second)
{
	start_with(n, "deploy/nginx.conf", first, second);
}

void nginx_start_cells(struct nginx *n, const char *first, const char *second)
{
	start_with(n, CELLS_CONF, first, second);
}

void nginx_stop(struct nginx *n)
{
	if (n->pid > 0) {
		kill(n->pid, SIGTERM);
		waitpid(n->pid, NULL, 0);
	}
	n->pid = 0;
}
