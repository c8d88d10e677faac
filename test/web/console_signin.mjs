// Signing in to the console: with a key, an invitation and a password; sessions that all tabs share; the way back to an
// application that wants to connect.
import { strict as assert } from 'node:assert';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as b from './browser.mjs';
import { click, closePage, fill, openPage, see, seeNoText, seeText } from './browser.mjs';
import { addressOf, counted, entered, kith, me } from './console_tab.mjs';
import { until } from './server.mjs';
import { api } from './world.mjs';

const { KITH_URL, KITH_KEY } = process.env;

const start = async (hash = '') => {
	const page = await openPage();
	await page.browserContext().deleteCookie(...(await page.browserContext().cookies()));
	await page.goto(`${KITH_URL}/console${hash}`);
	return page;
};

const newUser = async (email, fullName, role = 'member') => (await api('POST', '/v1/users', { email, fullName, role })).data;
const sessionsOf = async (id) => (await api('GET', '/v1/keys?limit=100')).data.items.filter((k) => k.kind === 'session' && k.user.id === id);

async function signsInByKey() {
	const page = await start();

	await see(page, 'textbox', 'Password');
	await b.checkAccess(page, 'sign in');
	await b.shoot(page, 'signin-desktop-light');
	await b.useKey(page, 'kith_wrong');
	await seeText(page, 'The server does not know this key');
	assert.equal(await b.value(page, 'textbox', 'API key'), 'kith_wrong');
	await fill(page, 'textbox', 'API key', KITH_KEY);
	await click(page, 'button', 'Sign in');
	await see(page, 'heading', 'Today');
	await seeText(page, me.fullName);
	// Scripts can read neither the key nor the session.
	const [tab, all, cookie] = await page.evaluate(() => [Object.values(sessionStorage), Object.values(localStorage), document.cookie]);
	assert.deepEqual([tab, cookie], [[], '']);
	assert.match(all.join(), /^usr_[0-9a-f-]{36} \d+$/);
	await page.reload();
	await see(page, 'heading', 'Today');
	await click(page, 'button', 'Sign out');
	await see(page, 'textbox', 'Password');
	assert.deepEqual(await page.browserContext().cookies(), []);
	await closePage(page);
}

async function acceptsInvitation() {
	const user = await newUser('ina@invited.example', 'Ina Invited');
	const page = await start(`#${new URL(user.invitationUrl).hash.slice(1)}`);

	await see(page, 'textbox', 'New password');
	assert.equal(await addressOf(page), `${KITH_URL}/console`); // the token is not kept in the history
	await seeText(page, 'You choose the password of Ina Invited in the workspace');
	assert.equal(await b.value(page, 'textbox', 'E-mail'), 'ina@invited.example');
	await page.waitForFunction(() => document.activeElement.type === 'password');
	await b.checkAccess(page, 'an invitation');
	await fill(page, 'textbox', 'New password', 'password1234');
	await click(page, 'button', 'Sign in');
	await seeText(page, 'most common');
	await page.evaluate(() => localStorage.setItem('kith.language', 'de'));
	const german = await start(`#${new URL(user.invitationUrl).hash.slice(1)}`);
	await seeText(german, 'Sie wählen das Passwort von Ina Invited im Workspace');
	for (const [password, why] of [['kurz', 'zu kurz'], ['password1234', 'leicht zu erraten']]) {
		await fill(german, 'textbox', 'Neues Passwort', password);
		await click(german, 'button', 'Anmelden');
		await seeText(german, why);
	}
	await german.evaluate(() => localStorage.removeItem('kith.language'));
	await closePage(german);
	await page.bringToFront();
	await fill(page, 'textbox', 'New password', 'nine yellow yaks');
	await click(page, 'button', 'Sign in');
	await see(page, 'heading', 'Today');
	await seeText(page, 'Ina Invited');
	await click(page, 'button', 'Sign out');

	await fill(page, 'textbox', 'E-mail', 'ina@invited.example');
	await fill(page, 'textbox', 'Password', 'ten yellow yaks');
	await click(page, 'button', 'Sign in');
	await seeText(page, 'The e-mail address or the password is wrong.');
	await fill(page, 'textbox', 'Password', 'nine yellow yaks');
	await click(page, 'button', 'Sign in');
	await see(page, 'heading', 'Today');

	// The link works once.
	await page.goto('about:blank');
	await page.goto(user.invitationUrl);
	await seeText(page, 'This link is no longer valid');
	// Somebody who is disabled is out at once.
	await page.goto('about:blank');
	await page.goto(`${KITH_URL}/console#/people`);
	await see(page, 'heading', 'People');
	await api('POST', `/v1/users/${user.id}/disable`);
	await page.evaluate(() => (location.hash = '#/companies'));
	await see(page, 'heading', 'Sign in again');
	await closePage(page);
}

