/* An event in a sentence: who did what, to which record, from what to what. */
import type {ComponentChildren} from 'preact';
import {ShortTime, Time} from '../parts/text';
import {ActorText, actorName} from '../records/actor';
import {type Names, type RecordEvent, Changes, verbOf} from '../records/change';
import {type Field, companyFields, interactionFields, noteFields, objectFields, personFields, taskFields} from '../records/fields';
import {routeOfId} from '../records/kinds';
import {hrefOf} from '../route';
import {T, t} from '../texts/text';
import {type Found, entityOf, pathOf} from './lookup';

interface EventKind {
	label: string;
	/* In a sentence. */
	one: string;
	fields: Field[];
}

/* By the first part of an event's type. */
export const eventKinds: Record<string, EventKind> = {
	person: {label: t('people'), one: t('person'), fields: personFields},
	company: {label: t('companies'), one: t('company'), fields: companyFields},
	object: {label: t('dealsAndOthers'), one: t('record'), fields: objectFields},
	note: {label: t('notes'), one: t('note'), fields: noteFields},
	task: {label: t('tasks'), one: t('task'), fields: taskFields},
	interaction: {label: t('interactions'), one: t('interaction'), fields: interactionFields},
	reminder: {label: t('reminders'), one: t('reminder'), fields: []},
	webhook: {label: t('webhooks'), one: t('webhookIn'), fields: []},
};

export const kindOf = ({type}: {type: string}) => type.slice(0, type.indexOf('.'));

interface Holes {
	who: ComponentChildren;
	what: ComponentChildren;
}

/* By the second part. */
const sentences: Record<string, (holes: Holes) => ComponentChildren> = {
	created: (holes) => <T text="didCreated" {...holes} />,
	deleted: (holes) => <T text="didDeleted" {...holes} />,
	completed: (holes) => <T text="didCompleted" {...holes} />,
	groups_updated: (holes) => <T text="didGroups" {...holes} />,
	triggered: (holes) => <T text="didTriggered" {...holes} />,
	deactivated: (holes) => <T text="didDeactivated" {...holes} />,
};
const changed = (holes: Holes) => <T text="didUpdated" {...holes} />;

function LinkTo({route, children}: {route: string[] | null | undefined; children: ComponentChildren}) {
	return route ? <a href={hrefOf(route)}><bdi>{children}</bdi></a> : <strong><bdi>{children}</bdi></strong>;
}

/* The record, with a link to its page or to that of the record that it belongs to. */
function Thing({event, found}: {event: RecordEvent; found: Found}) {
	const thing = eventKinds[kindOf(event)]?.one ?? kindOf(event);
	const own = found.get(pathOf(event) ?? '');
	const entity = entityOf(event, found);
	const near = event.data.details?.entity?.id;
	const gone = event.type.endsWith('.deleted');
	const route = own?.route ?? (gone ? null : routeOfId(event.data.id));

	if (entity || near) {
		const of = <LinkTo route={entity?.route ?? routeOfId(near!)}>{entity?.name ?? t('record')}</LinkTo>;
		return own ? <T text="thingOf" thing={thing} name={<bdi>{own.name}</bdi>} of={of} /> : <T text="aThingOf" thing={thing} of={of} />;
	}
	if (!own && !route) return <>{t('aThing', {thing})}</>;
	return <T text="thingNamed" thing={thing} name={<LinkTo route={route}>{own?.name ?? '…'}</LinkTo>} />;
}

/* short: in a narrow place. */
export function EventLine({event, found, names, short}: {event: RecordEvent; found: Found; names: Names; short?: boolean}) {
	const sentence = sentences[verbOf(event)] ?? changed;
	const who = <strong><bdi>{event.actor ? actorName(event.actor) : t('somebody')}</bdi></strong>;

	return (
		<li>
			<p class="row between">
				<span class="grow">{sentence({who, what: <Thing event={event} found={found} />})}</span>
				<span class="quiet">{short ? <ShortTime at={event.createdAt} /> : <Time at={event.createdAt} />}</span>
			</p>
			<Changes event={event} fields={eventKinds[kindOf(event)]?.fields ?? []} names={names} />
			{!short && event.actor?.via && <p class="quiet"><ActorText actor={event.actor} short /></p>}
		</li>
	);
}
