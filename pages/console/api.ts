/* The client of the API. While the server does not respond, is busy or restarts (no connection, 429, 503), a request waits as
 * long as the server says and is then sent again. Writes carry an Idempotency-Key, so that this is safe. When the session has
 * ended, requests pause until somebody signs in; those of the same user then continue. */
import {t} from './texts/text';

export interface Issue {
	code: string;
	message: string;
	path: (string | number)[];
	hint?: string;
}

export interface Warning {
	code: string;
	path: (string | number)[];
	message: string;
}

export interface Answer<T> {
	data: T;
	warnings: Warning[];
	etag: string | null;
	headers: Headers;
}

export interface User {
	id: string;
	fullName: string;
	email: string;
	role?: string;
}

export interface Page<T> {
	items: T[];
	pagination: {nextLink?: string; nextCursor?: string; count?: number; countIsEstimated?: boolean; scanned?: number};
}

/* A request that the server refused. */
export class ApiError extends Error {
	constructor(
		message: string,
		readonly status: number,
		readonly code: string,
		readonly requestId: string,
		readonly issues: Issue[],
		readonly details: Record<string, unknown>,
	) {
		super(message);
	}
}

/* The request was not sent: somebody else signed in while it waited. */
export class OtherUser extends Error {
	constructor() {
		super(t('otherUser'));
	}
}

export interface Options {
	body?: unknown;
	ifMatch?: string | null;
	signal?: AbortSignal;
	dryRun?: boolean;
	/* The Idempotency-Key, if it has to be the same after a reload. */
	once?: string;
	/* Headers in addition, for instance X-API-Version. */
	headers?: Record<string, string>;
}

/* The address of a path of the API. It is relative to the console, because a proxy may serve both below a path. */
export const urlOf = (path: string) => new URL(`.${path}`, location.href).href;

/* --- the session -------------------------------------------------------------------------- */

/* Who is signed in in this browser: the user's id, and when. The session itself is in a cookie, which scripts cannot read and
 * which all tabs share, so this tells other tabs of a change. */
const SIGNED_IN = 'kith.signed-in';

export interface Session {
	/* False when requests wait until somebody signs in. */
	open: boolean;
	/* A pasted key, at addresses where a browser cannot keep a session safely. It is kept in memory only. */
	key: string | null;
	user: User | null;
	/* The session has ended while the page was open. */
	ended: boolean;
	/* The reason why requests have been waiting for more than a moment. */
	waiting: {why: string; until: number} | null;
}

export const session: Session = {open: true, key: null, user: null, ended: false, waiting: null};

const watchers = new Set<() => void>();
let resume: ((same: boolean) => void)[] = [];
const wakes = new Set<() => void>();

/* Calls fn after each change of the session; returns a function that ends this. */
export function watchSession(fn: () => void): () => void {
	watchers.add(fn);
	return () => void watchers.delete(fn);
}

function sessionChanged(): void {
	for (const fn of watchers) fn();
}

/* The headers that say who sends a request. Only kith's own pages can send X-Kith-Console, beside the cookie. */
export function credentials(key = session.key): Record<string, string> {
	return key ? {Authorization: `Bearer ${key}`} : {'X-Kith-Console': '1'};
}

export interface Methods {
	/* Browsers can keep a session at this address. */
	sessions: boolean;
	password: boolean;
	key: boolean;
	/* The company's identity provider. */
	oidc: boolean;
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
	const response = await fetch(urlOf(path), {cache: 'no-store', ...init, headers: {...credentials(null), ...init?.headers}});
	const body = await readBody(response);
	if (!response.ok) throw errorOf(response, body);
	return (body as {data: T}).data;
}

export const loadMethods = () => ask<Methods>('/auth/methods');

const enter = (path: string, body: unknown) => ask('/auth/' + path, {method: 'POST', body: JSON.stringify(body), headers: {'Content-Type': 'application/json'}});

/* Somebody is signed in: requests go on. key: null for a session. */
async function signedIn(key: string | null): Promise<void> {
	const user = await ask<User>('/v1/users/me', {headers: credentials(key)});
	const same = !session.user || session.user.id === user.id;

	Object.assign(session, {open: true, key, user, ended: false});
	const paused = resume;
	resume = [];
	for (const fn of paused) fn(same);
	sessionChanged();
}

async function begun(): Promise<void> {
	await signedIn(null);
	localStorage.setItem(SIGNED_IN, `${session.user!.id} ${Date.now()}`);
}

