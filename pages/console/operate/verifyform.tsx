/* A form that verifies a signature, filled in with a delivery's. */
import {useState} from 'preact/hooks';
import {Field, TextField} from '../parts/field';
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
			? {good: true, text: 'The signature is valid: this body was signed with this secret.'}
			: {good: false, text: `No signature matches. With this secret the signature would be ${signature}`};
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
				A receiver computes HMAC-SHA256 over <code>webhook-id.webhook-timestamp.body</code>, joined by dots, with the bytes of
				the secret behind <code>whsec_</code> (base64), and compares the result with each <code>v1,…</code> in{' '}
				<code>webhook-signature</code>. It also refuses times more than five minutes away. Put in what your receiver has got:
				nothing of it leaves this page.
			</p>
			<TextField label="Signing secret" type="password" autoComplete="off" value={secret} onInput={setSecret} hint="whsec_…" />
			<div class="columns">
				<TextField label="webhook-id" value={received.id} onInput={(id) => put({id})} />
				<TextField label="webhook-timestamp" value={received.timestamp} onInput={(timestamp) => put({timestamp})} />
			</div>
			<TextField label="webhook-signature" value={received.header} onInput={(header) => put({header})} />
			<Field label="Body, byte for byte">
				{(props) => <textarea {...props} class="mono" rows={5} spellcheck={false} value={received.body} onInput={(e) => put({body: e.currentTarget.value})} />}
			</Field>
			<button type="submit" disabled={!secret}>
				Verify
			</button>
			<p role="status" class={`verdict${shown ? (shown.good ? ' good' : ' bad') : ''}`}>
				{shown?.text}
			</p>
		</form>
	);
}
