/* Records that may be the same as one. */
import {useState} from 'preact/hooks';
import {type Page, get} from '../api';
import {Empty, Failed, Loading} from '../parts/table';
import {toastError} from '../parts/toast';
import {hrefOf} from '../route';
import {T, t} from '../texts/text';
import {useLoad} from '../use';
import {type Field, type RecordData, type Ref, nameOf} from './fields';
import type {Kind} from './kinds';
import {MergeDialog, type Trial, tryMerge} from './merge';

interface Duplicate extends Ref {
	reasons: {field: string; value: string}[];
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
	const [tried, setTried] = useState<Trial | null>(null);

	const labelOf = (name: string) => fields.find((f) => f.name === name)?.label ?? name;
	const ask = (other: Duplicate) => tryMerge(kind, record.id, other.id).then(setTried, (e) => toastError(e, t('cannotMerge')));
	const merged = () => {
		setTried(null);
		onMerged();
	};

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
							<button type="button" onClick={() => ask(d)}>{t('mergeIntoThis')}</button>
						</p>
						<ul class="changes">
							{d.reasons.map((r, i) => <li key={i}><T text="sameField" field={labelOf(r.field)} value={<bdi>{r.value}</bdi>} /></li>)}
						</ul>
					</li>
				))}
			</ol>
			{tried && <MergeDialog kind={kind} trial={tried} fields={fields} onMerged={merged} onClose={() => setTried(null)} />}
		</>
	);
}
