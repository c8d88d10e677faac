/* What the set-up reads and changes: groups, their members, object types and custom fields. */
import {get, listAll} from '../api';
import type {Key} from '../operate/data';
import type {Option} from '../records/fields';
import type {Group} from '../records/kinds';
import {t} from '../texts/text';

export type Role = 'admin' | 'contributor' | 'reader';

export interface Member {
	id: string;
	fullName: string;
	email: string;
	role: Role;
}

export interface ObjectType {
	name: string;
	createdAt: string;
}

export interface NumberConfig {
	format: string;
	currency?: string;
	decimals?: number;
}

export interface Definition {
	name: string;
	type: string;
	options?: Option[];
	config?: NumberConfig;
}

export const labeled = (texts: Record<string, string>) => Object.entries(texts).map(([value, label]) => ({value, label}));

export const roles: Record<Role, string> = {
	contributor: t('roleContributor'),
	reader: t('roleReader'),
	admin: t('roleAdmin'),
};

export const visibilities: Record<string, string> = {
	public: t('visibilityPublic'),
	private: t('visibilityPrivate'),
};

/* The first one is what a new field has: it is used most. */
export const fieldTypes: Record<string, string> = {
	singleSelect: t('typeSingleSelect'),
	multipleSelect: t('typeMultipleSelect'),
	textField: t('typeText'),
	numericField: t('typeNumber'),
	dateField: t('typeDate'),
	contactField: t('typeContact'),
	userField: t('typeUser'),
	objectField: t('typeObject'),
};

export const formats: Record<string, string> = {
	default: t('formatDefault'),
	number: t('formatNumber'),
	percent: t('formatPercent'),
	currency: t('formatCurrency'),
	none: t('formatNone'),
};

export const hasOptions = (type: string) => type === 'singleSelect' || type === 'multipleSelect';

export const pathOf = (group: string, ...more: string[]) => ['/v1/groups', ...[group, ...more].map(encodeURIComponent)].join('/');

/* What the caller may change. */
export interface Rights {
	/* Any group that they may see. */
	all: boolean;
	/* New groups, and groups that have them as an admin. */
	own: boolean;
}

export async function loadRights(signal: AbortSignal): Promise<Rights> {
	const {role, scopes, groups} = (await get<Key>('/v1/keys/me', signal)).data;
	const own = scopes.includes('admin');
	return {all: own && role === 'admin', own: own && groups === null};
}

export interface GroupParts {
	group: Group;
	members: Member[];
	types: ObjectType[];
	rights: Rights;
}

export async function loadGroup(id: string, signal: AbortSignal): Promise<GroupParts> {
	const [group, members, types, rights] = await Promise.all([
		get<Group>(pathOf(id), signal),
		listAll<Member>(pathOf(id, 'members'), 2000, signal),
		listAll<ObjectType>(pathOf(id, 'object-types'), 1000, signal),
		loadRights(signal),
	]);
	return {group: group.data, members, types, rights};
}
