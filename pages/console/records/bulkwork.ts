/* Work on many records: reading all that match, and changes in batches. */
import {type Answer, ApiError, type Page, call, explain, nextOf} from '../api';
import type {RecordData} from './fields';
import type {Kind} from './kinds';

const BATCH = 100; /* records of a request */
export const BULK_MAX = 10000;

/* Calls each() with pages of a list until its end, or until max records were read. */
export async function readMatching(kind: Kind, filter: unknown, sort: string, max: number, signal: AbortSignal, each: (page: RecordData[]) => void): Promise<void> {
	let cursor: string | null = null;
	let n = 0;

	do {
		const body: Record<string, unknown> = {filter, sort, limit: BATCH, cursor: cursor ?? undefined};
		const {data}: {data: Page<RecordData>} = await call<Page<RecordData>>('POST', `${kind.path}/search`, {body, signal});
		const items = data.items.slice(0, max - n);
		n += items.length;
		each(items);
		cursor = nextOf(data);
	} while (cursor && n < max);
}

export interface Refused {
	id: string;
	why: string;
}

export interface Outcome {
	done: string[];
	refused: Refused[];
}

interface Result {
	status: 'succeeded' | 'failed';
	error?: {message: string; details?: {issues?: {message: string}[]}};
}

/* Sends records to …/batch/update or …/batch/delete. onDone gets the number of records that were sent. After an abort the outcome
 * has what was done until then. */
export async function runBatches(
	kind: Kind,
	action: 'update' | 'delete',
	records: ({id: string} & Record<string, unknown>)[],
	{dryRun, signal, onDone}: {dryRun: boolean; signal: AbortSignal; onDone: (n: number) => void},
): Promise<Outcome> {
	const outcome: Outcome = {done: [], refused: []};

	for (let at = 0; at < records.length && !signal.aborted; at += BATCH) {
		const some = records.slice(at, at + BATCH);
		let answer: Answer<{results: Result[]}>;
		try {
			answer = await call('POST', `${kind.path}/batch/${action}`, {body: {records: some}, dryRun});
		} catch (error) {
			/* The whole batch is refused. What was done before counts, and can be undone. */
			if (!(error instanceof ApiError)) throw error;
			outcome.refused.push(...some.map(({id}) => ({id, why: explain(error)})));
			onDone(at + some.length);
			continue;
		}
		answer.data.results.forEach(({status, error}, i) => {
			if (status === 'succeeded') outcome.done.push(some[i]!.id);
			else outcome.refused.push({id: some[i]!.id, why: error?.details?.issues?.[0]?.message ?? error?.message ?? ''});
		});
		onDone(at + some.length);
	}
	return outcome;
}
