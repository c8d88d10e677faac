/* Phones and calendars: a password for each device, links to the calendar, and which groups are address books. */
import {useEffect, useRef, useState} from 'preact/hooks';
import {call, listAll, urlOf} from '../api';
import {Confirm, Dialog} from '../parts/dialog';
import {Field, TextField} from '../parts/field';
import {QrCode} from '../parts/qrcode';
import {FormDialog, useSaving} from '../parts/saving';
import {type Column, Empty, Failed, Loading, Table} from '../parts/table';
import {toast, toastError} from '../parts/toast';
import type {Ref} from '../records/fields';
import {Picker} from '../records/picker';
import {T, t} from '../texts/text';
import {useLoad} from '../use';
import {Ago, Copyable} from './bits';
import type {Key} from './data';
import {installsProfiles, profileUrl} from './profile';

export const isDevice = ({kind}: Key) => kind === 'contacts' || kind === 'calendar';

function Check({label, on, onChange, disabled}: {label: string; on: boolean; onChange: (on: boolean) => void; disabled?: boolean}) {
	return (
		<label class="check">
			<input type="checkbox" checked={on} disabled={disabled} onChange={(e) => onChange(e.currentTarget.checked)} /> <bdi>{label}</bdi>
		</label>
	);
}

/* A password is in one answer only. If that was lost and the request was repeated, another password is made. */
async function makeKey(name: string, scopes: string[]): Promise<Key> {
	const {data} = await call<Key>('POST', '/v1/keys', {body: {name, scopes}});
	if (data.key) return data;
	await call('DELETE', `/v1/keys/${encodeURIComponent(data.id)}`);
	return makeKey(name, scopes);
}

/* A name that no other device has: "Phone", then "Phone 2". */
function freeName(name: string, keys: Key[]): string {
	const taken = new Set(keys.map((key) => key.name));
	let n = 1;
	while (taken.has(n === 1 ? name : `${name} ${n}`)) n++;
	return n === 1 ? name : `${name} ${n}`;
}

/* --- a password for an address book ---------------------------------------------------------------- */

function ConnectPhone({keys, onMade, onClose}: {keys: Key[]; onMade: (key: Key) => void; onClose: () => void}) {
	const saving = useSaving();
	const [name, setName] = useState(freeName(t('phone'), keys));
	const [edits, setEdits] = useState(true);
	const [deletes, setDeletes] = useState(false);
	const make = async () => onMade(await makeKey(name, ['contacts', ...(!edits ? ['read'] : deletes ? ['delete'] : [])]));

	return (
		<FormDialog title={t('connectPhone')} action={t('makePassword')} saving={saving} named={['name']} onSave={make} onClose={onClose}>
			{!hasTls && <p class="error">{t('phoneNeedsTls')}</p>}
			<TextField label={t('deviceName')} hint={t('deviceNameHint')} maxLength={255} value={name} onInput={setName} error={saving.at('name')} autoFocus required />
			<fieldset class="bare">
				<legend>{t('deviceMay')}</legend>
				<Check label={t('deviceEdits')} on={edits} onChange={setEdits} />
				<Check label={t('deviceDeletes')} on={edits && deletes} onChange={setDeletes} disabled={!edits} />
				<p class="hint">{t('deviceDeletesHint')}</p>
			</fieldset>
		</FormDialog>
	);
}

/* Devices refuse other addresses, and a phone cannot reach a server that answers only this computer. */
const hasTls = location.protocol === 'https:';

/* The address with user name and password, as DAVx⁵ opens it. */
function linkForDavx5(address: string, userName: string, password: string): string {
	const {host, pathname} = new URL(address);
	return `davx5://${encodeURIComponent(userName)}:${encodeURIComponent(password)}@${host}${pathname}`;
}

