/* The object types of a group, such as Deals. */
import {useState} from 'preact/hooks';
import {ApiError, call} from '../api';
import {Confirm} from '../parts/dialog';
import {TextField} from '../parts/field';
import {FormDialog, useSaving} from '../parts/saving';
import {Empty, Table, type Column} from '../parts/table';
import {Time} from '../parts/text';
import {toast} from '../parts/toast';
import {hrefOf} from '../route';
import {T, t} from '../texts/text';
import {pathOf, type ObjectType} from './data';

/* old: the name of an existing type. */
function TypeForm({group, old, onDone, onClose}: {group: string; old?: string; onDone: () => void; onClose: () => void}) {
	const saving = useSaving();
	const [name, setName] = useState(old ?? '');
	const save = async () => {
		await call(old ? 'PATCH' : 'POST', old ? pathOf(group, 'object-types', old) : pathOf(group, 'object-types'), {body: {name}});
		onDone();
	};

	return (
		<FormDialog
			title={old ? t('renameName', {name: old}) : t('newType')}
			action={old ? t('save') : t('create')}
			saving={saving}
			named={['name']}
			ready={!!name.trim()}
			onSave={save}
			onClose={onClose}
		>
			<TextField label={t('name')} hint={old ? t('renameTypeHint') : t('newTypeHint')} value={name} onInput={setName} error={saving.at('name')} maxLength={500} autoFocus />
		</FormDialog>
	);
}

/* While the type has objects, the server refuses and names their number. Then the question is asked again. */
function DeleteType({group, name, onDone, onClose}: {group: string; name: string; onDone: () => void; onClose: () => void}) {
	const [refused, setRefused] = useState('');
	const remove = async () => {
		const path = `${pathOf(group, 'object-types', name)}${refused ? '?force=true' : ''}`;
		try {
			await call('DELETE', path);
		} catch (error) {
			const issue = error instanceof ApiError && error.issues.find((i) => i.path[0] === 'objectType');
			if (!issue || refused) throw error;
			setRefused(issue.message);
			return;
		}
		toast(t('nameDeleted', {name}));
		onDone();
	};

	return (
		<Confirm
			key={refused}
			title={t('deleteThing', {thing: t('objectType')})}
			action={refused ? t('deleteWithObjects') : t('delete')}
			danger
			onConfirm={remove}
			onClose={onClose}
		>
			<p><T text="deletesType" name={<strong><bdi>{name}</bdi></strong>} /></p>
			{refused && <p class="error" role="alert">{refused}</p>}
		</Confirm>
	);
}

interface Asking {
	doing: 'new' | 'rename' | 'delete';
	name: string;
}

function columnsOf(group: string, may: boolean, ask: (asking: Asking) => void): Column<ObjectType>[] {
	return [
		{key: 'name', label: t('name'), render: ({name}) => <a class="strong" href={hrefOf(['objects', group, name])}><bdi>{name}</bdi></a>},
		{key: 'created', label: t('created'), minor: true, render: ({createdAt}) => <Time at={createdAt} />},
		{
			key: 'do',
			label: t('action'),
			render: ({name}) =>
				may && (
					<span class="row">
						<button type="button" aria-label={t('renameName', {name})} onClick={() => ask({doing: 'rename', name})}>{t('rename')}</button>
						<button type="button" aria-label={t('deleteName', {name})} onClick={() => ask({doing: 'delete', name})}>{t('delete')}</button>
					</span>
				),
		},
	];
}

export function ObjectTypes({group, types, may, onChanged}: {group: string; types: ObjectType[]; may: boolean; onChanged: () => void}) {
	const [asking, setAsking] = useState<Asking | null>(null);
	const close = () => setAsking(null);
	const done = () => {
		close();
		onChanged();
	};

	return (
		<section aria-labelledby="types">
			<div class="head">
				<h2 id="types">{t('objectTypes')}</h2>
				{may && <button type="button" onClick={() => setAsking({doing: 'new', name: ''})}>{t('newType')}</button>}
			</div>
			{types.length ? (
				<Table caption={t('objectTypes')} columns={columnsOf(group, may, setAsking)} rows={types} rowKey={({name}) => name} />
			) : (
				<Empty><p>{t('noTypes')}</p></Empty>
			)}
			{asking?.doing === 'delete' && <DeleteType group={group} name={asking.name} onDone={done} onClose={close} />}
			{asking && asking.doing !== 'delete' && <TypeForm group={group} old={asking.name || undefined} onDone={done} onClose={close} />}
		</section>
	);
}
