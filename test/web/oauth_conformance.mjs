// The scenarios of the official conformance suite for authorization servers. The user's consent is given as by a browser, with the
// session of KITH_SESSION.
//   KITH_URL=… KITH_SESSION=… KITH_WEB=build/web node oauth_conformance.mjs     (test/lib/server/web.c)
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { KITH_URL, KITH_SESSION, KITH_WEB = 'build/web' } = process.env;

const port = await new Promise((done) => {
	const probe = createServer().listen(0, '127.0.0.1', () => {
		const { port: free } = probe.address();
		probe.close(() => done(free));
	});
});
const registered = await fetch(new URL('/oauth/register', KITH_URL), {
	method: 'POST',
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`], token_endpoint_auth_method: 'none' }),
});
const { client_id: client } = await registered.json();

async function consent(url) {
	const headers = { cookie: `kith=${KITH_SESSION}` };
	const html = await (await fetch(url, { headers })).text();
	const action = new URL(html.match(/action="([^"]*)"/)[1].replaceAll('&amp;', '&'), url);
	const form = new URLSearchParams({ decision: 'allow', may_read: '1', may_write: '1', token: html.match(/name="token" value="([^"]*)"/)[1] });
	await fetch(action, { method: 'POST', body: form, headers: { ...headers, origin: KITH_URL } }); // goes on to the callback
}

const main = `${resolve(KITH_WEB)}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const older = fileURLToPath(new URL('older_node.mjs', import.meta.url));
const child = spawn(process.execPath, ['--import', older, main, 'authorization', '--url', KITH_URL, '--client-id', client, '--resource', `${KITH_URL}/mcp`, '--port', String(port)]);
const opened = new Set();
let out = '';
function read(part) {
	out += part;
	for (const [url] of out.matchAll(/^http\S+\/oauth\/authorize\?\S+(?=\n)/gm))
		if (!opened.has(url))
			consent(opened.add(url) && url);
}
child.stdout.on('data', read);
child.stderr.on('data', read);
const code = await new Promise((done) => child.on('close', done));
assert.equal(code, 0, `the suite ended with ${code}: ${out.slice(-6000)}`);
assert.ok(opened.size > 0, out);
console.log('the scenarios for authorization servers have passed');
