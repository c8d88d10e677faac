/* What reports count: people, companies, tasks, and the objects of each type, with the fields to group by and to measure. */
import type {SavedView} from '../records/asked';
import {taskFields} from '../records/apifields';
import type {Field} from '../records/fields';
import {filterName} from '../records/filters';
import {type Kind, companies, loadFields, loadGroups, loadTypes, objects, people} from '../records/kinds';
import {t} from '../texts/text';

const TYPES_MAX = 20; /* object types that are offered, because the fields of each are one request */

export interface Source {
	id: string;
	title: string;
	path: string;
	/* The members of a view that name it. */
	place: {kind: string; groupId?: string; objectType?: string};
	/* Absent for tasks, which have no list with filters here. */
	kind?: Kind;
	groupBy: Choice[];
	measured: Field[];
	custom: Field[];
}

export interface Choice {
	name: string;
	label: string;
	/* Its groups are days, weeks, months, … */
	dated: boolean;
}

const DATED = ['date', 'day', 'moment'];
const choiceOf = (f: Field): Choice => ({name: filterName(f), label: f.label, dated: DATED.includes(f.type)});
const UNGROUPED = ['fullName', 'firstName', 'lastName', 'name', 'description'];
/* Standard fields of these kinds can be grouped by (docs/totals.md). */
const grouped = ['gender', 'jobTitle', 'birthday', 'industry', 'employeeRange', 'fundingRaised', 'lastFundingDate', 'foundationYear', 'groups', 'companies', 'people', 'createdBy', 'createdAt'];

function sourceOf(kind: Kind, place: Source['place'], custom: Field[]): Source {
	const standard = kind.fields.filter((f) => grouped.includes(filterName(f)) && !UNGROUPED.includes(f.name));
	const own = custom.filter((f) => f.type !== 'long' && f.type !== 'text');
	return {
		id: kind.path,
		title: kind.title,
		path: kind.path,
		place,
		kind,
		groupBy: [...own.map(choiceOf), ...standard.map(choiceOf), {name: 'updatedAt', label: t('updated'), dated: true}],
		measured: [...custom, ...kind.fields].filter((f) => f.type === 'number'),
		custom,
	};
}

const dueLabel = () => taskFields.find((f) => f.name === 'dueAt')!.label;
const tasks = (): Source => ({
	id: '/v1/tasks',
	title: t('tasks'),
	path: '/v1/tasks',
	place: {kind: 'tasks'},
	groupBy: [
		{name: 'assigneeUserId', label: t('for'), dated: false},
		{name: 'createdBy', label: t('createdBy'), dated: false},
		{name: 'dueAt', label: dueLabel(), dated: true},
		{name: 'completedAt', label: t('doneOn'), dated: true},
		{name: 'createdAt', label: t('created'), dated: true},
	],
	measured: [],
	custom: [],
});

async function objectSources(): Promise<Source[]> {
	const found: {group: string; type: string}[] = [];
	for (const {id} of await loadGroups()) {
		if (found.length >= TYPES_MAX) break;
		for (const {name} of await loadTypes(id)) found.push({group: id, type: name});
	}
	return Promise.all(
		found.slice(0, TYPES_MAX).map(async ({group, type}) => {
			const kind = objects(group, type);
			return sourceOf(kind, {kind: 'objects', groupId: group, objectType: type}, await loadFields(group, type));
		}),
	);
}

export async function loadSources(): Promise<Source[]> {
	return [...(await objectSources()), sourceOf(people, {kind: 'people'}, []), sourceOf(companies, {kind: 'companies'}, []), tasks()];
}

export const sourceOfView = (sources: Source[], view: Pick<SavedView, 'kind' | 'groupId' | 'objectType'>) =>
	sources.find(({place}) => place.kind === view.kind && (place.kind !== 'objects' || (place.groupId === view.groupId && place.objectType === view.objectType)));

export const listOf = (names: string | string[] | undefined): string[] => (names === undefined ? [] : Array.isArray(names) ? names : [names]);
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
