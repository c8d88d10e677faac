/* The pages that a key or the command palette opens. */
import {companies, people} from '../records/kinds';
import {sections} from '../sections';
import {t} from '../texts/text';

export interface Place {
	label: string;
	path: string[];
	/* Pressed after "g". */
	key?: string;
}

export const places: Place[] = [
	{label: people.title, path: people.route, key: 'p'},
	{label: companies.title, path: companies.route, key: 'c'},
	...sections.map(({label, id, key}) => ({label, path: [id], key})),
];

/* Pages that only the palette opens. */
export const makers: Place[] = [people, companies].map((kind) => ({
	label: t('newThing', {thing: kind.one}),
	path: [...kind.route, 'new'],
}));
