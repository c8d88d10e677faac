/* Signatures of deliveries, by Standard Webhooks 1.0.0: HMAC-SHA256 over "id.timestamp.body" with the bytes of the
 * secret. They are computed in the page; a typed secret is not sent anywhere. */
import {t} from '../texts/text';

export interface Signed {
	id: string;
	timestamp: string;
	body: string;
}

/* The bytes of a secret, "whsec_" and base64. Throws when the text is not a secret. */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
	const text = secret.trim().replace(/^whsec_/, '');
	if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new Error(t('notASecret'));
	return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/* "v1,<base64>" */
export async function signatureOf(secret: string, {id, timestamp, body}: Signed): Promise<string> {
	if (!crypto.subtle) throw new Error(t('onlySecure'));
	const key = await crypto.subtle.importKey('raw', secretBytes(secret), {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
	const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
	return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
}

/* The header may hold several signatures with blanks between them: one of them has to match. */
export const matches = (header: string, signature: string) => header.trim().split(/\s+/).includes(signature);
