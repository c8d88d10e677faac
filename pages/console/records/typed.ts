/* What was typed and not saved, by a name. It outlives a visit to other pages, and the window is not closed without a
 * question while there is any. */
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

interface Typed {
	text: string;
	put: (text: string) => void;
	/* Forgets what has been saved; what was typed since stays. */
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
