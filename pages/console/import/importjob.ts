/* The import of this tab. It goes on while other pages of the console are shown. */
import {useEffect, useState} from 'preact/hooks';
import {call, session, watchSession} from '../api';
import type {Field, Ref} from '../records/fields';
import {type Group, loadFields, loadGroups, loadRole, loadTypes, loadUsers, settingsChanged} from '../records/kinds';
import {type ColumnFacts, type Composer, compose, newFacts, observe, takes} from './importbody';
import {type Entry, FileError, type Source, eachEntry, openSource} from './importfile';
import {type Choices, type Head, newHead, readHead} from './importjournal';
import {type ImportKind, type ImportName, type TypeOf, importKind} from './importkinds';
import {type Mapping, SKIP, UNKNOWN, kindOfColumns, mapColumns, recordKindOf} from './importmap';
import {type Tally, type Undone, newTally, newUndone, runImport, runUndo} from './importwork';
import {sha256} from './sha256';

const PREVIEW = 5;

export type Step = 'choose' | 'reading' | 'ready' | 'checking' | 'checked' | 'importing' | 'done' | 'undoing' | 'undone';

export interface Job {
	/* Whose work it is. */
	user: string;
	step: Step;
	file: File | null;
	source: Source | null;
	sum: string;
	/* Of a file that tells people from companies: how many of each. They are imports of their own. */
	told: {companies: number; people: number} | null;
	records: number;
	facts: ColumnFacts[];
	first: Entry[];
	choices: Choices;
	mapping: Mapping | null;
	custom: Field[];
	groups: Group[];
	/* createdAt and createdBy are kept. */
	admin: boolean;
	/* Of all groups that objects can be imported into. */
	types: TypeOf[];
	/* Of earlier imports of the file. */
	head: Head | null;
	labels: Map<string, number>;
	left: Map<string, number>;
	tally: Tally;
	undone: Undone;
	/* The file was imported before. */
	before: boolean;
	n: number;
	error: unknown;
}

const noChoices = (): Choices => ({kind: 'people', encoding: 'utf-8', group: '', type: '', match: '', makeGroups: false, targets: []});

const newJob = (): Job => ({
	user: session.user?.id ?? '', step: 'choose', file: null, source: null, sum: '', told: null, records: 0, facts: [], first: [], choices: noChoices(), mapping: null, custom: [],
	groups: [], admin: false, types: [], head: null, labels: new Map(), left: new Map(), tally: newTally(), undone: newUndone(), before: false, n: 0, error: null,
});

let job = newJob();
let stopper = new AbortController();
const watchers = new Set<() => void>();

function put(change: Partial<Job>): void {
	job = {...job, ...change};
	for (const fn of watchers) fn();
}

export const jobNow = () => job;

export function useJob(): Job {
	const [, draw] = useState(0);
	useEffect(() => {
		const fn = () => draw((n) => n + 1);
		watchers.add(fn);
		return () => void watchers.delete(fn);
	}, []);
	return job;
}

export const isBusy = ({step}: Job) => step === 'reading' || step === 'checking' || step === 'importing' || step === 'undoing';

/* Closing the tab would stop it. */
window.addEventListener('beforeunload', (event) => {
	if (job.step === 'importing' || job.step === 'undoing') event.preventDefault();
});

export const kindOf = ({kind, group, type}: Choices): ImportKind => importKind(kind, group, type ?? '');

export const stop = () => stopper.abort();

export function startOver(): void {
	stop();
	put(newJob());
}

/* Another user begins anew. */
watchSession(() => {
	if (session.user && session.user.id !== job.user) startOver();
});

/* Runs a part of the work. If it fails or is stopped, the page shows the step `back`. */
async function attempt(step: Step, back: Step, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
	stopper = new AbortController();
	const {signal} = stopper;
	put({step, n: 0, error: null});
	try {
		await run(signal);
	} catch (error) {
		if (signal.aborted) put({step: job.step === step ? back : job.step});
		else put({step: back, error});
	}
}

/* --- reading ------------------------------------------------------------------------------------ */

/* By the program that wrote the file, or by what only records of a kind have. */
function guessKind(source: Source, first: Entry[]): ImportName {
	const has = (name: string) => source.columns.includes(name) || first.some(({object}) => object && name in object);
	const known = source.format === 'vcard' ? 'people' : kindOfColumns(source.columns);
	if (known) return known;
	if (has('activityType') && has('dateTime')) return 'interactions';
	if (has('dueAt')) return 'tasks';
	if (has('content') && has('entity')) return 'notes';
	if (first.some(({object}) => object && 'name' in object && 'people' in object)) return 'objects';
	return (has('industry') || has('foundationYear') || has('Company Domain Name')) && !has('firstName') && !has('jobTitle') ? 'companies' : 'people';
}

/* The object types of all groups. */
async function loadAllTypes(groups: Group[]): Promise<TypeOf[]> {
	const all: TypeOf[] = [];
	for (const {id, name} of groups) for (const type of await loadTypes(id)) all.push({group: id, groupName: name, type: type.name});
	return all;
}

