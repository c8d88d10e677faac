/* One note, task or interaction in its list: shown, changed in its place, deleted. It is only changed or deleted in the version
 * that the user has seen. */
import type {ComponentChildren} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {call, get} from '../api';
import {Confirm} from '../parts/dialog';
import {Field as Labelled} from '../parts/field';
import {Failed, Loading} from '../parts/table';
import {toast} from '../parts/toast';
import {t} from '../texts/text';
import {ConflictDialog} from './conflict';
import {changesOf, forgetDraft, hasDraft, useEditing} from './editing';
import {Editor} from './editor';
import {type Field, type RecordData, sameValue, valueOf} from './fields';

export interface Entry {
	id: string;
	createdAt: string;
}

export interface EntryKind<T> {
	one: string;
	many: string;
	path: string;
	/* The fields that can be changed. */
	fields: Field[];
	nameOf: (entry: T) => string;
	/* Members that each change must send, too. */
	needs?: (entry: RecordData) => Record<string, unknown>;
	order: (a: T, b: T) => number;
}

/* The entry as a record with those fields. */
const recordOf = (entry: Entry) => entry as unknown as RecordData;

function EntryEditor<T extends Entry>({entry, kind, focus, onRead, onClose}: {
	entry: T;
	kind: EntryKind<T>;
	focus: boolean;
	/* Gets each newer version. */
	onRead: (entry: T) => void;
	onClose: () => void;
}) {
	const editing = useEditing(kind.path, entry.id, kind.fields, kind.needs);
	const {base, draft, errors, busy, conflict} = editing;
	const form = useRef<HTMLFormElement>(null);

	useLayoutEffect(() => {
		if (focus && base) form.current!.querySelector<HTMLElement>('input, textarea, select')?.focus();
	}, [!base]);
	useEffect(() => {
		if (base && !Object.keys(draft).length) onRead(base.record as unknown as T);
	}, [base]);

	const end = (saved: RecordData | null) => {
		if (!saved) return;
		onRead(saved as unknown as T);
		onClose();
	};
	const cancel = () => {
		forgetDraft(entry.id);
		onClose();
	};
	if (!base) return editing.error ? <Failed error={editing.error} again={editing.reload} /> : <Loading />;
	const changed = Object.keys(changesOf(kind.fields, base.record, draft)).length > 0;
	return (
		<>
			<form
				ref={form}
				class="compose"
				aria-label={t('editName', {name: kind.one})}
				onSubmit={(event) => {
					event.preventDefault();
					editing.save().then(end);
				}}
			>
				{kind.fields.map((f) => (
					<Labelled key={f.key} label={f.label} hint={f.hint} error={errors[f.key]}>
						{(props) => <Editor {...props} field={f} value={draft[f.key] ?? valueOf(base.record, f)} onChange={(v) => editing.put(f, v)} />}
					</Labelled>
				))}
				<p class="row end">
					<button type="button" onClick={cancel} disabled={busy}>{t('cancel')}</button>
					<button class="primary" disabled={!changed || busy}>{busy ? t('saving') : t('save')}</button>
				</p>
			</form>
			{conflict && (
				<ConflictDialog
					what={kind.one}
					conflict={conflict}
					fields={kind.fields}
					onChosen={(mine) => editing.resolve(mine).then(end)}
					onClose={editing.closeConflict}
				/>
			)}
		</>
	);
}

export function EntryItem<T extends Entry>({entry, kind, replace, onDelete, children}: {
	entry: T;
	kind: EntryKind<T>;
	replace: (entry: T) => void;
	onDelete: () => void;
	children: (entry: T) => ComponentChildren;
}) {
	const [open, setOpen] = useState(hasDraft(entry.id));
	/* The focus moves only when the user opens or closes the entry. */
	const [pressed, setPressed] = useState(false);
	const edit = useRef<HTMLButtonElement>(null);
	const name = `${kind.one} ${kind.nameOf(entry)}`;
	const turn = (to: boolean) => {
		setPressed(true);
		setOpen(to);
	};

	useLayoutEffect(() => {
		if (pressed && !open) edit.current!.focus();
	}, [open]);
	if (open) return <EntryEditor entry={entry} kind={kind} focus={pressed} onRead={replace} onClose={() => turn(false)} />;
	return (
		<>
			{children(entry)}
			<p class="row tools">
				<button type="button" class="plain" ref={edit} aria-label={t('editName', {name})} onClick={() => turn(true)}>{t('edit')}</button>
				<button type="button" class="plain" aria-label={t('deleteName', {name})} onClick={onDelete}>{t('delete')}</button>
			</p>
		</>
	);
}

/* Deletes the version that is shown; a newer one is not deleted. */
export function EntryDelete<T extends Entry>({entry, kind, replace, remove, onClose}: {
	entry: T;
	kind: EntryKind<T>;
	replace: (entry: T) => void;
	remove: (id: string) => void;
	onClose: () => void;
}) {
	const path = `${kind.path}/${entry.id}`;
	const confirm = async () => {
		const now = await get<T>(path);
		if (kind.fields.some((f) => !sameValue(valueOf(recordOf(now.data), f), valueOf(recordOf(entry), f)))) {
			replace(now.data);
			onClose();
			throw new Error(t('changedSince'));
		}
		await call('DELETE', path, {ifMatch: now.etag});
		remove(entry.id);
		onClose();
		toast(t('thingDeleted', {thing: kind.one}));
	};
	return (
		<Confirm title={t('deleteThing', {thing: kind.one})} action={t('delete')} danger onConfirm={confirm} onClose={onClose}>
			<p class="lines"><strong><bdi>{kind.nameOf(entry)}</bdi></strong></p>
			<p>{t('cannotBeRestored')}</p>
		</Confirm>
	);
}
