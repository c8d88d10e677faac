/* The work of an import: dry run, import and undo, in batches of 100. */
import {type Answer, ApiError, type Page, call, get, nextOf, session} from '../api';
import type {RecordData} from '../records/fields';
import type {Group} from '../records/kinds';
import {t} from '../texts/text';
import {type Composer, compose, findNamed, takes} from './importbody';
import {type Entry, eachEntry} from './importfile';
import type {ImportKind} from './importkinds';
import {type Counts, type DoneBatch, type Head, type Made, dropBatches, noCounts, putBatch, putHead, readBatches} from './importjournal';
import {sha256Text} from './sha256';

const BATCH = 100; /* records of a request */
const BATCH_SIZE = 1 << 20; /* characters of their text in the file */
const TRIES = 3; /* for a batch that the server answers with 500 */
const SAMPLES = 5;
const headers = {'X-Kith-Via': 'import'}; /* what events say, as those of `kith import` do */

export interface RefusedEntry {
	entry: Entry;
	/* What would be sent, if there is such a body. */
	body?: Record<string, unknown>;
	why: string;
}

export interface Tally {
	counts: Counts;
	refused: RefusedEntry[];
	/* Dry runs: the first records as they would be, and those whose e-mail address exists already. */
	samples: RecordData[];
	matches: number;
}

export interface Work {
	composer: Composer;
	head: Head;
	signal: AbortSignal;
	/* Records that are done. */
	onDone: (n: number) => void;
}

interface Result {
	status: 'succeeded' | 'failed';
	operation?: string;
	data?: RecordData;
	error?: {code?: string; message: string; details?: {candidates?: string[]}};
}

/* Waits until the server admits another request, as the RateLimit of its last answer says. */
async function obeyLimits(headers: Headers, signal: AbortSignal): Promise<void> {
	let seconds = 0;
	for (const [, left, reset] of (headers.get('RateLimit') ?? '').matchAll(/;r=(\d+);t=(\d+)/g)) if (Number(left) < 2) seconds = Math.max(seconds, Number(reset));
	for (const end = Date.now() + Math.min(seconds, 3600) * 1000; Date.now() < end; ) {
		await new Promise((done) => setTimeout(done, Math.min(250, end - Date.now())));
		signal.throwIfAborted();
	}
}

/* --- batches of the file -------------------------------------------------------------------------- */

interface Batch {
	number: number;
	entries: Entry[];
}

/* Cuts the file into batches, which depend only on the file. */
async function eachBatch(work: Work, each: (batch: Batch) => Promise<void>): Promise<void> {
	let batch: Batch = {number: 0, entries: []};
	let size = 0;
	const end = async () => {
		if (batch.entries.length) await each(batch);
		batch = {number: batch.number + 1, entries: []};
		size = 0;
	};
	await eachEntry(work.composer.source, work.signal, async (entry) => {
		if (!takes(work.composer, entry, !!work.head.choices.part)) return;
		batch.entries.push(entry);
		size += entry.object ? JSON.stringify(entry.object).length : entry.values.reduce((sum, {text}) => sum + text.length, 0);
		if (batch.entries.length === BATCH || size >= BATCH_SIZE) await end();
	});
	await end();
}

interface Sending {
	place: number;
	body: Record<string, unknown>;
}

const keyOf = ({head}: Work, number: number, tries: number) =>
	sha256Text(JSON.stringify([head.sum, head.choices, head.run, head.groups, number, tries]));

/* null: it does not exist any more. */
async function readOne(path: string): Promise<Answer<RecordData> | null> {
	try {
		return await call<RecordData>('GET', path);
	} catch (error) {
		if (error instanceof ApiError && error.status === 404) return null;
		throw error;
	}
}

/* True for a stored answer if nothing that it made exists any more: an import that another browser undid was dropped here. */
async function isUndone({headers}: Answer<unknown>, made: string[]): Promise<boolean> {
	if (headers.get('Idempotent-Replayed') !== 'true' || !made.length) return false;
	for (const path of made) if (await readOne(path)) return false;
	return true;
}

