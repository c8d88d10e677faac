/* The console: its frame, its navigation, and the page for each address. */
import {type ComponentChildren, render} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import './console.css';
import {get, session, type User} from './api';
import {goBack, invitation} from './arrival';
import {Keyboard, type Opened} from './keyboard/keyboard';
import {Icon, type IconName} from './parts/icon';
import {Notices} from './parts/notices';
import {Failed, Loading} from './parts/table';
import {NewRecord} from './records/create';
import {type Kind, companies, objects, people} from './records/kinds';
import {RecordList} from './records/list';
import {RecordPage} from './records/record';
import {type TypeLink, useTypes} from './records/types';
import {ViewLinks, useViews, viewsOf} from './records/views';
import {type Route, hrefOf, useRoute} from './route';
import {sections} from './sections';
import {InvitationPage, LanguageChoice, SignInAgain, SignInPage, leave} from './signin';
import {T, t} from './texts/text';
import {useLoad, useSession} from './use';

/* --- the frame ---------------------------------------------------------------------------- */

function NavLink({path, route, icon, children, title, below}: {
	path: string[];
	route: Route;
	icon: IconName;
	children: ComponentChildren;
	title?: string;
	below?: ComponentChildren;
}) {
	const at = route.path.length ? route.path : [sections[0]!.id];
	const here = path.every((segment, i) => at[i] === segment);
	return (
		<li>
			<a href={hrefOf(path)} aria-current={here ? (at.length === path.length ? 'page' : 'true') : undefined} title={title}>
				<Icon name={icon} /> {children}
			</a>
			{below}
		</li>
	);
}

function SectionLinks({route, first}: {route: Route; first: boolean}) {
	return (
		<>
			{sections.filter((s) => !!s.first === first).map((s) => (
				<NavLink key={s.id} path={[s.id]} route={route} icon={s.icon}>{s.label}</NavLink>
			))}
		</>
	);
}

function Navigation({route, types, error}: {route: Route; types: TypeLink[] | null; error: unknown}) {
	const {views, known} = useViews();
	const here = route.query.get('view') ?? '';
	const twice = (name: string) => types!.filter((type) => type.name === name).length > 1;
	return (
		<nav aria-label={t('sections')} id="nav">
			<ul>
				<SectionLinks route={route} first />
				<NavLink path={['people']} route={route} icon="people" below={<ViewLinks views={viewsOf(views, 'people')} path={['people']} here={here} />}>{t('people')}</NavLink>
				{/* What stands below the views and the types waits for them, so that no link moves under the pointer. */}
				{known && (
					<>
						<NavLink path={['companies']} route={route} icon="companies" below={<ViewLinks views={viewsOf(views, 'companies')} path={['companies']} here={here} />}>{t('companies')}</NavLink>
						{types?.map(({group, groupName, name}) => (
							<NavLink
								key={`${group} ${name}`}
								path={['objects', group, name]}
								route={route}
								icon="deals"
								title={t('typeOfGroup', {type: name, group: groupName})}
								below={<ViewLinks views={viewsOf(views, 'objects', group, name)} path={['objects', group, name]} here={here} />}
							>
								<span class="cut">
									<bdi>{name}</bdi>
									{twice(name) && <small class="quiet"> <bdi>{groupName}</bdi></small>}
								</span>
							</NavLink>
						))}
					</>
				)}
			</ul>
			{error != null && <Failed error={error} />}
			{((types && known) || error != null) && <ul><SectionLinks route={route} first={false} /></ul>}
		</nav>
	);
}

function Account() {
	const {user} = useSession();
	return (
		<div class="account">
			<span class="cut"><bdi>{user?.fullName || user?.email}</bdi></span>
			<LanguageChoice />
			<button type="button" class="plain" onClick={leave}>{t('signOut')}</button>
		</div>
	);
}

/* --- the pages ---------------------------------------------------------------------------- */

function Records({kind, rest, route}: {kind: Kind; rest: string[]; route: Route}) {
	if (!rest.length) return <RecordList key={kind.path} kind={kind} route={route} />;
	if (rest[0] === 'new') return <NewRecord key={kind.path} kind={kind} />;
	return <RecordPage key={rest[0]} kind={kind} id={rest[0]!} />;
}

const made = new Map<string, Kind>();
function objectKind(group: string, type: string): Kind {
	const key = `${group} ${type}`;
	if (!made.has(key)) made.set(key, objects(group, type));
	return made.get(key)!;
}

