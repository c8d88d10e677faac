/* Reads files of records: CSV, vCard and NDJSON, plain or packed by gzip. The rules are those of `kith import` (docs/importing.md).
 * The readers are generators that take one record at a time. Now and then they yield null, so that eachEntry() can let the page
 * live whatever the file holds. */
import {t} from '../texts/text';
import {vcardEntries} from './importvcard';

const FILE_MAX = 50 << 20; /* bytes */
const TEXT_MAX = 100 << 20; /* bytes after unpacking */
const RECORDS_MAX = 100000;
export const RECORD_MAX = 1 << 20; /* characters */
export const COLUMNS_MAX = 1000;
const SLICE_MS = 12;
const DEPTH_MAX = 32; /* of JSON */
const HEADER_PAUSES = 20; /* within a header: it is read at once */
export const PAUSE_EVERY = 10000; /* steps of a reader between two chances for a pause */

export interface EntryValue {
	column: number;
	text: string;
	preferred?: boolean;
}

/* A record as the file has it. */
export interface Entry {
	line: number;
	isBelowEmpty?: boolean; /* of CSV: an empty line is above it */
	values: EntryValue[];
	/* Of NDJSON: the record, or the line if it is not a record. */
	object?: Record<string, unknown>;
	raw?: string;
	refused?: string;
}

export type Format = 'csv' | 'vcard' | 'ndjson';

export interface Source {
	name: string;
	format: Format;
	bytes: Uint8Array<ArrayBuffer>;
	/* Grows while a vCard is read. */
	columns: string[];
	/* kith's own CSV: only "; " separates items, and values may begin with an apostrophe. */
	ours: boolean;
	delimiter: string;
	/* Lines of CSV that hold no records, such as the header again, and cards that are lists of cards; known when all were read. */
	beside: number;
	entries: () => Generator<Entry | null>;
}

/* The whole file cannot be read. */
export class FileError extends Error {
	constructor(
		message: string,
		/* Another encoding may help. */
		readonly encoding = false,
	) {
		super(message);
	}
}

export const breathe = () => new Promise<void>((done) => setTimeout(done));

/* Calls each() with all records, in slices. */
export async function eachEntry(source: Source, signal: AbortSignal, each: (entry: Entry) => void | Promise<void>): Promise<void> {
	let began = performance.now();
	let n = 0;

	for (const entry of source.entries()) {
		if (performance.now() - began > SLICE_MS) {
			await breathe();
			signal.throwIfAborted();
			began = performance.now();
		}
		/* A line of CSV with nothing but commas is not a record. */
		if (!entry || (!entry.refused && !entry.object && !entry.values.length)) continue;
		if (++n > RECORDS_MAX) throw new FileError(t('importTooMany', {n: RECORDS_MAX}));
		await each(entry);
	}
}

/* --- bytes and text ------------------------------------------------------------------------- */

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
	if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
	const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	let size = 0;
	try {
		for (let part = await reader.read(); !part.done; part = await reader.read()) {
			parts.push(part.value as Uint8Array<ArrayBuffer>);
			if ((size += part.value.length) > TEXT_MAX) throw new FileError(t('importTooLarge', {n: TEXT_MAX >> 20}));
		}
	} catch (error) {
		throw error instanceof FileError ? error : new FileError(t('importDamaged'));
	} finally {
		void reader.cancel().catch(() => {});
	}
	return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function decoded(bytes: Uint8Array<ArrayBuffer>, encoding: string): string {
	const [a, b, c, d] = bytes;
	/* Workbooks: archives (.xlsx, .ods), and the older format (.xls). */
	if ((a === 0x50 && b === 0x4b && c === 3 && d === 4) || (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0)) throw new FileError(t('importWorkbook'));
	const marked = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : a === 0xef && b === 0xbb ? 'utf-8' : encoding;
	try {
		return new TextDecoder(marked, {fatal: true}).decode(bytes);
	} catch {
		throw new FileError(t('importNotText'), true);
	}
}

function formatOf(name: string, text: string): Format {
	const suffix = /\.(\w+)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	if (['csv', 'tsv'].includes(suffix)) return 'csv';
	if (['vcf', 'vcard'].includes(suffix)) return 'vcard';
	if (['ndjson', 'jsonl'].includes(suffix)) return 'ndjson';
	const start = text.slice(0, 1000).trimStart();
	return start[0] === '{' ? 'ndjson' : /^BEGIN:VCARD/i.test(start) ? 'vcard' : 'csv';
}

export async function openSource(file: File, encoding: string): Promise<Source> {
	if (file.size > FILE_MAX) throw new FileError(t('importTooLarge', {n: FILE_MAX >> 20}));
	const bytes = new Uint8Array(await file.arrayBuffer());
	const text = decoded(await unpacked(bytes), encoding);
	const source: Source = {name: file.name, format: formatOf(file.name, text), bytes, columns: [], ours: false, delimiter: ',', beside: 0, entries: () => ndjsonEntries(text)};

	if (source.format === 'csv') openCsv(source, text);
	if (source.format === 'vcard')
		source.entries = () => {
			source.beside = 0;
			return vcardEntries(text, source.columns, () => source.beside++);
		};
	return source;
}

