/* Users, and their keys: for admins of the workspace. */
import {useState} from 'preact/hooks';
import {call, get, listAll, session, type User} from '../api';
import {Confirm} from '../parts/dialog';
import {Field, SelectField, TextField} from '../parts/field';
import {FormDialog, useSaving} from '../parts/saving';
import {Empty, Failed, Loading, Table, type Column} from '../parts/table';
import {Time} from '../parts/text';
import {toast} from '../parts/toast';
import type {Ref} from '../records/fields';
import {loadRole} from '../records/kinds';
import {Picker} from '../records/picker';
import {T, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {Applications, Sessions} from './account';
import {Ago, Badge, SecretDialog} from './bits';
import {scopes, type Key} from './data';
import {Users} from './users';

/* The keys that were made for programs. */
const isKey = ({kind}: Key) => kind !== 'session' && kind !== 'grant';

/* --- keys ---------------------------------------------------------------------------------- */

const DAY_MS = 86400000;

function NewKey({users, onMade, onClose}: {users: User[]; onMade: (key: Key) => void; onClose: () => void}) {
	const saving = useSaving();
	const [name, setName] = useState('');
	const [user, setUser] = useState(session.user?.id ?? users[0]?.id ?? '');
	const [chosen, setChosen] = useState(['read', 'write']);
	const [groups, setGroups] = useState<Ref[]>([]);
	const [days, setDays] = useState('90');
	const make = async () => {
		const expiresAt = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null;
		const within = groups.length ? groups.map(({id}) => ({id})) : null;
		onMade((await call<Key>('POST', '/v1/keys', {body: {name, user: {id: user}, scopes: chosen, groups: within, expiresAt}})).data);
	};
	const scopeError = saving.at('scopes');

	return (
		<FormDialog
			title={t('newKey')}
			action={t('create')}
			saving={saving}
			named={['name', 'user', 'scopes', 'groups', 'expiresAt']}
			ready={chosen.length > 0}
			onSave={make}
			onClose={onClose}
		>
			<TextField label={t('name')} hint={t('whatFor')} maxLength={255} value={name} onInput={setName} error={saving.at('name')} autoFocus />
			<SelectField label={t('user')} hint={t('actsAsUser')} value={user} onChange={setUser} error={saving.at('user')} options={users.map((u) => ({value: u.id, label: `${u.fullName} (${u.email})`}))} />
			<SelectField
				label={t('ends')}
				value={days}
				onChange={setDays}
				error={saving.at('expiresAt')}
				options={[...['30', '90', '365'].map((value) => ({value, label: t('inDays', {n: value})})), {value: '', label: t('never')}]}
			/>
			<fieldset class="bare">
				<legend>{t('itMay')}</legend>
				{Object.entries(scopes).map(([scope, what]) => (
					<label class="check" key={scope}>
						<input
							type="checkbox"
							checked={chosen.includes(scope)}
							onChange={(e) => {
								const on = e.currentTarget.checked;
								setChosen(Object.keys(scopes).filter((s) => (s === scope ? on : chosen.includes(s))));
							}}
						/>{' '}
						{what}
					</label>
				))}
				{scopeError && <p class="error">{scopeError}</p>}
			</fieldset>
			<Field label={t('onlyInGroups')} hint={t('onlyInGroupsHint')} error={saving.at('groups')}>
				{(props) => <Picker {...props} label={t('onlyInGroups')} type="groups" value={groups} onChange={setGroups} />}
			</Field>
		</FormDialog>
	);
}

/* How long the old key stays valid, in hours. */
const overlaps = [
	{value: '24', label: t('anotherDay')},
	{value: '1', label: t('anotherHour')},
	{value: '0', label: t('noLonger')},
];

function Replace({of, onMade, onClose}: {of: Key; onMade: (key: Key) => void; onClose: () => void}) {
	const [hours, setHours] = useState('24');

	return (
		<Confirm
			title={t('replaceKey')}
			action={t('replace')}
			onClose={onClose}
			onConfirm={async () => {
				const formerExpiresAt = new Date(Date.now() + (Number(hours) * DAY_MS) / 24).toISOString();
				onMade((await call<Key>('POST', `/v1/keys/${encodeURIComponent(of.id)}/rotate`, {body: {formerExpiresAt}})).data);
			}}
		>
			<p>
				<T text="replaceKeyText" name={<bdi>{of.name || t('unnamed')}</bdi>} last={of.last4} />
			</p>
			<SelectField label={t('oldKeyStays')} value={hours} onChange={setHours} options={overlaps} />
		</Confirm>
	);
}

function Rights({of}: {of: Key}) {
	return (
		<>
			{of.role}
			{of.scopes.length < Object.keys(scopes).length && `: ${of.scopes.join(', ')}`}
			{of.groups && (
				<>
					{' '}
					<T
						text="inGroups"
						groups={of.groups.length ? of.groups.map((g, i) => (
							<>
								{i > 0 && ', '}
								<bdi>{g.name}</bdi>
							</>
						)) : t('noGroup')}
					/>
				</>
			)}
		</>
	);
}

/* own: the id of the key with which the user is signed in. */
function keyColumns(own: string, onReplace: ((key: Key) => void) | null, onEnd: (key: Key) => void): Column<Key>[] {
	return [
		{
			key: 'name',
			label: t('name'),
			render: (k) => (
				<>
					<code>…{k.last4}</code> {k.id === own && <Badge tone="good">{t('thisSession')}</Badge>} <bdi>{k.name || t('unnamed')}</bdi>
				</>
			),
		},
		{key: 'user', label: t('user'), render: (k) => <bdi>{k.user.fullName || k.user.email}</bdi>},
		{
			key: 'rights',
			label: t('rights'),
			minor: true,
			render: (k) => <Rights of={k} />,
		},
		{
			key: 'expires',
			label: t('ends'),
			minor: true,
			render: (k) => (
				<>
					{k.rotatedAt && <Badge tone="warn">{t('replaced')}</Badge>} {!k.expiresAt ? t('never') : Date.parse(k.expiresAt) < Date.now() ? <Badge tone="bad">{t('ended')}</Badge> : <Time at={k.expiresAt} />}
				</>
			),
		},
		{key: 'used', label: t('lastUsed'), minor: true, render: (k) => <Ago at={k.lastUsedAt} />},
		{
			key: 'do',
			label: t('action'),
			render: (k) => (
				<span class="row">
					{onReplace && k.kind === 'key' && !k.rotatedAt && (
						<button type="button" aria-label={t('replaceKeyName', {name: k.name || t('unnamed'), last: k.last4})} onClick={() => onReplace(k)}>
							{t('replaceMore')}
						</button>
					)}
					<button type="button" aria-label={t('deleteKeyName', {name: k.name || t('unnamed'), last: k.last4})} onClick={() => onEnd(k)}>
						{t('deleteMore')}
					</button>
				</span>
			),
		},
	];
}

/* users: for admins, who make keys for them. */
function Keys({keys, users, own, again}: {keys: Key[]; users: User[] | null; own: string; again: () => void}) {
	const [asking, setAsking] = useState(false);
	const [replacing, setReplacing] = useState<Key | null>(null);
	const [ending, setEnding] = useState<Key | null>(null);
	const [made, setMade] = useState<Key | null>(null);

	return (
		<section aria-labelledby="keys">
			<div class="head">
				<h2 id="keys">{t('keys')}</h2>
				{users && (
					<button type="button" class="primary" data-key="n" onClick={() => setAsking(true)}>
						{t('newKey')}
					</button>
				)}
			</div>
			{keys.length ? (
				<Table caption={t('keys')} columns={keyColumns(own, users && setReplacing, setEnding)} rows={keys} rowKey={(k) => k.id} />
			) : (
				<Empty>
					<p>{t('noKeys')}</p>
				</Empty>
			)}
			{asking && users && (
				<NewKey
					users={users}
					onClose={() => setAsking(false)}
					onMade={(key) => {
						setAsking(false);
						setMade(key);
						again();
					}}
				/>
			)}
			{replacing && (
				<Replace
					of={replacing}
					onClose={() => setReplacing(null)}
					onMade={(key) => {
						setReplacing(null);
						setMade(key);
						again();
					}}
				/>
			)}
			{made && (
				<SecretDialog title={t('keyName', {name: made.name})} label={t('key')} secret={made.key ?? ''} onClose={() => setMade(null)}>
					<p>
						<T text="itActsAs" user={<bdi>{made.user.fullName || made.user.email}</bdi>} />
					</p>
				</SecretDialog>
			)}
			{ending && (
				<Confirm
					title={t('deleteKey')}
					action={t('delete')}
					danger
					onClose={() => setEnding(null)}
					onConfirm={async () => {
						await call('DELETE', `/v1/keys/${encodeURIComponent(ending.id)}`);
						toast(t('keyDeleted'));
						setEnding(null);
						again();
					}}
				>
					<p>
						<T text="keyRefused" name={<bdi>{ending.name || t('unnamed')}</bdi>} user={<bdi>{ending.user.fullName || ending.user.email}</bdi>} last={ending.last4} />
					</p>
					{ending.id === own && (
						<p>
							<strong>{t('yourKey')}</strong>
						</p>
					)}
				</Confirm>
			)}
		</section>
	);
}

const memberColumns: Column<User>[] = [
	{key: 'name', label: t('name'), render: (user) => <bdi>{user.fullName || t('unnamed')}</bdi>},
	{key: 'email', label: t('email'), render: (user) => <bdi>{user.email}</bdi>},
];

async function load(signal: AbortSignal) {
	const [users, keys, present] = await Promise.all([
		listAll<User>('/v1/users', 2000, signal),
		listAll<Key>('/v1/keys', 2000, signal),
		get<{key: {id: string}}>('/v1/session', signal),
	]);
	return {users, keys, own: present.data.key.id, admin: (await loadRole()) === 'admin'};
}

export function Admin() {
	const {data, error, loading, again} = useLoad(load, []);
	const sessions = data?.keys.filter((k) => k.kind === 'session') ?? [];

	useTitle(t('usersAndKeys'));
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('usersAndKeys')}</h1>
			</div>
			{error != null && <Failed error={error} again={again} />}
			{loading && !data && <Loading what={t('loadingUsers')} />}
			{data && (
				<>
					{data.admin ? <Users onChanged={again} /> : <Table caption={t('users')} columns={memberColumns} rows={data.users} rowKey={(u) => u.id} />}
					<Keys keys={data.keys.filter(isKey)} users={data.admin ? data.users : null} own={data.own} again={again} />
					<Applications />
					<section aria-labelledby="sessions">
						<h2 id="sessions">{t('sessions')}</h2>
						<Sessions keys={sessions} own={data.own} again={again} />
					</section>
				</>
			)}
		</>
	);
}
