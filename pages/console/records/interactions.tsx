/* The interactions of a record: calls, meetings and messages that were logged. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {Confirm} from '../parts/dialog';
import {Field, SelectField, TextField} from '../parts/field';
import {Time, localText} from '../parts/text';
import {toast, toastError} from '../parts/toast';
import {type Entry, EntryList, useEntries} from './entries';

interface Interaction extends Entry {
	title: string;
	content: string;
	dateTime: string;
	activityType: string;
	from?: {name?: string};
}

const TYPES = [
	'call', 'meeting', 'message', 'coffee', 'lunch', 'event', 'drink', 'whatsapp', 'twitter', 'linkedin', 'hangout', 'skype',
	'slack', 'iMessage', 'fbMessenger', 'signal', 'discord', 'wechat', 'telegram', 'viber',
];

function NewInteraction({record, onMade}: {record: string; onMade: (interaction: Interaction) => void}) {
	const [title, setTitle] = useState('');
	const [content, setContent] = useState('');
	const [type, setType] = useState('call');
	const [at, setAt] = useState(localText());
	const [busy, setBusy] = useState(false);

	const save = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		try {
			const body = {entity: {id: record}, title, content, activityType: type, dateTime: new Date(at).toISOString()};
			onMade((await call<Interaction>('POST', '/v1/interactions', {body})).data);
			setTitle((now) => (now === title ? '' : now));
			setContent((now) => (now === content ? '' : now));
			toast('Interaction logged');
		} catch (error) {
			toastError(error, 'Not logged');
		}
		setBusy(false);
	};
	return (
		<form class="compose" onSubmit={save}>
			<TextField label="New interaction" value={title} maxLength={255} onInput={setTitle} />
			<div class="columns">
				<SelectField label="Type" value={type} onChange={setType} options={TYPES.map((t) => ({value: t, label: t}))} />
				<TextField label="When" type="datetime-local" value={at} onInput={setAt} />
			</div>
			<Field label="Content">
				{(props) => <textarea {...props} rows={2} maxLength={100000} value={content} onInput={(e) => setContent(e.currentTarget.value)} />}
			</Field>
			<p class="row end"><button class="primary" disabled={!title.trim() || !at || busy}>Log interaction</button></p>
		</form>
	);
}

export function Interactions({record}: {record: string}) {
	const entries = useEntries<Interaction>(`/v1/interactions?entity.id=${record}`);
	const [deleting, setDeleting] = useState<Interaction | null>(null);

	const remove = async (interaction: Interaction) => {
		await call('DELETE', `/v1/interactions/${interaction.id}`);
		entries.remove(interaction.id);
		setDeleting(null);
		toast('Interaction deleted');
	};
	return (
		<>
			<NewInteraction record={record} onMade={entries.add} />
			<EntryList entries={entries} what="interactions" order={(a, b) => b.dateTime.localeCompare(a.dateTime)}>
				{(i) => (
					<>
						<p class="row between">
							<span><span class="badge"><bdi>{i.activityType}</bdi></span> <strong><bdi>{i.title}</bdi></strong></span>
							<span class="quiet"><Time at={i.dateTime} /></span>
						</p>
						{i.content && <p class="lines"><bdi>{i.content}</bdi></p>}
						<p class="row between quiet">
							<bdi>{i.from?.name}</bdi>
							<button type="button" class="plain tools" aria-label={`Delete interaction ${i.title}`} onClick={() => setDeleting(i)}>Delete</button>
						</p>
					</>
				)}
			</EntryList>
			{deleting && (
				<Confirm title="Delete this interaction?" action="Delete" danger onConfirm={() => remove(deleting)} onClose={() => setDeleting(null)}>
					<p><bdi>{deleting.title}</bdi></p>
				</Confirm>
			)}
		</>
	);
}
