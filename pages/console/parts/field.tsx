/* A labelled control with its explanation and its error message. */
import type {ComponentChildren} from 'preact';
import {useName} from '../use';

interface FieldProps {
	label: string;
	hint?: string;
	error?: string;
	/* Gets the attributes that connect the control with its label and messages. */
	children: (props: {id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean}) => ComponentChildren;
}

export function Field({label, hint, error, children}: FieldProps) {
	const id = useName('field');
	const describes = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');

	return (
		<div class={`field${error ? ' wrong' : ''}`}>
			<label for={id}>{label}</label>
			{children({id, 'aria-describedby': describes || undefined, 'aria-invalid': error ? true : undefined})}
			{hint && (
				<p class="hint" id={`${id}-hint`}>
					{hint}
				</p>
			)}
			{error && (
				<p class="error" id={`${id}-error`}>
					{error}
				</p>
			)}
		</div>
	);
}

interface TextFieldProps {
	label: string;
	value: string;
	onInput: (value: string) => void;
	hint?: string;
	error?: string;
	type?: string;
	required?: boolean;
	maxLength?: number;
	autoFocus?: boolean;
	autoComplete?: string;
}

export function TextField({label, hint, error, onInput, type = 'text', ...rest}: TextFieldProps) {
	return (
		<Field label={label} hint={hint} error={error}>
			{(props) => <input dir={type === 'text' ? 'auto' : undefined} {...props} {...rest} type={type} onInput={(e) => onInput(e.currentTarget.value)} />}
		</Field>
	);
}

interface SelectFieldProps {
	label: string;
	value: string;
	onChange: (value: string) => void;
	options: {value: string; label: string}[];
	hint?: string;
	error?: string;
}

export function SelectField({label, value, onChange, options, hint, error}: SelectFieldProps) {
	return (
		<Field label={label} hint={hint} error={error}>
			{(props) => (
				<select {...props} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
					{options.map((o) => (
						<option key={o.value} value={o.value} selected={o.value === value}>
							{o.label}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

/* Names have blanks; ids of elements do not. */
const idOf = (part: string, name: string) => `${part}-${encodeURIComponent(name)}`;

/* A switch between views of one thing, with the arrow keys. */
export function Tabs({label, tabs, active, onChange}: {
	label: string;
	tabs: {id: string; label: string}[];
	active: string;
	onChange: (id: string) => void;
}) {
	const move = (event: KeyboardEvent, by: number) => {
		event.preventDefault();
		const i = (tabs.findIndex(({id}) => id === active) + by + tabs.length) % tabs.length;
		onChange(tabs[i]!.id);
		document.getElementById(idOf('tab', tabs[i]!.id))?.focus();
	};

	return (
		<div class="tabs" role="tablist" aria-label={label}>
			{tabs.map((tab) => (
				<button
					type="button"
					role="tab"
					id={idOf('tab', tab.id)}
					key={tab.id}
					aria-selected={tab.id === active}
					aria-controls={tab.id === active ? idOf('panel', tab.id) : undefined}
					tabIndex={tab.id === active ? 0 : -1}
					onClick={() => onChange(tab.id)}
					onKeyDown={(e) => {
						if (e.key === 'ArrowRight') move(e, 1);
						if (e.key === 'ArrowLeft') move(e, -1);
					}}
				>
					{tab.label}
				</button>
			))}
		</div>
	);
}

export function TabPanel({id, children}: {id: string; children: ComponentChildren}) {
	return (
		<div role="tabpanel" id={idOf('panel', id)} aria-labelledby={idOf('tab', id)}>
			{children}
		</div>
	);
}
