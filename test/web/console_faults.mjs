// Keys that end, servers that go away or are busy, users that change: the console waits and goes on, and loses nothing.
import { strict as assert } from 'node:assert';
import { createServer as createProxy, request } from 'node:http';
import * as b from './browser.mjs';
import { click, closePage, fill, see, seeNoText, seeText, useKey } from './browser.mjs';
import { entered, kith, me, newPerson, person, rowsAre } from './console_tab.mjs';
import { Server, until } from './server.mjs';
import { api } from './world.mjs';

const { KITH_URL, KITH_KEY } = process.env;

// Behind a proxy that serves kith under a path everything is found there.
async function worksUnderPath() {
	const proxy = createProxy((from, to) => {
		if (!from.url.startsWith('/crm/')) {
			to.writeHead(404);
			return to.end();
		}
		const inner = request(KITH_URL + from.url.slice(4), { method: from.method, headers: from.headers }, (answer) => {
			to.writeHead(answer.statusCode, answer.headers);
			answer.pipe(to);
		});
		return from.pipe(inner);
	});
	await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
	const page = await entered({ url: `http://127.0.0.1:${proxy.address().port}/crm` });
	await rowsAre(page, 25);
	await page.locator('.brand a').click();
	await page.waitForFunction(() => location.pathname === '/crm/');
	await closePage(page);
	proxy.closeAllConnections();
	proxy.close();
}

async function survivesEndedKey() {
	const { id } = await newPerson({ firstName: 'Keyla', jobTitle: 'Before' });
	const made = kith('key', 'create', '--user', me.id, '--name', 'ends');
	const page = await entered({ key: made.key, hash: `#/people/${id}`, name: 'Keyla' });

	await click(page, 'button', 'Edit Job title');
	await fill(page, 'textbox', 'Job title', 'Typed before it ended');
	await fill(page, 'textbox', 'New note', 'Half a note');
	kith('key', 'revoke', made.id);
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Sign in again');
	await b.checkAccess(page, 'sign in again');
	await b.shoot(page, 'signin-again-desktop-light');
	await useKey(page, made.key);
	await seeText(page, 'The server does not know this key');
	await useKey(page, KITH_KEY);
	// The save that was waiting goes on by itself.
	await seeNoText(page, 'unsaved');
	assert.equal((await person(id)).jobTitle, 'Typed before it ended');
	assert.equal(await b.value(page, 'textbox', 'New note'), 'Half a note');
	await closePage(page);
}

// What one user was about to save is not saved as another one, and is not lost.
async function keepsUsersApart() {
	const { id } = await newPerson({ firstName: 'Otto', jobTitle: 'Before' });
	const other = (await api('GET', '/v1/users')).data.items.find((user) => user.id !== me.id);
	const own = (await api('POST', '/v1/groups', { name: 'Own', visibility: 'private' })).data;
	await api('POST', `/v1/groups/${own.id}/object-types`, { name: 'Secrets' });
	const made = kith('key', 'create', '--user', me.id);
	const theirs = kith('key', 'create', '--user', other.id);
	const page = await entered({ key: made.key, hash: `#/people/${id}`, name: 'Otto' });

	await see(page, 'link', 'Secrets');
	await click(page, 'button', 'Edit Job title');
	await fill(page, 'textbox', 'Job title', 'Typed by one');
	kith('key', 'revoke', made.id);
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Sign in again');
	await useKey(page, theirs.key);
	await seeText(page, 'another user has signed in');
	await seeText(page, other.fullName);
	await see(page, 'link', 'Deals');
	await seeNoText(page, 'Secrets');
	assert.equal((await person(id)).jobTitle, 'Before');
	assert.equal(await b.value(page, 'textbox', 'Job title'), 'Typed by one');
	await click(page, 'button', 'Save');
	await seeNoText(page, 'unsaved');
	assert.equal((await person(id)).jobTitle, 'Typed by one');
	await closePage(page);
}

