/* The page of one record: its values, edited in place, and beside them the records that refer to it, its notes, tasks,
 * interactions and history. */
import {useState} from 'preact/hooks';
import {ApiError, call} from '../api';
import {Confirm} from '../parts/dialog';
import {TabPanel, Tabs} from '../parts/field';
import {Empty, Failed, Loading} from '../parts/table';
import {Time} from '../parts/text';
import {toast} from '../parts/toast';
import {go, hrefOf, useRoute} from '../route';
import {T, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {ConflictDialog} from './conflict';
import {Details} from './details';
import {Duplicates} from './duplicates';
import {type Editing, changesOf, forgetDraft, useEditing, useFields} from './editing';
import {type Field, type RecordData, type Ref, nameOf} from './fields';
import {History} from './history';
import {Interactions} from './interactions';
import {type Kind, aboutOf, loadRole, titleOf} from './kinds';
import {Notes} from './notes';
import {Related} from './related';
import {Tasks} from './tasks';
import {Timeline} from './timeline';

function Missing({kind, error, again}: {kind: Kind; error: unknown; again: () => void}) {
	if (!(error instanceof ApiError) || error.status !== 404) return <Failed error={error} again={again} />;
	const into = error.details.mergedInto;
	return (
		<Empty>
			{typeof into === 'string' ? (
				<p><T text="thingMerged" thing={kind.one} other={<a href={hrefOf([...kind.route, into])}>{t('anotherOne')}</a>} /></p>
			) : (
				<p>{t('thingGone', {thing: kind.one})}</p>
			)}
			<a class="button" href={hrefOf(kind.route)}>{t('allThings', {things: kind.many})}</a>
		</Empty>
	);
}

const tabs = [
	{id: 'timeline', label: t('timeline')},
	{id: 'notes', label: t('notes')},
	{id: 'tasks', label: t('tasks')},
	{id: 'interactions', label: t('interactions')},
	{id: 'history', label: t('history')},
];

function Beside({kind, record, fields, onMerged}: {kind: Kind; record: RecordData; fields: Field[]; onMerged: () => void}) {
	const {path, query} = useRoute();
	const tab = query.get('tab') ?? 'timeline';
	const setTab = (id: string) => go(path, id === 'timeline' ? undefined : {tab: id}, true);
	const all = kind.name === 'objects' ? tabs : [...tabs, {id: 'duplicates', label: t('duplicates')}];
	const shown = all.some((t) => t.id === tab) ? tab : 'timeline';

	return (
		<section class="card beside" aria-label={t('activity')}>
			<Tabs label={t('activity')} tabs={all} active={shown} onChange={setTab} />
			<TabPanel id={shown}>
				{shown === 'timeline' && <Timeline key={record.id} record={record} fields={fields} />}
				{shown === 'notes' && <Notes key={record.id} record={record.id} />}
				{shown === 'tasks' && <Tasks key={record.id} record={record.id} />}
				{shown === 'interactions' && <Interactions key={record.id} record={record.id} />}
				{shown === 'history' && <History record={record} fields={fields} />}
				{shown === 'duplicates' && <Duplicates kind={kind} record={record} fields={fields} onMerged={onMerged} />}
			</TabPanel>
		</section>
	);
}

function SaveBar({editing, fields, record}: {editing: Editing; fields: Field[]; record: RecordData}) {
	const {draft, busy} = editing;
	const n = Object.keys(changesOf(fields, record, draft)).length;

	if (!Object.keys(draft).length) return null;
	return (
		<div class="savebar" role="group" aria-label={t('unsavedChanges')}>
			<span role="status">{n === 0 ? t('nothingChangedYet') : t('nUnsaved', {n})}</span>
			<button type="button" onClick={editing.discard} disabled={busy}>{t('discard')}</button>
			<button type="button" class="primary" onClick={editing.save} disabled={busy}>{busy ? t('saving') : t('save')}</button>
		</div>
	);
}

function DeleteDialog({kind, record, etag, onClose, onChanged}: {
	kind: Kind;
	record: RecordData;
	etag: string | null;
	onClose: () => void;
	onChanged: () => void;
}) {
	const remove = async () => {
		try {
			await call('DELETE', `${kind.path}/${record.id}`, {ifMatch: etag});
		} catch (error) {
			if (!(error instanceof ApiError) || error.status !== 412) throw error;
			onChanged();
			throw new Error(t('changedSince'));
		}
		forgetDraft(record.id);
		onClose();
		toast(t('nameDeleted', {name: titleOf(kind, record)}));
		go(kind.route);
	};
	return (
		<Confirm title={t('deleteThing', {thing: kind.one})} action={t('delete')} danger onConfirm={remove} onClose={onClose}>
			<p>
				<T text="deletesAll" name={<strong><bdi>{titleOf(kind, record)}</bdi></strong>} />
			</p>
		</Confirm>
	);
}

function Head({kind, record, onDelete, onRefresh}: {kind: Kind; record: RecordData; onDelete: () => void; onRefresh: () => void}) {
	const under = aboutOf(record);

	return (
		<>
			<nav class="crumbs" aria-label={t('breadcrumb')}>
				<a href={hrefOf(kind.route)}>{kind.title}</a> <span aria-hidden="true">›</span>
			</nav>
			<div class="head">
				<div class="grow">
					<h1 tabIndex={-1}><bdi>{titleOf(kind, record)}</bdi></h1>
					{under && <p class="quiet"><bdi>{under}</bdi></p>}
				</div>
				<button type="button" onClick={onRefresh}>{t('refresh')}</button>
				<button type="button" class="danger" onClick={onDelete}>{t('delete')}</button>
			</div>
		</>
	);
}

/* When and by whom the record was made. */
function Made({record}: {record: RecordData}) {
	const made = {
		created: <Time at={record.createdAt} />,
		changed: <Time at={record.updatedAt} />,
		id: <code>{record.id}</code>,
	};
	if (!record.createdBy) return <T text="createdChanged" {...made} />;
	return <T text="createdByChanged" {...made} user={<bdi>{nameOf(record.createdBy)}</bdi>} />;
}

export function RecordPage({kind, id}: {kind: Kind; id: string}) {
	const [known, setKnown] = useState<Field[]>(kind.fields);
	const editing = useEditing(kind.path, id, known);
	const {base, draft, conflict} = editing;
	const record = base?.record ?? null;
	const groups = (draft.groups as Ref[] | undefined) ?? record?.groups ?? [];
	const {standard, all: fields, sets, known: fieldsKnown, error: fieldsError} = useFields(kind, groups, record !== null);
	const [deleting, setDeleting] = useState(false);
	const role = useLoad(loadRole, []).data;
	const setupOf = (group: string) => (role === 'admin' ? hrefOf(['setup', kind.group ?? group, kind.entity]) : undefined);

	if (known.length !== fields.length || known.some((f, i) => f !== fields[i])) setKnown(fields);
	useTitle(record ? titleOf(kind, record) : kind.title);
	if (!record) return editing.error ? <Missing kind={kind} error={editing.error} again={editing.reload} /> : <Loading />;

	if (!fieldsKnown && fieldsError == null) return <Loading />;
	const shared = {record, draft, errors: editing.errors, group: kind.group, put: editing.put, onSave: editing.save};
	return (
		<>
			<Head kind={kind} record={record} onDelete={() => setDeleting(true)} onRefresh={editing.reload} />
			<div class="record">
				<div class="stack">
					<Details title={t('details')} fields={standard} {...shared} />
					{sets.map((s) => <Details key={s.id} title={s.title} fields={s.fields} setup={setupOf(s.id)} {...shared} />)}
					{fieldsError != null && <Failed error={fieldsError} />}
					<p class="quiet">
						<Made record={record} />
					</p>
					<SaveBar editing={editing} fields={fields} record={record} />
				</div>
				<div class="stack">
					<Related kind={kind} record={record}>
						<Beside kind={kind} record={record} fields={fields} onMerged={editing.reload} />
					</Related>
				</div>
			</div>
			{conflict && <ConflictDialog what={t('record')} conflict={conflict} fields={fields} onChosen={editing.resolve} onClose={editing.closeConflict} />}
			{deleting && (
				<DeleteDialog kind={kind} record={record} etag={base!.etag} onClose={() => setDeleting(false)} onChanged={editing.reload} />
			)}
		</>
	);
}
