/* What belongs to the user who is signed in: sessions, the password, connected applications, the address for assistants, devices. */
import {useState} from 'preact/hooks';
import {call, get, listAll, session, urlOf, type User} from '../api';
import {Confirm, Dialog} from '../parts/dialog';
import {SelectField, TextField} from '../parts/field';
import {FormDialog, passwordIssue, useSaving} from '../parts/saving';
import {type Column, Empty, Failed, Loading, Table} from '../parts/table';
import {Time} from '../parts/text';
import {toast} from '../parts/toast';
import {T, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {Ago, Badge, Copyable} from './bits';
import {scopes, type Key} from './data';
import {Devices, isDevice} from './devices';
import {type Account as Person, timeZones} from './users';

interface Present {
	user: User;
	workspace: {id: string; name: string};
	key: {id: string; kind: string};
	expiresAt: string | null;
}

export interface Grant {
	id: string;
	name: string;
	host: string;
	user: User;
	audience: string | null;
	scopes: string[];
	createdAt: string;
	expiresAt: string;
	lastUsedAt: string | null;
}

/* --- sessions ------------------------------------------------------------------------------- */

function sessionColumns(own: string, onEnd: (key: Key) => void): Column<Key>[] {
	return [
		{key: 'name', label: t('browser'), render: (k) => <>{k.id === own && <Badge tone="good">{t('thisSession')}</Badge>} <bdi title={k.userAgent ?? ''}>{k.name}</bdi></>},
		{key: 'user', label: t('user'), minor: true, render: (k) => <bdi>{k.user.fullName || k.user.email}</bdi>},
		{key: 'address', label: t('address'), minor: true, render: (k) => <bdi>{k.address}</bdi>},
		{key: 'used', label: t('lastUsed'), render: (k) => <Ago at={k.lastUsedAt ?? k.createdAt} />},
		{key: 'ends', label: t('ends'), minor: true, render: (k) => <Time at={k.expiresAt!} />},
		{key: 'do', label: t('action'), render: (k) => k.id !== own && <button type="button" aria-label={t('endSessionName', {name: k.name})} onClick={() => onEnd(k)}>{t('endMore')}</button>},
	];
}

/* own: the id of this session's key. */
export function Sessions({keys, own, again}: {keys: Key[]; own: string; again: () => void}) {
	const [ending, setEnding] = useState<Key | null>(null);
	return (
		<>
			{keys.length ? <Table caption={t('sessions')} columns={sessionColumns(own, setEnding)} rows={keys} rowKey={(k) => k.id} /> : <Empty><p>{t('noSessions')}</p></Empty>}
			{ending && (
				<Confirm
					title={t('endSession')}
					action={t('end')}
					danger
					onClose={() => setEnding(null)}
					onConfirm={async () => {
						await call('DELETE', `/v1/keys/${encodeURIComponent(ending.id)}`);
						toast(t('sessionIsOver'));
						setEnding(null);
						again();
					}}
				>
					<p><T text="endSessionText" name={<bdi>{ending.name}</bdi>} user={<bdi>{ending.user.fullName || ending.user.email}</bdi>} /></p>
				</Confirm>
			)}
		</>
	);
}

/* --- applications ----------------------------------------------------------------------------- */

function grantColumns(onEnd: (grant: Grant) => void): Column<Grant>[] {
	return [
		{key: 'name', label: t('application'), render: (g) => <><bdi>{g.name}</bdi> <small class="quiet"><bdi>{g.host}</bdi></small></>},
		{key: 'user', label: t('user'), minor: true, render: (g) => <bdi>{g.user.fullName || g.user.email}</bdi>},
		{key: 'scopes', label: t('itMay'), render: (g) => g.scopes.map((s) => scopes[s] ?? s).join('; ')},
		{key: 'used', label: t('lastUsed'), minor: true, render: (g) => <Ago at={g.lastUsedAt} />},
		{key: 'do', label: t('action'), render: (g) => <button type="button" aria-label={t('disconnectName', {name: g.name})} onClick={() => onEnd(g)}>{t('disconnectMore')}</button>},
	];
}

/* Applications that users have connected: the user's own; for admins, those of everybody. */
export function Applications() {
	const grants = useLoad((signal) => listAll<Grant>('/v1/grants', 1000, signal), []);
	const [ending, setEnding] = useState<Grant | null>(null);
	return (
		<section aria-labelledby="applications">
			<h2 id="applications">{t('applications')}</h2>
			{grants.error != null && <Failed error={grants.error} again={grants.again} />}
			{grants.loading && !grants.data && <Loading />}
			{grants.data && (grants.data.length ? <Table caption={t('applications')} columns={grantColumns(setEnding)} rows={grants.data} rowKey={(g) => g.id} /> : <Empty><p>{t('noApplications')}</p></Empty>)}
			{ending && (
				<Confirm
					title={t('disconnect')}
					action={t('disconnect')}
					danger
					onClose={() => setEnding(null)}
					onConfirm={async () => {
						await call('DELETE', `/v1/grants/${encodeURIComponent(ending.id)}`);
						toast(t('disconnected'));
						setEnding(null);
						grants.again();
					}}
				>
					<p><T text="disconnectText" name={<bdi>{ending.name}</bdi>} /></p>
				</Confirm>
			)}
		</section>
	);
}

function Assistant() {
	return (
		<section aria-labelledby="assistant">
			<h2 id="assistant">{t('connectAssistant')}</h2>
			<p>{t('connectAssistantText')}</p>
			<Copyable label={t('addressForAssistant')} text={urlOf('/mcp')} />
		</section>
	);
}

/* --- the password, and oneself ------------------------------------------------------------------ */

function ChangePassword({onClose}: {onClose: () => void}) {
	const saving = useSaving();
	const [currentPassword, setCurrent] = useState('');
	const [newPassword, setNew] = useState('');
	const save = async () => {
		await call('POST', '/v1/session/password', {body: {currentPassword, newPassword}});
		toast(t('passwordChanged'));
		onClose();
	};
	return (
		<FormDialog title={t('changePassword')} action={t('change')} saving={saving} named={['currentPassword', 'newPassword']} onSave={save} onClose={onClose}>
			<TextField label={t('currentPassword')} type="password" value={currentPassword} onInput={setCurrent} error={saving.at('currentPassword')} autoComplete="current-password" autoFocus required />
			<TextField label={t('newPassword')} type="password" value={newPassword} onInput={setNew} error={passwordIssue(saving.error, 'newPassword')} hint={t('passwordRule')} autoComplete="new-password" required />
		</FormDialog>
	);
}

/* An administrator who has no password yet makes an invitation link and follows it. */
function SetPassword({of, onClose}: {of: Person; onClose: () => void}) {
	const [isPossible, setPossible] = useState(true);
	const follow = async () => {
		const {invitationUrl} = (await call<Person>('POST', `/v1/users/${encodeURIComponent(of.id)}/invite`)).data;
		if (!invitationUrl) return setPossible(false);
		location.hash = new URL(invitationUrl).hash;
		location.reload();
	};

	if (!isPossible)
		return (
			<Dialog title={t('setPassword')} onClose={onClose}>
				<p class="body">{t('noInvitation')}</p>
				<footer><button type="button" class="primary" onClick={onClose}>{t('done')}</button></footer>
			</Dialog>
		);
	return (
		<Confirm title={t('setPassword')} action={t('goOn')} onConfirm={follow} onClose={onClose}>
			<p>{t('setPasswordText')}</p>
		</Confirm>
	);
}

function EditSelf({old, etag, onSaved, onClose}: {old: Person; etag: string | null; onSaved: () => void; onClose: () => void}) {
	const saving = useSaving();
	const [fullName, setFullName] = useState(old.fullName);
	const [timeZone, setTimeZone] = useState(old.timeZone ?? '');
	const save = async () => {
		session.user = {...session.user!, ...(await call<User>('PATCH', `/v1/users/${old.id}`, {body: {fullName, timeZone: timeZone || null}, ifMatch: etag})).data};
		onSaved();
	};
	return (
		<FormDialog title={t('editName', {name: old.fullName})} action={t('save')} saving={saving} named={['fullName', 'timeZone']} onSave={save} onClose={onClose}>
			<TextField label={t('name')} value={fullName} onInput={setFullName} error={saving.at('fullName')} autoFocus required />
			<SelectField label={t('timeZone')} value={timeZone} onChange={setTimeZone} error={saving.at('timeZone')} options={timeZones()} />
		</FormDialog>
	);
}

async function load(signal: AbortSignal) {
	const [{data: present}, keys] = await Promise.all([get<Present>('/v1/session', signal), listAll<Key>('/v1/keys', 2000, signal)]);
	const {data: self, etag} = await get<Person>(`/v1/users/${present.user.id}/account`, signal);
	const own = keys.filter((k) => k.user.id === self.id);
	return {present, self, etag, sessions: own.filter((k) => k.kind === 'session'), devices: own.filter(isDevice)};
}

export function Account() {
	const {data, error, loading, again} = useLoad(load, []);
	const [asking, setAsking] = useState<'password' | 'first' | 'self' | null>(null);

	useTitle(t('account'));
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('account')}</h1>
				{data && <button type="button" data-key="e" onClick={() => setAsking('self')}>{t('edit')}</button>}
				{data?.present.key.kind === 'session' && data.self.passwordAt && <button type="button" onClick={() => setAsking('password')}>{t('changePassword')}</button>}
				{data && !data.self.passwordAt && data.self.role === 'admin' && <button type="button" onClick={() => setAsking('first')}>{t('setPassword')}</button>}
			</div>
			{error != null && <Failed error={error} again={again} />}
			{loading && !data && <Loading />}
			{data && (
				<>
					<p><bdi>{data.self.fullName}</bdi>, <bdi>{data.self.email}</bdi> · <bdi>{data.present.workspace.name}</bdi> · {data.self.timeZone ?? t('utc')}</p>
					<Assistant />
					<Applications />
					<Devices keys={data.devices} workspace={data.present.workspace.name} again={again} />
					<section aria-labelledby="sessions">
						<h2 id="sessions">{t('sessions')}</h2>
						<Sessions keys={data.sessions} own={data.present.key.id} again={again} />
					</section>
					{asking === 'password' && <ChangePassword onClose={() => (setAsking(null), again())} />}
					{asking === 'first' && <SetPassword of={data.self} onClose={() => setAsking(null)} />}
					{asking === 'self' && <EditSelf old={data.self} etag={data.etag} onClose={() => setAsking(null)} onSaved={() => (setAsking(null), again())} />}
				</>
			)}
		</>
	);
}
