// What the tests of the console share: a browser, a world, and tabs that are signed in. KITH_KEY is an administrator's;
// KITH_PROGRAM, KITH_DATABASE_URL and KITH_DATA_DIR are those of the server, for commands (test/flow/test_console.c).
import { execFileSync } from 'node:child_process';
import { click, openBrowser, openPage, openSignedIn, see } from './browser.mjs';
import { api, makeWorld } from './world.mjs';

const { KITH_URL, KITH_KEY, KITH_PROGRAM } = process.env;

export const browser = await openBrowser();
export const world = await makeWorld();
export const me = (await api('GET', '/v1/users/me')).data;

export const kith = (...args) => JSON.parse(execFileSync(KITH_PROGRAM, args, { encoding: 'utf8' }).split('\n')[0]);

// A tab that is signed in and shows a page: the table of people.
export async function entered({ key = KITH_KEY, url = KITH_URL, hash = '#/people', name = 'People', ...options } = {}) {
	const page = await openPage({ url, ...options });
	await openSignedIn(page, `${url}/console${hash}`, key);
	await see(page, 'heading', name);
	return page;
}

// Another page of the console without loading it anew.
export async function visit(page, hash, heading) {
	await page.evaluate((h) => (location.hash = h), hash);
	await see(page, 'heading', heading);
}

// The address now. That of page.url() may be the one before.
export const addressOf = (page) => page.evaluate(() => location.href);

// Clicks and keys but for the texts that are typed.
export function counted(page) {
	const counter = {
		n: 0,
		click: (role, name) => (counter.n++, click(page, role, name)),
		press: (key) => (counter.n++, page.keyboard.press(key)),
		type: (text) => page.keyboard.type(text),
	};
	return counter;
}

export const names = (page) => page.$$eval('tbody th', (cells) => cells.map((c) => c.innerText.trim()));
export const rowsAre = (page, n) => page.waitForFunction((k) => document.querySelectorAll('.table:not(.busy) tbody tr').length === k, {}, n);
export const person = (id) => api('GET', `/v1/people/${id}`).then((a) => a.data);
export const newPerson = async (fields) => (await api('POST', '/v1/people', fields)).data;
