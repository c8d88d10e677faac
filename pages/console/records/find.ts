/* Records of all kinds by what somebody types. The command palette uses this and nothing else. */
import {type Page, call} from '../api';
import type {RecordData} from './fields';
import {filterBody} from './filters';
import {type Kind, companies, loadGroups, loadTypes, objects, people, titleOf} from './kinds';

export interface Found {
	id: string;
	title: string;
	/* The kind, for instance People or Deals. */
	kind: string;
	route: string[];
}

const LIMIT = 5;
const TYPES_MAX = 4; /* each is a request, */
const GROUPS_MAX = 20; /* as are the types of each group, once */

async function findIn(kind: Kind, text: string, signal: AbortSignal): Promise<Found[]> {
	const body = {filter: filterBody(kind.name, text, [], false), limit: LIMIT};
	const {data} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body, signal});
	return data.items.map((record) => ({id: record.id, title: titleOf(kind, record), kind: kind.title, route: [...kind.route, record.id]}));
}

async function objectKinds(): Promise<Kind[]> {
	const kinds: Kind[] = [];
	for (const {id} of (await loadGroups()).slice(0, GROUPS_MAX)) {
		if (kinds.length >= TYPES_MAX) break;
		kinds.push(...(await loadTypes(id)).map(({name}) => objects(id, name)));
	}
	return kinds.slice(0, TYPES_MAX);
}

export async function find(text: string, signal: AbortSignal): Promise<Found[]> {
	if (!text) return [];
	const kinds = [people, companies, ...(await objectKinds())];
	return (await Promise.all(kinds.map((kind) => findIn(kind, text, signal)))).flat();
}
