/* Turns records of a file into bodies for the API's create, as transfer/compose.c does. */
import type {Field, Ref} from '../records/fields';
import type {Group} from '../records/kinds';
import {t} from '../texts/text';
import type {Entry, EntryValue, Source} from './importfile';
import type {ImportKind} from './importkinds';
import {type LinkList, type Linked, type Links, eachLink, findIn, findLinks} from './importlinks';
import {isHtml, textOfHtml} from './importhtml';
import {BIRTH_PARTS, DONE, SKIP, UNKNOWN, choiceOfWord, isUsable, isWritable, labelsOf, mayNameSeveral, recordKindOf} from './importmap';
import {dateOf, genderOf, hasDecimalComma, isEmptyDate, isFax, looksDayFirst, numberText, rangeOf, timeOf} from './importvalues';

const ITEMS_MAX = 1000;
const CUSTOM = 'customFieldValues.';

/* What the values of a column say together. */
export interface ColumnFacts {
	values: number;
	sample: string;
	dayFirst: boolean;
	decimalComma: boolean;
}

export interface Composer {
	kind: ImportKind;
	source: Source;
	targets: string[];
	facts: ColumnFacts[];
	custom: Field[];
	/* The id of the group that all records are put in, or of the object type; ''. */
	group: string;
	/* Of objects that notes, tasks and interactions are about; ''. */
	type: string;
	/* What cells name; null: that is not known, for a preview. */
	links: Links | null;
	groups: Group[];
	users: Ref[];
	/* createdAt and createdBy are kept. */
	admin: boolean;
	/* The day of the import. */
	today: string;
	/* What was left out, by its reason. */
	left: Map<string, number>;
	/* Labels that name no group. */
	labels: Map<string, number>;
}

/* True for a record that is of the kind, in a file that tells people from companies. */
export const takes = ({kind, source}: Pick<Composer, 'source'> & {kind: {name: string}}, entry: Entry, part: boolean) => !part || recordKindOf(source, entry) === kind.name;

export const newFacts = (): ColumnFacts => ({values: 0, sample: '', dayFirst: false, decimalComma: false});

export function observe(facts: ColumnFacts[], entry: Entry): void {
	for (const {column, text} of entry.values) {
		const fact = (facts[column] ??= newFacts());
		if (isEmptyDate(text)) continue;
		fact.values++;
		fact.sample ||= text.slice(0, 80);
		fact.dayFirst ||= looksDayFirst(text);
		fact.decimalComma ||= hasDecimalComma(text);
	}
}

type Body = Record<string, unknown>;

class Refusal extends Error {}

const leave = (c: Composer, why: string) => c.left.set(why, (c.left.get(why) ?? 0) + 1);

/* --- items of lists ------------------------------------------------------------------------------- */

/* Google's separator, and the address of a page that Notion writes behind a name. */
const BETWEEN = / ::: | \(https:\/\/(?:www\.)?notion\.so\/[^)]*(?:\),?|$)/;

function itemsOf(c: Composer, values: EntryValue[], separators: string): string[] {
	const preferred: string[] = [];
	const others: string[] = [];
	for (const value of values) {
		const google = value.text.includes(' ::: ');
		const pieces =
			c.source.format !== 'csv' ? [value.text]
			: c.source.ours ? value.text.split('; ')
			: value.text.split(BETWEEN).flatMap((part) => (google && separators === ',;\n' ? [part] : splitAt(part, separators)));
		for (const piece of pieces) {
			const item = piece.trim().replace(/^(tel|mailto):/i, '').replace(/^(https?)\\:\/\//, '$1://');
			const list = value.preferred ? preferred : others;
			if (item && list.length < ITEMS_MAX) list.push(item);
		}
	}
	return [...new Set([...preferred, ...others])];
}

function splitAt(text: string, separators: string): string[] {
	let parts = [text];
	for (const separator of separators) parts = parts.flatMap((part) => part.split(separator));
	/* A comma may be part of a web address, but not before another one. */
	return separators ? parts.flatMap((part) => part.split(/[,;] *(?=https?:\/\/)/)) : parts;
}

/* Without what is no e-mail address, such as "n/a", or "/o=Org/cn=Ada" of Outlook's colleagues. */
function emailsOf(c: Composer, items: string[]): string[] {
	const addresses = items.filter((item) => c.source.ours || item.includes('@'));
	for (let i = addresses.length; i < items.length; i++) leave(c, t('importNoAt'));
	return addresses;
}

const QUOTED_ITEM = /(?:"([^"]*)"|([^",]*))(?:, *|$)/y;

