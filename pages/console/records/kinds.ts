/* The kinds of records that have tables and pages, and the settings that their pages need. */
import {ApiError, get, listAll, session, type Page} from '../api';
import {inSentence, t} from '../texts/text';
import {companyFields, objectFields, personFields} from './apifields';
import {type Definition, type Field, type RecordData, type Ref, customField, nameOf} from './fields';

export interface Kind {
	name: 'people' | 'companies' | 'objects';
	/* In addresses of the console, and of the API. */
	route: string[];
	path: string;
	one: string;
	many: string;
	title: string;
	nameMember: 'fullName' | 'name';
	/* Of its custom fields: person, company, or the object type. */
	entity: string;
	fields: Field[];
	/* Objects: their group. */
	group?: string;
}

export const people: Kind = {
	name: 'people',
	route: ['people'],
	path: '/v1/people',
	one: t('person'),
	many: t('peopleIn'),
	title: t('people'),
	nameMember: 'fullName',
	entity: 'person',
	fields: personFields,
};

export const companies: Kind = {
	name: 'companies',
	route: ['companies'],
	path: '/v1/companies',
	one: t('company'),
	many: t('companiesIn'),
	title: t('companies'),
	nameMember: 'name',
	entity: 'company',
	fields: companyFields,
};

/* Types whose names have a known singular. A rule would make wrong words of others, such as "Movies" or the German "Kurs". */
const SINGULARS = new Set([
	'asset', 'booking', 'campaign', 'candidate', 'case', 'contract', 'course', 'deal', 'donation', 'event', 'invoice', 'job', 'lead',
	'offer', 'opportunity', 'order', 'policy', 'product', 'project', 'property', 'proposal', 'quote', 'request', 'subscription', 'ticket',
]);

/* "Deals" and "Deal" are one "deal" and many "deals"; "Movies" are one "record (Movies)" and many "Movies". */
function wordsOf(type: string): {one: string; many: string} {
	const one = type.replace(/ies$/, 'y').replace(/s$/, '');
	if (SINGULARS.has(one.toLowerCase())) return {one: inSentence(one), many: inSentence(`${one.replace(/y$/, 'ie')}s`)};
	return type ? {one: `${t('record')} (${type})`, many: type} : {one: t('record'), many: t('records')};
}

export function objects(group: string, type: string): Kind {
	return {
		name: 'objects',
		route: ['objects', group, type],
		path: `/v1/groups/${encodeURIComponent(group)}/${encodeURIComponent(type)}`,
		...wordsOf(type),
		title: type,
		nameMember: 'name',
		entity: type,
		fields: objectFields,
		group,
	};
}

/* What tells a record from others of the same name: job title or industry, and the first company. */
export const aboutOf = (record: RecordData) => [record.jobTitle ?? record.industry, nameOf((record.companies as Ref[] | undefined)?.[0] ?? {id: ''})].filter(Boolean).join(' · ');
export const titleOf = (kind: {nameMember: string; one: string}, record: RecordData) => String(record[kind.nameMember] || '') || t('unnamedThing', {thing: kind.one});

/* The page of a referenced record; only for objects an id is not enough. */
export function routeOfId(id: string): string[] | null {
	return id.startsWith('per_') ? ['people', id] : id.startsWith('com_') ? ['companies', id] : null;
}

/* --- settings, read once for each user: others see other groups ------------------------------ */

const kept = new Map<string, Promise<unknown>>();

function once<T>(name: string, load: () => Promise<T>): Promise<T> {
	const key = `${session.user?.id} ${name}`;
	let found = kept.get(key) as Promise<T> | undefined;
	if (!found) {
		found = load();
		kept.set(key, found);
		found.catch(() => kept.delete(key));
	}
	return found;
}

/* Who shows settings, such as the navigation, reads them again. */
const watchers = new Set<() => void>();

export function watchSettings(fn: () => void): () => void {
	watchers.add(fn);
	return () => void watchers.delete(fn);
}

/* The settings were changed here. */
export function settingsChanged(): void {
	kept.clear();
	for (const fn of watchers) fn();
}

export interface Group extends Ref {
	name: string;
	visibility: string;
}

export const loadGroups = () => once('groups', () => listAll<Group>('/v1/groups'));
/* The caller's role in the workspace, which the user's own record does not have. */
export const loadRole = () => once('role', async () => (await get<{role?: string}>('/v1/keys/me')).data.role ?? 'member').catch(() => 'member');
export const loadUsers = () => once('users', () => listAll<Ref>('/v1/users'));
/* None of a group that was deleted since the list of groups was read. */
export const loadTypes = (group: string) =>
	once(`types ${group}`, () =>
		listAll<{name: string}>(`/v1/groups/${group}/object-types`).catch((error: unknown) => {
			if (error instanceof ApiError && error.status === 404) return [];
			throw error;
		}),
	);

/* The custom fields that the records of a kind have in a group. */
export const loadFields = (group: string, entity: string) =>
	once(`fields ${group} ${entity}`, async () => {
		const path = `/v1/groups/${group}/custom-fields/${encodeURIComponent(entity)}`;
		const inGroup = entity === 'person' || entity === 'company' ? group : '';
		return (await listAll<Definition>(path)).map((d) => customField(d, inGroup));
	});

/* The custom fields that the columns of a table may need: of objects all, of contacts those of the groups that are named. */
export async function loadColumnFields(kind: Kind, columns: string[]): Promise<Field[]> {
	if (kind.group) return loadFields(kind.group, kind.entity);
	const groups = new Set(columns.map((c) => /^customFieldValues[.](grp_[0-9a-f-]{36})[.]/.exec(c)?.[1]).filter((g) => g !== undefined));
	return (await Promise.all([...groups].map((g) => loadFields(g, kind.entity).catch(() => [])))).flat();
}

/* --- look-ups for pickers ------------------------------------------------------------------ */

async function search(path: string, member: string, text: string, signal: AbortSignal): Promise<Ref[]> {
	if (!text) return (await get<Page<Ref>>(`${path}?limit=10&sort=-updatedAt`, signal)).data.items;
	const query = new URLSearchParams({[`filter[${member}][like]`]: text, limit: '10'});
	return (await get<Page<Ref>>(`${path}?${query}`, signal)).data.items;
}

/* Records whose name contains the text, among those that a field of this type may refer to. group: of objects. */
export async function lookUp(type: string, text: string, signal: AbortSignal, group = ''): Promise<Ref[]> {
	const has = (ref: Ref) => `${ref.fullName ?? ''} ${ref.name ?? ''} ${ref.email ?? ''}`.toLowerCase().includes(text.toLowerCase());
	switch (type) {
		case 'people':
			return search('/v1/people', 'fullName', text, signal);
		case 'companies':
			return search('/v1/companies', 'name', text, signal);
		case 'contacts': {
			const [p, c] = await Promise.all([lookUp('people', text, signal), lookUp('companies', text, signal)]);
			return [...p.slice(0, 6), ...c.slice(0, 6)];
		}
		case 'groups':
			return (await loadGroups()).filter(has).slice(0, 20);
		case 'users':
		case 'user':
			return (await loadUsers()).filter(has).slice(0, 20);
		default: {
			if (!group) return [];
			const types = (await loadTypes(group)).slice(0, 5);
			const found = await Promise.all(types.map((t) => search(objects(group, t.name).path, 'name', text, signal)));
			return found.flat().slice(0, 20);
		}
	}
}
