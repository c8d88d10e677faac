/* The fields of the API: their order on the screen, and what only readers need. The rest is in the table that the build makes of the
 * program's own (server/command/field_table.c). */
import {tables} from 'made/fields';
import {t, textOf} from '../texts/text';
import type {Field, FieldType} from './fields';

type Resource = keyof typeof tables;
/* Names of fields are checked by the compiler. */
export type NameIn<R extends Resource> = (typeof tables)[R][number]['name'];

/* A row of the tables, which the build makes of the program's own (server/command/field_table.c). */
interface Described {
	readonly name: string;
	readonly type: FieldType;
	readonly max?: number;
	readonly itemMax?: number;
	readonly choices?: readonly string[];
	readonly unset?: string;
	readonly watched?: number;
	readonly writable?: boolean;
	readonly nullable?: boolean;
	readonly required?: boolean;
	readonly filtered?: boolean;
}

/* What only readers need. The label of a field without one is the text with its name; else the name in words: jobTitle is "Job title". */
const looks: {[name in NameIn<Resource>]?: Partial<Field>} = {
	fullName: {hint: t('nameHint')},
	emails: {label: t('email'), type: 'emails'},
	phones: {label: t('phone'), type: 'phones'},
	urls: {type: 'urls'},
	addresses: {label: t('address'), type: 'addresses'},
	foundationYear: {max: 4},
	createdAt: {label: t('created'), type: 'day'},
	dueAt: {label: t('due')},
	dueTime: {label: t('at')},
	assignedUsers: {label: t('for')},
	activityType: {label: t('type')},
	dateTime: {label: t('when')},
};

/* Longer texts have several lines. */
const ONE_LINE_MAX = 1000;

const rowOf = <R extends Resource>(resource: R, name: NameIn<R>): Described => {
	const rows: readonly Described[] = tables[resource];
	return rows.find((row) => row.name === name)!;
};
const labelOf = (name: string) => textOf(name) ?? name[0]!.toUpperCase() + name.slice(1).replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`);

function fieldOf(row: Described): Field {
	const {name, type, max, itemMax, choices, unset, required} = row;
	return {
		key: name,
		name,
		label: labelOf(name),
		type: type === 'text' && (max ?? 0) > ONE_LINE_MAX ? 'long' : type,
		choices: choices && [...(required ? [] : [unset ?? '']), ...choices],
		unset,
		max: itemMax ?? max,
		makes: type === 'companies' && itemMax !== undefined,
		nullable: row.nullable,
		watched: row.watched,
		filterOnly: !row.writable,
		unfiltered: !row.filtered,
		...looks[name as NameIn<Resource>],
	};
}

/* In a list of names: the place of the writable fields that it does not name. */
const OTHERS = '*';

function fieldsOf<R extends Resource>(resource: R, names: (NameIn<R> | typeof OTHERS)[]): Field[] {
	const rows: readonly Described[] = tables[resource];
	const others = rows.filter((row) => row.writable && !(names as string[]).includes(row.name));
	return names.flatMap((name) => (name === OTHERS ? others.map(fieldOf) : fieldOf(rowOf(resource, name))));
}

export const maxOf = <R extends Resource>(resource: R, name: NameIn<R>) => rowOf(resource, name).max;

/* The attributes of records that webhooks may watch, in the API's order. */
export const watchedOf = (fields: Field[]) => fields.filter((x) => x.watched).sort((a, b) => a.watched! - b.watched!);

export const personFields: Field[] = [
	...fieldsOf('person', [
		'firstName', 'lastName', 'fullName', 'jobTitle', 'companies', 'emails', 'phones', 'urls', 'addresses', 'birthday',
		'gender', OTHERS, 'description', 'groups',
	]).map((x) => (x.name === 'companies' ? {...x, label: t('companyField')} : x)),
	{
		...fieldOf({name: 'interactionMetadata.workspace.lastInteractedAt', type: 'day', filtered: true}),
		label: t('lastInteraction'),
	},
	...fieldsOf('person', ['createdAt', 'createdBy']),
];

export const companyFields = fieldsOf('company', [
	'name', 'industry', 'emails', 'phones', 'urls', 'addresses', 'employeeRange', 'foundationYear', 'fundingRaised',
	'lastFundingDate', OTHERS, 'description', 'groups', 'createdAt', 'createdBy',
]);

export const objectFields = fieldsOf('object', ['name', 'companies', 'people', OTHERS, 'createdAt', 'createdBy']);
export const noteFields = fieldsOf('note', ['content']).map((x) => ({...x, label: t('noteField')}));
export const taskFields = fieldsOf('task', ['title', 'description', 'dueAt', 'dueTime', 'assignedUsers', 'recurrenceFrequency']);
export const interactionFields = fieldsOf('interaction', ['title', 'activityType', 'dateTime', 'content']);
/* In events. */
export const userFields = ['fullName', 'role', 'timeZone'].map((name) => fieldOf({name, type: 'text'}));
/* What only imports set. */
const importedBy = fieldOf({name: 'createdBy', type: 'user'});
export const importedFields = {
	note: [...fieldsOf('note', ['visibility', 'createdAt']), importedBy],
	task: fieldsOf('task', ['completedAt', 'createdAt', 'createdBy']).map((x) => (x.name === 'completedAt' ? {...x, filterOnly: false} : x)),
	interaction: [fieldOf({name: 'createdAt', type: 'moment'}), importedBy],
};
export const activityTypes = rowOf('interaction', 'activityType').choices!;
