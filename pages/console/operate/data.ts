/* Types of the API: webhooks, their deliveries, and keys. */
import {get, listAll, nextOf, type Page, type User} from '../api';
import {t} from '../texts/text';

export interface Filter {
	groupId?: string;
	objectType?: string;
	path?: string[];
	value?: unknown;
}

export interface Subscription {
	eventType: string;
	filter?: Filter;
}

export interface Webhook {
	id: string;
	name: string;
	targetUrl: string;
	subscribedEvents: Subscription[];
	redactedSigningSecret: string;
	/* Only in the answers that show it once. */
	signingSecret?: string;
	status: 'active' | 'inactive';
	createdAt: string;
	createdBy: User;
}

/* Only of webhooks that the caller may change. */
export interface Health {
	id: string;
	state: 'active' | 'failing' | 'inactive';
	failingSince: string | null;
	lagSeconds: number;
	pending: number;
	lastDeliveredAt: string | null;
	lastFailedAt: string | null;
	lastError: string | null;
}

export interface Attempt {
	at: string;
	durationMs: number;
	statusCode: number | null;
	error: string | null;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'cancelled';

export interface Delivery {
	id: string;
	eventId: string;
	eventType: string;
	state: DeliveryState;
	createdAt: string;
	nextAttemptAt: string | null;
	attempts: Attempt[];
	/* Only of a delivery that was read by its id. */
	body?: string | null;
	webhookTimestamp?: string | null;
	webhookSignature?: string | null;
}

export interface Key {
	id: string;
	kind: 'key' | 'session' | 'grant' | 'contacts' | 'calendar';
	/* Of the browser that a session was made for. */
	address: string | null;
	userAgent: string | null;
	name: string;
	user: User;
	role: string;
	readOnly: boolean;
	scopes: string[];
	/* The only groups that the key may see; null: all that its user may see. */
	groups: {id: string; name: string}[] | null;
	last4: string;
	key?: string;
	/* The address of a calendar, which has the key in it. */
	url?: string | null;
	createdAt: string;
	expiresAt: string | null;
	lastUsedAt: string | null;
	/* When another key replaced it. */
	rotatedAt: string | null;
}

export const scopes: Record<string, string> = {
	read: t('scopeRead'),
	write: t('scopeWrite'),
	delete: t('scopeDelete'),
	admin: t('scopeAdmin'),
};

/* The kinds of events that a webhook may subscribe to, and what each can be filtered by. */
export const eventTypes: Record<string, {group?: boolean; type?: boolean; entity?: 'person' | 'company' | 'object'}> = {
	'person.created': {group: true},
	'person.updated': {group: true, entity: 'person'},
	'person.deleted': {group: true},
	'person.groups_updated': {group: true},
	'person.workspace_interaction_metadata_updated': {group: true},
	'company.created': {group: true},
	'company.updated': {group: true, entity: 'company'},
	'company.deleted': {group: true},
	'company.groups_updated': {group: true},
	'object.created': {group: true, type: true},
	'object.updated': {group: true, type: true, entity: 'object'},
	'object.deleted': {group: true, type: true},
	'note.created': {},
	'note.updated': {},
	'note.deleted': {},
	'reminder.created': {},
	'reminder.updated': {},
	'reminder.deleted': {},
	'reminder.triggered': {},
	'task.created': {},
	'task.updated': {},
	'task.completed': {},
	'task.deleted': {},
	'interaction.created': {},
	'interaction.updated': {},
	'interaction.deleted': {},
	'user.created': {},
	'user.updated': {},
	'user.disabled': {},
	'user.enabled': {},
	'user.invited': {},
	'user.password_changed': {},
	'user.sign_in_failed': {},
	'webhook.deactivated': {},
};

export const pathOf = (webhook: string, ...more: string[]) =>
	['/v1/webhooks', ...[webhook, ...more].map(encodeURIComponent)].join('/');

export async function loadHealth(signal?: AbortSignal): Promise<Map<string, Health>> {
	return new Map((await listAll<Health>('/v1/webhooks/health', 1000, signal)).map((h) => [h.id, h]));
}

/* A page of deliveries, the newest first. */
export async function loadDeliveries(webhook: string, state: string, cursor: string, limit: number, signal: AbortSignal) {
	const query = new URLSearchParams({sort: '-createdAt', limit: String(limit)});

	if (state) query.set('state', state);
	if (cursor) query.set('cursor', cursor);
	const page = (await get<Page<Delivery>>(`${pathOf(webhook, 'deliveries')}?${query}`, signal)).data;
	return {items: page.items, next: nextOf(page)};
}

const errorWords: Record<string, string> = {
	timeout: t('errTimeout'),
	connection: t('errConnection'),
	tls: t('errTls'),
	not_allowed: t('errNotAllowed'),
	http_error: t('errHttp'),
};

/* The result of an attempt, in words. */
export function attemptText({statusCode, error}: Pick<Attempt, 'statusCode' | 'error'>): string {
	if (!error) return statusCode ? t('statusArrived', {status: statusCode}) : t('arrived');
	return `${statusCode ? `${statusCode}, ` : ''}${error}${errorWords[error] ? `: ${errorWords[error]}` : ''}`;
}

export const errorText = (word: string) => (errorWords[word] ? `${word}: ${errorWords[word]}` : word);
