/* Chooses references by a part of their name: a combobox with a list, after the chosen ones. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {Failed} from '../parts/table';
import {T, t} from '../texts/text';
import {useName, useRested} from '../use';
import {type Ref, nameOf} from './fields';
import {lookUp} from './kinds';

interface PickerProps {
	id?: string;
	label: string;
	/* The kind to search: people, companies, contacts, groups, users, objects. */
	type: string;
	/* The group of the objects. */
	group?: string;
	value: Ref[];
	onChange: (value: Ref[]) => void;
	autoFocus?: boolean;
	/* An unknown name creates a record. */
	makes?: boolean;
	'aria-describedby'?: string;
}

function Chosen({value, onChange}: {value: Ref[]; onChange: (value: Ref[]) => void}) {
	return (
		<ul class="chips">
			{value.map((ref) => (
				<li key={ref.id || ref.name}>
					<bdi>{nameOf(ref)}</bdi>
					<button
						type="button"
						class="plain"
						aria-label={t('removeName', {name: nameOf(ref)})}
						onClick={() => onChange(value.filter((v) => v !== ref))}
					>
						×
					</button>
				</li>
			))}
		</ul>
	);
}

export function Picker({id, label, type, group, value, onChange, autoFocus, makes, ...rest}: PickerProps) {
	const [text, setText] = useState('');
	const [open, setOpen] = useState(false);
	const [found, setFound] = useState<{text: string; refs: Ref[]} | null>(null);
	const [error, setError] = useState<unknown>(null);
	const [active, setActive] = useState(0);
	const name = useName('picker');
	const input = useRef<HTMLInputElement>(null);
	const rested = useRested(text.trim());
	/* Results for another text are not offered, because Enter would choose one. */
	const looking = found?.text !== text.trim();
	const options = looking ? [] : found!.refs.filter((ref) => !value.some((v) => v.id === ref.id));
	const named = text.trim();
	if (makes && !looking && named && ![...found!.refs, ...value].some((ref) => ref.name === named)) options.push({id: '', name: named});

	useEffect(() => {
		if (!open) return;
		const stop = new AbortController();
		lookUp(type, rested, stop.signal, group).then(
			(refs) => {
				if (stop.signal.aborted) return;
				setFound({text: rested, refs});
				setActive(0);
				setError(null);
			},
			(e) => stop.signal.aborted || setError(e),
		);
		return () => stop.abort();
	}, [open, rested, type, group]);

	const choose = (ref: Ref | undefined) => {
		if (!ref) return;
		onChange([...value, ref]);
		setText('');
		setOpen(false);
		input.current?.focus();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			event.preventDefault();
			setOpen(true);
			const by = event.key === 'ArrowDown' ? 1 : -1;
			if (open) setActive((i) => (options.length ? (i + by + options.length) % options.length : 0));
		} else if (event.key === 'Enter' && open) {
			event.preventDefault();
			event.stopPropagation();
			choose(options[active]);
		} else if (event.key === 'Escape' && open) {
			event.preventDefault();
			event.stopPropagation();
			setOpen(false);
		} else if (event.key === 'Backspace' && !text && value.length) onChange(value.slice(0, -1));
	};

	return (
		<div class="picker">
			<Chosen value={value} onChange={onChange} />
			<input
				{...rest}
				id={id}
				ref={input}
				dir="auto"
				role="combobox"
				aria-label={id ? undefined : label}
				aria-expanded={open}
				aria-controls={open ? name : undefined}
				aria-autocomplete="list"
				aria-activedescendant={open && options[active] ? `${name}-${active}` : undefined}
				autoComplete="off"
				autoFocus={autoFocus}
				placeholder={t('typeToFind')}
				value={text}
				onInput={(e) => {
					setText(e.currentTarget.value);
					setOpen(true);
				}}
				onClick={() => setOpen(true)}
				onBlur={() => setOpen(false)}
				onKeyDown={onKeyDown}
			/>
			{open && (
				<ul class="options" role="listbox" id={name} aria-label={label}>
					{options.map((ref, i) => (
						<li
							role="option"
							key={ref.id}
							id={`${name}-${i}`}
							aria-selected={i === active}
							onMouseDown={(e) => {
								e.preventDefault();
								choose(ref);
							}}
						>
							{ref.id ? <bdi>{nameOf(ref)}</bdi> : <T text="makeNew" name={<bdi>{nameOf(ref)}</bdi>} />}
						</li>
					))}
					{!options.length && !error && <li class="quiet" role="option" aria-disabled="true" aria-selected="false">{looking ? t('looking') : t('nothingFound')}</li>}
				</ul>
			)}
			{error != null && <Failed error={error} />}
		</div>
	);
}
