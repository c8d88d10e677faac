/* The names and pages of records that events are about. Events name records only by their ids, so each is read once. */
import {useEffect, useState} from 'preact/hooks';
import {ApiError, get, session} from '../api';
import type {RecordEvent} from '../records/change';
import type {Ref} from '../records/fields';
import {routeOfId} from '../records/kinds';
import {t} from '../texts/text';

/* null: nobody may see it, or it is gone. */
export interface Known {
	name: string;
	route: string[] | null;
	/* The record that it belongs to. */
	of?: Ref;
}

const KEPT_MAX = 1000;
const NAME_MAX = 60;

/* A record as the API shows it; each kind has some of these. */
interface Shown extends Ref {
	title?: string;
	content?: string;
	entity?: Ref;
}

const known = new Map<string, Promise<Known | null>>();

const cut = (text: string) => (text.length > NAME_MAX ? `${text.slice(0, NAME_MAX)}…` : text);

/* The path of the API in the address that an event has. */
export const pathIn = (url: string | undefined) => /\/v1\/[^?#]*$/.exec(url ?? '')?.[0];

function routeAt(path: string): string[] | null {
	const object = /^\/v1\/groups\/([^/]+)\/([^/]+)\/(obj_[^/]+)$/.exec(path);
	return object ? ['objects', ...object.slice(1).map(decodeURIComponent)] : routeOfId(path.slice(path.lastIndexOf('/') + 1));
}

/* Of people and companies. */
export const pathOfId = (id: string) => (id.startsWith('per_') ? `/v1/people/${id}` : id.startsWith('com_') ? `/v1/companies/${id}` : undefined);

async function readKnown(path: string): Promise<Known | null> {
	try {
		const {fullName, name, title, content, entity} = (await get<Shown>(path)).data;
		return {name: fullName || name || title || cut(content ?? '') || t('unnamed'), route: routeAt(path), of: entity};
	} catch (error) {
		if (error instanceof ApiError && [403, 404].includes(error.status)) return null;
		throw error;
	}
}

/* Each user sees other records. */
function lookAt(path: string): Promise<Known | null> {
	const key = `${session.user?.id} ${path}`;
	if (known.size > KEPT_MAX) known.clear();
	let one = known.get(key);
	if (!one) {
		one = readKnown(path);
		known.set(key, one);
		one.catch(() => known.delete(key));
	}
	return one;
}

/* Where the record of an event is read; undefined if it is gone. */
export const pathOf = (event: RecordEvent) => (event.type.endsWith('.deleted') ? undefined : pathIn(event.data.url));

/* The people and companies in the changes. */
function refsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(refsIn);
	if (value && typeof value === 'object') return refsIn((value as {id?: unknown}).id);
	return typeof value === 'string' && pathOfId(value) ? [value] : [];
}

function pathsOf(event: RecordEvent): string[] {
	const ids = (event.data.changes ?? []).flatMap((c) => [...refsIn(c.value), ...refsIn(c.previous)]);
	const {entity, mergedInto} = event.data.details ?? {};
	return [pathOf(event), ...[...ids, entity?.id ?? '', mergedInto ?? ''].map(pathOfId)].filter((path): path is string => path !== undefined);
}

/* By path; what is still being read is absent. */
export type Found = ReadonlyMap<string, Known | null>;

export function useKnown(events: RecordEvent[]): Found {
	const [found, setFound] = useState<Found>(new Map());
	const paths = [...new Set(events.flatMap(pathsOf))];

	useEffect(() => {
		let on = true;
		for (const path of paths)
			lookAt(path).then(
				(one) => on && setFound((before) => (before.has(path) ? before : new Map([...before, [path, one]]))),
				() => undefined, /* it stays without its name */
			);
		return () => void (on = false);
	}, [paths.join()]);
	return found;
}

/* Records whose names may have changed are read again. */
export const forgetKnown = () => known.clear();

/* The record that a note, task or the like of an event belongs to. */
export function entityOf(event: RecordEvent, found: Found): {name: string; route: string[] | null} | null {
	const id = event.data.details?.entity?.id;
	const own = found.get(pathOf(event) ?? '')?.of;
	const read = id ? found.get(pathOfId(id) ?? '') : undefined;
	if (read) return read;
	return own && own.id === id ? {name: own.fullName || own.name || t('unnamed'), route: routeOfId(own.id)} : null;
}

/* The names by id of the people and companies that were read. */
export const namesOf = (found: Found): [string, string][] =>
	[...found].flatMap(([path, one]): [string, string][] => (one ? [[path.slice(path.lastIndexOf('/') + 1), one.name]] : []));
