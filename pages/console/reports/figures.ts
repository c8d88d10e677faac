/* An aggregate as rows of a chart: texts for people, and numbers to draw. */
import type {Chart, SavedView} from '../records/asked';
import {type Total, type Totals, loadTotals} from '../records/totals';
import {numberText} from '../parts/text';
import {dateFormat, numberOf, t} from '../texts/text';
import {type Source, listOf, timeZone} from './sources';

/* A report that is shown: a saved view, or one that is ready made. */
export interface Report {
	name: string;
	query: SavedView['query'];
	chart: Chart;
}

export interface Row {
	key: string;
	label: string;
	/* One for each measure, after the count. */
	values: {number: number; text: string}[];
}

export interface Figures {
	/* What the columns of the table are called: the groupings, then the measures. */
	groupings: string[];
	measures: string[];
	rows: Row[];
	total: Row;
	/* The place of what is drawn, among the values of a row. */
	drawn: number;
}

export const buckets = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Bucket = (typeof buckets)[number];
/* The field and the bucket of a grouping such as createdAt:month. */
export function splitGrouping(grouping: string): {name: string; bucket: Bucket | ''} {
	const bucket = buckets.find((b) => grouping.endsWith(`:${b}`));
	return bucket ? {name: grouping.slice(0, -bucket.length - 1), bucket} : {name: grouping, bucket: ''};
}
/* A measure such as sum:customFieldValues.Amount. */
export function splitMeasure(measure: string): {op: string; name: string} {
	const at = measure.indexOf(':');
	return {op: measure.slice(0, at), name: measure.slice(at + 1)};
}

export const opNames: Record<string, string> = {sum: t('sum'), avg: t('average'), min: t('least'), max: t('greatest')};

/* --- time -------------------------------------------------------------------------------- */

const dayFormat = dateFormat({dateStyle: 'medium', timeZone: 'UTC'});
const monthFormat = dateFormat({month: 'short', year: 'numeric', timeZone: 'UTC'});

function bucketText(day: string, bucket: Bucket): string {
	const date = new Date(`${day}T00:00:00Z`);
	if (bucket === 'year') return day.slice(0, 4);
	if (bucket === 'quarter') return t('quarterOf', {n: String(Math.floor(date.getUTCMonth() / 3) + 1), year: day.slice(0, 4)});
	if (bucket === 'month') return monthFormat.format(date);
	return bucket === 'week' ? t('weekOf', {day: dayFormat.format(date)}) : dayFormat.format(date);
}

function nextDay(day: string, bucket: Bucket): string {
	const date = new Date(`${day}T00:00:00Z`);
	const months = {day: 0, week: 0, month: 1, quarter: 3, year: 12}[bucket];
	if (months) date.setUTCMonth(date.getUTCMonth() + months);
	else date.setUTCDate(date.getUTCDate() + (bucket === 'week' ? 7 : 1));
	return date.toISOString().slice(0, 10);
}

const FILLED_MAX = 400;

/* A line has a point for each bucket, also for those without records. */
function filled(items: Total[], bucket: Bucket): Total[] {
	const known = new Map(items.map((item) => [item.group[0]?.value, item]));
	const days = items.flatMap((item) => item.group[0]?.value ?? []);
	const [first, last] = [days[0], days[days.length - 1]];
	const all: Total[] = [];
	if (!first || !last) return items;
	for (let day = first; day <= last; day = nextDay(day, bucket)) {
		if (all.length >= FILLED_MAX) return items;
		all.push(known.get(day) ?? {...items[0]!, group: [{value: day, label: null}], count: 0, sum: {}, avg: {}, min: {}, max: {}});
	}
	return [...all, ...items.filter((item) => !item.group[0]?.value)];
}

/* --- rows -------------------------------------------------------------------------------- */

function valuesOf(item: Total, measures: string[]): Row['values'] {
	const figures = measures.map((measure) => {
		const {op, name} = splitMeasure(measure);
		const text = (item as unknown as Record<string, Record<string, string | null>>)[op]?.[name] ?? (op === 'sum' ? '0' : null);
		const number = Number(text ?? 0);
		return {number: Number.isNaN(number) ? 0 : number, text: text === null ? '–' : Number.isNaN(number) ? text : numberText(text, item.currency?.[name])};
	});
	return [{number: item.count, text: numberOf(item.count)}, ...figures];
}

function labelOf(item: Total, groupings: {bucket: Bucket | ''; dated: boolean}[]): string {
	if (item.other) return t('others');
	return item.group
		.map(({value, label}, i) => {
			const {bucket, dated} = groupings[i]!;
			return value === null ? t('noValue') : dated ? bucketText(value, bucket || 'day') : (label ?? t('unnamed'));
		})
		.join(' · ');
}

export function figuresOf(source: Source, chart: Chart, totals: Totals): Figures {
	const groupings = listOf(chart.groupBy).map((grouping) => {
		const {name, bucket} = splitGrouping(grouping);
		const choice = source.groupBy.find((c) => c.name === name);
		return {bucket, dated: bucket !== '' || choice?.dated === true, label: choice?.label ?? name};
	});
	const measures = listOf(chart.measures);
	const labels = measures.map((measure) => {
		const {op, name} = splitMeasure(measure);
		return `${opNames[op] ?? op}: ${source.measured.find((f) => (f.filterAs ?? f.name) === name)?.label ?? name}`;
	});
	const one = groupings.length === 1 && groupings[0]!.dated && chart.form === 'line';
	const items = one ? filled(totals.items.filter((i) => !i.other), groupings[0]!.bucket || 'day') : totals.items;
	const rowOf = (item: Total): Row => ({key: JSON.stringify(item.other ? 'other' : item.group.map((g) => g.value)), label: labelOf(item, groupings), values: valuesOf(item, measures)});
	return {
		groupings: groupings.map((g) => g.label),
		measures: [t('count'), ...labels],
		rows: groupings.length ? items.map(rowOf) : [],
		total: {key: 'total', label: t('all'), values: valuesOf(totals.total, measures)},
		drawn: measures.length ? 1 : 0,
	};
}

export async function loadFigures(source: Source, {query, chart}: Report, signal: AbortSignal): Promise<Figures> {
	const {sort: _, ...asked} = query;
	const {groupBy, measures, sort, limit} = chart;
	const body = {...asked, groupBy: listOf(groupBy), measures: listOf(measures), sort, limit, timeZone: chart.timeZone ?? timeZone()};
	return figuresOf(source, chart, await loadTotals(source.path, body, signal));
}
