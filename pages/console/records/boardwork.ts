/* The cards of a board: reading them as the columns scroll, and moving them. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {ApiError, call, get, nextOf, type Page} from '../api';
import {toast, toastError} from '../parts/toast';
import {t} from '../texts/text';
import {type Loaded, useLoad} from '../use';
import {type Field, type RecordData, bodyOf, valueOf} from './fields';
import {type Query, filterName} from './filters';
import {type Kind, titleOf} from './kinds';
import {type Total, type Totals, loadTotals} from './totals';

const PAGE = 50; /* cards that are read at once */
const LOOKS = 20; /* at most this many pages are read until one has cards */
const TRIES = 3; /* of a move whose record changes at the same moment */

/* A column of the board by its option; '' has the records without a value. */
export interface Lane {
	label: string;
	color?: string;
}

export interface Cards {
	items: RecordData[];
	/* The cursor of the rest; null: there is no more; undefined: nothing was read. */
	next: string | null | undefined;
}

export const NO_CARDS: Cards = {items: [], next: undefined};
export const lanesOf = (field: Field): Lane[] => [...(field.options ?? []).map(({label, color}) => ({label, color})), {label: ''}];
export const laneName = (label: string) => label || t('noValue');
const laneOf = (record: RecordData, field: Field) => String(valueOf(record, field) ?? '');

type All = Record<string, Cards>;

/* All columns with the record in one of them: at its place if it is there, else at the top. */
function placed(all: All, record: RecordData, lane: string): All {
	const next: All = {};
	const is = (r: RecordData) => r.id === record.id;
	for (const [label, cards] of Object.entries({[lane]: NO_CARDS, ...all})) {
		const here = cards.items.some(is);
		if (label !== lane) next[label] = here ? {...cards, items: cards.items.filter((r) => !is(r))} : cards;
		else next[label] = {...cards, items: here ? cards.items.map((r) => (is(r) ? record : r)) : [record, ...cards.items]};
	}
	return next;
}

/* Somebody else moved the record. */
class MovedAway extends Error {
	constructor(readonly record: RecordData) {
		super();
	}
}

/* Writes the column of a record, if it is still where the reader saw it. */
async function writeLane(kind: Kind, field: Field, id: string, from: string, to: string): Promise<RecordData> {
	const path = `${kind.path}/${encodeURIComponent(id)}`;
	for (let tried = 1; ; tried++) {
		const {data, etag} = await get<RecordData>(path);
		if (laneOf(data, field) !== from) throw new MovedAway(data);
		try {
			return (await call<RecordData>('PATCH', path, {body: bodyOf([field], {[field.key]: to}), ifMatch: etag})).data;
		} catch (error) {
			/* Another value was changed at the same moment. */
			if (tried < TRIES && error instanceof ApiError && error.status === 412) continue;
			throw error;
		}
	}
}

export interface BoardState {
	cardsOf: (lane: string) => Cards;
	totalOf: (lane: string) => Total | undefined;
	totals: Loaded<Totals>;
	readMore: (lane: string) => void;
	move: (card: RecordData, from: string, to: string) => void;
	/* Takes the last move back. */
	undo: () => void;
}

export function useBoard(kind: Kind, query: Query, sort: string, field: Field, sum: string): BoardState {
	const name = filterName(field);
	const key = JSON.stringify([kind.path, query, sort, name]);
	const [state, setState] = useState<{key: string; all: All}>({key, all: {}});
	const reading = useRef(new Map<string, AbortController>());
	const last = useRef<(() => void) | null>(null);
	/* The latest move of each card that is being written. The next move of the card waits for it. */
	const moves = useRef(new Map<string, Promise<RecordData>>());
	const all = state.key === key ? state.all : {};
	const totals = useLoad((signal) => loadTotals(kind.path, {...query, groupBy: [name], measures: sum ? [`sum:${sum}`] : [], limit: 1000}, signal), [key, sum]);

	useEffect(() => {
		setState({key, all: {}});
		return () => {
			for (const stop of reading.current.values()) stop.abort();
			reading.current.clear();
			last.current = null;
		};
	}, [key]);

	const change = (fn: (all: All) => All) => setState((s) => (s.key === key ? {key, all: fn(s.all)} : s));
	const filterIn = (lane: string) => ({and: [...(query.filter ? [query.filter] : []), {[name]: lane ? {in: [lane]} : {empty: true}}]});
	const read = async (lane: string, stop: AbortController) => {
		let cursor = all[lane]?.next ?? null;
		let found: RecordData[] = [];
		for (let looks = 0; !found.length && looks < LOOKS && (cursor || !looks); looks++) {
			const body = {...query, filter: filterIn(lane), sort, limit: PAGE, cursor: cursor ?? undefined};
			const {data} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body, signal: stop.signal});
			found = data.items;
			cursor = nextOf(data);
		}
		/* What was moved meanwhile is shown already. */
		change((now) => {
			const {items} = now[lane] ?? NO_CARDS;
			const shown = new Set(Object.values(now).flatMap((cards) => cards.items.map((r) => r.id)));
			return {...now, [lane]: {items: [...items, ...found.filter((r) => !shown.has(r.id))], next: cursor}};
		});
	};
	const readMore = (lane: string) => {
		if (reading.current.has(lane) || state.key !== key || all[lane]?.next === null) return;
		const stop = new AbortController();
		reading.current.set(lane, stop);
		read(lane, stop)
			.catch((error) => {
				toastError(error, laneName(lane));
				if (!stop.signal.aborted) change((now) => ({...now, [lane]: {...(now[lane] ?? NO_CARDS), next: null}}));
			})
			.finally(() => reading.current.get(lane) === stop && reading.current.delete(lane));
	};

	const move = async (card: RecordData, from: string, to: string, back = false) => {
		const title = titleOf(kind, card);
		const earlier = moves.current.get(card.id);
		let began = false;
		const write = () => {
			began = true;
			return writeLane(kind, field, card.id, from, to);
		};
		const writing = earlier ? earlier.then(write) : write();
		last.current = null;
		moves.current.set(card.id, writing);
		change((now) => placed(now, card, to));
		try {
			const saved = await writing;
			if (moves.current.get(card.id) !== writing) return; /* the card was moved again */
			const undo = () => void move(saved, to, from, true);
			change((now) => placed(now, saved, to));
			if (!back) last.current = undo;
			const names = {name: title, lane: laneName(to)};
			if (back) toast(t('cardBack', names));
			else toast(t('cardMoved', names), {label: t('undo'), run: undo});
		} catch (error) {
			if (!began) return; /* the earlier move failed, and has said so */
			const now = error instanceof MovedAway ? error.record : card;
			const lane = error instanceof MovedAway ? laneOf(now, field) : from;
			change((before) => placed(before, now, lane));
			toastError(error instanceof MovedAway ? new Error(t('cardMovedAway', {name: title, lane: laneName(lane)})) : error, t('cardNotMoved'));
		} finally {
			if (moves.current.get(card.id) === writing) moves.current.delete(card.id);
		}
		totals.again();
	};
	const groups = new Map(totals.data?.items.map((item) => [item.group[0]?.value ?? '', item]));
	return {
		cardsOf: (lane) => all[lane] ?? NO_CARDS,
		totalOf: (lane) => groups.get(lane),
		totals,
		readMore,
		move: (card, from, to) => from !== to && void move(card, from, to),
		undo: () => last.current?.(),
	};
}
