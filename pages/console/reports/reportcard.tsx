/* A report with its figures, which are read when it is shown. */
import type {ComponentChildren} from 'preact';
import {Failed, Loading} from '../parts/table';
import {useLoad} from '../use';
import {ChartView} from './chart';
import {type Report, loadFigures} from './figures';
import type {Source} from './sources';

export function ReportChart({source, report}: {source: Source; report: Report}) {
	const {query, chart} = report;
	const asked = {...chart, form: chart.form === 'line'}; /* a line has points for empty months, too */
	const figures = useLoad((signal) => loadFigures(source, report, signal), [source.path, query, asked]);
	if (figures.error != null) return <Failed error={figures.error} again={figures.again} />;
	return figures.data ? <ChartView report={report} figures={figures.data} /> : <Loading />;
}

export function ReportCard({source, report, children}: {source: Source; report: Report; children: ComponentChildren}) {
	return (
		<section class="card" aria-label={report.name}>
			<div class="row between">
				<h3>{children}</h3>
				<small class="quiet cut"><bdi>{source.title}</bdi></small>
			</div>
			<ReportChart source={source} report={report} />
		</section>
	);
}
