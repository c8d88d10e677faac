/* The custom fields that a group has for one kind of records. */
import {useEffect, useState} from 'preact/hooks';
import {call, listAll} from '../api';
import {Confirm} from '../parts/dialog';
import {Empty, Failed, Loading, Table, type Column} from '../parts/table';
import {toast} from '../parts/toast';
import {settingsChanged} from '../records/kinds';
import {Badge} from '../records/value';
import {T, inSentence, t} from '../texts/text';
import {useLoad} from '../use';
import {fieldTypes, formats, pathOf, type Definition} from './data';
import {FieldForm} from './fieldform';

function DetailsOf({field}: {field: Definition}) {
	const {options, config} = field;
	if (options) return <span class="row">{options.map((o) => <Badge key={o.id} text={o.label} color={o.color} />)}</span>;
	if (!config) return null;
	return <>{[formats[config.format] ?? config.format, config.currency].filter(Boolean).join(', ')}</>;
}

function columnsOf(may: boolean, onEdit: (field: Definition) => void, onDelete: (field: Definition) => void): Column<Definition>[] {
	return [
		{key: 'name', label: t('name'), render: ({name}) => <bdi>{name}</bdi>},
		{key: 'type', label: t('fieldType'), render: ({type}) => fieldTypes[type] ?? type},
		{key: 'details', label: t('details'), minor: true, render: (field) => <DetailsOf field={field} />},
		{
			key: 'do',
			label: t('action'),
			render: (field) =>
				may && (
					<span class="row">
						<button type="button" aria-label={t('editName', {name: field.name})} onClick={() => onEdit(field)}>{t('edit')}</button>
						<button type="button" aria-label={t('deleteName', {name: field.name})} onClick={() => onDelete(field)}>{t('delete')}</button>
					</span>
				),
		},
	];
}

/* onRead: what stands below can be shown, because the table has its height. */
export function FieldTable({group, entity, may, onRead}: {group: string; entity: string; may: boolean; onRead: () => void}) {
	const path = pathOf(group, 'custom-fields', entity);
	const {data, error, again} = useLoad((signal) => listAll<Definition>(path, 1000, signal), [path]);
	const [form, setForm] = useState<{old: Definition | null} | null>(null);
	const [deleting, setDeleting] = useState<Definition | null>(null);
	const read = data !== null || error != null;

	useEffect(() => {
		if (read) onRead();
	}, [read]);
	const changed = () => {
		setForm(null);
		setDeleting(null);
		settingsChanged();
		again();
	};

	if (!data) return error != null ? <Failed error={error} again={again} /> : <Loading what={t('loadingFields')} />;
	return (
		<>
			{data.length ? (
				<Table caption={t('fields')} columns={columnsOf(may, (old) => setForm({old}), setDeleting)} rows={data} rowKey={({name}) => name} />
			) : (
				<Empty><p>{t('noFields')}</p></Empty>
			)}
			{may && <p><button type="button" class="primary" data-key="n" onClick={() => setForm({old: null})}>{t('newField')}</button></p>}
			{form && <FieldForm path={path} old={form.old} onDone={changed} onClose={() => setForm(null)} />}
			{deleting && (
				<Confirm
					title={t('deleteThing', {thing: inSentence(t('field'))})}
					action={t('delete')}
					danger
					onClose={() => setDeleting(null)}
					onConfirm={async () => {
						await call('DELETE', `${path}/${encodeURIComponent(deleting.name)}`);
						toast(t('nameDeleted', {name: deleting.name}));
						changed();
					}}
				>
					<p><T text="deletesField" name={<strong><bdi>{deleting.name}</bdi></strong>} /></p>
				</Confirm>
			)}
		</>
	);
}
