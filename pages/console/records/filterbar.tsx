/* The conditions of a list, each with a button that removes it, and a form to add one. */
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {Field as Labelled, SelectField} from '../parts/field';
import {Failed, Loading} from '../parts/table';
import {dayText} from '../parts/text';
import {t} from '../texts/text';
import {useLoad, useRested} from '../use';
import {type Field, type Ref, choiceText, isRefs, nameOf} from './fields';
import {type Condition, filterName, isValueless, opLabel, opsOf} from './filters';
import {type Kind, loadFields, loadGroups} from './kinds';
import {Picker} from './picker';

function describe(condition: Condition, fields: Field[]): string {
	const field = fields.find((f) => filterName(f) === condition.field);
	const name = field?.label ?? condition.field.replace(/^customFieldValues\.(grp_[0-9a-f-]{36}\.)?/, '');
	const textOf = (value: string) => (field?.type === 'choice' ? choiceText(value) : field?.type === 'date' || field?.type === 'day' ? dayText(value) : value);
	const values = condition.values.map((v) => (typeof v === 'string' ? textOf(v) : nameOf(v))).join(', ');
	return `${name} ${opLabel(condition.op, field)} ${values}`.trim();
}

export function Conditions({conditions, fields, any, onChange, onAny}: {
	conditions: Condition[];
	fields: Field[];
	any: boolean;
	onChange: (conditions: Condition[]) => void;
	onAny: (any: boolean) => void;
}) {
	if (!conditions.length) return null;
	return (
		<div class="conditions">
			<ul class="chips" aria-label={t('filters')}>
				{conditions.map((c, i) => (
					<li key={i}>
						<bdi>{describe(c, fields)}</bdi>
						<button
							type="button"
							class="plain"
							aria-label={t('removeFilter', {filter: describe(c, fields)})}
							onClick={() => onChange(conditions.filter((_, k) => k !== i))}
						>
							×
						</button>
					</li>
				))}
			</ul>
			{conditions.length > 1 && (
				<select aria-label={t('howCombine')} value={any ? 'or' : 'and'} onChange={(e) => onAny(e.currentTarget.value === 'or')}>
					<option value="and" selected={!any}>{t('allOfThese')}</option>
					<option value="or" selected={any}>{t('anyOfThese')}</option>
				</select>
			)}
			<button type="button" class="plain" onClick={() => onChange([])}>
				{t('clearFilters')}
			</button>
		</div>
	);
}

/* The value of a condition: by the field's type and the operator. */
function Operand({field, op, group, values, onChange}: {
	field: Field;
	op: string;
	group?: string;
	values: (string | Ref)[];
	onChange: (values: (string | Ref)[]) => void;
}) {
	const text = typeof values[0] === 'string' ? values[0] : '';
	const choices = field.type === 'choice' ? field.choices : field.options?.map((o) => o.label);

	if (isValueless(op)) return null;
	if (isRefs(field) || field.type === 'user') {
		const of = field.custom?.group || group;
		return (
			<Labelled label={t('value')}>
				{(props) => <Picker {...props} label={t('value')} type={field.type} group={of} value={values as Ref[]} onChange={onChange} />}
			</Labelled>
		);
	}
	if (choices) {
		const options = [{value: '', label: t('choose')}, ...choices.filter(Boolean).map((c) => ({value: c, label: field.type === 'choice' ? choiceText(c) : c}))];
		return <SelectField label={t('value')} value={text} onChange={(v) => onChange(v ? [v] : [])} options={options} />;
	}
	const type = field.type === 'date' || field.type === 'day' ? 'date' : 'text';
	return (
		<Labelled label={t('value')}>
			{(props) => <input {...props} type={type} value={text} onInput={(e) => onChange(e.currentTarget.value ? [e.currentTarget.value] : [])} />}
		</Labelled>
	);
}

