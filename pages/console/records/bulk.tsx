/* Changes of all selected records: the bar above a table, and the dialogs that check, count, do and undo. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {explain} from '../api';
import {Dialog} from '../parts/dialog';
import {Field as Labelled, SelectField} from '../parts/field';
import {Failed} from '../parts/table';
import {t} from '../texts/text';
import {useLoad} from '../use';
import {BULK_MAX, type Change, type Outcome, readAgain, readMatching, runBatches} from './bulkwork';
import {Editor} from './editor';
import {type Field, type RecordData, type Ref, type Value, bodyOf, emptyValue, nameOf, sameValue, valueOf} from './fields';
import type {Query} from './filters';
import {type Kind, loadFields, loadGroups, titleOf} from './kinds';

/* What is to be done with each record. */
export interface Work {
	title: string;
	batch: 'update' | 'delete';
	/* The word on the button. */
	verb: string;
	/* The members of the batch record; null: the record has nothing to change. */
	changeOf: (record: RecordData) => Record<string, unknown> | null;
	/* The members that bring the old state back; absent: this cannot be undone. */
	undoOf?: (record: RecordData) => Record<string, unknown>;
}

/* --- works ---------------------------------------------------------------------------------- */

const deleting = (): Work => ({title: t('deleteSelected'), batch: 'delete', verb: t('delete'), changeOf: () => ({})});

function addingTo(group: Ref): Work {
	const groupsOf = (record: RecordData) => (record.groups ?? []).map(({id}) => ({id}));
	return {
		title: t('addToGroupName', {group: nameOf(group)}),
		batch: 'update',
		verb: t('add'),
		changeOf: (r) => (groupsOf(r).some(({id}) => id === group.id) ? null : {groups: [...groupsOf(r), {id: group.id}]}),
		undoOf: (r) => ({groups: groupsOf(r)}),
	};
}

function changing(field: Field, value: Value): Work {
	const bodyWith = (to: Value) => bodyOf([field], {[field.key]: to});
	return {
		title: t('changeFieldTo', {field: field.label}),
		batch: 'update',
		verb: t('change'),
		changeOf: (r) => (sameValue(valueOf(r, field), value) ? null : bodyWith(value)),
		undoOf: (r) => bodyWith(valueOf(r, field)),
	};
}

/* --- the dialog that does it ----------------------------------------------------------------------- */

type Read = (signal: AbortSignal, onRead: (n: number) => void) => Promise<RecordData[]>;

interface State {
	step: 'checking' | 'ready' | 'doing' | 'done' | 'undoing' | 'undone' | 'failed';
	n: number;
	records: RecordData[];
	toChange: Change[];
	outcome: Outcome;
	error: unknown;
}

const nothing: Outcome = {done: [], refused: []};

function Refusals({outcome, names}: {outcome: Outcome; names: Map<string, string>}) {
	if (!outcome.refused.length) return null;
	return (
		<>
			<p>{t('refusedCount', {n: outcome.refused.length})}</p>
			<ul>
				{outcome.refused.slice(0, 5).map(({id, why}) => <li key={id}><bdi>{names.get(id) ?? id}</bdi>: {why}</li>)}
			</ul>
		</>
	);
}

