/* The documents of clients that were fetched, for all requests. */
#ifndef KITH_SERVER_OAUTH_CLIENT_DOCUMENT_H
#define KITH_SERVER_OAUTH_CLIENT_DOCUMENT_H

struct client_documents;

struct client_documents *client_documents_new(void);
/* Call it after fetcher_stop(). NULL is valid. */
void client_documents_free(struct client_documents *d);

#endif
