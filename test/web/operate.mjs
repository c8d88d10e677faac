// The console's operating sections in a browser: webhooks and their deliveries, events, usage, users and keys.
//   KITH_URL, KITH_KEY (an admin's), KITH_MEMBER (a member's key), KITH_FAILED (a webhook with failed deliveries, as
//   test/flow/test_console_operate.c makes it), KITH_PROGRAM, KITH_DATABASE_URL, KITH_DATA_DIR: for
//   servers of its own
import { createServer } from 'node:http';
import { checkAccess, click, closePage, fill, openBrowser, openPage, openSignedIn, runCases, see, seeNoText, seeText, shoot, useKey, value } from './browser.mjs';
import { Server, until } from './server.mjs';
import { api } from './world.mjs';

const { KITH_URL, KITH_KEY, KITH_MEMBER, KITH_FAILED } = process.env;
const HOSTILE = '<img src=x onerror=alert(1)>';

const must = (good, what) => {
	if (!good)
		throw new Error(what);
};

// --- a receiver ------------------------------------------------------------------------

const receiver = { requests: [], status: 500 };
const receiving = createServer((request, response) => {
	let body = '';
	request.on('data', (part) => (body += part));
	request.on('end', () => {
		receiver.requests.push({ headers: request.headers, body });
		response.writeHead(receiver.status).end(HOSTILE);
	});
});
await new Promise((done) => receiving.listen(0, '127.0.0.1', done));
// What an address may have of what would be script elsewhere.
const target = `http://127.0.0.1:${receiving.address().port}/hook?x="><svg/onload=alert(1)>'`;

// --- pages -------------------------------------------------------------------------------

const browser = await openBrowser();

async function signIn(options = {}, key = KITH_KEY, at = 'webhooks') {
	const page = await openPage(options);
	await openSignedIn(page, `${options.url ?? KITH_URL}/console#/${at}`, key);
	return page;
}

const go = (page, at) => page.evaluate((hash) => (location.hash = hash), `#/${at}`);
const person = (name, more = {}) => api('POST', '/v1/people', { firstName: name, ...more }).then((r) => r.data.id);

// A choice among options, found by its label.
const choice = async (page, name) =>
	(await page.waitForFunction((n) => [...document.querySelectorAll('select')].find((e) => e.labels[0]?.textContent === n && !e.disabled), { polling: 30 }, name)).asElement();
const pick = async (page, name, to) => (await choice(page, name)).select(to);

// Presses a link of the list of events, which others' events move.
const press = async (page, name) => (await see(page, 'link', name)).evaluate((e) => e.click());

// How many events of the record are shown.
const rows = (page, id) => page.evaluate((t) => [...document.querySelectorAll('li.event')].filter((e) => e.innerHTML.includes(t)).length, id);

const found = {}; // what cases hand on

// Each page of a size, light and dark.
async function looksRight(size) {
	await api('PATCH', `/v1/people/${await person('Hostile')}`, { jobTitle: HOSTILE });
	const changed = await until('a delivery with a hostile value in its body', async () =>
		(await api('GET', `/v1/webhooks/${KITH_FAILED}/deliveries?limit=100`)).data.items.find((d) => d.eventType === 'person.updated'));
	// The address of each page, and a text of what is loaded last.
	const places = {
		webhooks: ['webhooks', 'Last failure'],
		webhook: [`webhooks/${KITH_FAILED}`, 'Last attempt'],
		delivery: [`webhooks/${KITH_FAILED}/${changed.id}`, HOSTILE],
		form: [`webhooks/${KITH_FAILED}/edit`, 'Add an event'],
		events: ['events', 'Live'],
		usage: ['usage', 'Tasks'],
		admin: ['admin', 'Last used'],
	};
	for (const dark of [false, true]) {
		const page = await signIn({ size, dark });
		for (const [name, [at, text]] of Object.entries(places)) {
			await go(page, at);
			await page.waitForFunction((t) => document.querySelector('main')?.textContent.includes(t), { polling: 30 }, text);
			if (name === 'events') {
				await api('PATCH', `/v1/people/${await person('Live')}`, { jobTitle: 'Painter' });
				await seeText(page, 'person.updated');
			}
			const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
			must(!wide, `${name}: wider than the screen (${size})`);
			if (dark)
				await checkAccess(page, `${name}, ${size}, dark`, { contrast: size === 'phone' ? false : undefined });
			await shoot(page, `operate-${name}-${size}-${dark ? 'dark' : 'light'}`);
		}
		await closePage(page);
	}
}

