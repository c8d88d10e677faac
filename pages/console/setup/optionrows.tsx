/* The options of a select, one row each: its label and colour. */
import {useRef} from 'preact/hooks';
import type {Option} from '../records/fields';
import {t} from '../texts/text';

/* Without an id: not saved yet. Without a colour: the server chooses one. */
export type OptionRow = Omit<Option, 'id'> & {id?: string};

const named = ({label}: OptionRow) => label.trim() !== '';

function changedFrom(old: Option[], row: OptionRow): boolean {
	const before = old.find((o) => o.id === row.id);
	return !!before && (before.label !== row.label || before.color !== row.color);
}

const newOf = (rows: OptionRow[]) => rows.filter((r) => !r.id && named(r));

/* The members of the body: all options of a new field, or the changes of an existing one. */
export function bodyOfOptions(old: Option[] | null, rows: OptionRow[]): Record<string, unknown> {
	const added = newOf(rows).map(({label, color}) => ({label, color}));
	if (!old) return {options: added};
	const updated = rows.filter((r) => changedFrom(old, r)).map(({id, label, color}) => ({id, label, color}));
	const removed = old.filter((o) => !rows.some((r) => r.id === o.id)).map((o) => o.id);
	const order = rows.filter((r) => r.id || named(r)).map((r) => r.id ?? r.label);
	const unmoved = [...old.map((o) => o.id).filter((id) => !removed.includes(id)), ...added.map((o) => o.label)];
	return {
		...(added.length ? {addOptions: added} : {}),
		...(updated.length ? {updateOptions: updated} : {}),
		...(removed.length ? {removeOptions: removed} : {}),
		...(order.some((o, i) => o !== unmoved[i]) ? {optionOrder: order} : {}),
	};
}

/* Where each row is in that body, so that issues are shown at it; null: it is not sent. */
export function placesOf(old: Option[] | null, rows: OptionRow[]): ((string | number)[] | null)[] {
	const added = newOf(rows);
	const updated = old ? rows.filter((r) => changedFrom(old, r)) : [];
	return rows.map((r) => {
		if (added.includes(r)) return [old ? 'addOptions' : 'options', added.indexOf(r)];
		return updated.includes(r) ? ['updateOptions', updated.indexOf(r)] : null;
	});
}

const UNSET_COLOR = '#888888';

export function OptionRows({rows, onChange, errorOf}: {
	rows: OptionRow[];
	onChange: (rows: OptionRow[]) => void;
	errorOf: (i: number) => string | undefined;
}) {
	const list = useRef<HTMLOListElement>(null);
	const put = (i: number, change: Partial<OptionRow>) => onChange(i < rows.length ? rows.map((r, n) => (n === i ? {...r, ...change} : r)) : [...rows, {label: '', ...change}]);
	/* Enter goes to the next row; in an empty one it sends the form. */
	const onKeyDown = (event: KeyboardEvent, i: number) => {
		if (event.key !== 'Enter' || event.ctrlKey || !rows[i] || !named(rows[i])) return;
		event.preventDefault();
		list.current!.querySelectorAll<HTMLElement>('input:not([type=color])')[i + 1]?.focus();
	};
	/* The focus goes with the option. */
	const moveUp = (i: number) => {
		onChange([...rows.slice(0, i - 1), rows[i]!, rows[i - 1]!, ...rows.slice(i + 1)]);
		requestAnimationFrame(() => list.current?.children[i - 1]?.querySelector<HTMLElement>(i > 1 ? '.up' : 'input')?.focus());
	};

	return (
		<fieldset class="bare">
			<legend>{t('options')}</legend>
			<p class="hint" id="options-hint">{t('optionsHint')}</p>
			<ol class="optionrows" ref={list}>
				{[...rows, {label: ''} as OptionRow].map((row, i) => (
					<li key={i}>
						<div class="item">
							<input
								dir="auto"
								aria-label={t('optionN', {n: i + 1})}
								aria-describedby="options-hint"
								aria-invalid={errorOf(i) ? true : undefined}
								value={row.label}
								maxLength={500}
								onInput={(e) => put(i, {label: e.currentTarget.value})}
								onKeyDown={(e) => onKeyDown(e, i)}
							/>
							{i < rows.length && (
								<>
									<input type="color" aria-label={t('colourOf', {name: row.label})} value={row.color ?? UNSET_COLOR} onInput={(e) => put(i, {color: e.currentTarget.value})} />
									{i > 0 && (
										<button type="button" class="plain up" aria-label={t('moveUp', {name: row.label})} onClick={() => moveUp(i)}>↑</button>
									)}
									<button type="button" class="plain" aria-label={t('removeName', {name: row.label})} onClick={() => onChange(rows.filter((_, n) => n !== i))}>×</button>
								</>
							)}
						</div>
						{errorOf(i) && <p class="error">{errorOf(i)}</p>}
					</li>
				))}
			</ol>
		</fieldset>
	);
}
