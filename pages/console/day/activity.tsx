/* What happened in the workspace, the newest first, by person, by key or way, and by kind. The filters are in the address. */
import {useEffect, useState} from 'preact/hooks';
import {ApiError, listAll, type User} from '../api';
import {type Key as ApiKey, eventTypes} from '../operate/data';
import {SelectField} from '../parts/field';
import {Empty, Failed, Loading} from '../parts/table';
import {ways} from '../records/actor';
import type {RecordEvent} from '../records/change';
import {nameOf} from '../records/fields';
import {loadUsers} from '../records/kinds';
import {type Route, go} from '../route';
import {t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {eventKinds, kindOf} from './eventline';
import {EventLines} from './eventlines';
import {type Feed, UNREAD, linesOf, readFeed} from './feed';
import {forgetKnown} from './lookup';

const LINES = 25;
const PAGES = 10; /* of the feed that are read for so many lines */

/* --- asking ----------------------------------------------------------------------------------- */

interface Asked {
	who: string;
	/* A way, or the id of a key. */
	how: string;
	kind: string;
}

const readAsked = ({query}: Route): Asked => ({who: query.get('who') ?? '', how: query.get('how') ?? '', kind: query.get('kind') ?? ''});

const isKey = (how: string) => how.startsWith('key_');

/* The feed knows users, ways and types. Of a key it has the user, and the key is looked for here. */
function queryOf({who, how, kind}: Asked, keys: ApiKey[]): [string, string][] {
	const user = who || (isKey(how) ? keys.find((key) => key.id === how)?.user.id : '');
	const query: [string, string][] = [];

	if (user) query.push(['actor', user]);
	if (how && !isKey(how)) query.push(['via', how]);
	if (kind) query.push(...Object.keys(eventTypes).filter((type) => kindOf({type}) === kind).map((type): [string, string] => ['type', type]));
	return query;
}

/* In the order in which they are offered. */
const kindsOfKeys: ApiKey['kind'][] = ['key', 'contacts', 'calendar', 'grant', 'session'];

function keyText({kind, name: given, last4, user}: ApiKey): string {
	const holes = {name: given || `…${last4}`, user: nameOf(user)};
	if (kind === 'grant') return t('applicationNamed', holes);
	return kind === 'session' ? t('sessionNamed', holes) : t('keyNamed', holes);
}

/* The keys of the workspace; none for those who are not its admins. */
async function loadKeys(signal: AbortSignal): Promise<ApiKey[]> {
	try {
		const keys = await listAll<ApiKey>('/v1/keys', 1000, signal);
		return keys.sort((a, b) => kindsOfKeys.indexOf(a.kind) - kindsOfKeys.indexOf(b.kind));
	} catch (error) {
		if (error instanceof ApiError && error.status === 403) return [];
		throw error;
	}
}

/* --- showing ---------------------------------------------------------------------------------- */

function Filters({asked, users, keys}: {asked: Asked; users: User[]; keys: ApiKey[]}) {
	const put = (change: Partial<Asked>) => {
		const all = Object.entries({...asked, ...change}).filter(([, value]) => value);
		go(['activity'], Object.fromEntries(all), true);
	};
	const ofUser = keys.filter((key) => !asked.who || key.user.id === asked.who);
	return (
		<div class="toolbar">
			<SelectField
				label={t('who')}
				value={asked.who}
				onChange={(who) => put({who, how: isKey(asked.how) ? '' : asked.how})}
				options={[{value: '', label: t('everybody')}, ...users.map((user) => ({value: user.id, label: nameOf(user)}))]}
			/>
			<SelectField
				label={t('how')}
				value={asked.how}
				onChange={(how) => put({how})}
				options={[
					{value: '', label: t('anyWay')},
					...Object.entries(ways).map(([value, label]) => ({value, label})),
					...ofUser.map((key) => ({value: key.id, label: keyText(key)})),
				]}
			/>
			<SelectField
				label={t('kind')}
				value={asked.kind}
				onChange={(kind) => put({kind})}
				options={[{value: '', label: t('allKinds')}, ...Object.entries(eventKinds).map(([value, {label}]) => ({value, label}))]}
			/>
		</div>
	);
}

/* The events for these filters. */
function Events({asked, keys}: {asked: Asked; keys: ApiKey[]}) {
	const [feed, setFeed] = useState<Feed | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [want, setWant] = useState({from: UNREAD, lines: LINES});

	useEffect(() => {
		const stop = new AbortController();
		const fits = (event: RecordEvent) => !isKey(asked.how) || event.actor?.keyId === asked.how;
		setError(null);
		readFeed(want.from, {lines: want.lines, pages: PAGES, query: queryOf(asked, keys), fits}, stop.signal).then(
			(read) => stop.signal.aborted || setFeed(read),
			(e) => stop.signal.aborted || setError(e),
		);
		return () => stop.abort();
	}, [want]);
	const again = () => {
		forgetKnown();
		setWant({from: UNREAD, lines: LINES});
	};

	if (error != null && !feed) return <Failed error={error} again={again} />;
	if (!feed) return <Loading what={t('loadingWhat', {what: t('activity')})} />;
	return (
		<section class="card">
			{!feed.events.length && !feed.next && <Empty><p>{t('nothingDone')}</p></Empty>}
			<EventLines feed={feed} lines={want.lines} label={t('eventsNewest')} />
			{error != null && <Failed error={error} />}
			<p class="row">
				{(feed.next || linesOf(feed.events).length > want.lines) && (
					<button type="button" onClick={() => setWant({from: feed, lines: want.lines + LINES})}>{t('older')}</button>
				)}
				<button type="button" onClick={again}>{t('lookAgain')}</button>
			</p>
		</section>
	);
}

export function Activity({route}: {route: Route}) {
	const asked = readAsked(route);
	const choices = useLoad(async (signal) => ({users: (await loadUsers()) as User[], keys: await loadKeys(signal)}), []);

	useTitle(t('activity'));
	return (
		<>
			<div class="head"><h1 tabIndex={-1}>{t('activity')}</h1></div>
			{choices.error != null && <Failed error={choices.error} again={choices.again} />}
			{choices.data && <Filters asked={asked} {...choices.data} />}
			{choices.data && <Events key={JSON.stringify(asked)} asked={asked} keys={choices.data.keys} />}
			{!choices.data && choices.error == null && <Loading />}
		</>
	);
}
