/* Work on many records: reading all that match, and changes in batches. */
import {ApiError, type Page, call, explain, nextOf} from '../api';
import {t} from '../texts/text';
import type {RecordData} from './fields';
import type {Query} from './filters';
import type {Kind} from './kinds';

const BATCH = 100; /* records of a request */
export const BULK_MAX = 10000;

/* Calls each() with pages of a list until its end, or until max records were read. True: there are more. */
export async function readMatching(kind: Kind, query: Query, sort: string, max: number, signal: AbortSignal, each: (page: RecordData[]) => void): Promise<boolean> {
	let cursor: string | null = null;
	let n = 0;
	let more = false;

	do {
		const body: Record<string, unknown> = {...query, sort, limit: BATCH, cursor: cursor ?? undefined};
		const {data}: {data: Page<RecordData>} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body, signal});
		const items = data.items.slice(0, max - n);
		n += items.length;
		each(items);
		cursor = nextOf(data);
		more = cursor !== null || items.length < data.items.length;
	} while (cursor && n < max);
	return more;
}

interface Result {
	status: 'succeeded' | 'failed';
	data?: RecordData;
	error?: {message: string; details?: {issues?: {message: string}[]}};
}

type Action = 'update' | 'delete';

async function send(kind: Kind, action: Action, records: Record<string, unknown>[], dryRun: boolean): Promise<Result[]> {
	return (await call<{results: Result[]}>('POST', `${kind.path}/batch/${action}`, {body: {records}, dryRun})).data.results;
}

/* Records as they are now, by a dry run that changes nothing, because lists do not find records by their ids. Those that cannot be read
 * stay as they are. */
export async function readAgain(kind: Kind, records: RecordData[]): Promise<RecordData[]> {
	const all: RecordData[] = [];
	for (let at = 0; at < records.length; at += BATCH) {
		const some = records.slice(at, at + BATCH);
		const results = await send(kind, 'update', some.map(({id}) => ({id})), true);
		all.push(...some.map((record, i) => results[i]!.data ?? record));
	}
	return all;
}

/* A change of a record. */
export interface Change {
	/* The record as it was read. If somebody else has changed it since, it is left as it is. */
	record: RecordData;
	/* The members of the batch record. */
	body: Record<string, unknown>;
}

export interface Refused {
	id: string;
	why: string;
}

export interface Outcome {
	/* The records after the change; of a delete, their ids. */
	done: RecordData[];
	refused: Refused[];
}

/* Lists and batches show no tags for ifMatch, so records are compared immediately before they are changed. */
async function runBatch(kind: Kind, action: Action, changes: Change[], dryRun: boolean, outcome: Outcome): Promise<void> {
	const read = changes.map(({record}) => record);
	const now = dryRun ? read : await readAgain(kind, read);
	const same = changes.filter(({record}, i) => now[i]!.updatedAt === record.updatedAt);
	const results = same.length ? await send(kind, action, same.map(({record, body}) => ({...body, id: record.id})), dryRun) : [];

	for (const change of changes) {
		const result: Result = results[same.indexOf(change)] ?? {status: 'failed', error: {message: t('changedMeanwhile')}};
		const {status, data, error} = result;
		if (status === 'succeeded') outcome.done.push(data!);
		else outcome.refused.push({id: change.record.id, why: error?.details?.issues?.[0]?.message ?? error?.message ?? ''});
	}
}

/* Sends changes to …/batch/update or …/batch/delete. onDone gets the number of records that were sent. After an abort the outcome
 * has what was done until then. */
export async function runBatches(
	kind: Kind,
	action: Action,
	changes: Change[],
	{dryRun, signal, onDone}: {dryRun: boolean; signal: AbortSignal; onDone: (n: number) => void},
): Promise<Outcome> {
	const outcome: Outcome = {done: [], refused: []};

	for (let at = 0; at < changes.length && !signal.aborted; at += BATCH) {
		const some = changes.slice(at, at + BATCH);
		try {
			await runBatch(kind, action, some, dryRun, outcome);
		} catch (error) {
			/* The whole batch is refused. What was done before counts, and can be undone. */
			if (!(error instanceof ApiError)) throw error;
			outcome.refused.push(...some.map(({record}) => ({id: record.id, why: explain(error)})));
		}
		onDone(at + some.length);
	}
	return outcome;
}
