/* Users, and their keys: for admins of the workspace. */
import {useState} from 'preact/hooks';
import {ApiError, call, explain, listAll, session, type User} from '../api';
import {Confirm, Dialog} from '../parts/dialog';
import {SelectField, TextField} from '../parts/field';
import {Empty, Failed, Loading, Table, type Column} from '../parts/table';
import {Time} from '../parts/text';
import {toast} from '../parts/toast';
import {useLoad, useTitle} from '../use';
import {Ago, Badge, SecretDialog} from './bits';
import {scopes, type Key} from './data';

/* The keys; null: the caller is not an admin. */
async function loadKeys(signal: AbortSignal): Promise<Key[] | null> {
	try {
		return await listAll<Key>('/v1/keys', 2000, signal);
	} catch (error) {
		if (error instanceof ApiError && error.status === 403) return null;
		throw error;
	}
}

/* --- users -------------------------------------------------------------------------------- */

interface UserRow {
	user: User;
	keys: Key[];
}

const userColumns: Column<UserRow>[] = [
	{key: 'name', label: 'Name', render: ({user}) => <bdi>{user.fullName || 'Unnamed'}</bdi>},
	{key: 'email', label: 'E-mail', render: ({user}) => <bdi>{user.email}</bdi>},
	{key: 'role', label: 'Role', render: ({keys}) => keys[0]?.role ?? <span class="quiet">has no key</span>},
	{key: 'keys', label: 'Keys', number: true, render: ({keys}) => keys.length},
	{key: 'id', label: 'Id', minor: true, render: ({user}) => <code>{user.id}</code>},
];

function Users({users, keys}: {users: User[]; keys: Key[] | null}) {
	const rows = users.map((user) => ({user, keys: (keys ?? []).filter((k) => k.user.id === user.id)}));
	const columns = keys ? userColumns : userColumns.filter((c) => c.key !== 'role' && c.key !== 'keys');
	return <Table caption="Users" columns={columns} rows={rows} rowKey={(r) => r.user.id} />;
}

/* --- keys ---------------------------------------------------------------------------------- */

const DAY_MS = 86400000;

function NewKey({users, onMade, onClose}: {users: User[]; onMade: (key: Key) => void; onClose: () => void}) {
	const [name, setName] = useState('');
	const [user, setUser] = useState(session.user?.id ?? users[0]?.id ?? '');
	const [chosen, setChosen] = useState(Object.keys(scopes));
	const [days, setDays] = useState('90');
	const [error, setError] = useState<unknown>(null);
	const [busy, setBusy] = useState(false);
	const make = async () => {
		setBusy(true);
		setError(null);
		try {
			const expiresAt = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null;
			onMade((await call<Key>('POST', '/v1/keys', {body: {name, user: {id: user}, scopes: chosen, expiresAt}})).data);
		} catch (failure) {
			setError(failure);
			setBusy(false);
		}
	};

	return (
		<Dialog title="New key" onClose={busy ? undefined : onClose}>
			<form
				onSubmit={(e) => {
					e.preventDefault();
					void make();
				}}
			>
				<div class="body">
					<TextField label="Name" hint="What it is for" maxLength={255} value={name} onInput={setName} />
					<SelectField label="User" hint="It acts as this user, with the user’s role." value={user} onChange={setUser} options={users.map((u) => ({value: u.id, label: `${u.fullName} (${u.email})`}))} />
					<SelectField
						label="Ends"
						value={days}
						onChange={setDays}
						options={[...['30', '90', '365'].map((value) => ({value, label: `in ${value} days`})), {value: '', label: 'never'}]}
					/>
					<fieldset>
						<legend>It may</legend>
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
					</fieldset>
					{error != null && (
						<p class="error" role="alert">
							{explain(error)}
						</p>
					)}
				</div>
				<footer>
					<button type="button" onClick={onClose} disabled={busy}>
						Cancel
					</button>
					<button type="submit" class="primary" disabled={busy || !chosen.length}>
						Create
					</button>
				</footer>
			</form>
		</Dialog>
	);
}

/* How long the old key stays valid, in hours. */
const overlaps = [
	{value: '24', label: 'another day'},
	{value: '1', label: 'another hour'},
	{value: '0', label: 'no longer'},
];

function Replace({of, onMade, onClose}: {of: Key; onMade: (key: Key) => void; onClose: () => void}) {
	const [hours, setHours] = useState('24');

	return (
		<Confirm
			title="Replace the key"
			action="Replace"
			onClose={onClose}
			onConfirm={async () => {
				const formerExpiresAt = new Date(Date.now() + (Number(hours) * DAY_MS) / 24).toISOString();
				onMade((await call<Key>('POST', `/v1/keys/${encodeURIComponent(of.id)}/rotate`, {body: {formerExpiresAt}})).data);
			}}
		>
			<p>
				A new key takes the place of <bdi>{of.name || 'Unnamed'}</bdi> …{of.last4}, with the same rights and as long a life.
			</p>
			<SelectField label="The old key stays valid for" value={hours} onChange={setHours} options={overlaps} />
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
					in{' '}
					{of.groups.map((g, i) => (
						<>
							{i > 0 && ', '}
							<bdi>{g.name}</bdi>
						</>
					))}
					{!of.groups.length && 'no group'}
				</>
			)}
		</>
	);
}

