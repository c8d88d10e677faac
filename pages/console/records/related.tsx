/* The records that refer to a contact, beside it: the people of a company, and the deals of either with their sums. */
import type {ComponentChildren} from 'preact';
import {useEffect, useRef} from 'preact/hooks';
import {type Page, call} from '../api';
import {Failed, Loading} from '../parts/table';
import {hrefOf} from '../route';
import {numberOf, t} from '../texts/text';
import {useLoad, useName} from '../use';
import {type Field, type RecordData, type Ref, valueOf} from './fields';
import {type Condition, filterBody, filterName, writeConditions} from './filters';
import {type Kind, loadFields, loadGroups, loadTypes, objects, people, titleOf} from './kinds';
import {type Totals, amountOf, loadTotals} from './totals';
import {ValueText} from './value';

const SHOWN = 5;
const TYPES_MAX = 12; /* object types that are looked through */
const SUMS_MAX = 3;

interface Found {
	kind: Kind;
	title: string;
	records: RecordData[];
	totals: Totals;
	/* Of each record: its stage, and the fields that are added up. */
	stage?: Field;
	sums: Field[];
	/* The address of all of them. */
	href: string;
}

/* Amounts of money are added up; without any, other numbers but percentages. */
function sumsOf(fields: Field[]): Field[] {
	const numbers = fields.filter((f) => f.type === 'number' && !f.percent);
	const money = numbers.filter((f) => f.currency);
	return (money.length ? money : numbers).slice(0, SUMS_MAX);
}

async function findThose(kind: Kind, title: string, condition: Condition, fields: Field[], signal: AbortSignal): Promise<Found> {
	const filter = filterBody([condition], false);
	const stage = fields.find((f) => f.type === 'option');
	const sums = sumsOf(fields);
	const asked = {filter, groupBy: stage ? [filterName(stage)] : [], measures: sums.map((f) => `sum:${filterName(f)}`)};
	const [list, totals] = await Promise.all([
		call<Page<RecordData>>('POST', `${kind.path}/search`, {body: {filter, sort: '-updatedAt', limit: SHOWN}, signal}),
		loadTotals(kind.path, asked, signal),
	]);
	const query = new URLSearchParams(writeConditions([condition]).map((f) => ['f', f]));
	return {kind, title, records: list.data.items, totals, stage, sums, href: hrefOf(kind.route, query)};
}

/* The objects of every type in the groups of the contact, as an object's contacts are members of its group. */
async function findDeals(member: 'people' | 'companies', ref: Ref, groups: Ref[], signal: AbortSignal): Promise<Found[]> {
	const ids = new Set(groups.map((g) => g.id));
	const mine = (await loadGroups()).filter((g) => ids.has(g.id));
	const types = (await Promise.all(mine.map(async (g) => (await loadTypes(g.id)).map((type) => ({group: g, name: type.name}))))).flat();
	return Promise.all(
		types.slice(0, TYPES_MAX).map(async ({group, name}) => {
			const title = types.filter((type) => type.name === name).length > 1 ? t('typeOfGroup', {type: name, group: group.name}) : name;
			const fields = await loadFields(group.id, name);
			return findThose(objects(group.id, name), title, {field: member, op: 'in', values: [ref]}, fields, signal);
		}),
	);
}

async function findRelated(kind: Kind, record: RecordData, signal: AbortSignal): Promise<Found[]> {
	const ref = {id: record.id, name: titleOf(kind, record)};
	const deals = findDeals(kind.name === 'people' ? 'people' : 'companies', ref, record.groups ?? [], signal);
	if (kind.name === 'people') return deals;
	return [await findThose(people, t('people'), {field: 'companies', op: 'in', values: [ref]}, [], signal), ...(await deals)];
}

/* How many there are in each stage, and their sums. */
function Stages({found}: {found: Found}) {
	const {stage, sums, totals} = found;
	if (!stage) return null;
	return (
		<ul class="row stages" aria-label={stage.label}>
			{totals.items.map((item, i) => (
				<li key={i}>
					<span class="badge">
						<bdi>{item.other ? t('others') : (item.group[0]?.label ?? '–')}</bdi> {numberOf(item.count)}
					</span>{' '}
					{sums.map((f) => <span class="figure" key={f.key}>{amountOf(item, f)} </span>)}
				</li>
			))}
		</ul>
	);
}

function RelatedCard({found}: {found: Found}) {
	const {kind, title, records, totals, stage, sums, href} = found;
	const id = useName('related');
	const {count} = totals.total;

	return (
		<section class="card related" aria-labelledby={id}>
			<div class="row between">
				<h2 id={id}><bdi>{title}</bdi> <span class="quiet figure">{numberOf(count)}</span></h2>
				{count > 0 && (
					<p class="strong">
						{sums.map((f) => (
							<span class="figure" key={f.key} title={f.label}>{sums.length > 1 && `${f.label} `}{amountOf(totals.total, f)} </span>
						))}
					</p>
				)}
			</div>
			{count > 0 && <Stages found={found} />}
			<ul class="entries">
				{records.map((record) => (
					<li key={record.id} class="row between">
						<a href={hrefOf([...kind.route, record.id])}><bdi>{titleOf(kind, record)}</bdi></a>
						<span class="row">
							{kind.name === 'people' && <span class="quiet"><bdi>{String(record.jobTitle ?? '')}</bdi></span>}
							{stage && <ValueText field={stage} value={valueOf(record, stage)} short />}
							{sums.slice(0, 1).map((f) => <ValueText key={f.key} field={f} value={valueOf(record, f)} short />)}
						</span>
					</li>
				))}
			</ul>
			{!records.length && <p class="quiet">{t('noThings', {things: kind.many})}</p>}
			{count > records.length && <p><a href={href}>{t('allN', {n: count})}</a></p>}
		</section>
	);
}

/* What stands below, the children, comes with the records, so that nothing moves when they arrive. */
export function Related({kind, record, children}: {kind: Kind; record: RecordData; children: ComponentChildren}) {
	const {data, error, again} = useLoad(
		(signal) => (kind.name === 'objects' ? Promise.resolve([]) : findRelated(kind, record, signal)),
		[record.id],
	);
	const seen = useRef(record.updatedAt);

	/* After a change the records stay until they were read again. */
	useEffect(() => {
		if (seen.current !== record.updatedAt) again();
		seen.current = record.updatedAt;
	}, [record.updatedAt]);
	if (!data && !error) return <Loading />;
	return (
		<>
			{error ? <Failed error={error} again={again} /> : (
				/* A company's people are named even if there are none, a type without any is not. */
				data!.filter((found) => found.kind === people || found.records.length).map((found) => <RelatedCard key={found.kind.path} found={found} />)
			)}
			{children}
		</>
	);
}
