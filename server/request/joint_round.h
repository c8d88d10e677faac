/* A round of a joint transaction: one exchange made of those that its members have asked for. For joint.c. */
#ifndef KITH_SERVER_REQUEST_JOINT_ROUND_H
#define KITH_SERVER_REQUEST_JOINT_ROUND_H

#include "server/request/request.h"
#include "store/db.h"

struct joint_place;

struct joint_round {
	struct db_exchange x;
	struct arena arena; /* of the exchange */
	bool ending;        /* every member asks for its end: it has the COMMIT, or a ROLLBACK if nobody commits */
	/* The statement that sets a member's trace; NULL: the members have none. */
	struct sql *(*trace)(struct req *r, struct arena *a);
	struct joint_place *places;
	int n_places;
};

/* The member whose part has this link. */
struct req *joint_member(struct list *node);

/* True if the member asks for the rollback of what it did, not for COMMIT. */
bool joint_part_rolls_back(const struct joint_part *p);

/* Whether the round has the member's exchange. Those that end wait for the last round; a large one has no other. */
bool joint_round_includes(const struct joint_round *round, const struct req *r);

/* Empties the exchange. The caller sets what is not zero. */
void joint_round_begin(struct joint_round *round, struct db_session *session, size_t n_statements);
/* Adds a constant statement. */
void joint_round_add(struct joint_round *round, const char *name, const char *text);

/* Fills the exchange with the statements of all members that it includes. */
void joint_round_fill(struct joint_round *round, struct list *parts, struct db_session *session);

/* Hands out the results. */
void joint_round_results(struct joint_round *round);

#endif
