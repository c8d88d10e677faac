/* The notes of a record: written, changed on the condition that nobody else has, deleted. */
import {useState} from 'preact/hooks';
import {ApiError, call, get} from '../api';
import {Confirm} from '../parts/dialog';
import {Field} from '../parts/field';
import {Time} from '../parts/text';
import {toast, toastError} from '../parts/toast';
import {type Entry, EntryList, useEntries} from './entries';

interface Note extends Entry {
	content: string;
	visibility: string;
	createdAt: string;
	author: {fullName?: string; email?: string};
}

interface Editing {
	etag: string | null;
	text: string;
	/* Somebody else's version, after a refused save. */
	theirs?: Note;
}

function NoteEditor({note, editing, onEdit, onSaved}: {
	note: Note;
	editing: Editing;
	onEdit: (editing: Editing | null) => void;
	onSaved: (note: Note) => void;
}) {
	const path = `/v1/notes/${note.id}`;
	const [busy, setBusy] = useState(false);
	const write = async () => {
		try {
			onSaved((await call<Note>('PATCH', path, {body: {content: editing.text}, ifMatch: editing.etag})).data);
			onEdit(null);
			toast('Note saved');
		} catch (error) {
			if (!(error instanceof ApiError) || error.status !== 412) return toastError(error, 'Not saved');
			try {
				const now = await get<Note>(path);
				onEdit({text: editing.text, etag: now.etag, theirs: now.data});
			} catch (e) {
				toastError(e, 'Not saved');
			}
		}
	};
	const save = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		await write();
		setBusy(false);
	};
	return (
		<form onSubmit={save}>
			{editing.theirs && (
				<div class="versions" role="alert">
					<p>Somebody else changed this note. Theirs:</p>
					<blockquote class="lines"><bdi>{editing.theirs.content}</bdi></blockquote>
					<p>Saving replaces it by what stands below.</p>
				</div>
			)}
			<Field label={editing.theirs ? 'Mine' : 'Note'}>
				{(props) => (
					<textarea {...props} rows={5} readOnly={busy} maxLength={100000} value={editing.text} onInput={(e) => onEdit({...editing, text: e.currentTarget.value})} />
				)}
			</Field>
			<p class="row">
				<button class="primary" disabled={!editing.text || busy}>{editing.theirs ? 'Save mine' : 'Save'}</button>
				{editing.theirs && <button type="button" onClick={() => (onSaved(editing.theirs!), onEdit(null))}>Keep theirs</button>}
				<button type="button" onClick={() => onEdit(null)}>Cancel</button>
			</p>
		</form>
	);
}

function NewNote({record, onMade}: {record: string; onMade: (note: Note) => void}) {
	const [text, setText] = useState('');
	const [own, setOwn] = useState(false);
	const [busy, setBusy] = useState(false);

	const save = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		try {
			const body = {entity: {id: record}, content: text, visibility: own ? 'private' : 'public'};
			onMade((await call<Note>('POST', '/v1/notes', {body})).data);
			setText((now) => (now === text ? '' : now));
			toast('Note added');
		} catch (error) {
			toastError(error, 'Note not added');
		}
		setBusy(false);
	};
	return (
		<form class="compose" onSubmit={save}>
			<Field label="New note">
				{(props) => <textarea {...props} rows={2} maxLength={100000} value={text} onInput={(e) => setText(e.currentTarget.value)} />}
			</Field>
			<p class="row between">
				<label class="check">
					<input type="checkbox" checked={own} onChange={(e) => setOwn(e.currentTarget.checked)} /> Only for me
				</label>
				<button class="primary" disabled={!text.trim() || busy}>Add note</button>
			</p>
		</form>
	);
}

export function Notes({record}: {record: string}) {
	const entries = useEntries<Note>(`/v1/notes?entity.id=${record}`);
	const [editing, setEditing] = useState<Record<string, Editing | null>>({});
	const [deleting, setDeleting] = useState<Note | null>(null);
	/* Others may be typed into while an answer for this one is on its way. */
	const put = (id: string, one: Editing | null) => setEditing((all) => ({...all, [id]: one}));

	const edit = async (note: Note) => {
		try {
			const now = await get<Note>(`/v1/notes/${note.id}`);
			entries.replace(now.data);
			put(note.id, {etag: now.etag, text: now.data.content});
		} catch (error) {
			toastError(error);
		}
	};
	const remove = async (note: Note) => {
		await call('DELETE', `/v1/notes/${note.id}`);
		entries.remove(note.id);
		setDeleting(null);
		toast('Note deleted');
	};
	return (
		<>
			<NewNote record={record} onMade={entries.add} />
			<EntryList entries={entries} what="notes" order={(a, b) => b.createdAt.localeCompare(a.createdAt)}>
				{(note) => (
					<>
						<p class="row between quiet">
							<span>
								<bdi>{note.author?.fullName || note.author?.email || 'Somebody'}</bdi>
								{note.visibility === 'private' && ' · only for me'}
							</span>
							<Time at={note.createdAt} />
						</p>
						{editing[note.id] ? (
							<NoteEditor
								note={note}
								editing={editing[note.id]!}
								onEdit={(e) => put(note.id, e)}
								onSaved={entries.replace}
							/>
						) : (
							<>
								<p class="lines"><bdi>{note.content}</bdi></p>
								<p class="row tools">
									<button type="button" class="plain" onClick={() => edit(note)}>Edit</button>
									<button type="button" class="plain" onClick={() => setDeleting(note)}>Delete</button>
								</p>
							</>
						)}
					</>
				)}
			</EntryList>
			{deleting && (
				<Confirm title="Delete this note?" action="Delete" danger onConfirm={() => remove(deleting)} onClose={() => setDeleting(null)}>
					<p>It cannot be brought back.</p>
				</Confirm>
			)}
		</>
	);
}
