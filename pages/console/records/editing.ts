/* A record that is being edited: the version that was read, and what was typed since. It is saved on condition that nobody else
 * has saved it. What was typed is kept while the user visits other pages, signs in again, or waits for the server. */
import {useEffect, useState} from 'preact/hooks';
import {ApiError, call, get} from '../api';
import {toast, toastError} from '../parts/toast';
import {t} from '../texts/text';
import {useLoad} from '../use';
import type {Conflict} from './conflict';
import {type Draft, type Field, type RecordData, type Ref, type Value, bodyOf, fieldAt, nameOf, sameValue, valueOf} from './fields';
import {type Kind, loadFields, loadGroups} from './kinds';
import {keepTyped, typedAt} from './typed';

interface Base {
	record: RecordData;
	etag: string | null;
}

interface Kept {
	base: Base;
	draft: Draft;
}

const keptOf = (id: string) => typedAt<Kept>(id);
export const hasDraft = (id: string) => keptOf(id) !== undefined;

/* What was typed for a deleted record. */
export const forgetDraft = (id: string) => keepTyped(id, undefined);

export interface Editing {
	base: Base | null;
	error: unknown;
	loading: boolean;
	draft: Draft;
	errors: Record<string, string>;
	busy: boolean;
	conflict: Conflict | null;
	/* undefined closes the field without a change. */
	put: (field: Field, value: Value | undefined) => void;
	discard: () => void;
	/* Both return the record when everything that was typed is saved, else null. */
	save: () => Promise<RecordData | null>;
	resolve: (mine: Draft) => Promise<RecordData | null>;
	closeConflict: () => void;
	reload: () => void;
}

/* The errors of a refused write, by the field's key; false when an error belongs to no field. */
export function errorsOf(fields: Field[], error: ApiError): {errors: Record<string, string>; all: boolean} {
	const errors: Record<string, string> = {};
	let all = true;

	for (const issue of error.issues) {
		const field = fieldAt(fields, issue.path);
		if (field) errors[field.key] ??= issue.message + (issue.hint ? ` (${issue.hint})` : '');
		else all = false;
	}
	return {errors, all: all && error.issues.length > 0};
}

export function changesOf(fields: Field[], base: RecordData | null, draft: Draft): Draft {
	const changed: Draft = {};
	for (const f of fields) {
		const value = draft[f.key];
		if (value !== undefined && !sameValue(value, valueOf(base, f))) changed[f.key] = value;
	}
	return changed;
}

