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

const placesOf = (first: boolean) => sections.filter((s) => !!s.first === first).map(({label, id, key}) => ({label, path: [id], key}));

export const places: Place[] = [
	...placesOf(true),
	{label: people.title, path: people.route, key: 'p'},
	{label: companies.title, path: companies.route, key: 'c'},
	...placesOf(false),
];

/* Pages that only the palette opens. */
export const makers: Place[] = [people, companies].map((kind) => ({
	label: t('newThing', {thing: kind.one}),
	path: [...kind.route, 'new'],
}));
