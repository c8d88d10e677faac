/* The tasks of a record: added, done, opened again, deleted. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {Confirm} from '../parts/dialog';
import {Field, TextField} from '../parts/field';
import {Day, Time, localText} from '../parts/text';
import {toast, toastError} from '../parts/toast';
import {type Entry, EntryList, useEntries} from './entries';
import {type Ref, nameOf} from './fields';
import {Picker} from './picker';

interface Task extends Entry {
	title: string;
	description: string;
	dueAt: string;
	dueTime: string | null;
	completedAt: string | null;
	assignedUsers: Ref[];
	recurrenceFrequency: string | null;
	createdAt: string;
}

function NewTask({record, onMade}: {record: string; onMade: (task: Task) => void}) {
	const [title, setTitle] = useState('');
	const [due, setDue] = useState(localText().slice(0, 10));
	const [users, setUsers] = useState<Ref[]>([]);
	const [busy, setBusy] = useState(false);

	const save = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		try {
			const assignedUsers = users.length ? users.map((u) => ({id: u.id})) : undefined;
			const body = {entity: {id: record}, title, dueAt: due, assignedUsers};
			onMade((await call<Task>('POST', '/v1/tasks', {body})).data);
			setTitle((now) => (now === title ? '' : now));
			toast('Task added');
		} catch (error) {
			toastError(error, 'Task not added');
		}
		setBusy(false);
	};
	return (
		<form class="compose" onSubmit={save}>
			<TextField label="New task" value={title} maxLength={255} onInput={setTitle} />
			<div class="columns">
				<TextField label="Due" type="date" value={due} onInput={setDue} />
				<Field label="For" hint="Left empty: for you.">
					{(props) => <Picker {...props} label="For" type="users" value={users} onChange={setUsers} />}
				</Field>
			</div>
			<p class="row end"><button class="primary" disabled={!title.trim() || !due || busy}>Add task</button></p>
		</form>
	);
}

const order = (a: Task, b: Task) =>
	Number(!!a.completedAt) - Number(!!b.completedAt) ||
	(a.completedAt ? b.completedAt!.localeCompare(a.completedAt) : a.dueAt.localeCompare(b.dueAt));

export function Tasks({record}: {record: string}) {
	const entries = useEntries<Task>(`/v1/tasks?filter%5Bentity%5D%5Bin%5D=${record}`);
	const [deleting, setDeleting] = useState<Task | null>(null);

	const mark = async (task: Task, done: boolean) => {
		try {
			const action = done ? 'mark-as-done' : 'mark-as-todo';
			const body = done ? {completedAt: new Date().toISOString()} : undefined;
			entries.replace((await call<Task>('POST', `/v1/tasks/${task.id}/${action}`, {body})).data);
			toast(done ? 'Task done' : 'Task open again');
			if (task.recurrenceFrequency) entries.again();
		} catch (error) {
			entries.again();
			toastError(error);
		}
	};
	const remove = async (task: Task) => {
		await call('DELETE', `/v1/tasks/${task.id}`);
		entries.remove(task.id);
		setDeleting(null);
		toast('Task deleted');
	};
	return (
		<>
			<NewTask record={record} onMade={entries.add} />
			<EntryList entries={entries} what="tasks" order={order}>
				{(task) => (
					<div class="task">
						<input
							type="checkbox"
							aria-label={`Done: ${task.title}`}
							checked={!!task.completedAt}
							onChange={(e) => mark(task, e.currentTarget.checked)}
						/>
						<div class="grow">
							<p class={task.completedAt ? 'done' : 'strong'}><bdi>{task.title}</bdi></p>
							{task.description && <p class="lines"><bdi>{task.description}</bdi></p>}
							<p class="quiet">
								{task.completedAt ? <>Done <Time at={task.completedAt} /></> : <>Due <Day day={task.dueAt} /> {task.dueTime}</>}
								{task.recurrenceFrequency && ` · ${task.recurrenceFrequency}`}
								{task.assignedUsers.length > 0 && <> · <bdi>{task.assignedUsers.map(nameOf).join(', ')}</bdi></>}
							</p>
						</div>
						<button type="button" class="plain tools" aria-label={`Delete task ${task.title}`} onClick={() => setDeleting(task)}>Delete</button>
					</div>
				)}
			</EntryList>
			{deleting && (
				<Confirm title="Delete this task?" action="Delete" danger onConfirm={() => remove(deleting)} onClose={() => setDeleting(null)}>
					<p><bdi>{deleting.title}</bdi></p>
				</Confirm>
			)}
		</>
	);
}