/* The record with that id under a path such as /v1/people. needs: members that each change must send, too. */
export function useEditing(within: string, id: string, fields: Field[], needs?: (record: RecordData) => Record<string, unknown>): Editing {
	const path = `${within}/${encodeURIComponent(id)}`;
	const loaded = useLoad(async (signal): Promise<Base> => {
		const answer = await get<RecordData>(path, signal);
		return {record: answer.data, etag: answer.etag};
	}, [path]);
	const [base, setBase] = useState<Base | null>(null);
	const [draft, setDraft] = useState<Draft>({});
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [busy, setBusy] = useState(false);
	const [conflict, setConflict] = useState<Conflict | null>(null);

	useEffect(() => {
		const before = keptOf(id);
		setBase(before?.base ?? null);
		setDraft(before?.draft ?? {});
		setErrors({});
		setConflict(null);
	}, [id]);
	useEffect(() => {
		/* Fields that are being edited keep the version with which the editing began. */
		if (loaded.data && !hasDraft(id)) setBase(loaded.data);
	}, [loaded.data]);

	const keep = (next: Draft, on: Base | null) => {
		setDraft(next);
		keepTyped(id, on && Object.keys(next).length ? {base: on, draft: next} : undefined);
	};
	const put = (field: Field, value: Value | undefined) => {
		const {[field.key]: _, ...others} = draft;
		const {[field.key]: __, ...rest} = errors;
		setErrors(rest);
		keep(value === undefined ? others : {...draft, [field.key]: value}, base);
	};

	const ask = (mine: Draft, on: Base, now: Base) =>
		setConflict({base: on.record, theirs: now.record, etag: now.etag, mine: keptOf(id)?.draft ?? mine});
	const refused = async (error: unknown, mine: Draft, on: Base) => {
		if (error instanceof ApiError && error.status === 412) {
			const now = await get<RecordData>(path);
			return ask(mine, on, {record: now.data, etag: now.etag});
		}
		if (error instanceof ApiError && error.status === 422) {
			const found = errorsOf(fields, error);
			setErrors(found.errors);
			if (found.all) return;
		}
		toastError(error, t('notSaved'));
	};
	/* The current record; null: somebody else changed it, and the user is asked. */
	const send = async (mine: Draft, on: Base): Promise<Base | null> => {
		const changed = changesOf(fields, on.record, mine);
		if (!Object.keys(changed).length) return on;
		/* Interactions have no ETag, so a change at the same moment is not noticed. */
		const before = on.etag ? null : (await get<RecordData>(path)).data;
		if (before && fields.some((f) => !sameValue(valueOf(before, f), valueOf(on.record, f)))) {
			ask(mine, on, {record: before, etag: null});
			return null;
		}
		const body = {...needs?.(on.record), ...bodyOf(fields, changed)};
		const answer = await call<RecordData>('PATCH', path, {body, ifMatch: on.etag});
		toast(answer.warnings.length ? t('savedWith', {warnings: answer.warnings.map((w) => w.message).join('; ')}) : t('saved'));
		return {record: answer.data, etag: answer.etag};
	};
	const write = async (mine: Draft, on: Base): Promise<RecordData | null> => {
		let saved: RecordData | null = null;
		setBusy(true);
		try {
			const now = await send(mine, on);
			if (!now) return null;
			/* What was typed during the save is the next change. */
			const later = Object.entries(keptOf(id)?.draft ?? {}).filter(([key, value]) => value !== mine[key]);
			keep(Object.fromEntries(later), now);
			setErrors({});
			setConflict(null);
			setBase(now);
			if (!later.length) saved = now.record;
		} catch (error) {
			await refused(error, mine, on).catch((e) => toastError(e, t('notSaved')));
		} finally {
			setBusy(false);
		}
		return saved;
	};

	return {
		base: base?.record.id === id ? base : null,
		error: loaded.error,
		loading: loaded.loading,
		draft,
		errors,
		busy,
		conflict,
		put,
		discard: () => {
			keep({}, null);
			setErrors({});
			loaded.again();
		},
		save: () => (base && !busy ? write(draft, base) : Promise.resolve(null)),
		resolve: async (mine) => {
			if (!conflict) return null;
			const on = {record: conflict.theirs, etag: conflict.etag};
			setBase(on);
			keep(mine, on);
			setConflict(null);
			return write(mine, on);
		},
		closeConflict: () => setConflict(null),
		reload: loaded.again,
	};
}

/* The custom fields of a record: those of its type, or of the groups that it is in or is put into. */
function useCustomFields(kind: Kind, groups: Ref[], ready: boolean): {fields: Field[]; known: boolean; error: unknown} {
	const ids = kind.group ? [kind.group] : groups.map((g) => g.id);
	const key = ids.join();
	const loaded = useLoad(async () => ({key, fields: (await Promise.all(ids.map((g) => loadFields(g, kind.entity)))).flat()}), [key, kind.entity]);
	const [last, setLast] = useState<Field[] | null>(null);

	useEffect(() => {
		if (ready && loaded.data?.key === key) setLast(loaded.data.fields);
	}, [ready, loaded.data]);
	/* While the fields of a further group are read, the others stay visible. */
	const now = ready && loaded.data?.key === key ? loaded.data.fields : last;
	return {fields: now ?? [], known: now !== null, error: loaded.error};
}

/* All fields of a record. Custom fields are in sets with titles: one for each group, or one for its type. */
export function useFields(kind: Kind, groups: Ref[], ready: boolean) {
	const custom = useCustomFields(kind, ready ? groups : [], ready);
	const names = useLoad(async () => new Map((await loadGroups()).map((g) => [g.id, g.name])), []);
	const standard = kind.fields.filter((f) => !f.filterOnly);
	const sets = kind.group
		? [{id: '', title: t('fieldsOfType', {type: kind.title}), fields: custom.fields}]
		: groups.map((g) => ({id: g.id, title: names.data?.get(g.id) ?? nameOf(g), fields: custom.fields.filter((f) => f.custom?.group === g.id)}));

	return {standard, all: [...standard, ...custom.fields], sets: sets.filter((s) => s.fields.length), known: custom.known, error: custom.error};
}
