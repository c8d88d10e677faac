/* The table of webhooks with their health. */
import {listAll} from '../api';
import {Empty, Failed, Loading, Table, type Column} from '../parts/table';
import {hrefOf} from '../route';
import {t} from '../texts/text';
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
		label: t('name'),
		render: ({webhook}) => (
			<a href={hrefOf(['webhooks', webhook.id])}>
				<bdi>{webhook.name}</bdi>
			</a>
		),
	},
	{key: 'state', label: t('state'), render: (r) => <WebhookState webhook={r.webhook} health={r.health} />},
	{key: 'url', label: t('address'), minor: true, render: ({webhook}) => <bdi class="mono long">{webhook.targetUrl}</bdi>},
	{key: 'by', label: t('createdBy'), minor: true, render: ({webhook}) => <bdi>{webhook.createdBy.fullName || webhook.createdBy.email}</bdi>},
	{key: 'lag', label: t('lag'), number: true, render: (r) => lagText(r.health)},
	{key: 'pending', label: t('waiting'), number: true, render: (r) => pendingText(r.health)},
	{key: 'delivered', label: t('lastDelivered'), minor: true, render: (r) => (r.health ? <Ago at={r.health.lastDeliveredAt} /> : '–')},
	{
		key: 'failed',
		label: t('lastFailure'),
		render: ({health}) =>
			!health ? (
				'–'
			) : health.lastFailedAt ? (
				<>
					<Ago at={health.lastFailedAt} /> <span class="quiet">{errorText(health.lastError ?? '')}</span>
				</>
			) : (
				<span class="quiet">{t('none')}</span>
			),
	},
];

export function Webhooks() {
	const loaded = useLoad(loadRows, []);
	const {data, error, again} = loaded;

	useTitle(t('webhooks'));
	useRefresh(REFRESH_MS, loaded);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('webhooks')}</h1>
				<a class="button primary" data-key="n" href={hrefOf(['webhooks', 'new'])}>
					{t('newWebhook')}
				</a>
			</div>
			{error != null && <Failed error={error} again={again} />}
			{!data && error == null && <Loading what={t('loadingWebhooks')} />}
			{data && !data.length && (
				<Empty>
					<p>{t('noWebhooks')}</p>
				</Empty>
			)}
			{data && data.length > 0 && <Table caption={t('webhooks')} columns={columns} rows={data} rowKey={(r) => r.webhook.id} />}
		</>
	);
}
