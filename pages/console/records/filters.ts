/* Conditions on lists: the operators of each field (docs/filters.md), and the body of a search. */
import {decoded} from '../route';
import {t} from '../texts/text';
import {type Field, type Ref, isRefs} from './fields';

export interface Condition {
	field: string; /* by which the server filters */
	op: string;
	/* Texts, or references with their names. */
	values: (string | Ref)[];
}

export const opLabels: Record<string, string> = {
	eq: t('opEq'),
	not_eq: t('opNotEq'),
	like: t('opLike'),
	not_like: t('opNotLike'),
	gt: t('opGt'),
	lt: t('opLt'),
	in: t('opIn'),
	not_in: t('opNotIn'),
	all: t('opAll'),
	empty: t('opEmpty'),
	not_empty: t('opNotEmpty'),
};

const TEXT = ['like', 'not_like', 'eq', 'not_eq', 'empty', 'not_empty'];
const SIZE = ['eq', 'gt', 'lt', 'not_eq', 'empty', 'not_empty'];
const ONE = ['in', 'not_in', 'empty', 'not_empty'];
const MANY = ['in', 'not_in', 'all', 'empty', 'not_empty'];

/* Of days and sizes, gt and lt have words of their own. */
export function opLabel(op: string, field?: Field): string {
	const dated = field && ['date', 'day', 'year'].includes(field.type);
	if (field && op === 'gt') return dated ? t('opAfter') : t('opAbove');
	if (field && op === 'lt') return dated ? t('opBefore') : t('opBelow');
	return opLabels[op] ?? op;
}

export function opsOf(field: Field): string[] {
	switch (field.type) {
		case 'date':
		case 'day':
		case 'number':
		case 'year':
			return SIZE;
		case 'user':
		case 'option':
			return ONE;
		case 'choice':
			return ['eq', 'not_eq', 'empty', 'not_empty'];
		default:
			return isRefs(field) || field.type === 'options' ? MANY : TEXT;
	}
}

export const filterName = (field: Field) => field.filterAs ?? field.name;
export const isValueless = (op: string) => op === 'empty' || op === 'not_empty';

/* Conditions on options and on references have their values at different depths. */
function operand({op, values}: Condition): unknown {
	if (isValueless(op)) return true;
	const refs = values.filter((v): v is Ref => typeof v !== 'string');
	return refs.length ? {id: refs.map((r) => r.id)} : values;
}

/* The words of a search. The link of a call, such as tel:+49-30-777;ext=5, stands for its number. */
export function wordsOf(text: string): string {
	const number = /^(?:tel|callto):(?:\/\/)?([^;?]*)/i.exec(text.trim())?.[1];
	return (number && decoded(number).trim()) || text;
}

/* What a list is asked for, as in the body of its search. */
export interface Query {
	filter?: Record<string, unknown>;
	search?: string;
}

/* The filter of a search's body; undefined: no condition. */
export function filterBody(conditions: Condition[], any: boolean): {and: unknown[]} | undefined {
	const each = conditions.map((c) => ({[c.field]: {[c.op]: operand(c)}}));
	const parts: unknown[] = any && each.length > 1 ? [{or: each}] : each;
	return parts.length ? {and: parts} : undefined;
}

/* The condition of {field: {operator: values}}; null: it has another form. */
function readCondition(part: unknown): Condition | null {
	const [[field, operators] = ['', null], ...others] = Object.entries(part ?? {}) as [string, unknown][];
	const [[op, value] = ['', null], ...more] = Object.entries(operators ?? {}) as [string, unknown][];
	const ids = (value as {id?: unknown} | null)?.id;
	const isTexts = (list: unknown): list is string[] => Array.isArray(list) && list.every((v) => typeof v === 'string');

	if (others.length || more.length || !(op in opLabels)) return null;
	if (isValueless(op)) return {field, op, values: []};
	if (isTexts(value)) return {field, op, values: value};
	return isTexts(ids) ? {field, op, values: ids.map((id) => ({id}))} : null;
}

/* What filterBody() made of conditions; null: the filter has another form. */
export function readFilter(filter: unknown): {conditions: Condition[]; any: boolean} | null {
	const {and, ...others} = (filter ?? {and: []}) as {and?: unknown[]};
	const read: {conditions: Condition[]; any: boolean} = {conditions: [], any: false};

	if (!and || Object.keys(others).length) return null;
	for (const part of and) {
		const list = (part as {or?: unknown[]}).or;
		const all = (list ?? [part]).map(readCondition);
		if (all.includes(null) || read.any || (list && read.conditions.length)) return null;
		read.conditions.push(...(all as Condition[]));
		read.any = list !== undefined;
	}
	return read;
}

/* Conditions in an address: f=["emails","like",["acme"]], references as [id, name]. */
export function writeConditions(conditions: Condition[]): string[] {
	return conditions.map((c) =>
		JSON.stringify([c.field, c.op, c.values.map((v) => (typeof v === 'string' ? v : [v.id, v.name ?? '']))]),
	);
}

export function readConditions(texts: string[]): Condition[] {
	const all: Condition[] = [];
	for (const text of texts.slice(0, 15)) {
		try {
			const [field, op, values] = JSON.parse(text) as [string, string, (string | [string, string])[]];
			if (typeof field !== 'string' || !(op in opLabels) || !Array.isArray(values)) continue;
			all.push({
				field,
				op,
				values: values.map((v) => (Array.isArray(v) ? {id: String(v[0]), name: String(v[1])} : String(v))),
			});
		} catch {
			/* An incomplete address: the other conditions still count. */
		}
	}
	return all;
}
