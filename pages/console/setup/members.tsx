/* The members of a group and their roles. */
import {useState} from 'preact/hooks';
import {call, session} from '../api';
import {Confirm} from '../parts/dialog';
import {Field, SelectField} from '../parts/field';
import {FormDialog, useSaving} from '../parts/saving';
import {Empty, Table, type Column} from '../parts/table';
import {toast, toastError} from '../parts/toast';
import type {Ref} from '../records/fields';
import {Picker} from '../records/picker';
import {T, t} from '../texts/text';
import {labeled, pathOf, roles, type Member, type Role} from './data';

function AddMembers({group, onDone, onClose}: {group: string; onDone: () => void; onClose: () => void}) {
	const saving = useSaving();
	const [users, setUsers] = useState<Ref[]>([]);
	const [role, setRole] = useState<Role>('contributor');
	const add = async () => {
		for (const {id} of users) {
			await call('POST', pathOf(group, 'members'), {body: {id, role}});
			setUsers((left) => left.filter((u) => u.id !== id));
		}
		onDone();
	};

	return (
		<FormDialog title={t('addMembers')} action={t('add')} saving={saving} named={['id', 'role']} ready={users.length > 0} onSave={add} onClose={onClose}>
			<Field label={t('users')} error={saving.at('id')}>
				{(props) => <Picker {...props} label={t('users')} type="users" value={users} onChange={setUsers} autoFocus />}
			</Field>
			<SelectField label={t('role')} value={role} onChange={(r) => setRole(r as Role)} options={labeled(roles)} error={saving.at('role')} />
		</FormDialog>
	);
}

const nameOf = (member: Member) => member.fullName || member.email;

function RoleSelect({group, member, onChanged}: {group: string; member: Member; onChanged: () => void}) {
	const change = async (role: string) => {
		try {
			await call('PATCH', pathOf(group, 'members', member.id), {body: {role}});
			toast(t('savedDone'));
		} catch (error) {
			toastError(error, t('role'));
		}
		onChanged();
	};
	return (
		<select aria-label={t('roleOf', {name: nameOf(member)})} value={member.role} onChange={(e) => change(e.currentTarget.value)}>
			{labeled(roles).map(({value, label}) => (
				<option key={value} value={value} selected={value === member.role}>
					{label}
				</option>
			))}
		</select>
	);
}

function columnsOf(group: string, may: boolean, onChanged: () => void, onRemove: (member: Member) => void): Column<Member>[] {
	return [
		{key: 'name', label: t('name'), render: (m) => <bdi>{m.fullName || t('unnamed')}</bdi>},
		{key: 'email', label: t('email'), minor: true, render: (m) => <bdi>{m.email}</bdi>},
		{key: 'role', label: t('role'), render: (m) => (may ? <RoleSelect group={group} member={m} onChanged={onChanged} /> : roles[m.role])},
		{
			key: 'do',
			label: t('action'),
			render: (m) =>
				(may || m.id === session.user?.id) && (
					<button type="button" aria-label={t('removeName', {name: nameOf(m)})} onClick={() => onRemove(m)}>
						{t('remove')}
					</button>
				),
		},
	];
}

export function Members({group, members, may, onChanged}: {group: string; members: Member[]; may: boolean; onChanged: () => void}) {
	const [adding, setAdding] = useState(false);
	const [removing, setRemoving] = useState<Member | null>(null);

	return (
		<section aria-labelledby="members">
			<div class="head">
				<h2 id="members">{t('members')}</h2>
				{may && <button type="button" onClick={() => setAdding(true)}>{t('addMember')}</button>}
			</div>
			{members.length ? (
				<Table caption={t('members')} columns={columnsOf(group, may, onChanged, setRemoving)} rows={members} rowKey={(m) => m.id} />
			) : (
				<Empty><p>{t('noMembers')}</p></Empty>
			)}
			{adding && (
				<AddMembers
					group={group}
					onClose={() => setAdding(false)}
					onDone={() => {
						setAdding(false);
						onChanged();
					}}
				/>
			)}
			{removing && (
				<Confirm
					title={t('removeMember')}
					action={t('remove')}
					danger
					onClose={() => setRemoving(null)}
					onConfirm={async () => {
						await call('DELETE', pathOf(group, 'members', removing.id));
						setRemoving(null);
						onChanged();
					}}
				>
					<p><T text="removesMember" name={<strong><bdi>{nameOf(removing)}</bdi></strong>} /></p>
				</Confirm>
			)}
		</section>
	);
}
