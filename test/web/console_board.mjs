// Boards: columns with count and sum, moves by mouse and keyboard with undo, views, long columns.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { click, closePage, fill, see, seeNoText, seeText } from './browser.mjs';
import { entered, me, visit } from './console_tab.mjs';
import { until } from './server.mjs';
import { api } from './world.mjs';

// Other cases run beside these, so each has a type of its own.
const stages = ['Lead', 'Talks', 'Won'];
export async function makeType(name, records) {
	const group = (await api('POST', '/v1/groups', { name: `Of ${name}`, visibility: 'public' })).data;
	const field = (body) => api('POST', `/v1/groups/${group.id}/custom-fields/${name}`, body);
	await api('POST', `/v1/groups/${group.id}/object-types`, { name });
	await field({ name: 'Stage', type: 'singleSelect', options: stages.map((label, i) => ({ label, color: ['#3366cc', '#cc8800', '#228844'][i] })) });
	await field({ name: 'Amount', type: 'numericField', config: { format: 'currency', currency: 'EUR' } });
	await field({ name: 'Owner', type: 'userField' });
	await field({ name: 'Closed', type: 'dateField' });
	const path = `/v1/groups/${group.id}/${name}`;
	const made = [];
	for (let at = 0; at < records.length; at += 100)
		made.push(...(await api('POST', `${path}/batch/create`, { records: records.slice(at, at + 100) })).data.results.map((r) => r.data));
	return { group, name, path, made, hash: `#/objects/${group.id}/${name}`, stageOf: async (id) => (await api('GET', `${path}/${id}`)).data.customFieldValues.Stage };
}
export const deal = (name, Stage, Amount, more = {}) => ({ name, customFieldValues: { Stage, Amount, ...more } });

const headsAre = (page, heads) =>
	page.waitForFunction((want) => JSON.stringify([...document.querySelectorAll('.lane header')].map((h) => h.innerText.split(/\n+/).map((x) => x.trim()))) === want, { polling: 20 }, JSON.stringify(heads)).catch(async () => {
		throw new Error(`the heads are ${JSON.stringify(await page.$$eval('.lane header', (all) => all.map((h) => h.innerText)))}`);
	});
const cardIn = (page, lane, name) => page.waitForFunction((l, n) => [...document.querySelectorAll(`[data-lane="${l}"] li a[data-card]`)].some((a) => a.innerText === n), { polling: 20 }, lane, name);
const focusedCard = (page) => page.evaluate(() => document.activeElement.dataset.card && document.activeElement.innerText);

