// The set-up of a workspace in forms, and the console's language.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { click, closePage, fill, see, seeNoText, seeText } from './browser.mjs';
import { deal, makeType } from './console_board.mjs';
import { counted, entered, kith, me, visit, world } from './console_tab.mjs';
import { api } from './world.mjs';

const read = async (path) => (await api('GET', path)).data;

// The first control of the form has the focus.
const inDialog = (page) => page.waitForFunction(() => document.activeElement.matches('dialog input'), { polling: 15 });

// --- language ----------------------------------------------------------------------------------------

async function speaksGerman() {
	const page = await entered();
	const choice = 'select.language';

	await Promise.all([page.waitForNavigation(), page.select(choice, 'de')]);
	await see(page, 'heading', 'Personen');
	assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
	await page.reload();
	await see(page, 'heading', 'Personen');
	await b.checkAccess(page, 'people in German');
	await b.shoot(page, 'people-german');
	await visit(page, `#/objects/${world.group.id}/Deals/${world.deals[2].id}`, 'Deal 3');
	await seeText(page, '25.690 EUR');
	await seeText(page, `von ${me.fullName} · geändert`);
	await visit(page, `#/people/${world.people[0].id}?tab=interactions`, 'Ada Abbott');
	await page.waitForFunction(() => [...document.querySelectorAll('select option[value="call"]')].some((e) => e.innerText === 'Anruf'), {});
	await visit(page, `#/objects/${world.group.id}/Deals`, 'Deals');
	await click(page, 'button', 'Board');
	await see(page, 'heading', 'ohne Wert');
	await visit(page, '#/people/new', 'Person anlegen');
	await see(page, 'textbox', 'Vorname');
	await visit(page, '#/admin', 'Nutzer und Schlüssel');
	await see(page, 'button', 'Jemanden einladen');
	await seeText(page, 'Sperren');
	const cut = await page.$$eval('.table td button', (all) => all.filter((e) => e.getBoundingClientRect().right > e.closest('td').getBoundingClientRect().right).map((e) => e.innerText));
	assert.deepEqual(cut, [], 'buttons are whole');
	await visit(page, '#/webhooks', 'Webhooks');
	await seeText(page, 'Es gibt keine Webhooks.');
	await Promise.all([page.waitForNavigation(), page.select(choice, 'en')]);
	await seeText(page, 'There are no webhooks.');
	await closePage(page);
}

// Without a choice the browser decides; a language without texts is skipped.
async function followsTheBrowser() {
	const page = await b.openPage({ apart: true });

	await page.evaluateOnNewDocument(() => Object.defineProperty(navigator, 'languages', { value: ['fr-FR', 'de-AT', 'en'] }));
	await b.openSignedIn(page, `${process.env.KITH_URL}/console`, process.env.KITH_KEY);
	await see(page, 'heading', 'Heute');
	assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), []);
	await closePage(page);
}

// --- groups, members ---------------------------------------------------------------------------------

// A new group with two members takes six clicks and keys.
async function makesAGroup() {
	const ben = (await read('/v1/users')).items.find((user) => user.id !== me.id);
	const workspace = kith('workspace', 'list').id;
	const eve = kith('user', 'create', '--workspace', workspace, '--email', 'eve@example.org', '--name', 'Eve E');
	const page = await entered({ hash: '#/setup', name: 'Set-up' });
	const by = counted(page);
	const offered = (name) => page.waitForFunction((n) => [...document.querySelectorAll('[role=option]')].some((o) => o.innerText === n), {}, name);

	await b.checkAccess(page, 'set-up');
	await by.click('button', 'New group');
	await inDialog(page);
	await by.type('Partners');
	await by.press('Tab');
	for (const name of [ben.fullName, 'Eve E']) {
		await by.type(name);
		await offered(name);
		await by.press('Enter');
	}
	await b.checkAccess(page, 'a new group');
	await b.shoot(page, 'new-group-desktop-light');
	await by.click('button', 'Create');
	await see(page, 'heading', 'Partners');
	assert.ok(by.n <= 6, `a group with two members took ${by.n}`);
	const group = (await read('/v1/groups')).items.find((g) => g.name === 'Partners');
	const roles = async () => (await read(`/v1/groups/${group.id}/members`)).items.map((m) => [m.id, m.role]);
	assert.deepEqual(await roles(), [[me.id, 'admin'], [ben.id, 'contributor'], [eve.id, 'contributor']]);

	await page.select('select[aria-label="Role of Eve E"]', 'reader');
	await seeText(page, 'Saved.');
	await click(page, 'button', `Remove ${ben.fullName}`);
	await see(page, 'heading', 'Remove the member?');
	await click(page, 'button', 'Remove');
	await seeNoText(page, ben.email);
	assert.deepEqual(await roles(), [[me.id, 'admin'], [eve.id, 'reader']]);
	await click(page, 'button', 'Add member');
	await inDialog(page);
	await by.type(ben.fullName);
	await offered(ben.fullName);
	await by.press('Enter');
	await click(page, 'button', 'Add');
	await seeText(page, ben.email);

	await click(page, 'button', 'Edit');
	await fill(page, 'textbox', 'Name', '');
	await click(page, 'button', 'Save');
	await page.waitForSelector('dialog input[aria-invalid=true]');
	await seeText(page, 'Correct the fields marked above.');
	await b.checkAccess(page, 'a group that was refused');
	await fill(page, 'textbox', 'Name', 'Friends');
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Friends');

	await makesTypesAndFields(page, by, group);
	await click(page, 'button', 'Delete');
	await see(page, 'heading', 'Delete this group?');
	await click(page, 'button', 'Delete');
	await see(page, 'heading', 'Set-up');
	await seeNoText(page, 'Friends');
	await closePage(page);
}

