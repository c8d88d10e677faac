/* Texts that several routes of the table have in common. */
#ifndef KITH_SERVER_ROUTES_ABOUT_H
#define KITH_SERVER_ROUTES_ABOUT_H

#define ABOUT_BATCH_CREATE(many, single)                                                                               \
	"Creates many " many " in one request, each by the rules of `" single "`. The way to bring in many."
#define ABOUT_BATCH_UPDATE(many, single)                                                                               \
	"Changes many " many " in one request: of each the members that its record gives, by the rules of `" single    \
	"`. Several records of one id are merged in their order."
#define ABOUT_BATCH_UPSERT(one)                                                                                        \
	"Looks each record up by its values of the field `match`. What matches nothing is created; what matches "      \
	"one " one                                                                                                     \
	" updates it, adds to lists and removes nothing; what matches several fails with `AMBIGUOUS_MATCH`. "          \
	"Concurrent upserts of one value make one " one "."
#define ABOUT_SEARCH(related, example)                                                                                 \
	"As the list, with the filters in the body: conditions can be nested with `and` and `or`, and may look at "    \
	"the " related " (`" example "`). Writes nothing: keys that may only read can search, too."
#define ABOUT_AGGREGATE(many, fields)                                                                                  \
	"The number of " many ", and sums, averages, least and greatest values of their fields, by up to two fields "  \
	"such as " fields ". Takes the filters of the list. One answer tests at most 500,000 " many                    \
	" in one snapshot; if there are more, it is a part, and `pagination.nextLink` leads to the next one. "         \
	"The figures of all parts together are exact."
#define ABOUT_AGGREGATE_BODY(id)                                                                                       \
	"As `" id "`, with the filters and parameters in a body; `pagination.nextCursor`, sent as `cursor` with the "  \
	"same body, leads to the next part. Writes nothing: keys that may only read can use it, too."
#define ABOUT_MERGE(one, moved)                                                                                        \
	"Makes one " one " of two, under the id in the path: lists are joined, unset values filled, and " moved        \
	"notes, tasks, reminders, interactions and references of the other one moved here. The other one is deleted, " \
	"and its id answers 404 with `details.mergedInto`. Refused with 422 when a list or the number of references "  \
	"would exceed its limit."
#define ABOUT_UPDATE                                                                                                   \
	"Changes the members that are given and leaves the others; a list that is given replaces the whole old list. "

/* These texts end descriptions. */
#define ABOUT_GROUP_ADMINS " Only for admins of the group and of the workspace."
#define ABOUT_ADMINS " Only for admins of the workspace."
#define ABOUT_HOOK_OWNERS " Only for the webhook's creator and admins of the workspace."
#define ABOUT_HOOK_ACTIVE ABOUT_HOOK_OWNERS " An inactive webhook is a 422."

#endif