/* The records that make the server refuse the whole request, by its issues at "records". */
function leaveOut(error: ApiError, sent: Sending[], refuse: (place: number, why: string) => void): Sending[] {
	const bad = new Map<number, string>();
	for (const {path, message, hint} of error.issues) {
		const [first, index, ...rest] = path;
		if (first === 'records' && typeof index === 'number' && !bad.has(index)) bad.set(index, `${rest.join('.')}${rest.length ? ': ' : ''}${message}${hint ? `; ${hint}` : ''}`);
	}
	for (const [index, why] of bad) if (sent[index]) refuse(sent[index].place, why);
	return sent.filter((_, i) => !bad.has(i));
}

/* Sends the records of a batch. null: they were imported, but the server no longer has its answer. */
async function sendBatch(work: Work, batch: Batch, records: Sending[], dryRun: boolean, match: string, refuse: (place: number, why: string) => void) {
	const path = `${work.composer.kind.path}/batch/${match ? 'upsert' : 'create'}`;
	let sent = records;

	for (let tries = 0; sent.length; ) {
		const body = {...(match ? {match} : {}), records: sent.map((x) => x.body)};
		try {
			const once = dryRun ? undefined : await keyOf(work, batch.number, tries);
			const answer: Answer<{results: Result[]}> = await call('POST', path, {body, dryRun, once, headers, signal: work.signal});
			await obeyLimits(answer.headers, work.signal);
			const made = answer.data.results.filter(({operation = 'created', data}) => data && operation === 'created');
			if (!(await isUndone(answer, made.map(({data}) => `${work.composer.kind.path}/${data!.id}`)))) return {sent, results: answer.data.results};
			tries++;
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			if (error.code === 'IDEMPOTENCY_RESPONSE_NOT_STORED') return {sent, results: null};
			if (error.status === 500 && tries < TRIES) {
				tries++;
				continue;
			}
			const rest = error.status === 422 ? leaveOut(error, sent, refuse) : sent;
			if (rest.length === sent.length) throw error;
			sent = rest;
		}
	}
	return {sent, results: []};
}

/* What tells whether somebody changed a record: notes and interactions have no updatedAt. */
const TOLD = ['content', 'visibility', 'title', 'dateTime', 'activityType'];
const stateOf = async (record: RecordData): Promise<string> => record.updatedAt ?? (await sha256Text(JSON.stringify(TOLD.map((name) => record[name]))));

async function note(done: DoneBatch, {operation, data}: Result, began: number, byName: boolean): Promise<void> {
	const what = operation && operation in done.counts ? (operation as keyof Counts) : 'created';
	done.counts[what]++;
	if (what === 'created' && data) done.made.push([data.id, await stateOf(data)]);
	if (what === 'updated' && data) done.updated.push([data.id, data.updatedAt]);
	if (!byName) return;
	/* Companies that were made by name are newer than the import. */
	for (const {id} of (Array.isArray(data?.companies) ? data.companies : []) as {id: string}[])
		if (timeOfId(id) >= began && !done.companies.includes(id)) done.companies.push(id);
}

const timeOfId = (id: string) => parseInt(id.replace(/^[a-z]+_/, '').replace(/-/g, '').slice(0, 12), 16);

const whyOf = ({error}: Result) => [error?.message ?? t('importNoResult'), (error?.details?.candidates ?? []).join(', ')].filter(Boolean).join(': ');

/* --- the import, and its dry run -------------------------------------------------------------------- */

