/* The tasks of a record: added, changed, done, opened again, deleted. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {Field, TextField} from '../parts/field';
import {Day, Time, localText} from '../parts/text';
import {toast, toastError} from '../parts/toast';
import {T, t} from '../texts/text';
import {EntryList, useEntries} from './entries';
import type {Entry, EntryKind} from './entry';
import {type Ref, maxOf, nameOf, taskFields} from './fields';
import {Picker} from './picker';
import {useTyped} from './typed';

interface Task extends Entry {
	title: string;
	description: string;
	dueAt: string;
	dueTime: string | null;
	completedAt: string | null;
	assignedUsers: Ref[];
	recurrenceFrequency: string | null;
}

const kind: EntryKind<Task> = {
	one: t('task'),
	many: t('tasksIn'),
	path: '/v1/tasks',
	fields: taskFields,
	nameOf: (task) => task.title,
	order: (a, b) =>
		Number(!!a.completedAt) - Number(!!b.completedAt) ||
		(a.completedAt ? b.completedAt!.localeCompare(a.completedAt) : a.dueAt.localeCompare(b.dueAt)),
};

function NewTask({record, onMade}: {record: string; onMade: (task: Task) => void}) {
	const title = useTyped(`task ${record}`);
	const [due, setDue] = useState(localText().slice(0, 10));
	const [users, setUsers] = useState<Ref[]>([]);
	const [busy, setBusy] = useState(false);

	const save = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		try {
			const assignedUsers = users.length ? users.map((u) => ({id: u.id})) : undefined;
			const body = {entity: {id: record}, title: title.text, dueAt: due, assignedUsers};
			onMade((await call<Task>('POST', kind.path, {body})).data);
			title.saved(body.title);
			toast(t('taskAdded'));
		} catch (error) {
			toastError(error, t('taskNotAdded'));
		}
		setBusy(false);
	};
	return (
		<form class="compose" onSubmit={save}>
			<TextField label={t('newTask')} value={title.text} maxLength={maxOf('task', 'title')} onInput={title.put} />
			<div class="columns">
				<TextField label={t('due')} type="date" value={due} onInput={setDue} />
				<Field label={t('for')} hint={t('forYou')}>
					{(props) => <Picker {...props} label={t('for')} type="users" value={users} onChange={setUsers} />}
				</Field>
			</div>
			<p class="row end"><button class="primary" disabled={!title.text.trim() || !due || busy}>{t('addTask')}</button></p>
		</form>
	);
}

export function Tasks({record}: {record: string}) {
	const entries = useEntries<Task>(`${kind.path}?filter%5Bentity%5D%5Bin%5D=${record}`);

	const mark = async (task: Task, done: boolean) => {
		try {
			const action = done ? 'mark-as-done' : 'mark-as-todo';
			const body = done ? {completedAt: new Date().toISOString()} : undefined;
			entries.replace((await call<Task>('POST', `${kind.path}/${task.id}/${action}`, {body})).data);
			toast(done ? t('taskDone') : t('taskOpen'));
			if (task.recurrenceFrequency) entries.again();
		} catch (error) {
			entries.again();
			toastError(error);
		}
	};
	return (
		<>
			<NewTask record={record} onMade={entries.add} />
			<EntryList entries={entries} kind={kind}>
				{(task) => (
					<div class="task">
						<input
							type="checkbox"
							aria-label={t('doneName', {name: task.title})}
							checked={!!task.completedAt}
							onChange={(e) => mark(task, e.currentTarget.checked)}
						/>
						<div class="grow">
							<p class={task.completedAt ? 'done' : 'strong'}><bdi>{task.title}</bdi></p>
							{task.description && <p class="lines"><bdi>{task.description}</bdi></p>}
							<p class="quiet">
								{task.completedAt ? <T text="doneAt" time={<Time at={task.completedAt} />} /> : <T text="dueAtTime" day={<Day day={task.dueAt} />} time={task.dueTime} />}
								{task.recurrenceFrequency && ` · ${task.recurrenceFrequency}`}
								{task.assignedUsers.length > 0 && <> · <bdi>{task.assignedUsers.map(nameOf).join(', ')}</bdi></>}
							</p>
						</div>
					</div>
				)}
			</EntryList>
		</>
	);
}
