/* The table of routes. */
#ifndef KITH_SERVER_ROUTES_H
#define KITH_SERVER_ROUTES_H

/* Gives the table to those who answer and describe requests (server/request/route.h). Call it before them. */
void routes_use(void);

#endif
