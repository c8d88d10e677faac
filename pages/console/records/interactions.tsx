/* The interactions of a record: calls, meetings and messages that were logged. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {Field, SelectField, TextField} from '../parts/field';
import {Time, localText} from '../parts/text';
import {announce, toastError} from '../parts/toast';
import {t} from '../texts/text';
import {EntryList, useEntries} from './entries';
import type {Entry, EntryKind} from './entry';
import {activityTypes, interactionFields, maxOf} from './apifields';
import {type Ref, choiceText} from './fields';
import {focusAgain, useTyped} from './typed';

export interface Interaction extends Entry {
	title: string;
	content: string;
	dateTime: string;
	activityType: string;
	from?: {name?: string};
}

export const interactionKind: EntryKind<Interaction> = {
	one: t('interaction'),
	many: t('interactionsIn'),
	path: '/v1/interactions',
	fields: interactionFields,
	nameOf: (interaction) => interaction.title,
	needs: ({entity}) => ({entity: {id: (entity as Ref).id}}),
	order: (a, b) => b.dateTime.localeCompare(a.dateTime),
};

export function NewInteraction({record, onMade}: {record: string; onMade: (interaction: Interaction) => void}) {
	const title = useTyped(`interaction ${record}`);
	const content = useTyped(`interaction's content ${record}`);
	const [type, setType] = useState('call');
	const [at, setAt] = useState(''); /* '': the moment of saving */
	const [busy, setBusy] = useState(false);

	const save = async (event: Event) => {
		const form = event.currentTarget as HTMLFormElement;
		event.preventDefault();
		setBusy(true);
		try {
			const dateTime = (at ? new Date(at) : new Date()).toISOString();
			const body = {entity: {id: record}, title: title.text, content: content.text, activityType: type, dateTime};
			onMade((await call<Interaction>('POST', interactionKind.path, {body})).data);
			title.saved(body.title);
			content.saved(body.content);
			announce(t('interactionLogged'));
			focusAgain(form);
		} catch (error) {
			toastError(error, t('notLogged'));
		}
		setBusy(false);
	};
	return (
		<form class="compose" onSubmit={save}>
			<TextField label={t('newInteraction')} value={title.text} maxLength={maxOf('interaction', 'title')} onInput={title.put} />
			<div class="columns">
				<SelectField label={t('type')} value={type} onChange={setType} options={activityTypes.map((value) => ({value, label: choiceText(value)}))} />
				<TextField label={t('when')} type="datetime-local" value={at || localText()} onInput={setAt} />
			</div>
			<Field label={t('content')}>
				{(props) => <textarea dir="auto" {...props} rows={2} maxLength={maxOf('interaction', 'content')} value={content.text} onInput={(e) => content.put(e.currentTarget.value)} />}
			</Field>
			<p class="row end"><button class="primary" disabled={!title.text.trim() || busy}>{t('logInteraction')}</button></p>
		</form>
	);
}

export const useInteractions = (record: string) => useEntries<Interaction>(`${interactionKind.path}?entity.id=${record}`);

export function InteractionText({interaction: i}: {interaction: Interaction}) {
	return (
		<>
			<p class="row between">
				<span><span class="badge"><bdi>{choiceText(i.activityType)}</bdi></span> <strong><bdi>{i.title}</bdi></strong></span>
				<span class="quiet"><Time at={i.dateTime} /></span>
			</p>
			{i.content && <p class="lines"><bdi>{i.content}</bdi></p>}
			<p class="quiet"><bdi>{i.from?.name}</bdi></p>
		</>
	);
}

export function Interactions({record}: {record: string}) {
	const entries = useInteractions(record);
	return (
		<>
			<NewInteraction record={record} onMade={entries.add} />
			<EntryList entries={entries} kind={interactionKind}>{(i) => <InteractionText interaction={i} />}</EntryList>
		</>
	);
}
