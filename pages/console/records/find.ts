/* Records of all kinds by what somebody types. The command palette uses this and nothing else. */
import {type Page, get} from '../api';
import {t} from '../texts/text';
import {wordsOf} from './filters';
import {type Kind, companies, objects, people} from './kinds';

export interface Found {
	id: string;
	title: string;
	/* Tells records of the same name apart, for instance by job title and company. */
	subtitle: string;
	/* The kind, for instance People or Deals. */
	kind: string;
	route: string[];
}

/* As the API's search shows a record. */
interface Hit {
	id: string;
	kind: Kind['name'];
	title: string;
	subtitle: string;
	groupId?: string;
	objectType?: string;
}

/* The kinds that have a page of their own. */
const KINDS = 'people,companies,objects';

const kindOf = (hit: Hit): Kind => ({people, companies, objects: objects(hit.groupId ?? '', hit.objectType ?? '')})[hit.kind];

export async function find(q: string, signal: AbortSignal): Promise<Found[]> {
	if (!q) return [];
	const {items} = (await get<Page<Hit>>(`/v1/search?${new URLSearchParams({q: wordsOf(q), kinds: KINDS})}`, signal)).data;
	return items.map((hit) => {
		const kind = kindOf(hit);
		return {id: hit.id, title: hit.title || t('unnamedThing', {thing: kind.one}), subtitle: hit.subtitle, kind: kind.title, route: [...kind.route, hit.id]};
	});
}
