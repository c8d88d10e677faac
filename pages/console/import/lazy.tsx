/* The import page is loaded when it is opened: it has the headings of other programs. */
import type {ComponentType} from 'preact';
import {Failed, Loading} from '../parts/table';
import {useLoad} from '../use';
import './import.css';

let loaded: Promise<{ImportPage: ComponentType}> | null = null;

function load(): Promise<{ImportPage: ComponentType}> {
	loaded ??= import('./importpage');
	loaded.catch(() => (loaded = null));
	return loaded;
}

export function Import() {
	const page = useLoad(load, []);
	if (page.data) return <page.data.ImportPage />;
	return page.error ? <Failed error={page.error} again={page.again} /> : <Loading />;
}
