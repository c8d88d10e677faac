/* What a field is, and its values in a record: how they are read, compared and sent. */
import {textOf} from '../texts/text';

export type FieldType =
	| 'text' | 'long' | 'date' | 'year' | 'time' | 'moment' | 'number' | 'choice'
	| 'texts' | 'addresses' | 'emails' | 'phones' | 'urls'
	| 'groups' | 'companies' | 'people' | 'contacts' | 'users' | 'objects'
	| 'option' | 'options'
	| 'day' | 'user';

export interface Option {
	id: string;
	label: string;
	color?: string;
}

export interface Field {
	/* Unique in the record: the member's name, or group and name of a custom field. */
	key: string;
	name: string;
	label: string;
	type: FieldType;
	/* A custom field; group is '' for those of objects. */
	custom?: {group: string};
	choices?: string[];
	/* The choice that stands for no value. */
	unset?: string;
	options?: Option[];
	currency?: string;
	percent?: boolean;
	max?: number;
	/* An unknown name creates the record. */
	makes?: boolean;
	/* An empty value is sent as null. */
	nullable?: boolean;
	/* Its place among the attributes that webhooks may watch. */
	watched?: number;
	/* Only for filters. */
	filterOnly?: boolean;
	/* Not for filters. */
	unfiltered?: boolean;
	/* The name for filters, if it differs from the name for writes. */
	filterAs?: string;
	hint?: string;
}

/* A custom field, as the API describes it. */
export interface Definition {
	name: string;
	type: string;
	options?: Option[];
	config?: {format?: string; currency?: string};
}

export interface Ref {
	id: string;
	name?: string;
	fullName?: string;
	email?: string;
	entityType?: string;
}

export type Value = string | null | string[] | Ref[];

export interface RecordData {
	id: string;
	createdAt: string;
	updatedAt: string;
	createdBy?: Ref;
	groups?: Ref[];
	customFieldValues?: Record<string, unknown>;
	[member: string]: unknown;
}

/* The values that were typed and not saved yet, by the field's key. */
export type Draft = Record<string, Value>;

/* A choice of the API as readers call it; the names of services are the same in all languages. */
export const choiceText = (choice: string) => textOf(`choice_${choice}`) ?? choice;

/* --- custom fields ------------------------------------------------------------------------- */

const customTypes: Record<string, FieldType> = {
	textField: 'long',
	numericField: 'number',
	dateField: 'date',
	singleSelect: 'option',
	multipleSelect: 'options',
	contactField: 'contacts',
	userField: 'users',
	objectField: 'objects',
};

/* group is '' for fields of objects. */
export function customField(definition: Definition, group: string): Field {
	const {name, type, options, config} = definition;
	return {
		key: `${group}:${name}`,
		name,
		label: name,
		type: customTypes[type] ?? 'text',
		custom: {group},
		options,
		currency: config?.format === 'currency' ? config.currency : undefined,
		percent: config?.format === 'percent',
		max: 5000,
		filterAs: group ? `customFieldValues.${group}.${name}` : `customFieldValues.${name}`,
	};
}

/* --- values ------------------------------------------------------------------------------- */

const LISTS: FieldType[] = ['texts', 'addresses', 'emails', 'phones', 'urls', 'options'];
const REFS: FieldType[] = ['groups', 'companies', 'people', 'contacts', 'users', 'objects'];

export const isList = (field: Field) => LISTS.includes(field.type);
export const isChoice = (field: Field) => field.type === 'choice' || field.type === 'option';
export const isRefs = (field: Field) => REFS.includes(field.type);
/* Has several items, so that two versions can be joined. */
export const isMany = (field: Field) => isList(field) || isRefs(field);

export const nameOf = (ref: Ref) => ref.fullName || ref.name || ref.email || ref.id;

export function emptyValue(field: Field): Value {
	return isMany(field) ? [] : field.type === 'choice' ? (field.choices?.[0] ?? '') : '';
}

export function valueOf(record: RecordData | null, field: Field): Value {
	if (!record) return emptyValue(field);
	let found: unknown;
	if (!field.custom) found = record[field.name];
	else {
		const values = record.customFieldValues ?? {};
		const own = field.custom.group ? values[field.custom.group] : values;
		found = (own as Record<string, unknown> | undefined)?.[field.name];
	}
	return (found as Value | null | undefined) ?? emptyValue(field);
}

function plain(value: Value): unknown {
	if (!Array.isArray(value)) return value ?? '';
	const items = value.map((item) => (typeof item === 'string' ? item : item.id || item.name || ''));
	return items.filter((item) => item.trim() !== '');
}

export const sameValue = (a: Value, b: Value) => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

/* A version with the items of both; those of a come first. */
export function joined(a: Value, b: Value): Value {
	const all = [...(a as (string | Ref)[])];
	for (const item of b as (string | Ref)[]) {
		if (!all.some((other) => sameValue([other] as Value, [item] as Value))) all.push(item);
	}
	return all as Value;
}

function sent(field: Field, value: Value): unknown {
	if (isRefs(field)) return (value as Ref[]).map((r) => (r.id ? {id: r.id} : {name: r.name}));
	if (isList(field)) return (value as string[]).filter((s) => s.trim() !== '');
	if ((field.custom || field.nullable) && value === '') return null;
	return value;
}

/* The members of a body for the values in draft. */
export function bodyOf(fields: Field[], draft: Draft): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	const custom: Record<string, unknown> = {};

	for (const field of fields) {
		const value = draft[field.key];
		if (value === undefined) continue;
		if (!field.custom) body[field.name] = sent(field, value);
		else if (!field.custom.group) custom[field.name] = sent(field, value);
		else ((custom[field.custom.group] ??= {}) as Record<string, unknown>)[field.name] = sent(field, value);
	}
	if (Object.keys(custom).length) body.customFieldValues = custom;
	return body;
}

/* The field that an issue's path belongs to. */
export function fieldAt(fields: Field[], path: (string | number)[]): Field | undefined {
	if (path[0] !== 'customFieldValues') return fields.find((x) => !x.custom && x.name === path[0]);
	return fields.find((x) => x.custom && (x.custom.group ? x.custom.group === path[1] && x.name === path[2] : x.name === path[1]));
}
