/* The tasks of a record: added, changed, done, opened again, deleted. */
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {type Page, call, get} from '../api';
import {Field, TextField} from '../parts/field';
import {Day, Time, localText} from '../parts/text';
import {announce, toast, toastError} from '../parts/toast';
import {T, t} from '../texts/text';
import {type Entries, EntryList, useEntries} from './entries';
import type {Entry, EntryKind} from './entry';
import {maxOf, taskFields} from './apifields';
import {type Ref, choiceText, nameOf} from './fields';
import {Picker} from './picker';
import {focusAgain, useTyped} from './typed';

export interface Task extends Entry {
	title: string;
	description: string;
	dueAt: string;
	updatedAt: string;
	entity: Ref;
	dueTime: string | null;
	completedAt: string | null;
	assignedUsers: Ref[];
	recurrenceFrequency: string | null;
}

export const taskKind: EntryKind<Task> = {
	one: t('task'),
	many: t('tasksIn'),
	path: '/v1/tasks',
	fields: taskFields,
	nameOf: (task) => task.title,
	order: (a, b) =>
		Number(!!a.completedAt) - Number(!!b.completedAt) ||
		(a.completedAt ? b.completedAt!.localeCompare(a.completedAt) : a.dueAt.localeCompare(b.dueAt)),
};

export function NewTask({record, onMade}: {record: string; onMade: (task: Task) => void}) {
	const title = useTyped(`task ${record}`);
	const [due, setDue] = useState(localText().slice(0, 10));
	const [users, setUsers] = useState<Ref[]>([]);
	const [busy, setBusy] = useState(false);

	const save = async (event: Event) => {
		const form = event.currentTarget as HTMLFormElement;
		event.preventDefault();
		setBusy(true);
		try {
			const assignedUsers = users.length ? users.map((u) => ({id: u.id})) : undefined;
			const body = {entity: {id: record}, title: title.text, dueAt: due, assignedUsers};
			onMade((await call<Task>('POST', taskKind.path, {body})).data);
			title.saved(body.title);
			announce(t('taskAdded'));
			focusAgain(form);
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

export const useTasks = (record: string) => useEntries<Task>(`${taskKind.path}?filter%5Bentity%5D%5Bin%5D=${record}`);

/* The next task of a recurring one, which its completion made. */
async function nextTask({id, title, entity, updatedAt}: Task): Promise<Task | undefined> {
	const query = new URLSearchParams({'filter[entity][in]': entity.id, 'filter[completedAt][empty]': 'true', sort: '-createdAt', limit: '20'});
	const {items} = (await get<Page<Task>>(`${taskKind.path}?${query}`)).data;
	return items.find((task) => task.id !== id && task.title === title && task.createdAt >= updatedAt);
}

/* Opens the task again, and deletes the next task that its completion made. */
async function undoDone(done: Task): Promise<Task> {
	const {data: open} = await call<Task>('POST', `${taskKind.path}/${done.id}/mark-as-todo`);
	const next = done.recurrenceFrequency ? await nextTask(done) : undefined;
	if (next) await call('DELETE', `${taskKind.path}/${next.id}`).catch((error) => toastError(error));
	return open;
}

/* Completes or opens a task. onChange gets the task, and gets it again when the user undoes that. */
export async function markTask(task: Task, done: boolean, onChange: (task: Task) => void): Promise<void> {
	if (!done) {
		onChange((await call<Task>('POST', `${taskKind.path}/${task.id}/mark-as-todo`)).data);
		return toast(t('taskOpen'));
	}
	const body = {completedAt: new Date().toISOString()};
	const now = (await call<Task>('POST', `${taskKind.path}/${task.id}/mark-as-done`, {body})).data;
	const undo = () => undoDone(now).then(onChange, toastError);
	onChange(now);
	toast(t('taskDone'), {label: t('undo'), run: undo});
}

/* children: what stands behind the time. */
export function TaskText({task, onMark, children}: {task: Task; onMark: (done: boolean) => void; children?: ComponentChildren}) {
	return (
		<div class="task">
			<input
				type="checkbox"
				aria-label={t('doneName', {name: task.title})}
				checked={!!task.completedAt}
				onChange={(e) => onMark(e.currentTarget.checked)}
			/>
			<div class="grow">
				<p class={task.completedAt ? 'done' : 'strong'}><bdi>{task.title}</bdi></p>
				{task.description && <p class="lines"><bdi>{task.description}</bdi></p>}
				<p class="quiet">
					{task.completedAt ? <T text="doneAt" time={<Time at={task.completedAt} />} /> : <T text="dueAtTime" day={<Day day={task.dueAt} />} time={task.dueTime} />}
					{task.recurrenceFrequency && ` · ${choiceText(task.recurrenceFrequency)}`}
					{children}
				</p>
			</div>
		</div>
	);
}

/* A task in the list of its record. */
export function TaskEntry({task, entries}: {task: Task; entries: Entries<Task>}) {
	const changed = (now: Task) => {
		entries.replace(now);
		if (now.recurrenceFrequency) entries.again();
	};
	const mark = (done: boolean) =>
		markTask(task, done, changed).catch((error) => {
			entries.again();
			toastError(error);
		});
	return (
		<TaskText task={task} onMark={mark}>
			{task.assignedUsers.length > 0 && <> · <bdi>{task.assignedUsers.map(nameOf).join(', ')}</bdi></>}
		</TaskText>
	);
}

export function Tasks({record}: {record: string}) {
	const entries = useTasks(record);
	return (
		<>
			<NewTask record={record} onMade={entries.add} />
			<EntryList entries={entries} kind={taskKind}>{(task) => <TaskEntry task={task} entries={entries} />}</EntryList>
		</>
	);
}
