/* Hooks shared by all sections. */
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {session, watchSession, type Session} from './api';

export interface Loaded<T> {
	data: T | null;
	error: unknown;
	/* True also while newer data is loading. */
	loading: boolean;
	/* Loads again. */
	again: () => void;
}

/* Loads when deps change and on request; requests that are no longer needed are aborted. The old data stays until the new data
 * has arrived, unless deps changed. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, deps: unknown[]): Loaded<T> {
	const [state, setState] = useState<{data: T | null; error: unknown; loading: boolean}>({
		data: null,
		error: null,
		loading: true,
	});
	const [n, setN] = useState(0);
	const key = JSON.stringify(deps);
	const last = useRef(key);

	useEffect(() => {
		const stop = new AbortController();
		const keep = last.current === key;
		last.current = key;
		setState((s) => ({data: keep ? s.data : null, error: null, loading: true}));
		load(stop.signal).then(
			(data) => stop.signal.aborted || setState({data, error: null, loading: false}),
			(error) => stop.signal.aborted || setState((s) => ({data: s.data, error, loading: false})),
		);
		return () => stop.abort();
	}, [key, n]);
	return {...state, again: useCallback(() => setN((i) => i + 1), [])};
}

/* The session; renders again when it changes. */
export function useSession(): Session {
	const [copy, setCopy] = useState({...session});
	useEffect(() => watchSession(() => setCopy({...session})), []);
	return copy;
}

/* Follows a value when it has not changed for ms. */
export function useRested<T>(value: T, ms = 250): T {
	const [rested, setRested] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setRested(value), ms);
		return () => clearTimeout(timer);
	}, [value, ms]);
	return rested;
}

let ids = 0;
/* An id for an element, the same in all renderings. */
export function useName(prefix: string): string {
	const ref = useRef('');
	if (!ref.current) ref.current = `${prefix}-${++ids}`;
	return ref.current;
}

/* The title of the window while the component is shown. */
export function useTitle(title: string): void {
	useEffect(() => {
		document.title = title ? `${title} · kith` : 'kith';
	}, [title]);
}
