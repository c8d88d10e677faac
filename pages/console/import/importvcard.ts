/* vCard 2.1, 3.0 and 4.0, as transfer/vcard.c reads them. */
import {t} from '../texts/text';
import {COLUMNS_MAX, type Entry, FileError, PAUSE_EVERY, RECORD_MAX} from './importfile';

const SKIPPED = ['PHOTO', 'LOGO', 'SOUND', 'KEY', 'VERSION'];
const NAME_PARTS = ['Last Name', 'First Name', 'Middle Name', 'Name Prefix', 'Name Suffix'];
const VALUES_MAX = 4000; /* of a card */

interface Line {
	n: number;
	text: string;
	long: boolean;
}

/* Lines with their folded parts. */
function* cardLines(text: string): Generator<Line | null> {
	let at = 0;
	let n = 0;
	let steps = 0;
	const next = () => {
		const found = text.indexOf('\n', at);
		const line = text.slice(at, found < 0 ? text.length : found).replace(/\r$/, '');
		at = found < 0 ? text.length : found + 1;
		n++;
		return line;
	};
	while (at < text.length) {
		const parts = [next()];
		const line = n;
		const quoted = /QUOTED-PRINTABLE/i.test(parts[0]!.slice(0, Math.min(1000, Math.max(0, parts[0]!.indexOf(':')))));
		let size = parts[0]!.length;
		for (let soft: boolean; at < text.length; ) {
			soft = quoted && parts.at(-1)!.endsWith('=');
			if (!soft && text[at] !== ' ' && text[at] !== '\t') break;
			const more = next();
			size += more.length;
			if (size <= RECORD_MAX) {
				if (soft) parts.push(parts.pop()!.slice(0, -1));
				parts.push(soft ? more : more.slice(1));
			}
			if (++steps % PAUSE_EVERY === 0) yield null;
		}
		if (++steps % PAUSE_EVERY === 0) yield null;
		yield {n: line, text: parts.join(''), long: size > RECORD_MAX};
	}
}

interface Property {
	name: string;
	text: string;
	charset: string;
	quoted: boolean;
	preferred: boolean;
	/* Of a TEL: nobody can be called there. */
	silent: 'fax' | 'pager' | null;
}

