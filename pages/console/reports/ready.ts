/* Reports that are there without being made, when the workspace has objects with stages. */
import type {Field} from '../records/fields';
import {filterName} from '../records/filters';
import {sumFields} from '../records/listbar';
import {t} from '../texts/text';
import type {Report} from './figures';
import type {Source} from './sources';

export interface ReadyReport extends Report {
	source: Source;
}

const TYPES_MAX = 5; /* object types that have ready reports */
const isStage = (f: Field) => /stage|phase|status|step|stufe/i.test(f.name);
const isWon = (label: string) => /\b(closed )?won\b|gewonnen/i.test(label);
const isClosing = (f: Field) => /clos|won|abschluss|gewonnen/i.test(f.name);

function ofType(source: Source): ReadyReport[] {
	const options = source.custom.filter((f) => f.type === 'option');
	const stage = options.find(isStage) ?? options[0];
	const amount = sumFields(source.custom)[0];
	const measures = amount ? [`sum:${filterName(amount)}`] : [];
	const won = stage?.options?.filter((o) => isWon(o.label)).map((o) => o.label) ?? [];
	const dates = source.custom.filter((f) => f.type === 'date');
	const closed = dates.find(isClosing) ?? dates[0];
	const type = source.title;
	if (!stage) return [];

	const reports: ReadyReport[] = [
		{source, name: t('readyPipeline', {type, field: stage.label}), query: {}, chart: {form: 'bar', groupBy: [filterName(stage)], measures}},
		{source, name: t('readyByUser', {type}), query: {}, chart: {form: 'bar', groupBy: ['createdBy'], measures: [], sort: '-count', limit: 20}},
	];
	if (won.length)
		reports.splice(1, 0, {
			source,
			name: closed ? t('readyWon', {type, field: closed.label}) : t('readyWonMade', {type}),
			query: {filter: {and: [{[filterName(stage)]: {in: won}}]}},
			chart: {form: 'line', groupBy: [`${closed ? filterName(closed) : 'createdAt'}:month`], measures},
		});
	return reports;
}

export function readyReports(sources: Source[]): ReadyReport[] {
	const types = sources.filter(({place, custom}) => place.kind === 'objects' && custom.some((f) => f.type === 'option')).slice(0, TYPES_MAX);
	const tasks = sources.find(({place}) => place.kind === 'tasks');
	if (!types.length || !tasks) return [];
	const done: ReadyReport = {
		source: tasks,
		name: t('readyTasks'),
		query: {filter: {completedAt: {not_empty: true}}},
		chart: {form: 'bar', groupBy: ['assigneeUserId'], measures: [], sort: '-count', limit: 20},
	};
	return [...types.flatMap(ofType), done];
}
