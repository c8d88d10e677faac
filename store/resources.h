/* The resources of the API and the numbers of their fields. Each table is in store/<resource>.c. */
#ifndef KITH_STORE_RESOURCES_H
#define KITH_STORE_RESOURCES_H

#include "store/field.h"

/* The first field of every resource is its id. */
enum person_field {
	PERSON_ID,
	PERSON_FIRST_NAME,
	PERSON_LAST_NAME,
	PERSON_FULL_NAME,
	PERSON_FULL_NAME_GIVEN,
	PERSON_DESCRIPTION,
	PERSON_BIRTHDAY,
	PERSON_GENDER,
	PERSON_JOB_TITLE,
	PERSON_CREATED_AT,
	PERSON_CREATED_BY,
	PERSON_UPDATED_AT,
	PERSON_GROUPS,
	PERSON_COMPANIES,
	PERSON_ADDRESSES,
	PERSON_EMAILS,
	PERSON_PHONES,
	PERSON_URLS,
	PERSON_CUSTOM,
	PERSON_METADATA,
	PERSON_CONNECTION,
	PERSON_FIELDS
};

enum company_field {
	COMPANY_ID,
	COMPANY_NAME,
	COMPANY_DESCRIPTION,
	COMPANY_INDUSTRY,
	COMPANY_FUNDING_RAISED,
	COMPANY_LAST_FUNDING_DATE,
	COMPANY_FOUNDATION_YEAR,
	COMPANY_EMPLOYEE_RANGE,
	COMPANY_GROUPS,
	COMPANY_ADDRESSES,
	COMPANY_EMAILS,
	COMPANY_PHONES,
	COMPANY_URLS,
	COMPANY_CREATED_AT,
	COMPANY_CREATED_BY,
	COMPANY_UPDATED_AT,
	COMPANY_CUSTOM,
	COMPANY_FIELDS
};

/* Another person or company that may be the same, and the body of a merge. */
enum duplicate_field { DUPLICATE_ID, DUPLICATE_NAME, DUPLICATE_REASONS, DUPLICATE_FIELDS };
enum merge_field { MERGE_ID, MERGE_FIELDS };

enum object_field {
	OBJECT_ID,
	OBJECT_GROUP,
	OBJECT_TYPE,
	OBJECT_NAME,
	OBJECT_COMPANIES,
	OBJECT_PEOPLE,
	OBJECT_CREATED_AT,
	OBJECT_CREATED_BY,
	OBJECT_UPDATED_AT,
	OBJECT_CUSTOM,
	OBJECT_FIELDS
};

/* An object type has its id only internally. */
enum object_type_field { TYPE_NAME, TYPE_CREATED_AT, TYPE_FIELDS };

enum custom_field_field {
	CF_NAME,
	CF_TYPE,
	CF_OPTIONS,
	CF_CONFIG,
	CF_ADD_OPTIONS,
	CF_UPDATE_OPTIONS,
	CF_REMOVE_OPTIONS,
	CF_OPTION_ORDER,
	CF_FIELDS
};

enum group_field { GROUP_ID, GROUP_NAME, GROUP_VISIBILITY, GROUP_CREATED_AT, GROUP_CREATED_BY, GROUP_FIELDS };

/* A member of a group: the id is the user's. */
enum member_field { MEMBER_ID, MEMBER_FULL_NAME, MEMBER_EMAIL, MEMBER_ROLE, MEMBER_FIELDS };

enum user_field { USER_ID, USER_FULL_NAME, USER_EMAIL, USER_FIELDS };

enum note_field {
	NOTE_ID,
	NOTE_ENTITY,
	NOTE_CONTENT,
	NOTE_WORDS,
	NOTE_VISIBILITY,
	NOTE_AUTHOR,
	NOTE_CREATED_AT,
	NOTE_CREATED_BY,
	NOTE_UPDATED_AT,
	NOTE_PARENT,
	NOTE_PARENT_SEEN_BY,
	NOTE_FIELDS
};

enum task_field {
	TASK_ID,
	TASK_TITLE,
	TASK_DESCRIPTION,
	TASK_ENTITY,
	TASK_DUE_AT,
	TASK_DUE_TIME,
	TASK_COMPLETED_AT,
	TASK_FREQUENCY,
	TASK_CONTINUED,
	TASK_IS_PUBLIC,
	TASK_ASSIGNED,
	TASK_CREATED_BY,
	TASK_CREATED_AT,
	TASK_UPDATED_AT,
	TASK_FIELDS
};

