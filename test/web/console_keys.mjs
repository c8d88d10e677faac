// The keys of the console, the command palette, addresses that can be sent, and paper.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { closePage, see, seeNoText, seeText } from './browser.mjs';
import { addressOf, entered, newPerson, rowsAre, visit } from './console_tab.mjs';
import { api } from './world.mjs';

const focused = (page) => page.evaluate(() => document.activeElement.innerText || document.activeElement.getAttribute('aria-label') || document.activeElement.type);
const loses = (page) => page.evaluate(() => document.activeElement.blur());

async function movesByKeys() {
	const page = await entered();
	const { keyboard } = page;

	// A letter means a place only after "g", also on a page that has just been opened.
	await loses(page);
	await keyboard.press('e');
	await see(page, 'heading', 'People');
	assert.ok((await addressOf(page)).endsWith('#/people'));
	const go = async (letter, heading) => {
		await loses(page);
		await keyboard.press('g');
		await keyboard.press(letter);
		await see(page, 'heading', heading);
	};

	await go('c', 'Companies');
	await go('w', 'Webhooks');
	await go('s', 'Set-up');
	await go('k', 'Users and keys');
	await go('p', 'People');
	await rowsAre(page, 25);

	// Arrows go through the rows, "/" to the search; there letters are typed.
	await loses(page);
	await keyboard.press('ArrowDown');
	await keyboard.press('ArrowDown');
	const second = await page.$eval('tbody tr:nth-child(2) a', (e) => e.innerText);
	assert.equal(await focused(page), second);
	await keyboard.press('ArrowUp');
	await keyboard.press('/');
	assert.equal(await focused(page), 'search');
	await keyboard.type('gc?en');
	assert.equal(await page.$eval('main input[type=search]', (e) => e.value), 'gc?en');
	await seeText(page, 'Nothing matches.');
	await b.fill(page, 'searchbox', 'Search People', '');
	await rowsAre(page, 25);
	await loses(page);
	await keyboard.press('ArrowDown');
	await keyboard.press('Enter');
	await page.waitForSelector('main [data-key="e"]');
	await page.waitForFunction(() => document.activeElement.matches('h1')); // of the page that was opened
	await keyboard.press('e');
	await page.waitForFunction(() => document.activeElement.matches('.value.open input'));
	await keyboard.press('Escape');
	await page.waitForSelector('.value.open', { hidden: true });
	await page.waitForFunction(() => document.activeElement.matches('.value .edit'));
	await visit(page, '#/people', 'People');
	await loses(page);
	await keyboard.press('n');
	await see(page, 'heading', 'New person');

	await loses(page);
	await keyboard.press('?');
	await see(page, 'heading', 'Keyboard');
	await b.checkAccess(page, 'the keys');
	await keyboard.press('g');
	await keyboard.press('c');
	await keyboard.press('Escape');
	await seeNoText(page, 'move through the rows');
	await see(page, 'heading', 'New person');
	await closePage(page);
}

async function findsInThePalette() {
	const { id } = await newPerson({ fullName: 'Paula Lett', jobTitle: 'Pälettist', phones: ['+49 30 8642975'], companies: [{ name: 'Palette Works' }] });
	const page = await entered({ hash: '#/usage', name: 'Usage' });
	const palette = async () => {
		await page.keyboard.down('Control');
		await page.keyboard.press('k');
		await page.keyboard.up('Control');
		await see(page, 'heading', 'Go to');
		await page.waitForFunction(() => document.activeElement.matches('dialog input'), { polling: 15 });
	};

	// One click, and the number as another program writes it. Job title and company tell people of the same name apart.
	await b.click(page, 'button', 'Search…');
	await page.waitForFunction(() => document.activeElement.matches('dialog input'), { polling: 15 });
	await page.keyboard.sendCharacter('(030) 8642-975');
	await see(page, 'option', 'Paula Lett Pälettist, Palette Works People');
	await page.keyboard.press('Escape');
	await seeNoText(page, 'Go to');

	await palette();
	await page.keyboard.type('palettist paula');
	await page.waitForFunction(() => document.querySelector('dialog [role=option][aria-selected=true]')?.innerText.startsWith('Paula Lett'), { polling: 40 });
	await b.checkAccess(page, 'the palette');
	await b.shoot(page, 'palette-desktop-light');
	await page.keyboard.press('Enter');
	await see(page, 'heading', 'Paula Lett');
	assert.ok((await addressOf(page)).endsWith(`#/people/${id}`));
	await palette();
	await page.keyboard.type('northwind deal 17');
	await page.waitForFunction(() => document.querySelector('dialog [role=option][aria-selected=true]')?.innerText.includes('Deals'), { polling: 40 });
	await page.keyboard.press('Enter');
	await see(page, 'heading', 'Deal 17');
	await palette();
	await page.keyboard.type('web');
	await page.keyboard.press('Enter');
	await see(page, 'heading', 'Webhooks');
	await palette();
	await page.keyboard.type('nothing has this name');
	await seeText(page, 'Nothing found');
	await page.keyboard.press('Escape');
	await seeNoText(page, 'Go to');
	await api('DELETE', `/v1/people/${id}`);
	await closePage(page);
}

// A tab is in the address; a text that is cut is shown whole beside the pointer; a name from right to left is shown so.
async function showsWhole() {
	const title = `${'Very long title '.repeat(12)}end`;
	const { id } = await newPerson({ fullName: 'עדה לאבלייס', jobTitle: title });
	const page = await entered({ hash: `#/people/${id}?tab=tasks`, name: 'עדה לאבלייס' });

	await see(page, 'button', 'Add task');
	await b.click(page, 'tab', 'History');
	assert.ok((await addressOf(page)).endsWith('?tab=history'));
	await page.reload();
	await page.waitForSelector('[role=tab][aria-selected=true][id=tab-history]');
	assert.equal(await page.$eval('h1 bdi', (e) => getComputedStyle(e).direction), 'rtl');
	await b.click(page, 'button', 'Edit Full name');
	assert.equal(await page.$eval('.value.open input', (e) => getComputedStyle(e).direction), 'rtl');
	await page.keyboard.press('Escape');

	await visit(page, `#/people?q=${encodeURIComponent('לאבלייס')}`, 'People');
	await rowsAre(page, 1);
	const cell = await page.waitForSelector('tbody td:nth-child(3)');
	assert.ok((await cell.boundingBox()).height < 60, 'a long value stands on one line');
	await cell.hover();
	await page.waitForFunction((t) => document.querySelector('tbody td:nth-child(3)').title === t.trim(), { polling: 40 }, title);

	await page.emulateMediaType('print');
	const shown = (selector) => page.$eval(selector, (e) => e.checkVisibility());
	assert.deepEqual(await Promise.all(['.side', '.toolbar', 'tbody', 'h1'].map(shown)), [false, false, true, true]);
	await page.emulateMediaType('screen');
	await api('DELETE', `/v1/people/${id}`);
	await closePage(page);
}

export const keyCases = [
	['keys', movesByKeys],
	['the command palette', findsInThePalette],
	['long texts, tabs in addresses, paper', showsWhole],
];
