/* The file of refused records: as they were, with the reason. It can be corrected and imported. */
import {saveFile} from '../records/exporting';
import type {Source} from './importfile';
import type {RefusedEntry} from './importwork';

function cellOf(text: string, delimiter: string): string {
	return text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/* kith's own files have an apostrophe before formulas; others stay as they were. */
const ownCell = (text: string) => (/^[=@\t\r']|^[+-](?![\d\s().\/;-]*$)/.test(text) ? `'${text}` : text);

function csvOf(source: Source, refused: RefusedEntry[]): string[] {
	const line = (cells: string[]) => `${cells.map((cell) => cellOf(cell, source.delimiter)).join(source.delimiter)}\n`;
	const again = source.columns.indexOf('_refused');
	const without = (cells: string[]) => cells.filter((_, i) => i !== again);
	return [
		line([...without(source.columns), '_refused']),
		...refused.map(({entry, why}) => {
			const cells = source.columns.map(() => '');
			for (const {column, text} of entry.values) cells[column] = source.ours ? ownCell(text) : text;
			return line([...without(cells), `line ${entry.line}: ${why}`]);
		}),
	];
}

function ndjsonOf(refused: RefusedEntry[]): string[] {
	return refused.map(({entry, body, why}) => {
		const rest = entry.object ?? (entry.raw === undefined ? body : {_line: entry.raw});
		return `${JSON.stringify({...rest, _refused: `line ${entry.line}: ${why}`})}\n`;
	});
}

export function saveRefused(source: Source, refused: RefusedEntry[]): void {
	if (source.format === 'csv') saveFile(`${source.name}.refused.csv`, 'text/csv', ['\ufeff', ...csvOf(source, refused)]);
	else saveFile(`${source.name}.refused.ndjson`, 'application/x-ndjson', ndjsonOf(refused));
}
