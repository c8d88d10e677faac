/* What is to be done today: my tasks and reminders; and what others have changed. */
import {useState} from 'preact/hooks';
import {listAll, listFrom, session} from '../api';
import {Failed, Loading} from '../parts/table';
import {Time, localText} from '../parts/text';
import {toastError} from '../parts/toast';
import {type Ref, nameOf} from '../records/fields';
import {routeOfId} from '../records/kinds';
import {type Task, TaskText, markTask, taskKind} from '../records/tasks';
import {hrefOf} from '../route';
import {dateFormat, numberOf, t} from '../texts/text';
import {type Loaded, useLoad, useName, useTitle} from '../use';
import {EventLines} from './eventlines';
import {type Feed, UNREAD, readBeside, readFeed} from './feed';

const DAY_MS = 86400000;
const NEXT_DAYS = 30;
const NEXT_SHOWN = 10;
const TASKS_MAX = 500;
const REMINDERS_MAX = 1000;
const CHANGES = 10;
const CHANGES_PAGES = 4; /* of the feed that are read for them */

const dayIn = (days: number) => localText(Date.now() + days * DAY_MS).slice(0, 10);

/* --- tasks ------------------------------------------------------------------------------------ */

interface TaskList {
	tasks: Task[];
	more: boolean;
}

async function loadTasks(signal: AbortSignal): Promise<TaskList> {
	const query = new URLSearchParams({
		onlyAssignedToMe: 'true',
		'filter[completedAt][empty]': 'true',
		'filter[dueAt][lt]': dayIn(NEXT_DAYS + 1),
	});
	const {items, next} = await listFrom<Task>(`${taskKind.path}?${query}`, null, TASKS_MAX, signal);
	items.sort((a, b) => `${a.dueAt} ${a.dueTime ?? ''}`.localeCompare(`${b.dueAt} ${b.dueTime ?? ''}`));
	return {tasks: items, more: next !== null};
}

function Entity({of}: {of: Ref | undefined}) {
	if (!of) return null;
	const route = routeOfId(of.id);
	const name = <bdi>{nameOf(of)}</bdi>;
	return <> · {route ? <a href={hrefOf(route)}>{name}</a> : name}</>;
}

function TaskCard({title, tasks, none, most, onMark}: {
	title: string;
	tasks: Task[];
	/* Said when there are none; absent: nothing is shown then. */
	none?: string;
	most?: number;
	onMark: (task: Task, done: boolean) => void;
}) {
	const id = useName('tasks');
	const [all, setAll] = useState(false);
	const shown = all || !most ? tasks : tasks.slice(0, most);
	const open = tasks.filter((task) => task.completedAt === null).length;

	if (!tasks.length && none === undefined) return null;
	return (
		<section class="card" aria-labelledby={id}>
			<h2 id={id}>{title} {open > 0 && <span class="quiet figure">{numberOf(open)}</span>}</h2>
			{!tasks.length && <p class="quiet">{none}</p>}
			<ul class="entries lined">
				{shown.map((task) => (
					<li key={task.id}>
						<TaskText task={task} onMark={(done) => onMark(task, done)}><Entity of={task.entity} /></TaskText>
					</li>
				))}
			</ul>
			{shown.length < tasks.length && <p><button type="button" onClick={() => setAll(true)}>{t('allN', {n: tasks.length})}</button></p>}
		</section>
	);
}

/* A task that was completed stays where it was, until the page is opened again. */
function Tasks({loaded: {data, error, again}}: {loaded: Loaded<TaskList>}) {
	const [changed, setChanged] = useState<Record<string, Task>>({});
	const today = dayIn(0);

	if (error) return <Failed error={error} again={again} />;
	if (!data) return null;
	const put = (task: Task) => {
		setChanged((before) => ({...before, [task.id]: task}));
		if (task.recurrenceFrequency) again();
	};
	const mark = (task: Task, done: boolean) => markTask(task, done, put).catch((e) => (again(), toastError(e)));
	/* The list that is read again lacks those that were completed. */
	const done = Object.values(changed).filter((task) => !data.tasks.some(({id}) => id === task.id));
	const tasks = [...data.tasks, ...done].map((task) => changed[task.id] ?? task);
	const shared = {onMark: mark};

	return (
		<>
			{data.more && <p class="quiet">{t('onlyOldestTasks', {n: data.tasks.length})}</p>}
			<TaskCard title={t('tasksOverdue')} tasks={tasks.filter((task) => task.dueAt < today)} {...shared} />
			<TaskCard title={t('tasksToday')} tasks={tasks.filter((task) => task.dueAt === today)} none={t('nothingToday')} {...shared} />
			<TaskCard
				title={t('tasksNext')}
				tasks={tasks.filter((task) => task.dueAt > today)}
				none={t('nothingNext', {n: NEXT_DAYS})}
				most={NEXT_SHOWN}
				{...shared}
			/>
		</>
	);
}

