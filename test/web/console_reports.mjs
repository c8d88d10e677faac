// Reports: ready ones, one made from the form, its forms, and the table behind each.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { click, closePage, fill, see, seeNoText, seeText } from './browser.mjs';
import { deal, makeType } from './console_board.mjs';
import { entered, visit } from './console_tab.mjs';
import { api } from './world.mjs';

const pick = (page, label, value) =>
	page.evaluate((l, v) => {
		const select = [...document.querySelectorAll('main select')].find((s) => s.labels[0]?.innerText === l);
		select.value = v;
		select.dispatchEvent(new Event('change', { bubbles: true }));
	}, label, value);
const rowsOf = (page, card) =>
	page.$eval(`section[aria-label="${card}"]`, (s) => [...s.querySelectorAll('tbody tr')].map((r) => [...r.cells].map((c) => c.textContent.trim())));
const shown = (page, card) => page.waitForSelector(`section[aria-label="${card}"] :is(.plot, tbody, .bignumber)`);

async function showsReports() {
	const type = await makeType('Sails', [
		deal('One', 'Lead', 100), deal('Two', 'Won', 0.1, { Closed: '2026-01-10' }), deal('Three', 'Won', 0.2, { Closed: '2026-03-05' }),
	]);
	const page = await entered({ hash: '#/reports', name: 'Reports' });

	// The ready ones.
	await shown(page, 'Sails by Stage');
	assert.deepEqual(await rowsOf(page, 'Sails by Stage'), [['Lead', '1', '100 EUR'], ['Won', '2', '0.3 EUR'], ['All', '3', '100.3 EUR']]);
	const won = 'Sails won, by month of Closed';
	await shown(page, won);
	assert.deepEqual((await rowsOf(page, won)).map((r) => r[1]), ['1', '0', '1', '2'], 'a month without records has a point');
	await page.waitForFunction((title) => document.querySelectorAll(`section[aria-label="${title}"] circle`).length === 3, {}, won);
	await see(page, 'heading', 'Tasks done, by user');
	await b.checkAccess(page, 'reports');
	await b.shoot(page, 'reports-desktop-light');

	// One of the form: amounts by stage, in each form.
	await click(page, 'link', 'New report');
	await see(page, 'heading', 'New report');
	await fill(page, 'textbox', 'Name', 'Sails in all');
	await pick(page, 'What it counts', type.path);
	await pick(page, 'Grouped by', 'customFieldValues.Stage');
	await pick(page, 'Measure', 'sum:customFieldValues.Amount');
	await page.waitForSelector('section[aria-label="Preview"] rect');
	await page.waitForFunction(() => document.querySelector('section[aria-label="Preview"]').textContent.includes('100.3 EUR'), { polling: 20 });
	await b.checkAccess(page, 'new report');
	await b.shoot(page, 'report-form-desktop-light');
	await pick(page, 'Form', 'table');
	await page.waitForSelector('section[aria-label="Preview"] tbody');
	await seeText(page, '100.3 EUR');
	await pick(page, 'Form', 'number');
	await page.waitForSelector('section[aria-label="Preview"] .bignumber');
	await pick(page, 'Form', 'bar');
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Sails in all');
	const view = (await api('GET', '/v1/views?limit=100')).data.items.find((v) => v.name === 'Sails in all');
	assert.deepEqual([view.kind, view.objectType, view.chart.form, view.chart.groupBy, view.chart.measures], ['objects', 'Sails', 'bar', ['customFieldValues.Stage'], ['sum:customFieldValues.Amount']]);
	await shown(page, 'Sails in all');

	// It is among the reports, not among the lists, and is changed and deleted.
	await click(page, 'link', 'Edit');
	await see(page, 'heading', 'Edit Sails in all');
	await pick(page, 'Form', 'number');
	await click(page, 'button', 'Save');
	await page.waitForSelector('section[aria-label="Sails in all"] .bignumber');
	await seeText(page, '100.3 EUR');
	await visit(page, '#/reports', 'Reports');
	await see(page, 'link', 'Sails in all');
	await visit(page, type.hash, 'Sails');
	await seeNoText(page, 'Sails in all');
	await visit(page, `#/reports/${view.id}`, 'Sails in all');
	await click(page, 'button', 'Delete');
	await page.locator('dialog footer .danger').click();
	await see(page, 'heading', 'Reports');
	assert.equal((await api('GET', `/v1/views/${view.id}`, undefined, { ok: false })).status, 404);
	await closePage(page);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

export const reportCases = [['reports', showsReports]];