function PhonePassword({of, workspace, onClose}: {of: Key; workspace: string; onClose: () => void}) {
	const address = urlOf('/dav/');
	const account = {address, userName: of.user.email, password: of.key ?? ''};
	const [profile] = useState(() => profileUrl({...account, title: `kith, ${workspace}`, name: `kith.${of.user.id}`}));

	return (
		<Dialog title={t('passwordFor', {name: of.name})} onClose={onClose} wide>
			<div class="body">
				<p><T text="enterOnDevice" strong={<strong>{t('passwordShownOnce')}</strong>} /></p>
				<div class="device">
					<div>
						<Copyable label={t('address')} text={account.address} />
						<Copyable label={t('userName')} text={account.userName} />
						<Copyable label={t('password')} text={account.password} />
					</div>
					{hasTls && (
						<figure>
							<QrCode label={t('codeForDavx5')} text={linkForDavx5(account.address, account.userName, account.password)} />
							<figcaption>{t('codeForDavx5')}</figcaption>
						</figure>
					)}
				</div>
				{hasTls ? (
					<>
						<a class="button" href={profile} download={installsProfiles ? undefined : 'kith.mobileconfig'}>{t('saveProfile')}</a>
						<p class="hint">{t('saveProfileHint')}</p>
					</>
				) : (
					<p class="error">{t('phoneNeedsTls')}</p>
				)}
			</div>
			<footer>
				<button type="button" class="primary" onClick={onClose}>{t('haveKept')}</button>
			</footer>
		</Dialog>
	);
}

/* --- a link to the calendar --------------------------------------------------------------------------- */

interface Contents {
	tasks: boolean;
	reminders: boolean;
	birthdays: boolean;
	/* Whose birthdays. */
	groups: Ref[];
}

const GROUPS_MAX = 20;
const parts = ['tasks', 'reminders', 'birthdays'] as const;

function linkOf(url: string, contents: Contents): string {
	const chosen = parts.filter((part) => contents[part]).join();
	const groups = contents.birthdays ? contents.groups.map(({id}) => `&group=${id}`) : [];
	return chosen === 'tasks,reminders' ? url : `${url}?include=${chosen}${groups.join('')}`;
}

function ConnectCalendar({keys, onMade, onClose}: {keys: Key[]; onMade: (key: Key) => void; onClose: () => void}) {
	const saving = useSaving();
	const [name, setName] = useState(freeName(t('calendar'), keys));
	const [contents, setContents] = useState<Contents>({tasks: true, reminders: true, birthdays: false, groups: []});
	const {birthdays, groups} = contents;
	const ready = parts.some((part) => contents[part]) && (!birthdays || (groups.length > 0 && groups.length <= GROUPS_MAX));
	const make = async () => {
		const key = await makeKey(name, ['calendar']);
		onMade({...key, url: linkOf(key.url ?? '', contents)});
	};

	return (
		<FormDialog title={t('subscribeCalendar')} action={t('makeLink')} saving={saving} named={['name']} ready={ready} onSave={make} onClose={onClose}>
			<TextField label={t('deviceName')} hint={t('deviceNameHint')} maxLength={255} value={name} onInput={setName} error={saving.at('name')} autoFocus required />
			<fieldset class="bare">
				<legend>{t('itShows')}</legend>
				<Check label={t('myTasks')} on={contents.tasks} onChange={(tasks) => setContents({...contents, tasks})} />
				<Check label={t('myReminders')} on={contents.reminders} onChange={(reminders) => setContents({...contents, reminders})} />
				<Check label={t('birthdaysOfGroups')} on={birthdays} onChange={(on) => setContents({...contents, birthdays: on})} />
			</fieldset>
			{birthdays && (
				<Field label={t('groups')} hint={t('birthdaysHint', {n: GROUPS_MAX})}>
					{(props) => <Picker {...props} label={t('groups')} type="groups" value={groups} onChange={(chosen) => setContents({...contents, groups: chosen})} />}
				</Field>
			)}
		</FormDialog>
	);
}

function CalendarLink({of, onClose}: {of: Key; onClose: () => void}) {
	const link = of.url ?? '';
	const webcal = link.replace(/^https?:/, 'webcal:');

	return (
		<Dialog title={t('linkFor', {name: of.name})} onClose={onClose} wide>
			<div class="body">
				<p><T text="keepLink" strong={<strong>{t('shownOnce')}</strong>} /></p>
				<div class="device">
					<div>
						<Copyable label={t('link')} text={link} />
						<a class="button" href={webcal}>{t('openCalendar')}</a>
						<p class="hint">{t('openCalendarHint')}</p>
					</div>
					<figure>
						<QrCode label={t('codeForIphone')} text={webcal} />
						<figcaption>{t('codeForIphone')}</figcaption>
					</figure>
				</div>
			</div>
			<footer>
				<button type="button" class="primary" onClick={onClose}>{t('haveKept')}</button>
			</footer>
		</Dialog>
	);
}

/* --- address books ----------------------------------------------------------------------------------- */

interface Book {
	/* people, companies, or the id of a group. */
	id: string;
	name: string;
	shown: boolean;
}

