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
			? {good: true, text: 'The signature is right: the body is as it was signed with this secret.'}
			: {good: false, text: `No signature matches. With this secret it would be ${signature}`};
	} catch (error) {
		return {good: false, text: error instanceof Error ? error.message : String(error)};
	}
}

/* The secret is its page's, so that it stays when another attempt fills the form in anew. */
export function VerifyForm({delivery, secret, setSecret}: {delivery: Delivery; secret: string; setSecret: (secret: string) => void}) {
	const [id, setId] = useState(delivery.eventId);
	const [timestamp, setTimestamp] = useState(delivery.webhookTimestamp ?? '');
	const [header, setHeader] = useState(delivery.webhookSignature ?? '');
	const [body, setBody] = useState(delivery.body ?? '');
	const [verdict, setVerdict] = useState<Verdict | null>(null);
	const changed = (set: (text: string) => void) => (text: string) => {
		set(text);
		setVerdict(null);
	};

	return (
		<form
			class="narrow stack"
			onSubmit={(e) => {
				e.preventDefault();
				void judge(secret, {id, timestamp, body}, header).then(setVerdict);
			}}
		>
			<p>
				A receiver computes HMAC-SHA256 over <code>webhook-id.webhook-timestamp.body</code>, joined by dots, with the bytes of
				the secret behind <code>whsec_</code> (base64), and compares the result with each <code>v1,…</code> in{' '}
				<code>webhook-signature</code>. It also refuses times more than five minutes away. Put in what your receiver has got:
				nothing of it leaves this page.
			</p>
			<TextField label="Signing secret" type="password" autoComplete="off" value={secret} onInput={changed(setSecret)} hint="whsec_…" />
			<div class="columns">
				<TextField label="webhook-id" value={id} onInput={changed(setId)} />
				<TextField label="webhook-timestamp" value={timestamp} onInput={changed(setTimestamp)} />
			</div>
			<TextField label="webhook-signature" value={header} onInput={changed(setHeader)} />
			<Field label="Body, byte for byte">
				{(props) => <textarea {...props} class="mono" rows={5} spellcheck={false} value={body} onInput={(e) => changed(setBody)(e.currentTarget.value)} />}
			</Field>
			<button type="submit" disabled={!secret}>
				Verify
			</button>
			<p role="status" class={`verdict${verdict ? (verdict.good ? ' good' : ' bad') : ''}`}>
				{verdict?.text}
			</p>
		</form>
	);
}
