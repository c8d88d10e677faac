/* What systemd offers a service: it is told the service's state, watches over it, and holds its listening sockets while
 * the program is exchanged. Without systemd nothing of this does anything. The protocols are those of sd_notify(3) and
 * sd_listen_fds(3), a datagram and some variables: less than a library would be. */
#ifndef KITH_SERVER_BASE_SYSTEMD_H
#define KITH_SERVER_BASE_SYSTEMD_H

#include <stdbool.h>
#include <sys/socket.h>

/* Reads what systemd has passed. Before it all other functions do nothing. */
void systemd_take(void);

/* Sends an assignment such as "READY=1", several with newlines between them. */
void systemd_say(const char *text);

/* How often "WATCHDOG=1" is to be said, in ms; 0: not at all. */
int systemd_watchdog_ms(void);

/*
 * Sockets: those of a .socket unit, and those that systemd has held for the service since its last process. The latter
 * are held under the identity of the database that was served there (server/http/server.h).
 */

/* Forgets held sockets of other identities. */
void systemd_sockets_begin(const char *identity);
/* The passed socket that listens at this address, for the caller to keep; -1: none. */
int systemd_socket(const struct sockaddr *address, socklen_t len);
/* Forgets the sockets that nobody has asked for. */
void systemd_sockets_end(void);
/* Has systemd hold the socket; if it does already, nothing changes. False: there is no systemd. */
bool systemd_hold(int fd);
/* The service could not start: clients are refused from now on instead of waiting for another try. */
void systemd_let_go(void);

#endif