/* The names of a cell in which Airtable has put those with commas in quotes: "Acme, Inc.",Globex. null: it is no such cell. */
function quotedItems(text: string): string[] | null {
	const items: string[] = [];
	let any = false;
	for (let at = 0; at < text.length; at = QUOTED_ITEM.lastIndex) {
		QUOTED_ITEM.lastIndex = at;
		const found = QUOTED_ITEM.exec(text);
		if (!found) return null;
		any ||= found[1]?.includes(',') ?? false;
		items.push((found[1] ?? found[2]!).trim());
	}
	return any ? items.filter(Boolean) : null;
}

/* --- groups and users ------------------------------------------------------------------------------ */

const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();

function groupIds(c: Composer, names: string[]): {id: string}[] {
	const ids = new Set(c.group ? [c.group] : []);
	for (const label of names) {
		const name = label.replace(/^\* /, '');
		if (name !== label && ['myContacts', 'Other Contacts', 'starred'].includes(name)) continue; /* Google's own */
		const group = c.groups.find((g) => g.id === name || same(g.name, name));
		if (group) ids.add(group.id);
		else if (c.labels.size < ITEMS_MAX) c.labels.set(name, (c.labels.get(name) ?? 0) + 1);
	}
	return [...ids].map((id) => ({id}));
}

function userOf(c: Composer, text: string): {id: string} | undefined {
	const found = c.users.filter((u) => u.id === text || same(u.email, text) || same(u.fullName, text));
	if (found.length !== 1) leave(c, t('importNoUser'));
	return found.length === 1 ? {id: found[0]!.id} : undefined;
}

/* --- single values ---------------------------------------------------------------------------------- */

function single(c: Composer, field: Field, {column, text}: EntryValue): unknown {
	const {dayFirst, decimalComma} = c.facts[column] ?? newFacts();
	const bad = (why: string) => new Refusal(`${field.label}: ${why}`);

	if (field.type === 'date' || field.type === 'moment' || field.name === 'createdAt') {
		const whole = field.type !== 'date';
		const value = whole ? timeOf(text, dayFirst) : dateOf(text, dayFirst);
		if (value === undefined) throw bad(whole ? t('importNoTime') : t('importNoDate'));
		if (value === null && !isEmptyDate(text)) leave(c, t('importNoYear'));
		return value ?? undefined;
	}
	if (field.type === 'number') {
		const value = numberText(text, decimalComma);
		if (value === undefined) throw bad(t('importNoNumber'));
		return value;
	}
	if (field.type === 'year') return text.slice(0, 4);
	if (field.type === 'user') return userOf(c, text);
	if (field.name === 'employeeRange' || field.name === 'gender') {
		const choices = field.choices ?? [];
		const choice = field.name === 'gender' ? (genderOf(choices, text) ?? choiceOfWord(c.kind, 'gender', text)) : rangeOf(choices, text);
		if (choice === undefined) leave(c, t('importNoChoice', {name: field.label}));
		return choice;
	}
	return text;
}

function customValue(c: Composer, field: Field, value: EntryValue): unknown {
	if (field.type === 'options') return itemsOf(c, [value], ';\n');
	if (field.type === 'users') return itemsOf(c, [value], ',;\n').flatMap((name) => userOf(c, name) ?? []);
	return single(c, field, value);
}

/* --- records that cells name ------------------------------------------------------------------------- */

