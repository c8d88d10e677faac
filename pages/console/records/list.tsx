/* The table of a kind of records: search, filters, order, pages. Search, filters and order are in the address. */
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {type Page, call, nextOf} from '../api';
import {Empty, Failed, Loading, Pager, Table} from '../parts/table';
import {type Route, go, hrefOf} from '../route';
import {countText, inSentence, t} from '../texts/text';
import {useLoad, useName, useRested, useTitle} from '../use';
import {columnsOf} from './columns';
import type {RecordData} from './fields';
import {AddCondition, Conditions} from './filterbar';
import {type Condition, filterBody, readConditions, writeConditions} from './filters';
import {type Kind, loadFields} from './kinds';

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

interface Asked {
	q: string;
	conditions: Condition[];
	any: boolean;
	sort: string;
}

function readAsked({query}: Route): Asked {
	const sort = query.get('sort') ?? '';
	return {
		q: query.get('q') ?? '',
		conditions: readConditions(query.getAll('f')),
		any: query.get('any') === '1',
		sort: /^-?(createdAt|updatedAt)$/.test(sort) ? sort : '-updatedAt',
	};
}

function writeAsked(kind: Kind, asked: Asked, replace = false): void {
	const query = new URLSearchParams();
	if (asked.q) query.set('q', asked.q);
	for (const f of writeConditions(asked.conditions)) query.append('f', f);
	if (asked.any && asked.conditions.length > 1) query.set('any', '1');
	if (asked.sort !== '-updatedAt') query.set('sort', asked.sort);
	go(kind.route, query, replace);
}

function rangeText(page: Page<unknown>, kind: Kind, shown: number, first: number): string {
	const {count, countIsEstimated} = page.pagination;
	const range = shown ? `${first + 1}–${first + shown}` : '0';
	if (count === undefined) return t('rangeOf', {range, things: kind.many});
	return t('rangeOfCount', {range, count: countText(count, countIsEstimated), things: count === 1 ? kind.one : kind.many});
}

/* The search box: the text goes into the address when the user pauses. */
function SearchBox({kind, q, onSearch}: {kind: Kind; q: string; onSearch: (q: string) => void}) {
	const [text, setText] = useState(q);
	const rested = useRested(text, 300);
	const sent = useRef(q);
	const id = useName('search');

	useEffect(() => {
		if (q !== sent.current) {
			sent.current = q;
			setText(q);
		}
	}, [q]);
	useEffect(() => {
		if (rested.trim() === sent.current) return;
		sent.current = rested.trim();
		onSearch(rested.trim());
	}, [rested]);
	return (
		<form
			role="search"
			onSubmit={(e) => {
				e.preventDefault();
				sent.current = text.trim();
				onSearch(text.trim());
			}}
		>
			<label for={id} class="hidden">{t('search', {what: kind.title})}</label>
			<input id={id} dir="auto" type="search" placeholder={t('searchHere', {what: inSentence(kind.title)})} maxLength={200} value={text} onInput={(e) => setText(e.currentTarget.value)} />
		</form>
	);
}

function Nothing({kind, asked, page, onClear}: {kind: Kind; asked: Asked; page: Page<RecordData>; onClear: () => void}) {
	if (page.pagination.scanned !== undefined && nextOf(page))
		return <Empty><p>{t('nothingSoFar', {n: page.pagination.scanned})}</p></Empty>;
	if (asked.q || asked.conditions.length)
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

export function RecordList({kind, route}: {kind: Kind; route: Route}) {
	const asked = readAsked(route);
	const key = JSON.stringify([kind.path, asked]);
	const [turned, setTurned] = useState(placeOf(key));
	const {cursors, counted: before} = turned.key === key ? turned : placeOf(key);
	const cursor = cursors[cursors.length - 1];
	const [adding, setAdding] = useState(false);
	const custom = useLoad(() => (kind.group ? loadFields(kind.group, kind.entity) : Promise.resolve([])), [kind.group, kind.entity]);
	const list = useLoad(
		async (signal) => {
			const filter = filterBody(kind.name, asked.q, asked.conditions, asked.any);
			const body = {filter, sort: asked.sort, limit: LIMIT, cursor, count: cursor ? undefined : 'estimated'};
			let {data} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body, signal});
			const {pagination} = data;
			/* A page may end early. After an empty one the next page is read, so that matches appear without a click. */
			for (let more = 0; !data.items.length && data.pagination.nextCursor && more < LOOKS; more++)
				({data} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body: {...body, cursor: nextOf(data), count: undefined}, signal}));
			return {...data, pagination: {...pagination, ...data.pagination, nextLink: data.pagination.nextLink, nextCursor: data.pagination.nextCursor}};
		},
		[key, cursor],
	);
	const [counted, setCounted] = useState(before);
	/* The page that is shown until the next one has been read. */
	const [last, setLast] = useState<{path: string; page: Page<RecordData>; first: number} | null>(null);

	useTitle(kind.title);
	useLayoutEffect(() => {
		if (!list.data) return;
		setLast({path: kind.path, page: list.data, first: cursors.length * LIMIT});
		if (!cursor) setCounted(list.data.pagination);
	}, [list.data]);

	const turn = (to: string[]) => {
		const place = {key, cursors: to, counted};
		history.replaceState(place, '');
		setTurned(place);
	};
	const ask = (change: Partial<Asked>, replace = false) => writeAsked(kind, {...asked, ...change}, replace);
	const shown = last?.path === kind.path && !list.error ? last : null;
	const page = shown?.page ?? null;
	const next = list.data ? nextOf(list.data) : null;
	const columns = columnsOf(kind, custom.data ?? [], !asked.sort.endsWith('createdAt'));

	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{kind.title}</h1>
				<a class="button primary" data-key="n" href={hrefOf([...kind.route, 'new'])}>{t('newThing', {thing: kind.one})}</a>
			</div>
			<div class="toolbar">
				<SearchBox kind={kind} q={asked.q} onSearch={(q) => ask({q}, true)} />
				<button type="button" onClick={() => setAdding(true)}>{t('filter')}</button>
				<select aria-label={t('order')} value={asked.sort} onChange={(e) => ask({sort: e.currentTarget.value})}>
					{[['-updatedAt', t('changedLast')], ['updatedAt', t('changedFirst')], ['-createdAt', t('newestFirst')], ['createdAt', t('oldestFirst')]].map(
						([value, label]) => <option key={value} value={value} selected={value === asked.sort}>{label}</option>,
					)}
				</select>
			</div>
			<Conditions
				conditions={asked.conditions}
				fields={[...kind.fields, ...(custom.data ?? [])]}
				any={asked.any}
				onChange={(conditions) => ask({conditions})}
				onAny={(any) => ask({any})}
			/>
			{adding && (
				<AddCondition
					kind={kind}
					onClose={() => setAdding(false)}
					onAdd={(c) => {
						setAdding(false);
						ask({conditions: [...asked.conditions, c]});
					}}
				/>
			)}
			{list.error != null && <Failed error={list.error} again={list.again} />}
			{!page && list.loading && <Loading what={t('loadingWhat', {what: inSentence(kind.title)})} />}
			{page && !page.items.length && <Nothing kind={kind} asked={asked} page={page} onClear={() => ask({q: '', conditions: []})} />}
			{page && page.items.length > 0 && (
				<Table
					caption={kind.title}
					columns={columns}
					rows={page.items}
					rowKey={(r) => r.id}
					sort={asked.sort}
					onSort={(sort) => ask({sort})}
					busy={list.loading}
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
