/* The servers' logs: answers of 500 and more, errors. */
#ifndef KITH_TEST_SOAK_SOAK_LOG_H
#define KITH_TEST_SOAK_SOAK_LOG_H

/* Reads a server's previous log to its end, and begins with another one; NULL: none. */
void log_watch(int server, const char *path);
/* Reads what was added. */
void log_read_on(void);
void log_print(void);

#endif
