// What stands beside a record: notes, tasks, interactions, its history. They are changed in place, and only as they were seen.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { click, closePage, fill, see, seeNoText, seeText } from './browser.mjs';
import { entered, me, newPerson, visit } from './console_tab.mjs';
import { until } from './server.mjs';
import { api } from './world.mjs';

const read = async (path) => (await api('GET', path)).data;
const tasksOf = async (id) => (await read(`/v1/tasks?filter[entity][in]=${id}`)).items;
const interactionsOf = async (id) => (await read(`/v1/interactions?entity.id=${id}`)).items;

// The control with that label in the nth entry that is being edited.
const control = async (page, label, n = 1) =>
	(await page.waitForFunction(
		(l, i) => [...(document.querySelectorAll('.entries form')[i - 1]?.querySelectorAll('label') ?? [])].find((x) => x.textContent === l)?.control,
		{ polling: 40 }, label, n,
	)).asElement();

// Puts a value into it as somebody does who types or picks.
const put = async (page, label, value, n) =>
	(await control(page, label, n)).evaluate((e, v) => {
		e.value = v;
		e.dispatchEvent(new Event(e.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
	}, value);

const get = async (page, label, n) => (await control(page, label, n)).evaluate((e) => e.value);
const editors = (page, n) => page.waitForFunction((k) => document.querySelectorAll('.entries form').length === k, { polling: 40 }, n);

async function choose(page, field, choice) {
	await page.evaluate((f, c) => {
		const set = [...document.querySelectorAll('dialog fieldset')].find((x) => x.querySelector('legend').innerText === f);
		[...set.querySelectorAll('label')].find((l) => l.querySelector('strong').innerText === c).click();
	}, field, choice);
}

async function editsNotes() {
	const { id } = await newPerson({ firstName: 'Notty' });
	const page = await entered({ hash: `#/people/${id}?tab=notes`, name: 'Notty' });

	await fill(page, 'textbox', 'New note', 'Likes boats\nand trains');
	await click(page, 'button', 'Add note');
	await seeText(page, 'Note added');
	await page.waitForFunction(() => document.activeElement.matches('main textarea'), {}); // the next note can be typed
	const note = (await read(`/v1/notes?entity.id=${id}`)).items[0];
	assert.equal(note.content, 'Likes boats\nand trains');
	await click(page, 'button', 'Edit note Likes boats and trains');
	await see(page, 'textbox', 'Note');
	await page.waitForFunction((text) => document.activeElement.value === text, {}, note.content); // the focus is in the editor
	await api('PATCH', `/v1/notes/${note.id}`, { content: 'Theirs' });
	await fill(page, 'textbox', 'Note', 'My version');
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Somebody else changed this note');
	for (const text of ['Likes boats', 'Theirs', 'My version'])
		await seeText(page, text);
	await choose(page, 'Note', 'Mine');
	await page.locator('dialog footer .primary').click();
	await editors(page, 0);
	assert.equal((await read(`/v1/notes/${note.id}`)).content, 'My version');
	await page.waitForFunction(() => document.activeElement.ariaLabel === 'Edit note My version');

	// What is typed into one while another one is being saved stays.
	await fill(page, 'textbox', 'New note', 'Another');
	await click(page, 'button', 'Add note');
	await click(page, 'button', 'Edit note My version');
	await click(page, 'button', 'Edit note Another');
	await editors(page, 2);
	let held;
	await page.setRequestInterception(true);
	page.on('request', (r) => (r.method() === 'PATCH' && !held ? (held = r) : r.continue()));
	await put(page, 'Note', 'Saved late', 1);
	await page.locator('.entries li:nth-child(1) .primary').click();
	await until('the save', () => held);
	await put(page, 'Note', 'Typed meanwhile', 2);
	await held.continue();
	await editors(page, 1);
	assert.equal(await get(page, 'Note'), 'Typed meanwhile');

	// What was typed is still there after a look at another tab.
	await fill(page, 'textbox', 'New note', 'Half a note');
	await click(page, 'tab', 'Tasks');
	await see(page, 'textbox', 'New task');
	await visit(page, '#/companies', 'Companies');
	await visit(page, `#/people/${id}?tab=notes`, 'Notty');
	assert.equal(await get(page, 'Note'), 'Typed meanwhile');
	assert.equal(await b.value(page, 'textbox', 'New note'), 'Half a note');
	await click(page, 'button', 'Save');
	await editors(page, 0);
	assert.equal((await read(`/v1/notes/${note.id}`)).content, 'Typed meanwhile');

	// A version that nobody has looked at is not deleted.
	await api('PATCH', `/v1/notes/${note.id}`, { content: 'Changed unseen' });
	await click(page, 'button', 'Delete note Typed meanwhile');
	await page.locator('dialog footer .danger').click();
	await seeText(page, 'Somebody has changed this since you opened it.');
	await click(page, 'button', 'Delete note Changed unseen');
	await page.locator('dialog footer .danger').click();
	await seeNoText(page, 'Changed unseen');
	assert.equal((await api('GET', `/v1/notes/${note.id}`, undefined, { ok: false })).status, 404);
	await closePage(page);
}

async function editsTasks() {
	const { id } = await newPerson({ firstName: 'Tasky' });
	const other = (await read('/v1/users')).items.find((user) => user.id !== me.id);
	const page = await entered({ hash: `#/people/${id}?tab=notes`, name: 'Tasky' });

	// A task that is added while the list is still loading stays in it.
	let list;
	await page.setRequestInterception(true);
	page.on('request', (r) => (!list && r.url().includes('/v1/tasks?') ? (list = r) : r.continue()));
	await click(page, 'tab', 'Notes');
	await page.keyboard.press('ArrowRight');
	await fill(page, 'textbox', 'New task', 'Call back');
	await click(page, 'button', 'Add task');
	await see(page, 'checkbox', 'Done: Call back');
	const told = page.waitForResponse((r) => r.request() === list);
	await list.respond({ contentType: 'application/json', body: '{"data":{"items":[],"pagination":{}}}' });
	await told;
	await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
	await click(page, 'checkbox', 'Done: Call back');
	await seeText(page, 'Task done');
	const [made] = await tasksOf(id);
	assert.ok(made.completedAt);
	await click(page, 'checkbox', 'Done: Call back');
	await seeText(page, 'Task open again');
	assert.equal((await tasksOf(id))[0].completedAt, null);

	await click(page, 'button', 'Edit task Call back');
	await put(page, 'Title', 'Call them');
	await put(page, 'Description', 'About the boat');
	await put(page, 'Due', '2031-05-06');
	await put(page, 'At', '14:30');
	await put(page, 'Again', 'monthly');
	await click(page, 'button', `Remove ${me.fullName}`);
	await (await control(page, 'For')).type(other.fullName);
	await see(page, 'option', other.fullName);
	await page.keyboard.press('Enter');
	await b.checkAccess(page, 'a task that is edited');
	await b.shoot(page, 'task-edited-desktop-light');
	await click(page, 'button', 'Save');
	await editors(page, 0);
	await seeText(page, 'About the boat');
	const now = await read(`/v1/tasks/${made.id}`);
	assert.deepEqual(
		[now.title, now.description, now.dueAt, now.dueTime, now.recurrenceFrequency, now.assignedUsers.map((u) => u.id)],
		['Call them', 'About the boat', '2031-05-06', '14:30', 'monthly', [other.id]],
	);

	// Both versions of what two have changed; what only one has changed is kept.
	await click(page, 'button', 'Edit task Call them');
	await put(page, 'Due', '2032-02-02');
	await put(page, 'At', '');
	await put(page, 'Again', '');
	await api('PATCH', `/v1/tasks/${made.id}`, { dueAt: '2033-03-03', title: 'Call all of them', assignedUsers: [{ id: me.id }] });
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Somebody else changed this task');
	for (const text of [', 2031', ', 2032', ', 2033', 'Call all of them'])
		await seeText(page, text);
	await b.checkAccess(page, 'a conflict of tasks');
	await click(page, 'button', 'Back to editing');
	assert.equal(await get(page, 'Due'), '2032-02-02');
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Somebody else changed this task');
	await choose(page, 'Due', 'Mine');
	await page.locator('dialog footer .primary').click();
	await editors(page, 0);
	const both = await read(`/v1/tasks/${made.id}`);
	assert.deepEqual(
		[both.title, both.dueAt, both.dueTime, both.recurrenceFrequency, both.assignedUsers.map((u) => u.id)],
		['Call all of them', '2032-02-02', null, null, [me.id]],
	);

	// What the server refuses is told at its field, and stays.
	await click(page, 'button', 'Edit task Call all of them');
	await put(page, 'Title', '');
	await click(page, 'button', 'Save');
	await page.waitForSelector('.entries .field.wrong .error');
	await click(page, 'button', 'Cancel');
	await editors(page, 0);
	await seeText(page, 'Call all of them');
	await closePage(page);
}

async function editsInteractions() {
	const { id } = await newPerson({ firstName: 'Inty', jobTitle: 'First' });
	const page = await entered({ hash: `#/people/${id}`, name: 'Inty' });

	await click(page, 'tab', 'Interactions');
	await fill(page, 'textbox', 'New interaction', 'Met at the fair');
	await click(page, 'button', 'Log interaction');
	await seeText(page, 'Interaction logged');
	const [made] = await interactionsOf(id);
	assert.equal(made.title, 'Met at the fair');

	await click(page, 'button', 'Edit interaction Met at the fair');
	await put(page, 'Title', 'Met at the harbour');
	await put(page, 'Type', 'coffee');
	await put(page, 'When', '2024-06-07T08:09');
	await put(page, 'Content', 'Two boats');
	await b.checkAccess(page, 'an interaction that is edited');
	await click(page, 'button', 'Save');
	await editors(page, 0);
	await seeText(page, 'Two boats');
	const [now] = await interactionsOf(id);
	assert.deepEqual([now.title, now.activityType, Date.parse(now.dateTime), now.content], ['Met at the harbour', 'coffee', Date.UTC(2024, 5, 7, 8, 9), 'Two boats']);

	// They have no tags; yet what somebody else has written is not overwritten unseen.
	await click(page, 'button', 'Edit interaction Met at the harbour');
	await put(page, 'Content', 'Three boats');
	await api('PATCH', `/v1/interactions/${made.id}`, { entity: { id }, content: 'Four boats', activityType: 'lunch' });
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Somebody else changed this interaction');
	for (const text of ['Two boats', 'Three boats', 'Four boats', 'lunch'])
		await seeText(page, text);
	await choose(page, 'Content', 'Mine');
	await page.locator('dialog footer .primary').click();
	await editors(page, 0);
	const [both] = await interactionsOf(id);
	assert.deepEqual([both.content, both.activityType], ['Three boats', 'lunch']);

	await api('PATCH', `/v1/people/${id}`, { jobTitle: 'Second' });
	await click(page, 'tab', 'History');
	await seeText(page, 'Created');
	// The feed shows an event when no transaction before it is open any more.
	await until('the change in the history', async () => {
		const shown = await page.$$eval('.changes', (all) => all.some((x) => x.innerText.includes('Second')));
		return shown || click(page, 'button', 'Look again');
	});
	await seeText(page, 'Second');
	// Who did it, how, and what it was before.
	await api('PATCH', `/v1/people/${id}`, { jobTitle: 'Third' });
	await until('the value before in the history', async () => {
		const shown = await page.$$eval('.changes', (all) => all.some((x) => /Second\s+→\s+Third/.test(x.innerText)));
		return shown || click(page, 'button', 'Look again');
	});
	await seeText(page, 'in the console');
	await b.checkAccess(page, 'history');
	await closePage(page);
}

export const entryCases = [
	['notes', editsNotes],
	['tasks', editsTasks],
	['interactions, history', editsInteractions],
];
