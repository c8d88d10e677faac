// Phones and calendars: passwords of devices, with what is shown once, the QR code and the profile; links to the calendar.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsQR from 'jsqr';
import * as b from './browser.mjs';
import { click, closePage, fill, openPage, see, seeNoText, seeText, useKey } from './browser.mjs';
import { counted, entered, kith, world } from './console_tab.mjs';
import { until } from './server.mjs';
import { api } from './world.mjs';

const { KITH_URL } = process.env;
// Some text in an address that needs care in XML and in URLs.
const EMAIL = `o'nell&co<phones>"+1@devices.example`;

async function newUser(email) {
	const { id } = (await api('POST', '/v1/users', { email, fullName: 'Dana Devices', role: 'member' })).data;
	return { id, key: kith('key', 'create', '--user', id).key };
}

const devicesOf = async (key) => (await api('GET', '/v1/keys?limit=100', undefined, { key })).data.items.filter((k) => ['contacts', 'calendar'].includes(k.kind));

// A proxy with TLS before the server, as devices need one.
async function openProxy() {
	const dir = mkdtempSync(join(tmpdir(), 'kith-tls-'));
	const [key, cert] = ['key', 'cert'].map((name) => join(dir, name));
	execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
	const proxy = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
		const headers = { ...request.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': request.headers.host };
		const through = http.request(KITH_URL + request.url, { method: request.method, headers }, (answer) => {
			response.writeHead(answer.statusCode, answer.headers);
			answer.pipe(response);
		});
		through.on('error', () => response.destroy());
		request.pipe(through);
	});
	rmSync(dir, { recursive: true });
	await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
	return { host: `localhost:${proxy.address().port}`, url: `https://localhost:${proxy.address().port}`, close: () => proxy.closeAllConnections() ?? proxy.close() };
}

async function enteredByTls(proxy, key, hash, name) {
	const page = await openPage({ url: proxy.url, apart: true });
	await page.goto(`${proxy.url}/console${hash}`);
	await useKey(page, key);
	await see(page, 'heading', name);
	return page;
}

// What a camera reads: the code is drawn as the page draws it.
async function scanned(page) {
	const [size, pixels] = await page.$eval('.qr', (svg) => {
		const SCALE = 4;
		const across = svg.viewBox.baseVal.width * SCALE;
		const context = Object.assign(document.createElement('canvas'), { width: across, height: across }).getContext('2d');
		const { backgroundColor, fill: colour } = getComputedStyle(svg);
		context.fillStyle = backgroundColor;
		context.fillRect(0, 0, across, across);
		context.scale(SCALE, SCALE);
		context.fillStyle = colour;
		context.fill(new Path2D(svg.querySelector('path').getAttribute('d')));
		return [across, [...context.getImageData(0, 0, across, across).data]];
	});
	return jsQR(new Uint8ClampedArray(pixels), size, size).data;
}

// The profile of the link, as Apple's property lists are read.
async function profileOf(page) {
	const link = await see(page, 'link', 'Profile for Apple devices');
	const [href, name] = await link.evaluate((a) => [a.href, a.download]);
	const [, base64] = href.match(/^data:application\/x-apple-aspen-config;base64,(.+)$/);
	const read = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
	return { name, ...JSON.parse(execFileSync('python3', ['-c', read], { input: Buffer.from(base64, 'base64'), encoding: 'utf8' })) };
}

