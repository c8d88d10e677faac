/* The keys of the console. They do nothing while somebody types or a dialog is open. A button or link that a letter presses has
 * the attribute data-key. */
import {useEffect, useRef} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {go} from '../route';
import {t} from '../texts/text';
import {Palette} from './palette';
import {places} from './places';

const SECOND_MS = 1500; /* between "g" and the letter */

/* What the help lists besides the places. */
const keys: [string, string][] = [
	[t('ctrlK'), t('keyPalette')],
	['/', t('keySearch')],
	['↑ ↓', t('keyRows')],
	['Enter', t('keyOpen')],
	['e', t('keyEdit')],
	['n', t('keyNew')],
	['?', t('keyHelp')],
];

const isTyped = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/* Moves the focus to the link or button of another row of the table, or to the first card of a board, which has its own arrows. */
function moveRow(by: number): boolean {
	const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')];
	const at = rows.findIndex((row) => row.contains(document.activeElement));
	const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];

	if (!rows.length) {
		const card = document.querySelector<HTMLElement>('main .board [data-card][tabindex="0"]');
		card?.focus();
		return card !== null;
	}
	next?.querySelector<HTMLElement>('a, button')?.focus();
	return true;
}

function press(letter: string): boolean {
	const target = document.querySelector<HTMLElement>(`main [data-key="${letter}"]`);
	target?.click();
	return !!target;
}

function Help({onClose}: {onClose: () => void}) {
	const rows = [...keys, ...places.filter(({key}) => key).map(({key, label}): [string, string] => [`g ${key}`, label])];
	return (
		<Dialog title={t('keyboard')} onClose={onClose}>
			<div class="body">
				<dl class="facts">
					{rows.map(([key, what]) => (
						<div key={key}>
							<dt><kbd>{key}</kbd></dt>
							<dd>{what}</dd>
						</div>
					))}
				</dl>
			</div>
		</Dialog>
	);
}

export type Opened = 'palette' | 'help' | null;

export function Keyboard({open, setOpen}: {open: Opened; setOpen: (open: Opened) => void}) {
	const went = useRef(-Infinity); /* when "g" was pressed */

	useEffect(() => {
		const search = () => {
			const box = document.querySelector<HTMLInputElement>('main input[type=search]');
			box?.focus();
			box?.select();
			if (!box) setOpen('palette');
			return true;
		};
		/* Returns whether the key means something here. */
		const take = (key: string): boolean => {
			const place = performance.now() - went.current < SECOND_MS ? places.find((p) => p.key === key) : undefined;
			went.current = key === 'g' ? performance.now() : -Infinity;
			if (place) go(place.path);
			if (place || key === 'g') return true;
			if (key === '/') return search();
			if (key === '?') setOpen('help');
			if (key === 'ArrowDown' || key === 'ArrowUp') return moveRow(key === 'ArrowDown' ? 1 : -1);
			return key === '?' || (/^[en]$/.test(key) && press(key));
		};
		const onKeyDown = (event: KeyboardEvent) => {
			if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
			if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
				event.preventDefault();
				return setOpen('palette');
			}
			if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event.target)) return;
			if (take(event.key)) event.preventDefault();
		};
		window.addEventListener('keydown', onKeyDown);
		return () => window.removeEventListener('keydown', onKeyDown);
	}, []);
	if (open === 'palette') return <Palette onClose={() => setOpen(null)} />;
	return open === 'help' ? <Help onClose={() => setOpen(null)} /> : null;
}
