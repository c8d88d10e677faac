/* Export of what a table shows: all its pages are read, and the browser keeps the file. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {toastError} from '../parts/toast';
import type {Column} from '../parts/table';
import {t} from '../texts/text';
import {readMatching} from './bulkwork';
import {cellText} from './columns';
import type {Field, RecordData} from './fields';
import type {Query} from './filters';
import {type Kind, titleOf} from './kinds';

const CSV = 'CSV'; /* the same in all languages */
const NDJSON = 'NDJSON';
const EXPORT_MAX = 100000; /* records of a file, which is in memory until it is saved */

/* A cell as RFC 4180 has it. A text that a spreadsheet would take for a formula gets an apostrophe. */
function csvCell(text: string): string {
	const safe = /^[=@\t\r]|^[+-](?![\d\s().\/-]*$)/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const csvLine = (cells: string[]) => `${cells.map(csvCell).join(',')}\r\n`;

export function saveFile(name: string, type: string, parts: string[]): void {
	const url = URL.createObjectURL(new Blob(parts, {type}));
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 60000);
}

interface ExportProps {
	kind: Kind;
	query: Query;
	sort: string;
	columns: Column<RecordData>[];
	fields: Field[];
	onClose: () => void;
}

export function ExportDialog({kind, query, sort, columns, fields, onClose}: ExportProps) {
	const [n, setN] = useState<number | null>(null);
	const stop = useRef(new AbortController());

	useEffect(() => () => stop.current.abort(), []);
	const run = async (csv: boolean) => {
		const parts = csv ? ['\ufeff', csvLine(['id', ...columns.map((c) => c.label)])] : [];
		let read = 0;
		stop.current = new AbortController();
		setN(0);
		try {
			const more = await readMatching(kind, query, sort, EXPORT_MAX, stop.current.signal, (page) => {
				for (const row of page) {
					const cells = () => columns.map((c) => (c.key === 'name' ? titleOf(kind, row) : cellText(row, c.name ?? c.key, fields)));
					parts.push(csv ? csvLine([row.id, ...cells()]) : `${JSON.stringify(row)}\n`);
				}
				setN((read += page.length));
			});
			const day = new Date().toISOString().slice(0, 10);
			saveFile(`${kind.title}-${day}.${csv ? 'csv' : 'ndjson'}`, csv ? 'text/csv' : 'application/x-ndjson', parts);
			if (more) toastError(new Error(t('exportCut', {n: read})));
			onClose();
		} catch (error) {
			setN(null);
			toastError(error, t('export'));
		}
	};
	return (
		<Dialog title={t('exportWhat', {what: kind.title})} onClose={onClose}>
			<div class="body">
				<p>{t('exportAbout')}</p>
				{n !== null && <p role="status">{t('checkingMany', {n})}</p>}
			</div>
			<footer>
				<button type="button" onClick={onClose}>{t('cancel')}</button>
				<button type="button" disabled={n !== null} onClick={() => void run(false)}>{NDJSON}</button>
				<button type="button" class="primary" disabled={n !== null} onClick={() => void run(true)}>{CSV}</button>
			</footer>
		</Dialog>
	);
}
