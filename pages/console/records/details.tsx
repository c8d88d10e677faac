/* The values of a record. Each can be edited in its place. */
import {useLayoutEffect, useRef} from 'preact/hooks';
import {t} from '../texts/text';
import {useName} from '../use';
import {Editor} from './editor';
import {type Draft, type Field, type RecordData, type Value, isChoice, valueOf} from './fields';
import {ValueText} from './value';

/* Shows the choices of a list at once. Some browsers cannot, or only after a click. */
function openList(list: HTMLSelectElement | null): void {
	try {
		list?.showPicker();
	} catch {
		/* A click opens it. */
	}
}

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
	/* No other field is being edited. */
	only: boolean;
}

function Row({field, value, draft, error, group, put, onSave, only}: RowProps) {
	const id = useName('value');
	const row = useRef<HTMLDivElement>(null);
	const open = draft !== undefined;
	const was = useRef(open);
	const clicked = useRef(false);
	const keyed = useRef(false); /* a key was pressed in the editor: arrows pass through other choices */
	const chosen = useRef(false);

	/* The focus follows the field into its editor and back. */
	useLayoutEffect(() => {
		if (was.current === open || !onSave) return;
		was.current = open;
		const inside = row.current!.contains(document.activeElement) || document.activeElement === document.body;
		if (inside || clicked.current) row.current!.querySelector<HTMLElement>('input, select, textarea, button.edit')?.focus();
		if (open && clicked.current) openList(row.current!.querySelector('select'));
		clicked.current = false;
		keyed.current = false;
	}, [open]);
	/* A choice from the list is complete, so it is saved at once. */
	useLayoutEffect(() => {
		if (chosen.current && open) void onSave?.();
		chosen.current = false;
	}, [draft]);

	/* A click on a link follows it, and a text can be selected. The button is for the keyboard. */
	const onClick = ({target}: MouseEvent) => {
		if ((target as HTMLElement).closest('a') || getSelection()?.toString()) return;
		clicked.current = true;
		put(field, value);
	};

	const onKeyDown = (event: KeyboardEvent) => {
		const target = event.target as HTMLElement;
		keyed.current = true;
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
							onChange={(v) => {
								chosen.current = isChoice(field) && only && !keyed.current;
								put(field, v);
							}}
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
	/* The page that changes these fields, for those who may. */
	setup?: string;
	fields: Field[];
	/* null: a new one. */
	record: RecordData | null;
	draft: Draft;
	errors: Record<string, string>;
	group?: string;
	put: (field: Field, value: Value | undefined) => void;
	onSave?: () => void;
}

export function Details({title, setup, fields, record, draft, errors, group, put, onSave}: DetailsProps) {
	const name = useName('details');
	return (
		<section class="card" aria-labelledby={name}>
			<div class="row between cardhead">
				<h2 id={name}>{title}</h2>
				{setup && <a href={setup} aria-label={t('setupFields', {title})}>{t('setup')}</a>}
			</div>
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
							only={Object.keys(draft).length === 1}
						/>
					);
				})}
			</dl>
		</section>
	);
}
