/* A report as bars, a line, a table or a number: plain SVG, and the table behind it for everybody. */
import {t} from '../texts/text';
import type {Report, Figures} from './figures';
import './reports.css';

const WIDE = 640;
const ROW = 30; /* of a bar */
const LABEL = 170; /* the room for its name */
const HIGH = 220; /* of a line */
const BARS_MAX = 40; /* the table has all */
const LETTERS = 24; /* of a name beside a bar */
const TICKS = 4; /* names below a line */

const short = (text: string) => (text.length > LETTERS ? `${text.slice(0, LETTERS - 1)}…` : text);
const svgProps = (high: number, title: string) => ({class: 'plot', viewBox: `0 0 ${WIDE} ${high}`, role: 'img', 'aria-label': title}) as const;

function Bars({figures: {rows, drawn}, title}: {figures: Figures; title: string}) {
	const shown = rows.slice(0, BARS_MAX);
	const most = Math.max(...shown.map((r) => Math.abs(r.values[drawn]!.number)), 0) || 1;
	const wide = (n: number) => (Math.abs(n) / most) * (WIDE - LABEL - 150);
	return (
		<svg {...svgProps(shown.length * ROW, title)}>
			{shown.map(({key, label, values}, i) => (
				<g key={key}>
					<text x={LABEL - 10} y={i * ROW + 20} text-anchor="end"><title>{label}</title>{short(label)}</text>
					<rect class={values[drawn]!.number < 0 ? 'below' : ''} x={LABEL} y={i * ROW + 4} width={Math.max(1, wide(values[drawn]!.number))} height={ROW - 8} rx="3" />
					<text class="amount" x={LABEL + wide(values[drawn]!.number) + 8} y={i * ROW + 20}>{values[drawn]!.text}</text>
				</g>
			))}
		</svg>
	);
}

function Line({figures: {rows, drawn}, title}: {figures: Figures; title: string}) {
	const numbers = rows.map((r) => r.values[drawn]!.number);
	const [least, most] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
	const x = (i: number) => 30 + (i * (WIDE - 60)) / Math.max(1, rows.length - 1);
	const y = (n: number) => HIGH - 40 - ((n - least) / (most - least || 1)) * (HIGH - 70);
	const best = numbers.indexOf(Math.max(...numbers));
	const step = Math.max(1, Math.ceil(rows.length / TICKS));
	return (
		<svg {...svgProps(HIGH, title)}>
			<line x1="30" x2={WIDE - 30} y1={y(0)} y2={y(0)} />
			<polyline points={numbers.map((n, i) => `${x(i).toFixed(1)},${y(n).toFixed(1)}`).join(' ')} />
			{rows.map((r, i) => (
				<circle key={r.key} cx={x(i)} cy={y(numbers[i]!)} r={rows.length > 60 ? 1.5 : 4}><title>{`${r.label}: ${r.values[drawn]!.text}`}</title></circle>
			))}
			{rows[best] && <text class="amount" x={Math.min(Math.max(x(best), 60), WIDE - 60)} y={y(numbers[best]!) - 10} text-anchor="middle">{rows[best]!.values[drawn]!.text}</text>}
			{rows.map((r, i) => i % step === 0 && <text key={r.key} x={Math.min(Math.max(x(i), 60), WIDE - 60)} y={HIGH - 12} text-anchor="middle">{short(r.label)}</text>)}
		</svg>
	);
}

function FigureTable({figures, title}: {figures: Figures; title: string}) {
	const heads = figures.measures.map((m) => <th scope="col" class="number" key={m}>{m}</th>);
	return (
		<div class="table" role="region" aria-label={title} tabIndex={0}>
			<table>
				<caption class="hidden">{title}</caption>
				<thead><tr><th scope="col">{figures.groupings.join(' · ') || t('all')}</th>{heads}</tr></thead>
				<tbody>
					{[...figures.rows, figures.total].map((r) => (
						<tr key={r.key} class={r.key === 'total' ? 'strong' : ''}>
							<th scope="row"><bdi>{r.label}</bdi></th>
							{r.values.map((v, i) => <td class="number" key={i}>{v.text}</td>)}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

export function ChartView({report: {name, chart}, figures}: {report: Report; figures: Figures}) {
	const {form} = chart;
	const title = t('chartOf', {name, total: figures.total.values[figures.drawn]!.text});

	if (form !== 'number' && figures.groupings.length && !figures.rows.length) return <p class="state">{t('nothingMatches')}</p>;
	return (
		<>
			{form === 'number' && (
				<p class="bignumber figure">
					{figures.total.values[figures.drawn]!.text} <small class="quiet">{figures.measures[figures.drawn]}</small>
				</p>
			)}
			{form === 'bar' && <Bars figures={figures} title={title} />}
			{form === 'line' && <Line figures={figures} title={title} />}
			{form === 'table' ? (
				<FigureTable figures={figures} title={name} />
			) : (
				<details>
					<summary>{t('asTable')}</summary>
					<FigureTable figures={figures} title={name} />
				</details>
			)}
		</>
	);
}