/* --- CSV -------------------------------------------------------------------------------------- */

interface Row {
	line: number;
	isBelowEmpty: boolean; /* an empty line is above it */
	cells: string[];
	refused?: string;
}

/* A place in the text of a file. */
class CsvPlace {
	line: number;
	steps = 0;
	private readonly plainEnd: RegExp;

	constructor(
		readonly text: string,
		public at: number,
		readonly delimiter: string,
	) {
		this.plainEnd = new RegExp(`[\\r\\n${delimiter}]`, 'g');
		this.line = text.slice(0, at).split('\n').length;
	}

	isPause(): boolean {
		return ++this.steps % PAUSE_EVERY === 0;
	}

	/* What is left of a value outside of quotes. */
	plain(): string {
		const from = this.at;
		this.plainEnd.lastIndex = from;
		this.at = this.plainEnd.exec(this.text)?.index ?? this.text.length;
		return this.text.slice(from, this.at);
	}

	/* Goes over a line end. Two characters may be one. */
	skipLineEnd(): void {
		if (this.text[this.at] === '\n' || this.text[this.at + 1] !== '\n') this.line++;
		this.at++;
	}
}

/* A quoted value, up to most characters of it. Returns the text and its full length. */
function* quotedValue(place: CsvPlace, most: number): Generator<null, {value: string; size: number}> {
	const opened = place.line;
	let value = '';
	let size = 0;
	for (place.at++; ; ) {
		const quote = place.text.indexOf('"', place.at);
		if (quote < 0) throw new FileError(t('importOpenQuote', {line: opened}));
		const twice = place.text[quote + 1] === '"';
		const part = place.text.slice(place.at, quote + (twice ? 1 : 0));
		size += part.length;
		if (size <= most) value += part;
		for (let i = part.indexOf('\n'); i >= 0; i = part.indexOf('\n', i + 1)) place.line++;
		place.at = quote + (twice ? 2 : 1);
		if (place.isPause()) yield null;
		if (!twice) return {value, size};
	}
}

/* RFC 4180 from a place of the text. Records that are too long are refused; the others are read on. */
function* csvRows(text: string, from: number, delimiter: string): Generator<Row | null> {
	const place = new CsvPlace(text, from, delimiter);
	let ended = place.line;

	while (place.at < text.length) {
		if (place.isPause()) yield null;
		if (text[place.at] === '\n' || text[place.at] === '\r') {
			place.skipLineEnd();
			continue;
		}
		const row: Row = {line: place.line, isBelowEmpty: place.line > ended + 1, cells: []};
		let size = 0;
		for (;;) {
			let value = '';
			if (text[place.at] === '"') {
				const quoted = yield* quotedValue(place, RECORD_MAX - size);
				value = quoted.value;
				size += quoted.size;
				if (place.at < text.length && ![delimiter, '\n', '\r'].includes(text[place.at]!)) row.refused ??= t('importAfterQuote');
			}
			const plain = place.plain();
			size += plain.length;
			if (size <= RECORD_MAX && row.cells.length <= COLUMNS_MAX) row.cells.push(value + plain);
			if (place.isPause()) yield null;
			if (text[place.at] !== delimiter) break;
			place.at++;
		}
		if (size > RECORD_MAX) row.refused = t('importLongRecord');
		ended = place.line;
		yield row;
	}
}

const TITLES_MAX = 10;
const HEADINGS_LEAST = 3;

/* How many values of a line are not empty, with the delimiter that gives the most; and where the next line begins. */
function countValues(text: string, from: number): [most: number, next: number] {
	let quoted = false;
	let at = from;
	for (; at < text.length && at - from < RECORD_MAX && (quoted || text[at] !== '\n'); at++) if (text[at] === '"') quoted = !quoted;
	const plain = text.slice(from, at).replace(/"[^"]*"/g, 'x');
	return [Math.max(...[',', ';', '\t'].map((d) => plain.split(d).filter((cell) => cell.trim()).length)), at + 1];
}

/* The length of the lines of text that some programs write above the header, as in transfer/csv.c. */
function titlesOf(text: string): number {
	let [most, next] = countValues(text, 0);
	if (most > 1) return 0;
	for (let i = 0; i < TITLES_MAX && next < text.length; i++) {
		const begin = next;
		[most, next] = countValues(text, begin);
		if (most >= HEADINGS_LEAST) return begin;
	}
	return 0;
}

