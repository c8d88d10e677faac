// Clients whose client_id is the URL of a document: which documents are taken, and what is fetched.
//   KITH_URL=… KITH_SESSION=… node oauth_documents.mjs     (test/lib/server/web.c)
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const { KITH_URL, KITH_SESSION } = process.env;
const callback = 'http://localhost:7777/callback';
const verifier = randomBytes(32).toString('base64url');
const asked = [];

// --- the server of the documents -----------------------------------------------------------------

const json = (value, more) => ({ headers: { 'content-type': 'application/json', ...more }, body: JSON.stringify(value) });
const documents = {
	'/good.json': (url) => json({ client_id: url, client_name: 'Document <i>', redirect_uris: [callback] }),
	'/other.json': (url) => json({ client_id: url.replace('other', 'good'), client_name: 'Other', redirect_uris: [callback] }),
	'/query.json?a=1': (url) => json({ client_id: url, redirect_uris: [callback] }),
	'/none.json': (url) => json({ client_id: url, redirect_uris: [] }),
	'/evil.json': (url) => json({ client_id: url, redirect_uris: ['javascript:alert(1)'] }),
	'/elsewhere.json': (url) => json({ client_id: url, redirect_uris: ['https://elsewhere.example/cb'] }),
	'/secret.json': (url) => json({ client_id: url, redirect_uris: [callback], token_endpoint_auth_method: 'client_secret_basic' }),
	'/name.json': (url) => json({ client_id: url, redirect_uris: [callback], client_name: 'x'.repeat(101) }),
	'/control.json': (url) => json({ client_id: url, redirect_uris: [callback], client_name: 'A\u001b[2J' }),
	'/text.json': (url) => ({ headers: { 'content-type': 'text/html' }, body: documents['/good.json'](url).body }),
	'/broken.json': () => ({ headers: { 'content-type': 'application/json' }, body: '{' }),
	'/moved.json': () => ({ status: 302, headers: { location: '/good.json' }, body: '' }),
	'/absent.json': () => ({ status: 404, headers: { 'content-type': 'application/json' }, body: '{}' }),
	'/large.json': (url) => json({ client_id: url, redirect_uris: [callback], x: 'x'.repeat(65536) }),
	'/slow.json': () => undefined,
};

const site = createServer((request, response) => {
	const answer = documents[request.url]?.(`http://127.0.0.1:${site.address().port}${request.url}`);
	asked.push({ url: request.url, cookie: request.headers.cookie });
	if (!answer)
		return; // never answers
	response.writeHead(answer.status ?? 200, answer.headers);
	response.end(answer.body);
});
await new Promise((done) => site.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${site.address().port}`;
const times = (path) => asked.filter((a) => a.url === path).length;

// --- the browser ------------------------------------------------------------------------------------

function address(id, redirect = callback) {
	const url = new URL('/oauth/authorize', KITH_URL);
	url.search = new URLSearchParams({
		response_type: 'code', client_id: id, redirect_uri: redirect, resource: `${KITH_URL}/mcp`, code_challenge_method: 'S256',
		code_challenge: createHash('sha256').update(verifier).digest('base64url'),
	});
	return url;
}

async function open(id, { session = KITH_SESSION, redirect } = {}) {
	const headers = session ? { cookie: `kith=${session}` } : {};
	const answer = await fetch(address(id, redirect), { headers, redirect: 'manual' });
	return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() };
}

// A request of somebody who is not signed in makes kith fetch nothing.
assert.equal((await open(`${origin}/good.json`, { session: null })).status, 302);
assert.equal(asked.length, 0);

const page = await open(`${origin}/good.json`);
assert.equal(page.status, 200);
assert.match(page.html, /Document &lt;i&gt;/);
assert.ok(page.html.includes(`${origin}/good.json`));
assert.equal(asked[0].cookie, undefined);
await open(`${origin}/good.json`);
assert.equal(times('/good.json'), 1); // it is kept
assert.equal((await open(`${origin}/query.json?a=1`)).status, 200);
// Any port of a loopback address, but no other path.
assert.equal((await open(`${origin}/good.json`, { redirect: callback.replace('7777', '8888') })).status, 200);
assert.equal((await open(`${origin}/good.json`, { redirect: `${callback}/x` })).status, 400);

for (const path of Object.keys(documents).filter((p) => !['/good.json', '/query.json?a=1', '/slow.json'].includes(p))) {
	const { status, location } = await open(origin + path);
	assert.deepEqual([path, status, location], [path, 400, null]);
}

// Documents that are not fetched at all.
const before = asked.length;
for (const id of [`${origin}/`, `${origin}/good.json#x`, `${origin}/a/../good.json`, `http://user@127.0.0.1:${site.address().port}/good.json`,
	'http://example.com/client.json', 'http://169.254.169.254/latest/meta-data', 'https://localhost:1/x', `${origin}/${'x'.repeat(600)}`])
	assert.deepEqual([id, (await open(id)).status], [id, 400]);
assert.equal(asked.length, before);

// One that never answers holds nothing up, and few at once are asked for.
const began = Date.now();
const slow = await Promise.all([1, 2, 3, 4].map(() => open(`${origin}/slow.json`)));
assert.ok(slow.every((s) => s.status === 400) && Date.now() - began < 60000);
assert.equal(times('/slow.json'), 2);

// --- the whole walk ------------------------------------------------------------------------------------

const id = `${origin}/good.json`;
const action = new URL(page.html.match(/action="([^"]*)"/)[1].replaceAll('&amp;', '&'), address(id));
const form = new URLSearchParams({ decision: 'allow', may_read: '1', token: page.html.match(/name="token" value="([^"]*)"/)[1] });
const allowed = await fetch(action, { method: 'POST', body: form, headers: { cookie: `kith=${KITH_SESSION}`, origin: KITH_URL }, redirect: 'manual' });
assert.equal(allowed.status, 303);
const code = new URL(allowed.headers.get('location')).searchParams.get('code');

async function token(more) {
	const answer = await fetch(new URL('/oauth/token', KITH_URL), { method: 'POST', body: new URLSearchParams(more) });
	return { status: answer.status, ...(await answer.json()) };
}

assert.equal((await token({ grant_type: 'authorization_code', code, code_verifier: verifier, client_id: `${origin}/other.json` })).error, 'invalid_grant');
const tokens = await token({ grant_type: 'authorization_code', code, code_verifier: verifier, client_id: id });
assert.equal(tokens.status, 200);
assert.equal((await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: id })).status, 200);
assert.equal((await token({ grant_type: 'refresh_token', refresh_token: 'x', client_id: id, client_secret: 'y' })).error, 'invalid_grant');
site.closeAllConnections();
site.close();
console.log('the documents were read');