async function connectsPhone() {
	const user = await newUser(EMAIL);
	const proxy = await openProxy();
	const page = await enteredByTls(proxy, user.key, '#/today', 'Today');
	const c = counted(page);

	await c.click('link', 'My account');
	await c.click('button', 'Connect a phone…');
	await see(page, 'checkbox', 'delete people and companies');
	await b.checkAccess(page, 'connect a phone');
	await c.click('button', 'Make the password');
	await see(page, 'heading', 'Password for Phone');
	assert.equal(c.n, 3);
	const password = await b.value(page, 'textbox', 'Password');
	assert.match(password, /^kith_/);
	assert.equal(await b.value(page, 'textbox', 'Address'), `${proxy.url}/dav/`);
	assert.equal(await b.value(page, 'textbox', 'User name'), EMAIL);
	assert.equal(await scanned(page), `davx5://${encodeURIComponent(EMAIL)}:${password}@${proxy.host}/dav/`);
	await b.checkAccess(page, 'a password');
	await b.shoot(page, 'device-desktop-light');
	await b.setColours(page, true);
	assert.match(await scanned(page), /^davx5:/, 'dark on light in dark colours, too');
	await b.setColours(page, false);

	const profile = await profileOf(page);
	const [account] = profile.PayloadContent;
	const uuids = [profile.PayloadUUID, account.PayloadUUID];
	for (const uuid of uuids)
		assert.match(uuid, /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/);
	assert.deepEqual([profile.PayloadType, profile.PayloadVersion, profile.PayloadIdentifier], ['Configuration', 1, `kith.${user.id}`]);
	assert.deepEqual(account, {
		PayloadType: 'com.apple.carddav.account', PayloadVersion: 1, PayloadIdentifier: `kith.${user.id}.contacts`, PayloadUUID: uuids[1],
		PayloadDisplayName: profile.PayloadDisplayName, CardDAVAccountDescription: profile.PayloadDisplayName, CardDAVHostName: 'localhost',
		CardDAVPort: Number(new URL(proxy.url).port), CardDAVUseSSL: true, CardDAVUsername: EMAIL, CardDAVPassword: password,
	});
	assert.notEqual(uuids[0], uuids[1]);
	assert.equal(profile.name, 'kith.mobileconfig');

	// It opens the address book, nothing else, is not shown again, and can be ended here.
	const books = await fetch(`${KITH_URL}/dav/`, { method: 'PROPFIND', headers: { authorization: `Basic ${Buffer.from(`${EMAIL}:${password}`).toString('base64')}`, depth: '0' } });
	assert.equal(books.status, 207);
	assert.equal((await api('GET', '/v1/people', undefined, { key: password, ok: false })).status, 403);
	await click(page, 'button', 'I have kept it');
	await seeText(page, 'read and change contacts');
	assert.ok(!(await page.content()).includes(password));
	assert.deepEqual((await devicesOf(user.key)).map((k) => [k.name, k.scopes]), [['Phone', ['contacts']]]);
	await click(page, 'button', 'End the password of Phone');
	await click(page, 'button', 'End');
	await seeText(page, 'The password was ended.');
	await seeText(page, 'No device is connected.');
	assert.equal((await api('GET', '/v1/keys/me', undefined, { key: password, ok: false })).status, 401);
	await closePage(page);
	proxy.close();
}

// What the device may do is chosen; names are shown as they are.
async function limitsPhones() {
	const user = await newUser('limits@devices.example');
	const proxy = await openProxy();
	const page = await enteredByTls(proxy, user.key, '#/account', 'My account');
	// As Safari on an iPhone, which installs a profile only if it is not downloaded as a file.
	await page.setUserAgent('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1');
	await page.reload();
	const connect = async (name, ...boxes) => {
		await click(page, 'button', 'Connect a phone…');
		await fill(page, 'textbox', 'Name of the device', name);
		for (const box of boxes)
			await click(page, 'checkbox', box);
		await click(page, 'button', 'Make the password');
		await see(page, 'heading', `Password for ${name}`);
		assert.equal((await profileOf(page)).name, '');
		await click(page, 'button', 'I have kept it');
		await see(page, 'button', `End the password of ${name}`);
	};

	await connect('Reader', 'create and change people and companies');
	await connect('<b>Both</b>', 'delete people and companies');
	// Nothing is deleted by a device that changes nothing.
	await connect('Neither', 'delete people and companies', 'create and change people and companies');
	assert.deepEqual((await devicesOf(user.key)).map((k) => [k.name, k.scopes]).sort(), [
		['<b>Both</b>', ['delete', 'contacts']], ['Neither', ['read', 'contacts']], ['Reader', ['read', 'contacts']],
	]);
	for (const text of ['<b>Both</b>', 'read contacts', 'read, change and delete contacts'])
		await seeText(page, text);
	await b.checkAccess(page, 'devices');
	await b.shoot(page, 'devices-desktop-light');
	await closePage(page);
	proxy.close();
}