/* null: the line is not a property. */
function propertyOf(line: string): Property | null {
	let quoted = false;
	let colon = 0;
	const cuts: number[] = [];
	for (; colon < line.length && (quoted || line[colon] !== ':'); colon++) {
		if (line[colon] === '"') quoted = !quoted;
		else if (line[colon] === ';' && !quoted) cuts.push(colon);
	}
	if (colon === line.length || !colon) return null;
	const [name = '', ...params] = [...cuts, colon].map((cut, i) => line.slice(i ? cuts[i - 1]! + 1 : 0, cut));
	const charset = params.map((p) => /^CHARSET=(.*)$/i.exec(p)?.[1]).find(Boolean) ?? 'utf-8';
	const has = (word: string) => params.some((p) => p.slice(p.indexOf('=') + 1).toLowerCase().split(/[,;"]/).includes(word));
	return {
		silent: has('voice') ? null : has('fax') ? 'fax' : has('pager') ? 'pager' : null,
		name: name.slice(name.indexOf('.') + 1).toUpperCase().slice(0, 500),
		text: line.slice(colon + 1),
		charset,
		quoted: params.some((p) => /(^|=)QUOTED-PRINTABLE$/i.test(p)),
		preferred: params.some((p) => /^PREF(=1)?$/i.test(p) || /^TYPE=.*pref/i.test(p)),
	};
}

/* The text behind "=C3=A4". */
function unquoted(text: string, charset: string): string {
	const bytes = new Uint8Array(text.length * 3);
	let n = 0;
	for (let i = 0; i < text.length; i++) {
		const hex = text[i] === '=' ? /^[0-9a-f]{2}/i.exec(text.slice(i + 1, i + 3)) : null;
		if (hex) {
			bytes[n++] = parseInt(hex[0], 16);
			i += 2;
		} else {
			n += new TextEncoder().encodeInto(text[i]!, bytes.subarray(n)).written;
		}
	}
	return new TextDecoder(charset, {fatal: true}).decode(bytes.subarray(0, n));
}

/* Splits at a separator without a backslash in front, and undoes the backslashes. */
function partsOf(text: string, separator: string): string[] {
	const parts: string[] = [];
	let part = '';
	for (let i = 0; i < text.length; i++) {
		const c = text[i]!;
		const next = text[i + 1];
		if (c === '\\' && next && 'nN,;:\\'.includes(next)) {
			part += next === 'n' || next === 'N' ? '\n' : next;
			i++;
		} else if (c === separator) {
			parts.push(part);
			part = '';
		} else if (c !== '\r') {
			part += c;
		}
	}
	return [...parts, part];
}

/* The columns into which a property goes. */
function cellsOf({name, text, silent}: Property): [string, string][] {
	const joined = (parts: string[]) => parts.filter((p) => p.trim()).join(', ');
	if (name === 'N') return partsOf(text, ';').slice(0, 5).map((part, i) => [NAME_PARTS[i]!, part]);
	if (name === 'ADR') return [[name, joined(partsOf(text, ';'))]];
	if (name === 'ORG') {
		const [first = '', ...units] = partsOf(text, ';');
		return [[name, first], ['ORG unit', joined(units)]];
	}
	if (name === 'CATEGORIES' || name === 'NICKNAME') return partsOf(text, ',').map((part) => [name, part]);
	return [[name === 'TEL' && silent ? `TEL ${silent}` : name, partsOf(text, '').join('')]];
}

/* onList is called for cards that are lists of cards, which are left out. */
export function* vcardEntries(text: string, columns: string[], onList: () => void): Generator<Entry | null> {
	const at = new Map(columns.map((name, i) => [name, i]));
	let card: Entry | null = null;
	let inner = 0; /* 2.1 has cards in cards */
	let agent = false;
	let group = false;
	let size = 0;

	const put = (entry: Entry, property: Property) => {
		for (const [name, value] of cellsOf(property)) {
			const cell = value.trim();
			if (!cell) continue;
			if (!at.has(name)) {
				if (columns.length === COLUMNS_MAX) return void (entry.refused ??= t('importManyColumns', {n: COLUMNS_MAX}));
				at.set(name, columns.push(name) - 1);
			}
			size += cell.length;
			if (size > RECORD_MAX || entry.values.length === VALUES_MAX) return void (entry.refused ??= t('importLongRecord'));
			if (cell.includes('\0')) entry.refused ??= t('importNul');
			entry.values.push({column: at.get(name)!, text: cell, preferred: property.preferred});
		}
	};
	for (const line of cardLines(text)) {
		if (!line) {
			yield null;
			continue;
		}
		if (line.long && card) card.refused ??= t('importLongRecord');
		const property = line.long ? null : propertyOf(line.text);
		const isCard = property !== null && /^VCARD/i.test(property.text.trim());
		if (!card) {
			if (property?.name === 'BEGIN' && isCard) {
				card = {line: line.n, values: []};
				group = false;
				size = 0;
			} else if (line.text.trim()) throw new FileError(t('importNoCard', {line: line.n}));
			continue;
		}
		if (!property) continue;
		if (property.name === 'BEGIN' && isCard) {
			if (!agent && !inner) throw new FileError(t('importCardInCard', {line: line.n}));
			inner++;
		} else if (property.name === 'END' && isCard && inner-- === 0) {
			if (group) onList();
			else yield card;
			card = null;
			inner = 0;
		} else if (inner === 0 && property.name !== 'END' && !SKIPPED.includes(property.name)) {
			group ||= ['KIND', 'X-ADDRESSBOOKSERVER-KIND'].includes(property.name) && /^group$/i.test(property.text.trim());
			try {
				put(card, property.quoted ? {...property, text: unquoted(property.text, property.charset)} : property);
			} catch {
				card.refused ??= t('importBadCharset', {name: property.name});
			}
		}
		agent = property.name === 'AGENT';
	}
	if (card) throw new FileError(t('importCardOpen', {line: card.line}));
}