async function survivesRestart() {
	const { id } = await newPerson({ firstName: 'Resta', jobTitle: 'Before' });
	let server = await Server.start();
	try {
		const page = await entered({ url: server.url, hash: `#/people/${id}`, name: 'Resta' });
		await click(page, 'button', 'Edit Last name');
		await click(page, 'button', 'Edit Job title');
		await fill(page, 'textbox', 'Job title', 'Typed while it was away');
		await server.stop();
		await click(page, 'button', 'Save');
		await fill(page, 'textbox', 'Last name', 'Rt');
		await fill(page, 'textbox', 'New note', 'Written meanwhile');
		await click(page, 'button', 'Add note');
		await seeText(page, 'The server does not answer');
		server = await Server.start({ port: server.port });
		await until('both writes', async () => {
			const notes = (await api('GET', `/v1/notes?entity.id=${id}`)).data.items;
			return notes.length && (await person(id)).jobTitle !== 'Before';
		});
		// What was typed while it was being saved is the next change.
		await seeText(page, '1 unsaved change');
		assert.deepEqual([(await person(id)).lastName, await b.value(page, 'textbox', 'Last name')], ['', 'Rt']);
		await click(page, 'button', 'Save');
		await seeNoText(page, 'unsaved');
		assert.equal((await person(id)).lastName, 'Rt');
		await seeNoText(page, 'The server does not answer');
		assert.equal((await person(id)).jobTitle, 'Typed while it was away');
		assert.equal((await api('GET', `/v1/notes?entity.id=${id}`)).data.items.length, 1);
		await closePage(page);
	} finally {
		await server.stop();
	}
}

// 503 and 429 are waited for as long as they say; the same request goes on, with its Idempotency-Key.
async function waitsWhenAsked() {
	const { id } = await newPerson({ firstName: 'Busy' });
	const page = await entered({ hash: `#/people/${id}`, name: 'Busy' });
	const refusals = [[503, '3'], [429, '1']];
	const seen = [];

	await page.setRequestInterception(true);
	page.on('request', (request) => {
		if (request.method() !== 'PATCH')
			return request.continue();
		const [status, after] = refusals[seen.length] ?? [];
		seen.push({ at: Date.now(), key: request.headers()['idempotency-key'] });
		if (!status)
			return request.continue();
		return request.respond({ status, headers: { 'Retry-After': after }, contentType: 'application/json', body: '{"error":{"code":"X","message":"Busy"}}' });
	});
	await click(page, 'button', 'Edit Job title');
	await fill(page, 'textbox', 'Job title', 'Waited for');
	await click(page, 'button', 'Save');
	await seeText(page, 'The server is busy or starting');
	await seeNoText(page, 'unsaved');
	await seeNoText(page, 'The server is busy or starting');
	assert.equal((await person(id)).jobTitle, 'Waited for');
	assert.equal(seen.length, 3);
	assert.ok(seen[0].key && seen.every((s) => s.key === seen[0].key));
	assert.ok(seen[1].at - seen[0].at >= 2900 && seen[2].at - seen[1].at >= 900, 'no sooner than Retry-After says');
	await closePage(page);
}

// A key that may only read sees everything. The console says what it may not do, and keeps what was typed.
async function toldWhenForbidden() {
	const { id } = await newPerson({ firstName: 'Reado', jobTitle: 'Before' });
	const made = kith('key', 'create', '--user', me.id, '--read-only');
	const page = await entered({ key: made.key, hash: `#/people/${id}`, name: 'Reado' });

	await click(page, 'button', 'Edit Job title');
	await fill(page, 'textbox', 'Job title', 'Not allowed');
	await click(page, 'button', 'Save');
	await seeText(page, 'Not saved:');
	assert.equal(await b.value(page, 'textbox', 'Job title'), 'Not allowed');
	assert.equal((await person(id)).jobTitle, 'Before');
	await closePage(page);
}

export const faultCases = [
	['under a path', worksUnderPath],
	['a key that ends', survivesEndedKey],
	['another user signs in', keepsUsersApart],
	['a server that restarts', survivesRestart],
	['a server that is busy', waitsWhenAsked],
	['a key that may only read', toldWhenForbidden],
];
