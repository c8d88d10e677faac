/* The table of webhooks with their health. */
import {listAll} from '../api';
import {Empty, Failed, Loading, Table, type Column} from '../parts/table';
import {hrefOf} from '../route';
import {useLoad, useTitle} from '../use';
import {Ago, useRefresh} from './bits';
import {errorText, loadHealth, type Health, type Webhook} from './data';
import {lagText, pendingText, WebhookState} from './state';

interface Row {
	webhook: Webhook;
	health?: Health;
}

const REFRESH_MS = 5000;

async function loadRows(signal: AbortSignal): Promise<Row[]> {
	const [all, health] = await Promise.all([listAll<Webhook>('/v1/webhooks', 1000, signal), loadHealth(signal)]);
	return all.map((webhook) => ({webhook, health: health.get(webhook.id)}));
}

const columns: Column<Row>[] = [
	{
		key: 'name',
		label: 'Name',
		render: ({webhook}) => (
			<a href={hrefOf(['webhooks', webhook.id])}>
				<bdi>{webhook.name}</bdi>
			</a>
		),
	},
	{key: 'state', label: 'State', render: (r) => <WebhookState webhook={r.webhook} health={r.health} />},
	{key: 'url', label: 'Address', minor: true, render: ({webhook}) => <bdi class="mono long">{webhook.targetUrl}</bdi>},
	{key: 'lag', label: 'Lag', number: true, render: (r) => lagText(r.health)},
	{key: 'pending', label: 'Waiting', number: true, render: (r) => pendingText(r.health)},
	{key: 'delivered', label: 'Last delivered', minor: true, render: (r) => (r.health ? <Ago at={r.health.lastDeliveredAt} /> : '–')},
	{
		key: 'failed',
		label: 'Last failure',
		render: ({health}) =>
			!health ? (
				'–'
			) : health.lastFailedAt ? (
				<>
					<Ago at={health.lastFailedAt} /> <span class="quiet">{errorText(health.lastError ?? '')}</span>
				</>
			) : (
				<span class="quiet">none</span>
			),
	},
];

export function Webhooks() {
	const loaded = useLoad(loadRows, []);
	const {data, error, again} = loaded;

	useTitle('Webhooks');
	useRefresh(REFRESH_MS, loaded);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Webhooks</h1>
				<a class="button primary" href={hrefOf(['webhooks', 'new'])}>
					New webhook
				</a>
			</div>
			{error != null && <Failed error={error} again={again} />}
			{!data && error == null && <Loading what="Loading webhooks" />}
			{data && !data.length && (
				<Empty>
					<p>There are no webhooks. A webhook sends events to your own server as they happen.</p>
				</Empty>
			)}
			{data && data.length > 0 && <Table caption="Webhooks" columns={columns} rows={data} rowKey={(r) => r.webhook.id} />}
		</>
	);
}
