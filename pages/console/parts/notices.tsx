/* Notices beside the contents: messages, and that requests wait for the server. */
import {useEffect, useState} from 'preact/hooks';
import {tryNow} from '../api';
import {t} from '../texts/text';
import {useSession} from '../use';
import {Toasts} from './toast';

function Waiting() {
	const {waiting} = useSession();
	const [, tick] = useState(0);

	useEffect(() => {
		if (!waiting) return;
		const timer = setInterval(() => tick((n) => n + 1), 1000);
		return () => clearInterval(timer);
	}, [waiting]);
	if (!waiting) return null;
	const left = Math.max(0, Math.ceil((waiting.until - Date.now()) / 1000));
	return (
		<div class="waiting">
			<span class="spinner" aria-hidden="true" />
			<span>
				<span role="status">{t('nothingLost', {why: waiting.why})}</span>{' '}
				{left ? t('nextTryIn', {n: left}) : t('nextTryNow')}
			</span>
			<button type="button" onClick={tryNow}>
				{t('tryNow')}
			</button>
		</div>
	);
}

export function Notices() {
	return (
		<>
			<Waiting />
			<Toasts />
		</>
	);
}
