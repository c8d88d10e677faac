/* Merging two records: a dry run shows what comes of it, and of two values that differ one is chosen. */
import {useRef, useState} from 'preact/hooks';
import {call, get} from '../api';
import {Confirm} from '../parts/dialog';
import {toast} from '../parts/toast';
import {T, t} from '../texts/text';
import {type Draft, type Field, type RecordData, type Ref, bodyOf, emptyValue, isMany, sameValue, valueOf} from './fields';
import {type Kind, titleOf} from './kinds';
import {FieldValues, ValueText} from './value';

/* What a dry run found. */
export interface Trial {
	kept: RecordData;
	etag: string | null;
	gone: RecordData;
	result: RecordData;
}

export async function tryMerge(kind: Kind, kept: string, gone: string, signal?: AbortSignal): Promise<Trial> {
	const [here, there, merged] = await Promise.all([
		get<RecordData>(`${kind.path}/${kept}`, signal),
		get<RecordData>(`${kind.path}/${gone}`, signal),
		call<RecordData>('POST', `${kind.path}/${kept}/merge`, {body: {id: gone}, dryRun: true, signal}),
	]);
	return {kept: here.data, etag: here.etag, gone: there.data, result: merged.data};
}

/* As in the server's merge, addresses are the same in any case, and phone numbers by their digits. */
export function itemKey(field: Pick<Field, 'type'>, item: string | Ref): string {
	if (typeof item !== 'string') return item.id;
	return field.type === 'emails' ? item.toLowerCase() : field.type === 'phones' ? item.replace(/\D/g, '') : item;
}

/* The full name follows from the others, so it is not compared. */
const isDerived = (field: Field, record: RecordData) =>
	field.name === 'fullName' && !field.custom && record.fullName === [record.firstName, record.lastName].filter(Boolean).join(' ');

/* Of two single values that differ only one can stay. */
function clashes({kept, gone}: Trial, fields: Field[]): Field[] {
	return fields.filter((f) => {
		const [here, there] = [valueOf(kept, f), valueOf(gone, f)];
		if (f.filterOnly || isMany(f) || (isDerived(f, kept) && isDerived(f, gone))) return false;
		return [here, there].every((v) => !sameValue(v, emptyValue(f)) && v !== f.unset) && !sameValue(here, there);
	});
}

/* Items of lists that the result lacks. The server joins lists, so there are none but in rare cases. */
function lostLists({gone, result}: Trial, fields: Field[]): Field[] {
	return fields.filter((f) => {
		if (f.filterOnly || !isMany(f)) return false;
		const kept = (valueOf(result, f) as (string | Ref)[]).map((item) => itemKey(f, item));
		return (valueOf(gone, f) as (string | Ref)[]).some((item) => !kept.includes(itemKey(f, item)));
	});
}

/* The names of both, told apart if they are equal. */
function namesOf(kind: Kind, {kept, gone}: Trial): {kept: string; gone: string} {
	const names = {kept: titleOf(kind, kept), gone: titleOf(kind, gone)};
	if (names.kept !== names.gone) return names;
	return {kept: t('nameStays', {name: names.kept}), gone: t('nameGoes', {name: names.gone})};
}

function Choice({field, kind, trial, theirs, onChoose}: {field: Field; kind: Kind; trial: Trial; theirs: boolean; onChoose: (theirs: boolean) => void}) {
	const names = namesOf(kind, trial);
	const versions = [{other: false, record: trial.kept, name: names.kept}, {other: true, record: trial.gone, name: names.gone}];
	return (
		<fieldset class="versions two">
			<legend>{field.label}</legend>
			{versions.map(({other, record, name}) => (
				<label key={record.id} class={theirs === other ? 'chosen' : ''}>
					<input type="radio" name={`merge-${field.key}`} checked={theirs === other} onChange={() => onChoose(other)} />
					<ValueText field={field} value={valueOf(record, field)} plain />
					<span class="quiet"><T text="ofRecord" name={<bdi>{name}</bdi>} /></span>
				</label>
			))}
		</fieldset>
	);
}

export function MergeDialog({kind, trial, fields, onMerged, onClose}: {
	kind: Kind;
	trial: Trial;
	fields: Field[];
	onMerged: () => void;
	onClose: () => void;
}) {
	const {kept, gone, result} = trial;
	const [chosen, setChosen] = useState<Field[]>([]); /* the fields whose other value is taken */
	const etag = useRef(trial.etag);
	const taken = useRef<Field[]>([]); /* of these the kept record has the other value already */
	const names = namesOf(kind, trial);
	const differing = clashes(trial, fields);
	const lost = [...differing.filter((f) => !chosen.includes(f)), ...lostLists(trial, fields)];
	const changed = fields.filter((f) => !f.filterOnly && !differing.includes(f) && !sameValue(valueOf(kept, f), valueOf(result, f)));

	/* The values are taken over first: if the merge is then refused, none is lost, and the next attempt goes on from there. Neither is
	 * done when somebody has changed the record. */
	const merge = async () => {
		const differs = [...new Set([...taken.current, ...chosen])];
		if (differs.length) {
			const draft: Draft = Object.fromEntries(differs.map((f) => [f.key, valueOf(chosen.includes(f) ? gone : kept, f)]));
			etag.current = (await call('PATCH', `${kind.path}/${kept.id}`, {body: bodyOf(differs, draft), ifMatch: etag.current})).etag;
			taken.current = chosen;
		}
		await call('POST', `${kind.path}/${kept.id}/merge`, {body: {id: gone.id}, ifMatch: etag.current});
		toast(t('mergedInto', {name: titleOf(kind, kept), thing: kind.one}));
		onMerged();
	};
	return (
		<Confirm title={t('mergeTwo')} action={t('merge')} danger onConfirm={merge} onClose={onClose}>
			<p><T text="mergeMoves" name={<strong><bdi>{names.kept}</bdi></strong>} /></p>
			{differing.length > 0 && <h3>{t('chooseWhatStays')}</h3>}
			{differing.map((f) => (
				<Choice
					key={f.key}
					field={f}
					kind={kind}
					trial={trial}
					theirs={chosen.includes(f)}
					onChoose={(theirs) => setChosen(theirs ? [...chosen, f] : chosen.filter((x) => x !== f))}
				/>
			))}
			<FieldValues title={t('willBeLost', {name: names.gone})} fields={lost} value={(f) => valueOf(gone, f)} />
			<FieldValues title={t('willBeLost', {name: names.kept})} fields={chosen} value={(f) => valueOf(kept, f)} />
			<FieldValues title={t('whatChangesHere')} fields={changed} value={(f) => valueOf(result, f)} />
			{!lost.length && !chosen.length && <p><T text="everythingKept" name={<bdi>{names.gone}</bdi>} /></p>}
			{!changed.length && !chosen.length && <p>{t('nothingChangesHere')}</p>}
		</Confirm>
	);
}