/* True for the key of this session, as far as its known parts show. */
const isOwn = (key: Key) => key.user.id === session.user?.id && !!session.key?.endsWith(key.last4);

function keyColumns(onReplace: (key: Key) => void, onEnd: (key: Key) => void): Column<Key>[] {
	return [
		{
			key: 'name',
			label: 'Name',
			render: (k) => (
				<>
					<code>…{k.last4}</code> {isOwn(k) && <Badge tone="good">this session</Badge>} <bdi>{k.name || 'Unnamed'}</bdi>
				</>
			),
		},
		{key: 'user', label: 'User', render: (k) => <bdi>{k.user.fullName || k.user.email}</bdi>},
		{
			key: 'rights',
			label: 'Rights',
			render: (k) => <Rights of={k} />,
		},
		{
			key: 'expires',
			label: 'Ends',
			minor: true,
			render: (k) => (
				<>
					{k.rotatedAt && <Badge tone="warn">replaced</Badge>} {!k.expiresAt ? 'never' : Date.parse(k.expiresAt) < Date.now() ? <Badge tone="bad">ended</Badge> : <Time at={k.expiresAt} />}
				</>
			),
		},
		{key: 'used', label: 'Last used', minor: true, render: (k) => <Ago at={k.lastUsedAt} />},
		{
			key: 'do',
			label: 'Action',
			render: (k) => (
				<>
					{!k.rotatedAt && (
						<button type="button" aria-label={`Replace key ${k.name || 'Unnamed'} …${k.last4}`} onClick={() => onReplace(k)}>
							Replace…
						</button>
					)}{' '}
					<button type="button" aria-label={`Delete key ${k.name || 'Unnamed'} …${k.last4}`} onClick={() => onEnd(k)}>
						Delete…
					</button>
				</>
			),
		},
	];
}

function Keys({keys, users, again}: {keys: Key[]; users: User[]; again: () => void}) {
	const [asking, setAsking] = useState(false);
	const [replacing, setReplacing] = useState<Key | null>(null);
	const [ending, setEnding] = useState<Key | null>(null);
	const [made, setMade] = useState<Key | null>(null);

	return (
		<section aria-labelledby="keys">
			<div class="head">
				<h2 id="keys">Keys</h2>
				<button type="button" class="primary" onClick={() => setAsking(true)}>
					New key
				</button>
			</div>
			{keys.length ? (
				<Table caption="Keys" columns={keyColumns(setReplacing, setEnding)} rows={keys} rowKey={(k) => k.id} />
			) : (
				<Empty>
					<p>There are no keys.</p>
				</Empty>
			)}
			{asking && (
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
				<SecretDialog title={`Key ${made.name}`} label="Key" secret={made.key ?? ''} onClose={() => setMade(null)}>
					<p>
						It acts as <bdi>{made.user.fullName || made.user.email}</bdi>.
					</p>
				</SecretDialog>
			)}
			{ending && (
				<Confirm
					title="Delete the key"
					action="Delete"
					danger
					onClose={() => setEnding(null)}
					onConfirm={async () => {
						await call('DELETE', `/v1/keys/${encodeURIComponent(ending.id)}`);
						toast('The key was deleted and no longer works.');
						setEnding(null);
						again();
					}}
				>
					<p>
						<bdi>{ending.name || 'Unnamed'}</bdi> of <bdi>{ending.user.fullName || ending.user.email}</bdi>, …{ending.last4}: whatever
						uses it is refused from now on.
					</p>
					{isOwn(ending) && (
						<p>
							<strong>You are signed in with this key.</strong>
						</p>
					)}
				</Confirm>
			)}
		</section>
	);
}

export function Admin() {
	const users = useLoad((signal) => listAll<User>('/v1/users', 2000, signal), []);
	const keys = useLoad(loadKeys, []);
	const error = users.error ?? keys.error;

	useTitle('Users and keys');
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Users and keys</h1>
			</div>
			{error != null && (
				<Failed
					error={error}
					again={() => {
						users.again();
						keys.again();
					}}
				/>
			)}
			{(users.loading || keys.loading) && !users.data && <Loading what="Loading users" />}
			<h2>Users</h2>
			<p class="quiet">
				To create, change or disable users, run <code>kith user</code> on the server.
			</p>
			{users.data && <Users users={users.data} keys={keys.data} />}
			{users.data && keys.data && <Keys keys={keys.data} users={users.data} again={keys.again} />}
			{!keys.loading && keys.error == null && !keys.data && <p class="quiet">Only admins of the workspace see its keys.</p>}
		</>
	);
}