const LISTS: Record<string, LinkList> = {people: 'people', companies: 'companies', 'entity.object': 'objects', 'entity.person': 'people', 'entity.company': 'companies'};
/* A note about a deal names its contacts, too, so the deal comes first. */
const ABOUT_LISTS: [string, LinkList][] = [['entity.object', 'objects'], ['entity.person', 'people'], ['entity.company', 'companies'], ['entity', 'people'], ['entity', 'companies'], ['entity', 'objects']];

const linksIn = (c: Composer, field: string) => c.kind.name === 'objects' && (field === 'people' || field === 'companies');

/* True for a cell that may name several companies of a person. */
const maySplit = (c: Composer, target: string, {column, text}: EntryValue) =>
	c.kind.name === 'people' && target === 'companies' && c.source.format === 'csv' && !c.source.ours && text.includes(';') &&
	mayNameSeveral(c.kind, c.source.columns[column] ?? '');

/* Finds what the records name, before they are composed. */
export async function findNamed(c: Composer, entries: Entry[], signal: AbortSignal): Promise<void> {
	const cells: {list: LinkList; value: EntryValue}[] = [];
	if (!c.links) return;
	for (const {values, object} of entries) {
		if (object) cells.push(...cellsOf(c, object));
		for (const value of values) {
			const target = c.targets[value.column] ?? SKIP;
			if (target === 'entity') for (const list of ['people', 'companies', 'objects'] as const) cells.push({list, value});
			else if (LISTS[target] && (c.kind.about || linksIn(c, target) || maySplit(c, target, value))) cells.push({list: LISTS[target]!, value});
		}
	}
	await findLinks(c.links, cells, c.group, c.type, signal);
}

/* The companies of a person. The whole cell is tried as a name before it is split. */
function companyNames(c: Composer, values: EntryValue[]): string[] {
	const isOne = (value: EntryValue) => !maySplit(c, 'companies', value) || (c.links && findIn(c.links, 'companies', value.text).length > 0);

	if (c.source.format !== 'csv') return itemsOf(c, values, '');
	const items = (value: EntryValue) => (c.source.ours ? null : quotedItems(value.text)) ?? itemsOf(c, [value], isOne(value) ? '' : ';');
	return [...new Set(values.flatMap(items))].slice(0, ITEMS_MAX);
}

/* The people or companies of an object. */
function linked(c: Composer, list: LinkList, values: EntryValue[]): Body[] {
	const ids = new Set<string>();
	const {links} = c;
	if (!links) return values.map(({text}) => ({name: text}));
	const found = ({id, groups}: Linked) => {
		if (groups && !groups.includes(c.group)) leave(c, t('importOutside'));
		else ids.add(id);
	};
	for (const value of values) eachLink(links, list, value, found, (_, several) => leave(c, several ? t('importSeveral') : t('importNotFound')));
	return [...ids].map((id) => ({id}));
}

/* The record that a note, task or interaction is about. */
function aboutOf(c: Composer, valuesOf: (target: string) => EntryValue[]): Body {
	const {links} = c;
	const given = ABOUT_LISTS.flatMap(([target]) => valuesOf(target));
	if (!given.length) throw new Refusal(t('importAboutNothing'));
	if (!links) return {name: given[0]!.text};
	for (const [target, list] of ABOUT_LISTS) {
		const ids: string[] = [];
		for (const value of valuesOf(target)) eachLink(links, list, value, ({id}) => ids.push(id), () => {});
		if (ids[0]) return {id: ids[0]};
	}
	throw new Refusal(t('importAboutUnknown', {text: given[0]!.text.slice(0, 100)}));
}

/* Words for a task that is done. */
const DONE_WORDS = ['done', 'completed', 'yes', 'true', '1', 'x', 'closed', 'erledigt', 'ja', 'oui', 'fait', 'terminé', 'sí', 'hecho', 'completado'];

