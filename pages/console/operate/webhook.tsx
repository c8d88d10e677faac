/* One webhook: its settings, its health, its actions, and its deliveries. */
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {call, get} from '../api';
import {Confirm, Dialog} from '../parts/dialog';
import {Field} from '../parts/field';
import {Failed, Loading} from '../parts/table';
import {Time, localText} from '../parts/text';
import {toast, toastError} from '../parts/toast';
import {go, hrefOf} from '../route';
import {useLoad, useTitle} from '../use';
import {Ago, Facts, SecretDialog, useRefresh} from './bits';
import {errorText, loadHealth, pathOf, type Health, type Subscription, type Webhook as WebhookData} from './data';
import {Deliveries} from './deliveries';
import {lagText, pendingText, WebhookState} from './state';

const REFRESH_MS = 2000;

async function loadWebhook(id: string, signal: AbortSignal): Promise<{webhook: WebhookData; health?: Health}> {
	const [webhook, health] = await Promise.all([get<WebhookData>(pathOf(id), signal), loadHealth(signal)]);
	return {webhook: webhook.data, health: health.get(id)};
}

/* A subscription in words. */
export function subscriptionText({eventType, filter = {}}: Subscription): string {
	const parts = [
		filter.groupId && `group ${filter.groupId}`,
		filter.objectType && `type ${filter.objectType}`,
		filter.path && `attribute ${filter.path[filter.path.length - 1]}`,
		filter.value !== undefined && `value ${typeof filter.value === 'string' ? filter.value : JSON.stringify(filter.value)}`,
	].filter(Boolean);
	return parts.length ? `${eventType} (${parts.join(', ')})` : eventType;
}

function WebhookFacts({webhook, health}: {webhook: WebhookData; health?: Health}) {
	const known: [string, ComponentChildren][] = health
		? [
				['Lag', lagText(health)],
				['Waiting', pendingText(health)],
				['Last delivered', <Ago at={health.lastDeliveredAt} />],
				[
					'Last failure',
					health.lastFailedAt ? (
						<>
							<Ago at={health.lastFailedAt} /> {errorText(health.lastError ?? '')}
						</>
					) : (
						'none'
					),
				],
				...(health.failingSince ? [['Failing since', <Time at={health.failingSince} />] as [string, ComponentChildren]] : []),
			]
		: [];
	return (
		<Facts
			facts={[
				['Address', <bdi class="mono long">{webhook.targetUrl}</bdi>],
				[
					'Events',
					<ul class="plainlist">
						{webhook.subscribedEvents.map((s, i) => (
							<li key={i}>
								<bdi>{subscriptionText(s)}</bdi>
							</li>
						))}
					</ul>,
				],
				['Signing secret', <code>{webhook.redactedSigningSecret}</code>],
				['Created', <Time at={webhook.createdAt} />],
				...known,
			]}
		/>
	);
}

function RecoverDialog({id, onDone, onClose}: {id: string; onDone: () => void; onClose: () => void}) {
	const [since, setSince] = useState(localText(Date.now() - 86400000));
	const [busy, setBusy] = useState(false);
	const recover = async () => {
		setBusy(true);
		try {
			const body = {since: new Date(since).toISOString()};
			const {data} = await call<{count: number; countIsEstimated?: boolean}>('POST', pathOf(id, 'recover'), {body});
			toast(`${data.countIsEstimated ? 'About ' : ''}${data.count.toLocaleString()} ${data.count === 1 ? 'event is' : 'events are'} sent again.`);
			onDone();
			onClose();
		} catch (error) {
			toastError(error, 'Recover');
			setBusy(false);
		}
	};

	return (
		<Dialog title="Recover" onClose={busy ? undefined : onClose}>
			<form
				onSubmit={(e) => {
					e.preventDefault();
					void recover();
				}}
			>
				<div class="body">
					<p>This sends again all events since then that were not delivered: deliveries that failed, were cancelled or wait for their next attempt, and events that the webhook missed.</p>
					<Field label="Since">
						{(props) => <input {...props} type="datetime-local" required value={since} onInput={(e) => setSince(e.currentTarget.value)} />}
					</Field>
				</div>
				<footer>
					<button type="button" onClick={onClose} disabled={busy}>
						Cancel
					</button>
					<button type="submit" class="primary" disabled={busy || !since}>
						Send again
					</button>
				</footer>
			</form>
		</Dialog>
	);
}

