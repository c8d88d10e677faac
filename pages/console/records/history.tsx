/* The history of a record, the newest first: its events in words. */
import {get} from '../api';
import {Empty, Failed, Loading} from '../parts/table';
import {Time} from '../parts/text';
import {t} from '../texts/text';
import {useLoad} from '../use';
import {type Actor, ActorText} from './actor';
import {type Field, type RecordData, type Ref, nameOf} from './fields';
import {loadGroups, loadUsers} from './kinds';

interface Change {
	path: (string | number)[];
	type: string;
	value?: unknown;
	previous?: unknown;
}

interface Event {
	id: string;
	type: string;
	createdAt: string;
	actor: Actor | null;
	data: {changes?: Change[]; details?: Record<string, unknown>};
}

const PAGES_MAX = 10;

const words: Record<string, string> = {
	created: t('created'),
	updated: t('changed'),
	deleted: t('deleted'),
	groups_updated: t('groupsChanged'),
	workspace_interaction_metadata_updated: t('interactionsCounted'),
};

const titleOf = ({type}: Event) => words[type.slice(type.lastIndexOf('.') + 1)] ?? type;

type Names = Map<string, string>;

/* Values have any form; events name records only by their ids. */
function valueText(value: unknown, names: Names): string {
	if (value === null || value === undefined) return t('nothing');
	if (Array.isArray(value)) return value.map((v) => valueText(v, names)).join(', ') || t('nothing');
	if (typeof value !== 'object') return String(value);
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
			{change.previous !== undefined && change.previous !== null && <><bdi class="lines">{valueText(change.previous, names)}</bdi>{' '}</>}
			{verbs[change.type] ?? change.type}{' '}
			{'value' in change && <bdi class="lines">{valueText(change.value, names)}</bdi>}
		</li>
	);
}

async function loadHistory(id: string, signal: AbortSignal): Promise<{events: Event[]; more: boolean}> {
	const events: Event[] = [];
	let after: string | null = '';

	for (let i = 0; after !== null && i < PAGES_MAX; i++) {
		const path: string = `/v1/events?record=${encodeURIComponent(id)}&sort=-createdAt&limit=100${after && `&after=${encodeURIComponent(after)}`}`;
		const {data} = await get<{items: Event[]; pagination: {nextLink?: string}}>(path, signal);
		events.push(...data.items);
		after = data.pagination.nextLink ? new URL(data.pagination.nextLink).searchParams.get('after') : null;
	}
	return {events, more: after !== null};
}

/* The names of records that it refers to, and of groups and users. */
async function loadNames(record: RecordData): Promise<Names> {
	const near = [record.companies, record.people].flatMap((refs) => (refs ?? []) as Ref[]);
	const all: Ref[] = [...near, ...(await loadGroups()), ...(await loadUsers())];
	return new Map(all.map((ref) => [ref.id, nameOf(ref)]));
}

export function History({record, fields}: {record: RecordData; fields: Field[]}) {
	const deps = [record.id, record.updatedAt];
	const {data, error, again} = useLoad((signal) => loadHistory(record.id, signal), deps);
	const names = useLoad(() => loadNames(record), deps).data ?? new Map<string, string>();

	if (error) return <Failed error={error} again={again} />;
	if (!data) return <Loading what={t('loadingHistory')} />;
	if (!data.events.length) return <Empty><p>{t('noHistory')}</p></Empty>;
	return (
		<>
			{data.more && <p class="quiet">{t('onlyNewest', {n: data.events.length})}</p>}
			<ol class="entries">
				{data.events.map((e) => (
					<li key={e.id}>
						<p class="row between">
							<strong>{titleOf(e)}</strong> <Time at={e.createdAt} />
						</p>
						{e.actor && <p><ActorText actor={e.actor} /></p>}
						{!!e.data.changes?.length && (
							<ul class="changes">
								{e.data.changes.map((c, i) => <ChangeText key={i} change={c} fields={fields} names={names} />)}
							</ul>
						)}
					</li>
				))}
			</ol>
			<p><button type="button" onClick={again}>{t('lookAgain')}</button></p>
		</>
	);
}
