/* The sections of the console besides records: a row here is a link in the navigation and a page. */
import type {ComponentType} from 'preact';
import type {IconName} from './parts/icon';
import type {Route} from './route';

export interface Section {
	/* The first segment of its address. */
	id: string;
	label: string;
	icon: IconName;
	page: ComponentType<{route: Route}>;
}

export const sections: Section[] = [];
