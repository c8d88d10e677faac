/* What imports have done, in the browser's IndexedDB: an import that was stopped goes on, a file that was imported makes nothing
 * twice, and an undo finds what was made. It has ids and times of records, and the reasons for refusals, which can quote a value.
 * It stays when the user signs out. */
import {session} from '../api';
import type {ImportName} from './importkinds';

const NAME = 'kith.imports';
const HEADS = 'heads';
const BATCHES = 'batches';

export interface Counts {
	created: number;
	updated: number;
	unchanged: number;
	existing: number;
	refused: number;
}

export const noCounts = (): Counts => ({created: 0, updated: 0, unchanged: 0, existing: 0, refused: 0});

/* What the user chose. It is part of the idempotency keys. */
export interface Choices {
	kind: ImportName;
	encoding: string;
	group: string;
	/* The type of the objects, or of those that notes, tasks and interactions are about; ''. Journals of earlier releases have none. */
	type?: string;
	match: string;
	makeGroups: boolean;
	targets: string[];
	/* The file tells people from companies, and only those of the kind are imported. */
	part?: boolean;
}

export interface Head {
	/* The user, the file, and the kind if the file has two. */
	key: string;
	sum: string;
	/* Of the imports of the file, from 1. */
	run: number;
	state: 'running' | 'done' | 'undone';
	choices: Choices;
	began: number;
	records: number;
	/* Groups that were made for labels. */
	groups: string[];
}

/* An id, and updatedAt as the import left it; of records without it a digest. */
export type Made = [id: string, state: string];

export interface DoneBatch {
	key: string;
	run: number;
	number: number;
	counts: Counts;
	made: Made[];
	updated: Made[];
	companies: string[];
	/* The places of refused records in the batch, with the reasons. */
	refused: [place: number, why: string][];
}

const keyOf = (sum: string, part: ImportName | '') => `${session.user?.id} ${sum}${part && ` ${part}`}`;

function result<T>(request: IDBRequest<T>): Promise<T> {
	return new Promise((done, fail) => {
		request.onsuccess = () => done(request.result);
		request.onerror = () => fail(request.error!);
	});
}

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
	if (opened) return opened;
	const request = indexedDB.open(NAME, 1);
	request.onupgradeneeded = () => {
		request.result.createObjectStore(HEADS, {keyPath: 'key'});
		request.result.createObjectStore(BATCHES, {keyPath: ['key', 'run', 'number']});
	};
	opened = result(request);
	opened.catch(() => (opened = null));
	return opened;
}

async function inStore<T>(name: string, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
	return result(work((await database()).transaction(name, mode).objectStore(name)));
}

export const newHead = (sum: string, run: number, choices: Choices, records: number, began: number): Head => ({
	key: keyOf(sum, choices.part ? choices.kind : ''),
	sum,
	run,
	state: 'running',
	choices,
	began,
	records,
	groups: [],
});

export const readHead = (sum: string, part: ImportName | ''): Promise<Head | undefined> => inStore(HEADS, 'readonly', (store) => store.get(keyOf(sum, part)));
export const putHead = (head: Head) => inStore(HEADS, 'readwrite', (store) => store.put(head));
export const putBatch = (batch: DoneBatch) => inStore(BATCHES, 'readwrite', (store) => store.put(batch));

const all = (key: string) => IDBKeyRange.bound([key], [key, []]);

/* The batches of all imports of the file that were not undone, in their order. */
export const readBatches = (head: Head): Promise<DoneBatch[]> => inStore(BATCHES, 'readonly', (store) => store.getAll(all(head.key)));
export const dropBatches = (head: Head) => inStore(BATCHES, 'readwrite', (store) => store.delete(all(head.key)));
