/* What stands above a list and a board: the title, search, filters, order, columns, the view, export. */
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Column} from '../parts/table';
import {hrefOf} from '../route';
import {t} from '../texts/text';
import {useName, useRested} from '../use';
import {type Asked, isAsSaved, queryOf, writeAsked} from './asked';
import {ChooseColumns} from './choosecolumns';
import {ExportDialog} from './exporting';
import {type Field, type RecordData} from './fields';
import {Conditions, FilterPanel} from './filterbar';
import {filterName} from './filters';
import {type Kind} from './kinds';
import {QuickFilters} from './quick';
import {ViewDialog, useViews} from './views';

/* The search box: the text goes into the address when the user pauses. */
function SearchBox({kind, q, onSearch}: {kind: Kind; q: string; onSearch: (q: string) => void}) {
	const [text, setText] = useState(q);
	const rested = useRested(text, 300);
	const sent = useRef(q);
	const id = useName('search');

	useEffect(() => {
		if (q !== sent.current) {
			sent.current = q;
			setText(q);
		}
	}, [q]);
	useEffect(() => {
		if (rested.trim() === sent.current) return;
		sent.current = rested.trim();
		onSearch(rested.trim());
	}, [rested]);
	return (
		<form
			role="search"
			onSubmit={(e) => {
				e.preventDefault();
				sent.current = text.trim();
				onSearch(text.trim());
			}}
		>
			<label for={id} class="hidden">{t('search', {what: kind.title})}</label>
			<input id={id} dir="auto" type="search" placeholder={t('searchHere', {what: kind.many})} maxLength={200} value={text} onInput={(e) => setText(e.currentTarget.value)} />
		</form>
	);
}

/* The numbers of records, amounts of money first, because they are what people add up. */
export const sumFields = (fields: Field[]) => fields.filter((f) => f.type === 'number').sort((a, b) => Number(!a.currency) - Number(!b.currency));
export const laneFields = (fields: Field[]) => fields.filter((f) => f.type === 'option');

/* The switch between list and board. */
function ShowAs({asked, custom, ask}: {asked: Asked; custom: Field[]; ask: (change: Partial<Asked>) => void}) {
	const by = laneFields(custom)[0];
	const sum = sumFields(custom)[0];

	if (!by && !asked.board) return null;
	return (
		<div class="switch" role="group" aria-label={t('showAs')}>
			<button type="button" aria-pressed={!asked.board} onClick={() => ask({board: '', sum: ''})}>{t('list')}</button>
			<button
				type="button"
				aria-pressed={!!asked.board}
				onClick={() => !asked.board && by && ask({board: filterName(by), sum: sum ? filterName(sum) : ''})}
			>
				{t('board')}
			</button>
		</div>
	);
}

function Order({sort, onSort}: {sort: string; onSort: (sort: string) => void}) {
	const orders = [['-updatedAt', t('changedLast')], ['updatedAt', t('changedFirst')], ['-createdAt', t('newestFirst')], ['createdAt', t('oldestFirst')]];
	return (
		<select aria-label={t('order')} value={sort} onChange={(e) => onSort(e.currentTarget.value)}>
			{orders.map(([value, label]) => <option key={value} value={value} selected={value === sort}>{label}</option>)}
		</select>
	);
}

/* custom: the fields of the objects' type, or of the groups that the columns name; null: they are not known yet. */
export function ListBar({kind, asked, columns, custom: known, total}: {
	kind: Kind;
	asked: Asked;
	columns: Column<RecordData>[];
	custom: Field[] | null;
	/* Of all records that the list shows. */
	total?: ComponentChildren;
}) {
	const custom = known ?? [];
	const [open, setOpen] = useState<'filter' | 'columns' | 'view' | 'export' | null>(null);
	const view = useViews().views.find((v) => v.id === asked.view) ?? null;
	const fields = [...kind.fields, ...custom];
	const ask = (change: Partial<Asked>, replace = false) => writeAsked(kind, {...asked, ...change}, replace);
	const close = () => setOpen(null);
	const [all, setAll] = useState(false); /* narrow screens show the rest of the bar on request */
	const filterButton = useRef<HTMLButtonElement>(null);
	const closeFilter = () => (close(), filterButton.current?.focus());
	const closeAnd = (change: Partial<Asked>) => (close(), ask(change));

	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{kind.title}</h1>
				<ShowAs asked={asked} custom={custom} ask={ask} />
				<a class="button primary" data-key="n" href={hrefOf([...kind.route, 'new'])}>{t('newThing', {thing: kind.one})}</a>
			</div>
			<div class={`toolbar${all ? '' : ' folded'}`}>
				<SearchBox kind={kind} q={asked.q} onSearch={(q) => ask({q}, true)} />
				<button type="button" class="unfold" aria-expanded={all} onClick={() => setAll(!all)}>{t('adjust')}</button>
				<button ref={filterButton} type="button" aria-expanded={open === 'filter'} onClick={() => setOpen(open === 'filter' ? null : 'filter')}>{t('filter')}</button>
				<Order sort={asked.sort} onSort={(sort) => ask({sort})} />
				<button type="button" onClick={() => setOpen('columns')}>{asked.board ? t('onCards') : t('columns')}</button>
				<button type="button" onClick={() => setOpen('view')}>{view && isAsSaved(asked, view) ? t('viewMore') : t('saveView')}</button>
				<button type="button" onClick={() => setOpen('export')}>{t('export')}</button>
			</div>
			{/* It has its height before it is known, so that nothing below it moves. */}
			<div class="quick">
				{known && <QuickFilters fields={[...known, ...kind.fields]} conditions={asked.conditions} onChange={(conditions) => ask({conditions})} />}
				{total}
			</div>
			{open === 'filter' && (
				<FilterPanel kind={kind} conditions={asked.conditions} onChange={(conditions, again) => ask({conditions}, again)} onClose={closeFilter} />
			)}
			{asked.own && (
				<p class="conditions">
					{t('ownFilter')} <button type="button" class="plain" onClick={() => ask({own: ''})}>{t('clearFilters')}</button>
				</p>
			)}
			<Conditions
				conditions={asked.conditions}
				fields={fields}
				any={asked.any}
				onChange={(conditions) => ask({conditions})}
				onAny={(any) => ask({any})}
			/>
			{open === 'columns' && <ChooseColumns kind={kind} columns={asked.columns} onClose={close} onChoose={(chosen) => closeAnd({columns: chosen})} />}
			{open === 'view' && <ViewDialog kind={kind} asked={asked} view={view} onClose={close} />}
			{open === 'export' && <ExportDialog kind={kind} query={queryOf(asked)} sort={asked.sort} columns={columns} fields={fields} onClose={close} />}
		</>
	);
}