/* These throw an ApiError when the server refuses. */
export async function signInByKey(key: string, methods: Methods): Promise<void> {
	if (!/^[\x21-\x7e]+$/.test(key)) throw new ApiError(t('notAKey'), 401, 'UNAUTHORIZED', '', [], {});
	if (!methods.sessions) return signedIn(key);
	await enter('key', {key});
	await begun();
}

export async function signInByPassword(email: string, password: string, workspace?: string): Promise<void> {
	await enter('password', {email, password, workspace});
	await begun();
}

/* Some links need no password. */
export async function acceptInvitation(token: string, password?: string): Promise<void> {
	await enter('invitation', {token, password});
	await begun();
}

/* Throws if the server could not be asked: then the session still lasts. */
export async function signOut(): Promise<void> {
	if (!session.key) {
		const response = await fetch(urlOf('/v1/session'), {method: 'DELETE', headers: credentials()});
		if (!response.ok && response.status !== 401) throw errorOf(response, await readBody(response));
		localStorage.removeItem(SIGNED_IN);
	}
	location.hash = '';
	location.reload();
}

function close(): void {
	if (!session.open) return;
	Object.assign(session, {open: false, key: null, ended: session.user !== null});
	sessionChanged();
}

/* The session ended: requests wait until somebody signs in. */
async function waitForSession(): Promise<void> {
	close();
	if (!(await new Promise<boolean>((done) => resume.push(done)))) throw new OtherUser();
}

/* Somebody else has signed in in another tab, so the cookie is theirs. */
function isOthers(): boolean {
	const [id] = localStorage.getItem(SIGNED_IN)?.split(' ') ?? [];
	return !session.key && session.user !== null && id !== undefined && id !== session.user.id;
}

/* Another tab signed in or out. */
window.addEventListener('storage', ({key, newValue}) => {
	if (key !== SIGNED_IN || session.key) return;
	if (newValue === null) close();
	else if (!session.open || isOthers()) signedIn(null).catch(close);
});

/* --- waiting ------------------------------------------------------------------------------ */

const SILENT_MS = 2500; /* waits shorter than this are not worth a message, */
const SILENT_TRIES = 2; /* unless there are more than this in a row */

/* Ends all waits at once. */
export function tryNow(): void {
	for (const fn of [...wakes]) fn();
}

/* The reasons that are shown, by the call that waits. */
const told = new Map<object, {why: string; until: number}>();

function tellWaits(): void {
	const before = session.waiting;
	session.waiting = [...told.values()].pop() ?? null;
	if (before !== session.waiting) sessionChanged();
}

async function pause(waiter: {tries: number; signal?: AbortSignal}, ms: number, why: string): Promise<void> {
	const {tries, signal} = waiter;
	if (ms >= SILENT_MS || tries >= SILENT_TRIES) {
		told.set(waiter, {why, until: Date.now() + ms});
		tellWaits();
	}
	await new Promise<void>((done) => {
		const end = () => {
			clearTimeout(timer);
			wakes.delete(end);
			signal?.removeEventListener('abort', end);
			done();
		};
		const timer = setTimeout(end, ms);
		wakes.add(end);
		signal?.addEventListener('abort', end);
	});
	signal?.throwIfAborted();
}

/* --- requests ----------------------------------------------------------------------------- */

/* randomUUID() exists on secure origins only. */
function newIdempotencyKey(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
}

/* null: it is not JSON, or it was cut off. */
async function readBody(response: Response, signal?: AbortSignal): Promise<unknown> {
	try {
		return await response.json();
	} catch {
		signal?.throwIfAborted();
		return null;
	}
}

function errorOf(response: Response, body: unknown): ApiError {
	const error = ((body as {error?: Record<string, unknown>} | null)?.error ?? {}) as Record<string, unknown>;
	const details = (error.details ?? {}) as Record<string, unknown>;

	return new ApiError(
		typeof error.message === 'string' ? error.message : t('serverAnswered', {status: response.status}),
		response.status,
		String(error.code ?? ''),
		String(error.requestId ?? response.headers.get('X-Request-Id') ?? ''),
		Array.isArray(details.issues) ? (details.issues as Issue[]) : [],
		details,
	);
}

/* How long to wait before the request is sent again, with the reason; null: its answer is final. */
function retryOf(response: Response, body: unknown, tries: number): {ms: number; why: string} | null {
	const code = (body as {error?: {code?: string}} | null)?.error?.code;
	const after = Number(response.headers.get('Retry-After'));
	const ms = Number.isFinite(after) && after > 0 ? after * 1000 : Math.min(10000, 500 * 2 ** tries);

	if (response.status === 429) return {ms, why: t('tooMany')};
	if ([502, 503, 504].includes(response.status)) return {ms, why: t('busyOrStarting')};
	if (response.status === 409 && code === 'IDEMPOTENCY_REQUEST_IN_PROGRESS') return {ms, why: t('serverBusy')};
	return null;
}