// --- object types, fields ----------------------------------------------------------------------------

async function makesTypesAndFields(page, by, group) {
	const fields = async (entity) => (await read(`/v1/groups/${group.id}/custom-fields/${entity}`)).items;

	await click(page, 'button', 'New object type');
	await inDialog(page);
	await by.type('members');
	await click(page, 'button', 'Create');
	await page.waitForSelector('dialog input[aria-invalid=true]');
	await fill(page, 'textbox', 'Name', 'Big Jobs');
	await click(page, 'button', 'Create');
	await page.waitForSelector('nav a[title="Big Jobs of Friends"]');

	// A field with three options takes six clicks and keys.
	await click(page, 'tab', 'Big Jobs');
	await seeText(page, 'There are no custom fields yet.');
	by.n = 0;
	await by.click('button', 'New field');
	await inDialog(page);
	await by.type('Stage');
	await by.press('Tab');
	await by.press('Tab');
	await by.type('Open');
	await by.press('Enter');
	await by.type('Won');
	await by.press('Enter');
	await by.type('Lost');
	await b.checkAccess(page, 'a new field');
	await b.shoot(page, 'new-field-desktop-light');
	await by.click('button', 'Create');
	await see(page, 'button', 'Edit Stage');
	assert.ok(by.n <= 6, `a field with three options took ${by.n}`);
	const [stage] = await fields('Big Jobs');
	assert.deepEqual([stage.name, stage.type, stage.options.map((o) => o.label)], ['Stage', 'singleSelect', ['Open', 'Won', 'Lost']]);

	// Options keep their ids; a refused one is marked, and the others are kept.
	await click(page, 'button', 'Edit Stage');
	await fill(page, 'textbox', 'Name', 'Status');
	await fill(page, 'textbox', 'Option 2', 'Open');
	await fill(page, 'textbox', 'Option 4', 'Stalled');
	await click(page, 'button', 'Save');
	await page.waitForSelector('.optionrows li:nth-child(2) .error');
	await fill(page, 'textbox', 'Option 2', 'Gained');
	await page.$eval('[aria-label="Colour of Gained"]', (e) => {
		e.value = '#00aa00';
		e.dispatchEvent(new Event('input', { bubbles: true }));
	});
	await click(page, 'button', 'Remove Lost');
	await click(page, 'button', 'Move Stalled up');
	await page.waitForFunction(() => document.activeElement.ariaLabel === 'Move Stalled up'); // the focus goes with it
	await page.keyboard.press('Enter');
	await page.waitForFunction(() => document.activeElement.value === 'Stalled');
	await click(page, 'button', 'Save');
	await see(page, 'button', 'Edit Status');
	const [status] = await fields('Big Jobs');
	assert.deepEqual(status.options.map((o) => o.label), ['Stalled', 'Open', 'Gained']);
	assert.deepEqual(status.options[2], { id: stage.options[1].id, label: 'Gained', color: '#00aa00' });

	await click(page, 'button', 'New field');
	await inDialog(page);
	await by.type('Worth');
	await page.select('dialog select', 'numericField');
	await page.select('dialog select:has(option[value="currency"])', 'currency');
	await click(page, 'button', 'Create');
	await page.waitForSelector('dialog .wrong, dialog .error');
	await fill(page, 'textbox', 'Currency', 'eur');
	await click(page, 'button', 'Create');
	await see(page, 'button', 'Edit Worth');
	assert.deepEqual((await fields('Big Jobs'))[1].config, { format: 'currency', currency: 'EUR' });
	await b.checkAccess(page, 'a group');
	await b.shoot(page, 'group-desktop-light');
	await click(page, 'button', 'Delete Worth');
	await see(page, 'heading', 'Delete this field?');
	await click(page, 'button', 'Delete');
	await seeNoText(page, 'Worth');

	await api('POST', `/v1/groups/${group.id}/Big%20Jobs`, { name: 'A job' });
	await click(page, 'button', 'Delete Big Jobs');
	await see(page, 'heading', 'Delete this object type?');
	await click(page, 'button', 'Delete');
	await click(page, 'button', 'Delete with all objects');
	await seeText(page, 'There are no object types yet.');
	await page.waitForSelector('nav a[title="Big Jobs of Friends"]', { hidden: true });
}

