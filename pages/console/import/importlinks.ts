/* References of deals, notes, tasks and interactions: a cell names people, companies or objects by id, e-mail address or name, as
 * for kith import (transfer/compose_link.c, transfer/import_contacts.c). What the records of a batch name is asked for together. */
import {type Page, call, nextOf} from '../api';
import type {RecordData} from '../records/fields';
import {companies, objects, people} from '../records/kinds';
import type {EntryValue} from './importfile';

export type LinkList = 'people' | 'companies' | 'objects';

const ASKED_MAX = 100;
const KNOWN_MAX = 10000;
const PREFIXES = {people: 'per_', companies: 'com_', objects: 'obj_'};

/* A record that was found. */
export interface Linked {
	id: string;
	/* Its groups; undefined: they are not known. */
	groups?: string[];
}

/* What texts mean: "people name Ada Lovelace". */
export type Links = Map<string, Linked[]>;
type By = 'email' | 'name';

const keyOf = (list: LinkList, by: By, text: string) => `${list} ${by} ${by === 'email' ? text.toLowerCase() : text}`;

/* "Ada (ada@x.org)" is a name and an address. */
function nameAndEmail(text: string): {name: string; email: string} {
	const found = /^(.*?) *[(<]([^()<>]*@[^()<>]*)[)>]$/.exec(text);
	if (found) return {name: found[1]!, email: found[2]!};
	return {name: text, email: text.includes('@') && !text.includes(' ') ? text : ''};
}

/* The records that the text means. */
export function findIn(links: Links, list: LinkList, text: string): Linked[] {
	if (text.startsWith(PREFIXES[list])) return [{id: text}];
	const {name, email} = nameAndEmail(text);
	const byEmail = email && list !== 'objects' ? (links.get(keyOf(list, 'email', email)) ?? []) : [];
	return byEmail.length || !name ? byEmail : (links.get(keyOf(list, 'name', name)) ?? []);
}

const piecesOf = (text: string, separators: RegExp) => text.split(separators).map((x) => x.trim()).filter(Boolean);

/* Calls found or lost for each record that a cell names. The whole cell is tried before its parts between semicolons; a part is a
 * list with commas only if one of its items is found, because names have commas, too. */
export function eachLink(links: Links, list: LinkList, value: EntryValue, found: (one: Linked) => void, lost: (text: string, several: boolean) => void): void {
	const take = (text: string) => {
		const all = findIn(links, list, text);
		if (all.length === 1) found(all[0]!);
		else lost(text, all.length > 1);
	};
	const items = piecesOf(value.text, /[;\n]/);
	if (items.length > 1 && findIn(links, list, value.text).length === 1) return take(value.text);
	for (const item of items) {
		const parts = piecesOf(item, /,/);
		const isList = parts.length > 1 && !findIn(links, list, item).length && parts.some((part) => findIn(links, list, part).length === 1);
		for (const part of isList ? parts : [item]) take(part);
	}
}

/* All texts that eachLink() may look for. */
function textsOf({text}: EntryValue): string[] {
	const items = piecesOf(text, /[;\n]/);
	return [...(items.length > 1 ? [text] : []), ...items, ...items.flatMap((item) => (item.includes(',') ? piecesOf(item, /,/) : []))];
}

/* Notes the texts of a cell that are not known yet, by list and key. */
function want(links: Links, wanted: Map<string, Set<string>>, list: LinkList, value: EntryValue): void {
	const add = (by: By, text: string) => {
		if (!text || text.length > 1000 || links.has(keyOf(list, by, text))) return;
		const name = `${list} ${by}`;
		wanted.set(name, (wanted.get(name) ?? new Set()).add(text));
	};
	for (const text of textsOf(value)) {
		if (text.startsWith(PREFIXES[list])) continue;
		const {name, email} = nameAndEmail(text);
		if (list !== 'objects') add('email', email);
		add('name', name);
	}
}

/* Asks for at most ASKED_MAX texts. */
async function ask(links: Links, path: string, list: LinkList, by: By, texts: string[], signal: AbortSignal): Promise<void> {
	const field = by === 'email' ? 'emails' : list === 'people' ? 'fullName' : 'name';
	for (const text of texts) links.set(keyOf(list, by, text), []);
	for (let cursor: string | null = null, first = true; first || cursor; first = false) {
		const body: Record<string, unknown> = {filter: {[field]: {eq: texts}}, limit: 100, ...(cursor ? {cursor} : {})};
		const {data} = await call<Page<RecordData>>('POST', `${path}/search`, {body, signal});
		for (const record of data.items)
			for (const text of [record[field]].flat()) {
				const known = links.get(keyOf(list, by, String(text)));
				if (known && !known.some(({id}) => id === record.id)) known.push({id: record.id, groups: record.groups?.map((g) => g.id)});
			}
		cursor = nextOf(data);
	}
}

/* Finds what the cells name. group, type: of objects that they may name. */
export async function findLinks(links: Links, cells: {list: LinkList; value: EntryValue}[], group: string, type: string, signal: AbortSignal): Promise<void> {
	const paths = {people: people.path, companies: companies.path, objects: type ? objects(group, type).path : ''};
	const wanted = new Map<string, Set<string>>();
	if (links.size > KNOWN_MAX) links.clear();
	for (const {list, value} of cells) if (paths[list]) want(links, wanted, list, value);
	for (const [name, texts] of wanted) {
		const [list, by] = name.split(' ') as [LinkList, By];
		const all = [...texts];
		for (let at = 0; at < all.length; at += ASKED_MAX) await ask(links, paths[list], list, by, all.slice(at, at + ASKED_MAX), signal);
	}
}
