/* The users of the workspace. Admins invite them, change their roles, and shut them out. */
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {call, listAll, session} from '../api';
import {Confirm, Dialog} from '../parts/dialog';
import {SelectField, TextField} from '../parts/field';
import {FormDialog, useSaving} from '../parts/saving';
import {type Column, Failed, Loading, Table} from '../parts/table';
import {toast} from '../parts/toast';
import {T, t} from '../texts/text';
import {useLoad} from '../use';
import {Badge, Copyable} from './bits';

export interface Account {
	id: string;
	fullName: string;
	email: string;
	role: string;
	timeZone: string | null;
	passwordAt: string | null;
	disabledAt: string | null;
	invitationUrl?: string | null;
}

const pathOf = ({id}: Account) => `/v1/users/${encodeURIComponent(id)}`;
const nameOf = ({fullName, email}: Account) => fullName || email;
const roles = [{value: 'member', label: t('workspaceMember')}, {value: 'admin', label: t('workspaceAdmin')}];

export const timeZones = () => [{value: '', label: t('utc')}, ...Intl.supportedValuesOf('timeZone').map((value) => ({value, label: value}))];

function UserForm({old, onSaved, onClose}: {old: Account | null; onSaved: (account: Account) => void; onClose: () => void}) {
	const saving = useSaving();
	const [email, setEmail] = useState('');
	const [fullName, setFullName] = useState(old?.fullName ?? '');
	const [role, setRole] = useState(old?.role ?? 'member');
	const [timeZone, setTimeZone] = useState(old?.timeZone ?? '');
	const save = async () => {
		const body = {email: old ? undefined : email, fullName: fullName || undefined, role, timeZone: timeZone || null};
		const ifMatch = old && (await call<Account>('GET', `${pathOf(old)}/account`)).etag;
		onSaved((await call<Account>(old ? 'PATCH' : 'POST', old ? pathOf(old) : '/v1/users', {body, ifMatch})).data);
	};
	return (
		<FormDialog
			title={old ? t('editName', {name: nameOf(old)}) : t('inviteSomebody')}
			action={old ? t('save') : t('invite')}
			saving={saving}
			named={['email', 'fullName', 'role', 'timeZone']}
			onSave={save}
			onClose={onClose}
		>
			{!old && <TextField label={t('email')} type="email" value={email} onInput={setEmail} error={saving.at('email')} autoComplete="off" autoFocus required />}
			<TextField label={t('name')} value={fullName} onInput={setFullName} error={saving.at('fullName')} autoComplete="off" autoFocus={!!old} />
			<SelectField label={t('role')} hint={t('roleHint')} value={role} onChange={setRole} error={saving.at('role')} options={roles} />
			<SelectField label={t('timeZone')} value={timeZone} onChange={setTimeZone} error={saving.at('timeZone')} options={timeZones()} />
		</FormDialog>
	);
}

function Invited({of, onClose}: {of: Account; onClose: () => void}) {
	return (
		<Dialog title={t('invitationOf', {name: nameOf(of)})} onClose={onClose}>
			<div class="body">
				{of.invitationUrl ? (
					<>
						<p><T text="sendLink" strong={<strong>{t('shownOnce')}</strong>} /></p>
						<Copyable label={t('link')} text={of.invitationUrl} />
					</>
				) : (
					<p>{t('noInvitation')}</p>
				)}
			</div>
			<footer>
				<button type="button" class="primary" onClick={onClose}>{t('done')}</button>
			</footer>
		</Dialog>
	);
}

type Asking = {act: 'new'} | {act: 'edit' | 'invite' | 'disable' | 'enable' | 'invited'; of: Account};

