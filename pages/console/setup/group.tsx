/* One group: its name, members, object types and custom fields. */
import {useState} from 'preact/hooks';
import {call, session} from '../api';
import {Confirm} from '../parts/dialog';
import {SelectField, TabPanel, Tabs, TextField} from '../parts/field';
import {FormDialog, useSaving} from '../parts/saving';
import {Failed, Loading} from '../parts/table';
import {toast} from '../parts/toast';
import {type Group, settingsChanged} from '../records/kinds';
import {go, hrefOf} from '../route';
import {T, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {labeled, loadGroup, pathOf, visibilities} from './data';
import {FieldTable} from './fieldtable';
import {Members} from './members';
import {ObjectTypes} from './objecttypes';

function EditGroup({group, onDone, onClose}: {group: Group; onDone: () => void; onClose: () => void}) {
	const saving = useSaving();
	const [name, setName] = useState(group.name);
	const [visibility, setVisibility] = useState(group.visibility);
	const save = async () => {
		await call('PATCH', pathOf(group.id), {body: {name, visibility}});
		toast(t('savedDone'));
		onDone();
	};

	return (
		<FormDialog title={t('editName', {name: group.name})} action={t('save')} saving={saving} named={['name', 'visibility']} onSave={save} onClose={onClose}>
			<TextField label={t('name')} value={name} onInput={setName} error={saving.at('name')} maxLength={255} autoFocus />
			<SelectField
				label={t('visibility')}
				hint={t('visibilityHint')}
				value={visibility}
				onChange={setVisibility}
				options={labeled(visibilities)}
				error={saving.at('visibility')}
			/>
		</FormDialog>
	);
}

function DeleteGroup({group, onClose}: {group: Group; onClose: () => void}) {
	return (
		<Confirm
			title={t('deleteThing', {thing: t('group')})}
			action={t('delete')}
			danger
			onClose={onClose}
			onConfirm={async () => {
				await call('DELETE', pathOf(group.id));
				settingsChanged();
				toast(t('nameDeleted', {name: group.name}));
				go(['setup']);
			}}
		>
			<p><T text="deletesGroup" name={<strong><bdi>{group.name}</bdi></strong>} /></p>
		</Confirm>
	);
}

function Head({group, may, onChanged}: {group: Group; may: boolean; onChanged: () => void}) {
	const [asking, setAsking] = useState<'edit' | 'delete' | null>(null);
	const close = () => setAsking(null);

	return (
		<>
			<nav class="crumbs" aria-label={t('breadcrumb')}>
				<a href={hrefOf(['setup'])}>{t('setup')}</a> <span aria-hidden="true">›</span>
			</nav>
			<div class="head">
				<div class="grow">
					<h1 tabIndex={-1}><bdi>{group.name}</bdi></h1>
					<p class="quiet">{visibilities[group.visibility]} · <code>{group.id}</code></p>
				</div>
				{may && <button type="button" data-key="e" onClick={() => setAsking('edit')}>{t('edit')}</button>}
				{may && <button type="button" class="danger" onClick={() => setAsking('delete')}>{t('delete')}</button>}
			</div>
			{!may && <p class="quiet">{t('onlyGroupAdmins')}</p>}
			{asking === 'edit' && (
				<EditGroup
					group={group}
					onClose={close}
					onDone={() => {
						close();
						onChanged();
					}}
				/>
			)}
			{asking === 'delete' && <DeleteGroup group={group} onClose={close} />}
		</>
	);
}

export function GroupPage({id, entity}: {id: string; entity: string}) {
	const {data, error, again} = useLoad((signal) => loadGroup(id, signal), [id]);
	const [fieldsRead, setFieldsRead] = useState(false);
	const changed = () => {
		settingsChanged();
		again();
	};

	useTitle(data?.group.name ?? t('setup'));
	if (!data) return error != null ? <Failed error={error} again={again} /> : <Loading />;
	const {group, members, types, rights} = data;
	const may = rights.all || (rights.own && members.some((m) => m.id === session.user?.id && m.role === 'admin'));
	const tabs = [
		{id: 'person', label: t('people')},
		{id: 'company', label: t('companies')},
		...types.map(({name}) => ({id: name, label: name})),
	];
	const shown = tabs.find((tab) => tab.id === entity) ?? tabs[0]!;
	return (
		<>
			<Head group={group} may={may} onChanged={changed} />
			<section aria-labelledby="fields">
				<h2 id="fields">{t('fields')}</h2>
				<Tabs label={t('fieldsOf')} tabs={tabs} active={shown.id} onChange={(tab) => go(['setup', id, tab], undefined, true)} />
				<TabPanel id={shown.id}>
					<FieldTable key={shown.id} group={id} entity={shown.id} may={may} onRead={() => setFieldsRead(true)} />
				</TabPanel>
			</section>
			{fieldsRead && <ObjectTypes group={id} types={types} may={may} onChanged={changed} />}
			{fieldsRead && <Members group={id} members={members} may={may} onChanged={changed} />}
		</>
	);
}
