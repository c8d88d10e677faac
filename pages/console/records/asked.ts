/* What a list is asked for. It is in the address, and in saved views. */
import {get} from '../api';
import {type Route, go} from '../route';
import type {Ref} from './fields';
import {type Condition, type Query, filterBody, readConditions, readFilter, wordsOf, writeConditions} from './filters';
import {type Kind, loadGroups, loadUsers} from './kinds';

export interface Asked {
	q: string;
	conditions: Condition[];
	any: boolean;
	/* A filter of a view that another program saved, if the console cannot show it as conditions. */
	own: string;
	sort: string;
	/* Names of fields, as in filters; none: the usual ones. */
	columns: string[];
	/* The field whose options are the columns of a board; '': a table. */
	board: string;
	/* The number that the columns of the board add up. */
	sum: string;
	/* The view that was opened. */
	view: string;
}

/* A saved aggregate. */
export interface Chart {
	form: 'bar' | 'line' | 'table' | 'number';
	groupBy?: string | string[];
	measures?: string | string[];
	sort?: string;
	limit?: number;
	timeZone?: string;
}

/* A saved view, as the API shows it. */
export interface SavedView {
	id: string;
	name: string;
	kind: string;
	groupId: string | null;
	objectType: string | null;
	query: Query & {combinator?: string; sort?: string};
	columns: string[];
	board: {groupBy: string; sum?: string} | null;
	chart: Chart | null;
	visibility: 'private' | 'public';
	createdBy: Ref;
}

export const USUAL = '-updatedAt';
const isSort = (sort: string | undefined): sort is string => /^-?(createdAt|updatedAt)$/.test(sort ?? '');

export function readAsked({query}: Route): Asked {
	const sort = query.get('sort') ?? '';
	return {
		q: query.get('q') ?? '',
		conditions: readConditions(query.getAll('f')),
		any: query.get('any') === '1',
		own: query.get('own') ?? '',
		sort: isSort(sort) ? sort : USUAL,
		columns: query.getAll('c').slice(0, 100),
		board: query.get('board') ?? '',
		sum: query.get('sum') ?? '',
		view: query.get('view') ?? '',
	};
}

/* With a view the order is always written: an address with nothing but a view stands for the view as it was saved. */
export function writeAsked(kind: Kind, asked: Asked, replace = false): void {
	const query = new URLSearchParams();
	if (asked.view) query.set('view', asked.view);
	if (asked.q) query.set('q', asked.q);
	for (const f of writeConditions(asked.conditions)) query.append('f', f);
	if (asked.any && asked.conditions.length > 1) query.set('any', '1');
	if (asked.own) query.set('own', asked.own);
	if (asked.view || asked.sort !== USUAL) query.set('sort', asked.sort);
	for (const c of asked.columns) query.append('c', c);
	if (asked.board) query.set('board', asked.board);
	if (asked.board && asked.sum) query.set('sum', asked.sum);
	go(kind.route, query, replace);
}

export const asSaved = ({query}: Route) => [...query.keys()].join() === 'view';

function ownFilter(text: string): unknown {
	try {
		return text ? JSON.parse(text) : undefined;
	} catch {
		return undefined;
	}
}

/* The members of a search's body. */
export function queryOf({q, conditions, any, own: text}: Asked): Query {
	const own = ownFilter(text);
	const parts = [...(filterBody(conditions, any)?.and ?? []), ...(own ? [own] : [])];
	return {filter: parts.length ? {and: parts} : undefined, search: wordsOf(q) || undefined};
}

/* The members of a view that say what the list asks for. */
export const savedOf = (asked: Asked) => ({
	query: {...queryOf(asked), sort: asked.sort},
	columns: asked.columns,
	board: asked.board ? {groupBy: asked.board, sum: asked.sum || undefined} : null,
});

const sameLists = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
/* True when the list shows what the view has. */
export function isAsSaved(asked: Asked, view: SavedView): boolean {
	const {query, columns} = savedOf(asked);
	return (
		sameLists(query.filter, view.query.filter) &&
		query.search === view.query.search &&
		query.sort === (view.query.sort ?? USUAL) &&
		sameLists(columns, view.columns) &&
		asked.board === (view.board?.groupBy ?? '') &&
		asked.sum === (view.board?.sum ?? '')
	);
}

async function named(ref: Ref): Promise<Ref> {
	const path = ref.id.startsWith('per_') ? '/v1/people' : ref.id.startsWith('com_') ? '/v1/companies' : null;
	const known = [...(await loadGroups()), ...(await loadUsers())].find((r) => r.id === ref.id);
	const found = known ?? (path ? (await get<Ref>(`${path}/${ref.id}`).catch(() => null))?.data : undefined);
	return {id: ref.id, name: found?.fullName || found?.name || ref.id};
}

/* What a view asks for. Views hold ids only, so the names for the conditions are looked up. */
export async function askedOfView(view: SavedView): Promise<Asked> {
	const {filter, combinator, search, sort} = view.query;
	const whole = filter && combinator === 'or' ? {or: Object.entries(filter).map(([name, value]) => ({[name]: value}))} : filter;
	const read = readFilter(whole);
	const conditions = await Promise.all(
		(read?.conditions ?? []).map(async (c) => ({...c, values: await Promise.all(c.values.map((v) => (typeof v === 'string' ? v : named(v))))})),
	);
	return {
		q: search ?? '',
		conditions,
		any: read?.any ?? false,
		own: read ? '' : JSON.stringify(whole),
		sort: isSort(sort) ? sort : USUAL,
		columns: view.columns,
		board: view.board?.groupBy ?? '',
		sum: view.board?.sum ?? '',
		view: view.id,
	};
}