async function sharesTabs() {
	const user = await newUser('tab@shared.example', 'Tab Shared', 'admin');
	const one = await start(`#${new URL(user.invitationUrl).hash.slice(1)}`);
	await fill(one, 'textbox', 'New password', 'nine yellow yaks');
	await click(one, 'button', 'Sign in');
	await see(one, 'heading', 'Today');

	const two = await openPage();
	await two.goto(`${KITH_URL}/console#/people`);
	await see(two, 'heading', 'People');
	await seeText(two, 'Tab Shared');
	assert.equal((await sessionsOf(user.id)).length, 1);

	// Signing out in one tab ends the other; signing in again in one lets the other go on.
	await one.bringToFront();
	await click(one, 'button', 'Sign out');
	await see(one, 'textbox', 'Password');
	await see(two, 'heading', 'Sign in again');
	await fill(one, 'textbox', 'E-mail', 'tab@shared.example');
	await fill(one, 'textbox', 'Password', 'nine yellow yaks');
	await click(one, 'button', 'Sign in');
	await see(one, 'heading', 'Today');
	await seeNoText(two, 'has ended');

	// What is asked in a tab of one user is never sent as another one.
	await click(one, 'button', 'Sign out');
	await see(one, 'textbox', 'Password');
	await b.useKey(one, KITH_KEY);
	await see(one, 'heading', 'Today');
	await seeText(two, me.fullName);
	await closePage(one);
	await closePage(two);
}

// Of the windows that the cases use at once, only one has the focus.
const inFront = (page) => page.evaluateOnNewDocument(() => (Document.prototype.hasFocus = () => true));

