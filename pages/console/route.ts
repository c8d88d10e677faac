/* The address: #/people/per_…?q=ada. Segments are percent-encoded. */
import {useEffect, useState} from 'preact/hooks';

export interface Route {
	path: string[];
	query: URLSearchParams;
	/* As written in the address. */
	text: string;
}

/* A text that is not encoded correctly stays as it is. */
export function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

export function readRoute(): Route {
	const text = location.hash.replace(/^#\/?/, '');
	const mark = text.indexOf('?');
	const path = (mark < 0 ? text : text.slice(0, mark)).split('/').filter(Boolean).map(decoded);

	return {path, query: new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1)), text};
}

export function hrefOf(path: string[], query?: URLSearchParams | Record<string, string>): string {
	const q = query ? new URLSearchParams(query).toString() : '';
	return `#/${path.map(encodeURIComponent).join('/')}${q ? `?${q}` : ''}`;
}

export function go(path: string[], query?: URLSearchParams | Record<string, string>, replace = false): void {
	const href = hrefOf(path, query);
	if (!replace) location.hash = href;
	else if (location.hash !== href) {
		history.replaceState(null, '', href);
		window.dispatchEvent(new HashChangeEvent('hashchange'));
	}
}

export function useRoute(): Route {
	const [route, setRoute] = useState(readRoute);
	const [first] = useState(location.hash);

	useEffect(() => {
		const changed = () => setRoute(readRoute());
		window.addEventListener('hashchange', changed);
		if (location.hash !== first) changed(); /* between the first drawing and now */
		return () => window.removeEventListener('hashchange', changed);
	}, []);
	return route;
}
