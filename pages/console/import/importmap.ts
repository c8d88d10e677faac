/* Maps the columns of a file to fields, as transfer/mapping.c does: by the API's names, by the headings of other programs
 * (transfer/headings.json), and by the custom fields of the group. */
import tables from '../../../transfer/headings.json';
import {t} from '../texts/text';
import type {Field} from '../records/fields';
import {type ImportKind, type ImportName, importNames} from './importkinds';
import type {Entry, Source} from './importfile';

/* A field by its name, with the number of an address behind a blank; "customFieldValues.X"; or one of these. */
export const SKIP = '-';
export const UNKNOWN = ''; /* left out, unless somebody chooses a field */
export const DONE = 'done'; /* of tasks: whether they are */
export const ABOUT = ['entity', 'entity.object', 'entity.person', 'entity.company']; /* the record that a note is about */
const CUSTOM = 'customFieldValues.';
const ADDRESS_PARTS = ['poBox', 'extended', 'street', 'city', 'region', 'postalCode', 'country'] as const;
const NAME_PARTS = ['prefix', 'middle', 'suffix'] as const;
export const BIRTH_PARTS = ['birthday.year', 'birthday.month', 'birthday.day'] as const;
const KIND = 'recordKind'; /* whether a record is a person or a company */
const LABEL = 'phones.label'; /* what the phone of the same number is for */
const OWN_PROPERTY = 'X-KITH-'; /* before the name of a field in our vCards */
const ADDRESSES_MAX = 3; /* that are offered */

export interface Choice {
	value: string;
	label: string;
}

export interface Mapping {
	targets: string[];
	/* Known headings for which kith has no field: they are left out. */
	noField: boolean[];
	/* Columns whose field is only similar. */
	suggested: boolean[];
	/* The program that wrote the file. */
	origin: string | null;
}

interface HeadingTable {
	program: string;
	kinds: string[];
	signatures?: string[][];
	/* The first heading of a pair is a form of address if the file has the second one, too. */
	salutations?: [string, string][];
	/* Words for the choices of a field; '': an unset value. */
	values?: Record<string, Record<string, string> | undefined>;
	headings: Record<string, string | undefined>;
}

