/* The columns of the tables. */
import type {Column} from '../parts/table';
import {ShortTime} from '../parts/text';
import {hrefOf} from '../route';
import {t} from '../texts/text';
import type {NameIn} from './apifields';
import {type Field, type RecordData, nameOf, valueOf} from './fields';
import {filterName} from './filters';
import {type Kind, titleOf} from './kinds';
import {ValueText} from './value';

const CUSTOM_MAX = 5;

type Names = NameIn<'person' | 'company' | 'object'>;

const shown: {people: NameIn<'person'>[]; companies: NameIn<'company'>[]; objects: NameIn<'object'>[]} = {
	people: ['jobTitle', 'companies', 'emails', 'phones', 'groups'],
	companies: ['industry', 'employeeRange', 'emails', 'urls', 'groups'],
	objects: ['companies', 'people'],
};
const minor: Names[] = ['companies', 'jobTitle', 'industry', 'groups', 'urls', 'phones', 'employeeRange', 'people'];

const ofField = (field: Field, isMinor: boolean): Column<RecordData> => ({
	key: field.key,
	name: filterName(field),
	label: field.label,
	render: (row) => <ValueText field={field} value={valueOf(row, field)} short />,
	number: field.type === 'number',
	minor: isMinor,
});

const timeColumn = (name: 'updatedAt' | 'createdAt', label: string): Column<RecordData> => ({
	key: name,
	label,
	sort: name,
	render: (row) => <ShortTime at={row[name]} />,
	minor: true,
});

const MET = 'interactionMetadata.workspace.lastInteractedAt';
const metAt = (row: RecordData) => (row.interactionMetadata as {workspace?: {lastInteractedAt?: string | null}} | undefined)?.workspace?.lastInteractedAt;

/* The columns that can be chosen, by their names in views. The name of the record is always the first column. */
function columnOf(fields: Field[], name: string): Column<RecordData> | null {
	const field = fields.find((f) => filterName(f) === name);

	if (name === 'updatedAt') return timeColumn(name, t('updated'));
	if (name === 'createdAt') return timeColumn(name, t('created'));
	if (!field) return null;
	if (name === MET) return {key: name, label: field.label, render: (row) => (metAt(row) ? <ShortTime at={metAt(row)!} /> : '')};
	if (name === 'createdBy') return {key: name, label: field.label, render: (row) => <bdi>{row.createdBy ? nameOf(row.createdBy) : ''}</bdi>};
	return ofField(field, false);
}

/* What a cell says, for files. */
export function cellText(row: RecordData, name: string, fields: Field[]): string {
	const field = fields.find((f) => filterName(f) === name);
	if (name === 'updatedAt' || name === 'createdAt') return row[name];
	if (name === MET) return metAt(row) ?? '';
	if (name === 'createdBy') return row.createdBy ? nameOf(row.createdBy) : '';
	const value = field ? valueOf(row, field) : '';
	return Array.isArray(value) ? value.map((v) => (typeof v === 'string' ? v : nameOf(v))).join('; ') : String(value ?? '');
}

export const nameColumn = (kind: Kind): string => (kind.name === 'people' ? 'fullName' : 'name');

/* The names of the columns that a table has without a choice. custom: the fields of the objects' type. */
export function usualColumns(kind: Kind, custom: Field[]): string[] {
	const few = kind.group ? custom.slice(0, CUSTOM_MAX) : [];
	return [...few.map(filterName), ...shown[kind.name], 'updatedAt', 'createdAt'];
}

/* custom: the fields of the objects' type, or of the groups whose columns are among the chosen ones. */
export function columnsOf(kind: Kind, custom: Field[], chosen: string[]): Column<RecordData>[] {
	const fields = [...kind.fields, ...custom];
	const name: Column<RecordData> = {
		key: 'name',
		label: t('name'),
		render: (row) => (
			<a class="strong name" data-name={titleOf(kind, row)} href={hrefOf([...kind.route, row.id])}>
				<bdi>{titleOf(kind, row)}</bdi>
			</a>
		),
	};
	const usual = !chosen.length;
	const names = (usual ? usualColumns(kind, custom) : chosen).filter((n) => n !== nameColumn(kind));
	const columns = names.map((n) => columnOf(fields, n)).filter((c) => c !== null);
	const isMinor = (n: string, i: number) => (minor as string[]).includes(n) || (custom.length > 0 && i > 1 && i < CUSTOM_MAX);

	return [name, ...columns.map((c, i) => (usual ? {...c, minor: c.minor || isMinor(names[i]!, i)} : c))];
}
