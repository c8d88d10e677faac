/* Records that may be the same, and merging them. A dry run shows the result before the merge. */
import {useState} from 'preact/hooks';
import {type Page, call, get} from '../api';
import {Confirm} from '../parts/dialog';
import {Empty, Failed, Loading} from '../parts/table';
import {toast, toastError} from '../parts/toast';
import {hrefOf} from '../route';
import {T, t} from '../texts/text';
import {useLoad} from '../use';
import {type Field, type RecordData, type Ref, emptyValue, isMany, nameOf, sameValue, valueOf} from './fields';
import type {Kind} from './kinds';
import {ValueText} from './value';

interface Duplicate extends Ref {
	reasons: {field: string; value: string}[];
}

/* As in the server's merge, addresses are the same in any case, and phone numbers by their digits. */
function itemKey(field: Field, item: string | Ref): string {
	if (typeof item !== 'string') return item.id;
	return field.type === 'emails' ? item.toLowerCase() : field.type === 'phones' ? item.replace(/\D/g, '') : item;
}

/* Values of the merged record that the result lacks: lists are joined, but of two single values one is lost. */
function lostFields(gone: RecordData, result: RecordData, fields: Field[]): Field[] {
	return fields.filter((f) => {
		const [had, has] = [valueOf(gone, f), valueOf(result, f)];
		if (f.filterOnly || sameValue(had, emptyValue(f))) return false;
		if (!isMany(f)) return !sameValue(had, has);
		const kept = (has as (string | Ref)[]).map((item) => itemKey(f, item));
		return (had as (string | Ref)[]).some((item) => !kept.includes(itemKey(f, item)));
	});
}

function Values({title, record, fields}: {title: string; record: RecordData; fields: Field[]}) {
	return (
		<section class="versions">
			<h3>{title}</h3>
			<dl>
				{fields.map((f) => (
					<div key={f.key}>
						<dt>{f.label}</dt>
						<dd><ValueText field={f} value={valueOf(record, f)} /></dd>
					</div>
				))}
			</dl>
		</section>
	);
}

export function Duplicates({kind, record, fields, onMerged}: {
	kind: Kind;
	record: RecordData;
	fields: Field[];
	onMerged: () => void;
}) {
	const path = `${kind.path}/${record.id}`;
	const {data, error, again} = useLoad(async (signal) => (await get<Page<Duplicate>>(`${path}/duplicates`, signal)).data.items, [
		record.id,
		record.updatedAt,
	]);
	const [tried, setTried] = useState<{other: Duplicate; result: RecordData; gone: RecordData} | null>(null);

	const tryMerge = async (other: Duplicate) => {
		try {
			const [answer, gone] = await Promise.all([
				call<RecordData>('POST', `${path}/merge`, {body: {id: other.id}, dryRun: true}),
				get<RecordData>(`${kind.path}/${other.id}`),
			]);
			setTried({other, result: answer.data, gone: gone.data});
		} catch (e) {
			toastError(e, t('cannotMerge'));
		}
	};
	const merge = async (other: Duplicate) => {
		await call('POST', `${path}/merge`, {body: {id: other.id}});
		setTried(null);
		toast(t('mergedInto', {name: nameOf(other), thing: kind.one}));
		onMerged();
	};
	const lost = tried ? lostFields(tried.gone, tried.result, fields) : [];
	const changed = tried ? fields.filter((f) => !f.filterOnly && !sameValue(valueOf(record, f), valueOf(tried.result, f))) : [];

	if (error) return <Failed error={error} again={again} />;
	if (!data) return <Loading what={t('lookingForDuplicates')} />;
	return (
		<>
			{!data.length && <Empty><p>{t('noDuplicates', {thing: kind.one})}</p></Empty>}
			<ol class="entries">
				{data.map((d) => (
					<li key={d.id}>
						<p class="row between">
							<a class="strong" href={hrefOf([...kind.route, d.id])}><bdi>{nameOf(d)}</bdi></a>
							<button type="button" onClick={() => tryMerge(d)}>{t('mergeIntoThis')}</button>
						</p>
						<ul class="changes">
							{d.reasons.map((r, i) => <li key={i}><T text="sameField" field={r.field} value={<bdi>{r.value}</bdi>} /></li>)}
						</ul>
					</li>
				))}
			</ol>
			{tried && (
				<Confirm title={t('mergeTwo')} action={t('merge')} danger onConfirm={() => merge(tried.other)} onClose={() => setTried(null)}>
					<p>
						<T text="mergeMoves" name={<strong><bdi>{nameOf(tried.other)}</bdi></strong>} />
					</p>
					{lost.length > 0 && <Values title={t('willBeLost', {name: nameOf(tried.other)})} record={tried.gone} fields={lost} />}
					{changed.length > 0 && <Values title={t('whatChangesHere')} record={tried.result} fields={changed} />}
					{!lost.length && <p><T text="everythingKept" name={<bdi>{nameOf(tried.other)}</bdi>} /></p>}
					{!changed.length && <p>{t('nothingChangesHere')}</p>}
				</Confirm>
			)}
		</>
	);
}
