// Strict clients connect by OAuth: the official client of the Model Context Protocol with its own flow, which gets only the URL, and
// openid-client for the API. The consent is given as a browser would, with the session of KITH_SESSION.
//   KITH_URL=… KITH_SESSION=… KITH_WEB=build/web node oauth.mjs     (test/lib/server/web.c)
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oidc from 'openid-client';

globalThis.crypto ??= webcrypto; // Node.js 18
const { KITH_URL, KITH_SESSION } = process.env;
const callback = 'http://127.0.0.1:7777/callback';

// --- the browser of a user ------------------------------------------------------------------

async function consent(url, decision = 'allow') {
	const headers = { cookie: `kith=${KITH_SESSION}` };
	const page = await fetch(url, { headers, redirect: 'manual' });
	assert.equal(page.status, 200);
	const html = await page.text();
	const action = new URL(html.match(/<form method="post" action="([^"]*)"/)[1].replaceAll('&amp;', '&'), url);
	const form = new URLSearchParams({ decision });
	for (const [, name, value] of html.matchAll(/<input type="(?:hidden|checkbox)" name="([^"]*)" value="([^"]*)"/g))
		form.set(name, value);
	const answer = await fetch(action, { method: 'POST', headers: { ...headers, origin: new URL(KITH_URL).origin }, body: form, redirect: 'manual' });
	assert.equal(answer.status, 303);
	return new URL(answer.headers.get('location'));
}

// --- the SDK gets only the URL -----------------------------------------------------------------

class Provider {
	redirectUrl = callback;
	clientMetadata = { client_name: 'SDK', redirect_uris: [callback], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' };
	state = () => 'state-of-the-sdk';
	clientInformation = () => this.client;
	saveClientInformation = (client) => (this.client = client);
	tokens = () => this.saved;
	saveTokens = (tokens) => (this.saved = tokens);
	redirectToAuthorization = (url) => (this.url = url);
	saveCodeVerifier = (verifier) => (this.verifier = verifier);
	codeVerifier = () => this.verifier;
}

async function connect(authProvider) {
	const client = new Client({ name: 'kith-test', version: '1' });
	await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', KITH_URL), { authProvider }));
	return client;
}

const provider = new Provider();
const transport = new StreamableHTTPClientTransport(new URL('/mcp', KITH_URL), { authProvider: provider });
await assert.rejects(new Client({ name: 'kith-test', version: '1' }).connect(transport), UnauthorizedError);
assert.equal(provider.url.searchParams.get('resource'), new URL('/mcp', KITH_URL).href);
assert.equal(provider.url.searchParams.get('scope'), 'read write');
const back = await consent(provider.url);
assert.equal(back.searchParams.get('state'), 'state-of-the-sdk');
await transport.finishAuth(back.searchParams.get('code'));
assert.equal(provider.saved.scope, 'read write');

const client = await connect(provider);
assert.ok((await client.listTools()).tools.length > 0);
const people = await client.callTool({ name: 'search', arguments: { kind: 'people' } });
assert.ok(!people.isError, JSON.stringify(people));

// A tool beyond the scopes. The SDK first renews its token, which gives no further scope (RFC 6749, section 6), and gives up at the
// second 403. Without a refresh token it asks the user for the scopes that kith has named: those of the token and the one it needs.
const made = await client.callTool({ name: 'create', arguments: { kind: 'person', fields: { fullName: 'Goner' } } });
const [goner] = JSON.stringify(made).match(/per_[0-9a-z-]+/);
const gone = { name: 'delete', arguments: { id: goner, dryRun: false } };
await assert.rejects(client.callTool(gone), /403 after trying upscoping/);
provider.saved = { ...provider.saved, refresh_token: undefined };
const wider = new StreamableHTTPClientTransport(new URL('/mcp', KITH_URL), { authProvider: provider });
const deleter = new Client({ name: 'kith-test', version: '1' });
await deleter.connect(wider);
await assert.rejects(deleter.callTool(gone), UnauthorizedError);
assert.equal(provider.url.searchParams.get('scope'), 'read write delete');
await wider.finishAuth((await consent(provider.url)).searchParams.get('code'));
assert.equal(provider.saved.scope, 'read write delete');
const deleted = await deleter.callTool(gone);
assert.ok(!deleted.isError, JSON.stringify(deleted));

// The access token is refused: the SDK renews it by itself.
const former = provider.saved;
provider.saved = { ...former, access_token: `${former.access_token.slice(0, -1)}x` };
const renewed = await connect(provider);
await renewed.ping();
assert.notEqual(provider.saved.refresh_token, former.refresh_token);
assert.notEqual(provider.saved.access_token, former.access_token);

// --- openid-client ------------------------------------------------------------------------------------

const insecure = { execute: [oidc.allowInsecureRequests], algorithm: 'oauth2' };

async function register(method) {
	const metadata = { client_name: 'Strict', redirect_uris: [callback], token_endpoint_auth_method: method };
	return oidc.dynamicClientRegistration(new URL(KITH_URL), metadata, undefined, insecure);
}

async function walk(method, scope) {
	const config = await register(method);
	const verifier = oidc.randomPKCECodeVerifier(), state = oidc.randomState();
	const url = oidc.buildAuthorizationUrl(config, {
		redirect_uri: callback, scope, state, resource: KITH_URL,
		code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
	});
	const answer = await consent(url);
	// Checks state and iss, too.
	const tokens = await oidc.authorizationCodeGrant(config, answer, { pkceCodeVerifier: verifier, expectedState: state }, { resource: KITH_URL });
	return { config, tokens };
}

for (const method of ['none', 'client_secret_basic', 'client_secret_post']) {
	const { config, tokens } = await walk(method, 'read delete');
	assert.equal(tokens.token_type, 'bearer');
	assert.equal(tokens.scope, 'read delete');
	const list = await oidc.fetchProtectedResource(config, tokens.access_token, new URL('/v1/people', KITH_URL), 'GET');
	assert.equal(list.status, 200);
	const next = await oidc.refreshTokenGrant(config, tokens.refresh_token);
	await oidc.tokenRevocation(config, next.refresh_token);
	await assert.rejects(oidc.refreshTokenGrant(config, next.refresh_token), (e) => e.error === 'invalid_grant');
	await assert.rejects(oidc.fetchProtectedResource(config, next.access_token, new URL('/v1/people', KITH_URL), 'GET'), (e) => {
		assert.ok(e instanceof oidc.WWWAuthenticateChallengeError);
		assert.equal(e.cause[0].parameters.error, 'invalid_token');
		return e.status === 401;
	});
}

// A user who denies.
const config = await register('none');
const denied = oidc.buildAuthorizationUrl(config, {
	redirect_uri: callback, resource: KITH_URL,
	code_challenge: await oidc.calculatePKCECodeChallenge(oidc.randomPKCECodeVerifier()), code_challenge_method: 'S256',
});
await assert.rejects(oidc.authorizationCodeGrant(config, await consent(denied, 'deny'), {}), (e) => e.error === 'access_denied');
console.log('the SDK and openid-client have connected');
