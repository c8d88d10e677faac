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
import {T, countText, t} from '../texts/text';
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
		filter.groupId && t('groupIs', {id: filter.groupId}),
		filter.objectType && t('typeIs', {name: filter.objectType}),
		filter.path && t('attributeIs', {name: filter.path[filter.path.length - 1] ?? ''}),
		filter.value !== undefined && t('valueIs', {value: typeof filter.value === 'string' ? filter.value : JSON.stringify(filter.value)}),
	].filter(Boolean);
	return parts.length ? `${eventType} (${parts.join(', ')})` : eventType;
}

function WebhookFacts({webhook, health}: {webhook: WebhookData; health?: Health}) {
	const known: [string, ComponentChildren][] = health
		? [
				[t('lag'), lagText(health)],
				[t('waiting'), pendingText(health)],
				[t('lastDelivered'), <Ago at={health.lastDeliveredAt} />],
				[
					t('lastFailure'),
					health.lastFailedAt ? (
						<>
							<Ago at={health.lastFailedAt} /> {errorText(health.lastError ?? '')}
						</>
					) : (
						t('none')
					),
				],
				...(health.failingSince ? [[t('failingSince'), <Time at={health.failingSince} />] as [string, ComponentChildren]] : []),
			]
		: [];
	return (
		<Facts
			facts={[
				[t('address'), <bdi class="mono long">{webhook.targetUrl}</bdi>],
				[
					t('events'),
					<ul class="plainlist">
						{webhook.subscribedEvents.map((s, i) => (
							<li key={i}>
								<bdi>{subscriptionText(s)}</bdi>
							</li>
						))}
					</ul>,
				],
				[t('signingSecret'), <code>{webhook.redactedSigningSecret}</code>],
				[t('created'), <Time at={webhook.createdAt} />],
				[t('createdBy'), <bdi>{webhook.createdBy.fullName || webhook.createdBy.email}</bdi>],
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
			toast(t('eventsSentAgain', {n: data.count, count: countText(data.count, data.countIsEstimated)}));
			onDone();
			onClose();
		} catch (error) {
			toastError(error, t('recover'));
			setBusy(false);
		}
	};

	return (
		<Dialog title={t('recover')} onClose={busy ? undefined : onClose}>
			<form
				onSubmit={(e) => {
					e.preventDefault();
					void recover();
				}}
			>
				<div class="body">
					<p>{t('recoverText')}</p>
					<Field label={t('since')}>
						{(props) => <input {...props} type="datetime-local" required value={since} onInput={(e) => setSince(e.currentTarget.value)} />}
					</Field>
				</div>
				<footer>
					<button type="button" onClick={onClose} disabled={busy}>
						{t('cancel')}
					</button>
					<button type="submit" class="primary" disabled={busy || !since}>
						{t('sendAgain')}
					</button>
				</footer>
			</form>
		</Dialog>
	);
}

type Asking = 'rotate' | 'recover' | 'delete' | null;

function Actions({webhook, onChanged}: {webhook: WebhookData; onChanged: () => void}) {
	const [asking, setAsking] = useState<Asking>(null);
	const [secret, setSecret] = useState<string | null>(null);
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
			<button type="button" disabled={busy || !active} onClick={() => act(t('test'), () => call('POST', pathOf(webhook.id, 'test')), t('testSent'))}>
				{t('sendTest')}
			</button>
			<button
				type="button"
				disabled={busy}
				onClick={() => act(active ? t('pause') : t('resume'), () => call('PATCH', pathOf(webhook.id), {body: {status}}), active ? t('pausedDone') : t('resumedDone'))}
			>
				{active ? t('pause') : t('resume')}
			</button>
			<a class="button" data-key="e" href={hrefOf(['webhooks', webhook.id, 'edit'])}>
				{t('edit')}
			</a>
			<button type="button" disabled={!active} onClick={() => setAsking('recover')}>
				{t('recoverMore')}
			</button>
			<button type="button" onClick={() => setAsking('rotate')}>
				{t('rotateSecret')}
			</button>
			<button type="button" class="danger" onClick={() => setAsking('delete')}>
				{t('deleteMore')}
			</button>
			{asking === 'recover' && <RecoverDialog id={webhook.id} onDone={onChanged} onClose={() => setAsking(null)} />}
			{asking === 'rotate' && (
				<Confirm
					title={t('rotateTitle')}
					action={t('rotate')}
					onClose={() => setAsking(null)}
					onConfirm={async () => {
						const {data} = await call<WebhookData>('POST', pathOf(webhook.id, 'rotate-secret'));
						setAsking(null);
						setSecret(data.signingSecret ?? '');
						onChanged();
					}}
				>
					<p>{t('rotateText')}</p>
				</Confirm>
			)}
			{asking === 'delete' && (
				<Confirm
					title={t('deleteWebhook')}
					action={t('delete')}
					danger
					onClose={() => setAsking(null)}
					onConfirm={async () => {
						await call('DELETE', pathOf(webhook.id));
						toast(t('deletedDone'));
						go(['webhooks'], undefined, true);
					}}
				>
					<p>
						<T text="nothingMoreSent" url={<bdi class="mono long">{webhook.targetUrl}</bdi>} />
					</p>
				</Confirm>
			)}
			{secret !== null && <SecretDialog title={t('newSecret')} label={t('signingSecret')} secret={secret} onClose={() => setSecret(null)} />}
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

	useTitle(data ? data.webhook.name : t('webhook'));
	useRefresh(REFRESH_MS, loaded);
	if (!data) return error != null ? <Failed error={error} again={again} /> : <Loading what={t('loadingWebhook')} />;
	return (
		<>
			<p>
				<a href={hrefOf(['webhooks'])}>{t('backToWebhooks')}</a>
			</p>
			<div class="head">
				<h1 tabIndex={-1}>
					<bdi>{data.webhook.name}</bdi>
				</h1>
				<WebhookState webhook={data.webhook} health={data.health} />
			</div>
			{data.health ? <Actions webhook={data.webhook} onChanged={changed} /> : <p class="quiet">{t('onlyCreator')}</p>}
			<WebhookFacts webhook={data.webhook} health={data.health} />
			{data.health && <Deliveries webhook={id} version={version} />}
		</>
	);
}