/* A task that is done without a time was completed on its day. One without a day was due when it was completed or made, or is due now. */
function completeTask(c: Composer, body: Body, done: EntryValue | undefined, created: EntryValue | undefined): void {
	if (c.kind.name !== 'tasks') return;
	const isDone = body.completedAt || (done && DONE_WORDS.includes(done.text.toLowerCase()));
	if (!body.dueAt) {
		const made = created && dateOf(created.text, c.facts[created.column]?.dayFirst ?? false);
		body.dueAt = (isDone && ((body.completedAt as string | undefined)?.slice(0, 10) ?? made)) || c.today;
		leave(c, t('importNoDue'));
	}
	if (isDone) body.completedAt ??= timeOf(String(body.dueAt), false) ?? undefined;
}

const labels = new WeakMap<string[], {size: number; kind: string; of: number[]}>(); /* by the columns of a file */

/* True for the number of a fax or pager, as a column beside it says. */
function isSilent({kind, source}: Composer, entry: Entry, {column}: EntryValue): boolean {
	const {columns} = source;
	let known = labels.get(columns);
	if (known?.size !== columns.length || known.kind !== kind.name) labels.set(columns, (known = {size: columns.length, kind: kind.name, of: labelsOf(kind, columns)}));
	const label = known.of[column] ?? -1;
	return label >= 0 && entry.values.some((value) => value.column === label && isFax(value.text));
}

/* A birthday whose year, month and day are in columns of their own. */
function birthdayOf(c: Composer, first: (target: string) => string): string | undefined {
	const parts = BIRTH_PARTS.map(first);
	const date = parts.every(Boolean) ? dateOf(parts.join('-'), false) : undefined;
	if (!date && parts.some(Boolean)) leave(c, t('importNoYear'));
	return date ?? undefined;
}

/* The number of a house has a column beside the street's in some programs. */
const streetOf = (parts: string[]) => parts.reduce<string[]>((all, part) => (all.length && /^\d.{0,7}$/.test(part) ? [...all.slice(0, -1), `${all.at(-1)} ${part}`] : [...all, part]), []);

/* --- columns: CSV and vCard -------------------------------------------------------------------------- */

/* First and last name are left to the server, which joins them itself. A form of address in a CSV is kept if its full name has none. */
function fullName(c: Composer, first: (target: string) => string, all: (target: string) => EntryValue[]): string | undefined {
	const parts = ['name.prefix', 'firstName', 'name.middle', 'lastName', 'name.suffix'].map((part) =>
		part.startsWith('name.') ? [...new Set(all(part).map((v) => v.text))].join(' ') : first(part));
	const joined = (some: string[]) => some.filter(Boolean).join(' ');
	const plain = joined([parts[1]!, parts[3]!]);
	const given = first('fullName');
	return [given, given && c.source.format !== 'csv' ? '' : joined(parts)].find((name) => name && name !== plain);
}

/* True for a column such as "Address" that has only the street, because the city and the rest are in columns beside it. A whole address
 * repeats the city and the postal code; without these the region and the country decide. */
function isStreet(c: Composer, text: string, partsOf: (part: string) => string[]): boolean {
	if (c.source.format !== 'csv' || partsOf('street').length) return false;
	const place = [...partsOf('city'), ...partsOf('postalCode')];
	return (place.length ? place : [...partsOf('region'), ...partsOf('country')]).some((part) => !text.includes(part));
}

function addresses(c: Composer, valuesOf: (target: string) => EntryValue[]): string[] {
	const numbers = c.targets.flatMap((target) => (/^address(es|\.\w+) (\d+)$/.exec(target) ?? [])[2] ?? []);
	const lines: string[] = [];
	for (const n of new Set(numbers.sort((a, b) => Number(a) - Number(b)))) {
		const partsOf = (part: string) => valuesOf(`address.${part} ${n}`).map((v) => v.text);
		const given = valuesOf(`addresses ${n}`).map((v) => v.text);
		const streets = given.every((text) => isStreet(c, text, partsOf)) ? given : [];
		const whole = streets.length ? [] : given.flatMap((text) => (c.source.format === 'csv' ? text.split(' ::: ') : [text]));
		const parts = [...['poBox', 'extended'].flatMap(partsOf), ...streetOf(partsOf('street')), ...streets, ...['city', 'region', 'postalCode', 'country'].flatMap(partsOf)];
		lines.push(...(whole.length ? whole : parts.length ? [parts.join(', ')] : []));
	}
	return [...new Set(lines.map((line) => line.replace(/\r/g, '').replace(/,?\n/g, ', ').trim()).filter(Boolean))];
}