const cases = [
	[
		['a webhook is made, and shows its secret once', async () => {
			const page = await signIn();
			await click(page, 'link', 'New webhook');
			await fill(page, 'textbox', 'Name', HOSTILE);
			await fill(page, 'textbox', 'Address', 'javascript:alert(1)');
			const refused = await api('POST', '/v1/webhooks', { name: 'x', targetUrl: target, subscribedEvents: [{ eventType: 'x' }] }, { ok: false });
			const kinds = refused.error.details.issues.find((i) => i.code === 'invalid_enum_value').options;
			const offered = await (await choice(page, 'Event 1')).evaluate((e) => [...e.options].map((o) => o.value));
			must(JSON.stringify(offered) === JSON.stringify(kinds), `the kinds of events are ${kinds}, offered are ${offered}`);
			// Nobody else writes notes here.
			await pick(page, 'Event 1', 'note.created');
			await click(page, 'button', 'Create');
			await seeText(page, 'The webhook was not saved');
			await fill(page, 'textbox', 'Address', target);
			await click(page, 'button', 'Create');
			await see(page, 'heading', 'Created');
			found.secret = await value(page, 'textbox', 'Signing secret');
			must(/^whsec_[A-Za-z0-9+/]{43}=$/.test(found.secret), `the secret is ${found.secret}`);
			await checkAccess(page, 'a secret');
			await click(page, 'button', 'I have kept it');
			await see(page, 'heading', HOSTILE);
			await seeText(page, target);
			must(!(await page.content()).includes(found.secret), 'the secret is still in the page');
			found.hook = new URL(page.url()).hash.split('/')[2];
			await closePage(page);
		}],

		['a delivery that fails is found, looked at, verified, sent again, and arrives', async () => {
			const page = await signIn();
			const { id } = (await api('POST', '/v1/notes', { entity: { id: await person('Noted') }, content: HOSTILE, visibility: 'public' })).data;
			await until('a failed attempt', () => receiver.requests.length);
			await page.reload();
			await seeText(page, 'Failing');
			await seeText(page, 'http_error');
			await checkAccess(page, 'webhooks');
			await click(page, 'link', HOSTILE);
			await seeText(page, '500, http_error');
			await checkAccess(page, 'a webhook');
			await click(page, 'link', 'note.created');
			await see(page, 'heading', 'Verify the signature');
			await seeText(page, id);
			// Of the latest attempt; the next one may come meanwhile.
			const sent = await until('the form with what was sent', async () => {
				const shown = await Promise.all(['Body, byte for byte', 'webhook-signature', 'webhook-timestamp', 'webhook-id'].map((name) => value(page, 'textbox', name)));
				const got = ({ body, headers }) => [body, headers['webhook-signature'], headers['webhook-timestamp'], headers['webhook-id']];
				return receiver.requests.find((r) => JSON.stringify(got(r)) === JSON.stringify(shown));
			});
			await fill(page, 'textbox', 'Signing secret', found.secret);
			await click(page, 'button', 'Verify');
			await seeText(page, 'The signature is valid');
			// Another attempt leaves what was put in.
			await fill(page, 'textbox', 'Body, byte for byte', `${sent.body} `);
			const attempts = () => page.evaluate(() => document.querySelectorAll('tbody tr').length);
			const before = await attempts();
			const [, hook, delivery] = new URL(page.url()).hash.slice(2).split('/');
			await api('POST', `/v1/webhooks/${hook}/deliveries/${delivery}/retry`);
			await until('another attempt', async () => await attempts() > before);
			await click(page, 'button', 'Verify');
			await seeText(page, 'No signature matches');
			await checkAccess(page, 'a delivery');
			await shoot(page, 'operate-delivery');
			receiver.status = 204;
			await click(page, 'button', 'Retry');
			await seeText(page, 'delivered');
			await seeText(page, '204, arrived');
			must(receiver.requests.at(-1).body === sent.body, 'another body was sent');
			await go(page, 'webhooks');
			await seeText(page, 'Active');
			await closePage(page);
		}],

		['a secret is rotated; a webhook is tested, paused, resumed, changed and deleted', async () => {
			const page = await signIn({}, KITH_KEY, `webhooks/${found.hook}`);
			// Only with the keyboard: the focus is in the dialog while it is open, and behind it where it was.
			const focus = () => page.evaluate(() => document.activeElement.textContent);
			const tabTo = async (text) => {
				for (let i = 0; i < 40 && await focus() !== text; i++)
					await page.keyboard.press('Tab');
				must(await focus() === text, `${text} cannot be reached by the keyboard`);
			};
			await see(page, 'button', 'Rotate secret…');
			await tabTo('Rotate secret…');
			await page.keyboard.press('Enter');
			await see(page, 'button', 'Rotate');
			await tabTo('Rotate');
			await page.keyboard.press('Enter');
			await see(page, 'heading', 'The new signing secret');
			const secret = await value(page, 'textbox', 'Signing secret');
			must(/^whsec_/.test(secret) && secret !== found.secret, `the new secret is ${secret}`);
			await page.keyboard.press('Escape');
			await seeNoText(page, 'The new signing secret');
			must(await focus() === 'Rotate secret…', `the focus is at ${await focus()}`);
			const before = receiver.requests.length;
			await click(page, 'button', 'Send a test');
			const test = await until('a test event', () => receiver.requests.slice(before).find((r) => r.body.includes('webhook.test')));
			must(test.headers['webhook-signature'].split(' ').length === 2, 'it is not signed with both secrets');
			await click(page, 'button', 'Pause');
			await seeText(page, 'Paused');
			await click(page, 'button', 'Resume');
			await seeText(page, 'Active');
			receiver.status = 410;
			await click(page, 'button', 'Send a test');
			await seeText(page, 'Stopped after failures');
			receiver.status = 204;
			await click(page, 'button', 'Resume');
			await seeText(page, 'Active');
			await click(page, 'link', 'Edit');
			await fill(page, 'textbox', 'Name', 'Renamed');
			await click(page, 'button', 'Add an event');
			await pick(page, 'Event 2', 'company.updated');
			await pick(page, 'When this changes', '["industry"]');
			await fill(page, 'textbox', 'To this value', 'Energy');
			await checkAccess(page, 'the form');
			await click(page, 'button', 'Save');
			await see(page, 'heading', 'Renamed');
			await seeText(page, 'company.updated (field industry, value Energy)');
			const { data } = await api('GET', `/v1/webhooks/${found.hook}`);
			must(JSON.stringify(data.subscribedEvents) === JSON.stringify([{ eventType: 'note.created', filter: {} }, { eventType: 'company.updated', filter: { path: ['industry'], value: 'Energy' } }]), JSON.stringify(data.subscribedEvents));
			await click(page, 'button', 'Delete…');
			await click(page, 'button', 'Delete');
			await seeNoText(page, 'Renamed');
			must((await api('GET', `/v1/webhooks/${found.hook}`, undefined, { ok: false })).status === 404, 'it is still there');
			await closePage(page);
		}],
	],

	[
		['events arrive by themselves, and go on after a restart of the server', async () => {
			const server = await Server.start();
			const page = await signIn({ url: server.url }, KITH_KEY, 'events');
			await seeText(page, 'Live');
			const first = await person('First');
			await until('the event', () => rows(page, first));
			const marked = await person('Marked');
			await api('PATCH', `/v1/people/${marked}`, { jobTitle: HOSTILE });
			await seeText(page, `jobTitle set ${HOSTILE}`);
			await checkAccess(page, 'events');
			await server.stop();
			const second = await person('Second');
			await seeText(page, 'Lost, trying again');
			const again = await Server.start({ port: server.port, limits: ['--rate_default=700/60', '--rate_burst=90/2'] });
			await until('the event of meanwhile', () => rows(page, second));
			const third = await person('Third');
			await until('the event behind it', () => rows(page, third));
			must(await rows(page, first) === 1 && await rows(page, second) === 1 && await rows(page, third) === 1, 'an event is shown twice');
			const group = (await api('POST', '/v1/groups', { name: HOSTILE, visibility: 'public' })).data.id;
			await api('POST', `/v1/groups/${group}/object-types`, { name: `${HOSTILE}s` });
			const deal = (await api('POST', `/v1/groups/${group}/${encodeURIComponent(`${HOSTILE}s`)}`, { name: 'Sixth' })).data.id;
			await until('the event of a deal', () => rows(page, deal));
			await press(page, 'Open record of object.created');
			await see(page, 'heading', 'Sixth');
			await go(page, 'events');
			await until('the events from before', () => rows(page, third));
			await click(page, 'button', 'Pause');
			const fourth = await person('Fourth');
			const company = (await api('POST', '/v1/companies', { name: 'Fifth' })).data.id;
			// What the feed shows has been sent to the stream, too.
			await until('the event in the feed', async () => (await api('GET', `/v1/events?record=${company}`)).data.items.length);
			must(await rows(page, fourth) === 0, 'it is not paused');
			await click(page, 'button', 'Continue');
			await until('the event of meanwhile', () => rows(page, fourth));
			await pick(page, 'Kind', 'company.');
			await until('the event of the kind', () => rows(page, company));
			must(await rows(page, fourth) === 0, 'the kind is not obeyed');
			await press(page, 'Open record of company.created');
			await see(page, 'heading', 'Fifth');
			await closePage(page);
			found.server = again;
		}],

		['usage tells the limits', async () => {
			const page = await signIn({ url: found.server.url }, KITH_KEY, 'usage');
			await seeText(page, '700 requests in 60 s');
			await seeText(page, '90 requests in 2 s');
			const used = () => page.$eval('progress', (e) => e.value);
			const first = await used();
			must(first > 0, 'nothing is used');
			await page.waitForFunction((n) => document.querySelector('progress').value > n, {}, first);
			await seeText(page, 'Companies');
			// Two samples make a point: what the page itself asks.
			await page.waitForFunction(() => Number.parseFloat(document.querySelector('[aria-label="Requests"] p')?.textContent ?? '') > 0);
			await page.waitForFunction(() => document.querySelector('[aria-label="Events"] p')?.textContent?.startsWith('0 '));
			must(await page.$('[aria-label="Requests"] polyline[points]'), 'there is no chart of requests');
			await checkAccess(page, 'usage');
			await shoot(page, 'operate-usage-limits');
			await closePage(page);
			const without = await signIn({}, KITH_KEY, 'usage');
			await seeText(without, 'No limits are set.');
			await closePage(without);
			await found.server.stop();
		}],
	],

	['failed deliveries are recovered; what receivers say is text', async () => {
		const page = await signIn({}, KITH_KEY, `webhooks/${KITH_FAILED}`);
		await pick(page, 'State', 'failed');
		await page.waitForFunction(() => document.querySelectorAll('table tbody tr').length === 3);
		await seeText(page, HOSTILE);
		await click(page, 'button', 'Recover…');
		await see(page, 'heading', 'Recover');
		await checkAccess(page, 'recovering');
		await click(page, 'button', 'Send again');
		await seeText(page, 'events are sent again.');
		// Those of other cases that wait for their first attempt are among them.
		const again = await page.evaluate(() => Number.parseInt(document.body.innerText.match(/(\d+) events are sent again/)[1], 10));
		must(again >= 3, `${again} events are sent again`);
		await seeText(page, 'None is failed.');
		await closePage(page);
	}],

	['events go on when a key that ended is replaced', async () => {
		const { id, key } = (await api('POST', '/v1/keys', { name: 'Short' })).data;
		const page = await signIn({}, key, 'events');
		await seeText(page, 'Live');
		await api('DELETE', `/v1/keys/${id}`);
		const meanwhile = await person('Meanwhile');
		await see(page, 'heading', 'Sign in again');
		await useKey(page, KITH_KEY);
		await until('the event of meanwhile', () => rows(page, meanwhile));
		await page.evaluate((id) => [...document.querySelectorAll('li.event')].find((e) => e.innerHTML.includes(id)).querySelector('summary').click(), meanwhile);
		await seeText(page, `"id": "${meanwhile}"`);
		await checkAccess(page, 'an event with its data');
		await closePage(page);
	}],

	['where streams do not come through the feed is waited for', async () => {
		const page = await signIn({}, KITH_KEY, 'usage');
		await page.setRequestInterception(true);
		page.on('request', (r) => (r.url().includes('/v1/events/stream') ? r.respond({ status: 404, body: '{}' }) : r.continue()));
		const waits = page.waitForRequest((r) => /\/v1\/events\?.*wait=/.test(r.url()));
		await go(page, 'events');
		await waits;
		const id = await person('Waited for');
		await until('the event', () => rows(page, id));
		await closePage(page);
	}],

	['a page that loads by itself waits as long as the server says', async () => {
		const page = await signIn({}, KITH_KEY, `webhooks/${KITH_FAILED}`);
		await seeText(page, 'Last attempt');
		const asked = [];
		await page.setRequestInterception(true);
		page.on('request', (r) => {
			if (!r.url().includes('/deliveries?'))
				return r.continue();
			return asked.push(Date.now()) > 1 ? r.continue() : r.respond({ status: 429, headers: { 'Retry-After': '3' }, body: '{}' });
		});
		await seeText(page, 'Too many requests at once');
		await seeNoText(page, 'Too many requests at once');
		await until('another request', () => asked.length > 1);
		must(asked[1] - asked[0] >= 2900, `it was sent again after ${asked[1] - asked[0]} ms`);
		await closePage(page);
	}],

	['users, and keys that are made and deleted', async () => {
		const page = await signIn({}, KITH_KEY, 'admin');
		await seeText(page, 'Ben M');
		await seeText(page, '<svg onload=alert(1)>');
		await click(page, 'button', 'New key');
		await fill(page, 'textbox', 'Name', HOSTILE);
		await checkAccess(page, 'a new key');
		await click(page, 'button', 'Create');
		await see(page, 'heading', `Key ${HOSTILE}`);
		const key = await value(page, 'textbox', 'Key');
		must((await api('GET', '/v1/users/me', undefined, { key })).data.fullName === 'Ada L', 'the key does not work');
		await click(page, 'button', 'I have kept it');
		await seeText(page, HOSTILE);
		must(!(await page.content()).includes(key), 'the key is still in the page');
		const { scopes } = (await api('GET', '/v1/keys/me', undefined, { key })).data;
		must(scopes.join() === 'read,write', `the key has the scopes ${scopes}`);
		await click(page, 'button', `Replace key ${HOSTILE} …${key.slice(-4)}`);
		await checkAccess(page, 'replacing a key');
		await click(page, 'button', 'Replace');
		await see(page, 'heading', `Key ${HOSTILE}`);
		const next = await value(page, 'textbox', 'Key');
		await click(page, 'button', 'I have kept it');
		await seeText(page, 'replaced');
		for (const good of [key, next])
			must((await api('GET', '/v1/keys/me', undefined, { key: good })).data.scopes.join() === 'read,write', 'a key does not work');
		await checkAccess(page, 'users and keys');
		await click(page, 'button', `Delete key ${HOSTILE} …${key.slice(-4)}`);
		await click(page, 'button', 'Delete');
		await seeNoText(page, `…${key.slice(-4)}`);
		must((await api('GET', '/v1/users/me', undefined, { key, ok: false })).status === 401, 'the key still works');
		await closePage(page);
	}],

	['a member sees users, their own keys, and no deliveries of others', async () => {
		const page = await signIn({}, KITH_MEMBER, 'admin');
		await seeText(page, 'Ben M');
		await see(page, 'heading', 'Keys');
		must(!(await page.$$eval('button', (all) => all.some((e) => /New key|Invite/.test(e.textContent)))), 'a member can make keys');
		await go(page, `webhooks/${KITH_FAILED}`);
		await seeText(page, 'Only its creator and admins');
		await closePage(page);
	}],

	['pages on a desktop', () => looksRight('desktop')],
	['pages on a phone', () => looksRight('phone')],
];

const code = await runCases(browser, cases);
await browser.close();
receiving.close();
process.exit(code);
