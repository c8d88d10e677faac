/* The columns of the tables. */
import type {Column} from '../parts/table';
import {ShortTime} from '../parts/text';
import {hrefOf} from '../route';
import {t} from '../texts/text';
import {type Field, type NameIn, type RecordData, isRefs, valueOf} from './fields';
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
	label: field.label,
	render: (row) => <ValueText field={field} value={valueOf(row, field)} short />,
	number: field.type === 'number',
	minor: isMinor,
});

/* custom: the fields of the objects' type. */
export function columnsOf(kind: Kind, custom: Field[], byUpdate: boolean): Column<RecordData>[] {
	const name: Column<RecordData> = {
		key: 'name',
		label: t('name'),
		render: (row) => (
			<a class="strong" href={hrefOf([...kind.route, row.id])}>
				<bdi>{titleOf(kind, row)}</bdi>
			</a>
		),
	};
	const time: Column<RecordData> = byUpdate
		? {key: 'updatedAt', label: t('updated'), sort: 'updatedAt', render: (r) => <ShortTime at={r.updatedAt} />, minor: true}
		: {key: 'createdAt', label: t('created'), sort: 'createdAt', render: (r) => <ShortTime at={r.createdAt} />, minor: true};
	const standard = shown[kind.name].map((n) => kind.fields.find((f) => f.name === n)!);
	const few = custom.filter((f) => f.type !== 'long' || !isRefs(f)).slice(0, CUSTOM_MAX);

	return [
		name,
		...few.map((f, i) => ofField(f, i > 1)),
		...standard.map((f) => ofField(f, (minor as string[]).includes(f.name))),
		time,
	];
}
