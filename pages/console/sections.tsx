/* The sections of the console besides records. A row here makes a link in the navigation and a page. */
import type {ComponentType} from 'preact';
import {Activity} from './day/activity';
import {Today} from './day/today';
import {Import} from './import/lazy';
import {Account} from './operate/account';
import {Admin} from './operate/admin';
import {Events} from './operate/events';
import {Usage} from './operate/usage';
import {WebhookPages} from './operate/webhookpages';
import type {IconName} from './parts/icon';
import {DuplicatePages} from './records/alikepage';
import {Reports} from './reports/reports';
import type {Route} from './route';
import {SetupPages} from './setup/groups';
import {t} from './texts/text';

export interface Section {
	/* The first segment of its address. */
	id: string;
	label: string;
	icon: IconName;
	page: ComponentType<{route: Route}>;
	/* Pressed after "g". */
	key?: string;
	/* Above the records. The first section is what is shown after signing in. */
	first?: boolean;
}

export const sections: Section[] = [
	{id: 'today', label: t('today'), icon: 'today', page: Today, key: 't', first: true},
	{id: 'activity', label: t('activity'), icon: 'activity', page: Activity, key: 'a'},
	{id: 'reports', label: t('reports'), icon: 'reports', page: Reports, key: 'r'},
	{id: 'duplicates', label: t('duplicates'), icon: 'duplicates', page: DuplicatePages, key: 'd'},
	{id: 'import', label: t('import'), icon: 'import', page: Import, key: 'i'},
	{id: 'webhooks', label: t('webhooks'), icon: 'webhooks', page: WebhookPages, key: 'w'},
	{id: 'events', label: t('events'), icon: 'events', page: Events, key: 'e'},
	{id: 'setup', label: t('setup'), icon: 'setup', page: SetupPages, key: 's'},
	{id: 'usage', label: t('usage'), icon: 'usage', page: Usage, key: 'u'},
	{id: 'admin', label: t('usersAndKeys'), icon: 'admin', page: Admin, key: 'k'},
	{id: 'account', label: t('account'), icon: 'account', page: Account, key: 'm'},
];