// A record leads to the set-up of its fields: six clicks and keys make one with three options.
async function makesAFieldFromARecord() {
	const type = await makeType('Kites', [deal('Red kite', 'Lead', 1)]);
	const page = await entered({ hash: `${type.hash}/${type.made[0].id}`, name: 'Red kite' });
	const by = counted(page);

	await by.click('link', 'Set up: Kites fields');
	await see(page, 'heading', 'Of Kites');
	await by.click('button', 'New field');
	await inDialog(page);
	await by.type('Wind');
	await click(page, 'textbox', 'Option 1');
	by.n++;
	for (const option of ['Calm', 'Breeze']) {
		await by.type(option);
		await by.press('Enter');
	}
	await by.type('Gale');
	await by.click('button', 'Create');
	await see(page, 'button', 'Edit Wind');
	assert.equal(by.n, 6);
	const fields = (await read(`/v1/groups/${type.group.id}/custom-fields/Kites`)).items;
	assert.deepEqual(fields.find((f) => f.name === 'Wind').options.map((o) => o.label), ['Calm', 'Breeze', 'Gale']);
	await closePage(page);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

// From the set-up, too, six clicks and keys make a field of any kind of records with three options.
async function makesAFieldFromSetup() {
	const type = await makeType('Looms', []);
	const page = await entered({ hash: '#/setup', name: 'Set-up' });
	const by = counted(page);

	by.n++;
	await page.locator(`main a[href="#/setup/${type.group.id}/Looms"]`).click();
	await see(page, 'tab', 'Looms');
	await by.click('button', 'New field');
	await inDialog(page);
	await by.type('Thread');
	await by.press('Enter');
	await by.type('Silk');
	await by.press('Enter');
	await by.type('Wool');
	await by.press('Enter');
	await by.type('Linen');
	await by.click('button', 'Create');
	await see(page, 'button', 'Edit Thread');
	assert.ok(by.n <= 6, `a field with three options took ${by.n}`);
	const fields = (await read(`/v1/groups/${type.group.id}/custom-fields/Looms`)).items;
	assert.deepEqual(fields.find((f) => f.name === 'Thread').options.map((o) => o.label), ['Silk', 'Wool', 'Linen']);

	// Of a type without options Enter in the name sends the form.
	await click(page, 'button', 'New field');
	await inDialog(page);
	await page.select('dialog select', 'textField');
	await fill(page, 'textbox', 'Name', 'Remark');
	await page.keyboard.press('Enter');
	await see(page, 'button', 'Edit Remark');
	await closePage(page);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

// Members see the set-up, and change nothing of it.
async function showsMembers() {
	const ben = (await read('/v1/users')).items.find((user) => user.email.startsWith('ben'));
	const { key } = kith('key', 'create', '--user', ben.id);
	const page = await entered({ key, hash: `#/setup/${world.group.id}`, name: 'Customers' });

	await seeText(page, 'Only admins of the group or the workspace may change this.');
	await seeText(page, 'Level');
	assert.equal(await page.$$eval('main button', (all) => all.filter((e) => /^(New|Add|Edit|Delete)/.test(e.innerText)).length), 0);
	await visit(page, `#/objects/${world.group.id}/Deals/${world.deals[0].id}`, 'Deal 1');
	await see(page, 'heading', 'Deals fields');
	await page.waitForNetworkIdle({ idleTime: 300 });
	assert.equal(await page.$('.cardhead a'), null);
	await closePage(page);
}

// A key can be limited to groups.
async function limitsKeys() {
	const page = await entered({ hash: '#/admin', name: 'Users and keys' });

	await click(page, 'button', 'New key');
	await inDialog(page);
	await page.keyboard.type('Only customers');
	await page.focus('dialog [role=combobox]');
	await page.keyboard.type('Customers');
	await page.waitForSelector('[role=option][aria-selected=true]:not([aria-disabled])');
	await page.keyboard.press('Enter');
	await see(page, 'button', 'Remove Customers');
	await click(page, 'button', 'Create');
	await see(page, 'heading', 'Key Only customers');
	const { data } = await api('GET', '/v1/keys/me', undefined, { key: await b.value(page, 'textbox', 'Key') });
	assert.deepEqual(data.groups.map(({ id }) => id), [world.group.id]);
	await api('DELETE', `/v1/keys/${data.id}`);
	await closePage(page);
}

export const setupCases = [
	['texts in German', speaksGerman],
	['the browser’s language', followsTheBrowser],
	['groups, types and fields', makesAGroup],
	['a field from a record', makesAFieldFromARecord],
	['a field from the set-up', makesAFieldFromSetup],
	['a member sees the set-up', showsMembers],
	['keys for groups', limitsKeys],
];