/* The bodies of mark-as-done and mark-as-todo. */
enum completion_field { COMPLETION_COMPLETED_AT, COMPLETION_FIELDS };

enum reminder_field {
	REMINDER_ID,
	REMINDER_NAME,
	REMINDER_ENTITY,
	REMINDER_RULE,
	REMINDER_VISIBILITY,
	REMINDER_ASSIGNED,
	REMINDER_NEXT,
	REMINDER_LAST,
	REMINDER_CREATED_BY,
	REMINDER_CREATED_AT,
	REMINDER_UPDATED_AT,
	REMINDER_FIELDS
};

enum interaction_field {
	INTERACTION_ID,
	INTERACTION_INTERACTION_TYPE,
	INTERACTION_FROM,
	INTERACTION_TO,
	INTERACTION_TITLE,
	INTERACTION_CONTENT,
	INTERACTION_ENTITY,
	INTERACTION_DATE_TIME,
	INTERACTION_PRIVACY_LEVEL,
	INTERACTION_TYPE,
	INTERACTION_ACTIVITY_TYPE,
	INTERACTION_COUNTED,
	INTERACTION_CREATED_AT, /* only in the id, not a column */
	INTERACTION_CREATED_BY,
	INTERACTION_FIELDS
};

enum webhook_field {
	WEBHOOK_ID,
	WEBHOOK_NAME,
	WEBHOOK_TARGET_URL,
	WEBHOOK_EVENTS,
	WEBHOOK_REDACTED,
	WEBHOOK_SIGNING,
	WEBHOOK_STATUS,
	WEBHOOK_CREATED_AT,
	WEBHOOK_CREATED_BY,
	WEBHOOK_GROUPS, /* of the key that created it; none: unlimited */
	WEBHOOK_UPDATED_AT,
	WEBHOOK_VERSION,
	WEBHOOK_SECRET,
	WEBHOOK_FORMER,
	WEBHOOK_FORMER_UNTIL,
	WEBHOOK_FAILING_SINCE,
	WEBHOOK_FIELDS
};

enum delivery_field {
	DELIVERY_ID,
	DELIVERY_EVENT_ID,
	DELIVERY_EVENT_TYPE,
	DELIVERY_STATE,
	DELIVERY_CREATED_AT,
	DELIVERY_NEXT,
	DELIVERY_ATTEMPTS,
	DELIVERY_BODY,
	DELIVERY_TIMESTAMP,
	DELIVERY_SIGNATURE,
	DELIVERY_FIELDS
};

enum health_field {
	HEALTH_ID,
	HEALTH_STATE,
	HEALTH_FAILING_SINCE,
	HEALTH_LAG,
	HEALTH_PENDING,
	HEALTH_DELIVERED_AT,
	HEALTH_FAILED_AT,
	HEALTH_ERROR,
	HEALTH_STATUS,
	HEALTH_FIELDS
};

/* A key has the rights of its user, restricted to its scopes and groups. */
enum api_key_field {
	API_KEY_ID,
	API_KEY_NAME,
	API_KEY_KIND,
	API_KEY_USER,
	API_KEY_ROLE,
	API_KEY_READ_ONLY,
	API_KEY_SCOPES,
	API_KEY_GROUPS,
	API_KEY_LAST4,
	API_KEY_TEXT,
	API_KEY_URL,
	API_KEY_CREATED_AT,
	API_KEY_EXPIRES_AT,
	API_KEY_LAST_USED_AT,
	API_KEY_ROTATED_AT,
	API_KEY_ADDRESS,
	API_KEY_USER_AGENT,
	API_KEY_HASH,
	API_KEY_PARENT,
	API_KEY_REPLACES,
	API_KEY_FIELDS
};

/* The body of a rotation. */
enum key_rotation_field { KEY_ROTATION_EXPIRES_AT, KEY_ROTATION_FORMER, KEY_ROTATION_FIELDS };

/* The body of recover, and its answer. */
enum recover_field { RECOVER_SINCE, RECOVER_FIELDS };
enum recovery_field { RECOVERY_COUNT, RECOVERY_ESTIMATED, RECOVERY_FIELDS };

