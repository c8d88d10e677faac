/* The table of a kind of records: search, filters, order, columns, pages, selection. All but the last two are in the address. */
import {useLayoutEffect, useState} from 'preact/hooks';
import {type Page, call, nextOf} from '../api';
import {Empty, Failed, Loading, Pager, Table} from '../parts/table';
import {type Route, hrefOf} from '../route';
import {countText, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {type Asked, asSaved, askedOfView, queryOf, readAsked, writeAsked} from './asked';
import {Board} from './board';
import {BulkBar, selectAllText} from './bulk';
import {columnsOf} from './columns';
import type {RecordData} from './fields';
import {filterName} from './filters';
import {type Kind, loadColumnFields, titleOf} from './kinds';
import {ListBar, sumFields} from './listbar';
import {TotalText, loadTotals} from './totals';
import {viewOf} from './views';

const LIMIT = 25;
const LOOKS = 20; /* at most this many pages are read until one has records */

/* The page that is shown, as the cursors of the pages before it and its own. It is kept in the entry of the browser's history,
 * so that going back from a record shows the same page. */
interface Place {
	key: string;
	cursors: string[];
	counted: Page<unknown>['pagination'];
}

const placeOf = (key: string): Place => (history.state?.key === key ? history.state : {key, cursors: [], counted: {}});

function rangeText(page: Page<unknown>, kind: Kind, shown: number, first: number): string {
	const {count, countIsEstimated} = page.pagination;
	const range = shown ? `${first + 1}–${first + shown}` : '0';
	if (count === undefined) return t('rangeOf', {range, things: kind.many});
	return t('rangeOfCount', {range, count: countText(count, countIsEstimated), things: count === 1 ? kind.one : kind.many});
}

function Nothing({kind, asked, page, onClear}: {kind: Kind; asked: Asked; page: Page<RecordData>; onClear: () => void}) {
	if (page.pagination.scanned !== undefined && nextOf(page))
		return <Empty><p>{t('nothingSoFar', {n: page.pagination.scanned})}</p></Empty>;
	if (asked.q || asked.conditions.length || asked.own)
		return (
			<Empty>
				<p>{t('nothingMatches')}</p>
				<button type="button" onClick={onClear}>{t('clearSearch')}</button>
			</Empty>
		);
	return (
		<Empty>
			<p>{t('nothingHere')}</p>
			<a class="button primary" href={hrefOf([...kind.route, 'new'])}>{t('newThing', {thing: kind.one})}</a>
		</Empty>
	);
}

/* An address that names nothing but a view is replaced by what the view asks for. */
export function RecordList({kind, route}: {kind: Kind; route: Route}) {
	const saved = asSaved(route);
	const opened = useLoad(
		async (signal) => {
			if (saved) writeAsked(kind, await askedOfView(await viewOf(route.query.get('view')!, signal)), true);
		},
		[saved, route.text],
	);
	if (saved && opened.error != null) return <><h1 tabIndex={-1}>{kind.title}</h1><Failed error={opened.error} again={opened.again} /></>;
	if (saved) return <Loading />;
	const asked = readAsked(route);
	return asked.board ? <Board kind={kind} asked={asked} /> : <AskedList kind={kind} asked={asked} />;
}

/* What is selected: single records, or all that match. It ends when the list is asked for something else. */
function useSelection(key: string, page: RecordData[]) {
	const [state, setState] = useState<{key: string; chosen: Map<string, RecordData>; all: boolean}>({key, chosen: new Map(), all: false});
	const {chosen, all} = state.key === key ? state : {chosen: new Map<string, RecordData>(), all: false};
	const put = (ids: string[], on: boolean) => {
		const next = new Map(all && !on ? page.map((r) => [r.id, r]) : chosen);
		for (const r of page) if (ids.includes(r.id)) on ? next.set(r.id, r) : next.delete(r.id);
		setState({key, chosen: next, all: false});
	};
	return {
		chosen: all ? null : [...chosen.values()],
		any: all || chosen.size > 0,
		wholePage: page.length > 0 && page.every((r) => chosen.has(r.id)),
		has: (id: string) => all || chosen.has(id),
		put,
		takeAll: () => setState({key, chosen, all: true}),
		clear: () => setState({key, chosen: new Map(), all: false}),
	};
}

function AskedList({kind, asked}: {kind: Kind; asked: Asked}) {
	const query = queryOf(asked);
	const key = JSON.stringify([kind.path, query, asked.sort]);
	const [turned, setTurned] = useState(placeOf(key));
	const {cursors, counted: before} = turned.key === key ? turned : placeOf(key);
	const cursor = cursors[cursors.length - 1];
	const custom = useLoad(() => loadColumnFields(kind, asked.columns), [kind.path, asked.columns]);
	const list = useLoad(
		async (signal) => {
			const body = {...query, sort: asked.sort, limit: LIMIT, cursor, count: cursor ? undefined : 'estimated'};
			/* Rows are shown once their columns are known, so that none of them moves. */
			const columnsKnown = loadColumnFields(kind, asked.columns).catch(() => []);
			let {data} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body, signal});
			const {pagination} = data;
			/* A page may end early. After an empty one the next page is read, so that matches appear without a click. */
			for (let more = 0; !data.items.length && data.pagination.nextCursor && more < LOOKS; more++)
				({data} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body: {...body, cursor: nextOf(data), count: undefined}, signal}));
			await columnsKnown;
			return {...data, pagination: {...pagination, ...data.pagination, nextLink: data.pagination.nextLink, nextCursor: data.pagination.nextCursor}};
		},
		[key, cursor],
	);
	const [counted, setCounted] = useState(before);
	/* The page that is shown until the next one has been read. */
	const [last, setLast] = useState<{path: string; key: string; page: Page<RecordData>; first: number} | null>(null);

	useTitle(kind.title);
	useLayoutEffect(() => {
		if (!list.data) return;
		setLast({path: kind.path, key, page: list.data, first: cursors.length * LIMIT});
		if (!cursor) setCounted(list.data.pagination);
	}, [list.data]);

	const turn = (to: string[]) => {
		const place = {key, cursors: to, counted};
		history.replaceState(place, '');
		setTurned(place);
	};
	const count = counted.countIsEstimated ? undefined : counted.count;
	const isAsked = !!asked.q || asked.conditions.length > 0 || !!asked.own;
	const ask = (change: Partial<Asked>, replace = false) => writeAsked(kind, {...asked, ...change}, replace);
	const shown = last?.path === kind.path && !list.error ? last : null;
	const page = shown?.page ?? null;
	const next = list.data ? nextOf(list.data) : null;
	const columns = columnsOf(kind, custom.data ?? [], asked.columns);
	const rows = page?.items ?? [];
	const sum = sumFields(custom.data ?? [])[0];
	/* The list comes first. */
	const summed = last?.key === key ? sum : undefined;
	const totals = useLoad(
		async (signal) => summed && (await loadTotals(kind.path, {...query, measures: [`sum:${filterName(summed)}`]}, signal)).total,
		[kind.path, query, summed],
	);
	const selection = useSelection(JSON.stringify([kind.path, query]), rows);

	return (
		<>
			<ListBar kind={kind} asked={asked} columns={columns} custom={custom.data ?? (custom.error != null ? [] : null)} total={sum && <p class="figure total" role="status"><TotalText kind={kind} total={totals.data} sum={sum} /></p>} />
			{totals.error != null && <Failed error={totals.error} again={totals.again} />}
			{list.error != null && <Failed error={list.error} again={list.again} />}
			{!page && list.loading && <Loading what={t('loadingWhat', {what: kind.many})} />}
			{page && !page.items.length && <Nothing kind={kind} asked={asked} page={page} onClear={() => ask({q: '', conditions: [], own: ''})} />}
			{isAsked && !selection.any && page && page.items.length > 0 && (next || cursors.length > 0) && (
				<p class="bulk">
					<button type="button" class="plain" onClick={selection.takeAll}>{selectAllText(kind, count)}</button>
				</p>
			)}
			{selection.any && (
				<BulkBar
					kind={kind}
					chosen={selection.chosen}
					count={count}
					offerAll={selection.wholePage && (next !== null || cursors.length > 0)}
					query={query}
					onAll={selection.takeAll}
					onClear={selection.clear}
					onChanged={() => (list.again(), totals.again())}
				/>
			)}
			{page && page.items.length > 0 && (
				<Table
					caption={kind.title}
					columns={columns}
					rows={page.items}
					rowKey={(r) => r.id}
					sort={asked.sort}
					onSort={(sort) => ask({sort})}
					busy={list.loading}
					selection={{has: selection.has, put: selection.put, nameOf: (id) => titleOf(kind, rows.find((r) => r.id === id)!)}}
				/>
			)}
			{page && (page.items.length > 0 || next || cursors.length > 0) && (
				<Pager
					onPrevious={cursors.length ? () => turn(cursors.slice(0, -1)) : null}
					onNext={next ? () => turn([...cursors, next]) : null}
				>
					{rangeText({...page, pagination: {...counted, ...page.pagination}}, kind, page.items.length, shown!.first)}
				</Pager>
			)}
		</>
	);
}
