/* The board of an object type: a column for each option of a field, with count and sum, and cards that move between them. */
import {useLayoutEffect, useRef, useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {Empty, Failed, Loading} from '../parts/table';
import {t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {type Asked, queryOf, writeAsked} from './asked';
import './board.css';
import {type BoardState, type Lane, laneName, lanesOf, useBoard} from './boardwork';
import {columnsOf} from './columns';
import type {Field, RecordData} from './fields';
import {filterName} from './filters';
import {type Kind, loadColumnFields, titleOf} from './kinds';
import {LaneColumn} from './lane';
import {ListBar, laneFields, sumFields} from './listbar';
import {TotalText} from './totals';

const SHOWN_MAX = 2; /* values below the name of a card */

function BoardBar({kind, asked, custom}: {kind: Kind; asked: Asked; custom: Field[]}) {
	const ask = (change: Partial<Asked>) => writeAsked(kind, {...asked, ...change});
	const choices = (fields: Field[], chosen: string) =>
		fields.map((f) => <option key={f.key} value={filterName(f)} selected={filterName(f) === chosen}>{f.label}</option>);
	return (
		<div class="toolbar">
			<label>
				{t('columns')}{' '}
				<select value={asked.board} onChange={(e) => ask({board: e.currentTarget.value})}>{choices(laneFields(custom), asked.board)}</select>
			</label>
			<label>
				{t('sum')}{' '}
				<select value={asked.sum} onChange={(e) => ask({sum: e.currentTarget.value})}>
					<option value="" selected={!asked.sum}>{t('none')}</option>
					{choices(sumFields(custom), asked.sum)}
				</select>
			</label>
			<p class="hint keys">{t('boardKeys')}</p>
		</div>
	);
}

/* Where a card goes: the columns with a figure each, which the keyboard can press. */
function MoveDialog({title, lanes, from, onMove, onClose}: {title: string; lanes: Lane[]; from: string; onMove: (to: string) => void; onClose: () => void}) {
	const others = lanes.filter((l) => l.label !== from);
	return (
		<Dialog title={t('moveCard', {name: title})} onClose={onClose}>
			<div
				class="body lanechoice"
				onKeyDown={(e) => {
					const to = others[Number(e.key) - 1];
					if (!/^[1-9]$/.test(e.key) || !to) return;
					e.preventDefault();
					onMove(to.label);
				}}
			>
				{others.map((l, i) => (
					<button type="button" key={l.label} autoFocus={i === 0} onClick={() => onMove(l.label)}>
						{i < 9 && <kbd>{i + 1}</kbd>} <bdi>{laneName(l.label)}</bdi>
					</button>
				))}
			</div>
		</Dialog>
	);
}

interface Held {
	card: RecordData;
	lane: string;
}

/* Moves the focus, and cards with Shift. Returns what is held afterwards; null: the key means nothing here. */
function pressed(event: KeyboardEvent, held: Held, lanes: Lane[], board: BoardState): Held | null {
	const at = lanes.findIndex((l) => l.label === held.lane);
	const {items} = board.cardsOf(held.lane);
	const row = items.findIndex((r) => r.id === held.card.id);
	const by = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1}[event.key];

	if (!by || event.ctrlKey || event.altKey || event.metaKey) return null;
	if (/Up|Down/.test(event.key)) return {...held, card: items[row + by] ?? held.card};
	if (event.shiftKey) {
		const to = lanes[at + by];
		if (!to) return held;
		board.move(held.card, held.lane, to.label);
		return {card: held.card, lane: to.label};
	}
	for (let i = at + by; lanes[i]; i += by) {
		const there = board.cardsOf(lanes[i]!.label).items;
		if (there.length) return {card: there[Math.min(row, there.length - 1)]!, lane: lanes[i]!.label};
	}
	return held;
}

function Lanes({kind, field, sum, shown, board}: {kind: Kind; field: Field; sum: Field | undefined; shown: ReturnType<typeof columnsOf>; board: BoardState}) {
	const lanes = lanesOf(field);
	const grabbed = useRef<Held | null>(null);
	const [held, setHeld] = useState<Held | null>(null);
	const [moving, setMoving] = useState<Held | null>(null);
	const wanted = useRef(false); /* the focus follows what is held */

	/* At once, so that the next key finds the card. */
	useLayoutEffect(() => {
		if (!held) return;
		/* An undo, a mouse or a refused move puts the card in another column: a new element, without the focus of the old one. */
		const lane = lanes.find((l) => board.cardsOf(l.label).items.some((r) => r.id === held.card.id));
		if (lane && lane.label !== held.lane) {
			wanted.current ||= document.activeElement === document.body;
			return setHeld({...held, lane: lane.label});
		}
		if (!wanted.current) return;
		wanted.current = false;
		const link = document.getElementById(`card-${held.card.id}`);
		link?.focus({preventScroll: true});
		link?.closest('li')?.scrollIntoView({block: 'nearest', inline: 'nearest'});
	});
	const hold = (next: Held) => {
		wanted.current = true;
		setHeld(next);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if ((event.ctrlKey || event.metaKey) && event.key === 'z') return event.preventDefault(), board.undo();
		if (!held || !(event.target as HTMLElement).dataset.card) return;
		if (event.key === 'm') return event.preventDefault(), setMoving(held);
		const next = pressed(event, held, lanes, board);
		if (!next) return;
		event.preventDefault();
		hold(next);
	};
	return (
		<div class="board" onKeyDown={onKeyDown}>
			{lanes.map((lane) => (
				<LaneColumn
					key={lane.label}
					kind={kind}
					lane={lane}
					cards={board.cardsOf(lane.label)}
					total={board.totalOf(lane.label)}
					sum={sum}
					shown={shown}
					active={held?.lane === lane.label ? held.card.id : undefined}
					needMore={() => board.readMore(lane.label)}
					onGrab={(card) => (grabbed.current = card && {card, lane: lane.label})}
					onDrop={() => grabbed.current && board.move(grabbed.current.card, grabbed.current.lane, lane.label)}
					onFocus={(card) => held?.card.id !== card.id && setHeld({card, lane: lane.label})}
					onMove={(card) => setMoving({card, lane: lane.label})}
				/>
			))}
			{moving && (
				<MoveDialog
					title={titleOf(kind, moving.card)}
					lanes={lanes}
					from={moving.lane}
					onClose={() => setMoving(null)}
					onMove={(to) => {
						setMoving(null);
						board.move(moving.card, moving.lane, to);
						hold({card: moving.card, lane: to});
					}}
				/>
			)}
		</div>
	);
}

function FieldBoard({kind, asked, field, custom}: {kind: Kind; asked: Asked; field: Field; custom: Field[]}) {
	const board = useBoard(kind, queryOf(asked), asked.sort, field, asked.sum);
	const usual = [asked.sum, 'companies', 'people'].filter(Boolean);
	const names = asked.columns.filter((n) => n !== asked.board);
	const shown = columnsOf(kind, custom, asked.columns.length ? names : usual).slice(1, 1 + SHOWN_MAX);
	const sum = sumFields(custom).find((f) => filterName(f) === asked.sum);
	return (
		<>
			{board.totals.error != null && <Failed error={board.totals.error} again={board.totals.again} />}
			{/* It has its height before it is known, so that nothing below it moves. */}
			<p class="figure total"><TotalText kind={kind} total={board.totals.data?.total} sum={sum} /></p>
			<Lanes kind={kind} field={field} sum={sum} shown={shown} board={board} />
		</>
	);
}

export function Board({kind, asked}: {kind: Kind; asked: Asked}) {
	const custom = useLoad(() => loadColumnFields(kind, asked.columns), [kind.path, asked.columns]);
	const fields = custom.data ?? [];
	const field = laneFields(fields).find((f) => filterName(f) === asked.board);

	useTitle(kind.title);
	return (
		<>
			<ListBar kind={kind} asked={asked} columns={columnsOf(kind, fields, asked.columns)} custom={custom.data ?? (custom.error != null ? [] : null)} />
			{(custom.data || custom.error != null) && <BoardBar kind={kind} asked={asked} custom={fields} />}
			{custom.error != null && <Failed error={custom.error} again={custom.again} />}
			{custom.loading && !custom.data && <Loading what={t('loadingFields')} />}
			{custom.data && !field && <Empty><p>{t('noBoardField')}</p></Empty>}
			{field && <FieldBoard key={field.key} kind={kind} asked={asked} field={field} custom={fields} />}
		</>
	);
}
