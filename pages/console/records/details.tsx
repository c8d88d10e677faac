/* The values of a record. Each can be edited in its place. */
import {useLayoutEffect, useRef} from 'preact/hooks';
import {t} from '../texts/text';
import {useName} from '../use';
import {Editor} from './editor';
import {type Draft, type Field, type RecordData, type Value, valueOf} from './fields';
import {ValueText} from './value';

interface RowProps {
	field: Field;
	value: Value;
	/* undefined: the field is not being edited. */
	draft: Value | undefined;
	error?: string;
	group?: string;
	put: (field: Field, value: Value | undefined) => void;
	/* Absent in a form, whose fields are always open. */
	onSave?: () => void;
}

function Row({field, value, draft, error, group, put, onSave}: RowProps) {
	const id = useName('value');
	const row = useRef<HTMLDivElement>(null);
	const open = draft !== undefined;
	const was = useRef(open);
	const clicked = useRef(false);

	/* The focus follows the field into its editor and back. */
	useLayoutEffect(() => {
		if (was.current === open || !onSave) return;
		was.current = open;
		const inside = row.current!.contains(document.activeElement) || document.activeElement === document.body;
		if (inside || clicked.current) row.current!.querySelector<HTMLElement>('input, select, textarea, button.edit')?.focus();
		clicked.current = false;
	}, [open]);

	/* A click on a link follows it, and a text can be selected. The button is for the keyboard. */
	const onClick = ({target}: MouseEvent) => {
		if ((target as HTMLElement).closest('a') || getSelection()?.toString()) return;
		clicked.current = true;
		put(field, value);
	};

	const onKeyDown = (event: KeyboardEvent) => {
		const target = event.target as HTMLElement;
		if (event.key === 'Escape' && onSave) put(field, undefined);
		if (event.key === 'Enter' && (target.tagName === 'INPUT' || event.ctrlKey) && onSave) {
			event.preventDefault();
			onSave();
		}
	};
	return (
		<div class={`value${open ? ' open' : ''}${error ? ' wrong' : ''}`} ref={row} onKeyDown={open ? onKeyDown : undefined}>
			<dt>{open ? <label for={id}>{field.label}</label> : field.label}</dt>
			<dd>
				{open ? (
					<div class="grow">
						<Editor
							id={id}
							field={field}
							value={draft}
							group={group}
							onChange={(v) => put(field, v)}
							aria-describedby={error ? `${id}-error` : field.hint ? `${id}-hint` : undefined}
							aria-invalid={error ? true : undefined}
						/>
						{field.hint && <p class="hint" id={`${id}-hint`}>{field.hint}</p>}
						{error && <p class="error" id={`${id}-error`} role="alert">{error}</p>}
					</div>
				) : (
					<div class="grow shown" onClick={onSave && onClick}><ValueText field={field} value={value} /></div>
				)}
				{onSave && (
					<button
						type="button"
						class="plain edit"
						data-key={open ? undefined : 'e'}
						aria-label={open ? t('leaveAsItWas', {name: field.label}) : t('editName', {name: field.label})}
						onClick={() => {
							clicked.current = true;
							put(field, open ? undefined : value);
						}}
					>
						{open ? '×' : '✎'}
					</button>
				)}
			</dd>
		</div>
	);
}

interface DetailsProps {
	title: string;
	fields: Field[];
	/* null: a new one. */
	record: RecordData | null;
	draft: Draft;
	errors: Record<string, string>;
	group?: string;
	put: (field: Field, value: Value | undefined) => void;
	onSave?: () => void;
}

export function Details({title, fields, record, draft, errors, group, put, onSave}: DetailsProps) {
	const name = useName('details');
	return (
		<section class="card" aria-labelledby={name}>
			<h2 id={name}>{title}</h2>
			<dl class="values">
				{fields.map((f) => {
					const value = valueOf(record, f);
					return (
						<Row
							key={f.key}
							field={f}
							value={value}
							draft={onSave ? draft[f.key] : (draft[f.key] ?? value)}
							error={errors[f.key]}
							group={group}
							put={put}
							onSave={onSave}
						/>
					);
				})}
			</dl>
		</section>
	);
}