/* A saved list. */
enum view_field {
	VIEW_ID,
	VIEW_NAME,
	VIEW_KIND,
	VIEW_GROUP,
	VIEW_TYPE_NAME, /* of VIEW_TYPE, from the snapshot */
	VIEW_QUERY,
	VIEW_COLUMNS,
	VIEW_BOARD,
	VIEW_CHART,
	VIEW_VISIBILITY,
	VIEW_CREATED_BY,
	VIEW_CREATED_AT,
	VIEW_UPDATED_AT,
	VIEW_TYPE,
	VIEW_GROUPS, /* all groups that the view names: users who cannot see one of them cannot see it */
	VIEW_FIELDS
};

/* What a user has allowed an application. */
enum grant_field {
	GRANT_ID,
	GRANT_NAME,
	GRANT_CLIENT,
	GRANT_HOST,
	GRANT_USER,
	GRANT_AUDIENCE,
	GRANT_SCOPES,
	GRANT_GROUPS,
	GRANT_CREATED_AT,
	GRANT_EXPIRES_AT,
	GRANT_LAST_USED_AT,
	GRANT_FIELDS
};

/* What a search over all kinds has found. */
enum search_hit_field {
	SEARCH_HIT_ID,
	SEARCH_HIT_KIND,
	SEARCH_HIT_TITLE,
	SEARCH_HIT_SUBTITLE,
	SEARCH_HIT_MATCHED,
	SEARCH_HIT_GROUP,
	SEARCH_HIT_TYPE,
	SEARCH_HIT_FIELDS
};

/* Counts of a workspace's requests. */
enum usage_field {
	USAGE_PROCESS,
	USAGE_SINCE,
	USAGE_REQUESTS,
	USAGE_REFUSED,
	USAGE_LIMITED,
	USAGE_ERRORS,
	USAGE_REPLAYED,
	USAGE_EVENTS,
	USAGE_TOOK_MS,
	USAGE_FIELDS
};

enum account_field {
	ACCOUNT_ID,
	ACCOUNT_FULL_NAME,
	ACCOUNT_EMAIL,
	ACCOUNT_ROLE,
	ACCOUNT_TIME_ZONE,
	ACCOUNT_CREATED_AT,
	ACCOUNT_UPDATED_AT,
	ACCOUNT_PASSWORD_AT,
	ACCOUNT_DISABLED_AT,
	ACCOUNT_LINK,
	ACCOUNT_FIELDS
};

/* An address book of devices. */
enum address_book_field { ADDRESS_BOOK_ID, ADDRESS_BOOK_NAME, ADDRESS_BOOK_SHOWN, ADDRESS_BOOK_FIELDS };

enum sign_in_field { SIGN_IN_EMAIL, SIGN_IN_PASSWORD, SIGN_IN_WORKSPACE, SIGN_IN_FIELDS };
enum accept_field { ACCEPT_TOKEN, ACCEPT_PASSWORD, ACCEPT_FIELDS };
enum password_change_field { PASSWORD_CHANGE_OLD, PASSWORD_CHANGE_NEW, PASSWORD_CHANGE_FIELDS };

extern const struct resource person_resource, company_resource, object_resource, object_type_resource,
    custom_field_resource, group_resource, member_resource, user_resource;
extern const struct resource person_duplicate_resource, company_duplicate_resource, person_merge_resource,
    company_merge_resource;
extern const struct resource note_resource, task_resource, completion_resource, reminder_resource, interaction_resource;
/* The same record in two forms: with the secret that is shown only once (the signing secret, the key), and without. */
extern const struct resource webhook_resource, webhook_secret_resource;
extern const struct resource api_key_resource, api_key_secret_resource, key_rotation_resource, grant_resource;
extern const struct resource delivery_resource, recover_resource, recovery_resource;
/* A delivery with the body and the headers that are posted. */
extern const struct resource delivery_request_resource;
/* A user, without and with the link of an invitation. */
extern const struct resource account_resource, account_invited_resource;
extern const struct resource sign_in_resource, accept_resource, password_change_resource;
extern const struct resource webhook_health_resource, usage_resource, search_hit_resource, view_resource;
extern const struct resource address_book_resource;

#endif