/* Asks for a condition: first for its field, by one click. ready: null until the condition is complete. */
function useConditionForm(kind: Kind): {ready: Condition | null; form: ComponentChildren} {
	const [source, setSource] = useState('');
	const [key, setKey] = useState('');
	const [op, setOp] = useState('');
	const [values, setValues] = useState<(string | Ref)[]>([]);
	const operand = useRef<HTMLDivElement>(null);
	const groups = useLoad(() => (kind.group ? Promise.resolve([]) : loadGroups()), [kind.group]);
	const custom = useLoad(
		() => (kind.group || source ? loadFields(kind.group ?? source, kind.entity) : Promise.resolve([])),
		[kind.group, source, kind.entity],
	);
	/* Of objects, what their type adds comes first: stage, owner, amount and close date are what deals are looked for by. */
	const fields = (source ? (custom.data ?? []) : [...(kind.group ? (custom.data ?? []) : []), ...kind.fields]).filter((f) => source || (!f.unfiltered && f.name !== 'description'));
	const field = fields.find((f) => f.key === key);
	const ops = field ? opsOf(field) : [];
	const chosenOp = ops.includes(op) ? op : ops[0];
	const isReady = field && chosenOp && (isValueless(chosenOp) || values.length > 0);

	useEffect(() => operand.current?.querySelector<HTMLElement>('input, select')?.focus(), [key]);
	const form = (
		<>
			{!!groups.data?.length && (
				<SelectField
					label={t('fieldsOf')}
					value={source}
					onChange={(v) => (setSource(v), setKey(''), setValues([]))}
					options={[{value: '', label: t('everyThing', {thing: kind.one})}, ...groups.data.map((g) => ({value: g.id, label: t('groupName', {name: g.name})}))]}
				/>
			)}
			{custom.error != null && <Failed error={custom.error} again={custom.again} />}
			{custom.loading && <Loading what={t('loadingFields')} />}
			{!field && fields.length > 0 && (
				<div class="row" role="group" aria-label={t('field')}>
					{fields.map((f) => <button type="button" key={f.key} onClick={() => setKey(f.key)}>{f.label}</button>)}
				</div>
			)}
			{!fields.length && !custom.loading && <p class="quiet">{t('noOwnFields', {things: kind.many})}</p>}
			{field && (
				<>
					<SelectField label={t('field')} value={field.key} onChange={(v) => (setKey(v), setValues([]))} options={fields.map((f) => ({value: f.key, label: f.label}))} />
					<SelectField label={t('condition')} value={chosenOp!} onChange={setOp} options={ops.map((o) => ({value: o, label: opLabel(o, field)}))} />
					<div ref={operand}><Operand field={field} op={chosenOp!} group={kind.group} values={values} onChange={setValues} /></div>
				</>
			)}
		</>
	);
	return {ready: isReady ? {field: filterName(field), op: chosenOp, values: isValueless(chosenOp) ? [] : values} : null, form};
}

export function AddCondition({kind, onAdd, onClose}: {kind: Kind; onAdd: (condition: Condition) => void; onClose: () => void}) {
	const {ready, form} = useConditionForm(kind);
	return (
		<Dialog title={t('addAFilter')} onClose={onClose}>
			<form onSubmit={(event) => (event.preventDefault(), ready && onAdd(ready))}>
				<div class="body">{form}</div>
				<footer>
					<button type="button" onClick={onClose}>{t('cancel')}</button>
					<button class="primary" disabled={!ready}>{t('addFilter')}</button>
				</footer>
			</form>
		</Dialog>
	);
}

/* Adds a condition to a list that follows while it is typed. onChange, again: the condition replaces what it was before. */
export function FilterPanel({kind, conditions, onChange, onClose}: {
	kind: Kind;
	conditions: Condition[];
	onChange: (conditions: Condition[], again: boolean) => void;
	onClose: () => void;
}) {
	const {ready, form} = useConditionForm(kind);
	const text = ready ? JSON.stringify(ready) : '';
	const rested = useRested(text, 300);
	const put = useRef('');
	const panel = useRef<HTMLFormElement>(null);
	const apply = (to: string) => {
		if (to === put.current) return;
		const others = conditions.filter((c) => JSON.stringify(c) !== put.current);
		onChange(to ? [...others, JSON.parse(to) as Condition] : others, put.current !== '');
		put.current = to;
	};

	useEffect(() => apply(rested), [rested]);
	useEffect(() => panel.current!.querySelector<HTMLElement>('button, select')?.focus(), []);
	return (
		<form
			ref={panel}
			class="card filterpanel"
			aria-label={t('addAFilter')}
			onSubmit={(event) => {
				event.preventDefault();
				apply(text);
				onClose();
			}}
			onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && onClose()}
		>
			{form}
			<p class="row">
				<button class="primary">{t('done')}</button>
			</p>
		</form>
	);
}
