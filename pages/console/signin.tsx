/* Signing in: first as a page; when the session has ended, as a dialog over the open page, which is kept. */
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {ApiError, type Methods, acceptInvitation, explain, loadMethods, signInByKey, signInByPassword, signOut} from './api';
import {askingApplication, signInError} from './arrival';
import {Dialog} from './parts/dialog';
import {Field as Labelled, SelectField, TextField} from './parts/field';
import {Failed, Loading} from './parts/table';
import {passwordIssue} from './parts/saving';
import {toastError} from './parts/toast';
import {T, chooseLanguage, language, languages, t} from './texts/text';
import {useLoad, useSession, useTitle} from './use';

interface Trying {
	busy: boolean;
	error: unknown;
	/* Calls attempt() and keeps its error. */
	run: (event: Event, attempt: () => Promise<void>) => void;
	forget: () => void;
}

function useTrying(): Trying {
	const [state, setState] = useState<{busy: boolean; error: unknown}>({busy: false, error: null});
	return {
		...state,
		run: (event, attempt) => {
			event.preventDefault();
			setState({busy: true, error: null});
			attempt().catch((error: unknown) => setState({busy: false, error}));
		},
		forget: () => setState({busy: false, error: null}),
	};
}

/* What went wrong; refused: the text of a 401. */
function whyNot(error: unknown, refused: string): string {
	if (error instanceof TypeError) return t('serverSilentRetry');
	return error instanceof ApiError && error.status === 401 ? refused : explain(error);
}

function Submit({busy, ready = true, children}: {busy: boolean; ready?: boolean; children: ComponentChildren}) {
	return (
		<footer>
			<button class="primary" disabled={busy || !ready}>{busy ? t('signingIn') : children}</button>
		</footer>
	);
}

function KeyForm({methods}: {methods: Methods}) {
	const [key, setKey] = useState('');
	const {busy, error, run, forget} = useTrying();
	return (
		<form onSubmit={(e) => run(e, () => signInByKey(key.trim(), methods))}>
			<div class="body">
				<TextField
					label={t('apiKey')}
					type="password"
					value={key}
					onInput={(v) => (setKey(v), forget())}
					error={error ? whyNot(error, t('keyUnknown')) : undefined}
					hint={methods.sessions ? t('keyBecomesSession') : t('keyStays')}
					autoComplete="off"
					autoFocus
					required
				/>
			</div>
			<Submit busy={busy} ready={!!key.trim()}>{t('signIn')}</Submit>
		</form>
	);
}

interface Workspace {
	id: string;
	name: string;
}

/* The workspaces whose password it is, if there are several. */
const workspacesOf = (error: unknown) =>
	error instanceof ApiError && error.code === 'SEVERAL_WORKSPACES' ? (error.details.workspaces as Workspace[]) : null;

function PasswordForm() {
	const [email, setEmail] = useState('');
	const [password, setPassword] = useState('');
	const [several, setSeveral] = useState<Workspace[]>([]);
	const [workspace, setWorkspace] = useState('');
	const {busy, error, run, forget} = useTrying();
	const attempt = async () => {
		try {
			await signInByPassword(email.trim(), password, workspace || undefined);
		} catch (e) {
			const found = workspacesOf(e);
			if (!found) throw e;
			setSeveral(found);
			setWorkspace(found[0]!.id);
			forget();
		}
	};
	const change = (set: (v: string) => void) => (v: string) => (set(v), setSeveral([]), setWorkspace(''), forget());
	return (
		<form onSubmit={(e) => run(e, attempt)}>
			<div class="body stack">
				<TextField label={t('email')} type="email" value={email} onInput={change(setEmail)} autoComplete="username" autoFocus required />
				<TextField
					label={t('password')}
					type="password"
					value={password}
					onInput={change(setPassword)}
					error={error ? whyNot(error, t('passwordWrong')) : undefined}
					autoComplete="current-password"
					required
				/>
				{several.length > 0 && (
					<SelectField label={t('workspace')} hint={t('severalWorkspaces')} value={workspace} onChange={setWorkspace} options={several.map(({id, name}) => ({value: id, label: name}))} />
				)}
			</div>
			<Submit busy={busy}>{t('signIn')}</Submit>
		</form>
	);
}

const errorTexts: Record<string, string> = {
	provider: t('signInErrorProvider'),
	state: t('signInErrorState'),
	token: t('signInErrorToken'),
	email_not_verified: t('signInErrorEmail'),
	not_allowed: t('signInErrorNotAllowed'),
	account_linked: t('signInErrorLinked'),
	moving: t('signInErrorMoving'),
};

/* What the server offers. */
function Ways() {
	const methods = useLoad(loadMethods, []);
	const [byKey, setByKey] = useState(false);

	if (methods.error) return <Failed error={methods.error} again={methods.again} />;
	if (!methods.data) return <Loading what={t('signingInWhat')} />;
	const {password, oidc} = methods.data;
	return (
		<>
			{oidc && <p class="body"><a class="button primary" href="auth/oidc/start">{t('signInByCompany')}</a></p>}
			{password && !byKey ? <PasswordForm /> : (byKey || !oidc) && <KeyForm methods={methods.data} />}
			{(password || oidc) && (
				<p class="body">
					<button type="button" class="plain" onClick={() => setByKey(!byKey)}>{byKey ? t('noKeyToUse') : t('useKey')}</button>
				</p>
			)}
			{!password && !oidc && <p class="body quiet">{t('whoMakesKeys')} <code>kith key create --user usr_…</code></p>}
		</>
	);
}

