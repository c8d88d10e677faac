/* The feed as lines to read: what one actor did to many records at once, such as an import, is one line. */
import {ways} from '../records/actor';
import {type RecordEvent, isNews, loadEvents} from '../records/change';
import {kindOf} from './eventline';

const FIRST = 25; /* events that are read first, */
const MORE = 100; /* and at once when more are needed */

const RUN_MIN = 5; /* events that are worth a line of their own */
const GAP_MS = 10000; /* between two events of a run; */
const IMPORT_GAP_MS = 120000; /* an import waits for the rate limit */

/* What was read of the feed, the newest first. next: the cursor of the rest; null: there is no more. */
export interface Feed {
	events: RecordEvent[];
	next: string | null;
	/* What is shown after the last run, whose end was not read. */
	beside?: RecordEvent[];
}

/* Nothing was read yet. */
export const UNREAD: Feed = {events: [], next: null};

/* A line has an event, or those of a run. */
export type Line = RecordEvent[];

function isSameRun(a: RecordEvent, b: RecordEvent): boolean {
	if (!a.actor || !b.actor || kindOf(a) === 'user') return false; /* what happens to users is told one by one */
	const {id, keyId, via} = a.actor;
	const apart = Math.abs(Date.parse(a.createdAt) - Date.parse(b.createdAt));
	if (id !== b.actor.id || keyId !== b.actor.keyId || via !== b.actor.via) return false;
	return via === 'import' ? apart <= IMPORT_GAP_MS : a.type === b.type && apart <= GAP_MS;
}

export function linesOf(events: RecordEvent[]): Line[] {
	const runs: Line[] = [];
	for (const event of events) {
		const run = runs[runs.length - 1];
		if (run && isSameRun(run[run.length - 1]!, event)) run.push(event);
		else runs.push([event]);
	}
	return runs.flatMap((run) => (run.length < RUN_MIN ? run.map((event) => [event]) : [run]));
}

/* Reads on until there are more than so many lines, so that the last one is whole. It reads at most so many pages: the last run may
 * then be longer than what is known of it. fits: what is shown. */
export async function readFeed(
	from: Feed,
	want: {lines: number; pages: number; query?: [string, string][]; fits?: (event: RecordEvent) => boolean},
	signal: AbortSignal,
): Promise<Feed> {
	const events = [...from.events];
	let {next} = from;

	for (let i = 0; i < want.pages && linesOf(events).length <= want.lines && (next || from === UNREAD); i++) {
		const page = await loadEvents(want.query ?? [], next, next ? MORE : FIRST, signal);
		events.push(...page.events.filter((event) => isNews(event) && (want.fits?.(event) ?? true)));
		({next} = page);
		if (!next) break;
	}
	return {events, next};
}

/* When the last run is longer than what was read of it, such as an import of thousands: adds what was done before in other ways. */
export async function readBeside(feed: Feed, lines: number, signal: AbortSignal): Promise<Feed> {
	const oldest = feed.events[feed.events.length - 1];
	if (!feed.next || !oldest?.actor?.via || linesOf(feed.events).length > lines) return feed;
	const others = Object.keys(ways).filter((way) => way !== oldest.actor!.via);
	const pages = await Promise.all(others.map((via) => loadEvents({via, until: oldest.createdAt}, null, FIRST, signal)));
	const beside = pages.flatMap(({events}) => events).filter(isNews);
	return {...feed, beside: beside.sort((a, b) => b.createdAt.localeCompare(a.createdAt))};
}
