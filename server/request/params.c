/* The table of query parameters. */
#include "server/request/params.h"

#include "webhook/actor.h"

static const char *const sorts[] = {"createdAt", "-createdAt", "updatedAt", "-updatedAt", NULL};
static const char *const combinators[] = {"and", "or", NULL};
static const char *const counts[] = {"exact", "estimated", NULL};
static const char *const truths[] = {"true", "false", NULL};
static const char *const delivery_orders[] = {"createdAt", "-createdAt", NULL};
static const char *const event_orders[] = {"-createdAt", NULL};
static const char *const delivery_states[] = {"pending", "delivered", "failed", "cancelled", NULL};

static const char *const view_kinds[] = {"people", "companies", "tasks", "objects", NULL};

/* --- pages ---------------------------------------------------------------------------- */

static const struct param limit = {.name = "limit",
    .type = PARAM_INTEGER,
    .min = 1,
    .max = 100,
    .absent = "20",
    .about = "The largest number of records on a page. A page may have fewer and still not be the last one."};
static const struct param cursor = {.name = "cursor",
    .type = PARAM_CURSOR,
    .max = 512,
    .about = "Where the page begins: from the pagination of the previous page of the same list, with the same filters "
             "and order."};
static const struct param sort = {.name = "sort",
    .type = PARAM_CHOICE,
    .choices = sorts,
    .shapes = true,
    .absent = "createdAt",
    .about = "The order of the list; with a minus sign the latest comes first."};
static const struct param count = {.name = "count",
    .type = PARAM_CHOICE,
    .choices = counts,
    .about = "Adds the number of all matching records to the pagination: counted, or estimated where counting would "
             "take long."};
static const struct param combinator = {.name = "combinator",
    .type = PARAM_CHOICE,
    .choices = combinators,
    .shapes = true,
    .absent = "and",
    .about = "Whether all filters must match, or only one of them."};

static const struct param search = {.name = "search",
    .type = PARAM_TEXT,
    .min = 1,
    .max = 200,
    .shapes = true,
    .about =
        "Only records that have each of these words, in any order: in names, job title, e-mail addresses, telephone "
        "numbers, URLs, or the names of related records. Accents and case do not matter. At most 8 words."};

static const struct param search_text = {.name = "q",
    .type = PARAM_TEXT,
    .min = 1,
    .max = 200,
    .required = true,
    .about = "What to look for: at most 8 words; each must be found, in any order and in any field. Accents and "
             "case do not matter. Quotation marks keep words together."};
static const struct param search_kinds = {.name = "kinds",
    .type = PARAM_TEXT,
    .min = 1,
    .max = 100,
    .about = "Only records of these kinds: `people`, `companies`, `objects`, `notes`, `tasks`, separated by commas."};
static const struct param search_limit = {.name = "limit",
    .type = PARAM_INTEGER,
    .min = 1,
    .max = 50,
    .absent = "20",
    .about = "The largest number of records in the answer."};

const struct param *const params_search[] = {&search_text, &search_kinds, &search_limit, NULL};
const struct param *const params_paged[] = {&limit, &cursor, NULL};
const struct param *const params_listed[] = {&limit, &cursor, &sort, &count, &combinator, &search, NULL};

/* --- notes, tasks, reminders, interactions ---------------------------------------------- */

static const struct param entity = {.name = "entity.id",
    .type = PARAM_ID,
    .filters = true,
    .shapes = true,
    .about = "Only what belongs to this person, company or object. May also be written `entity[id]` or "
             "`filter[entity.id][eq]`."};
static const struct param entity_needed = {.name = "entity.id",
    .type = PARAM_ID,
    .required = true,
    .filters = true,
    .shapes = true,
    .about = "The person or company. May also be written `entity[id]` or `filter[entity.id][eq]`."};
static const struct param query = {.name = "query",
    .type = PARAM_TEXT,
    .max = 1000,
    .shapes = true,
    .about = "Only notes with all of these words, whole and in any case."};
static const struct param created_after = {.name = "createdAfter",
    .type = PARAM_TIME,
    .shapes = true,
    .about = "Only what was created after this time; a date is its midnight in UTC."};
