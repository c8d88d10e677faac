/* The dialog that chooses the columns of a table and their order. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {SelectField} from '../parts/field';
import {Failed} from '../parts/table';
import {t} from '../texts/text';
import {useLoad} from '../use';
import {nameColumn, usualColumns} from './columns';
import {type Field} from './fields';
import {filterName} from './filters';
import {type Kind, loadColumnFields, loadFields, loadGroups} from './kinds';

interface Choice {
	name: string;
	label: string;
}

const choiceOf = (f: Field): Choice => ({name: filterName(f), label: f.label});

export function ChooseColumns({kind, columns, onChoose, onClose}: {
	kind: Kind;
	columns: string[];
	/* No columns: the usual ones. */
	onChoose: (columns: string[]) => void;
	onClose: () => void;
}) {
	const custom = useLoad(() => loadColumnFields(kind, columns), [kind.path]);
	const groups = useLoad(() => (kind.group ? Promise.resolve([]) : loadGroups()), [kind.group]);
	const [group, setGroup] = useState('');
	const ofGroup = useLoad(() => (group ? loadFields(group, kind.entity) : Promise.resolve([])), [group, kind.entity]);
	const [changed, setChanged] = useState<string[] | null>(columns.length ? columns : null);
	const chosen = changed ?? (custom.data ? usualColumns(kind, custom.data) : []);
	const own = [...(custom.data ?? []), ...kind.fields].map(choiceOf).filter((c) => c.name !== nameColumn(kind) && c.name !== 'createdAt');
	const all: Choice[] = [...own, {name: 'updatedAt', label: t('updated')}, {name: 'createdAt', label: t('created')}];
	for (const c of (ofGroup.data ?? []).map(choiceOf)) if (!all.some((a) => a.name === c.name)) all.push(c);
	const order = [...chosen.flatMap((n) => all.filter((c) => c.name === n)), ...all.filter((c) => !chosen.includes(c.name))];

	const list = useRef<HTMLUListElement>(null);
	/* Only now the columns are in their order. */
	useEffect(() => {
		if (custom.data) list.current!.querySelector('input')?.focus();
	}, [custom.data]);

	const put = (name: string, on: boolean) => setChanged(on ? [...chosen, name] : chosen.filter((n) => n !== name));
	const up = (name: string) => {
		const i = chosen.indexOf(name);
		setChanged([...chosen.slice(0, i - 1), name, chosen[i - 1]!, ...chosen.slice(i + 1)]);
	};
	return (
		<Dialog title={t('columns')} onClose={onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					onChoose(changed ?? []);
				}}
			>
				<div class="body">
					{custom.error != null && <Failed error={custom.error} again={custom.again} />}
					<ul ref={list} class="columns" aria-label={t('columns')}>
						{order.map((c) => (
							<li key={c.name}>
								<label>
									<input type="checkbox" checked={chosen.includes(c.name)} onChange={(e) => put(c.name, e.currentTarget.checked)} />{' '}
									<bdi>{c.label}</bdi>
								</label>
								{chosen.indexOf(c.name) > 0 && (
									<button type="button" class="plain" aria-label={t('moveUp', {name: c.label})} onClick={() => up(c.name)}>↑</button>
								)}
							</li>
						))}
					</ul>
					{!!groups.data?.length && (
						<SelectField
							label={t('fieldsOf')}
							value={group}
							onChange={setGroup}
							options={[{value: '', label: t('everyThing', {thing: kind.one})}, ...groups.data.map((g) => ({value: g.id, label: t('groupName', {name: g.name})}))]}
						/>
					)}
				</div>
				<footer>
					<button type="button" onClick={() => onChoose([])}>{t('usualColumns')}</button>
					<button type="button" onClick={onClose}>{t('cancel')}</button>
					<button class="primary">{t('apply')}</button>
				</footer>
			</form>
		</Dialog>
	);
}
