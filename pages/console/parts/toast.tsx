/* Short messages that disappear after some seconds; errors stay until they are closed. */
import {useEffect, useState} from 'preact/hooks';
import {explain} from '../api';
import {t} from '../texts/text';

/* A button of a message. */
interface Action {
	label: string;
	run: () => void;
}

interface Message {
	id: number;
	text: string;
	bad: boolean;
	/* Only said to screen readers, because the page shows it, too. */
	quiet?: boolean;
	action?: Action;
}

const SHOWN_MS = 5000;
const ACTION_MS = 15000; /* to undo something takes longer than to read it */

let messages: Message[] = [];
const shown = new Set<(all: Message[]) => void>();
let ids = 0;

function show(all: Message[]): void {
	messages = all;
	for (const fn of shown) fn(all);
}

const drop = (id: number) => show(messages.filter((m) => m.id !== id));

/* Shows that something was done; replaces the previous message of this kind. */
export function toast(text: string, action?: Action): void {
	const id = ++ids;
	show([...messages.filter((m) => m.bad), {id, text, bad: false, action}]);
	setTimeout(() => drop(id), action ? ACTION_MS : SHOWN_MS);
}

/* Says to screen readers that something was added, which others see in the page. Nothing covers it then. */
export function announce(text: string): void {
	const id = ++ids;
	show([...messages.filter((m) => m.bad), {id, text, bad: false, quiet: true}]);
	setTimeout(() => drop(id), SHOWN_MS);
}

/* Shows an error; an aborted request shows nothing. */
export function toastError(error: unknown, doing = ''): void {
	if (error instanceof DOMException && error.name === 'AbortError') return;
	show([...messages.slice(-3), {id: ++ids, text: `${doing ? `${doing}: ` : ''}${explain(error)}`, bad: true}]);
}

/* The messages. The page and each dialog show them, because a dialog covers the page. */
export function Toasts() {
	const [all, setAll] = useState(messages);

	useEffect(() => {
		setAll(messages);
		shown.add(setAll);
		return () => void shown.delete(setAll);
	}, []);
	const list = (bad: boolean) =>
		all
			.filter((m) => m.bad === bad)
			.map((m) => (
				<div class={m.quiet ? 'hidden' : `toast${m.bad ? ' bad' : ''}`} key={m.id}>
					<span>{m.text}</span>
					{m.action && (
						<button
							type="button"
							onClick={() => {
								drop(m.id);
								m.action!.run();
							}}
						>
							{m.action.label}
						</button>
					)}
					{!m.quiet && (
						<button type="button" class="plain" aria-label={t('closeMessage')} onClick={() => drop(m.id)}>
							×
						</button>
					)}
				</div>
			));
	return (
		<div class="toasts">
			<div role="status">{list(false)}</div>
			<div role="alert">{list(true)}</div>
		</div>
	);
}
