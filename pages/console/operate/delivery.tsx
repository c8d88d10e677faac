/* One delivery: its body and headers, each attempt, and a form to verify its signature. */
import {useState} from 'preact/hooks';
import {get} from '../api';
import {Failed, Loading, Table, type Column} from '../parts/table';
import {Time} from '../parts/text';
import {hrefOf} from '../route';
import {numberOf, t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {Code, Facts, prettyJson, useRefresh} from './bits';
import {attemptText, pathOf, type Attempt, type Delivery as DeliveryData} from './data';
import {RetryButton} from './deliveries';
import {DeliveryBadge} from './state';
import {VerifyForm} from './verifyform';

const REFRESH_MS = 2000;

const columns: Column<Attempt & {n: number}>[] = [
	{key: 'n', label: t('attempt'), render: (a) => a.n},
	{key: 'at', label: t('at'), render: (a) => <Time at={a.at} />},
	{key: 'outcome', label: t('outcome'), render: (a) => <bdi>{attemptText(a)}</bdi>},
	{key: 'took', label: t('took'), number: true, render: (a) => `${numberOf(a.durationMs)} ms`},
];

function Posted({delivery}: {delivery: DeliveryData}) {
	const [raw, setRaw] = useState(false);
	const {body} = delivery;
	const headers = [
		'content-type: application/json',
		`webhook-id: ${delivery.eventId}`,
		`webhook-timestamp: ${delivery.webhookTimestamp ?? t('attemptTime')}`,
		`webhook-signature: ${delivery.webhookSignature ?? t('onceAttempted')}`,
	];

	if (body == null) return <p class="quiet">{t('eventGone')}</p>;
	return (
		<>
			<h3>{t('headers')}</h3>
			<Code label={t('headers')} text={headers.join('\n')} />
			<div class="row between">
				<h3>{t('body')}</h3>
				<button type="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
					{t('asPosted')}
				</button>
			</div>
			<Code label={t('body')} text={raw ? body : prettyJson(body)} />
		</>
	);
}

export function Delivery({webhook, id}: {webhook: string; id: string}) {
	const loaded = useLoad(async (signal) => (await get<DeliveryData>(pathOf(webhook, 'deliveries', id), signal)).data, [webhook, id]);
	const {data, error, again} = loaded;

	useTitle(data ? data.eventType : t('delivery'));
	useRefresh(REFRESH_MS, loaded);
	if (!data) return error != null ? <Failed error={error} again={again} /> : <Loading what={t('loadingDelivery')} />;
	return (
		<>
			<p>
				<a href={hrefOf(['webhooks', webhook])}>{t('backToWebhook')}</a>
			</p>
			<div class="head">
				<h1 tabIndex={-1}>
					<bdi>{data.eventType}</bdi>
				</h1>
				<DeliveryBadge state={data.state} />
				<RetryButton webhook={webhook} delivery={id} onDone={again} />
			</div>
			<Facts
				facts={[
					[t('happened'), <Time at={data.createdAt} />],
					[t('nextAttempt'), <Time at={data.nextAttemptAt} />],
					[t('event'), <code>{data.eventId}</code>],
					[t('delivery'), <code>{data.id}</code>],
				]}
			/>
			<h2>{t('attempts')}</h2>
			{data.attempts.length ? (
				<Table caption={t('attempts')} columns={columns} rows={data.attempts.map((a, i) => ({...a, n: i + 1})).reverse()} rowKey={(a) => String(a.n)} />
			) : (
				<p class="quiet">{t('noneYetDone')}</p>
			)}
			<h2>{t('posted')}</h2>
			<Posted delivery={data} />
			<h2>{t('verifySignature')}</h2>
			<VerifyForm key={data.id} delivery={data} />
		</>
	);
}
