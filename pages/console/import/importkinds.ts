/* The kinds of records that a file can have. */
import type {Field} from '../records/fields';
import {importedFields, interactionFields, noteFields, taskFields} from '../records/apifields';
import {type Kind, companies, objects, people} from '../records/kinds';
import {interactionKind} from '../records/interactions';
import {noteKind} from '../records/notes';
import {taskKind} from '../records/tasks';
import {t} from '../texts/text';

export type ImportName = Kind['name'] | 'notes' | 'tasks' | 'interactions';

export interface ImportKind extends Omit<Kind, 'name' | 'nameMember'> {
	name: ImportName;
	nameMember: string;
	/* It is about one record. */
	about?: boolean;
	/* By what records that exist are found. */
	matches: string[];
	/* Records are deleted in batches. */
	batchDelete: boolean;
}

/* An object type, with its group. */
export interface TypeOf {
	group: string;
	groupName: string;
	type: string;
}

const activity = (name: ImportName, kind: {one: string; many: string; path: string}, title: string, nameMember: string, fields: Field[]): ImportKind => ({
	name, route: [], path: kind.path, one: kind.one, many: kind.many, title, nameMember, entity: '', fields, about: true, matches: [], batchDelete: false,
});

const kinds: Record<Exclude<ImportName, 'objects'>, ImportKind> = {
	people: {...people, matches: ['emails', 'phones', 'fullName'], batchDelete: true},
	companies: {...companies, matches: ['name', 'emails', 'urls'], batchDelete: true},
	notes: activity('notes', noteKind, t('notes'), 'content', [...noteFields, ...importedFields.note]),
	tasks: activity('tasks', taskKind, t('tasks'), 'title', [...taskFields, ...importedFields.task]),
	interactions: activity('interactions', interactionKind, t('interactions'), 'title', [...interactionFields, ...importedFields.interaction]),
};

export const importNames: ImportName[] = ['people', 'companies', 'objects', 'notes', 'tasks', 'interactions'];

export function importKind(name: ImportName, group: string, type: string): ImportKind {
	return name === 'objects' ? {...objects(group, type), title: type || t('importObjects'), matches: ['name'], batchDelete: true} : kinds[name];
}

export const titleOfName = (name: ImportName) => (name === 'objects' ? t('importObjects') : kinds[name].title);
