/* The sections of the console besides records. A row here makes a link in the navigation and a page. */
import type {ComponentType} from 'preact';
import {Admin} from './operate/admin';
import {Events} from './operate/events';
import {Usage} from './operate/usage';
import {WebhookPages} from './operate/webhookpages';
import type {IconName} from './parts/icon';
import type {Route} from './route';

export interface Section {
	/* The first segment of its address. */
	id: string;
	label: string;
	icon: IconName;
	page: ComponentType<{route: Route}>;
}

export const sections: Section[] = [
	{id: 'webhooks', label: 'Webhooks', icon: 'webhooks', page: WebhookPages},
	{id: 'events', label: 'Events', icon: 'events', page: Events},
	{id: 'usage', label: 'Usage', icon: 'usage', page: Usage},
	{id: 'admin', label: 'Users and keys', icon: 'admin', page: Admin},
];
