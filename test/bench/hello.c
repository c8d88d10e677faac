/* The baseline of the bench: an evhttp server that only answers, with the same libevent settings as kith. Prints its
 * port and serves until it is killed. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>

static void answer_hello(struct evhttp_request *request, void *unused)
{
	struct evbuffer *body = evbuffer_new();

	(void)unused;
	evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "application/json");
	evbuffer_add(body, "{\"data\":{}}", 11);
	evhttp_send_reply(request, 200, "OK", body);
	evbuffer_free(body);
}

static struct bufferevent *new_connection(struct event_base *base, void *unused)
{
	struct bufferevent *bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);

	(void)unused;
	bufferevent_set_max_single_write(bev, 1 << 20);
	return bev;
}

int main(void)
{
	struct event_config *config = event_config_new();
	struct sockaddr_in address;
	socklen_t len = sizeof(address);
	int on = 1, fd;

	signal(SIGPIPE, SIG_IGN);
	event_config_set_flag(config, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST);
	struct event_base *base = event_base_new_with_config(config);
	struct evhttp *http = evhttp_new(base);
	evhttp_set_gencb(http, answer_hello, NULL);
	evhttp_set_bevcb(http, new_connection, NULL);
	struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
	if (bound == NULL)
		return 1;
	fd = evhttp_bound_socket_get_fd(bound);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		return 1;
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	event_base_dispatch(base);
	return 0;
}
