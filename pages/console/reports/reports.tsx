/* The section Reports: saved aggregates, and some that are ready made. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {Confirm} from '../parts/dialog';
import {Empty, Failed, Loading} from '../parts/table';
import {toast} from '../parts/toast';
import type {SavedView} from '../records/asked';
import {readViews, useMayChange, useViews} from '../records/views';
import {type Route, go, hrefOf} from '../route';
import {t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import type {Report} from './figures';
import {type ReadyReport, readyReports} from './ready';
import {ReportCard, ReportChart} from './reportcard';
import {ReportForm, canEdit} from './reportform';
import {type Source, loadSources, sourceOfView} from './sources';

const reportOfView = (view: SavedView): Report => ({name: view.name, query: view.query, chart: view.chart!});

function ReportList({sources, views, ready}: {sources: Source[]; views: SavedView[]; ready: ReadyReport[]}) {
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('reports')}</h1>
				<a class="button primary" data-key="n" href={hrefOf(['reports', 'new'])}>{t('newReport')}</a>
			</div>
			{!views.length && !ready.length && <Empty><p>{t('noReports')}</p></Empty>}
			{views.length > 0 && <h2>{t('savedReports')}</h2>}
			<div class="reports">
				{views.map((view) => (
					<ReportCard key={view.id} source={sourceOfView(sources, view)!} report={reportOfView(view)}>
						<a href={hrefOf(['reports', view.id])}><bdi>{view.name}</bdi></a>
					</ReportCard>
				))}
			</div>
			{ready.length > 0 && <h2>{t('readyReports')}</h2>}
			<div class="reports">
				{ready.map((report, i) => (
					<ReportCard key={report.name} source={report.source} report={report}>
						<a href={hrefOf(['reports', 'new'], {ready: String(i)})}><bdi>{report.name}</bdi></a>
					</ReportCard>
				))}
			</div>
		</>
	);
}

function ReportPage({view, sources}: {view: SavedView; sources: Source[]}) {
	const [asking, setAsking] = useState(false);
	const mayChange = useMayChange();
	const remove = async () => {
		await call('DELETE', `/v1/views/${view.id}`);
		await readViews();
		toast(t('deletedDone'));
		go(['reports']);
	};
	return (
		<>
			<p class="crumbs"><a href={hrefOf(['reports'])}>{t('backToReports')}</a></p>
			<div class="head">
				<h1 tabIndex={-1}><bdi>{view.name}</bdi></h1>
				{mayChange(view) && canEdit(sources, view) && <a class="button" data-key="e" href={hrefOf(['reports', view.id, 'edit'])}>{t('edit')}</a>}
				{mayChange(view) && <button type="button" class="danger" onClick={() => setAsking(true)}>{t('delete')}</button>}
			</div>
			<section class="card" aria-label={view.name}><ReportChart source={sourceOfView(sources, view)!} report={reportOfView(view)} /></section>
			{asking && (
				<Confirm title={t('deleteName', {name: view.name})} action={t('delete')} danger onConfirm={remove} onClose={() => setAsking(false)}>
					<p>{t('deletesReport')}</p>
				</Confirm>
			)}
		</>
	);
}

export function Reports({route}: {route: Route}) {
	const sources = useLoad(loadSources, []);
	const {views: all} = useViews();
	const [, id, action] = route.path;
	const known = sources.data ?? [];
	const views = all.filter((v) => v.chart && sourceOfView(known, v));
	const view = views.find((v) => v.id === id);
	const ready = readyReports(known);

	useTitle(view?.name ?? t('reports'));
	if (sources.error != null || !sources.data)
		return (
			<>
				<h1 tabIndex={-1}>{t('reports')}</h1>
				{sources.error != null ? <Failed error={sources.error} again={sources.again} /> : <Loading />}
			</>
		);
	if (!id) return <ReportList sources={known} views={views} ready={ready} />;
	if (id !== 'new' && !view) return <><h1 tabIndex={-1}>{t('reports')}</h1><Empty><p>{t('noSuchReport')}</p><a href={hrefOf(['reports'])}>{t('backToReports')}</a></Empty></>;
	if (view && action !== 'edit') return <ReportPage key={view.id} view={view} sources={known} />;

	const begun = ready[Number(route.query.get('ready') ?? -1)] ?? null;
	const source = view ? sourceOfView(known, view)! : (begun?.source ?? known[0]!);
	return (
		<>
			<p class="crumbs"><a href={hrefOf(['reports'])}>{t('backToReports')}</a></p>
			<div class="head"><h1 tabIndex={-1}>{view ? t('editName', {name: view.name}) : t('newReport')}</h1></div>
			<ReportForm key={view?.id ?? route.text} sources={known} report={view ? reportOfView(view) : begun} source={source} view={view ?? null} />
		</>
	);
}
