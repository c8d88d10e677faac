/* An event in a sentence: who did what, to which record, from what to what. */
import type {ComponentChildren} from 'preact';
import {ShortTime, Time} from '../parts/text';
import {ActorText, actorName} from '../records/actor';
import {type Names, type RecordEvent, Changes, verbOf} from '../records/change';
import {companyFields, interactionFields, noteFields, objectFields, personFields, taskFields, userFields} from '../records/apifields';
import type {Field} from '../records/fields';
import {routeOfId} from '../records/kinds';
import {hrefOf} from '../route';
import {T, t} from '../texts/text';
import {type Found, entityOf, pathOf, pathOfId} from './lookup';

interface EventKind {
	label: string;
	/* In a sentence; a record of the kind whose name is known, and one whose name is not. */
	the: string;
	a: string;
	fields: Field[];
}

/* By the first part of an event's type. */
export const eventKinds: Record<string, EventKind> = {
	person: {label: t('people'), the: t('thePerson'), a: t('aPerson'), fields: personFields},
	company: {label: t('companies'), the: t('theCompany'), a: t('aCompany'), fields: companyFields},
	object: {label: t('dealsAndOthers'), the: t('theRecord'), a: t('aRecord'), fields: objectFields},
	note: {label: t('notes'), the: t('theNote'), a: t('aNote'), fields: noteFields},
	task: {label: t('tasks'), the: t('theTask'), a: t('aTask'), fields: taskFields},
	interaction: {label: t('interactions'), the: t('theInteraction'), a: t('anInteraction'), fields: interactionFields},
	reminder: {label: t('reminders'), the: t('theReminder'), a: t('aReminder'), fields: []},
	webhook: {label: t('webhooks'), the: t('theWebhook'), a: t('aWebhook'), fields: []},
	user: {label: t('users'), the: t('theUser'), a: t('aUser'), fields: userFields},
};

export const kindOf = ({type}: {type: string}) => type.slice(0, type.indexOf('.'));

interface Holes {
	who: ComponentChildren;
	what: ComponentChildren;
	event: RecordEvent;
	found?: Found;
}

/* By the second part. */
const sentences: Record<string, (holes: Holes) => ComponentChildren> = {
	created: ({who, what}) => <T text="didCreated" who={who} what={what} />,
	deleted: ({who, what, event, found}) => {
		const into = event.data.details?.mergedInto;
		return into ? <T text="didMerge" who={who} what={what} into={<Named id={into} found={found} />} /> : <T text="didDeleted" who={who} what={what} />;
	},
	completed: ({who, what}) => <T text="didCompleted" who={who} what={what} />,
	groups_updated: ({who, what}) => <T text="didGroups" who={who} what={what} />,
	triggered: ({who, what}) => <T text="didTriggered" who={who} what={what} />,
	deactivated: ({who, what}) => <T text="didDeactivated" who={who} what={what} />,
	disabled: ({who, what}) => <T text="didDisable" who={who} what={what} />,
	enabled: ({who, what}) => <T text="didEnable" who={who} what={what} />,
	invited: ({who, what}) => <T text="didInvite" who={who} what={what} />,
	password_changed: ({what}) => <T text="passwordSet" what={what} />,
	sign_in_failed: ({what, event}) => <T text="signInFailed" what={what} address={<bdi>{event.data.details?.address ?? t('nothing')}</bdi>} />,
};
const changed = ({who, what}: Holes) => <T text="didUpdated" who={who} what={what} />;

function LinkTo({route, children}: {route: string[] | null | undefined; children: ComponentChildren}) {
	return route ? <a href={hrefOf(route)}><bdi>{children}</bdi></a> : <strong><bdi>{children}</bdi></strong>;
}

/* A person or company. */
function Named({id, found}: {id: string; found?: Found}) {
	return <LinkTo route={routeOfId(id)}>{found?.get(pathOfId(id) ?? '')?.name ?? '…'}</LinkTo>;
}

/* The record, with a link to its page or to that of the record that it belongs to. */
function Thing({event, found}: {event: RecordEvent; found: Found}) {
	const {the, a} = eventKinds[kindOf(event)] ?? {the: kindOf(event), a: kindOf(event)};
	const own = found.get(pathOf(event) ?? '');
	const entity = entityOf(event, found);
	const near = event.data.details?.entity?.id;
	const gone = event.type.endsWith('.deleted');
	const route = own?.route ?? (gone || own === null ? null : routeOfId(event.data.id));
	const name = own?.name ?? (gone ? event.data.details?.name : undefined);

	if (entity || near) {
		const of = <LinkTo route={entity?.route ?? routeOfId(near!)}>{entity?.name ?? t('record')}</LinkTo>;
		return own ? <T text="thingOf" thing={the} name={<bdi>{own.name}</bdi>} of={of} /> : <T text="aThingOf" thing={a} of={of} />;
	}
	if (!name && !route) return a;
	return <T text="thingNamed" thing={the} name={<LinkTo route={route}>{name || '…'}</LinkTo>} />;
}

/* Who did what. */
export function Sentence({event, what, found}: {event: RecordEvent; what: ComponentChildren; found?: Found}) {
	const who = <strong><bdi>{event.actor ? actorName(event.actor) : t('somebody')}</bdi></strong>;
	return <>{(sentences[verbOf(event)] ?? changed)({who, what, event, found})}</>;
}

/* short: in a narrow place. */
export function EventLine({event, found, names, short}: {event: RecordEvent; found: Found; names: Names; short?: boolean}) {
	return (
		<li>
			<p class="row between">
				<span class="grow"><Sentence event={event} what={<Thing event={event} found={found} />} found={found} /></span>
				<span class="quiet">{short ? <ShortTime at={event.createdAt} /> : <Time at={event.createdAt} />}</span>
			</p>
			<Changes event={event} fields={eventKinds[kindOf(event)]?.fields ?? []} names={names} />
			{!short && event.actor?.via && <p class="quiet"><ActorText actor={event.actor} short /></p>}
		</li>
	);
}
