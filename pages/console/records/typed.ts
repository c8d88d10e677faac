/* Unsaved texts, by a name. They are kept while the user visits other pages. While there are any, closing the window asks
 * first. */
import {useState} from 'preact/hooks';

const kept = new Map<string, unknown>();

window.addEventListener('beforeunload', (event) => {
	if (kept.size) event.preventDefault();
});

export const typedAt = <T>(name: string) => kept.get(name) as T | undefined;

/* undefined or '': nothing. */
export function keepTyped(name: string, value: unknown): void {
	if (value === undefined || value === '') kept.delete(name);
	else kept.set(name, value);
}

/* After a form has sent what was typed, its button is disabled and has lost the focus, which goes to the first field. */
export function focusAgain(form: HTMLFormElement): void {
	if (document.activeElement === document.body) form.querySelector<HTMLElement>('input, textarea')?.focus({preventScroll: true});
}

interface Typed {
	text: string;
	put: (text: string) => void;
	/* Forgets the text that was saved; what was typed since is kept. */
	saved: (text: string) => void;
}

export function useTyped(name: string): Typed {
	const [, draw] = useState(0);
	const put = (text: string) => {
		keepTyped(name, text);
		draw((n) => n + 1);
	};
	const saved = (text: string) => {
		if (typedAt(name) === text) put('');
	};
	return {text: typedAt<string>(name) ?? '', put, saved};
}
