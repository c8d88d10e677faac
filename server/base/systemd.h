/* What systemd offers a service: it receives the service's state, restarts it when it hangs, and holds its listening
 * sockets while the program is replaced. Without systemd these functions do nothing. The protocols are those of
 * sd_notify(3) and sd_listen_fds(3), a datagram and some variables: less code than a library would need. */
#ifndef KITH_SERVER_BASE_SYSTEMD_H
#define KITH_SERVER_BASE_SYSTEMD_H

#include <stdbool.h>
#include <sys/socket.h>

/* Reads what systemd has passed. Until this call all other functions do nothing. */
void systemd_take(void);

/* Sends an assignment such as "READY=1", or several with newlines between them. */
void systemd_say(const char *text);

/* Returns how often "WATCHDOG=1" must be sent, in ms; 0: never. */
int systemd_watchdog_ms(void);

/* There are two kinds of sockets: those of a .socket unit, and those that systemd has held for the service since its
 * previous process. The latter are held under the identity of the database that was served there
 * (server/http/http.h). */

/* Forgets held sockets of other identities. */
void systemd_sockets_begin(const char *identity);
/* Returns the passed socket that listens at this address, which the caller then owns; -1: none. */
int systemd_socket(const struct sockaddr *address, socklen_t len);
/* Forgets the sockets that nobody asked for. */
void systemd_sockets_end(void);
/* Asks systemd to hold the socket; if it already does, nothing changes. False: systemd is not there. */
bool systemd_hold(int fd);
/* Call it when the service could not start: clients are refused from now on, instead of waiting for another start. */
void systemd_let_go(void);

#endif
