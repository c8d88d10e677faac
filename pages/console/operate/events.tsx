/* The events as they happen. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {session} from '../api';
import {SelectField} from '../parts/field';
import {Empty} from '../parts/table';
import {routeOfId} from '../records/kinds';
import {hrefOf} from '../route';
import {dateFormat, t} from '../texts/text';
import {useTitle} from '../use';
import {Badge, Code} from './bits';
import {eventTypes} from './data';
import {follow, type Change, type LiveEvent, type LiveState} from './stream';

const KEPT_MAX = 500;

/* Kept while another section is shown, so that the stream continues from the cursor. */
const kept = {user: '', cursor: '', events: [] as LiveEvent[], gap: false};

/* The page of the record that the event is about, or of the record to which that one belongs. */
function routeOf({type, data}: LiveEvent): string[] | null {
	const object = /\/v1\/groups\/([^/]+)\/([^/]+)\/(obj_[^/]+)$/.exec(data.url ?? '');

	if (type.endsWith('.deleted')) return null;
	if (data.id.startsWith('wbk_')) return ['webhooks', data.id];
	if (object) return ['objects', ...object.slice(1).map(decodeURIComponent)];
	return routeOfId(data.id) ?? routeOfId(String(data.details?.entity?.id ?? ''));
}

function changeText({path, type, value}: Change): string {
	const name = path[path.length - 1];
	const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
	return `${name} ${type}${text ? ` ${text.length > 80 ? `${text.slice(0, 80)}…` : text}` : ''}`;
}

const clock = dateFormat({timeStyle: 'medium'});

function EventRow({event}: {event: LiveEvent}) {
	const route = routeOf(event);
	const changes = event.data.changes ?? [];
	const at = new Date(event.createdAt);
	const [open, setOpen] = useState(false); /* there may be hundreds of rows */

	return (
		<li class="event">
			<div class="row">
				<time dateTime={event.createdAt} title={event.createdAt}>
					{Number.isNaN(at.getTime()) ? event.createdAt : clock.format(at)}
				</time>
				<strong>
					<bdi>{event.type}</bdi>
				</strong>
				{route ? (
					<a href={hrefOf(route)} aria-label={t('openRecordOf', {type: event.type})}>
						{t('openRecord')}
					</a>
				) : (
					<code>{event.data.id}</code>
				)}
			</div>
			{changes.length > 0 && (
				<p class="quiet">
					<bdi>{changes.slice(0, 4).map(changeText).join(' · ')}</bdi>
					{changes.length > 4 && t('andMore', {n: changes.length - 4})}
				</p>
			)}
			<details onToggle={(e) => setOpen(e.currentTarget.open)}>
				<summary>{t('data')}</summary>
				{open && <Code label={t('dataOf', {type: event.type})} text={JSON.stringify(event, null, 2)} />}
			</details>
		</li>
	);
}

const filters = [...new Set(Object.keys(eventTypes).map((t) => `${t.split('.')[0]}.`))];
const options = [
	{value: '', label: t('all')},
	...filters.map((value) => ({value, label: `${value}*`})),
	...Object.keys(eventTypes).map((value) => ({value, label: value})),
];

const words: Record<LiveState, [string, 'good' | 'warn' | 'bad']> = {
	connecting: [t('connecting'), 'warn'],
	live: [t('live'), 'good'],
	lost: [t('lostTrying'), 'bad'],
};

function useLive(paused: boolean) {
	const [state, setState] = useState<LiveState>('connecting');
	const [shown, setShown] = useState<LiveEvent[]>(kept.events);
	const hold = useRef(paused);
	const user = session.user?.id ?? '';

	hold.current = paused;
	useEffect(() => {
		const stop = new AbortController();
		if (kept.user !== user) Object.assign(kept, {user, cursor: '', events: [], gap: false});
		setShown(kept.events);
		void follow(
			kept.cursor,
			{
				onState: setState,
				onGap: () => {
					kept.gap = true;
				},
				onEvents: (events, cursor) => {
					const known = new Set(kept.events.map((e) => e.id));
					kept.events = [...events.filter((e) => !known.has(e.id)).reverse(), ...kept.events].slice(0, KEPT_MAX);
					kept.cursor = cursor;
					if (!hold.current) setShown(kept.events);
				},
			},
			stop.signal,
		);
		return () => stop.abort();
	}, [user]);
	useEffect(() => {
		if (!paused) setShown(kept.events);
	}, [paused]);
	return {state, shown, clear: () => setShown((kept.events = []))};
}

export function Events() {
	const [paused, setPaused] = useState(false);
	const [type, setType] = useState('');
	const {state, shown, clear} = useLive(paused);
	const rows = shown.filter((e) => !type || (type.endsWith('.') ? e.type.startsWith(type) : e.type === type));
	const [word, tone] = words[state];

	useTitle(t('events'));
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('events')}</h1>
				<span role="status">
					<Badge tone={paused ? 'quiet' : tone}>{paused ? t('paused') : word}</Badge>
				</span>
			</div>
			<div class="toolbar">
				<SelectField label={t('kind')} value={type} onChange={setType} options={options} />
				<button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
					{paused ? t('goOn') : t('pause')}
				</button>
				<button type="button" disabled={!shown.length} onClick={clear}>
					{t('clear')}
				</button>
			</div>
			{kept.gap && <p class="error">{t('eventsMissed')}</p>}
			{!rows.length && (
				<Empty>
					<p>{shown.length ? t('noneOfKind') : t('nothingHappened')}</p>
				</Empty>
			)}
			<ol class="events" aria-label={t('eventsNewest')}>
				{rows.map((e) => (
					<EventRow key={e.id} event={e} />
				))}
			</ol>
		</>
	);
}
