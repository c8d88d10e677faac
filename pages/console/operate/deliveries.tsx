/* The deliveries of a webhook, by state, the newest first. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {SelectField} from '../parts/field';
import {Empty, Failed, Loading, Pager, Table, type Column} from '../parts/table';
import {Time} from '../parts/text';
import {toast, toastError} from '../parts/toast';
import {hrefOf} from '../route';
import {useLoad} from '../use';
import {useRefresh} from './bits';
import {attemptText, loadDeliveries, pathOf, type Delivery, type DeliveryState} from './data';
import {DeliveryBadge} from './state';

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
			toast('The delivery is sent again.');
			onDone();
		} catch (error) {
			toastError(error, 'Retry');
		}
		setBusy(false);
	};

	return (
		<button type="button" disabled={busy} aria-label={name} onClick={retry}>
			Retry
		</button>
	);
}

function columnsOf(webhook: string, onDone: () => void): Column<Delivery>[] {
	const last = ({attempts}: Delivery) => attempts[attempts.length - 1];
	return [
		{
			key: 'event',
			label: 'Event',
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
		{key: 'state', label: 'State', render: (d) => <DeliveryBadge state={d.state} />},
		{key: 'attempts', label: 'Attempts', number: true, minor: true, render: (d) => d.attempts.length},
		{key: 'last', label: 'Last attempt', render: (d) => (last(d) ? <bdi>{attemptText(last(d)!)}</bdi> : <span class="quiet">none yet</span>)},
		{key: 'next', label: 'Next attempt', minor: true, render: (d) => <Time at={d.nextAttemptAt} />},
		{
			key: 'do',
			label: 'Action',
			render: (d) => (d.state === 'delivered' ? null : <RetryButton webhook={webhook} delivery={d.id} name={`Retry ${d.eventType} of ${d.createdAt}`} onDone={onDone} />),
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
				<h2 id="deliveries">Deliveries</h2>
				<SelectField
					label="State"
					value={state}
					onChange={(value) => {
						setState(value);
						setCursors([]);
					}}
					options={[{value: '', label: 'All'}, ...states.map((value) => ({value, label: value}))]}
				/>
			</div>
			{error != null && <Failed error={error} again={again} />}
			{!data && error == null && <Loading what="Loading deliveries" />}
			{data && !data.items.length && (
				<Empty>
					<p>{state ? `None is ${state}.` : 'Nothing was sent yet. “Send a test” sends an event only to this webhook.'}</p>
				</Empty>
			)}
			{data && data.items.length > 0 && (
				<Table caption="Deliveries" columns={columnsOf(webhook, again)} rows={data.items} rowKey={(d) => d.id} />
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