/* The one that occurs most often outside of quotes in the first line. */
function delimiterOf(text: string): string {
	const counts = new Map([[',', 0], [';', 0], ['\t', 0]]);
	let quoted = false;
	for (let i = 0; i < text.length && i < RECORD_MAX && (quoted || !/[\r\n]/.test(text[i]!)); i++) {
		if (text[i] === '"') quoted = !quoted;
		else if (!quoted && counts.has(text[i]!)) counts.set(text[i]!, counts.get(text[i]!)! + 1);
	}
	return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/* Reads the header. */
function openCsv(source: Source, text: string): void {
	const excel = /^sep=([^\r\n])\r?\n/.exec(text.slice(0, 10));
	const from = excel ? excel[0].length : titlesOf(text);
	source.delimiter = excel ? excel[1]! : delimiterOf(text.slice(from, from + RECORD_MAX));
	if (!/[,;\t|:]/.test(source.delimiter)) source.delimiter = ',';
	let head: Row | undefined;
	let pauses = 0;
	for (const row of csvRows(text, from, source.delimiter)) {
		if (row) head = row;
		if (row || ++pauses > HEADER_PAUSES) break;
	}
	if (!head) throw new FileError(t('importNoHeader'));
	if (head.refused || head.cells.length > COLUMNS_MAX) throw new FileError(head.refused ?? t('importManyColumns', {n: COLUMNS_MAX}));
	source.columns = head.cells;
	const created = head.cells.indexOf('createdAt');
	source.ours = head.cells.length > 1 && head.cells[0] === 'id' && created >= 0;
	source.entries = () => csvEntries(source, text, from);
}

const AHEAD_MAX = 12;

/* Leaves out lines beside the table, as transfer/csv.c does: a repeated header, the text above it, and the text below the last record. */
function* csvEntries(source: Source, text: string, from: number): Generator<Entry | null> {
	const {columns} = source;
	const several = columns.length >= HEADINGS_LEAST && !source.ours;
	let ahead: Entry[] = [];
	let belowEmpty = false;
	let hasRecords = false;
	const leave = () => {
		source.beside += ahead.length;
		return [];
	};
	source.beside = 0;
	for (const entry of csvRecords(source, text, from)) {
		if (!entry || !several) {
			yield entry;
			continue;
		}
		const {values, refused} = entry;
		const isText = values.length === 1 && values[0]!.column === 0 && !refused;
		const isEmpty = !values.length && !refused;
		const isHeader = values.length >= HEADINGS_LEAST && values.every((v) => v.text === columns[v.column]!.trim());
		belowEmpty ||= entry.isBelowEmpty ?? false;
		if (isHeader || (isText && hasRecords && (belowEmpty || ahead.length) && ahead.length < AHEAD_MAX)) ahead.push(entry);
		else if (!isEmpty) {
			yield* ahead;
			yield entry;
			hasRecords ||= values.length > 1;
			ahead = [];
		}
		if (isHeader) ahead = leave();
		belowEmpty = isEmpty;
	}
	leave();
}

function* csvRecords(source: Source, text: string, from: number): Generator<Entry | null> {
	let first = true;
	for (const row of csvRows(text, from, source.delimiter)) {
		if (!row || first) {
			first &&= !row;
			yield null;
			continue;
		}
		const values: EntryValue[] = [];
		row.cells.forEach((cell, column) => {
			const text = (source.ours && cell[0] === "'" ? cell.slice(1) : cell).trim();
			if (text) values.push({column, text});
		});
		const over = values.some(({column}) => column >= source.columns.length);
		const nul = values.some(({text}) => text.includes('\0'));
		const refused = row.refused ?? (over ? t('importManyValues', {n: source.columns.length}) : nul ? t('importNul') : undefined);
		yield {line: row.line, isBelowEmpty: row.isBelowEmpty, values: values.filter(({column}) => column < source.columns.length), refused};
	}
}

/* --- NDJSON ------------------------------------------------------------------------------------ */

function* ndjsonEntries(text: string): Generator<Entry | null> {
	for (let at = 0, line = 1; at < text.length; line++) {
		const found = text.indexOf('\n', at);
		const end = found < 0 ? text.length : found;
		if (end - at > RECORD_MAX) {
			yield {line, values: [], refused: t('importLongRecord')};
		} else {
			const raw = text.slice(at, end).trim();
			yield raw ? ndjsonEntry(line, raw) : null;
		}
		at = end + 1;
	}
}

/* The readers of nested values are recursive, so the depth is limited. */
function isDeep(raw: string): boolean {
	let depth = 0;
	let quoted = false;
	for (let i = 0; i < raw.length; i++) {
		const c = raw[i]!;
		if (quoted && c === '\\') i++;
		else if (c === '"') quoted = !quoted;
		else if (!quoted && (c === '{' || c === '[')) depth++;
		else if (!quoted && (c === '}' || c === ']')) depth--;
		if (depth > DEPTH_MAX) return true;
	}
	return false;
}

function ndjsonEntry(line: number, raw: string): Entry {
	if (isDeep(raw)) return {line, values: [], raw, refused: t('importNotJson')};
	try {
		const object: unknown = JSON.parse(raw);
		if (object && typeof object === 'object' && !Array.isArray(object)) return {line, values: [], object: object as Record<string, unknown>};
	} catch {
		/* Said below. */
	}
	return {line, values: [], raw, refused: t('importNotJson')};
}