static const struct param created_before = {.name = "createdBefore",
    .type = PARAM_TIME,
    .shapes = true,
    .about = "Only what was created before this time; a date is its midnight in UTC."};
static const struct param mine = {.name = "onlyAssignedToMe",
    .type = PARAM_CHOICE,
    .choices = truths,
    .shapes = true,
    .absent = "false",
    .about = "Only tasks that are assigned to the key's user."};
static const struct param from = {.name = "from",
    .type = PARAM_TIME,
    .shapes = true,
    .about = "Only interactions at this time or later; a date is its midnight in UTC."};
static const struct param to = {.name = "to",
    .type = PARAM_TIME,
    .shapes = true,
    .about = "Only interactions before this time; a date is its midnight in UTC."};
static const struct param user = {
    .name = "userId", .type = PARAM_ID, .shapes = true, .about = "Only interactions of this user."};

const struct param *const params_notes[] = {&limit, &cursor, &entity, &query, &created_after, &created_before, NULL};
const struct param *const params_tasks[] = {&limit, &cursor, &sort, &count, &combinator, &search, &mine, NULL};
const struct param *const params_reminders[] = {&limit, &cursor, &entity, NULL};
const struct param *const params_interactions[] = {&limit, &cursor, &entity, &from, &to, &user, NULL};
const struct param *const params_entity[] = {&entity, NULL};
const struct param *const params_of_entity[] = {&cursor, &entity_needed, NULL};

/* --- calendars ------------------------------------------------------------------------- */

static const struct param include = {.name = "include", .type = PARAM_NAMES, .min = 1, .max = 100};
static const struct param birthday_groups = {.name = "group", .type = PARAM_NAMES, .min = 1, .max = 5000};

const struct param *const params_calendar[] = {&include, &birthday_groups, NULL};

/* --- aggregates ------------------------------------------------------------------------- */

static const struct param group_by = {.name = "groupBy",
    .type = PARAM_NAMES,
    .min = 1,
    .max = 2000,
    .shapes = true,
    .about = "Up to two fields whose values make the groups, as in filters: `gender`, `customFieldValues.Stage`. Dates "
             "and times take a bucket: `createdAt:month` (`day`, `week`, `month`, `quarter`, `year`). Several are "
             "separated by commas, or the parameter is repeated."};
static const struct param measures = {.name = "measures",
    .type = PARAM_NAMES,
    .min = 1,
    .max = 5000,
    .shapes = true,
    .about =
        "Up to eight of `sum:F`, `avg:F`, `min:F` and `max:F`, where F is a number, or for `min` and `max` a date or "
        "a time. The count is always there."};
static const struct param aggregate_sort = {.name = "sort",
    .type = PARAM_TEXT,
    .min = 1,
    .max = 1000,
    .absent = "key",
    .about = "The order of the groups: `key` (options in their order, dates and numbers upward, the rest by name), "
             "`-count`, or `-sum:F` for a measure `sum:F`. Answers in parts are by `key`."};
static const struct param aggregate_limit = {.name = "limit",
    .type = PARAM_INTEGER,
    .min = 1,
    .max = 1000,
    .absent = "100",
    .about = "The largest number of groups; what is left over is one item with `other`. Answers in parts have all "
             "groups."};
static const struct param time_zone = {.name = "timeZone",
    .type = PARAM_TEXT,
    .min = 1,
    .max = 100,
    .shapes = true,
    .absent = "UTC",
    .about = "The IANA name of the time zone in which the buckets of times begin."};

const struct param *const params_aggregate[] = {
    &group_by, &measures, &aggregate_sort, &aggregate_limit, &time_zone, &cursor, &combinator, &search, NULL};
const struct param *const params_aggregate_tasks[] = {
    &group_by, &measures, &aggregate_sort, &aggregate_limit, &time_zone, &cursor, &combinator, &search, &mine, NULL};
/* --- views ------------------------------------------------------------------------------- */

static const struct param view_kind = {
    .name = "kind", .type = PARAM_CHOICE, .choices = view_kinds, .shapes = true, .about = "Only views of this kind."};
static const struct param view_group = {
    .name = "groupId", .type = PARAM_ID, .shapes = true, .about = "Only views of objects of this group."};
