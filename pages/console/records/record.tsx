/* The page of one record: its values, edited in place, and beside them its notes, tasks, interactions and history. */
import {useState} from 'preact/hooks';
import {ApiError, call} from '../api';
import {Confirm} from '../parts/dialog';
import {TabPanel, Tabs} from '../parts/field';
import {Empty, Failed, Loading} from '../parts/table';
import {Time} from '../parts/text';
import {toast} from '../parts/toast';
import {go, hrefOf} from '../route';
import {useTitle} from '../use';
import {ConflictDialog} from './conflict';
import {Details} from './details';
import {Duplicates} from './duplicates';
import {type Editing, changesOf, forgetDraft, useEditing, useFields} from './editing';
import {type Field, type RecordData, type Ref, nameOf} from './fields';
import {History} from './history';
import {Interactions} from './interactions';
import {type Kind, titleOf} from './kinds';
import {Notes} from './notes';
import {Tasks} from './tasks';

function Missing({kind, error, again}: {kind: Kind; error: unknown; again: () => void}) {
	if (!(error instanceof ApiError) || error.status !== 404) return <Failed error={error} again={again} />;
	const into = error.details.mergedInto;
	return (
		<Empty>
			{typeof into === 'string' ? (
				<p>This {kind.one} was merged into <a href={hrefOf([...kind.route, into])}>another one</a>.</p>
			) : (
				<p>This {kind.one} does not exist any more, or is not for you to see.</p>
			)}
			<a class="button" href={hrefOf(kind.route)}>All {kind.many}</a>
		</Empty>
	);
}

const tabs = [
	{id: 'notes', label: 'Notes'},
	{id: 'tasks', label: 'Tasks'},
	{id: 'interactions', label: 'Interactions'},
	{id: 'history', label: 'History'},
];

function Beside({kind, record, fields, onMerged}: {kind: Kind; record: RecordData; fields: Field[]; onMerged: () => void}) {
	const [tab, setTab] = useState('notes');
	const all = kind.name === 'objects' ? tabs : [...tabs, {id: 'duplicates', label: 'Duplicates'}];
	const shown = all.some((t) => t.id === tab) ? tab : 'notes';

	return (
		<section class="card beside" aria-label="Activity">
			<Tabs label="Activity" tabs={all} active={shown} onChange={setTab} />
			<TabPanel id={shown}>
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
		<div class="savebar" role="group" aria-label="Unsaved changes">
			<span role="status">{n === 0 ? 'Nothing changed yet' : n === 1 ? '1 unsaved change' : `${n} unsaved changes`}</span>
			<button type="button" onClick={editing.discard} disabled={busy}>Discard</button>
			<button type="button" class="primary" onClick={editing.save} disabled={busy}>{busy ? 'Saving…' : 'Save'}</button>
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
			throw new Error('Somebody has changed this since you opened it. Check the new version before you delete it.');
		}
		forgetDraft(record.id);
		onClose();
		toast(`${titleOf(kind, record)} was deleted`);
		go(kind.route);
	};
	return (
		<Confirm title={`Delete this ${kind.one}?`} action="Delete" danger onConfirm={remove} onClose={onClose}>
			<p>
				<strong><bdi>{titleOf(kind, record)}</bdi></strong> is deleted with its notes, tasks, reminders and interactions. This cannot be undone.
			</p>
		</Confirm>
	);
}

function Head({kind, record, onDelete, onRefresh}: {kind: Kind; record: RecordData; onDelete: () => void; onRefresh: () => void}) {
	const companies = (record.companies as Ref[] | undefined) ?? [];
	const under = [String(record.jobTitle ?? record.industry ?? ''), companies[0] ? nameOf(companies[0]) : ''].filter(Boolean);

	return (
		<>
			<nav class="crumbs" aria-label="Breadcrumb">
				<a href={hrefOf(kind.route)}>{kind.title}</a> <span aria-hidden="true">›</span>
			</nav>
			<div class="head">
				<div class="grow">
					<h1 tabIndex={-1}><bdi>{titleOf(kind, record)}</bdi></h1>
					{under.length > 0 && <p class="quiet"><bdi>{under.join(' · ')}</bdi></p>}
				</div>
				<button type="button" onClick={onRefresh}>Refresh</button>
				<button type="button" class="danger" onClick={onDelete}>Delete</button>
			</div>
		</>
	);
}

export function RecordPage({kind, id}: {kind: Kind; id: string}) {
	const [known, setKnown] = useState<Field[]>(kind.fields);
	const editing = useEditing(kind.path, id, known);
	const {base, draft, conflict} = editing;
	const record = base?.record ?? null;
	const groups = (draft.groups as Ref[] | undefined) ?? record?.groups ?? [];
	const {standard, all: fields, sets, error: fieldsError} = useFields(kind, groups, record !== null);
	const [deleting, setDeleting] = useState(false);

	if (known.length !== fields.length || known.some((f, i) => f !== fields[i])) setKnown(fields);
	useTitle(record ? titleOf(kind, record) : kind.title);
	if (!record) return editing.error ? <Missing kind={kind} error={editing.error} again={editing.reload} /> : <Loading />;

	const shared = {record, draft, errors: editing.errors, group: kind.group, put: editing.put, onSave: editing.save};
	return (
		<>
			<Head kind={kind} record={record} onDelete={() => setDeleting(true)} onRefresh={editing.reload} />
			<div class="record">
				<div class="stack">
					<Details title="Details" fields={standard} {...shared} />
					{sets.map((s) => <Details key={s.id} title={s.title} fields={s.fields} {...shared} />)}
					{fieldsError != null && <Failed error={fieldsError} />}
					<p class="quiet">
						Created <Time at={record.createdAt} /> {record.createdBy && <>by <bdi>{nameOf(record.createdBy)}</bdi></>} · changed{' '}
						<Time at={record.updatedAt} /> · <code>{record.id}</code>
					</p>
					<SaveBar editing={editing} fields={fields} record={record} />
				</div>
				<Beside kind={kind} record={record} fields={fields} onMerged={editing.reload} />
			</div>
			{conflict && <ConflictDialog what="record" conflict={conflict} fields={fields} onChosen={editing.resolve} onClose={editing.closeConflict} />}
			{deleting && (
				<DeleteDialog kind={kind} record={record} etag={base!.etag} onClose={() => setDeleting(false)} onChanged={editing.reload} />
			)}
		</>
	);
}