/* --- reminders -------------------------------------------------------------------------------- */

interface Reminder {
	id: string;
	name: string;
	entity: Ref;
	visibility: string;
	assignedUsers: Ref[];
	nextTriggerTime: string | null;
	lastTriggerTime: string | null;
}

/* The time of today at which it reminds or has reminded. */
function timeToday({nextTriggerTime, lastTriggerTime}: Reminder): string | null {
	const today = dayIn(0);
	const onDay = (at: string | null) => at !== null && localText(Date.parse(at)).slice(0, 10) === today;
	if (onDay(lastTriggerTime)) return lastTriggerTime;
	return nextTriggerTime !== null && (onDay(nextTriggerTime) || Date.parse(nextTriggerTime) < Date.now()) ? nextTriggerTime : null;
}

/* A private reminder is its author's, and nobody else sees it. */
const isMine = ({visibility, assignedUsers}: Reminder) => visibility === 'private' || assignedUsers.some(({id}) => id === session.user?.id);

interface Due {
	reminder: Reminder;
	at: string;
}

async function loadDue(signal: AbortSignal): Promise<Due[]> {
	const all = (await listAll<Reminder>('/v1/reminders', REMINDERS_MAX, signal)).filter(isMine);
	const due = all.flatMap((reminder) => {
		const at = timeToday(reminder);
		return at === null ? [] : [{reminder, at}];
	});
	return due.sort((a, b) => a.at.localeCompare(b.at));
}

function Reminders({loaded: {data, error, again}}: {loaded: Loaded<Due[]>}) {
	const id = useName('reminders');
	return (
		<section class="card" aria-labelledby={id}>
			<h2 id={id}>{t('reminders')}</h2>
			{error != null && <Failed error={error} again={again} />}
			{data?.length === 0 && <p class="quiet">{t('noReminders')}</p>}
			<ul class="entries lined">
				{data?.map(({reminder, at}) => (
					<li key={reminder.id}>
						<p class="strong"><bdi>{reminder.name}</bdi></p>
						<p class="quiet"><Time at={at} /><Entity of={reminder.entity} /></p>
					</li>
				))}
			</ul>
		</section>
	);
}

/* --- changes ---------------------------------------------------------------------------------- */

async function loadChanges(signal: AbortSignal): Promise<Feed> {
	return readBeside(await readFeed(UNREAD, {lines: CHANGES, pages: CHANGES_PAGES}, signal), CHANGES, signal);
}

function Recent({loaded: {data, error, again}}: {loaded: Loaded<Feed>}) {
	const id = useName('recent');
	return (
		<section class="card" aria-labelledby={id}>
			<div class="row between">
				<h2 id={id}>{t('recentChanges')}</h2>
				<a href={hrefOf(['activity'])}>{t('allActivity')}</a>
			</div>
			{error != null && <Failed error={error} again={again} />}
			{data && <EventLines feed={data} lines={CHANGES} label={t('recentChanges')} short />}
		</section>
	);
}

const longDay = dateFormat({dateStyle: 'full'});

/* The parts appear together, so that none moves another under the pointer. */
export function Today() {
	const tasks = useLoad(loadTasks, []);
	const due = useLoad(loadDue, []);
	const recent = useLoad(loadChanges, []);
	const ready = [tasks, due, recent].every(({data, error}) => data || error != null);

	useTitle(t('today'));
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{t('today')}</h1>
				<p class="quiet">{longDay.format(new Date())}</p>
			</div>
			{!ready && <Loading what={t('loadingWhat', {what: t('tasks')})} />}
			{ready && (
				<div class="record">
					<div class="stack"><Tasks loaded={tasks} /></div>
					<div class="stack">
						<Reminders loaded={due} />
						<Recent loaded={recent} />
					</div>
				</div>
			)}
		</>
	);
}
