/* States of webhooks and deliveries. */
import {numberOf, t} from '../texts/text';
import {Badge, spanText, type Tone} from './bits';
import type {DeliveryState, Health, Webhook} from './data';

export function WebhookState({webhook, health}: {webhook: Webhook; health?: Health}) {
	if (webhook.status === 'inactive')
		return health?.failingSince ? <Badge tone="bad">{t('stoppedAfterFailures')}</Badge> : <Badge tone="quiet">{t('paused')}</Badge>;
	return health?.state === 'failing' ? <Badge tone="bad">{t('failing')}</Badge> : <Badge tone="good">{t('active')}</Badge>;
}

const tones: Record<DeliveryState, Tone> = {pending: 'warn', delivered: 'good', failed: 'bad', cancelled: 'quiet'};

const stateTexts: Record<DeliveryState, string> = {
	pending: t('statePending'),
	delivered: t('stateDelivered'),
	failed: t('stateFailed'),
	cancelled: t('stateCancelled'),
};

export const stateText = (state: DeliveryState) => stateTexts[state] ?? state;

export function DeliveryBadge({state}: {state: DeliveryState}) {
	return <Badge tone={tones[state] ?? 'quiet'}>{stateText(state)}</Badge>;
}

export function lagText(health: Health | undefined): string {
	if (!health) return '–';
	return health.lagSeconds < 2 && !health.pending ? t('none') : spanText(health.lagSeconds);
}

/* The server counts no further. */
const PENDING_MAX = 10000;

export function pendingText(health: Health | undefined): string {
	if (!health) return '–';
	return health.pending >= PENDING_MAX ? t('overCount', {n: PENDING_MAX}) : numberOf(health.pending);
}
