/* Events of records in words: what changed, from what to what. */
import {type Page, get} from '../api';
import {t} from '../texts/text';
import type {Actor} from './actor';
import {type Field, type RecordData, type Ref, nameOf} from './fields';
import {loadGroups, loadUsers} from './kinds';

export interface Change {
	path: (string | number)[];
	type: string;
	value?: unknown;
	previous?: unknown;
}

interface Details {
	/* The record that a note or the like belongs to. */
	entity?: {id: string};
	/* Of a deleted record, and the one that it was merged into. */
	name?: string;
	mergedInto?: string;
	/* From where somebody tried to sign in. */
	address?: string;
}

export interface RecordEvent {
	id: string;
	type: string;
	createdAt: string;
	actor: Actor | null;
	data: {id: string; url?: string; changes?: Change[]; details?: Details};
}

/* Left out of the history: each interaction that is counted has an event of its own. */
const COUNTED = 'workspace_interaction_metadata_updated';

/* The second part of an event's type. */
export const verbOf = ({type}: RecordEvent) => type.slice(type.lastIndexOf('.') + 1);
export const isNews = (event: RecordEvent) => verbOf(event) !== COUNTED;

const words: Record<string, string> = {
	created: t('created'),
	updated: t('changed'),
	deleted: t('deleted'),
	groups_updated: t('groupsChanged'),
	[COUNTED]: t('interactionsCounted'),
};

export const eventTitle = (event: RecordEvent) => words[verbOf(event)] ?? event.type;

/* Names by the ids of records. */
export type Names = ReadonlyMap<string, string>;

/* Values have any form; events name records only by their ids. */
function valueText(value: unknown, names: Names): string {
	if (value === null || value === undefined || value === '') return t('nothing');
	if (Array.isArray(value)) return value.map((v) => valueText(v, names)).join(', ') || t('nothing');
	if (typeof value !== 'object') return names.get(String(value)) ?? String(value);
	const {fullName, name, id} = value as Record<string, unknown>;
	return String(fullName ?? name ?? names.get(String(id)) ?? id ?? JSON.stringify(value));
}

const verbs: Record<string, string> = {set: '→', added: '+', add: '+', removed: '−', remove: '−', unset: '→'};

function ChangeText({change, fields, names}: {change: Change; fields: Field[]; names: Names}) {
	const last = String(change.path[change.path.length - 1] ?? '');
	const field = fields.find((f) => f.name === last || f.name === String(change.path[0]));
	const label = field?.label ?? last;
	return (
		<li>
			<strong><bdi>{label}</bdi></strong>{' '}
			{change.previous !== undefined && <><bdi class="lines">{valueText(change.previous, names)}</bdi>{' '}</>}
			{verbs[change.type] ?? change.type}{' '}
			{'value' in change && <bdi class="lines">{valueText(change.value, names)}</bdi>}
		</li>
	);
}

export function Changes({event, fields, names}: {event: RecordEvent; fields: Field[]; names: Names}) {
	if (!event.data.changes?.length) return null;
	return (
		<ul class="changes">
			{event.data.changes.map((c, i) => <ChangeText key={i} change={c} fields={fields} names={names} />)}
		</ul>
	);
}

/* The names of groups, users, and the records that this one refers to. */
export async function loadNames(record?: RecordData): Promise<Names> {
	const near = [record?.companies, record?.people].flatMap((refs) => (refs ?? []) as Ref[]);
	const all: Ref[] = [...near, ...(await loadGroups()), ...(await loadUsers())];
	return new Map(all.map((ref) => [ref.id, nameOf(ref)]));
}

/* A page of events, the newest first. query: its filters; after: null for the first page. */
export async function loadEvents(query: Record<string, string> | [string, string][], after: string | null, limit: number, signal: AbortSignal) {
	const params = new URLSearchParams(query);

	params.set('sort', '-createdAt');
	params.set('limit', String(limit));
	if (after) params.set('after', after);
	const {items, pagination} = (await get<Page<RecordEvent>>(`/v1/events?${params}`, signal)).data;
	return {events: items, next: pagination.nextLink ? new URL(pagination.nextLink, location.href).searchParams.get('after') : null};
}