/* Headings are compared without case, blanks and punctuation. */
const normal = (text: string) => text.slice(0, 1000).toLowerCase().replace(/[^a-z0-9#\u0080-\uffff]/g, '');

const indexes = new Map<string, Map<string, string>>();
const tablesOf = (kind: Pick<ImportKind, 'name'>) => (tables as unknown as HeadingTable[]).filter((table) => table.kinds.includes(kind.name));

/* The headings of a program; without one, of all. */
function indexOf(kind: Pick<ImportKind, 'name'>, origin = ''): Map<string, string> {
	const name = `${kind.name} ${origin}`;
	let index = indexes.get(name);
	if (!index) {
		index = new Map();
		for (const {headings} of tablesOf(kind).filter(({program}) => !origin || program === origin))
			for (const [heading, field] of Object.entries(headings)) if (!index.has(normal(heading))) index.set(normal(heading), field!);
		indexes.set(name, index);
	}
	return index;
}

/* A heading as the tables have it: its first number is "#". */
function numbered(column: string): {text: string; number: number} {
	const text = normal(column);
	const digits = /\d{1,4}/.exec(text)?.[0] ?? '';
	return {text: digits ? text.replace(digits, '#') : text, number: Number(digits)};
}

/* Of two columns with the same heading the first one is the form of address. */
const isSalutation = (kind: ImportKind, columns: string[], at: number) =>
	tablesOf(kind).some(({salutations = []}) => salutations.some(([first, second]) =>
		normal(columns[at]!) === normal(first) && columns.some((other, i) => normal(other) === normal(second) && (i > at || normal(first) !== normal(second)))));

/* The choice of a field that a word means; '': an unset value; undefined: unknown. */
export const choiceOfWord = (kind: Pick<ImportKind, 'name'>, field: string, text: string): string | undefined =>
	tablesOf(kind).flatMap(({values}) => Object.entries(values?.[field] ?? {})).find(([word]) => normal(word) === normal(text))?.[1];

/* The kind of records that some program writes with these columns; undefined: unknown. Columns of deals are those of contacts, too, so
 * they come first. */
export function kindOfColumns(columns: string[]): ImportName | undefined {
	const known = (name: ImportName) => columns.filter((column) => indexOf({name}).has(numbered(column).text)).length;
	const found = importNames.map((name) => ({name, headings: 0, known: known(name), ...originOf({name}, columns)}));
	/* The more headings say so, the surer it is: Organization Name is one of people, too. Then the kind counts that knows more columns: a
	 * report of Salesforce's contacts has what tells its accounts. */
	const isSurer = (one: (typeof found)[0], best: (typeof found)[0]) => one.headings - best.headings || one.known - best.known;
	const best = found.reduce((best, one) => (isSurer(one, best) >= 0 ? one : best));
	return best.headings ? best.name : undefined;
}

/* What a heading means in the files of a program. */
const rowOf = (kind: Pick<ImportKind, 'name'>, program: string | undefined, column: string) =>
	tablesOf(kind).filter((table) => table.program === program).flatMap(({headings}) => Object.entries(headings)).find(([heading]) => normal(heading) === normal(column))?.[1];

/* The program whose files tell people from companies: vCards, or what wrote both into one file. */
const tellerOf = (columns: string[], vcard: boolean) => (vcard ? 'vCard' : originOf({name: 'people'}, columns)?.program);
const tellsKind = (teller: string | undefined, column: string) => rowOf({name: 'people'}, teller, column) === KIND;

const tellers = new WeakMap<Source, {teller: string | undefined; tells: boolean[]}>(); /* tells: by column */

/* Which of both a record is; people if it does not say. */
export function recordKindOf(source: Source, entry: Entry): 'people' | 'companies' {
	let known = tellers.get(source);
	if (!known) tellers.set(source, (known = {teller: tellerOf(source.columns, source.format === 'vcard'), tells: []}));
	const {teller, tells} = known;
	const isTold = entry.values.some(({column, text}) => (tells[column] ??= tellsKind(teller, source.columns[column]!)) && choiceOfWord({name: 'people'}, KIND, text) === 'companies');
	return isTold ? 'companies' : 'people';
}

/* The number in a heading. */
const numberIn = (column: string) => Number(/\d{1,4}/.exec(column)?.[0] ?? 0);

/* For each column of phones the column that says what they are for; -1: there is none. */
export function labelsOf(kind: ImportKind, columns: string[]): number[] {
	const index = indexOf(kind);
	const rows = columns.map((column) => {
		const [field, number] = (index.get(normal(column).replace(/\d{1,4}/, '#')) ?? index.get(normal(column)) ?? '').split(' ');
		return {field, number: Number(number) || numberIn(column) || 1};
	});
	return rows.map(({field, number}) => (field === 'phones' ? rows.findIndex((other) => other.field === LABEL && other.number === number) : -1));
}

/* The program that wrote the columns, and how many headings tell it. They are compared letter for letter: "Record ID" and "Record Id"
 * are of different programs. */
function originOf(kind: Pick<ImportKind, 'name'>, columns: string[]): {program: string; headings: number} | null {
	const isThere = (all: string[]) => all.every((heading) => columns.includes(heading));
	const found = tablesOf(kind).flatMap(({program, signatures}) => (signatures ?? []).filter(isThere).map((all) => ({program, headings: all.length})));
	return found.sort((x, y) => y.headings - x.headings)[0] ?? null;
}

/* --- one column -------------------------------------------------------------------------------- */

export const isWritable = (field: Field) => !field.filterOnly || field.name === 'createdAt' || field.name === 'createdBy';
export const isUsable = (field: Field) => !field.custom || ['long', 'number', 'date', 'option', 'options', 'users'].includes(field.type);

interface Fields {
	kind: ImportKind;
	custom: Field[];
}

/* Members that answers have and no create takes; what the file of refused records adds. */
const READ = ['_refused', '_line', 'id', 'updatedAt', 'interactionMetadata', 'otherId'];

/* A field, or a custom one. */
function ownTarget({kind, custom}: Fields, name: string): string | undefined {
	if (name.startsWith(CUSTOM)) return custom.some((f) => f.name === name.slice(CUSTOM.length) && isUsable(f)) ? name : undefined;
	return kind.fields.some((f) => f.name === name && isWritable(f)) ? name : undefined;
}

/* The target of a field's name; undefined: there is no such field. */
function targetOf({kind, custom}: Fields, name: string, number: number): string | undefined {
	const [parent, part = ''] = name.split('.');
	if (READ.includes(name) || name === KIND || name === LABEL) return SKIP;
	if (kind.about && ABOUT.includes(name)) return name;
	if (kind.name === 'tasks' && name === DONE) return name;
	if (kind.about || kind.name === 'objects') return ownTarget({kind, custom}, name);
	if (parent === 'address') return (ADDRESS_PARTS as readonly string[]).includes(part) ? `${name} ${number}` : undefined;
	if (parent === 'name' && part && kind.name === 'people') return (NAME_PARTS as readonly string[]).includes(part) ? name : undefined;
	if ((BIRTH_PARTS as readonly string[]).includes(name) && kind.name === 'people') return name;
	const found = ownTarget({kind, custom}, name);
	return found === 'addresses' ? `${name} ${number}` : found;
}

/* A custom field that has the name of any heading that leads to the same field. */
function customMeant({kind, custom}: Fields, field: string): Field | undefined {
	const names = [field.slice(CUSTOM.length)];
	for (const [heading, to] of indexOf(kind)) if (to === field) names.push(heading);
	return custom.find((f) => names.some((name) => normal(name) === normal(f.name)));
}

function byHeading(fields: Fields, column: string, origin = ''): string | null | undefined {
	const {text, number: given} = numbered(column);
	const found = indexOf(fields.kind, origin).get(text);
	if (found === undefined) return undefined;
	if (found === SKIP) return SKIP;
	if (found.startsWith(CUSTOM)) {
		const custom = customMeant(fields, found);
		return custom && isUsable(custom) ? CUSTOM + custom.name : null;
	}
	const [name = '', number] = found.split(' ');
	return targetOf(fields, name, Number(number) || given || 1) ?? null;
}

/* True when a cell of the column may name several companies of a person, with ';' between them. */
export const mayNameSeveral = (kind: ImportKind, column: string): boolean => normal(column) === 'companies' || !!indexOf(kind).get(normal(column))?.endsWith(' *');

/* All names that kith itself has for columns. */
const namesOf = (kind: ImportKind) => [
	...kind.fields.filter(isWritable).map((f) => f.name),
	...READ,
	...(kind.about ? ABOUT : kind.name === 'objects' ? [] : ADDRESS_PARTS.map((part) => `address.${part}`)),
	...(kind.name === 'people' ? [...NAME_PARTS.map((part) => `name.${part}`), ...BIRTH_PARTS] : []),
];

/* null: a known heading without a field; undefined: unknown. */
function resolve(fields: Fields, at: number, columns: string[], teller: string | undefined, origin: string | null): string | null | undefined {
	const column = columns[at]!;
	if (tellsKind(teller, column)) return SKIP;
	const exact = targetOf(fields, column, 1);
	if (exact) return exact;
	if (isSalutation(fields.kind, columns, at)) return 'name.prefix';
	const custom = fields.custom.find((f) => f.name === column);
	if (custom) return isUsable(custom) ? CUSTOM + custom.name : null;
	const program = origin ? byHeading(fields, column, origin) : undefined;
	if (program !== undefined) return program;
	const name = normal(column.startsWith(OWN_PROPERTY) ? column.slice(OWN_PROPERTY.length) : column);
	const own = namesOf(fields.kind).find((own) => normal(own) === name);
	if (own) return targetOf(fields, own, 1);
	const heading = byHeading(fields, column);
	if (heading !== undefined) return heading;
	const like = fields.custom.find((f) => normal(f.name) === name && isUsable(f));
	return like ? CUSTOM + like.name : undefined;
}

/* --- suggestions --------------------------------------------------------------------------------- */

const TYPOS_MAX = 2;

/* Edits between two short texts; two characters that changed places are one. */
function distance(a: string, b: string): number {
	const rows = [Array.from({length: b.length + 1}, (_, i) => i)];
	for (let i = 1; i <= a.length; i++) {
		const [above, row] = [rows[i - 1]!, [i]];
		for (let j = 1; j <= b.length; j++) {
			const same = a[i - 1] === b[j - 1];
			const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			row.push(Math.min(row[j - 1]! + 1, above[j]! + 1, above[j - 1]! + (same ? 0 : 1), swapped ? rows[i - 2]![j - 2]! + 1 : Infinity));
		}
		rows.push(row);
	}
	return rows[a.length]![b.length]!;
}

/* Words that only say which record is meant, or which of several values. */
const EXTRA = 'person people contact company organization organisation account record primary main other work home private business'.split(' ');
const wordsOf = (text: string) => (text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).map((w) => w.toLowerCase().replace(/ies$/, 'y').replace(/([^s])s$/, '$1'));

/* "Details" is not "emails": most typos are behind the first letter. */
const hasTypos = (a: string, b: string) =>
	a[0] === b[0] && Math.abs(a.length - b.length) <= TYPOS_MAX && distance(a, b) <= Math.min(TYPOS_MAX, Math.max(a.length, b.length) / 4);

function isNear(column: string, name: string): boolean {
	const [a, b] = [normal(column), normal(name)];
	if (hasTypos(a, b) || (b.endsWith('s') && hasTypos(a, b.slice(0, -1)))) return true;
	const [words, wanted] = [wordsOf(column), wordsOf(name)];
	return wanted.length > 0 && wanted.every((w) => words.includes(w)) && words.every((w) => wanted.includes(w) || EXTRA.includes(w));
}

function suggest(fields: Fields, column: string): string | undefined {
	if (column.length > 100) return undefined;
	const own = fields.kind.fields.find((f) => isWritable(f) && (isNear(column, f.name) || isNear(column, f.label)));
	if (own) return targetOf(fields, own.name, 1);
	const custom = fields.custom.find((f) => isUsable(f) && isNear(column, f.name));
	return custom && CUSTOM + custom.name;
}

/* --- all columns ------------------------------------------------------------------------------------ */

/* In a file with first names and without last names, "Name" is the last name, unless it has the first name, too. */
function settleNames(targets: string[], columns: string[], used: (column: number) => boolean, entries: Entry[]): void {
	const at = columns.findIndex((column, i) => normal(column) === 'name' && targets[i] === 'fullName');
	const firstName = targets.indexOf('firstName');
	if (at < 0 || firstName < 0 || targets.some((target, i) => target === 'lastName' && used(i))) return;
	let others = 0;
	for (const {values} of entries) {
		const [first, name] = [firstName, at].map((column) => values.find((v) => v.column === column)?.text);
		if (first && name) others += name.includes(first) ? -1 : 1;
	}
	if (others > 0) targets[at] = 'lastName';
}

/* used: whether a column has values; an empty one stops nobody. entries: the first ones. */
export function mapColumns(kind: ImportKind, custom: Field[], columns: string[], used: (column: number) => boolean, entries: Entry[], vcard: boolean): Mapping {
	const fields = {kind, custom};
	const origin = originOf(kind, columns)?.program ?? null;
	const teller = tellerOf(columns, vcard);
	const mapping: Mapping = {targets: [], noField: [], suggested: [], origin};

	columns.forEach((column, i) => {
		const found = resolve(fields, i, columns, teller, origin);
		const taken = found?.startsWith(CUSTOM) && mapping.targets.includes(found);
		const near = found === undefined && used(i) && !vcard && !origin ? suggest(fields, column) : undefined;
		const silent = !used(i) || vcard || origin !== null;
		mapping.targets.push(taken ? SKIP : (found ?? near ?? (found === null || silent ? SKIP : UNKNOWN)));
		mapping.noField.push((found === null || taken || (found === undefined && silent)) && used(i));
		mapping.suggested.push(near !== undefined);
	});
	if (!vcard) settleNames(mapping.targets, columns, used, entries);
	return mapping;
}

/* What a column can become. */
export function choicesOf(kind: ImportKind, custom: Field[], admin: boolean): Choice[] {
	const own = kind.fields.filter((f) => isWritable(f) && f.name !== 'addresses' && (admin || !f.filterOnly));
	const numbers = Array.from({length: kind.about || kind.name === 'objects' ? 0 : ADDRESSES_MAX}, (_, i) => i + 1);
	return [
		{value: SKIP, label: t('importLeaveOut')},
		...own.map((f) => ({value: f.name, label: f.label})),
		...(kind.about ? [
			{value: 'entity', label: t('importAboutAny')},
			{value: 'entity.object', label: t('importAboutObject')},
			{value: 'entity.person', label: t('importAboutPerson')},
			{value: 'entity.company', label: t('importAboutCompany')},
		] : []),
		...(kind.name === 'tasks' ? [{value: DONE, label: t('importIsDone')}] : []),
		...(kind.name === 'people' ? NAME_PARTS.map((part) => ({value: `name.${part}`, label: t(`importName_${part}`)})) : []),
		...(kind.name === 'people' ? BIRTH_PARTS.map((value) => ({value, label: t(`import_${value}`)})) : []),
		...numbers.flatMap((n) => [
			{value: `addresses ${n}`, label: t('importAddress', {n})},
			...ADDRESS_PARTS.map((part) => ({value: `address.${part} ${n}`, label: t('importAddressPart', {n, part: t(`importPart_${part}`)})})),
		]),
		...custom.filter(isUsable).map((f) => ({value: CUSTOM + f.name, label: f.label})),
	];
}
