/* A form that verifies a signature, filled in with a delivery's. */
import {useState} from 'preact/hooks';
import {Field, TextField} from '../parts/field';
import {T, t} from '../texts/text';
import type {Delivery} from './data';
import {matches, signatureOf} from './verify';

interface Verdict {
	good: boolean;
	text: string;
}

async function judge(secret: string, signed: {id: string; timestamp: string; body: string}, header: string): Promise<Verdict> {
	try {
		const signature = await signatureOf(secret, signed);
		return matches(header, signature)
			? {good: true, text: t('signatureValid')}
			: {good: false, text: t('noSignature', {signature})};
	} catch (error) {
		return {good: false, text: error instanceof Error ? error.message : String(error)};
	}
}

/* The parts of a delivery that a receiver has got. */
interface Received {
	id: string;
	timestamp: string;
	header: string;
	body: string;
}

/* A new attempt fills the form again, unless the user has changed or verified something. */
export function VerifyForm({delivery}: {delivery: Delivery}) {
	const [secret, setSecret] = useState('');
	const [typed, setTyped] = useState<Received | null>(null);
	const {eventId, webhookTimestamp, webhookSignature, body} = delivery;
	const received = typed ?? {id: eventId, timestamp: webhookTimestamp ?? '', header: webhookSignature ?? '', body: body ?? ''};
	const judged = JSON.stringify([secret, received]);
	const [verdict, setVerdict] = useState<(Verdict & {judged: string}) | null>(null);
	const shown = verdict?.judged === judged ? verdict : null;
	const put = (part: Partial<Received>) => setTyped({...received, ...part});

	return (
		<form
			class="narrow stack"
			onSubmit={(e) => {
				e.preventDefault();
				setTyped(received);
				void judge(secret, received, received.header).then((v) => setVerdict({...v, judged}));
			}}
		>
			<p>
				<T text="verifyText" parts={<code>webhook-id.webhook-timestamp.body</code>} prefix={<code>whsec_</code>} version={<code>v1,…</code>} header={<code>webhook-signature</code>} />
			</p>
			<TextField label={t('signingSecret')} type="password" autoComplete="off" value={secret} onInput={setSecret} hint="whsec_…" />
			<div class="columns">
				<TextField label="webhook-id" value={received.id} onInput={(id) => put({id})} />
				<TextField label="webhook-timestamp" value={received.timestamp} onInput={(timestamp) => put({timestamp})} />
			</div>
			<TextField label="webhook-signature" value={received.header} onInput={(header) => put({header})} />
			<Field label={t('bodyExact')}>
				{(props) => <textarea {...props} class="mono" rows={5} spellcheck={false} value={received.body} onInput={(e) => put({body: e.currentTarget.value})} />}
			</Field>
			<button type="submit" disabled={!secret}>
				{t('verify')}
			</button>
			<p role="status" class={`verdict${shown ? (shown.good ? ' good' : ' bad') : ''}`}>
				{shown?.text}
			</p>
		</form>
	);
}
