/* Which writes may be members of a joint transaction; see joint.h. */
#include "server/input/body.h"
#include "server/request/joint.h"
#include "server/request/route.h"
#include "server/request/server.h"

enum { MEMBER_BYTES = 16 << 10 /* of a request */ };

/* A company of this name may exist. Then it is changed, and which record that is nobody knows before the look-up. */
static bool may_change_company(const struct req *r)
{
	return r->route->resource->id_kind == ID_COMPANY && r->route->input == INPUT_CREATE &&
	       r->given.input->given & FIELD_BIT(COMPANY_GROUPS);
}

/* Their other writes are exclusive, are batches, or lock more after they have read a record. */
static bool kind_may_join(const struct route *route)
{
	switch (route->resource ? route->resource->id_kind : ID_KINDS) {
	case ID_PERSON:
	case ID_COMPANY:
	case ID_OBJECT:
	case ID_NOTE:
	case ID_TASK:
	case ID_INTERACTION:
		return true;
	default:
		return false;
	}
}

bool joint_may(const struct req *r)
{
	return r->tx.opening && !r->tx.joint.alone && !r->tx.exclusive && !r->tx.config && !r->tx.number_later &&
	       !r->given.dry && !r->given.batch && !(r->carrier && r->carrier->beside) && !r->server->closing &&
	       r->bytes_in <= MEMBER_BYTES && kind_may_join(r->route) && !may_change_company(r);
}
