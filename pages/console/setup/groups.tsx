/* The groups, and a form for a new one. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {Field, SelectField, TextField} from '../parts/field';
import {FormDialog, useSaving} from '../parts/saving';
import {Empty, Failed, Loading, Table, type Column} from '../parts/table';
import {toast, toastError} from '../parts/toast';
import type {Ref} from '../records/fields';
import {type Group, loadGroups, settingsChanged} from '../records/kinds';
import {Picker} from '../records/picker';
import {type TypeLink, useTypes} from '../records/types';
import {go, hrefOf, type Route} from '../route';
import {T, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {labeled, loadRights, pathOf, roles, visibilities, type Role} from './data';
import {GroupPage} from './group';

/* Adds the users to a new group. What fails is said, and the group stays. */
async function addMembers(group: string, users: Ref[], role: Role): Promise<void> {
	for (const {id} of users) await call('POST', pathOf(group, 'members'), {body: {id, role}}).catch((e) => toastError(e, t('addMember')));
}

function NewGroup({onClose}: {onClose: () => void}) {
	const saving = useSaving();
	const [name, setName] = useState('');
	const [visibility, setVisibility] = useState('public');
	const [users, setUsers] = useState<Ref[]>([]);
	const [role, setRole] = useState<Role>('contributor');
	const make = async () => {
		const {data} = await call<Group>('POST', '/v1/groups', {body: {name, visibility}});
		await addMembers(data.id, users, role);
		settingsChanged();
		toast(t('thingCreated', {thing: t('group')}));
		go(['setup', data.id]);
	};

	return (
		<FormDialog title={t('newGroup')} action={t('create')} saving={saving} named={['name', 'visibility']} ready={!!name.trim()} onSave={make} onClose={onClose}>
			<TextField label={t('name')} value={name} onInput={setName} error={saving.at('name')} maxLength={255} autoFocus />
			<Field label={t('members')} hint={t('membersHint')}>
				{(props) => <Picker {...props} label={t('members')} type="users" value={users} onChange={setUsers} />}
			</Field>
			<div class="columns">
				<SelectField label={t('theirRole')} value={role} onChange={(r) => setRole(r as Role)} options={labeled(roles)} />
				<SelectField label={t('visibility')} value={visibility} onChange={setVisibility} options={labeled(visibilities)} error={saving.at('visibility')} />
			</div>
		</FormDialog>
	);
}

/* The kinds of records that have fields in a group, each with the way to its fields. */
const fieldLinks = ({id}: Group, types: TypeLink[]) => (
	<span class="cut fieldlinks">
		<a href={hrefOf(['setup', id, 'person'])}>{t('people')}</a>
		<a href={hrefOf(['setup', id, 'company'])}>{t('companies')}</a>
		{types.filter((type) => type.group === id).map(({name}) => <a key={name} href={hrefOf(['setup', id, name])}><bdi>{name}</bdi></a>)}
	</span>
);

const columnsOf = (types: TypeLink[]): Column<Group>[] => [
	{
		key: 'name',
		label: t('name'),
		render: (g) => (
			<a class="strong" href={hrefOf(['setup', g.id])}>
				<bdi>{g.name}</bdi>
			</a>
		),
	},
	{key: 'fields', label: t('fields'), minor: true, render: (g) => fieldLinks(g, types)},
	{key: 'visibility', label: t('visibility'), render: (g) => visibilities[g.visibility] ?? g.visibility},
	{key: 'id', label: t('id'), minor: true, render: (g) => <code>{g.id}</code>},
];

function Groups() {
	const groups = useLoad(loadGroups, []);
	const rights = useLoad(loadRights, []);
	const {types} = useTypes(true);
	const [making, setMaking] = useState(false);

	useTitle(t('setup'));
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('setup')}</h1>
				{rights.data?.own && (
					<button type="button" class="primary" data-key="n" onClick={() => setMaking(true)}>
						{t('newGroup')}
					</button>
				)}
			</div>
			<p class="quiet">
				<T
					text="setupElsewhere"
					webhooks={<a href={hrefOf(['webhooks'])}>{t('webhooks')}</a>}
					admin={<a href={hrefOf(['admin'])}>{t('usersAndKeys')}</a>}
					usage={<a href={hrefOf(['usage'])}>{t('usage')}</a>}
				/>
			</p>
			{groups.error != null && <Failed error={groups.error} again={groups.again} />}
			{!groups.data && groups.error == null && <Loading />}
			{groups.data && !groups.data.length && <Empty><p>{t('noGroups')}</p></Empty>}
			{groups.data && groups.data.length > 0 && <Table caption={t('groups')} columns={columnsOf(types ?? [])} rows={groups.data} rowKey={(g) => g.id} />}
			{making && <NewGroup onClose={() => setMaking(false)} />}
		</>
	);
}

export function SetupPages({route}: {route: Route}) {
	const [, id, entity] = route.path;
	return id ? <GroupPage key={id} id={id} entity={entity ?? 'person'} /> : <Groups />;
}