async function doBatch(work: Work, batch: Batch, dryRun: boolean, tally: Tally): Promise<DoneBatch> {
	const {composer, head} = work;
	const match = head.choices.match;
	const done: DoneBatch = {key: head.key, run: head.run, number: batch.number, counts: noCounts(), made: [], updated: [], companies: [], refused: []};
	const refuse = (place: number, why: string) => void done.refused.push([place, why]);
	const records: Sending[] = [];

	await findNamed(composer, batch.entries, work.signal);
	batch.entries.forEach((entry, place) => {
		const composed = compose(composer, entry);
		if ('why' in composed) refuse(place, composed.why);
		else records.push({place, body: composed.body});
	});
	const {sent, results} = await sendBatch(work, batch, records, dryRun, match, refuse);
	if (!results) done.counts.created += sent.length;
	else
		for (const [i, {place}] of sent.entries()) {
			const result = results[i];
			if (result?.status !== 'succeeded') {
				refuse(place, result ? whyOf(result) : t('importNoResult'));
				continue;
			}
			await note(done, result, head.began, composer.kind.name === 'people');
			if (dryRun && result.data && tally.samples.length < SAMPLES) tally.samples.push(result.data);
		}
	done.counts.refused = done.refused.length;
	if (dryRun && !match && records.some(({body}) => body.emails)) await countMatches(work, batch, records, tally);
	return done;
}

/* Records that an upsert would find by their e-mail address. */
async function countMatches(work: Work, batch: Batch, records: Sending[], tally: Tally): Promise<void> {
	const {results} = await sendBatch(work, batch, records.filter(({body}) => body.emails), true, 'emails', () => {});
	for (const {operation, error} of results ?? []) if (operation === 'updated' || operation === 'unchanged' || error?.code === 'AMBIGUOUS_MATCH') tally.matches++;
}

function addBatch({composer}: Work, tally: Tally, batch: Batch, {counts, refused}: DoneBatch): void {
	for (const name of Object.keys(counts) as (keyof Counts)[]) tally.counts[name] += counts[name];
	for (const [place, why] of refused) {
		const entry = batch.entries[place];
		/* What was left out was counted before. */
		const made = entry && compose({...composer, left: new Map(), labels: new Map()}, entry);
		if (entry) tally.refused.push({entry, why, body: made && 'body' in made ? made.body : undefined});
	}
}

export const newTally = (): Tally => ({counts: noCounts(), refused: [], samples: [], matches: 0});

/* Sends the file from its beginning; batches that were done before are not sent again. tally shows what was done, also after a
 * failure. */
export async function runImport(work: Work, dryRun: boolean, tally: Tally): Promise<void> {
	const before = new Map(dryRun ? [] : (await readBatches(work.head)).filter((b) => b.run === work.head.run).map((b) => [b.number, b]));
	let n = 0;

	if (!dryRun) {
		if (work.head.choices.makeGroups) await makeGroups(work);
		await putHead(work.head);
	}
	work.composer.left.clear();
	work.composer.today = new Date(work.head.began).toISOString().slice(0, 10);
	await eachBatch(work, async (batch) => {
		let done = before.get(batch.number);
		if (!done) {
			work.signal.throwIfAborted();
			done = await doBatch(work, batch, dryRun, tally);
			if (!dryRun) await putBatch(done);
		}
		addBatch(work, tally, batch, done);
		work.onDone((n += batch.entries.length));
	});
	if (!dryRun) await putHead(Object.assign(work.head, {state: 'done'}));
}

async function makeGroup(head: Head, name: string): Promise<Answer<Group>> {
	for (let tries = 0; ; tries++) {
		const once = await sha256Text(JSON.stringify([head.sum, head.run, 'group', name, tries]));
		const answer = await call<Group>('POST', '/v1/groups', {body: {name, visibility: 'public'}, once, headers});
		if (!(await isUndone(answer, [`/v1/groups/${answer.data.id}`]))) return answer;
	}
}

/* Makes public groups of the labels that name none. */
async function makeGroups({composer, head}: Work): Promise<void> {
	for (const name of [...composer.labels.keys()]) {
		try {
			const {data} = await makeGroup(head, name);
			composer.groups.push(data);
			composer.labels.delete(name);
			head.groups.push(data.id);
			await putHead(head);
		} catch (error) {
			/* The label stays without a group: the name is too long, or the user may not make groups. */
			if (!(error instanceof ApiError)) throw error;
		}
	}
}

/* --- undo ----------------------------------------------------------------------------------------------- */