/* null: the file has no companies among its people. */
async function tell(source: Source, signal: AbortSignal): Promise<Job['told']> {
	const told = {companies: 0, people: 0};
	if (source.format !== 'ndjson') await eachEntry(source, signal, (entry) => void told[recordKindOf(source, entry)]++);
	return told.companies ? told : null;
}

async function scan(source: Source, name: ImportName, part: boolean, signal: AbortSignal): Promise<Pick<Job, 'records' | 'facts' | 'first'>> {
	const facts: ColumnFacts[] = [];
	const first: Entry[] = [];
	let records = 0;
	await eachEntry(source, signal, (entry) => {
		if (!takes({kind: {name}, source}, entry, part)) return;
		observe(facts, entry);
		if (first.length < PREVIEW) first.push(entry);
		if (++records % 100 === 0) put({n: records});
	});
	return {records, facts: source.columns.map((_, i) => facts[i] ?? newFacts()), first};
}

export const readFile = (file: File, encoding = 'utf-8') =>
	attempt('reading', 'choose', async (signal) => {
		put({...newJob(), step: 'reading', file});
		const source = await openSource(file, encoding);
		const [sum, groups, role] = await Promise.all([sha256(source.bytes), loadGroups(), loadRole()]);
		const whole = await readHead(sum, '');
		const told = whole && whole.state !== 'undone' ? null : await tell(source, signal);
		signal.throwIfAborted();
		put({source, sum, groups, admin: role === 'admin', told});
		await openKind(told ? await firstKind(told) : null, {...noChoices(), encoding, part: told !== null}, signal);
	});

/* The companies come first, so that people find those that they belong to. A kind that was imported has had its turn. */
async function firstKind(told: NonNullable<Job['told']>): Promise<ImportName> {
	const kinds = (['companies', 'people'] as const).filter((kind) => told[kind]);
	for (const kind of kinds) if ((await readHead(job.sum, kind))?.state !== 'done') return kind;
	return kinds[0]!;
}

/* Shows the records of a kind: those that are imported already, or what would be. null: the file says of what kind they are. */
async function openKind(name: ImportName | null, choices: Choices, signal: AbortSignal): Promise<void> {
	const source = job.source!;
	const part = !!choices.part;
	const scanned = await scan(source, name ?? 'people', part, signal);
	const head = (await readHead(job.sum, part ? name! : '')) ?? null;
	signal.throwIfAborted();
	const kind = head && head.state !== 'undone' ? head.choices.kind : (name ?? guessKind(source, scanned.first));
	const types = kind === 'people' || kind === 'companies' ? [] : await loadAllTypes(job.groups);
	signal.throwIfAborted();
	put({types, head, before: false, tally: newTally(), left: new Map(), ...scanned});
	if (head && head.state !== 'undone') return resume(head, signal);
	await choose(typed({...choices, kind}));
	put({step: 'ready'});
}

/* The other kind of a file that has two. */
export const openPart = (kind: ImportName) =>
	attempt('reading', job.step, (signal) => openKind(kind, {...noChoices(), encoding: job.choices.encoding, part: true}, signal));

/* Chooses the object type when there is only one. */
function typed(choices: Choices): Choices {
	const [only, another] = job.types;
	return choices.kind === 'objects' && only && !another ? {...choices, group: only.group, type: only.type} : choices;
}

/* The file was imported before, or partly: its choices count. */
async function resume(head: Head, signal: AbortSignal): Promise<void> {
	await choose(head.choices, true);
	if (head.state === 'running') return put({step: 'ready'});
	/* All batches are done: this sends nothing, and counts. */
	const tally = newTally();
	await runImport({composer: await newComposer(), head, signal, onDone: () => {}}, false, tally);
	put({step: 'done', before: true, tally});
}

/* Maps the columns for new choices. With keep, the choices have the mapping. */
async function choose(choices: Choices, keep = false): Promise<void> {
	const kind = kindOf(choices);
	const custom = choices.group && kind.entity ? await loadFields(choices.group, kind.entity) : [];
	const {source, facts} = job;
	const mapping = mapColumns(kind, custom, source!.columns, (i) => (facts[i]?.values ?? 0) > 0, job.first, source!.format === 'vcard');
	if (keep) Object.assign(mapping, {targets: choices.targets, suggested: []});
	put({custom, mapping, choices: {...choices, targets: mapping.targets}, error: null, step: job.step === 'checked' ? 'ready' : job.step});
	await countLabels();
}

export const change = (choices: Choices) => choose(choices).catch((error: unknown) => put({error}));

