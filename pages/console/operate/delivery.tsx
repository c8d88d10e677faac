/* One delivery: its body and headers, each attempt, and a form to verify its signature. */
import {useState} from 'preact/hooks';
import {get} from '../api';
import {Failed, Loading, Table, type Column} from '../parts/table';
import {Time} from '../parts/text';
import {hrefOf} from '../route';
import {useLoad, useTitle} from '../use';
import {Code, Facts, prettyJson, useRefresh} from './bits';
import {attemptText, pathOf, type Attempt, type Delivery as DeliveryData} from './data';
import {RetryButton} from './deliveries';
import {DeliveryBadge} from './state';
import {VerifyForm} from './verifyform';

const REFRESH_MS = 2000;

const columns: Column<Attempt & {n: number}>[] = [
	{key: 'n', label: 'Attempt', render: (a) => a.n},
	{key: 'at', label: 'At', render: (a) => <Time at={a.at} />},
	{key: 'outcome', label: 'Outcome', render: (a) => <bdi>{attemptText(a)}</bdi>},
	{key: 'took', label: 'Took', number: true, render: (a) => `${a.durationMs.toLocaleString()} ms`},
];

function Posted({delivery}: {delivery: DeliveryData}) {
	const [raw, setRaw] = useState(false);
	const {body} = delivery;
	const headers = [
		'content-type: application/json',
		`webhook-id: ${delivery.eventId}`,
		`webhook-timestamp: ${delivery.webhookTimestamp ?? '(the time of the attempt, in seconds)'}`,
		`webhook-signature: ${delivery.webhookSignature ?? '(v1,… once it was attempted)'}`,
	];

	if (body == null) return <p class="quiet">The event is no longer kept, or its webhook’s creator may not see it any more.</p>;
	return (
		<>
			<h3>Headers</h3>
			<Code label="Headers" text={headers.join('\n')} />
			<div class="row between">
				<h3>Body</h3>
				<button type="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
					As posted
				</button>
			</div>
			<Code label="Body" text={raw ? body : prettyJson(body)} />
		</>
	);
}

export function Delivery({webhook, id}: {webhook: string; id: string}) {
	const loaded = useLoad(async (signal) => (await get<DeliveryData>(pathOf(webhook, 'deliveries', id), signal)).data, [webhook, id]);
	const {data, error, again} = loaded;

	useTitle(data ? data.eventType : 'Delivery');
	useRefresh(REFRESH_MS, loaded);
	if (!data) return error != null ? <Failed error={error} again={again} /> : <Loading what="Loading the delivery" />;
	return (
		<>
			<p>
				<a href={hrefOf(['webhooks', webhook])}>‹ Webhook</a>
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
					['Happened', <Time at={data.createdAt} />],
					['Next attempt', <Time at={data.nextAttemptAt} />],
					['Event', <code>{data.eventId}</code>],
					['Delivery', <code>{data.id}</code>],
				]}
			/>
			<h2>Attempts</h2>
			{data.attempts.length ? (
				<Table caption="Attempts" columns={columns} rows={data.attempts.map((a, i) => ({...a, n: i + 1})).reverse()} rowKey={(a) => String(a.n)} />
			) : (
				<p class="quiet">None yet.</p>
			)}
			<h2>Posted</h2>
			<Posted delivery={data} />
			<h2>Verify the signature</h2>
			<VerifyForm key={data.id} delivery={data} />
		</>
	);
}