export interface Undone {
	deleted: number;
	absent: number;
	/* Changed since, by their ids. */
	kept: string[];
	/* Records that existed before and that the imports updated; they keep the new values. */
	updated: number;
	companies: number;
	/* The ids of groups that were deleted. */
	groups: string[];
}

export const newUndone = (): Undone => ({deleted: 0, absent: 0, kept: [], updated: 0, companies: 0, groups: []});

/* Deletes the records of a batch. Those that were made together have one tag: the first one shows it, and all that have it still
 * are deleted at once. */
async function undoMade(path: string, made: Made[], states: Map<string, string>, undone: Undone, signal: AbortSignal, onlyUnused = false): Promise<void> {
	let left = made;
	while (left.length) {
		signal.throwIfAborted();
		const [id] = left[0]!;
		const one = await readOne(`${path}/${id}`);
		if (one && one.data.updatedAt !== states.get(id)) {
			undone.kept.push(id);
			left = left.slice(1);
			continue;
		}
		if (!one) {
			undone.absent++;
			left = left.slice(1);
			continue;
		}
		const records = left.map(([x]) => ({id: x, ifMatch: one.etag}));
		const answer: Answer<{results: Result[]}> = await call('POST', `${path}/batch/delete${onlyUnused ? '?unused=true' : ''}`, {body: {records}, headers});
		left = left.filter(([x], i) => {
			const result = answer.data.results[i];
			const deleted = result?.status === 'succeeded';
			const absent = result?.error?.code === 'NOT_FOUND';
			undone.deleted += deleted ? 1 : 0;
			undone.absent += absent ? 1 : 0;
			if (!deleted && !absent && x === id) undone.kept.push(id);
			return !deleted && !absent && x !== id;
		});
		await obeyLimits(answer.headers, signal);
	}
}

/* The same for records that are only deleted one by one. */
async function undoSingly(path: string, made: Made[], states: Map<string, string>, undone: Undone, signal: AbortSignal): Promise<void> {
	for (const [id] of made) {
		signal.throwIfAborted();
		const one = await readOne(`${path}/${id}`);
		if (!one) undone.absent++;
		else if ((await stateOf(one.data)) === states.get(id) && (await deleteOne(`${path}/${id}`, one.etag))) undone.deleted++;
		else undone.kept.push(id);
		if (one) await obeyLimits(one.headers, signal);
	}
}