async function movesCards() {
	const type = await makeType('Boats', [
		deal('Ark', 'Lead', 1000.5), deal('Beagle', 'Lead', 2000), deal('Calypso', 'Talks', 300, { Owner: [{ id: me.id }] }), deal('Dhow', null, null),
	]);
	const [ark, beagle, calypso] = type.made;
	const chances = await makeType('Opportunity', [deal('Raise', 'Lead', 1), deal('Call', 'Lead', 1)]);
	const page = await entered({ hash: chances.hash, name: 'Opportunity' });

	// Records have the name of their type, if kith knows its singular and its plural.
	await see(page, 'link', 'New opportunity');
	await seeText(page, '1–2 of 2 opportunities');
	await api('DELETE', `/v1/groups/${chances.group.id}`);
	await visit(page, type.hash, 'Boats');
	await see(page, 'link', 'New record (Boats)');
	await seeText(page, '1–4 of 4 Boats');
	await click(page, 'button', 'Board');
	await headsAre(page, [['Lead', '2', '3,000.5 EUR'], ['Talks', '1', '300 EUR'], ['Won', '0', '0 EUR'], ['none', '1', '0 EUR']]);
	await cardIn(page, '', 'Dhow');
	await b.checkAccess(page, 'board');
	await b.shoot(page, 'board-desktop-light');

	// One drag moves a card, and its totals follow.
	const middle = async (selector) => {
		const { x, y, width, height } = await (await page.waitForSelector(selector)).boundingBox();
		return [x + width / 2, y + height / 2];
	};
	const drag = async (id, lane) => {
		await page.mouse.move(...(await middle(`li:has([data-card="${id}"])`)));
		await page.mouse.down();
		await page.mouse.move(...(await middle(`[data-lane="${lane}"]`)), { steps: 5 });
		await page.mouse.up();
	};
	for (const type of ['dragenter', 'dragover', 'dragleave'])
		assert.equal(await page.$eval('[data-lane="Won"] ul', (e, t) => e.dispatchEvent(new DragEvent(t, { bubbles: true, cancelable: true })), type), type === 'dragleave', `${type} is accepted`);
	await drag(ark.id, 'Won');
	await seeText(page, 'Ark is now in Won.');
	await headsAre(page, [['Lead', '1', '2,000 EUR'], ['Talks', '1', '300 EUR'], ['Won', '1', '1,000.5 EUR'], ['none', '1', '0 EUR']]);
	assert.equal(await type.stageOf(ark.id), 'Won');
	await click(page, 'button', 'Undo');
	await seeText(page, 'Ark is back in Lead.');
	await cardIn(page, 'Lead', 'Ark');
	assert.equal(await type.stageOf(ark.id), 'Lead');

	// Four keys move it: down to the board, then m and a figure; an arrow with Shift goes one column on.
	await page.evaluate(() => document.activeElement.blur());
	await page.keyboard.press('ArrowDown');
	const first = await focusedCard(page);
	assert.ok(['Ark', 'Beagle'].includes(first), first);
	const id = first === 'Ark' ? ark.id : beagle.id;
	await page.keyboard.press('m');
	await see(page, 'heading', `Move ${first}`);
	await b.checkAccess(page, 'move a card');
	await page.keyboard.press('2');
	await seeText(page, `${first} is now in Won.`);
	assert.equal(await type.stageOf(id), 'Won');
	await page.waitForFunction((n) => document.activeElement.innerText === n, { polling: 20 }, first);
	await page.keyboard.down('Shift');
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.up('Shift');
	await seeText(page, `${first} is now in Talks.`);
	assert.equal(await type.stageOf(id), 'Talks');
	await page.waitForFunction((n) => document.activeElement.innerText === n, { polling: 20 }, first);
	await page.keyboard.down('Control');
	await page.keyboard.press('z');
	await page.keyboard.up('Control');
	await seeText(page, `${first} is back in Won.`);

	// The keys continue from where the undo put the card. A second move waits for the first, and is not taken for
	// somebody else's.
	await page.evaluate(() => {
		const send = window.fetch;
		window.fetch = async (...args) => {
			if (args[1]?.method === 'PATCH') await new Promise((done) => setTimeout(done, 500));
			return send(...args);
		};
	});
	const focusedIn = (lane) =>
		page.waitForFunction((n, l) => document.activeElement.innerText === n && document.activeElement.closest(`[data-lane="${l}"]`), { polling: 20 }, first, lane);
	await focusedIn('Won');
	await page.keyboard.down('Shift');
	await page.keyboard.press('ArrowLeft');
	await focusedIn('Talks');
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.up('Shift');
	await seeText(page, `${first} is now in Lead.`);
	await seeNoText(page, 'somebody else');
	assert.equal(await type.stageOf(id), 'Lead');
	await api('PATCH', `${type.path}/${id}`, { customFieldValues: { Stage: 'Won' } });

	// What somebody else moved meanwhile is not moved again, and is shown where it is.
	await api('PATCH', `${type.path}/${calypso.id}`, { customFieldValues: { Stage: null } });
	await drag(calypso.id, 'Won');
	await seeText(page, 'somebody else has moved Calypso to none.');
	await cardIn(page, '', 'Calypso');
	assert.equal(await type.stageOf(calypso.id), null);

	// What all columns have together. One click shows what is of this month, in the words of days.
	await click(page, 'button', 'Close message');
	const totalIs = (text) => page.waitForFunction((want) => document.querySelector('.total').innerText === want, { polling: 20 }, text);
	await totalIs('4 Boats · 3,300.5 EUR');
	await click(page, 'button', 'Closed: this month');
	await totalIs('0 Boats · 0 EUR');
	const chips = await page.$$eval('.chips li bdi', (all) => all.map((e) => e.innerText));
	assert.match(chips.join('; '), /^Closed is after \w{3} \d+, \d{4}; Closed is before \w{3} 1, \d{4}$/);
	await click(page, 'button', 'Clear filters');
	await totalIs('4 Boats · 3,300.5 EUR');

	// The list's search and filters hold for cards and totals; one click shows mine.
	await click(page, 'button', 'Owner: me');
	await headsAre(page, [['Lead', '0', '0 EUR'], ['Talks', '0', '0 EUR'], ['Won', '0', '0 EUR'], ['none', '1', '300 EUR']]);
	await click(page, 'button', 'Clear filters');
	await cardIn(page, '', 'Dhow');
	// Cards that are no longer wanted while their answer arrives are no error.
	await page.evaluate(() => {
		const { json } = Response.prototype;
		const send = window.fetch;
		window.fetch = async (...args) => {
			const answer = await send(...args);
			const { signal } = args[1] ?? {};
			if (/\/search$/.test(args[0])) answer.json = () => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
			window.held = (window.held ?? 0) + (answer.json !== json);
			return answer;
		};
		window.letGo = () => (window.fetch = send);
	});
	await click(page, 'button', 'Owner: me');
	await page.waitForFunction(() => window.held > 0, { polling: 20 });
	await page.evaluate(() => window.letGo());
	await click(page, 'button', 'Clear filters');
	await cardIn(page, '', 'Dhow');
	assert.ok(!(await page.evaluate(() => document.body.innerText)).includes('The server answered'));
	await fill(page, 'searchbox', 'Search Boats', 'dhow');
	await headsAre(page, [['Lead', '0', '0 EUR'], ['Talks', '0', '0 EUR'], ['Won', '0', '0 EUR'], ['none', '1', '0 EUR']]);

	// A board is saved as a view.
	await click(page, 'button', 'Save view');
	await fill(page, 'textbox', 'Name', 'Dhows');
	await click(page, 'button', 'Save');
	await see(page, 'link', 'Dhows');
	const view = (await api('GET', '/v1/views?limit=100')).data.items.find((v) => v.name === 'Dhows');
	assert.deepEqual(view.board, { groupBy: 'customFieldValues.Stage', sum: 'customFieldValues.Amount' });
	await click(page, 'button', 'List');
	await page.waitForSelector('.table');
	await click(page, 'link', 'Dhows');
	await headsAre(page, [['Lead', '0', '0 EUR'], ['Talks', '0', '0 EUR'], ['Won', '0', '0 EUR'], ['none', '1', '0 EUR']]);
	await closePage(page);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

// A long column reads its cards as it scrolls, and draws few of them.
async function scrollsLong() {
	const type = await makeType('Rafts', Array.from({ length: 400 }, (_, i) => deal(`Raft ${String(i).padStart(3, '0')}`, i % 4 ? 'Lead' : 'Won', 1)));
	const page = await entered({ hash: type.hash, name: 'Rafts' });

	await click(page, 'button', 'Board');
	await headsAre(page, [['Lead', '300', '300 EUR'], ['Talks', '0', '0 EUR'], ['Won', '100', '100 EUR'], ['none', '0', '0 EUR']]);
	const list = '[data-lane="Lead"] ul';
	await page.waitForFunction((l) => document.querySelectorAll(`${l} li[draggable]`).length > 3, { polling: 20 }, list);
	// Each step waits for the cards of its place; those at the end may still be read.
	const drawn = (l) => {
		const ul = document.querySelector(l);
		const cards = [...ul.querySelectorAll('li[draggable]')];
		const at = ul.scrollTop;
		return cards.some((c) => c.offsetTop <= at + 20 && c.offsetTop + c.offsetHeight + 20 >= at) ? cards.map((c) => c.querySelector('a').innerText) : null;
	};
	const seen = new Set();
	await until('all cards of the column', async () => {
		const names = await (await page.waitForFunction(drawn, { polling: 15 }, list)).jsonValue();
		assert.ok(names.length < 60, `${names.length} cards are drawn`);
		names.forEach((n) => seen.add(n));
		await page.$eval(list, (l) => l.scrollBy(0, 400));
		return seen.size === 300;
	});
	await b.shoot(page, 'board-long-desktop-light');
	await closePage(page);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

export const boardCases = [['a board', movesCards], ['a long board', scrollsLong]];
