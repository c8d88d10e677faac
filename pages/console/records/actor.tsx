/* Who made a change, and how, from the events of records. */
import {FEED_LOOKS, get, pauseBeforeLook} from '../api';
import {t} from '../texts/text';

export interface Actor {
	type: 'user' | 'system';
	id: string | null;
	fullName: string | null;
	keyId?: string | null;
	keyName: string | null;
	via: string | null;
}

/* Clocks of the server and its database may differ by this much. */
const CLOCKS_MS = 2000;

/* By the words of the API. */
export const ways: Record<string, string> = {
	api: t('wayApi'),
	console: t('viaConsole'),
	mcp: t('viaMcp'),
	import: t('viaImport'),
	carddav: t('viaCarddav'),
	command: t('viaCommand'),
};

export const actorName = (actor: Actor) => (actor.type === 'system' ? t('bySystem') : (actor.fullName ?? t('byDeleted')));

/* Only programs that call the API show a key; elsewhere it is that of a session, application or device, which is named as it is. */
function wayOf({via, keyName}: Actor): string {
	const named = keyName && (via === 'api' ? t('withKey', {name: keyName}) : keyName);
	return via ? [ways[via] ?? via, named].filter(Boolean).join(' · ') : '';
}

/* actor is null in an event of a release that did not know actors. short: only the way. */
export function ActorText({actor, short}: {actor: Actor | null; short?: boolean}) {
	if (!actor) return null;
	const way = wayOf(actor);
	return <span class="quiet">{!short && <bdi>{actorName(actor)}</bdi>}{!short && way && ' · '}{way}</span>;
}

/* The user who made the latest change of a record, at that time; null: nobody knows. */
export async function lastUser(id: string, at: string, signal: AbortSignal): Promise<string | null> {
	const path = `/v1/events?record=${encodeURIComponent(id)}&sort=-createdAt&limit=1`;

	for (let i = 0; i < FEED_LOOKS; i++) {
		const [last] = (await get<{items: {createdAt: string; actor: Actor | null}[]}>(path, signal)).data.items;
		if (last && Date.parse(last.createdAt) > Date.parse(at) - CLOCKS_MS) return last.actor?.fullName ?? null;
		await pauseBeforeLook(i);
	}
	return null;
}