type Asking = 'rotate' | 'recover' | 'delete' | null;

function Actions({webhook, onChanged}: {webhook: WebhookData; onChanged: () => void}) {
	const [asking, setAsking] = useState<Asking>(null);
	const [secret, setSecret] = useState('');
	const [busy, setBusy] = useState(false);
	const active = webhook.status === 'active';
	const act = async (what: string, work: () => Promise<unknown>, done: string) => {
		setBusy(true);
		try {
			await work();
			toast(done);
			onChanged();
		} catch (error) {
			toastError(error, what);
		}
		setBusy(false);
	};
	const status = active ? 'inactive' : 'active';

	return (
		<div class="row operate">
			<button type="button" disabled={busy || !active} onClick={() => act('Test', () => call('POST', pathOf(webhook.id, 'test')), 'A test event is being sent.')}>
				Send a test
			</button>
			<button
				type="button"
				disabled={busy}
				onClick={() => act(active ? 'Pause' : 'Resume', () => call('PATCH', pathOf(webhook.id), {body: {status}}), active ? 'Paused.' : 'Resumed. Events that it missed in the last 72 hours are sent.')}
			>
				{active ? 'Pause' : 'Resume'}
			</button>
			<a class="button" href={hrefOf(['webhooks', webhook.id, 'edit'])}>
				Edit
			</a>
			<button type="button" disabled={!active} onClick={() => setAsking('recover')}>
				Recover…
			</button>
			<button type="button" onClick={() => setAsking('rotate')}>
				Rotate secret…
			</button>
			<button type="button" class="danger" onClick={() => setAsking('delete')}>
				Delete…
			</button>
			{asking === 'recover' && <RecoverDialog id={webhook.id} onDone={onChanged} onClose={() => setAsking(null)} />}
			{asking === 'rotate' && (
				<Confirm
					title="Rotate the signing secret"
					action="Rotate"
					onClose={() => setAsking(null)}
					onConfirm={async () => {
						const {data} = await call<WebhookData>('POST', pathOf(webhook.id, 'rotate-secret'));
						setAsking(null);
						setSecret(data.signingSecret ?? '');
						onChanged();
					}}
				>
					<p>From now on deliveries are signed with a new secret. For 24 hours they are signed with the current one, too.</p>
				</Confirm>
			)}
			{asking === 'delete' && (
				<Confirm
					title="Delete the webhook"
					action="Delete"
					danger
					onClose={() => setAsking(null)}
					onConfirm={async () => {
						await call('DELETE', pathOf(webhook.id));
						toast('Deleted.');
						go(['webhooks'], undefined, true);
					}}
				>
					<p>
						Nothing more is sent to <bdi class="mono long">{webhook.targetUrl}</bdi>, and what was sent is forgotten.
					</p>
				</Confirm>
			)}
			{secret && <SecretDialog title="The new signing secret" label="Signing secret" secret={secret} onClose={() => setSecret('')} />}
		</div>
	);
}

export function Webhook({id}: {id: string}) {
	const loaded = useLoad((signal) => loadWebhook(id, signal), [id]);
	const {data, error, again} = loaded;
	const [version, setVersion] = useState(0);
	const changed = () => {
		again();
		setVersion((n) => n + 1);
	};

	useTitle(data ? data.webhook.name : 'Webhook');
	useRefresh(REFRESH_MS, loaded);
	if (!data) return error != null ? <Failed error={error} again={again} /> : <Loading what="Loading the webhook" />;
	return (
		<>
			<p>
				<a href={hrefOf(['webhooks'])}>‹ Webhooks</a>
			</p>
			<div class="head">
				<h1 tabIndex={-1}>
					<bdi>{data.webhook.name}</bdi>
				</h1>
				<WebhookState webhook={data.webhook} health={data.health} />
			</div>
			{data.health ? <Actions webhook={data.webhook} onChanged={changed} /> : <p class="quiet">Only its creator and admins may change it and see its deliveries.</p>}
			<WebhookFacts webhook={data.webhook} health={data.health} />
			{data.health && <Deliveries webhook={id} version={version} />}
		</>
	);
}
