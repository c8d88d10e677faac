/* Everything of a record in one list, the newest first: notes, tasks, interactions and changes. The API has a list of each, so
 * they are merged here. */
import {type ComponentChildren, type JSX} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {FEED_LOOKS, pauseBeforeLook} from '../api';
import {Empty, Failed, Loading} from '../parts/table';
import {t} from '../texts/text';
import {useLoad} from '../use';
import {type Names, type RecordEvent, isNews, loadEvents, loadNames} from './change';
import type {Entries} from './entries';
import {type Entry, EntryDelete, EntryItem, type EntryKind} from './entry';
import type {Field, RecordData} from './fields';
import {EventText} from './history';
import {type Interaction, InteractionText, NewInteraction, interactionKind, useInteractions} from './interactions';
import {NewNote, NoteText, noteKind, useNotes} from './notes';
import {NewTask, TaskEntry, taskKind, useTasks} from './tasks';

const AT_ONCE = 30;
const EVENTS_AT_ONCE = 100;
const NEW_MS = 3600000; /* the event of an older change is in the feed, or was deleted from it */

interface Row {
	id: string;
	at: string;
	view: () => JSX.Element;
}

/* --- the changes ------------------------------------------------------------------------------ */

interface Events {
	events: RecordEvent[] | null;
	/* The cursor of the older ones. */
	next: string | null;
	error: unknown;
	loadMore: () => void;
	/* Loads the page again that failed. */
	again: () => void;
}

function useEvents(record: RecordData): Events {
	const [pages, setPages] = useState<{events: RecordEvent[]; next: string | null} | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [asked, setAsked] = useState<string | null>(null);
	const [n, setN] = useState(0);

	/* The record is another object after each reading of it. */
	useEffect(() => setAsked(null), [record]);
	useEffect(() => {
		const stop = new AbortController();
		setError(null);
		const load = async () => {
			for (let i = 0; i < FEED_LOOKS; i++) {
				const page = await loadEvents({record: record.id}, asked, EVENTS_AT_ONCE, stop.signal);
				if (stop.signal.aborted) return;
				setPages((before) => ({events: [...(asked ? before!.events : []), ...page.events], next: page.next}));
				if (asked || (page.events[0]?.createdAt ?? '') >= record.updatedAt || Date.parse(record.updatedAt) < Date.now() - NEW_MS) return;
				await pauseBeforeLook(i);
				if (stop.signal.aborted) return;
			}
		};
		load().catch((e) => stop.signal.aborted || setError(e));
		return () => stop.abort();
	}, [record, asked, n]);
	return {events: pages?.events ?? null, next: pages?.next ?? null, error, loadMore: () => setAsked(pages?.next ?? null), again: () => setN(n + 1)};
}

/* --- writing ---------------------------------------------------------------------------------- */

const composers = [
	{id: 'note', label: t('noteField')},
	{id: 'task', label: t('taskField')},
	{id: 'interaction', label: t('callOrMeeting')},
] as const;

type Composer = (typeof composers)[number]['id'];

/* A note is written at once; another form takes one click. */
function Compose({children}: {children: (what: Composer) => ComponentChildren}) {
	const [what, setWhat] = useState<Composer>('note');
	const form = useRef<HTMLDivElement>(null);
	const pressed = useRef(false);

	useEffect(() => {
		if (pressed.current) form.current!.querySelector<HTMLElement>('form input, form textarea')?.focus();
	}, [what]);
	return (
		<div ref={form}>
			<div class="row choices" role="group" aria-label={t('add')}>
				{composers.map(({id, label}) => (
					<button
						type="button"
						key={id}
						aria-pressed={what === id}
						onClick={() => {
							pressed.current = true;
							setWhat(id);
						}}
					>
						{label}
					</button>
				))}
			</div>
			{children(what)}
		</div>
	);
}

/* --- the list --------------------------------------------------------------------------------- */

export function Timeline({record, fields}: {record: RecordData; fields: Field[]}) {
	const {id} = record;
	const notes = useNotes(id);
	const tasks = useTasks(id);
	const interactions = useInteractions(id);
	const changes = useEvents(record);
	const names: Names = useLoad(() => loadNames(record), [id, record.updatedAt]).data ?? new Map();
	const [most, setMost] = useState(AT_ONCE);
	const [deleting, setDeleting] = useState<(() => JSX.Element) | null>(null);

	const lists = [notes, tasks, interactions];
	const error = lists.find((list) => list.error)?.error ?? changes.error;
	const again = () => {
		lists.forEach((list) => list.again());
		changes.again();
	};
	const ready = changes.events && lists.every((list) => list.items);
	const rowsOf = <E extends Entry>(list: Entries<E>, kind: EntryKind<E>, at: (entry: E) => string, text: (entry: E) => JSX.Element): Row[] =>
		(list.items ?? []).map((entry) => ({
			id: entry.id,
			at: at(entry),
			view: () => (
				<EntryItem
					entry={entry}
					kind={kind}
					replace={list.replace}
					onDelete={() => setDeleting(() => () => <EntryDelete entry={entry} kind={kind} replace={list.replace} remove={list.remove} onClose={() => setDeleting(null)} />)}
				>
					{text}
				</EntryItem>
			),
		}));
	const events = changes.events ?? [];
	const rows: Row[] = [
		...rowsOf(notes, noteKind, (note) => note.createdAt, (note) => <NoteText note={note} />),
		...rowsOf(tasks, taskKind, (task) => task.completedAt ?? task.createdAt, (task) => <TaskEntry task={task} entries={tasks} />),
		...rowsOf<Interaction>(interactions, interactionKind, (i) => i.dateTime, (i) => <InteractionText interaction={i} />),
		...events.filter(isNews).map((e) => ({id: e.id, at: e.createdAt, view: () => <EventText event={e} fields={fields} names={names} />})),
	];
	/* Only entries that are not older than the oldest change that was read: between older ones, changes may be missing. */
	const since = changes.next ? events[events.length - 1]!.createdAt : '';
	const known = rows.filter((row) => row.at >= since).sort((a, b) => b.at.localeCompare(a.at));
	const unread = lists.filter((list) => list.more);
	const more = () => {
		setMost(most + AT_ONCE);
		if (known.length < most + AT_ONCE && changes.next) changes.loadMore();
	};

	return (
		<>
			<Compose>
				{(what) => (
					<>
						{what === 'note' && <NewNote record={id} onMade={notes.add} />}
						{what === 'task' && <NewTask record={id} onMade={tasks.add} />}
						{what === 'interaction' && <NewInteraction record={id} onMade={interactions.add} />}
					</>
				)}
			</Compose>
			{error != null && <Failed error={error} again={again} />}
			{!ready && error == null && <Loading what={t('loadingWhat', {what: t('timeline')})} />}
			{ready && !known.length && <Empty><p>{t('nothingHere')}</p></Empty>}
			{ready && <ol class="entries">{known.slice(0, most).map((row) => <li key={row.id}>{row.view()}</li>)}</ol>}
			{ready && (known.length > most || changes.next) && <p><button type="button" onClick={more}>{t('more')}</button></p>}
			{unread.length > 0 && (
				<>
					<p class="quiet">{t('oldestShown')}</p>
					<p><button type="button" onClick={() => unread.forEach((list) => list.loadMore())}>{t('readNewer')}</button></p>
				</>
			)}
			{deleting?.()}
		</>
	);
}
