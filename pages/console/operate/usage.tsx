/* The rate limits (from the headers of answers), the requests and webhooks, and the sizes of the workspace. */
import {useEffect, useState} from 'preact/hooks';
import {get, listAll, type Page} from '../api';
import {Failed, Loading} from '../parts/table';
import {countText, numberOf, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {Facts, useRefresh} from './bits';
import type {Health} from './data';

const REFRESH_MS = 3000;
const SAMPLE_MS = 5000;
const POINTS_MAX = 100;

interface Policy {
	name: string;
	limit: number;
	windowSeconds: number;
	remaining: number;
	resetSeconds: number;
}

/* The items of a structured header: "name";q=600;w=60, … */
function itemsOf(header: string | null): Map<string, Record<string, number>> {
	const items = new Map<string, Record<string, number>>();
	for (const [, name, rest] of (header ?? '').matchAll(/"([^"]*)"([^,]*)/g))
		items.set(name!, Object.fromEntries([...rest!.matchAll(/;([a-z]+)=(\d+)/g)].map(([, key, n]) => [key!, Number(n)])));
	return items;
}

export function policiesOf(headers: Headers): Policy[] {
	const state = itemsOf(headers.get('RateLimit'));
	return [...itemsOf(headers.get('RateLimit-Policy'))].map(([name, {q = 0, w = 0}]) => {
		const {r = 0, t = 0} = state.get(name) ?? {};
		return {name, limit: q, windowSeconds: w, remaining: r, resetSeconds: t};
	});
}

/* The values of the charts over time; the largest one is the chart's height. Kept while another section is shown. */
const history = new Map<string, number[]>();

function rememberOne(name: string, value: number): void {
	history.set(name, [...(history.get(name) ?? []), value].slice(-POINTS_MAX));
}

function remember(policies: Policy[]): void {
	for (const {name, limit, remaining} of policies) rememberOne(name, limit - remaining);
}

/* GET /v1/usage: counts of the process that answers. */
interface Counts {
	process: string;
	requests: number;
	refused: number;
	limited: number;
	errors: number;
	replayed: number;
	events: number;
	tookMs: number;
}

interface Sample {
	counts: Counts;
	at: number;
	pending: number;
	lag: number;
}

async function loadSample(signal: AbortSignal): Promise<Sample> {
	const [counts, health] = await Promise.all([get<Counts>('/v1/usage', signal), listAll<Health>('/v1/webhooks/health', 100, signal)]);
	return {
		counts: counts.data,
		at: performance.now(),
		pending: health.reduce((n, h) => n + h.pending, 0),
		lag: Math.max(0, ...health.filter((h) => h.state !== 'inactive').map((h) => h.lagSeconds)),
	};
}

/* The last answer of each process, because only answers of one process can be compared. */
const before = new Map<string, Sample>();

const figures: {name: string; unit: string; of: (added: (key: keyof Counts) => number, seconds: number, sample: Sample) => number}[] = [
	{name: t('requests'), unit: t('aMinute'), of: (added, s) => (60 * added('requests')) / s},
	{name: t('timeOfRequest'), unit: 'ms', of: (added) => (added('requests') ? added('tookMs') / added('requests') : 0)},
	{name: t('refused'), unit: t('aMinute'), of: (added, s) => (60 * added('refused')) / s},
	{name: t('overLimit'), unit: t('aMinute'), of: (added, s) => (60 * added('limited')) / s},
	{name: t('failedRequests'), unit: t('aMinute'), of: (added, s) => (60 * added('errors')) / s},
	{name: t('replayed'), unit: t('aMinute'), of: (added, s) => (60 * added('replayed')) / s},
	{name: t('events'), unit: t('aMinute'), of: (added, s) => (60 * added('events')) / s},
	{name: t('waitingDeliveries'), unit: '', of: (_added, _s, {pending}) => pending},
	{name: t('webhooksBehind'), unit: 's', of: (_added, _s, {lag}) => lag},
];

function rememberSample(sample: Sample): void {
	const last = before.get(sample.counts.process);

	before.set(sample.counts.process, sample);
	if (!last) return;
	for (const {name, of} of figures)
		rememberOne(name, of((key) => Number(sample.counts[key]) - Number(last.counts[key]), (sample.at - last.at) / 1000, sample));
}

const SCALE_MIN = 10;

function Chart({label, points}: {label: string; points: number[]}) {
	const most = Math.max(SCALE_MIN, ...points);
	const x = (i: number) => ((POINTS_MAX - points.length + i) * 300) / (POINTS_MAX - 1);
	const y = (n: number) => 58 - (56 * n) / most;
	const last = points[points.length - 1] ?? 0;

	return (
		<svg class="chart" viewBox="0 0 300 60" preserveAspectRatio="none" role="img" aria-label={t('chartText', {name: label, now: roundOf(last), most: roundOf(Math.max(0, ...points))})}>
			<polyline points={points.map((n, i) => `${x(i).toFixed(1)},${y(n).toFixed(1)}`).join(' ')} />
		</svg>
	);
}

const names: Record<string, string> = {default: t('sustained'), burst: t('burst')};

function PolicyCard({policy}: {policy: Policy}) {
	const used = policy.limit - policy.remaining;
	const title = names[policy.name] ?? policy.name;

	return (
		<section class="card" aria-label={title}>
			<h3>
				<bdi>{title}</bdi>
			</h3>
			<p>
				{t('requestsIn', {n: policy.limit, seconds: policy.windowSeconds})}
			</p>
			<progress aria-label={t('usedName', {name: title})} max={policy.limit} value={used} />
			<p class="quiet">
				{policy.resetSeconds > 0
					? t('usedLeftBack', {used, left: policy.remaining, seconds: policy.resetSeconds})
					: t('usedLeft', {used, left: policy.remaining})}
			</p>
			<Chart label={t('usedChart', {name: title})} points={history.get(policy.name) ?? []} />
		</section>
	);
}

const roundOf = (n: number) => numberOf(n, {maximumFractionDigits: n < 10 ? 1 : 0});

function FigureCard({name, unit}: {name: string; unit: string}) {
	const points = history.get(name) ?? [];

	return (
		<section class="card" aria-label={name}>
			<h3>{name}</h3>
			<p>{points.length ? `${roundOf(points[points.length - 1]!)} ${unit}` : '…'}</p>
			<Chart label={name} points={points} />
		</section>
	);
}

const countOf = async (path: string, signal: AbortSignal) => {
	const {count = 0, countIsEstimated} = (await get<Page<unknown>>(`${path}?limit=1&count=estimated`, signal)).data.pagination;
	return countText(count, countIsEstimated);
};
const lengthOf = async (path: string, signal: AbortSignal) => numberOf((await listAll(path, 1000, signal)).length);

async function loadCounts(signal: AbortSignal): Promise<[string, string][]> {
	return Promise.all([
		countOf('/v1/people', signal).then((n) => [t('people'), n] as [string, string]),
		countOf('/v1/companies', signal).then((n) => [t('companies'), n] as [string, string]),
		countOf('/v1/tasks', signal).then((n) => [t('tasks'), n] as [string, string]),
		lengthOf('/v1/groups', signal).then((n) => [t('groups'), n] as [string, string]),
		lengthOf('/v1/users', signal).then((n) => [t('users'), n] as [string, string]),
		lengthOf('/v1/webhooks', signal).then((n) => [t('webhooks'), n] as [string, string]),
	]);
}

export function Usage() {
	const limits = useLoad(async (signal) => policiesOf((await get('/v1/users/me', signal)).headers), []);
	const sample = useLoad(loadSample, []);
	const counts = useLoad(loadCounts, []);
	const [, draw] = useState(0);

	useTitle(t('usage'));
	useRefresh(REFRESH_MS, limits);
	useRefresh(SAMPLE_MS, sample);
	useEffect(() => {
		if (!limits.data) return;
		remember(limits.data);
		draw((n) => n + 1);
	}, [limits.data]);
	useEffect(() => {
		if (!sample.data) return;
		rememberSample(sample.data);
		draw((n) => n + 1);
	}, [sample.data]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('usage')}</h1>
			</div>
			<h2>{t('rateLimits')}</h2>
			<p class="quiet">{t('limitsYours')}</p>
			{limits.error != null && <Failed error={limits.error} again={limits.again} />}
			{!limits.data && limits.error == null && <Loading what={t('loadingLimits')} />}
			{limits.data && !limits.data.length && <p>{t('noLimits')}</p>}
			<div class="cards">{limits.data?.map((p) => <PolicyCard key={p.name} policy={p} />)}</div>
			<h2>{t('requestsAndWebhooks')}</h2>
			<p class="quiet">{t('countsText')}</p>
			{sample.error != null && <Failed error={sample.error} again={sample.again} />}
			{!sample.data && sample.error == null && <Loading what={t('loadingFigures')} />}
			{sample.data && (
				<div class="cards">
					{figures.map(({name, unit}) => (
						<FigureCard key={name} name={name} unit={unit} />
					))}
				</div>
			)}
			<h2>{t('inWorkspace')}</h2>
			{counts.error != null && <Failed error={counts.error} again={counts.again} />}
			{!counts.data && counts.error == null && <Loading what={t('counting')} />}
			{counts.data && (
				<div class="narrow">
					<Facts facts={counts.data} />
				</div>
			)}
		</>
	);
}