function composeColumns(c: Composer, entry: Entry): Body {
	const body: Body = {};
	const by = new Map<string, EntryValue[]>();
	for (const value of entry.values) {
		const target = c.targets[value.column] ?? SKIP;
		if (target === 'phones' && isSilent(c, entry, value)) leave(c, t('importFax'));
		else if (target !== SKIP && target !== UNKNOWN) by.set(target, [...(by.get(target) ?? []), value]);
	}
	const valuesOf = (target: string) => by.get(target) ?? [];
	const first = (target: string) => valuesOf(target)[0]?.text ?? '';

	for (const field of c.kind.fields.filter(isWritable)) {
		const values = valuesOf(field.name);
		const put = (value: unknown) => {
			if (value !== undefined && value !== '' && !(Array.isArray(value) && !value.length)) body[field.name] = value;
		};
		if (field.name === 'fullName') put(fullName(c, first, valuesOf));
		else if (field.name === 'birthday' && !values.length) put(birthdayOf(c, first));
		else if (field.name === 'addresses') put(addresses(c, valuesOf));
		else if (field.name === 'groups') put(groupIds(c, itemsOf(c, values, ',;\n')));
		else if (linksIn(c, field.name)) put(linked(c, LISTS[field.name]!, values));
		else if (field.type === 'users') put(values.flatMap((v) => itemsOf(c, [v], ',;\n')).flatMap((name) => userOf(c, name) ?? []));
		else if (field.name === 'companies') put(companyNames(c, values).map((name) => ({name})));
		else if (field.type === 'emails') put(emailsOf(c, itemsOf(c, values, ',;\n')));
		else if (field.type === 'phones') put(itemsOf(c, values, ',;\n'));
		else if (field.type === 'urls' || field.type === 'texts') put(itemsOf(c, values, '\n'));
		else if (field.type === 'long') put(values.map(({text}) => (c.source.format === 'csv' && !c.source.ours && isHtml(text) ? textOfHtml(text) : text)).join('\n\n'));
		else if (values[0] && (!field.filterOnly || c.admin)) {
			if (values.some(({text}) => text !== values[0]!.text)) leave(c, t('importFilled', {name: field.label}));
			put(single(c, field, values[0]));
		}
		else if (values[0]) leave(c, t('importOnlyAdmins'));
	}
	const custom: Body = {};
	for (const field of c.custom) {
		const value = valuesOf(CUSTOM + field.name)[0];
		const made = value && customValue(c, field, value);
		if (made !== undefined) custom[field.name] = made;
	}
	if (Object.keys(custom).length) body.customFieldValues = c.kind.name === 'objects' ? custom : {[c.group]: custom};
	if (c.kind.about) body.entity = aboutOf(c, valuesOf);
	completeTask(c, body, valuesOf(DONE)[0], valuesOf('createdAt')[0]);
	if (c.kind.name === 'notes') body.visibility ??= 'public';
	return body;
}

/* --- objects: NDJSON ----------------------------------------------------------------------------------- */

const listOf = (value: unknown): Record<string, unknown>[] =>
	Array.isArray(value) ? value.map((x: unknown) => (typeof x === 'string' ? {name: x} : x && typeof x === 'object' ? (x as Record<string, unknown>) : {})) : [];
const isEmpty = (value: unknown) => value === null || value === '' || (Array.isArray(value) && !value.length);

/* The text by which a reference is looked for; the id if there is no other. */
const textOfRef = ({id, email, fullName, name}: Record<string, unknown>) => String(email ?? fullName ?? name ?? id ?? '');