const names: Record<string, string> = {people: t('people'), companies: t('companies')};

function Books() {
	const books = useLoad((signal) => listAll<Book>('/v1/address-books', 2000, signal), []);
	/* What was chosen since the list was read: a switch does not turn back until the list comes again. */
	const [chosen, setChosen] = useState<Record<string, boolean>>({});
	const sending = useRef(0);
	const change = (book: Book, shown: boolean) => {
		sending.current++;
		setChosen((all) => ({...all, [book.id]: shown}));
		return call('PATCH', `/v1/address-books/${encodeURIComponent(book.id)}`, {body: {shown}})
			.catch((error: unknown) => toastError(error, t('addressBooks')))
			.finally(() => {
				sending.current--;
				books.again();
			});
	};

	useEffect(() => {
		if (!sending.current) setChosen({});
	}, [books.data]);

	return (
		<details>
			<summary>{t('addressBooks')}</summary>
			<p class="hint">{t('addressBooksText')}</p>
			{books.error != null && <Failed error={books.error} again={books.again} />}
			{books.loading && !books.data && <Loading />}
			<div class="checks">
				{books.data?.map((book) => (
					<Check key={book.id} label={names[book.id] ?? book.name} on={chosen[book.id] ?? book.shown} disabled={book.id === 'people'} onChange={(on) => void change(book, on)} />
				))}
			</div>
		</details>
	);
}

/* --- the section ---------------------------------------------------------------------------------------- */

function mayText({kind, scopes}: Key): string {
	if (kind === 'calendar') return t('mayReadCalendar');
	return scopes.includes('read') ? t('mayReadContacts') : scopes.includes('delete') ? t('mayDeleteContacts') : t('mayEditContacts');
}

function columns(onEnd: (key: Key) => void): Column<Key>[] {
	return [
		{key: 'name', label: t('name'), render: (k) => <bdi>{k.name || t('unnamed')}</bdi>},
		{key: 'may', label: t('deviceMay'), render: mayText},
		{key: 'used', label: t('lastUsed'), render: (k) => <Ago at={k.lastUsedAt} />},
		{key: 'do', label: t('action'), render: (k) => <button type="button" aria-label={t('endDeviceName', {name: k.name || t('unnamed')})} onClick={() => onEnd(k)}>{t('endMore')}</button>},
	];
}

type Asking = {act: 'phone' | 'calendar'} | {act: 'made' | 'end'; of: Key};

/* keys: the passwords of the user's own devices. */
export function Devices({keys, workspace, again}: {keys: Key[]; workspace: string; again: () => void}) {
	const [asking, setAsking] = useState<Asking | null>(null);
	const close = () => setAsking(null);
	const made = (of: Key) => {
		setAsking({act: 'made', of});
		again();
	};
	const end = async ({id}: Key) => {
		await call('DELETE', `/v1/keys/${encodeURIComponent(id)}`);
		toast(t('deviceEnded'));
		close();
		again();
	};

	return (
		<section aria-labelledby="devices">
			<div class="head">
				<h2 id="devices">{t('devices')}</h2>
				<button type="button" onClick={() => setAsking({act: 'phone'})}>{t('connectPhone')}</button>
				<button type="button" onClick={() => setAsking({act: 'calendar'})}>{t('subscribeCalendar')}</button>
			</div>
			{keys.length ? <Table caption={t('devices')} columns={columns((of) => setAsking({act: 'end', of}))} rows={keys} rowKey={(k) => k.id} /> : <Empty><p>{t('noDevices')}</p></Empty>}
			<Books />
			{asking?.act === 'phone' && <ConnectPhone keys={keys} onMade={made} onClose={close} />}
			{asking?.act === 'calendar' && <ConnectCalendar keys={keys} onMade={made} onClose={close} />}
			{asking?.act === 'made' && asking.of.kind === 'contacts' && <PhonePassword of={asking.of} workspace={workspace} onClose={close} />}
			{asking?.act === 'made' && asking.of.kind === 'calendar' && <CalendarLink of={asking.of} onClose={close} />}
			{asking?.act === 'end' && (
				<Confirm title={t('endDevice')} action={t('end')} danger onClose={close} onConfirm={() => end(asking.of)}>
					<p><T text="endDeviceText" name={<bdi>{asking.of.name || t('unnamed')}</bdi>} /></p>
				</Confirm>
			)}
		</section>
	);
}