/* Checks and counts by a dry run, then waits for a click. */
function BulkDialog({kind, work, read, onClose, onChanged}: {kind: Kind; work: Work; read: Read; onClose: (changed: boolean) => void; onChanged: () => void}) {
	const changed = useRef(false);
	const [state, setState] = useState<State>({step: 'checking', n: 0, records: [], toChange: [], outcome: nothing, error: null});
	const stop = useRef(new AbortController());
	const put = (change: Partial<State>) => setState((s) => ({...s, ...change}));
	const onDone = (n: number) => put({n});
	const attempt = async (run: (signal: AbortSignal) => Promise<void>) => {
		stop.current = new AbortController();
		try {
			await run(stop.current.signal);
		} catch (error) {
			if (!stop.current.signal.aborted) put({step: 'failed', error});
		}
	};

	useEffect(() => {
		void attempt(async (signal) => {
			const records = await read(signal, onDone);
			const toChange = records.flatMap((r): Change[] => {
				const body = work.changeOf(r);
				return body ? [{record: r, body}] : [];
			});
			put({n: 0, records, toChange});
			const outcome = await runBatches(kind, work.batch, toChange, {dryRun: true, signal, onDone});
			put({step: 'ready', n: 0, outcome});
		});
		return () => stop.current.abort();
	}, []);

	const {step, records, toChange, outcome} = state;
	const names = new Map(records.map((r) => [r.id, titleOf(kind, r)]));
	const act = () =>
		attempt(async (signal) => {
			const able = new Set(outcome.done.map(({id}) => id));
			put({step: 'doing', n: 0});
			const done = await runBatches(kind, work.batch, toChange.filter(({record}) => able.has(record.id)), {dryRun: false, signal, onDone});
			put({step: 'done', n: 0, outcome: {done: done.done, refused: [...outcome.refused, ...done.refused]}});
			changed.current = true;
			onChanged();
		});
	const undo = () =>
		attempt(async (signal) => {
			const before = new Map(records.map((r) => [r.id, r]));
			const old = outcome.done.map((record) => ({record, body: work.undoOf!(before.get(record.id)!)}));
			put({step: 'undoing', n: 0});
			put({outcome: await runBatches(kind, 'update', old, {dryRun: false, signal, onDone}), step: 'undone', n: 0});
			changed.current = true;
			onChanged();
		});
	const close = () => onClose(changed.current);
	const busy = step === 'doing' || step === 'undoing';
	const asks = step === 'ready' || step === 'checking';
	const deletes = work.batch === 'delete';
	const n = outcome.done.length;
	const things = {n, things: n === 1 ? kind.one : kind.many};
	const said: Record<State['step'], string> = {
		checking: t('checkingMany', {n: state.n}),
		ready: deletes ? t('willDelete', things) : t('willChange', things),
		doing: t('doneOf', {done: state.n, all: toChange.length}),
		done: deletes ? t('didDelete', things) : t('didChange', things),
		undoing: t('doneOf', {done: state.n, all: outcome.done.length}),
		undone: t('didUndo', things),
		failed: explain(state.error),
	};

	return (
		<Dialog title={work.title} onClose={busy ? undefined : close}>
			<div class="body">
				<p role="status">{said[step]}</p>
				{busy && <progress max={toChange.length} value={state.n} aria-label={t('progress')} />}
				{step === 'ready' && records.length > toChange.length && <p class="quiet">{t('nothingToChange', {n: records.length - toChange.length})}</p>}
				{step === 'ready' && !work.undoOf && <p>{t('cannotBeUndone')}</p>}
				{step === 'ready' && records.length === BULK_MAX && <p>{t('onlyFirst', {n: BULK_MAX})}</p>}
				{!busy && <Refusals outcome={outcome} names={names} />}
			</div>
			<footer>
				{busy && <button type="button" onClick={() => stop.current.abort()}>{t('stop')}</button>}
				{step === 'done' && work.undoOf && outcome.done.length > 0 && <button type="button" onClick={undo}>{t('undo')}</button>}
				{/* The last one, so that a second click where the first did the work undoes nothing. */}
				{!busy && !asks && <button type="button" class="primary" onClick={close}>{t('close')}</button>}
				{asks && <button type="button" onClick={close}>{t('cancel')}</button>}
				{asks && (
					<button type="button" class={deletes ? 'danger' : 'primary'} disabled={step === 'checking' || !n} onClick={act}>
						{work.verb}
					</button>
				)}
			</footer>
		</Dialog>
	);
}

/* --- choosing what to change ------------------------------------------------------------------------ */

const SINGLE = ['firstName', 'lastName', 'fullName', 'name', 'groups', 'emails', 'phones', 'urls', 'addresses'];

