/* Filters that lists and boards offer as buttons: what is mine, and what is of this month. */
import {session} from '../api';
import {localText} from '../parts/text';
import {t} from '../texts/text';
import type {Field} from './fields';
import {type Condition, filterName} from './filters';

const SHOWN_MAX = 6;

interface QuickFilter {
	label: string;
	conditions: Condition[];
}

/* The last day before this month and the first day after it, by the reader's calendar. */
function monthBounds(): [string, string] {
	const now = new Date();
	const day = (year: number, month: number, date: number) => localText(new Date(year, month, date, 12).getTime()).slice(0, 10);
	return [day(now.getFullYear(), now.getMonth(), 0), day(now.getFullYear(), now.getMonth() + 1, 1)];
}

/* Dates that kith itself has are birthdays and the like, whose month says little. */
const isOfMonth = ({type, custom}: Field) => type === 'day' || (type === 'date' && !!custom);

function filtersOf(field: Field): QuickFilter[] {
	const name = filterName(field);
	if (field.type === 'users' || field.type === 'user') {
		const me = {id: session.user!.id, name: session.user!.fullName || session.user!.email};
		return [{label: t('quickMine', {field: field.label}), conditions: [{field: name, op: 'in', values: [me]}]}];
	}
	if (!isOfMonth(field)) return [];
	const [before, after] = monthBounds();
	return [{
		label: t('quickMonth', {field: field.label}),
		conditions: [{field: name, op: 'gt', values: [before]}, {field: name, op: 'lt', values: [after]}],
	}];
}

const same = (a: Condition) => {
	const text = (c: Condition) => JSON.stringify([c.field, c.op, c.values.map((v) => (typeof v === 'string' ? v : v.id))]);
	return (b: Condition) => text(a) === text(b);
};

/* fields: what is looked for by most comes first. A second click takes the filter away. */
export function QuickFilters({fields, conditions, onChange}: {fields: Field[]; conditions: Condition[]; onChange: (conditions: Condition[]) => void}) {
	return (
		<div class="toolbar choices" role="group" aria-label={t('quickFilter')}>
			{fields.flatMap(filtersOf).slice(0, SHOWN_MAX).map(({label, conditions: own}) => {
				const on = own.every((c) => conditions.some(same(c)));
				const others = conditions.filter((c) => !own.some(same(c)));
				return <button type="button" key={label} aria-pressed={on} onClick={() => onChange(on ? others : [...others, ...own])}>{label}</button>;
			})}
		</div>
	);
}
