// People sign in through oidc-provider, which is as strict as its authors can make it. The provider is the one that
// docs/signing-in.md shows for a try, and others with every algorithm and way to authenticate.
//   KITH_PROGRAM, KITH_DATABASE_URL, KITH_DATA_DIR: for servers of its own; KITH_WEB: the folder of the packages;
//   KITH_EMAIL, KITH_USER: a user who is a member
import { strict as assert } from 'node:assert';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { Server } from './server.mjs';

const { KITH_EMAIL, KITH_USER, KITH_WEB } = process.env;
const folder = mkdtempSync(`${tmpdir()}/kith-oidc-`);
const SECRET = 'kith-secret & more: %';
let failed = 0;

const freePort = () => new Promise((done) => {
	const probe = createServer().listen(0, '127.0.0.1', () => {
		const { port } = probe.address();
		probe.close(() => done(port));
	});
});

// --- a browser that follows redirects and keeps cookies of 127.0.0.1 ---------------------------

class Browser {
	cookies = new Map();

	async request(url, form) {
		const answer = await fetch(url, {
			redirect: 'manual',
			method: form ? 'POST' : 'GET',
			body: form && new URLSearchParams(form),
			headers: { Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
		});
		for (const line of answer.headers.getSetCookie()) {
			const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
			if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line))
				this.cookies.delete(name);
			else
				this.cookies.set(name, value);
		}
		return answer;
	}

	// Until a page that is not a redirect, or the console; at most twenty steps.
	async follow(url, form) {
		for (let steps = 0; steps < 20; steps++) {
			const answer = await this.request(url, form);
			form = undefined;
			const to = answer.headers.get('location');
			if (!to)
				return { url, status: answer.status, text: await answer.text() };
			url = new URL(to, url).href;
			if (/\/console(#|$)/.test(url))
				return { url, status: answer.status, text: '' };
		}
		throw new Error(`too many redirects: ${url}`);
	}
}

// Signs in at the provider's own pages, which ask for a name and then for consent.
async function signIn(kith, name) {
	const browser = new Browser();
	let page = await browser.follow(`${kith.url}/auth/oidc/start`);
	assert.match(page.text, /name="login"/, `${page.status} ${page.url} ${page.text.slice(0, 300)}`);
	const form = (text) => /action="([^"]+)"/.exec(text)[1];
	page = await browser.follow(new URL(form(page.text), page.url).href, { prompt: 'login', login: name, password: 'x' });
	if (page.text)
		page = await browser.follow(new URL(form(page.text), page.url).href, { prompt: 'consent' });
	return { browser, page };
}

async function userOf(kith, browser) {
	const answer = await fetch(`${kith.url}/v1/session`, {
		headers: { Cookie: `kith=${browser.cookies.get('kith')}`, 'X-Kith-Console': '1' },
	});
	assert.equal(answer.status, 200);
	return (await answer.json()).data.user;
}

const startKith = (issuer, more = []) => Server.start({ limits: [`--oidc_issuer=${issuer}`, '--oidc_client_id=kith', ...more] });

async function test(name, run) {
	try {
		await run();
		console.log(`ok      ${name}`);
	} catch (error) {
		failed++;
		console.log(`FAILED  ${name}\n${error.stack}`);
	}
}

const enters = async (kith) => {
	const { browser, page } = await signIn(kith, KITH_EMAIL);
	assert.equal(page.url, `${kith.url}/console`);
	assert.equal((await userOf(kith, browser)).id, KITH_USER);
};
const fails = (word) => async (kith) => {
	const { browser, page } = await signIn(kith, KITH_EMAIL);
	assert.equal(page.url, `${kith.url}/console#signin-error=${word}`);
	assert.equal(browser.cookies.get('kith'), undefined);
};

// --- the provider of the document ------------------------------------------------------------------

// The document's provider.mjs, at another port.
const text = readFileSync(new URL('../../../docs/signing-in.md', import.meta.url), 'utf8');
const [, shown] = /cat >provider\.mjs <<'END'\n([^]*?)\nEND\n/.exec(text);

await test('the provider of docs/signing-in.md', async () => {
	const port = await freePort(), file = `${KITH_WEB}/provider-${process.pid}.mjs`;
	writeFileSync(`${folder}/secret`, 'kith-secret');
	const kith = await startKith(`http://localhost:${port}`, [`--oidc_client_secret_file=${folder}/secret`]);
	writeFileSync(file, `${shown.replaceAll('3000', port).replace('http://127.0.0.1:8080', kith.url)}\n`);
	await import(new URL(`../../../${file}`, import.meta.url).href).finally(() => rmSync(file));
	await enters(kith);
	await kith.stop();
});

// --- every algorithm, every way to authenticate ------------------------------------------------------

const { default: Provider } = await import('oidc-provider');

const jwk = (type, options, more) => ({ ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), use: 'sig', ...more });
const keys = [
	jwk('rsa', { modulusLength: 2048 }, { kid: 'rsa' }),
	jwk('ec', { namedCurve: 'P-256' }, { kid: 'ec' }),
	jwk('ed25519', {}, { kid: 'ed' }),
];

// verified: whether the provider says so of e-mail addresses. inToken: they are in the ID token, too.
async function startProvider(kithUrl, port, { verified = true, inToken = false, features = {}, ...client }) {
	const provider = new Provider(`http://127.0.0.1:${port}`, {
		clients: [{ client_id: 'kith', client_secret: SECRET, redirect_uris: [`${kithUrl}/auth/oidc/callback`], ...client }],
		claims: { email: ['email', 'email_verified'], profile: ['name'] },
		conformIdTokenClaims: !inToken,
		enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] },
		pkce: { required: () => true },
		jwks: { keys },
		features: { devInteractions: { enabled: true }, ...features },
		findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id, email: id, email_verified: verified, name: 'X' }) }),
	});
	return new Promise((done) => {
		const listener = provider.listen(port, '127.0.0.1', () => done(listener));
	});
}

// A kith and a provider for a case; the secret only if the client has one.
async function together(options, run) {
	const port = await freePort();
	const isPublic = options.token_endpoint_auth_method === 'none';
	writeFileSync(`${folder}/secret`, `${SECRET}\n`);
	const kith = await startKith(`http://127.0.0.1:${port}`, isPublic ? [] : [`--oidc_client_secret_file=${folder}/secret`]);
	const provider = await startProvider(kith.url, port, isPublic ? { ...options, client_secret: undefined } : options);
	try {
		await run(kith);
	} finally {
		provider.closeAllConnections();
		provider.close();
		await kith.stop();
	}
}

for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA'])
	await test(`tokens signed with ${alg}`, () => together({ id_token_signed_response_alg: alg }, enters));
await test('tokens signed with the secret', () => together({ id_token_signed_response_alg: 'HS256' }, fails('token')));
await test('claims in the token', () => together({ inToken: true }, enters));
await test('a public client', () => together({ token_endpoint_auth_method: 'none' }, enters));
// The account was linked above. Another one that has its e-mail address comes in test_oidc.c.
await test('an address that is not verified, of a linked account of another issuer', () =>
	together({ verified: false }, fails('email_not_verified')));

await test('a person who cancels', () => together({}, async (kith) => {
	const browser = new Browser();
	const page = await browser.follow(`${kith.url}/auth/oidc/start`);
	const uid = /\/interaction\/([^/"]+)/.exec(page.url)[1];
	const end = await browser.follow(new URL(`/interaction/${uid}/abort`, page.url).href);
	assert.equal(end.url, `${kith.url}/console#signin-error=provider`);
}));

rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