/* A reference of the file: the only record of that name or address, else the one with its id. */
function refOf(c: Composer, list: LinkList, ref: Record<string, unknown>): {id: string} | {name: string} | undefined {
	const ids: string[] = [];
	const text = textOfRef(ref);
	if (!c.links) return text ? {name: text} : undefined;
	eachLink(c.links, list, {column: 0, text, preferred: false}, (one) => ids.push(one.id), () => {});
	if (ids.length === 1) return {id: ids[0]!};
	return ref.id ? {id: String(ref.id)} : undefined;
}

function refsOf(c: Composer, list: LinkList, value: unknown): Body[] {
	return listOf(value).flatMap((ref) => {
		const found = refOf(c, list, ref);
		if (!found) leave(c, t('importNotFound'));
		return found ?? [];
	});
}

const listOfEntity = (entity: Record<string, unknown>): LinkList =>
	entity.entityType === 'company' || String(entity.id).startsWith('com_') ? 'companies' : entity.entityType === 'object' || String(entity.id).startsWith('obj_') ? 'objects' : 'people';

function entityOf(c: Composer, value: unknown): Body {
	const [entity] = listOf([value]);
	const found = entity && refOf(c, listOfEntity(entity), entity);
	if (!found) throw new Refusal(t('importAboutNothing'));
	return found;
}

/* The cells that the references of an object would be. */
function cellsOf(c: Composer, object: Body): {list: LinkList; value: EntryValue}[] {
	const cell = (list: LinkList, ref: Record<string, unknown>) => ({list, value: {column: 0, text: textOfRef(ref), preferred: false}});
	const [entity] = c.kind.about ? listOf([object.entity]) : [];
	const lists = (['people', 'companies'] as const).filter((name) => linksIn(c, name));
	return [...(entity ? [cell(listOfEntity(entity), entity)] : []), ...lists.flatMap((list) => listOf(object[list]).map((ref) => cell(list, ref)))];
}

function composeObject(c: Composer, object: Body): Body {
	const body: Body = {};
	for (const field of c.kind.fields.filter(isWritable)) {
		const value = object[field.name];
		if (field.name === 'groups') {
			const names = listOf(value).map(({id, name}) => (c.groups.some((g) => g.id === id) || !name ? String(id) : String(name)));
			const ids = groupIds(c, names);
			if (ids.length) body.groups = ids;
		} else if (value === undefined || isEmpty(value)) continue;
		else if (linksIn(c, field.name)) body[field.name] = refsOf(c, LISTS[field.name]!, value);
		else if (field.type === 'users') body[field.name] = listOf(value).flatMap((user) => userOf(c, c.users.some((u) => u.id === user.id) ? String(user.id) : textOfRef(user)) ?? []);
		else if (field.name === 'companies') body.companies = listOf(value).map(({id, name}) => (name ? {name} : {id}));
		else if (field.filterOnly && !c.admin) leave(c, t('importOnlyAdmins'));
		else if (field.type === 'user') {
			const {id, email, fullName: name} = listOf([value])[0]!;
			const user = userOf(c, c.users.some((u) => u.id === id) ? String(id) : String(email ?? name ?? id));
			if (user) body[field.name] = user;
		} else body[field.name] = value;
	}
	if (c.kind.about) body.entity = entityOf(c, object.entity);
	if (c.kind.name === 'notes') body.visibility ??= 'public';
	const custom = object.customFieldValues;
	const isKnown = (name: string) => (c.kind.name === 'objects' ? c.custom.some((f) => f.name === name && isUsable(f)) : c.groups.some((g) => g.id === name));
	const known = custom && typeof custom === 'object' ? Object.entries(custom).filter(([name, value]) => isKnown(name) && !isEmpty(value)) : [];
	if (known.length) body.customFieldValues = Object.fromEntries(known);
	return body;
}

/* The body, or the reason why there is none. */
export function compose(c: Composer, entry: Entry): {body: Body} | {why: string} {
	if (entry.refused) return {why: entry.refused};
	try {
		return {body: entry.object ? composeObject(c, entry.object) : composeColumns(c, entry)};
	} catch (error) {
		if (error instanceof Refusal) return {why: error.message};
		throw error;
	}
}
