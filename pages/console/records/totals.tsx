/* Aggregates (docs/totals.md). The parts in which long lists are answered are added up here. */
import {call} from '../api';
import {numberText} from '../parts/text';
import {t} from '../texts/text';
import type {Field} from './fields';
import {filterName} from './filters';
import type {Kind} from './kinds';

export interface GroupValue {
	value: string | null;
	label: string | null;
	from?: string;
	to?: string;
}

type Figures = Record<string, string | null>;

export interface Total {
	group: GroupValue[];
	other?: boolean;
	count: number;
	sum: Figures;
	avg: Figures;
	min: Figures;
	max: Figures;
	values: Record<string, number>;
	currency?: Record<string, string>;
}

export interface Totals {
	items: Total[];
	total: Total;
}

interface Part extends Totals {
	pagination: {nextCursor?: string};
}

/* The exact sum of two decimal texts. */
export function addDecimals(a: string, b: string): string {
	const places = Math.max(...[a, b].map((x) => x.split('.')[1]?.length ?? 0));
	const scaled = (x: string) => {
		const [whole = '0', decimals = ''] = x.split('.');
		return BigInt(whole + decimals.padEnd(places, '0'));
	};
	const sum = scaled(a) + scaled(b);
	const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0');
	const text = places ? `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/[.]?0+$/, '') : digits;
	return sum < 0n ? `-${text}` : text;
}

/* Numbers by size; dates and times are in order as texts. */
const isLess = (a: string, b: string) => (Number.isNaN(Number(a)) ? a < b : Number(a) < Number(b));
const pick = (a: Figures, b: Figures, less: boolean): Figures =>
	Object.fromEntries(Object.keys(a).map((f) => [f, a[f] == null ? b[f]! : b[f] == null || isLess(a[f]!, b[f]!) === less ? a[f]! : b[f]!]));

function joined(a: Total, b: Total): Total {
	const sum = Object.fromEntries(Object.keys(a.sum).map((f) => [f, addDecimals(a.sum[f] ?? '0', b.sum[f] ?? '0')]));
	const values = Object.fromEntries(Object.keys(a.values).map((f) => [f, a.values[f]! + (b.values[f] ?? 0)]));
	const avg = Object.fromEntries(Object.keys(a.avg).map((f) => [f, values[f] ? String(Number((Number(sum[f]) / values[f]!).toFixed(6))) : null]));
	return {...a, count: a.count + b.count, sum, values, avg, min: pick(a.min, b.min, true), max: pick(a.max, b.max, false)};
}

/* The sum of a field. Also nothing has the currency of the field. */
export function amountOf(total: Total | undefined, field: Field): string {
	const name = filterName(field);
	return numberText(total?.sum[name] ?? '0', total?.currency?.[name] ?? field.currency);
}

/* How many records there are, and what a number of theirs adds up to; undefined: not known yet. */
export function TotalText({kind, total, sum}: {kind: Kind; total: Total | null | undefined; sum: Field | undefined}) {
	if (!total) return null;
	return (
		<>
			{t('boardTotal', {n: total.count, things: total.count === 1 ? kind.one : kind.many})}
			{sum && <> · <strong>{amountOf(total, sum)}</strong></>}
		</>
	);
}

/* Sizes first when the order says so. Dates go upward; other groups stay in the order in which they came. */
function ordered(items: Total[], sort: string | undefined): Total[] {
	const size = (item: Total) => (sort === '-count' ? item.count : Number(item.sum[sort!.slice('-sum:'.length)] ?? 0));
	const day = (item: Total) => item.group[0]?.value ?? '9999';
	if (sort?.startsWith('-')) return items.sort((a, b) => size(b) - size(a));
	return items.every((i) => i.group.length && /^\d{4}-\d\d-\d\d$|^9999$/.test(day(i))) ? items.sort((a, b) => (day(a) < day(b) ? -1 : 1)) : items;
}

/* path: of a list, such as /v1/people. */
export async function loadTotals(path: string, body: Record<string, unknown>, signal: AbortSignal): Promise<Totals> {
	const groups = new Map<string, Total>();
	let total: Total | null = null;
	let cursor: string | undefined;
	let parts = 0;

	do {
		const {data}: {data: Part} = await call<Part>('POST', `${path}/aggregate`, {body: {...body, cursor}, signal});
		for (const item of data.items) {
			const key = JSON.stringify(item.other ? 'other' : item.group.map((g) => g.value));
			const before = groups.get(key);
			groups.set(key, before ? joined(before, item) : item);
		}
		total = total ? joined(total, data.total) : data.total;
		cursor = data.pagination.nextCursor;
		parts++;
	} while (cursor);
	const items = [...groups.values()];
	return {items: parts > 1 ? ordered(items, body.sort as string | undefined) : items, total};
}
