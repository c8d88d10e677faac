/* DELETE of a card. */
#include "server/dav/dav_work.h"

enum step dav_delete(struct req *r)
{
	return reply_error_status(r, ERROR_INVALID_REQUEST, 501, "Cards cannot be deleted yet");
}