async function subscribesToCalendar() {
	const user = await newUser('calendar@devices.example');
	const page = await entered({ key: user.key, hash: '#/today', name: 'Today' });
	const c = counted(page);
	const linked = async (name) => {
		await see(page, 'heading', `Link for ${name}`);
		const link = await b.value(page, 'textbox', 'Link');
		const webcal = `webcal:${link.slice('http:'.length)}`;
		assert.equal(await page.$eval('dialog a.button', (a) => a.href), webcal);
		assert.equal(await scanned(page), webcal);
		return link;
	};

	await c.click('link', 'My account');
	await c.click('button', 'Subscribe to my calendar…');
	await see(page, 'checkbox', 'my reminders');
	const tops = await page.$$eval('dialog fieldset .check', (all) => all.map((e) => e.getBoundingClientRect().top));
	assert.equal(new Set(tops).size, 3, 'each choice has its own line');
	await b.checkAccess(page, 'a calendar');
	await c.click('button', 'Make the link');
	const calendar = await linked('Calendar');
	assert.match(calendar, /^http:\/\/[^/]+\/calendar\/kith_[^/?]+\.ics$/);
	assert.equal(c.n, 3);
	assert.match(await (await fetch(calendar)).text(), /^BEGIN:VCALENDAR\r\n/);
	await b.checkAccess(page, 'a link to a calendar');
	await b.shoot(page, 'calendar-desktop-light');
	await click(page, 'button', 'I have kept it');
	await see(page, 'button', 'End the password of Calendar');

	// A calendar shows the birthdays of the groups that are chosen.
	await click(page, 'button', 'Subscribe to my calendar…');
	await fill(page, 'textbox', 'Name of the device', 'Birthdays');
	await click(page, 'checkbox', 'birthdays of people in groups');
	assert.ok(await (await see(page, 'button', 'Make the link')).evaluate((e) => e.disabled), 'a group is chosen first');
	await fill(page, 'combobox', 'Groups', world.group.name);
	await click(page, 'option', world.group.name);
	await click(page, 'checkbox', 'my reminders');
	await click(page, 'button', 'Make the link');
	assert.match(await linked('Birthdays'), new RegExp(`\\.ics\\?include=tasks,birthdays&group=${world.group.id}$`));
	await click(page, 'button', 'I have kept it');
	await seeText(page, 'read the calendar');
	await seeNoText(page, '/calendar/');
	assert.deepEqual((await devicesOf(user.key)).map((k) => [k.kind, k.scopes]), [['calendar', ['calendar']], ['calendar', ['calendar']]]);
	await closePage(page);
}

// The answer with the password was lost: the repeated one has none.
async function makesAnother() {
	const user = await newUser('lost@devices.example');
	const page = await entered({ key: user.key, hash: '#/account', name: 'My account' });
	let lost = null;

	await page.setRequestInterception(true);
	page.on('request', async (request) => {
		if (request.method() !== 'POST' || !request.url().endsWith('/v1/keys') || lost)
			return request.continue();
		lost = (await api('POST', '/v1/keys', JSON.parse(request.postData()), { key: user.key })).data;
		return request.respond({ status: 200, contentType: 'application/json', body: JSON.stringify({ data: { ...lost, key: null } }) });
	});
	await click(page, 'button', 'Connect a phone…');
	await click(page, 'button', 'Make the password');
	await see(page, 'heading', 'Password for Phone');
	assert.match(await b.value(page, 'textbox', 'Password'), /^kith_/);
	// Without TLS no phone can use it. The next device gets another name.
	await seeText(page, 'Devices connect only to an https:// address.');
	assert.equal(await page.$('.qr'), null);
	await click(page, 'button', 'I have kept it');
	await page.waitForFunction(() => [...document.querySelectorAll('tbody th')].some((cell) => cell.innerText.trim() === 'Phone'));
	await click(page, 'button', 'Connect a phone…');
	assert.equal(await b.value(page, 'textbox', 'Name of the device'), 'Phone 2');
	const devices = await devicesOf(user.key);
	assert.ok(devices.length === 1 && devices[0].id !== lost.id);
	await closePage(page);
}

// Groups are address books of all devices; a switch shows what the server has.
async function switchesBooks() {
	const user = await newUser('books@devices.example');
	const books = async () => (await api('GET', '/v1/address-books?limit=100', undefined, { key: user.key })).data.items;
	const shown = async (id) => (await books()).find((book) => book.id === id).shown;
	const page = await entered({ key: user.key, hash: '#/account', name: 'My account' });

	assert.equal(await shown(world.group.id), false);
	await (await page.waitForSelector('summary::-p-text(Address books on the devices)')).click();
	assert.ok(await (await see(page, 'checkbox', 'People')).evaluate((box) => box.checked && box.disabled));
	for (const on of [true, false]) {
		await click(page, 'checkbox', world.group.name);
		await until(`the group is ${on}`, async () => (await shown(world.group.id)) === on);
		await until('the switch shows it', async () => (await (await see(page, 'checkbox', world.group.name)).evaluate((box) => box.checked)) === on);
	}
	await click(page, 'checkbox', 'Companies');
	await until('companies are shown', () => shown('companies'));
	await b.checkAccess(page, 'address books');
	await b.shoot(page, 'books-desktop-light');
	await closePage(page);
}

export const deviceCases = [
	['a phone is connected in three clicks', connectsPhone],
	['what a device may do', limitsPhones],
	['a calendar is subscribed to in three clicks', subscribesToCalendar],
	['a password whose answer was lost', makesAnother],
	['address books of devices', switchesBooks],
];