function columns(ask: (asking: Asking) => void): Column<Account>[] {
	const state = (a: Account) => (a.disabledAt ? <Badge tone="bad">{t('disabled')}</Badge> : a.passwordAt ? t('hasPassword') : <span class="quiet">{t('noPassword')}</span>);
	return [
		{key: 'name', label: t('name'), render: (a) => <bdi>{a.fullName || t('unnamed')}</bdi>},
		{key: 'email', label: t('email'), minor: true, render: (a) => <bdi>{a.email}</bdi>},
		{key: 'role', label: t('role'), minor: true, render: (a) => (a.role === 'admin' ? t('workspaceAdmin') : t('workspaceMember'))},
		{key: 'state', label: t('waysIn'), render: state},
		{
			key: 'do',
			label: t('action'),
			render: (a) => (
				<span class="row">
					<button type="button" aria-label={t('editName', {name: nameOf(a)})} onClick={() => ask({act: 'edit', of: a})}>{t('editMore')}</button>
					{!a.disabledAt && <button type="button" aria-label={t('inviteName', {name: nameOf(a)})} onClick={() => ask({act: 'invite', of: a})}>{t('inviteMore')}</button>}
					{a.id !== session.user?.id && (
						<button type="button" aria-label={a.disabledAt ? t('enableName', {name: nameOf(a)}) : t('disableName', {name: nameOf(a)})} onClick={() => ask({act: a.disabledAt ? 'enable' : 'disable', of: a})}>
							{a.disabledAt ? t('enableMore') : t('disableMore')}
						</button>
					)}
				</span>
			),
		},
	];
}

type Name = ComponentChildren;

const questions = {
	invite: {title: t('inviteAgain'), action: t('invite'), text: (name: Name) => <T text="inviteAgainText" name={name} />, said: ''},
	disable: {title: t('disableUser'), action: t('disable'), text: (name: Name) => <T text="disableText" name={name} />, said: t('userDisabled')},
	enable: {title: t('enableUser'), action: t('enable'), text: (name: Name) => <T text="enableText" name={name} />, said: t('userEnabled')},
};

function Question({what, of, onDone, onClose}: {what: keyof typeof questions; of: Account; onDone: (account: Account) => void; onClose: () => void}) {
	const {title, action, text, said} = questions[what];
	return (
		<Confirm
			title={title}
			action={action}
			danger={what === 'disable'}
			onClose={onClose}
			onConfirm={async () => {
				onDone((await call<Account>('POST', `${pathOf(of)}/${what}`)).data);
				if (said) toast(said);
			}}
		>
			<p>{text(<bdi>{nameOf(of)}</bdi>)}</p>
		</Confirm>
	);
}

/* For admins. */
export function Users({onChanged}: {onChanged: () => void}) {
	const accounts = useLoad((signal) => listAll<Account>('/v1/users/accounts', 2000, signal), []);
	const [asking, setAsking] = useState<Asking | null>(null);
	const changed = (next: Asking | null) => {
		setAsking(next);
		accounts.again();
		onChanged();
	};
	const close = () => setAsking(null);
	const invited = (of: Account) => changed({act: 'invited', of});

	return (
		<section aria-labelledby="users">
			<div class="head">
				<h2 id="users">{t('users')}</h2>
				<button type="button" onClick={() => setAsking({act: 'new'})}>{t('inviteSomebody')}</button>
			</div>
			{accounts.error != null && <Failed error={accounts.error} again={accounts.again} />}
			{accounts.loading && !accounts.data && <Loading what={t('loadingUsers')} />}
			{accounts.data && <Table caption={t('users')} columns={columns(setAsking)} rows={accounts.data} rowKey={(a) => a.id} />}
			{asking?.act === 'new' && <UserForm old={null} onClose={close} onSaved={invited} />}
			{asking?.act === 'edit' && <UserForm old={asking.of} onClose={close} onSaved={() => changed(null)} />}
			{asking?.act === 'invited' && <Invited of={asking.of} onClose={close} />}
			{(asking?.act === 'invite' || asking?.act === 'disable' || asking?.act === 'enable') && (
				<Question what={asking.act} of={asking.of} onClose={close} onDone={(account) => (asking.act === 'invite' ? invited(account) : changed(null))} />
			)}
		</section>
	);
}
