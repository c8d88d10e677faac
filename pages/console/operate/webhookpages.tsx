/* The pages of webhooks by their address: the table, one of them, its deliveries, the form. */
import type {Route} from '../route';
import {Delivery} from './delivery';
import {WebhookForm} from './form';
import {Webhook} from './webhook';
import {Webhooks} from './webhooks';

export function WebhookPages({route}: {route: Route}) {
	const [, id, part] = route.path;

	if (!id) return <Webhooks />;
	if (id === 'new') return <WebhookForm key="new" id={null} />;
	if (part === 'edit') return <WebhookForm key={id} id={id} />;
	return part ? <Delivery key={part} webhook={id} id={part} /> : <Webhook key={id} id={id} />;
}
