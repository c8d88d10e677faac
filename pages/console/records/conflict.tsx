/* Somebody else saved the record while it was being edited: both versions side by side, and the choice for each field. */
import {useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {Time} from '../parts/text';
import {T, t} from '../texts/text';
import {type Draft, type Field, type RecordData, type Value, isMany, joined, sameValue, valueOf} from './fields';
import {useLoad} from '../use';
import {lastUser} from './actor';
import {FieldValues, ValueText} from './value';

export interface Conflict {
	/* The version with which the editing began, and the current one. */
	base: RecordData;
	theirs: RecordData;
	etag: string | null;
	mine: Draft;
}

type Choice = 'theirs' | 'mine' | 'both';

interface ConflictProps {
	/* The word for the record: person, note. */
	what: string;
	conflict: Conflict;
	fields: Field[];
	/* Gets the values that replace theirs; perhaps none. */
	onChosen: (mine: Draft) => Promise<unknown>;
	/* Returns to editing; what was typed is kept. */
	onClose: () => void;
}

const choices: {id: Choice; label: string}[] = [
	{id: 'theirs', label: t('theirs')},
	{id: 'mine', label: t('mine')},
	{id: 'both', label: t('both')},
];

const differs = (field: Field, {base, theirs}: Conflict) => !sameValue(valueOf(base, field), valueOf(theirs, field));

function version(choice: Choice, theirs: Value, mine: Value): Value {
	return choice === 'theirs' ? theirs : choice === 'mine' ? mine : joined(theirs, mine);
}

function ChoiceRow({field, conflict, choice, onChoose}: {
	field: Field;
	conflict: Conflict;
	choice: Choice | undefined;
	onChoose: (choice: Choice) => void;
}) {
	const theirs = valueOf(conflict.theirs, field);
	const mine = conflict.mine[field.key]!;
	const name = `choice-${field.key}`;

	return (
		<fieldset class="versions">
			<legend>{field.label}</legend>
			<p class="quiet">
				<T text="before" value={<ValueText field={field} value={valueOf(conflict.base, field)} short plain />} />
			</p>
			{choices
				.filter((c) => c.id !== 'both' || isMany(field))
				.map((c) => (
					<label key={c.id} class={choice === c.id ? 'chosen' : ''}>
						<input type="radio" name={name} checked={choice === c.id} onChange={() => onChoose(c.id)} />
						<strong>{c.label}</strong>
						<ValueText field={field} value={version(c.id, theirs, mine)} plain />
					</label>
				))}
		</fieldset>
	);
}

export function ConflictDialog({what, conflict, fields, onChosen, onClose}: ConflictProps) {
	const {theirs, mine} = conflict;
	const typed = fields.filter((f) => mine[f.key] !== undefined && !sameValue(mine[f.key]!, valueOf(theirs, f)));
	const clashing = typed.filter((f) => differs(f, conflict));
	const mineOnly = typed.filter((f) => !differs(f, conflict));
	const theirsOnly = fields.filter((f) => !f.filterOnly && !clashing.includes(f) && differs(f, conflict));
	const [chosen, setChosen] = useState<Record<string, Choice>>({});
	const [busy, setBusy] = useState(false);
	const by = useLoad((signal) => lastUser(theirs.id, theirs.updatedAt ?? '', signal), [theirs.id, theirs.updatedAt]).data;
	const at = theirs.updatedAt && <Time at={theirs.updatedAt} />;
	const left = clashing.filter((f) => !chosen[f.key]).length;

	const all = (choice: Choice) => setChosen(Object.fromEntries(clashing.map((f) => [f.key, choice])));
	const save = async () => {
		const draft: Draft = {};
		for (const f of mineOnly) draft[f.key] = mine[f.key]!;
		for (const f of clashing) {
			if (chosen[f.key] !== 'theirs') draft[f.key] = version(chosen[f.key]!, valueOf(theirs, f), mine[f.key]!);
		}
		setBusy(true);
		await onChosen(draft).finally(() => setBusy(false));
	};

	return (
		<Dialog title={t('somebodyChanged', {thing: what})} onClose={onClose} wide>
			<div class="body">
				<p>
					{by ? <T text="userSavedWhileEditing" user={<strong><bdi>{by}</bdi></strong>} time={at} /> : <T text="savedWhileEditing" time={at} />}
				</p>
				{clashing.length > 1 && (
					<p class="row">
						<button type="button" onClick={() => all('theirs')}>{t('allTheirs')}</button>
						<button type="button" onClick={() => all('mine')}>{t('allMine')}</button>
					</p>
				)}
				{clashing.map((f) => (
					<ChoiceRow
						key={f.key}
						field={f}
						conflict={conflict}
						choice={chosen[f.key]}
						onChoose={(choice) => setChosen({...chosen, [f.key]: choice})}
					/>
				))}
				<FieldValues title={t('onlyYou')} fields={mineOnly} value={(f) => mine[f.key]!} plain />
				<FieldValues title={t('onlyThem')} fields={theirsOnly} value={(f) => valueOf(theirs, f)} plain />
			</div>
			<footer>
				{left > 0 && <span class="quiet">{t('toChoose', {n: left})}</span>}
				<button type="button" onClick={onClose}>{t('backToEditing')}</button>
				<button type="button" class="primary" disabled={left > 0 || busy} onClick={save}>{t('save')}</button>
			</footer>
		</Dialog>
	);
}