function View({route}: {route: Route}) {
	const [first = sections[0]!.id, ...rest] = route.path;
	const section = sections.find((s) => s.id === first);

	if (first === 'people') return <Records kind={people} rest={rest} route={route} />;
	if (first === 'companies') return <Records kind={companies} rest={rest} route={route} />;
	if (first === 'objects' && rest.length >= 2) return <Records kind={objectKind(rest[0]!, rest[1]!)} rest={rest.slice(2)} route={route} />;
	if (section) return <section.page route={route} />;
	return (
		<>
			<h1 tabIndex={-1}>{t('pageNotFound')}</h1>
			<p><T text="noSuchPage" link={<a href={hrefOf(['people'])}>{t('people')}</a>} /></p>
		</>
	);
}

/* When the path changes, the focus goes to the heading, so that screen readers begin there. */
function useFocus(path: string): void {
	const first = useRef(true);
	/* Before anybody can press something on the new page. */
	useLayoutEffect(() => {
		if (first.current) {
			first.current = false;
			return;
		}
		window.scrollTo(0, 0);
		const main = document.getElementById('main');
		const heading = () => main?.querySelector<HTMLElement>('h1');
		const found = heading();
		if (found) return found.focus();
		const watch = new MutationObserver(() => {
			if (!heading()) return;
			watch.disconnect();
			if (document.activeElement === document.body) heading()!.focus();
		});
		watch.observe(main!, {childList: true, subtree: true});
		return () => watch.disconnect();
	}, [path]);
}

/* When what has the focus is removed, for instance by a merge, the focus goes to the heading, too, not to the top of the window. */
function useRemovedFocus(): void {
	useEffect(() => {
		let last: Element | null = null;
		const remember = ({target}: FocusEvent) => void (last = target as Element);
		const watch = new MutationObserver(() => {
			if (!last || last.isConnected) return;
			last = null;
			if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main h1')?.focus({preventScroll: true});
		});
		document.addEventListener('focusin', remember);
		watch.observe(document.body, {childList: true, subtree: true});
		return () => (watch.disconnect(), document.removeEventListener('focusin', remember));
	}, []);
}

/* A text that does not fit on its line is shown whole beside the pointer. */
function tellWhole({target}: Event): void {
	const cell = (target as HTMLElement).closest<HTMLElement>('td, th, .cut');
	if (!cell) return;
	const name = cell.querySelector('.name > bdi');
	if (name ? name.scrollHeight > name.clientHeight : cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText;
	else if (cell.matches('td, th')) cell.removeAttribute('title');
}

function Frame() {
	const route = useRoute();
	const {user, ended} = useSession();
	const {types, error} = useTypes(user !== null);
	const [open, setOpen] = useState(false);
	const [opened, setOpened] = useState<Opened>(null);
	const path = route.path.join('/');

	useFocus(path);
	useRemovedFocus();
	useEffect(() => setOpen(false), [path]);
	return (
		<div class={`frame${open ? ' open' : ''}`} onMouseOver={tellWhole}>
			<a
				class="skip"
				href="#main"
				onClick={(e) => {
					e.preventDefault();
					document.getElementById('main')?.focus();
				}}
			>
				{t('skipToContent')}
			</a>
			<header class="side">
				<div class="brand">
					<a href="./" aria-label={t('kithFrontPage')}>kith</a>
					<button type="button" class="menu" aria-expanded={open} aria-controls="nav" onClick={() => setOpen(!open)}>
						{t('menu')}
					</button>
				</div>
				<button type="button" class="find" onClick={() => setOpened('palette')}>
					<span>{t('find')}</span> <kbd aria-hidden="true">{t('ctrlK')}</kbd>
				</button>
				<Navigation route={route} types={types} error={error} />
				<Account />
			</header>
			<main id="main" tabIndex={-1}>
				<View route={route} />
			</main>
			{ended ? <SignInAgain /> : <Notices />}
			<Keyboard open={opened} setOpen={setOpened} />
		</div>
	);
}

function App() {
	const {open, user, ended} = useSession();
	const [token, setToken] = useState(invitation);
	const me = useLoad(async (signal) => {
		if (!token && !session.user) session.user = (await get<User>('/v1/users/me', signal)).data;
		return session.user;
	}, [token]);
	const known = user ?? me.data;

	/* Somebody else may be signed in: the link decides. */
	if (token) return <InvitationPage token={token} onDone={() => setToken(null)} />;
	if (!open && !ended && !user) return <SignInPage />;
	if (known && goBack()) return <main class="signin"><Loading what={t('signingInWhat')} /></main>;
	if (known) return <Frame key={known.id} />;
	if (me.error) return <main class="signin"><Failed error={me.error} again={me.again} /></main>;
	return <main class="signin"><Loading what={t('signingInWhat')} /><Notices /></main>;
}

render(<App />, document.getElementById('app')!);
