/* What an address asks for at the start, as #name=value: to accept an invitation, to go back to an application that wants to
 * connect, or to say why signing in through the company failed. It is taken out of the address at once, because an invitation
 * is a secret and works once. */

const RETURN = 'kith.return';
const APPLICATION = 'kith.application';
const NAME_MAX = 100;

const given = new URLSearchParams(location.hash.slice(1));

function take(name: string): string | null {
	const found = given.get(name);
	if (found !== null) history.replaceState(null, '', location.pathname + location.search);
	return found;
}

export const invitation = take('invitation');
export const signInError = take('signin-error');

/* Only the page on which the user allows an application; an address of another site would be an open redirect. It outlives
 * the way through an identity provider. */
function isConsent(url: URL): boolean {
	return url.origin === location.origin && url.pathname === new URL('oauth/authorize', location.href).pathname;
}

const asked = take('return');
if (asked !== null) {
	sessionStorage.setItem(RETURN, asked);
	sessionStorage.setItem(APPLICATION, (given.get('application') ?? '').slice(0, NAME_MAX));
}

/* The page of consent that sent the user here; null: none. */
function consentOf(target: string | null): URL | null {
	if (!target?.startsWith('/') || target.startsWith('//')) return null;
	/* The console may be below a path of a proxy, which the server does not know. */
	const url = new URL(`.${target}`, location.href);
	return isConsent(url) ? url : null;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/* The application that wants to connect. host: where its answer goes; '' on this computer; with a colon at its end, it is the
 * scheme of an application on this device. */
export interface Application {
	name: string;
	host: string;
}

export function askingApplication(): Application | null {
	const parameters = consentOf(sessionStorage.getItem(RETURN))?.searchParams;
	/* Without a redirect URI the client is registered with only one, which this page does not know; it may be a document's address. */
	const address = parameters?.get('redirect_uri') ?? parameters?.get('client_id');
	if (!address || !URL.canParse(address)) return null;
	const url = new URL(address);
	const host = !/^https?:$/.test(url.protocol) ? url.protocol : LOOPBACK.includes(url.hostname) ? '' : url.host;
	return {name: sessionStorage.getItem(APPLICATION) ?? '', host};
}

let leaving = false;

/* Leaves for the page that sent the user here to sign in. Returns false if there is none. */
export function goBack(): boolean {
	if (leaving) return true;
	const url = consentOf(sessionStorage.getItem(RETURN));
	sessionStorage.removeItem(RETURN);
	sessionStorage.removeItem(APPLICATION);
	if (!url) return false;
	location.replace(url.href);
	return (leaving = true);
}
