/* The import page is loaded when it is opened: it has the headings of other programs. */
import {Failed, Loading} from '../parts/table';
import {session} from '../api';
import {toastError} from '../parts/toast';
import {go} from '../route';
import {t} from '../texts/text';
import {useLoad} from '../use';
import './import.css';

type Module = typeof import('./importpage');
let loaded: Promise<Module> | null = null;

function load(): Promise<Module> {
	loaded ??= import('./importpage');
	loaded.catch(() => (loaded = null));
	return loaded;
}

export function Import() {
	const page = useLoad(load, []);
	if (page.data) return <page.data.ImportPage />;
	return page.error ? <Failed error={page.error} again={page.again} /> : <Loading />;
}

/* A file that is dropped on any page is imported. The browser would leave the console and show the file. */
const hasFiles = (event: DragEvent) => !!event.dataTransfer?.types.includes('Files');

window.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
window.addEventListener('drop', (event) => {
	const file = event.dataTransfer?.files[0];
	if (!hasFiles(event)) return;
	event.preventDefault();
	if (!file || !session.user || document.querySelector('dialog[open]')) return;
	go(['import']);
	load().then((page) => page.takeFile(file), (error: unknown) => toastError(error, t('import')));
});
