/* A table of records with a caption, sortable columns, and the placeholders for an empty table. */
import type {ComponentChildren} from 'preact';
import {explain} from '../api';
import {t} from '../texts/text';

export interface Column<T> {
	key: string;
	label: string;
	render: (row: T) => ComponentChildren;
	/* Aligned to the right, with figures of one width. */
	number?: boolean;
	/* Left out on narrow screens. */
	minor?: boolean;
	/* The field, as filters name it; absent: the key. */
	name?: string;
	/* The name by which the server sorts. */
	sort?: string;
}

/* Rows that are chosen, by their keys. */
export interface Selection {
	has: (key: string) => boolean;
	put: (keys: string[], on: boolean) => void;
	/* What a row is called, for screen readers. */
	nameOf: (key: string) => string;
}

interface TableProps<T> {
	/* The caption, for screen readers. */
	caption: string;
	columns: Column<T>[];
	rows: T[];
	rowKey: (row: T) => string;
	/* "createdAt" or "-createdAt"; '' is the server's own order. */
	sort?: string;
	onSort?: (sort: string) => void;
	busy?: boolean;
	selection?: Selection;
}

function SortHead<T>({column, sort, onSort}: {column: Column<T>; sort: string; onSort: (sort: string) => void}) {
	const up = sort === column.sort;
	const down = sort === `-${column.sort}`;

	return (
		<button type="button" class="plain sort" onClick={() => onSort(down ? column.sort! : `-${column.sort}`)}>
			{column.label} <span aria-hidden="true">{up ? '↑' : down ? '↓' : '↕'}</span>
		</button>
	);
}

const ariaSort = (sort: string | undefined, name: string | undefined) =>
	!name ? undefined : sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';

function SelectAll({keys, selection}: {keys: string[]; selection: Selection}) {
	const some = keys.some(selection.has);
	const all = some && keys.every(selection.has);
	return (
		<input
			type="checkbox"
			aria-label={t('selectPage')}
			checked={all}
			ref={(box) => void (box && (box.indeterminate = some && !all))}
			onChange={() => selection.put(keys, !all)}
		/>
	);
}

export function Table<T>({caption, columns, rows, rowKey, sort, onSort, busy, selection}: TableProps<T>) {
	const classes = (c: Column<T>) => `${c.number ? 'number ' : ''}${c.minor ? 'minor' : ''}`;

	return (
		<div class={`table${busy ? ' busy' : ''}`} role="region" aria-label={caption} tabIndex={0}>
			<table aria-busy={busy}>
				<caption class="hidden">{caption}</caption>
				<thead>
					<tr>
						{selection && <td class="select"><SelectAll keys={rows.map(rowKey)} selection={selection} /></td>}
						{columns.map((c) => (
							<th scope="col" key={c.key} class={classes(c)} aria-sort={ariaSort(sort, c.sort)}>
								{c.sort && onSort ? <SortHead column={c} sort={sort ?? ''} onSort={onSort} /> : c.label}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={rowKey(row)}>
							{selection && (
								<td class="select">
									<input
										type="checkbox"
										aria-label={t('selectName', {name: selection.nameOf(rowKey(row))})}
										checked={selection.has(rowKey(row))}
										onChange={(e) => selection.put([rowKey(row)], e.currentTarget.checked)}
									/>
								</td>
							)}
							{columns.map((c, i) =>
								i === 0 ? (
									<th scope="row" key={c.key} class={classes(c)}>
										{c.render(row)}
									</th>
								) : (
									<td key={c.key} class={classes(c)}>
										{c.render(row)}
									</td>
								),
							)}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

/* Shown while contents are loading. */
export function Loading({what = t('loading')}: {what?: string}) {
	return (
		<p class="state" role="status">
			<span class="spinner" aria-hidden="true" /> {what}…
		</p>
	);
}

/* Shown when contents could not be loaded. */
export function Failed({error, again}: {error: unknown; again?: () => void}) {
	return (
		<div class="state failed" role="alert">
			<p>{explain(error)}</p>
			{again && (
				<button type="button" onClick={again}>
					{t('tryAgain')}
				</button>
			)}
		</div>
	);
}

/* Shown when there are no contents. */
export function Empty({children}: {children: ComponentChildren}) {
	return <div class="state">{children}</div>;
}

/* Previous and next page. */
export function Pager({onPrevious, onNext, children}: {
	onPrevious?: (() => void) | null;
	onNext?: (() => void) | null;
	children?: ComponentChildren;
}) {
	return (
		<nav class="pager" aria-label={t('pages')}>
			<button type="button" disabled={!onPrevious} onClick={() => onPrevious?.()}>
				{t('previous')}
			</button>
			<button type="button" disabled={!onNext} onClick={() => onNext?.()}>
				{t('next')}
			</button>
			<span class="quiet" role="status">
				{children}
			</span>
		</nav>
	);
}
