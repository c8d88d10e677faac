/* The list of notes, tasks or interactions of a record. The server lists the oldest first, but people want the newest. So all are read; beyond AT_ONCE only on request. */
import type {ComponentChildren} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {listFrom} from '../api';
import {Empty, Failed, Loading} from '../parts/table';
import {t} from '../texts/text';
import {type Entry, EntryDelete, EntryItem, type EntryKind} from './entry';

const AT_ONCE = 500;

export interface Entries<T> {
	items: T[] | null;
	error: unknown;
	more: boolean;
	loadMore: () => void;
	/* Loads the list again. */
	again: () => void;
	/* Shows a change made here, without asking the server. */
	replace: (item: T) => void;
	remove: (id: string) => void;
	add: (item: T) => void;
}

/* path: of the list, with its parameters. */
export function useEntries<T extends Entry>(path: string): Entries<T> {
	const [items, setItems] = useState<T[] | null>(null);
	const [next, setNext] = useState<string | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [asked, setAsked] = useState<{n: number; cursor: string | null}>({n: 0, cursor: null});

	useEffect(() => {
		const stop = new AbortController();
		if (!asked.cursor) setItems(null);
		setError(null);
		listFrom<T>(path, asked.cursor, AT_ONCE, stop.signal).then(
			(read) => {
				if (stop.signal.aborted) return;
				/* Entries that were added while the first page was loading are kept. */
				setItems((before) => [...(before ?? []).filter((x) => !read.items.some((y) => y.id === x.id)), ...read.items]);
				setNext(read.next);
			},
			(e) => stop.signal.aborted || setError(e),
		);
		return () => stop.abort();
	}, [path, asked]);
	return {
		items,
		error,
		more: next !== null,
		loadMore: () => setAsked({n: asked.n + 1, cursor: next}),
		again: () => setAsked({n: asked.n + 1, cursor: null}),
		replace: (item) => setItems((all) => all && all.map((x) => (x.id === item.id ? item : x))),
		remove: (id) => setItems((all) => all && all.filter((x) => x.id !== id)),
		add: (item) => setItems((all) => [item, ...(all ?? [])]),
	};
}

export function EntryList<T extends Entry>({entries, kind, children}: {
	entries: Entries<T>;
	kind: EntryKind<T>;
	/* Renders one entry. */
	children: (entry: T) => ComponentChildren;
}) {
	const {items, error, more, loadMore, again, replace, remove} = entries;
	const [deleting, setDeleting] = useState<T | null>(null);

	if (error && !items) return <Failed error={error} again={again} />;
	if (!items) return <Loading what={t('loadingWhat', {what: kind.many})} />;
	return (
		<>
			{!items.length && !more && <Empty><p>{t('noThings', {things: kind.many})}</p></Empty>}
			<ol class="entries">
				{[...items].sort(kind.order).map((entry) => (
					<li key={entry.id}>
						<EntryItem entry={entry} kind={kind} replace={replace} onDelete={() => setDeleting(entry)}>{children}</EntryItem>
					</li>
				))}
			</ol>
			{error != null && <Failed error={error} />}
			{more && <p class="quiet">{t('oldestShown')}</p>}
			{more && <p><button type="button" onClick={loadMore}>{t('moreThings', {things: kind.many})}</button></p>}
			{deleting && <EntryDelete entry={deleting} kind={kind} replace={replace} remove={remove} onClose={() => setDeleting(null)} />}
		</>
	);
}
