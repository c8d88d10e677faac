/* What an address asks for at the start, as #name=value: to accept an invitation, to go back to an application that wants to
 * connect, or to say why signing in through the company failed. It is taken out of the address at once, because an invitation
 * is a secret and works once. */

const RETURN = 'kith.return';

function take(name: string): string | null {
	const found = new URLSearchParams(location.hash.slice(1)).get(name);
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
if (asked !== null) sessionStorage.setItem(RETURN, asked);

let leaving = false;

/* Leaves for the page that sent the user here to sign in. Returns false if there is none. */
export function goBack(): boolean {
	if (leaving) return true;
	const target = sessionStorage.getItem(RETURN);
	sessionStorage.removeItem(RETURN);
	if (!target?.startsWith('/') || target.startsWith('//')) return false;
	/* The console may be below a path of a proxy, which the server does not know. */
	const url = new URL(`.${target}`, location.href);
	if (!isConsent(url)) return false;
	location.replace(url.href);
	return (leaving = true);
}
