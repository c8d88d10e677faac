/* Duplicates in the whole workspace. The API looks for those of one record, so all records are read and compared here. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {type Page, call, get, nextOf} from '../api';
import {SelectField} from '../parts/field';
import {Empty} from '../parts/table';
import {toastError} from '../parts/toast';
import {type Route, go, hrefOf} from '../route';
import {T, t} from '../texts/text';
import {useTitle} from '../use';
import {type Alike, Comparison} from './alike';
import type {Field, RecordData} from './fields';
import {type Kind, companies, loadFields, people} from './kinds';
import {MergeDialog, type Trial, tryMerge} from './merge';

const SHOWN = 50; /* groups that are shown, and added by each click */
const AT_ONCE = 1000; /* this many records are compared without a click */

interface Search {
	n: number;
	/* null until all is read. */
	groups: Alike[][] | null;
	stopped: boolean;
}

async function compareAll(kind: Kind, signal: AbortSignal, onRead: (n: number) => void): Promise<Comparison> {
	const comparison = new Comparison(kind);
	let cursor: string | null = null;

	do {
		const at: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
		const page: Page<RecordData> = await get<Page<RecordData>>(`${kind.path}?limit=100${at}`, signal).then(
			({data}) => data,
			(error) => {
				if (!signal.aborted) throw error;
				return {items: [], pagination: {}};
			},
		);
		page.items.forEach((record) => comparison.add(record));
		onRead(comparison.count);
		cursor = nextOf(page);
	} while (cursor && !signal.aborted);
	return comparison;
}

async function isSmall(kind: Kind, signal: AbortSignal): Promise<boolean> {
	const {count = Infinity} = (await call<Page<RecordData>>('POST', `${kind.path}/search`, {body: {limit: 1, count: 'estimated'}, signal})).data.pagination;
	return count <= AT_ONCE;
}

interface Merging {
	trial: Trial;
	fields: Field[];
}

async function prepare(kind: Kind, kept: string, gone: string): Promise<Merging> {
	const trial = await tryMerge(kind, kept, gone);
	const custom = await Promise.all((trial.kept.groups ?? []).map((g) => loadFields(g.id, kind.entity)));
	return {trial, fields: [...kind.fields, ...custom.flat()]};
}

function Group({kind, group, onMerge}: {kind: Kind; group: Alike[]; onMerge: (kept: Alike, gone: Alike) => void}) {
	const [kept, ...others] = group;
	const nameOf = ({name}: Alike) => name || t('unnamedThing', {thing: kind.one});
	const labelOf = (name: string) => kind.fields.find((f) => f.name === name)?.label ?? name;
	const row = (one: Alike, merge: boolean) => (
		<li key={one.id}>
			<p class="row between">
				<span>
					<a class="strong" href={hrefOf([...kind.route, one.id])}><bdi>{nameOf(one)}</bdi></a>
					{one.about && <small class="quiet"> <bdi>{one.about}</bdi></small>}
				</span>
				{merge && (
					<button type="button" onClick={() => onMerge(kept!, one)}>
						<T text="mergeInto" name={<bdi>{nameOf(kept!)}</bdi>} />
					</button>
				)}
			</p>
			<ul class="changes">
				{[...one.reasons.values()].map(({key, field, value}) => <li key={key}><T text="sameField" field={labelOf(field)} value={<bdi>{value}</bdi>} /></li>)}
			</ul>
		</li>
	);
	return <li class="card"><ul class="entries lined">{row(kept!, false)}{others.map((one) => row(one, true))}</ul></li>;
}

function DuplicateSearch({kind}: {kind: Kind}) {
	const [search, setSearch] = useState<Search | null>(null);
	const [most, setMost] = useState(SHOWN);
	const [merging, setMerging] = useState<Merging | null>(null);
	const stop = useRef<AbortController | null>(null);

	const start = async () => {
		const control = (stop.current = new AbortController());
		setSearch({n: 0, groups: null, stopped: false});
		try {
			const found = await compareAll(kind, control.signal, (n) => setSearch({n, groups: null, stopped: false}));
			setSearch({n: found.count, groups: found.groups(), stopped: control.signal.aborted});
		} catch (error) {
			setSearch(null);
			toastError(error);
		}
	};
	useEffect(() => {
		const control = (stop.current = new AbortController());
		/* Nobody asked for it, so a failure is not told. */
		isSmall(kind, control.signal).then((small) => small && !control.signal.aborted && stop.current === control && void start(), () => {});
		return () => stop.current?.abort();
	}, []);
	const ask = (kept: Alike, gone: Alike) => prepare(kind, kept.id, gone.id).then(setMerging, (e) => toastError(e, t('cannotMerge')));
	const merged = () => {
		const gone = merging!.trial.gone.id;
		const groups = search!.groups!.map((group) => group.filter(({id}) => id !== gone)).filter((group) => group.length > 1);
		setSearch({...search!, groups});
		setMerging(null);
	};
	const {n, groups, stopped} = search ?? {n: 0, groups: null, stopped: false};

	return (
		<>
			<p class="row">
				{search && !groups ? (
					<button type="button" onClick={() => stop.current?.abort()}>{t('stop')}</button>
				) : (
					<button type="button" class="primary" onClick={start}>{t('findDuplicates')}</button>
				)}
				<span class="quiet" role="status">
					{search && t('nRead', {n})}
					{stopped && ` · ${t('stopped')}`}
					{groups && groups.length > 0 && ` · ${t('nDuplicates', {n: groups.length})}. ${t('oldestKept')}`}
				</span>
			</p>
			{groups && !groups.length && <Empty><p>{t('noDuplicatesAll', {things: kind.many})}</p></Empty>}
			<ol class="stack groups">{groups?.slice(0, most).map((group) => <Group key={group[0]!.id} kind={kind} group={group} onMerge={ask} />)}</ol>
			{groups && groups.length > most && <p><button type="button" onClick={() => setMost(most + SHOWN)}>{t('more')}</button></p>}
			{merging && <MergeDialog kind={kind} {...merging} onMerged={merged} onClose={() => setMerging(null)} />}
		</>
	);
}

export function DuplicatePages({route}: {route: Route}) {
	const kind = route.query.get('of') === companies.name ? companies : people;

	useTitle(t('duplicates'));
	return (
		<div class="narrow">
			<div class="head"><h1 tabIndex={-1}>{t('duplicates')}</h1></div>
			<div class="toolbar">
				<SelectField
					label={t('kind')}
					value={kind.name}
					onChange={(of) => go(['duplicates'], of === people.name ? undefined : {of}, true)}
					options={[people, companies].map(({name, title}) => ({value: name, label: title}))}
				/>
			</div>
			<p class="quiet">{t('duplicatesOf', {things: kind.many})}</p>
			<DuplicateSearch key={kind.name} kind={kind} />
		</div>
	);
}
