/* Follows the events by Server-Sent Events. It uses fetch(), because EventSource cannot send a key. When a stream ends (the
 * server restarts, the connection is lost), it waits and continues from the last cursor. Where a proxy holds streams back, it
 * reads the feed with "wait" instead. */
import {ApiError, credentials, get, session, urlOf} from '../api';
import {t} from '../texts/text';

export interface Change {
	path: (string | number)[];
	type: string;
	value?: unknown;
}

export interface LiveEvent {
	id: string;
	type: string;
	createdAt: string;
	data: {id: string; url?: string; changes?: Change[]; details?: {entity?: {id: string}; [member: string]: unknown}};
}

export type LiveState = 'connecting' | 'live' | 'lost';

export interface Listener {
	onEvents: (events: LiveEvent[], cursor: string) => void;
	onState: (state: LiveState) => void;
	/* The cursor was too old: events are missing before those that follow. */
	onGap: () => void;
}

const SILENT_MS = 40000; /* a stream says something every 15 seconds */
const PAUSE_MS = 1000;
const PAUSE_MAX_MS = 5000;
const SILENCES_MAX = 2;

const pause = (ms: number, signal: AbortSignal) =>
	new Promise<void>((done) => {
		const timer = setTimeout(done, ms);
		signal.addEventListener('abort', () => {
			clearTimeout(timer);
			done();
		});
	});

/* The current end of the feed. */
async function cursorNow(signal: AbortSignal): Promise<string> {
	return (await get('/v1/users?limit=1', signal)).headers.get('X-Events-Cursor') ?? '';
}

/* One message of a stream. */
interface Frame {
	id: string | null;
	data: string[];
}

/* Takes a line; true when it ends a message. */
function takeLine(frame: Frame, line: string): boolean {
	if (line === '') return true;
	const colon = line.indexOf(':');
	const name = colon < 0 ? line : line.slice(0, colon);
	const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
	if (name === 'id') frame.id = value;
	if (name === 'data') frame.data.push(value);
	return false;
}

/* Reads messages until the stream ends. Calls silent() when nothing has arrived for long. */
async function readFrames(body: ReadableStream<Uint8Array>, silent: () => void, take: (frame: Frame) => void): Promise<void> {
	const reader = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
	let frame: Frame = {id: null, data: []};
	let rest = '';
	let timer = setTimeout(silent, SILENT_MS);

	try {
		for (;;) {
			const {done, value} = await reader.read();
			if (done) return;
			clearTimeout(timer);
			timer = setTimeout(silent, SILENT_MS);
			const lines = (rest + value).split('\n');
			rest = lines.pop()!;
			for (const line of lines)
				if (takeLine(frame, line.replace(/\r$/, ''))) {
					take(frame);
					frame = {id: null, data: []};
				}
		}
	} finally {
		clearTimeout(timer);
	}
}

/* How a stream ended. */
type Ending = 'ended' | 'silent' | 'unknown' | 'old';

class Follower {
	private silences = 0;
	private pauseMs = PAUSE_MS;

	constructor(private cursor: string, private readonly listener: Listener, private readonly signal: AbortSignal) {}

	/* Follows until the signal. */
	async run(): Promise<void> {
		let streams = true;

		while (!this.signal.aborted)
			try {
				if (!this.cursor) this.cursor = await cursorNow(this.signal);
				const ending = streams ? await this.stream() : await this.page();
				if (ending === 'old') this.skip();
				if (ending === 'unknown' || (ending === 'silent' && ++this.silences >= SILENCES_MAX)) streams = false;
			} catch (error) {
				if (this.signal.aborted) return;
				if (!(error instanceof ApiError && error.status === 422)) await this.rest();
				else this.skip();
			}
	}

	/* The cursor is no longer valid: continues from now. */
	private skip(): void {
		this.listener.onGap();
		this.cursor = '';
	}

	private async rest(): Promise<void> {
		this.listener.onState('lost');
		await pause(this.pauseMs, this.signal);
		this.pauseMs = Math.min(PAUSE_MAX_MS, this.pauseMs * 2);
	}

	private take(events: LiveEvent[], cursor: string): void {
		this.cursor = cursor;
		this.pauseMs = PAUSE_MS;
		if (events.length) this.listener.onEvents(events, cursor);
	}

	/* Reads one stream to its end. */
	private async stream(): Promise<Ending> {
		const own = new AbortController();
		const stop = () => own.abort();
		let silent = false;

		this.signal.addEventListener('abort', stop);
		try {
			if (!session.open) await get('/v1/users/me', this.signal);
			const headers = {...credentials(), Accept: 'text/event-stream', 'Last-Event-ID': this.cursor};
			const response = await fetch(urlOf('/v1/events/stream'), {headers, signal: own.signal, cache: 'no-store'});
			if (response.status === 401) await get('/v1/users/me', this.signal); /* waits until somebody signs in */
			if ([404, 405, 406].includes(response.status)) return 'unknown';
			if (response.status === 422) return 'old';
			if (!response.ok || !response.body) throw new Error(t('serverAnswered', {status: response.status}));
			this.listener.onState('live');
			const hush = () => {
				silent = true;
				stop();
			};
			await readFrames(response.body, hush, ({id, data}) => {
				const events = data.length ? [JSON.parse(data.join('\n')) as LiveEvent] : [];
				this.take(events, id ?? this.cursor);
			});
		} catch (error) {
			if (!silent || this.signal.aborted) throw error;
			return 'silent';
		} finally {
			this.signal.removeEventListener('abort', stop);
		}
		await this.rest();
		return 'ended';
	}

	/* Reads one page of the feed, and waits for events if there are none. */
	private async page(): Promise<Ending> {
		const path = `/v1/events?limit=100&wait=25&after=${encodeURIComponent(this.cursor)}`;
		this.listener.onState('live');
		const {data} = await get<{items: LiveEvent[]; cursor: string}>(path, this.signal);
		this.take(data.items, data.cursor);
		return 'ended';
	}
}

/* Follows the events after the cursor ('': from now on) until the signal. */
export function follow(cursor: string, listener: Listener, signal: AbortSignal): Promise<void> {
	return new Follower(cursor, listener, signal).run();
}
