/* The form of a report: what is counted, how it is drawn, grouped and measured, with which filters. The chart follows at once. */
import {useState} from 'preact/hooks';
import {ApiError, call, explain} from '../api';
import {SelectField, TextField} from '../parts/field';
import {toast, toastError} from '../parts/toast';
import type {Chart, SavedView} from '../records/asked';
import {AddCondition, Conditions} from '../records/filterbar';
import {type Condition, filterBody, filterName, readFilter} from '../records/filters';
import {readViews} from '../records/views';
import {go} from '../route';
import {t} from '../texts/text';
import {type Bucket, type Report, buckets, opNames, splitGrouping, splitMeasure} from './figures';
import {ReportChart} from './reportcard';
import {type Source, listOf, sourceOfView, timeZone} from './sources';

const forms = [
	{value: 'bar', label: t('formBar')},
	{value: 'line', label: t('formLine')},
	{value: 'table', label: t('formTable')},
	{value: 'number', label: t('formNumber')},
];
const bucketNames: Record<Bucket, string> = {day: t('bucketDay'), week: t('bucketWeek'), month: t('bucketMonth'), quarter: t('bucketQuarter'), year: t('bucketYear')};

interface Draft {
	name: string;
	source: string;
	form: Chart['form'];
	by: string;
	bucket: Bucket;
	op: string; /* '': the number of records */
	measured: string;
	conditions: Condition[];
	any: boolean;
	/* A filter that another program saved, if it has another form than conditions. */
	own: unknown;
	forAll: boolean;
}

function draftOf(sources: Source[], report: Report | null, source: Source, view: SavedView | null): Draft {
	const {name = '', bucket} = splitGrouping(listOf(report?.chart.groupBy)[0] ?? '');
	const measure = listOf(report?.chart.measures)[0];
	const {op, name: measured} = measure ? splitMeasure(measure) : {op: '', name: ''};
	const filter = report?.query.filter;
	const read = filter && source.kind ? readFilter(filter) : null;
	return {
		name: report?.name ?? '',
		source: source.id || sources[0]!.id,
		form: report?.chart.form ?? 'bar',
		by: report ? name : (source.groupBy[0]?.name ?? ''),
		bucket: bucket || 'month',
		op,
		measured,
		conditions: read?.conditions ?? [],
		any: read?.any ?? false,
		own: filter && !read ? filter : undefined,
		forAll: view?.visibility === 'public',
	};
}

function reportOf(source: Source, draft: Draft): Report {
	const choice = source.groupBy.find((c) => c.name === draft.by);
	const grouping = choice?.dated ? `${draft.by}:${draft.bucket}` : draft.by;
	const own = filterBody(draft.conditions, draft.any);
	const parts = [...(own?.and ?? []), ...(draft.own ? [draft.own] : [])];
	return {
		name: draft.name.trim() || t('newReport'),
		query: {filter: parts.length ? {and: parts} : undefined},
		chart: {
			form: draft.form,
			groupBy: draft.by && draft.form !== 'number' ? [grouping] : [],
			measures: draft.op && draft.measured ? [`${draft.op}:${draft.measured}`] : [],
			timeZone: timeZone(),
		},
	};
}

function Filters({source, draft, put}: {source: Source; draft: Draft; put: (change: Partial<Draft>) => void}) {
	const [adding, setAdding] = useState(false);
	if (!source.kind) return null;
	return (
		<div>
			{draft.own !== undefined && (
				<p class="conditions">
					{t('ownFilter')} <button type="button" class="plain" onClick={() => put({own: undefined})}>{t('clearFilters')}</button>
				</p>
			)}
			<Conditions
				conditions={draft.conditions}
				fields={[...source.kind.fields, ...source.custom]}
				any={draft.any}
				onChange={(conditions) => put({conditions})}
				onAny={(any) => put({any})}
			/>
			<button type="button" onClick={() => setAdding(true)}>{t('addFilter')}</button>
			{adding && <AddCondition kind={source.kind} onClose={() => setAdding(false)} onAdd={(c) => (setAdding(false), put({conditions: [...draft.conditions, c]}))} />}
		</div>
	);
}