static const struct param view_type = {.name = "objectType",
    .type = PARAM_TEXT,
    .max = 500,
    .shapes = true,
    .about = "Only views of objects of a type with this name."};

const struct param *const params_views[] = {&limit, &cursor, &view_kind, &view_group, &view_type, NULL};

/* --- events and deliveries ---------------------------------------------------------------- */

static const struct param after = {.name = "after",
    .type = PARAM_CURSOR,
    .max = 512,
    .about = "Where to continue: `cursor` of the previous answer, or `X-Events-Cursor` of a list. Without it the feed "
             "begins with the oldest event that is kept."};
static const struct param wait = {.name = "wait",
    .type = PARAM_INTEGER,
    .min = 0,
    .max = 30,
    .absent = "0",
    .about = "For how many seconds the request waits for an event when there is none."};
static const struct param record = {.name = "record",
    .type = PARAM_ID,
    .shapes = true,
    .about = "Only the events of this record, of any kind: its history."};
static const struct param actor = {
    .name = "actor", .type = PARAM_ID, .shapes = true, .about = "Only what this user did."};
static const struct param via = {.name = "via",
    .type = PARAM_CHOICE,
    .choices = event_via_names,
    .shapes = true,
    .about = "Only what was done in this way."};
static const struct param types = {.name = "type",
    .type = PARAM_EVENTS,
    .shapes = true,
    .about = "Only events of this type; may be given several times."};
static const struct param since = {.name = "since",
    .type = PARAM_TIME,
    .about = "Only what happened at this time or later. With the oldest first it is where the first page begins: "
             "`after` takes precedence."};
static const struct param until = {.name = "until",
    .type = PARAM_TIME,
    .shapes = true,
    .about = "Only what happened before this time. Such a request does not wait."};
static const struct param newest_first = {.name = "sort",
    .type = PARAM_CHOICE,
    .choices = event_orders,
    .about = "`-createdAt`: the newest first, in the reverse order of the commits; `nextLink` leads to older events, "
             "and `cursor` of the first page follows what comes after it. Such a request does not wait."};
static const struct param order = {.name = "sort",
    .type = PARAM_CHOICE,
    .choices = delivery_orders,
    .shapes = true,
    .absent = "createdAt",
    .about = "The order of the list; with a minus sign the latest comes first."};
static const struct param state = {.name = "state",
    .type = PARAM_CHOICE,
    .choices = delivery_states,
    .shapes = true,
    .about = "Only deliveries in this state."};

static const struct param stream_after = {.name = "after",
    .type = PARAM_CURSOR,
    .max = 512,
    .about = "Where to begin: `cursor` of a page of the feed, `X-Events-Cursor` of a list, or the `id` of an event. "
             "`Last-Event-ID` takes precedence. Without both the stream begins now."};
static const struct param stream_wait = {.name = "wait",
    .type = PARAM_INTEGER,
    .min = 0,
    .max = 30,
    .about = "After how many seconds the stream ends; without it never."};
const struct param *const params_stream[] = {&stream_after, &stream_wait, &record, NULL};

const struct param *const params_events[] = {
    &after, &limit, &wait, &record, &actor, &via, &types, &since, &until, &newest_first, NULL};
const struct param *const params_deliveries[] = {&limit, &cursor, &order, &state, NULL};

/* --- writes --------------------------------------------------------------------------------- */

static const struct param force = {.name = "force",
    .type = PARAM_CHOICE,
    .choices = truths,
    .absent = "false",
    .about = "Deletes the type even if it has objects, which are deleted with it."};
const struct param route_dry_run = {.name = "dryRun",
    .type = PARAM_CHOICE,
    .choices = truths,
    .absent = "false",
    .about = "`true`: the request runs and gets its usual answer, with `X-Dry-Run: true`, and everything is rolled "
             "back. An `Idempotency-Key` is then ignored."};

static const struct param unused = {.name = "unused",
    .type = PARAM_CHOICE,
    .choices = truths,
    .absent = "false",
    .about = "`true`: the record is only deleted if it has no notes, tasks, reminders and interactions, and no other "
             "record refers to it. Otherwise it is a 412. In a batch this applies to each record."};

const struct param *const params_forced[] = {&force, NULL};
const struct param *const params_unused[] = {&unused, NULL};