/* Other records have other groups, types and matches. */
export async function changeKind(kind: ImportName): Promise<void> {
	if (job.told && (kind === 'people' || kind === 'companies')) return openPart(kind);
	/* Then all records are of that kind. */
	if (job.choices.part) return attempt('reading', job.step, (signal) => openKind(kind, {...noChoices(), encoding: job.choices.encoding}, signal));
	const needs = kind !== 'people' && kind !== 'companies';
	try {
		if (needs && !job.types.length) put({types: await loadAllTypes(job.groups)});
		const group = needs ? '' : job.choices.group;
		await choose(typed({...job.choices, kind, group: job.choices.type ? '' : group, type: '', match: ''}));
	} catch (error) {
		put({error});
	}
}

/* Labels that name no group. */
async function countLabels(): Promise<void> {
	const composer = await newComposer();
	let known = true;
	if (job.source!.format !== 'ndjson') known = composer.targets.includes('groups');
	if (known) await eachEntry(job.source!, new AbortController().signal, (entry) => void (takes(composer, entry, !!job.choices.part) && compose(composer, entry)));
	put({labels: composer.labels});
}

export async function setTarget(column: number, target: string): Promise<void> {
	const targets = job.choices.targets.map((old, i) => (i === column ? target : old));
	const suggested = job.mapping!.suggested.map((old, i) => old && i !== column);
	put({choices: {...job.choices, targets}, mapping: {...job.mapping!, targets, suggested}, step: 'ready'});
	if (target === 'groups') await countLabels();
}

export const setChoice = (change: Partial<Choices>) => put({choices: {...job.choices, ...change}, step: 'ready'});

/* Columns with values that become nothing, because kith has no field for them and nobody chose one. */
export const leftOutColumns = ({source, facts, choices, mapping}: Job): string[] =>
	source!.columns.filter((_, i) => facts[i]?.values && (choices.targets[i] === UNKNOWN || (choices.targets[i] === SKIP && mapping?.noField[i])));

function leaveOutUnknown(): void {
	const {choices, mapping} = job;
	const targets = choices.targets.map((target) => (target === UNKNOWN ? SKIP : target));
	const noField = mapping!.noField.map((known, i) => known || choices.targets[i] === UNKNOWN);
	put({choices: {...choices, targets}, mapping: {...mapping!, targets, noField}});
}

/* --- work ----------------------------------------------------------------------------------------- */

export const today = () => new Date().toISOString().slice(0, 10);

async function newComposer(): Promise<Composer> {
	const users: Ref[] = await loadUsers().catch(() => []);
	const {choices, source, facts, custom, groups} = job;
	return {
		kind: kindOf(choices), source: source!, targets: choices.targets, facts, custom, group: choices.group, type: choices.type ?? '', links: null, groups: [...groups], users,
		admin: job.admin, today: today(), left: new Map(), labels: new Map(),
	};
}

/* The import that goes on, or a new one, which begins by the server's clock. */
async function headNow(): Promise<Head> {
	if (job.head?.state === 'running') return job.head;
	const {headers} = await call('GET', '/v1/users/me');
	return newHead(job.sum, (job.head?.run ?? 0) + 1, job.choices, job.records, Date.parse(headers.get('Date') ?? '') || Date.now());
}

/* Counts what an import would do. */
export const check = () =>
	attempt('checking', 'ready', async (signal) => {
		leaveOutUnknown();
		const composer = {...(await newComposer()), links: new Map()};
		const tally = newTally();
		await runImport({composer, head: await headNow(), signal, onDone: (n) => put({n})}, true, tally);
		put({step: 'checked', tally, left: composer.left, labels: composer.labels});
	});

/* The import made or deleted groups; the page knows these now. */
function groupsChanged(groups: Group[]): void {
	settingsChanged();
	put({groups});
}

export const start = () =>
	attempt('importing', 'ready', async (signal) => {
		const composer = {...(await newComposer()), links: new Map()};
		const head = await headNow();
		const tally = newTally();
		composer.labels = new Map(job.labels);
		put({head, tally, before: false});
		try {
			await runImport({composer, head, signal, onDone: (n) => put({n})}, false, tally);
			put({step: 'done', left: composer.left});
		} finally {
			if (head.groups.length) groupsChanged(composer.groups);
		}
	});

/* A file that was imported before updates what it made. */
export async function importAgain(): Promise<void> {
	put({step: 'ready', tally: newTally()});
	setChoice({match: kindOf(job.choices).matches[0] === 'emails' ? 'emails' : 'name'});
}

export const undo = () =>
	attempt('undoing', job.step, async (signal) => {
		const undone = newUndone();
		put({undone});
		try {
			await runUndo(job.head!, kindOf(job.choices), undone, signal, (n) => put({n, undone: {...undone}}));
		} finally {
			if (undone.groups.length) groupsChanged(job.groups.filter(({id}) => !undone.groups.includes(id)));
		}
		await countLabels();
		put({step: 'undone', undone, head: {...job.head!, state: 'undone', groups: []}});
	});

/* After an undo the file can be imported again. */
export const afterUndo = () => put({step: 'ready', tally: newTally(), undone: newUndone()});

export const encodingMayHelp = (error: unknown) => error instanceof FileError && error.encoding;
