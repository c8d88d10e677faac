/* Filters that a board offers in one list: what is mine, and what is of this month. */
import {session} from '../api';
import {localText} from '../parts/text';
import {t} from '../texts/text';
import type {Field} from './fields';
import {type Condition, filterName} from './filters';

export interface QuickFilter {
	label: string;
	conditions: Condition[];
}

/* The last day before this month and the first day after it, by the reader's calendar. */
function monthBounds(): [string, string] {
	const now = new Date();
	const day = (year: number, month: number, date: number) => localText(new Date(year, month, date, 12).getTime()).slice(0, 10);
	return [day(now.getFullYear(), now.getMonth(), 0), day(now.getFullYear(), now.getMonth() + 1, 1)];
}

export function quickFilters(fields: Field[]): QuickFilter[] {
	const me = {id: session.user!.id, name: session.user!.fullName || session.user!.email};
	const [before, after] = monthBounds();
	const mine = fields.filter((f) => f.type === 'users' || f.type === 'user');
	const dates = fields.filter((f) => f.type === 'date' || f.type === 'day');
	return [
		...mine.map((f) => ({label: t('quickMine', {field: f.label}), conditions: [{field: filterName(f), op: 'in', values: [me]}]})),
		...dates.map((f) => ({
			label: t('quickMonth', {field: f.label}),
			conditions: [{field: filterName(f), op: 'gt', values: [before]}, {field: filterName(f), op: 'lt', values: [after]}],
		})),
	];
}
