/* Signing in: first as a page; when the key has ended, as a dialog over the open page, which is kept. */
import {useState} from 'preact/hooks';
import {ApiError, explain, signIn, signOut} from './api';
import {Dialog} from './parts/dialog';
import {TextField} from './parts/field';
import {T, chooseLanguage, language, languages, t} from './texts/text';
import {useSession, useTitle} from './use';

function SignInForm() {
	const [key, setKey] = useState('');
	const [error, setError] = useState('');
	const [busy, setBusy] = useState(false);

	const submit = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		try {
			await signIn(key.trim());
		} catch (e) {
			const wrong = e instanceof ApiError && e.status === 401;
			const away = e instanceof TypeError;
			setError(wrong ? t('keyUnknown') : away ? t('serverSilentRetry') : explain(e));
			setBusy(false);
		}
	};
	return (
		<form onSubmit={submit}>
			<div class="body">
				<TextField
					label={t('apiKey')}
					type="password"
					value={key}
					onInput={(v) => (setKey(v), setError(''))}
					error={error}
					hint={t('keyStays')}
					autoComplete="off"
					autoFocus
					required
				/>
			</div>
			<footer>
				<button class="primary" disabled={busy || !key.trim()}>{busy ? t('signingIn') : t('signIn')}</button>
			</footer>
		</form>
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

export function SignInPage() {
	useTitle(t('signIn'));
	return (
		<main class="signin" id="main">
			<div class="card">
				<h1>kith</h1>
				<p>{t('signInWithKey')}</p>
				<p><code>kith key create --user usr_…</code></p>
				<SignInForm />
			</div>
			<p class="quiet"><a href="./">{t('frontPage')}</a> · <a href="docs">{t('documents')}</a> · <LanguageChoice /></p>
		</main>
	);
}

export function SignInAgain() {
	const {user} = useSession();
	return (
		<Dialog title={t('signInAgain')}>
			<div class="body">
				<p>
					<T text="keyEnded" user={<strong><bdi>{user?.fullName || user?.email}</bdi></strong>} />
				</p>
			</div>
			<SignInForm />
			<p class="body"><button type="button" class="plain" onClick={signOut}>{t('signOutAndLose')}</button></p>
		</Dialog>
	);
}
