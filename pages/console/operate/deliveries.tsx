/* The deliveries of a webhook, by state, the newest first. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {SelectField} from '../parts/field';
import {Empty, Failed, Loading, Pager, Table, type Column} from '../parts/table';
import {Time} from '../parts/text';
import {toast, toastError} from '../parts/toast';
import {hrefOf} from '../route';
import {t} from '../texts/text';
import {useLoad} from '../use';
import {useRefresh} from './bits';
import {attemptText, loadDeliveries, pathOf, type Delivery, type DeliveryState} from './data';
import {DeliveryBadge, stateText} from './state';

const LIMIT = 25;
const REFRESH_MS = 2000;
const states: DeliveryState[] = ['pending', 'delivered', 'failed', 'cancelled'];

/* name: of the button, where there are several. */
export function RetryButton({webhook, delivery, name, onDone}: {webhook: string; delivery: string; name?: string; onDone: () => void}) {
	const [busy, setBusy] = useState(false);
	const retry = async () => {
		setBusy(true);
		try {
			await call('POST', pathOf(webhook, 'deliveries', delivery, 'retry'));
			toast(t('sentAgain'));
			onDone();
		} catch (error) {
			toastError(error, t('retry'));
		}
		setBusy(false);
	};

	return (
		<button type="button" disabled={busy} aria-label={name} onClick={retry}>
			{t('retry')}
		</button>
	);
}

function columnsOf(webhook: string, onDone: () => void): Column<Delivery>[] {
	const last = ({attempts}: Delivery) => attempts[attempts.length - 1];
	return [
		{
			key: 'event',
			label: t('event'),
			render: (d) => (
				<>
					<a href={hrefOf(['webhooks', webhook, d.id])}>
						<bdi>{d.eventType}</bdi>
					</a>
					<div class="quiet">
						<Time at={d.createdAt} />
					</div>
				</>
			),
		},
		{key: 'state', label: t('state'), render: (d) => <DeliveryBadge state={d.state} />},
		{key: 'attempts', label: t('attempts'), number: true, minor: true, render: (d) => d.attempts.length},
		{key: 'last', label: t('lastAttempt'), render: (d) => (last(d) ? <bdi>{attemptText(last(d)!)}</bdi> : <span class="quiet">{t('noneYet')}</span>)},
		{key: 'next', label: t('nextAttempt'), minor: true, render: (d) => <Time at={d.nextAttemptAt} />},
		{
			key: 'do',
			label: t('action'),
			render: (d) => (d.state === 'delivered' ? null : <RetryButton webhook={webhook} delivery={d.id} name={t('retryName', {type: d.eventType, time: d.createdAt})} onDone={onDone} />),
		},
	];
}

/* A change of version loads the list again. */
export function Deliveries({webhook, version}: {webhook: string; version: number}) {
	const [state, setState] = useState('');
	const [cursors, setCursors] = useState<string[]>([]);
	const cursor = cursors[cursors.length - 1] ?? '';
	const loaded = useLoad((signal) => loadDeliveries(webhook, state, cursor, LIMIT, signal), [webhook, state, cursor, version]);
	const {data, error, again} = loaded;

	useRefresh(REFRESH_MS, loaded);
	return (
		<section aria-labelledby="deliveries">
			<div class="row between">
				<h2 id="deliveries">{t('deliveries')}</h2>
				<SelectField
					label={t('state')}
					value={state}
					onChange={(value) => {
						setState(value);
						setCursors([]);
					}}
					options={[{value: '', label: t('all')}, ...states.map((value) => ({value, label: stateText(value)}))]}
				/>
			</div>
			{error != null && <Failed error={error} again={again} />}
			{!data && error == null && <Loading what={t('loadingDeliveries')} />}
			{data && !data.items.length && (
				<Empty>
					<p>{state ? t('noneIs', {state: stateText(state as DeliveryState)}) : t('nothingSent')}</p>
				</Empty>
			)}
			{data && data.items.length > 0 && (
				<Table caption={t('deliveries')} columns={columnsOf(webhook, again)} rows={data.items} rowKey={(d) => d.id} />
			)}
			{data && (data.next || cursors.length > 0) && (
				<Pager
					onPrevious={cursors.length ? () => setCursors(cursors.slice(0, -1)) : null}
					onNext={data.next ? () => setCursors([...cursors, data.next!]) : null}
				/>
			)}
		</section>
	);
}
