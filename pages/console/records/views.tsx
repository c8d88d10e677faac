/* Saved views: the links below each kind of records, and the dialog that saves, renames and deletes. */
import {useEffect, useState} from 'preact/hooks';
import {ApiError, call, explain, get, listAll, session} from '../api';
import {Dialog} from '../parts/dialog';
import {TextField} from '../parts/field';
import {toast, toastError} from '../parts/toast';
import {hrefOf} from '../route';
import {t} from '../texts/text';
import {type Asked, type SavedView, savedOf, writeAsked} from './asked';
import {type Kind, loadRole} from './kinds';
import {useLoad} from '../use';

/* --- the views that the user may see, read once and after each change --------------------------- */

let known: SavedView[] = [];
let answered = false; /* true also when reading them failed */
let reading: Promise<void> | null = null;
const watchers = new Set<(views: SavedView[]) => void>();

const publish = (views: SavedView[]): void => {
	known = views;
	answered = true;
	for (const fn of watchers) fn(known);
};

export function readViews(): Promise<void> {
	reading = listAll<SavedView>('/v1/views').then(publish);
	reading.catch(() => ((reading = null), publish(known)));
	return reading;
}

export function useViews(): {views: SavedView[]; known: boolean} {
	const [state, setState] = useState({views: known, known: answered});
	useEffect(() => {
		const put = (views: SavedView[]) => setState({views, known: answered});
		watchers.add(put);
		if (!reading) readViews().catch((error) => toastError(error, t('savedViews')));
		else put(known);
		return () => void watchers.delete(put);
	}, []);
	return state;
}

/* The view with that id, also if it is newer than the list. */
export const viewOf = async (id: string, signal: AbortSignal) => known.find((v) => v.id === id) ?? (await get<SavedView>(`/v1/views/${encodeURIComponent(id)}`, signal)).data;

/* The views that are lists or boards; reports have a page of their own. */
export const viewsOf = (views: SavedView[], kind: 'people' | 'companies' | 'objects', group?: string, type?: string) =>
	views.filter((v) => v.kind === kind && !v.chart && (kind !== 'objects' || (v.groupId === group && v.objectType === type)));

export function ViewLinks({views, path, here}: {views: SavedView[]; path: string[]; here: string}) {
	if (!views.length) return null;
	return (
		<ul class="views">
			{views.map((v) => (
				<li key={v.id}>
					<a href={hrefOf(path, {view: v.id})} aria-current={here === v.id ? 'true' : undefined} class="cut" title={v.name}>
						<bdi>{v.name}</bdi>
					</a>
				</li>
			))}
		</ul>
	);
}

/* --- saving ------------------------------------------------------------------------------------- */

/* Whether the caller may change a view. */
export function useMayChange(): (view: SavedView) => boolean {
	const role = useLoad(loadRole, []).data;
	return (view) => view.createdBy.id === session.user?.id || role === 'admin';
}

export function ViewDialog({kind, asked, view, onClose}: {kind: Kind; asked: Asked; view: SavedView | null; onClose: () => void}) {
	const [name, setName] = useState(view?.name ?? '');
	const [forAll, setForAll] = useState(view?.visibility === 'public');
	const [error, setError] = useState('');
	const [busy, setBusy] = useState(false);
	const mayChange = useMayChange();
	const mine = view !== null && mayChange(view);

	const write = async (run: () => Promise<Asked>) => {
		setBusy(true);
		setError('');
		try {
			const next = await run();
			await readViews();
			onClose();
			writeAsked(kind, next, true);
		} catch (e) {
			setBusy(false);
			if (e instanceof ApiError && e.issues.some((i) => i.path[0] === 'name')) setError(explain(e));
			else toastError(e, t('notSaved'));
		}
	};
	const save = (asNew: boolean) =>
		write(async () => {
			const visibility = forAll ? 'public' : 'private';
			const what = {name: name.trim(), visibility, ...savedOf(asked)};
			const place = kind.group ? {groupId: kind.group, objectType: kind.entity} : {};
			const {data} = asNew
				? await call<SavedView>('POST', '/v1/views', {body: {...what, kind: kind.name, ...place}})
				: await call<SavedView>('PATCH', `/v1/views/${view!.id}`, {body: what});
			toast(t('viewSaved', {name: data.name}));
			return {...asked, view: data.id};
		});
	const remove = () =>
		write(async () => {
			await call('DELETE', `/v1/views/${view!.id}`);
			toast(t('deletedDone'));
			return {...asked, view: ''};
		});

	return (
		<Dialog title={view ? t('viewName', {name: view.name}) : t('saveView')} onClose={busy ? undefined : onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					void save(!mine);
				}}
			>
				<div class="body">
					<TextField label={t('name')} value={name} onInput={setName} error={error} maxLength={255} required autoFocus />
					<label class="check">
						<input type="checkbox" checked={forAll} onChange={(e) => setForAll(e.currentTarget.checked)} /> {t('forEverybody')}
					</label>
				</div>
				<footer>
					{mine && <button type="button" class="danger" disabled={busy} onClick={remove}>{t('deleteView')}</button>}
					<button type="button" onClick={onClose} disabled={busy}>{t('cancel')}</button>
					{mine && <button type="button" disabled={busy || !name.trim()} onClick={() => void save(true)}>{t('saveAsNew')}</button>}
					<button class="primary" disabled={busy || !name.trim()}>{busy ? t('saving') : t('save')}</button>
				</footer>
			</form>
		</Dialog>
	);
}