function ChangeDialog({kind, onWork, onClose}: {kind: Kind; onWork: (work: Work) => void; onClose: () => void}) {
	const [source, setSource] = useState('');
	const [key, setKey] = useState('');
	const [value, setValue] = useState<Value | undefined>(undefined);
	const groups = useLoad(() => (kind.group ? Promise.resolve([]) : loadGroups()), [kind.group]);
	const within = kind.group ?? source;
	const custom = useLoad(() => (within ? loadFields(within, kind.entity) : Promise.resolve([])), [within, kind.entity]);
	const own = kind.fields.filter((f) => !f.filterOnly && !SINGLE.includes(f.name));
	const fields = source ? (custom.data ?? []) : [...(custom.data ?? []), ...own];
	const field = fields.find((f) => f.key === key) ?? fields[0];

	return (
		<Dialog title={t('changeSelected')} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (field) onWork(changing(field, value ?? emptyValue(field)));
				}}
			>
				<div class="body">
					{!!groups.data?.length && (
						<SelectField
							label={t('fieldsOf')}
							value={source}
							onChange={(v) => (setSource(v), setKey(''), setValue(undefined))}
							options={[{value: '', label: t('everyThing', {thing: kind.one})}, ...groups.data.map((g) => ({value: g.id, label: t('groupName', {name: g.name})}))]}
						/>
					)}
					{custom.error != null && <Failed error={custom.error} again={custom.again} />}
					{field && (
						<>
							<SelectField
								label={t('field')}
								value={field.key}
								onChange={(v) => (setKey(v), setValue(undefined))}
								options={fields.map((f) => ({value: f.key, label: f.label}))}
							/>
							<Labelled label={t('newValue')} hint={t('emptyUnsets')}>
								{(props) => <Editor key={field.key} {...props} field={field} group={kind.group} value={value ?? emptyValue(field)} onChange={setValue} />}
							</Labelled>
						</>
					)}
				</div>
				<footer>
					<button type="button" onClick={onClose}>{t('cancel')}</button>
					<button class="primary" disabled={!field}>{t('check')}</button>
				</footer>
			</form>
		</Dialog>
	);
}

/* --- the bar ------------------------------------------------------------------------------------------ */

interface BarProps {
	kind: Kind;
	/* The selected ones of the pages that were read; null: all that match. */
	chosen: RecordData[] | null;
	/* All that match, if it is known. */
	count?: number;
	/* The whole page is selected, and there are more. */
	offerAll: boolean;
	query: Query;
	onAll: () => void;
	onClear: () => void;
	onChanged: () => void;
}

export const selectAllText = (kind: Kind, count: number | undefined) =>
	count === undefined ? t('selectAllMatching') : t('selectAll', {n: count, things: kind.many});

export function BulkBar({kind, chosen, count, offerAll, query, onAll, onClear, onChanged}: BarProps) {
	const [work, setWork] = useState<Work | null>(null);
	const [changes, setChanges] = useState(false);
	const groups = useLoad(() => (kind.group ? Promise.resolve([]) : loadGroups()), [kind.group]);
	const things = kind.many;
	const read: Read = async (signal, onRead) => {
		/* What the table shows may have been read long ago. */
		if (chosen) return readAgain(kind, chosen);
		const all: RecordData[] = [];
		await readMatching(kind, query, 'createdAt', BULK_MAX, signal, (page) => {
			all.push(...page);
			onRead(all.length);
		});
		return all;
	};

	return (
		<div class="bulk" role="group" aria-label={t('selection')}>
			<span role="status">{chosen ? t('selectedCount', {n: chosen.length}) : count === undefined ? t('allMatching') : t('allSelected', {n: count, things})}</span>
			{chosen && offerAll && (
				<button type="button" class="plain" onClick={onAll}>{selectAllText(kind, count)}</button>
			)}
			<button type="button" onClick={() => setChanges(true)}>{t('changeMore')}</button>
			{!!groups.data?.length && (
				<select
					aria-label={t('addToGroup')}
					value=""
					onChange={(e) => {
						const group = groups.data!.find((g) => g.id === e.currentTarget.value);
						e.currentTarget.value = '';
						if (group) setWork(addingTo(group));
					}}
				>
					<option value="">{t('addToGroup')}</option>
					{groups.data.map((g) => <option key={g.id} value={g.id}>{g.name}</option>)}
				</select>
			)}
			<button type="button" onClick={() => setWork(deleting())}>{t('deleteMore')}</button>
			<button type="button" class="plain" onClick={onClear}>{t('clearSelection')}</button>
			{changes && <ChangeDialog kind={kind} onClose={() => setChanges(false)} onWork={(w) => (setChanges(false), setWork(w))} />}
			{work && <BulkDialog kind={kind} work={work} read={read} onClose={(changed) => (setWork(null), changed && onClear())} onChanged={onChanged} />}
		</div>
	);
}