function headersOf(method: string, once: string, options: Options): Record<string, string> {
	const headers: Record<string, string> = {...credentials(), ...options.headers};

	/* Events say that the change was made here. */
	if (method !== 'GET') headers['X-Kith-Via'] ??= 'console';
	if (method !== 'GET' && !options.dryRun) headers['Idempotency-Key'] = once;
	if (options.body !== undefined) headers['Content-Type'] = 'application/json';
	if (options.ifMatch) headers['If-Match'] = options.ifMatch;
	return headers;
}

/* Sends one request and waits for its final answer; a refusal is an ApiError. path begins with /v1/. */
export async function call<T>(method: string, path: string, options: Options = {}): Promise<Answer<T>> {
	const waiter = {tries: 0, signal: options.signal};
	try {
		return await send<T>(waiter, method, path, options);
	} finally {
		if (told.delete(waiter)) tellWaits();
	}
}

async function send<T>(
	waiter: {tries: number; signal?: AbortSignal},
	method: string,
	path: string,
	options: Options,
): Promise<Answer<T>> {
	const once = options.once ?? newIdempotencyKey();
	const target = options.dryRun ? `${path}${path.includes('?') ? '&' : '?'}dryRun=true` : path;
	const body = options.body === undefined ? undefined : JSON.stringify(options.body);

	for (; ; waiter.tries++) {
		if (!session.open) await waitForSession();
		if (isOthers()) {
			await signedIn(null);
			throw new OtherUser();
		}
		let response: Response;
		try {
			const headers = headersOf(method, once, options);
			response = await fetch(urlOf(target), {method, headers, body, signal: options.signal, cache: 'no-store'});
		} catch (error) {
			if (options.signal?.aborted) throw error;
			await pause(waiter, Math.min(5000, 500 * 2 ** waiter.tries), t('serverSilent'));
			continue;
		}
		const read = await readBody(response, options.signal);
		if (response.status === 401) {
			await waitForSession();
			continue;
		}
		const retry = retryOf(response, read, waiter.tries);
		if (retry) {
			await pause(waiter, retry.ms, retry.why);
			continue;
		}
		if (!response.ok || read === null) throw errorOf(response, read);
		const {data, warnings} = read as {data: T; warnings?: Warning[]};
		return {data, warnings: warnings ?? [], etag: response.headers.get('ETag'), headers: response.headers};
	}
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>('GET', path, {signal});

/* The cursor of the next page, in either form; null after the last page. nextLink may name another address of this server, so
 * only its cursor is used. */
export function nextOf(page: Page<unknown>): string | null {
	const {nextCursor, nextLink} = page.pagination;
	return nextCursor ?? (nextLink ? new URL(nextLink, location.href).searchParams.get('cursor') : null);
}

/* Reads pages of a list from a cursor (null: its beginning) until there are at least max items. next: the cursor of the rest. */
export async function listFrom<T>(path: string, from: string | null, max: number, signal?: AbortSignal): Promise<{items: T[]; next: string | null}> {
	const items: T[] = [];
	let next = from;

	do {
		const at: string = next ? `&cursor=${encodeURIComponent(next)}` : '';
		const page: Page<T> = (await get<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}limit=100${at}`, signal)).data;
		items.push(...page.items);
		next = nextOf(page);
	} while (next && items.length < max);
	return {items, next};
}

export const listAll = async <T>(path: string, max = 1000, signal?: AbortSignal) => (await listFrom<T>(path, null, max, signal)).items;

/* The feed shows an event when all older transactions have ended, so the latest change may not be there yet. Pages look again,
 * more and more seldom, for about a minute. */
export const FEED_LOOKS = 11;
export const pauseBeforeLook = (look: number) => new Promise<void>((done) => setTimeout(done, Math.min(8000, 500 * 2 ** look)));

/* An error as text for people: the message, and each issue with its place and hint. */
export function explain(error: unknown): string {
	if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
	const issues = error.issues.map((i) => {
		const where = i.path.length ? `${i.path.join(' › ')}: ` : '';
		return `${where}${i.message}${i.hint ? ` (${i.hint})` : ''}`;
	});
	if (error.status === 403 && !issues.length) return `${error.message} (403)`;
	const id = error.status >= 500 && error.requestId ? t('ofRequest', {id: error.requestId}) : '';
	return (issues.length ? issues.join('; ') : error.message) + id;
}
