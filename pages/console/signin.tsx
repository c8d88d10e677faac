/* Signing in: first as a page; when the key has ended, as a dialog over the open page, which is kept. */
import {useState} from 'preact/hooks';
import {ApiError, explain, signIn, signOut} from './api';
import {Dialog} from './parts/dialog';
import {TextField} from './parts/field';
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
			setError(wrong ? 'The server does not know this key, or the key has expired.' : away ? 'The server does not answer. Try again in a moment.' : explain(e));
			setBusy(false);
		}
	};
	return (
		<form onSubmit={submit}>
			<div class="body">
				<TextField
					label="API key"
					type="password"
					value={key}
					onInput={(v) => (setKey(v), setError(''))}
					error={error}
					hint="It stays in this tab until you close it or sign out."
					autoComplete="off"
					autoFocus
					required
				/>
			</div>
			<footer>
				<button class="primary" disabled={busy || !key.trim()}>{busy ? 'Signing in…' : 'Sign in'}</button>
			</footer>
		</form>
	);
}

export function SignInPage() {
	useTitle('Sign in');
	return (
		<main class="signin" id="main">
			<div class="card">
				<h1>kith</h1>
				<p>Sign in with an API key. Your administrator creates one with</p>
				<p><code>kith key create --user usr_…</code></p>
				<SignInForm />
			</div>
			<p class="quiet"><a href="./">Front page</a> · <a href="docs">Documents</a></p>
		</main>
	);
}

export function SignInAgain() {
	const {user} = useSession();
	return (
		<Dialog title="Sign in again">
			<div class="body">
				<p>
					The key of <strong><bdi>{user?.fullName || user?.email}</bdi></strong> does not work any more. What is open and what you typed is
					kept; it goes on when you sign in.
				</p>
			</div>
			<SignInForm />
			<p class="body"><button type="button" class="plain" onClick={signOut}>Sign out and lose what was typed</button></p>
		</Dialog>
	);
}