const isEmpty = async (path: string) => !(await get<Page<unknown>>(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).data.items.length;

async function nowhereUsed(lists: string[]): Promise<boolean> {
	for (const list of lists) if (!(await isEmpty(list))) return false;
	return true;
}

async function deleteOne(path: string, ifMatch: string | null): Promise<boolean> {
	try {
		await call('DELETE', path, {ifMatch, headers});
		return true;
	} catch (error) {
		if (error instanceof ApiError && [403, 404, 409, 412].includes(error.status)) return false;
		throw error;
	}
}

/* True for a company that has only its name, and that nobody changed. */
function isBare(data: RecordData): boolean {
	const lists = ['groups', 'addresses', 'emails', 'phones', 'urls'];
	const own = data.createdBy?.id === session.user?.id && data.updatedAt === data.createdAt && !data.description && !data.industry;
	return own && lists.every((name) => !Array.isArray(data[name]) || !data[name].length);
}

interface Referrer {
	companies?: {id: string}[];
	entity?: {id: string};
}

/* Takes the companies that a record refers to out of the unused ones. False: it refers to none of them. */
function takeOut(unused: Set<string>, {companies = [], entity}: Referrer): boolean {
	const size = unused.size;
	for (const {id} of [...companies, ...(entity ? [entity] : [])]) unused.delete(id);
	return unused.size < size;
}

/* The same for all records of a list that can be filtered by companies. Each page leaves fewer of them to ask for. */
async function takeOutFiltered(unused: Set<string>, read: (ids: string[], cursor: string | null) => Promise<Page<Referrer>>): Promise<void> {
	for (let cursor: string | null = null; unused.size; ) {
		const page = await read([...unused], cursor);
		cursor = page.items.length ? null : nextOf(page);
		if (!page.items.length && !cursor) return;
		/* A reference that the answer does not show could be to any of them. */
		if (page.items.length && !page.items.filter((item) => takeOut(unused, item)).length) unused.clear();
	}
}

/* The same for notes and the like, whose lists take one company only. A short list is read as a whole. */
async function takeOutEach(unused: Set<string>, list: string): Promise<void> {
	let cursor: string | null = null;
	for (let pages = Math.ceil(unused.size / 4); pages > 0 && unused.size; pages--) {
		const page: Page<Referrer> = (await get<Page<Referrer>>(`${list}?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)).data;
		for (const item of page.items) takeOut(unused, item);
		cursor = nextOf(page);
		if (!cursor) return;
	}
	for (const id of [...unused]) if (!(await isEmpty(`${list}?entity.id=${id}`))) unused.delete(id);
}

/* Deletes those of at most 100 companies that an import made by their names, that have nothing else, and that nothing refers to. */
async function undoCompanies(ids: string[], signal: AbortSignal): Promise<number> {
	const path = '/v1/companies';
	const undone = newUndone();
	/* Lists do not find records by their ids; a dry run that changes nothing shows them. */
	const {data} = await call<{results: Result[]}>('POST', `${path}/batch/update`, {body: {records: ids.map((id) => ({id}))}, dryRun: true, headers, signal});
	const bare = data.results.flatMap(({data: company}) => (company && isBare(company) ? [company] : []));
	const unused = new Set(bare.map(({id}) => id));

	await takeOutFiltered(unused, async (companies, cursor) =>
		(await call<Page<Referrer>>('POST', '/v1/people/search', {body: {filter: {companies: {in: {id: companies}}}, limit: 100, cursor: cursor ?? undefined}, signal})).data);
	await takeOutFiltered(unused, async (companies, cursor) =>
		(await get<Page<Referrer>>(`/v1/tasks?${new URLSearchParams([...companies.map((id) => ['filter[entity][in]', id]), ['limit', '100'], ...(cursor ? [['cursor', cursor]] : [])])}`, signal)).data);
	for (const list of ['/v1/notes', '/v1/interactions', '/v1/reminders']) await takeOutEach(unused, list);

	/* Those that were made together have one tag. */
	const states = new Map(bare.filter(({id}) => unused.has(id)).map(({id, updatedAt}) => [id, updatedAt]));
	for (const at of new Set(states.values())) await undoMade(path, [...states].filter(([, state]) => state === at), states, undone, signal, true);
	return undone.deleted;
}

export async function runUndo(head: Head, {path, batchDelete}: ImportKind, undone: Undone, signal: AbortSignal, onDone: (n: number) => void): Promise<void> {
	const batches = await readBatches(head);
	const states = new Map<string, string>();
	const own = new Set(batches.flatMap((b) => b.made.map(([id]) => id)));
	let n = 0;

	for (const {made, updated} of batches) for (const [id, state] of [...made, ...updated]) states.set(id, state);
	undone.updated = new Set(batches.flatMap((b) => b.updated.map(([id]) => id)).filter((id) => !own.has(id))).size;
	for (const {made} of batches) {
		await (batchDelete ? undoMade : undoSingly)(path, made, states, undone, signal);
		onDone((n += made.length));
	}
	const companies = [...new Set(batches.flatMap((b) => b.companies))];
	for (let at = 0; at < companies.length; at += BATCH) undone.companies += await undoCompanies(companies.slice(at, at + BATCH), signal);
	for (const id of head.groups) {
		const uses = [`/v1/people?filter[groups][in][id]=${id}`, `/v1/companies?filter[groups][in][id]=${id}`, `/v1/groups/${id}/object-types`];
		if ((await nowhereUsed(uses)) && (await deleteOne(`/v1/groups/${id}`, null))) undone.groups.push(id);
	}
	await dropBatches(head);
	await putHead({...head, state: 'undone', groups: []});
}
