/* The control that changes a field's value. */
import {localText} from '../parts/text';
import {t} from '../texts/text';
import {type Field, type Ref, type Value, choiceText, isChoice, isList, isRefs} from './fields';
import {Picker} from './picker';

interface EditorProps {
	id: string;
	field: Field;
	value: Value;
	onChange: (value: Value) => void;
	/* The group whose objects an object field refers to. */
	group?: string;
	autoFocus?: boolean;
	'aria-describedby'?: string;
	'aria-invalid'?: boolean;
}

type Rest = Omit<EditorProps, 'field' | 'value' | 'onChange' | 'group'>;

/* One row for each item; the first one is the primary one. */
function ListEditor({field, value, onChange, ...rest}: Rest & {field: Field; value: string[]; onChange: (v: string[]) => void}) {
	const rows = value.length ? value : [''];
	const types: Record<string, string> = {emails: 'email', phones: 'tel', urls: 'url'};
	const put = (i: number, text: string) => onChange(rows.map((r, k) => (k === i ? text : r)));

	return (
		<div class="items">
			{rows.map((row, i) => {
				const props = {
					...(i === 0 ? rest : {autoFocus: row === '' && i > 0}),
					'aria-label': i === 0 ? undefined : `${field.label} ${i + 1}`,
					maxLength: field.max,
					value: row,
				};
				return (
					<div class="item" key={i}>
						{field.type === 'addresses' || row.includes('\n') ? (
							<textarea dir="auto" {...props} rows={2} onInput={(e) => put(i, e.currentTarget.value)} />
						) : (
							<input dir="auto" {...props} inputMode={(types[field.type] ?? 'text') as 'text'} onInput={(e) => put(i, e.currentTarget.value)} />
						)}
						<button
							type="button"
							class="plain"
							aria-label={t('removeItem', {name: field.label, n: i + 1})}
							onClick={() => onChange(rows.filter((_, k) => k !== i))}
						>
							×
						</button>
					</div>
				);
			})}
			<button type="button" class="plain add" onClick={() => onChange([...rows, ''])}>
				{t('addItem', {name: field.label.toLowerCase()})}
			</button>
		</div>
	);
}

function ChoiceEditor({choices, textOf, value, onChange, ...rest}: Rest & {
	choices: string[];
	textOf: (choice: string) => string;
	value: string;
	onChange: (v: string) => void;
}) {
	const all = choices.includes(value) ? choices : [...choices, value];
	return (
		<select {...rest} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
			{all.map((c) => (
				<option key={c} value={c} selected={c === value}>
					{textOf(c) || '–'}
				</option>
			))}
		</select>
	);
}

function OptionsEditor({id, field, value, onChange}: {id: string; field: Field; value: string[]; onChange: (v: string[]) => void}) {
	const labels = (field.options ?? []).map((o) => o.label);
	const put = (label: string, on: boolean) => onChange(on ? [...value, label] : value.filter((v) => v !== label));

	return (
		<div class="checks" role="group" id={id} aria-label={field.label}>
			{[...labels, ...value.filter((v) => !labels.includes(v))].map((label) => (
				<label key={label}>
					<input type="checkbox" checked={value.includes(label)} onChange={(e) => put(label, e.currentTarget.checked)} />
					<bdi>{label}</bdi>
				</label>
			))}
		</div>
	);
}

/* A moment on the reader's clock, to the minute; '' while it is incomplete. */
function MomentEditor({value, onChange, ...rest}: Rest & {value: string; onChange: (v: string) => void}) {
	const of = (text: string) => (text ? new Date(text).toISOString() : '');
	return <input {...rest} type="datetime-local" value={value && localText(Date.parse(value))} onInput={(e) => onChange(of(e.currentTarget.value))} />;
}

export function Editor({field, value, onChange, group, ...rest}: EditorProps) {
	const text = typeof value === 'string' ? value : '';
	const makes = field.makes;
	const ofClock = field.type === 'date' || field.type === 'time';

	if (field.type === 'options') return <OptionsEditor id={rest.id} field={field} value={value as string[]} onChange={onChange} />;
	if (isList(field)) return <ListEditor {...rest} field={field} value={value as string[]} onChange={onChange} />;
	if (isRefs(field)) {
		const of = field.custom?.group || group;
		const {'aria-invalid': _, ...props} = rest;
		return <Picker {...props} label={field.label} type={field.type} group={of} makes={makes} value={value as Ref[]} onChange={onChange} />;
	}
	if (isChoice(field)) {
		const choices = field.type === 'choice' ? field.choices! : ['', ...(field.options ?? []).map((o) => o.label)];
		return <ChoiceEditor {...rest} choices={choices} textOf={field.type === 'choice' ? choiceText : String} value={text} onChange={onChange} />;
	}
	if (field.type === 'moment') return <MomentEditor {...rest} value={text} onChange={onChange} />;
	if (field.type === 'long') {
		return (
			<textarea
				dir="auto"
				{...rest}
				rows={Math.min(12, Math.max(field.custom ? 1 : 3, text.split('\n').length))}
				maxLength={field.max}
				value={text}
				onInput={(e) => onChange(e.currentTarget.value)}
			/>
		);
	}
	return (
		<input
			dir={ofClock ? undefined : 'auto'}
			{...rest}
			type={ofClock ? field.type : 'text'}
			inputMode={field.type === 'number' ? 'decimal' : undefined}
			maxLength={field.max}
			value={text}
			onInput={(e) => onChange(e.currentTarget.value)}
		/>
	);
}
