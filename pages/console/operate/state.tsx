/* States of webhooks and deliveries. */
import {Badge, spanText, type Tone} from './bits';
import type {DeliveryState, Health, Webhook} from './data';

export function WebhookState({webhook, health}: {webhook: Webhook; health?: Health}) {
	if (webhook.status === 'inactive')
		return health?.failingSince ? <Badge tone="bad">Stopped after failures</Badge> : <Badge tone="quiet">Paused</Badge>;
	return health?.state === 'failing' ? <Badge tone="bad">Failing</Badge> : <Badge tone="good">Active</Badge>;
}

const tones: Record<DeliveryState, Tone> = {pending: 'warn', delivered: 'good', failed: 'bad', cancelled: 'quiet'};

export function DeliveryBadge({state}: {state: DeliveryState}) {
	return <Badge tone={tones[state] ?? 'quiet'}>{state}</Badge>;
}

export function lagText(health: Health | undefined): string {
	if (!health) return '–';
	return health.lagSeconds < 2 && !health.pending ? 'none' : spanText(health.lagSeconds);
}

export function pendingText(health: Health | undefined): string {
	if (!health) return '–';
	return health.pending >= 10000 ? 'over 10,000' : health.pending.toLocaleString();
}