export function LanguageChoice() {
	return (
		<select class="language" aria-label={t('language')} value={language} onChange={(e) => chooseLanguage(e.currentTarget.value)}>
			{Object.entries(languages).map(([code, {name}]) => (
				<option key={code} value={code} lang={code} selected={code === language}>
					{name}
				</option>
			))}
		</select>
	);
}

/* A page for somebody who is not signed in. */
function Outside({children}: {children: ComponentChildren}) {
	return (
		<main class="signin" id="main">
			<div class="card">
				<h1>kith</h1>
				{children}
			</div>
			<p class="quiet"><a href="./">{t('frontPage')}</a> · <a href="docs">{t('documents')}</a> · <LanguageChoice /></p>
		</main>
	);
}

/* For whom the user signs in. What others wrote keeps its direction of writing to itself. */
function Asking() {
	const asking = askingApplication();
	if (!asking) return null;
	const {name, host} = asking;
	const place = <bdi>{host === '' ? t('onThisComputer') : host.endsWith(':') ? t('onThisDevice', {scheme: host}) : host}</bdi>;
	return <p class="body">{name ? <T text="applicationAsks" name={<strong><bdi>{name}</bdi></strong>} place={place} /> : <T text="unnamedAsks" place={place} />}</p>;
}

export function SignInPage() {
	useTitle(t('signIn'));
	return (
		<Outside>
			{signInError && <p class="error" role="alert">{errorTexts[signInError] ?? t('signInErrorProvider')}</p>}
			<Asking />
			<Ways />
		</Outside>
	);
}

/* Whose password it will be. */
interface Invited {
	user?: {fullName: string; email: string};
	workspace?: {name: string};
}

const isAt = (error: unknown, member: string): error is ApiError => error instanceof ApiError && error.issues.length > 0 && error.issues.every(({path}) => path[0] === member);

function ChoosePassword({token, invited: {user, workspace}, onDone}: {token: string; invited: Invited; onDone: () => void}) {
	const [password, setPassword] = useState('');
	const {busy, error, run, forget} = useTrying();
	return (
		<>
			{user && workspace && (
				<p>
					<T text="passwordOf" user={<strong><bdi>{user.fullName || user.email}</bdi></strong>} workspace={<strong><bdi>{workspace.name}</bdi></strong>} />
				</p>
			)}
			<p>{t('choosePasswordText')}</p>
			<form onSubmit={(e) => run(e, () => acceptInvitation(token, password).then(onDone))}>
				<div class="body stack">
					{user && (
						/* Password managers look for it. */
						<Labelled label={t('email')}>{(props) => <input {...props} type="email" autoComplete="username" readOnly value={user.email} />}</Labelled>
					)}
					<TextField
						label={t('newPassword')}
						type="password"
						value={password}
						onInput={(v) => (setPassword(v), forget())}
						error={error ? (passwordIssue(error, 'password') ?? (isAt(error, 'token') ? t('linkInvalid') : whyNot(error, explain(error)))) : undefined}
						hint={t('passwordRule')}
						autoComplete="new-password"
						autoFocus
						required
					/>
				</div>
				<Submit busy={busy}>{t('signIn')}</Submit>
			</form>
		</>
	);
}

/* Uses a link that an administrator made: it signs in at once, or asks for the first password or a new one. */
export function InvitationPage({token, onDone}: {token: string; onDone: () => void}) {
	const tried = useLoad(() => acceptInvitation(token).then(onDone), [token]);

	useTitle(t('choosePassword'));
	return (
		<Outside>
			{isAt(tried.error, 'password') ? (
				<ChoosePassword token={token} invited={tried.error.details as Invited} onDone={onDone} />
			) : tried.error ? (
				<>
					{isAt(tried.error, 'token') ? <p class="error" role="alert">{t('linkInvalid')}</p> : <Failed error={tried.error} again={tried.error instanceof ApiError ? undefined : tried.again} />}
					<p class="body"><a href="console" onClick={onDone}>{t('signIn')}</a></p>
				</>
			) : (
				<Loading what={t('signingInWhat')} />
			)}
		</Outside>
	);
}

/* Signs out, or says why not. */
export const leave = () => void signOut().catch((error: unknown) => toastError(error, t('notSignedOut')));

export function SignInAgain() {
	const {user} = useSession();
	return (
		<Dialog title={t('signInAgain')}>
			<div class="body">
				<p>
					<T text="sessionEnded" user={<strong><bdi>{user?.fullName || user?.email}</bdi></strong>} />
				</p>
			</div>
			<Ways />
			<p class="body"><button type="button" class="plain" onClick={leave}>{t('signOutAndLose')}</button></p>
		</Dialog>
	);
}