function Measure({source, draft, put}: {source: Source; draft: Draft; put: (change: Partial<Draft>) => void}) {
	const names = source.measured.map((f) => ({value: filterName(f), label: f.label}));
	const choices = names.flatMap(({value, label}) => Object.entries(opNames).map(([op, opName]) => ({value: `${op}:${value}`, label: `${opName}: ${label}`})));
	const chosen = draft.op ? `${draft.op}:${draft.measured}` : '';
	return (
		<SelectField
			label={t('measure')}
			value={chosen}
			onChange={(v) => {
				const {op, name} = splitMeasure(v);
				put(v ? {op, measured: name} : {op: '', measured: ''});
			}}
			options={[{value: '', label: t('count')}, ...choices]}
		/>
	);
}

/* report: where the form begins; view: the saved one that it changes. */
export function ReportForm({sources, report, source: first, view}: {sources: Source[]; report: Report | null; source: Source; view: SavedView | null}) {
	const [draft, setDraft] = useState(() => draftOf(sources, report, first, view));
	const [error, setError] = useState('');
	const [busy, setBusy] = useState(false);
	const source = sources.find((s) => s.id === draft.source) ?? first;
	const put = (change: Partial<Draft>) => setDraft((d) => ({...d, ...change}));
	const dated = source.groupBy.find((c) => c.name === draft.by)?.dated;
	const made = reportOf(source, draft);

	const save = async () => {
		const body = {name: draft.name.trim(), visibility: draft.forAll ? 'public' : 'private', query: made.query, chart: made.chart};
		setBusy(true);
		setError('');
		try {
			const {data} = view
				? await call<SavedView>('PATCH', `/v1/views/${view.id}`, {body})
				: await call<SavedView>('POST', '/v1/views', {body: {...body, ...source.place}});
			await readViews();
			toast(t('reportSaved', {name: data.name}));
			go(['reports', data.id]);
		} catch (e) {
			setBusy(false);
			if (e instanceof ApiError && e.issues.some((i) => i.path[0] === 'name')) setError(explain(e));
			else toastError(e, t('notSaved'));
		}
	};
	return (
		<>
			<form
				class="reportform"
				onSubmit={(event) => {
					event.preventDefault();
					if (!busy) void save();
				}}
			>
				<TextField label={t('name')} value={draft.name} onInput={(name) => put({name})} error={error} maxLength={255} required />
				{!view && (
					<SelectField
						label={t('whatCounts')}
						value={source.id}
						onChange={(id) => setDraft((d) => ({...draftOf(sources, null, sources.find((s) => s.id === id)!, null), name: d.name, form: d.form, forAll: d.forAll}))}
						options={sources.map((s) => ({value: s.id, label: s.title}))}
					/>
				)}
				<SelectField label={t('form')} value={draft.form} onChange={(form) => put({form: form as Draft['form']})} options={forms} />
				{draft.form !== 'number' && (
					<SelectField label={t('groupedBy')} value={draft.by} onChange={(by) => put({by})} options={source.groupBy.map((c) => ({value: c.name, label: c.label}))} />
				)}
				{draft.form !== 'number' && dated && (
					<SelectField
						label={t('eachBucket')}
						value={draft.bucket}
						onChange={(bucket) => put({bucket: bucket as Bucket})}
						options={buckets.map((value) => ({value, label: bucketNames[value]}))}
					/>
				)}
				<Measure source={source} draft={draft} put={put} />
				<Filters source={source} draft={draft} put={put} />
				<label class="check">
					<input type="checkbox" checked={draft.forAll} onChange={(e) => put({forAll: e.currentTarget.checked})} /> {t('forEverybody')}
				</label>
				<div class="row">
					<button class="primary" disabled={busy || !draft.name.trim()}>{busy ? t('saving') : t('save')}</button>
				</div>
			</form>
			<section class="card" aria-label={t('preview')}><ReportChart source={source} report={made} /></section>
		</>
	);
}

export const canEdit = (sources: Source[], view: SavedView) => sourceOfView(sources, view) !== undefined && listOf(view.chart?.groupBy).length < 2 && listOf(view.chart?.measures).length < 2;
