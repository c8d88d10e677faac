/* A column of a board. It draws only the cards near those that are seen, so that columns may be long. */
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import type {Column} from '../parts/table';
import {hrefOf} from '../route';
import {countText, t} from '../texts/text';
import {useName} from '../use';
import {type Cards, type Lane, laneName} from './boardwork';
import type {Field, RecordData} from './fields';
import {type Kind, titleOf} from './kinds';
import {type Total, amountOf} from './totals';

const CARD_REM = 5.5; /* a card with the space below it, as in board.css */
const BEYOND = 6; /* cards that are drawn above and below those that are seen */
const AHEAD = 25; /* cards below those that are drawn, before more are read */

const rowPx = () => CARD_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);

interface LaneProps {
	kind: Kind;
	lane: Lane;
	cards: Cards;
	total: Total | undefined;
	/* The field that is added up, if there is one. */
	sum: Field | undefined;
	shown: Column<RecordData>[];
	/* The card that Tab reaches, if it is in this column. */
	active: string | undefined;
	needMore: () => void;
	onGrab: (card: RecordData | null) => void;
	onDrop: () => void;
	onFocus: (card: RecordData) => void;
	onMove: (card: RecordData) => void;
}

function LaneHead({lane, total, sum, id}: {lane: Lane; total: Total | undefined; sum: Field | undefined; id: string}) {
	const dot = lane.color && /^#[0-9a-f]{6}$/i.test(lane.color) ? lane.color : undefined;
	return (
		<header>
			<h2 id={id} class="cut">
				{dot && (
					<svg width="10" height="10" aria-hidden="true">
						<circle cx="5" cy="5" r="5" fill={dot} />
					</svg>
				)}{' '}
				<bdi>{laneName(lane.label)}</bdi>
			</h2>
			<span class="figure quiet" data-count>{countText(total?.count ?? 0)}</span>
			{sum && <span class="figure strong" data-sum>{amountOf(total, sum)}</span>}
		</header>
	);
}

function Card({kind, card, shown, tab, row, props}: {kind: Kind; card: RecordData; shown: Column<RecordData>[]; tab: boolean; row: {at: number; of: number}; props: LaneProps}) {
	const title = titleOf(kind, card);
	return (
		<li
			style={{top: `${row.at * CARD_REM}rem`}}
			aria-setsize={row.of}
			aria-posinset={row.at + 1}
			draggable
			onDragStart={(e) => {
				e.dataTransfer!.effectAllowed = 'move';
				e.dataTransfer!.setData('text/plain', title);
				props.onGrab(card);
			}}
			onDragEnd={() => props.onGrab(null)}
		>
			<a href={hrefOf([...kind.route, card.id])} id={`card-${card.id}`} data-card={card.id} class="strong cut" draggable={false} tabIndex={tab ? 0 : -1} onFocus={() => props.onFocus(card)}>
				<bdi>{title}</bdi>
			</a>
			<button type="button" class="plain" tabIndex={-1} aria-label={t('moveCard', {name: title})} onClick={() => props.onMove(card)}>⋯</button>
			{shown.map((c) => <div key={c.key} class={`cut${c.number ? ' figure' : ' quiet'}`}>{c.render(card)}</div>)}
		</li>
	);
}

export function LaneColumn(props: LaneProps) {
	const {kind, lane, cards, total, shown, active, needMore} = props;
	const list = useRef<HTMLUListElement>(null);
	const [seen, setSeen] = useState({first: 0, rows: 0, shown: false});
	const [over, setOver] = useState(false);
	const id = useName('lane');
	const {items, next} = cards;
	const tabbed = Math.max(0, items.findIndex((r) => r.id === active));
	const first = Math.max(0, seen.first - BEYOND);
	const last = Math.min(items.length, seen.first + seen.rows + BEYOND);
	const rows = items.slice(first, last).map((card, i) => ({card, at: first + i}));
	/* The card that Tab reaches is drawn wherever it is. */
	if (items[tabbed] && (tabbed < first || tabbed >= last)) rows.push({card: items[tabbed]!, at: tabbed});

	/* An element gets a drop only if it cancels dragenter and dragover. */
	const accept = (e: DragEvent) => {
		e.preventDefault();
		setOver(true);
	};
	const look = () => {
		const {scrollTop, clientHeight} = list.current!;
		const [at, n] = [Math.floor(scrollTop / rowPx()), Math.ceil(clientHeight / rowPx()) + 1];
		setSeen((s) => (s.first === at && s.rows === n ? s : {...s, first: at, rows: n}));
	};
	useLayoutEffect(look, []);
	useEffect(() => {
		/* A column is read when it comes into sight. */
		const watch = new IntersectionObserver(([entry]) => setSeen((s) => ({...s, shown: entry!.isIntersecting})), {rootMargin: '0px 300px'});
		const sized = new ResizeObserver(look);
		watch.observe(list.current!);
		sized.observe(list.current!);
		return () => (watch.disconnect(), sized.disconnect());
	}, []);
	useEffect(() => {
		if (seen.shown && next !== null && last + AHEAD >= items.length) needMore();
	});

	return (
		<section
			class={`lane${over ? ' over' : ''}`}
			aria-labelledby={id}
			data-lane={lane.label}
			onDragEnter={accept}
			onDragOver={accept}
			onDragLeave={(e) => e.currentTarget.contains(e.relatedTarget as Node | null) || setOver(false)}
			onDrop={(e) => {
				e.preventDefault();
				setOver(false);
				props.onDrop();
			}}
		>
			<LaneHead lane={lane} total={total} sum={props.sum} id={id} />
			<ul ref={list} onScroll={look} aria-labelledby={id} aria-busy={next === undefined}>
				{rows.map(({card, at}) => (
					<Card key={card.id} kind={kind} card={card} shown={shown} tab={at === tabbed} row={{at, of: total?.count ?? items.length}} props={props} />
				))}
				<li class="end" aria-hidden="true" style={{top: `${items.length * CARD_REM}rem`}} />
			</ul>
		</section>
	);
}
