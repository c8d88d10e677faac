/* The history of a record, the newest first: its events in words. */
import {Empty, Failed, Loading} from '../parts/table';
import {Time} from '../parts/text';
import {t} from '../texts/text';
import {useLoad} from '../use';
import {ActorText} from './actor';
import {type Names, type RecordEvent, Changes, eventTitle, loadEvents, loadNames} from './change';
import type {Field, RecordData} from './fields';

const PAGES_MAX = 10;

async function loadHistory(id: string, signal: AbortSignal): Promise<{events: RecordEvent[]; more: boolean}> {
	const events: RecordEvent[] = [];
	let after: string | null = null;

	for (let i = 0; i < PAGES_MAX; i++) {
		const page: {events: RecordEvent[]; next: string | null} = await loadEvents({record: id}, after, 100, signal);
		events.push(...page.events);
		after = page.next;
		if (!after) break;
	}
	return {events, more: after !== null};
}

export function EventText({event, fields, names}: {event: RecordEvent; fields: Field[]; names: Names}) {
	return (
		<>
			<p class="row between">
				<strong>{eventTitle(event)}</strong> <Time at={event.createdAt} />
			</p>
			{event.actor && <p><ActorText actor={event.actor} /></p>}
			<Changes event={event} fields={fields} names={names} />
		</>
	);
}

export function History({record, fields}: {record: RecordData; fields: Field[]}) {
	const deps = [record.id, record.updatedAt];
	const {data, error, again} = useLoad((signal) => loadHistory(record.id, signal), deps);
	const names: Names = useLoad(() => loadNames(record), deps).data ?? new Map();

	if (error) return <Failed error={error} again={again} />;
	if (!data) return <Loading what={t('loadingHistory')} />;
	if (!data.events.length) return <Empty><p>{t('noHistory')}</p></Empty>;
	return (
		<>
			{data.more && <p class="quiet">{t('onlyNewest', {n: data.events.length})}</p>}
			<ol class="entries">
				{data.events.map((e) => <li key={e.id}><EventText event={e} fields={fields} names={names} /></li>)}
			</ol>
			<p><button type="button" onClick={again}>{t('lookAgain')}</button></p>
		</>
	);
}