async function connectsAnApplication() {
	const application = await (await fetch(`${KITH_URL}/oauth/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ client_name: 'Assistant', redirect_uris: [`${KITH_URL}/docs`], token_endpoint_auth_method: 'none' }) })).json();
	const query = new URLSearchParams({ response_type: 'code', client_id: application.client_id, redirect_uri: `${KITH_URL}/docs`, code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256', resource: `${KITH_URL}/mcp`, state: 'xyz' });
	const page = await start();
	await inFront(page);
	await page.goto(`${KITH_URL}/oauth/authorize?${query}`);

	// The page of signing in says for whom.
	await seeText(page, 'Assistant wants to connect to kith. Its address: a program on this computer.');
	await b.checkAccess(page, 'signing in for an application');
	await b.useKey(page, KITH_KEY);
	await see(page, 'button', 'Allow'); // the page before has the name, too
	await seeText(page, 'Assistant');
	await b.checkAccess(page, 'consent');
	await b.shoot(page, 'consent-desktop-light');
	await click(page, 'button', 'Allow');
	await until('the application has its code', async () => new URL(page.url()).searchParams.get('code'));
	const back = new URL(page.url());
	assert.deepEqual([back.pathname, back.searchParams.get('state'), back.searchParams.get('iss')], ['/docs', 'xyz', KITH_URL]);

	// It is listed, and ends when the user ends it.
	await page.goto(`${KITH_URL}/console#/account`);
	await see(page, 'heading', 'Connected applications');
	await seeText(page, 'No application is connected.'); // the code was not used
	await closePage(page);
}

// Another page may open the consent under the pointer, between the two clicks of a double click. So Allow takes no click and no key
// until the page has been in sight and in focus for half a second without one. Here the test says when that time is over.
async function delaysConsent() {
	const application = await (await fetch(`${KITH_URL}/oauth/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ client_name: 'Hasty', redirect_uris: [`${KITH_URL}/docs`], token_endpoint_auth_method: 'none' }) })).json();
	const query = new URLSearchParams({ response_type: 'code', client_id: application.client_id, redirect_uri: `${KITH_URL}/docs`, code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256', resource: `${KITH_URL}/mcp`, state: 'xyz' });
	const page = await start();
	let sent = 0;

	await b.useKey(page, KITH_KEY);
	await see(page, 'heading', 'Today');
	await inFront(page);
	await page.evaluateOnNewDocument(() => {
		if (!location.pathname.endsWith('/oauth/authorize')) return;
		window.halves = []; // of a second: what is done after each one, unless it was begun again
		window.setTimeout = (run, ms, ...args) => window.halves.push(ms === 500 && (() => run(...args)));
		window.clearTimeout = (n) => n && (window.halves[n - 1] = null);
	});
	page.on('request', (request) => (sent += request.method() === 'POST' && request.url().includes('/oauth/authorize')));
	await page.goto(`${KITH_URL}/oauth/authorize?${query}`);

	const allow = await page.waitForSelector('button.yes');
	const disabled = () => allow.evaluate((button) => button.disabled);
	const begun = () => page.evaluate(() => window.halves.length);
	const halfSecond = () => page.evaluate(() => window.halves.forEach((run) => run && run()));
	const { x, y, width, height } = await allow.boundingBox();
	const press = () => page.mouse.click(x + width / 2, y + height / 2);
	const pressed = async (act) => {
		const before = await begun();
		await act();
		await until('the half second begins again', async () => (await begun()) > before);
		assert.ok(await disabled());
	};

	await until('the half second begins', begun);
	assert.ok(await disabled());
	await pressed(press);
	await page.focus('input[type=checkbox]');
	await pressed(() => page.keyboard.press('Enter'));
	// A click that comes before the button is disabled.
	await allow.evaluate((button) => {
		button.disabled = false;
		button.click();
		button.disabled = true;
	});
	await halfSecond();
	assert.equal(await disabled(), false);

	// The page loses the focus and is hidden, and comes back.
	const put = (focus, hidden) => page.evaluate((f, h) => {
		Document.prototype.hasFocus = () => f;
		Object.defineProperty(document, 'hidden', { value: h, configurable: true });
		window.dispatchEvent(new Event(f ? 'focus' : 'blur'));
		document.dispatchEvent(new Event('visibilitychange'));
	}, focus, hidden);
	for (const [focus, hidden] of [[false, false], [true, true]]) {
		await put(focus, hidden);
		assert.ok(await disabled());
		await halfSecond();
		assert.ok(await disabled());
	}
	await pressed(() => put(true, false));
	await pressed(press);
	assert.equal(sent, 0);
	await halfSecond();
	assert.equal(await disabled(), false);
	await press();
	await until('the application has its code', async () => new URL(page.url()).searchParams.get('code'));
	assert.equal(sent, 1);

	// Deny needs no wait, and without scripts nothing waits.
	await page.goto(`${KITH_URL}/oauth/authorize?${query}`);
	await click(page, 'button', 'Deny');
	await until('the application is refused', async () => new URL(page.url()).searchParams.get('error') === 'access_denied');
	await page.setJavaScriptEnabled(false);
	await page.goto(`${KITH_URL}/oauth/authorize?${query}`);
	await press();
	await until('the application has its code', async () => new URL(page.url()).searchParams.get('code'));
	await closePage(page);
}

// An assistant gets nothing but the address, and works after three clicks.
async function connectsAnAssistant() {
	const user = await newUser('clara@clicks.example', 'Clara Clicks');
	const page = await entered({ key: kith('key', 'create', '--user', user.id).key, hash: '#/today', name: 'Today' });
	const by = counted(page);
	const saved = {};
	const authProvider = {
		redirectUrl: `${KITH_URL}/docs`,
		clientMetadata: { client_name: 'Assistant of three clicks', redirect_uris: [`${KITH_URL}/docs`], token_endpoint_auth_method: 'none' },
		clientInformation: () => saved.client,
		saveClientInformation: (client) => (saved.client = client),
		tokens: () => saved.tokens,
		saveTokens: (tokens) => (saved.tokens = tokens),
		saveCodeVerifier: (verifier) => (saved.verifier = verifier),
		codeVerifier: () => saved.verifier,
		redirectToAuthorization: (url) => (saved.url = url),
	};

	await by.click('link', 'My account');
	await see(page, 'heading', 'Connect an assistant');
	const address = await b.value(page, 'textbox', 'Address for assistants');
	await by.click('button', 'Copy'); // the first one of the page
	assert.equal(await page.$eval('section[aria-labelledby="assistant"] input', (e) => e.value), address);
	const transport = new StreamableHTTPClientTransport(new URL(address), { authProvider });
	await assert.rejects(new Client({ name: 'three clicks', version: '1' }).connect(transport), UnauthorizedError);
	await inFront(page);
	await page.goto(saved.url.href);
	await by.click('button', 'Allow');
	await until('the assistant has its code', async () => new URL(page.url()).searchParams.get('code'));
	assert.equal(by.n, 3);
	await transport.finishAuth(new URL(page.url()).searchParams.get('code'));
	const client = new Client({ name: 'three clicks', version: '1' });
	await client.connect(new StreamableHTTPClientTransport(new URL(address), { authProvider }));
	assert.ok((await client.listTools()).tools.length > 5);
	await client.close();

	// It is listed, and ends when the user ends it.
	await page.goto(`${KITH_URL}/console#/account`);
	await click(page, 'button', 'Disconnect Assistant of three clicks');
	await click(page, 'button', 'Disconnect');
	await seeText(page, 'The application was disconnected.');
	await assert.rejects(new Client({ name: 'three clicks', version: '1' }).connect(new StreamableHTTPClientTransport(new URL(address), { authProvider: { ...authProvider, tokens: () => ({ ...saved.tokens, refresh_token: undefined }) } })), UnauthorizedError);
	await closePage(page);
}

// Admins invite people, change them and shut them out.
async function managesUsers() {
	const page = await entered({ hash: '#/admin', name: 'Users and keys' });

	await click(page, 'button', 'Invite somebody');
	await fill(page, 'textbox', 'E-mail', me.email);
	await click(page, 'button', 'Invite');
	await seeText(page, 'has a user with this e-mail address');
	await fill(page, 'textbox', 'E-mail', 'new@managed.example');
	await fill(page, 'textbox', 'Name', 'Newt Managed');
	await b.checkAccess(page, 'an invitation form');
	await click(page, 'button', 'Invite');
	await see(page, 'heading', 'Link for Newt Managed');
	await page.waitForFunction(() => document.activeElement.labels?.[0]?.innerText === 'Link');
	assert.match(await b.value(page, 'textbox', 'Link'), /#invitation=/);
	await b.checkAccess(page, 'an invitation link');
	await click(page, 'button', 'Done');
	await click(page, 'button', 'Edit Newt Managed');
	await page.select('dialog select', 'admin');
	await click(page, 'button', 'Save');
	await seeNoText(page, 'Administrators manage users');
	const user = (await api('GET', '/v1/users/accounts?limit=100')).data.items.find((u) => u.email === 'new@managed.example');
	assert.equal(user.role, 'admin');
	await click(page, 'button', 'Disable Newt Managed');
	await click(page, 'button', 'Disable');
	await see(page, 'button', 'Enable Newt Managed');
	await click(page, 'button', 'Enable Newt Managed');
	await click(page, 'button', 'Enable');
	await see(page, 'button', 'Disable Newt Managed');
	await b.checkAccess(page, 'users');
	await closePage(page);
}

// One's own sessions and password.
async function managesOneself() {
	const user = await newUser('self@managed.example', 'Self Managed');
	const page = await start(`#${new URL(user.invitationUrl).hash.slice(1)}`);
	await fill(page, 'textbox', 'New password', 'nine yellow yaks');
	await click(page, 'button', 'Sign in');
	await see(page, 'heading', 'Today');
	await fetch(`${KITH_URL}/auth/password`, { method: 'POST', headers: { 'X-Kith-Console': '1', 'Content-Type': 'application/json' }, body: JSON.stringify({ email: user.email, password: 'nine yellow yaks' }) });
	await page.evaluate(() => (location.hash = '#/account'));
	await see(page, 'heading', 'My account');
	assert.equal(await b.value(page, 'textbox', 'Address for assistants'), `${KITH_URL}/mcp`);
	await b.checkAccess(page, 'my account');
	await b.shoot(page, 'account-desktop-light');
	assert.equal((await sessionsOf(user.id)).length, 2);
	await click(page, 'button', 'End the session of Browser');
	await click(page, 'button', 'End');
	await seeText(page, 'The session was ended.');
	assert.equal((await sessionsOf(user.id)).length, 1);
	await click(page, 'button', 'Change the password');
	await fill(page, 'textbox', 'Current password', 'wrong wrong wrong');
	await fill(page, 'textbox', 'New password', 'ten purple zebras');
	await click(page, 'button', 'Change');
	await see(page, 'textbox', 'Current password');
	await fill(page, 'textbox', 'Current password', 'nine yellow yaks');
	await click(page, 'button', 'Change');
	await seeText(page, 'The password was changed.');
	await page.reload();
	await see(page, 'heading', 'My account');
	await closePage(page);
}

// An admin who came in without a password, as that of `kith demo` does, sets the first one.
async function setsFirstPassword() {
	const user = await newUser('first@managed.example', 'Firsta Managed', 'admin');
	const { key } = kith('key', 'create', '--user', user.id, '--name', 'First');
	const page = await start();
	await b.useKey(page, key);
	await see(page, 'heading', 'Today');
	await page.evaluate(() => (location.hash = '#/account'));
	await click(page, 'button', 'Set a password');
	await b.checkAccess(page, 'a first password');
	await click(page, 'button', 'Continue');
	await seeText(page, 'You choose the password of Firsta Managed');
	await fill(page, 'textbox', 'New password', 'nine yellow yaks');
	await click(page, 'button', 'Sign in');
	await see(page, 'heading', 'Today');
	await page.evaluate(() => (location.hash = '#/account'));
	await see(page, 'button', 'Change the password');
	await closePage(page);
	// The first link was replaced.
	const used = await start(`#${new URL(user.invitationUrl).hash.slice(1)}`);
	await seeText(used, 'This link is no longer valid. Ask an administrator');
	await closePage(used);
}

// Only the page of consent is gone back to.
async function redirectsNowhere() {
	for (const target of ['//evil.example/oauth/authorize', 'https://evil.example/oauth/authorize', '/docs', '/oauth/authorize/../../docs', '\\\\evil.example']) {
		const page = await entered({ hash: `#return=${encodeURIComponent(target)}`, name: 'Today' });
		assert.equal(new URL(await addressOf(page)).pathname, '/console', target);
		await closePage(page);
	}
	// The host is that of the request, whatever the address says beside it.
	const consent = (redirect, name) => `#return=${encodeURIComponent(`/oauth/authorize?client_id=x&redirect_uri=${encodeURIComponent(redirect)}`)}&application=${encodeURIComponent(name)}&host=bank.example`;
	for (const [hash, text] of [
		[consent('https://app.example/cb', 'My <b>Bank'), 'My <b>Bank wants to connect to kith. Its address: app.example.'],
		[consent('com.example.app:/cb', 'App'), 'App wants to connect to kith. Its address: an application on this device (com.example.app:).'],
		[consent('https://app.example/cb', ''), 'An application wants to connect to kith. Its address: app.example.'],
	]) {
		const asked = await start(hash);
		await seeText(asked, text);
		await closePage(asked);
	}
	const alone = await start('#return=/docs&application=Nobody');
	await see(alone, 'button', 'Sign in');
	await seeNoText(alone, 'wants to connect');
	await closePage(alone);
	const page = await start('#signin-error=not_allowed');
	await seeText(page, 'You have no account here.');
	await closePage(page);
}

export const signInCases = [
	['signing in and out', signsInByKey],
	['an invitation and a password', acceptsInvitation],
	['tabs share a session', sharesTabs],
	['an application is connected', connectsAnApplication],
	['a consent waits for a clear click', delaysConsent],
	['an assistant is connected in three clicks', connectsAnAssistant],
	['signing in leads nowhere else', redirectsNowhere],
	['users are invited and disabled', managesUsers],
	['an invitation, and the first password of an admin', setsFirstPassword],
	['my sessions and my password', managesOneself],
];
