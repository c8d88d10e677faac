/* The notes of a record. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {Field} from '../parts/field';
import {Time} from '../parts/text';
import {announce, toastError} from '../parts/toast';
import {T, t} from '../texts/text';
import {EntryList, useEntries} from './entries';
import type {Entry, EntryKind} from './entry';
import {maxOf, noteFields} from './apifields';
import {focusAgain, useTyped} from './typed';

export interface Note extends Entry {
	content: string;
	visibility: string;
	author: {fullName?: string; email?: string};
}

const NAME_MAX = 40;

export const noteKind: EntryKind<Note> = {
	one: t('note'),
	many: t('notesIn'),
	path: '/v1/notes',
	fields: noteFields,
	nameOf: ({content}) => (content.length > NAME_MAX ? `${content.slice(0, NAME_MAX)}…` : content),
	order: (a, b) => b.createdAt.localeCompare(a.createdAt),
};

/* By record: true when the next note is only for its author. The choice is kept for further notes. */
const owns = new Map<string, boolean>();

export function NewNote({record, onMade}: {record: string; onMade: (note: Note) => void}) {
	const note = useTyped(`note ${record}`);
	const [own, setOwn] = useState(owns.get(record) ?? false);
	const [busy, setBusy] = useState(false);

	const save = async (event: Event) => {
		const form = event.currentTarget as HTMLFormElement;
		event.preventDefault();
		setBusy(true);
		try {
			const body = {entity: {id: record}, content: note.text, visibility: own ? 'private' : 'public'};
			onMade((await call<Note>('POST', noteKind.path, {body})).data);
			note.saved(body.content);
			announce(t('noteAdded'));
			focusAgain(form);
		} catch (error) {
			toastError(error, t('noteNotAdded'));
		}
		setBusy(false);
	};
	const choose = (on: boolean) => {
		owns.set(record, on);
		setOwn(on);
	};
	return (
		<form class="compose" onSubmit={save}>
			<Field label={t('newNote')}>
				{(props) => <textarea dir="auto" {...props} rows={2} maxLength={maxOf('note', 'content')} value={note.text} onInput={(e) => note.put(e.currentTarget.value)} />}
			</Field>
			<p class="row between">
				<label class="check">
					<T text="onlyForMe" box={<input type="checkbox" checked={own} onChange={(e) => choose(e.currentTarget.checked)} />} />
				</label>
				<button class="primary" disabled={!note.text.trim() || busy}>{t('addNote')}</button>
			</p>
		</form>
	);
}

export const useNotes = (record: string) => useEntries<Note>(`${noteKind.path}?entity.id=${record}`);

export function NoteText({note}: {note: Note}) {
	return (
		<>
			<p class="row between quiet">
				<span>
					<bdi>{note.author?.fullName || note.author?.email || t('somebody')}</bdi>
					{note.visibility === 'private' && t('isOnlyForMe')}
				</span>
				<Time at={note.createdAt} />
			</p>
			<p class="lines"><bdi>{note.content}</bdi></p>
		</>
	);
}

export function Notes({record}: {record: string}) {
	const entries = useNotes(record);
	return (
		<>
			<NewNote record={record} onMade={entries.add} />
			<EntryList entries={entries} kind={noteKind}>{(note) => <NoteText note={note} />}</EntryList>
		</>
	);
}
