// The working day: a record with what belongs to it, today's tasks, what happened, values changed by a click, duplicates.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { click, closePage, fill, see, seeNoText, seeText } from './browser.mjs';
import { makeType } from './console_board.mjs';
import { addressOf, counted, entered, kith, me, newPerson, person, visit, world } from './console_tab.mjs';
import { until } from './server.mjs';
import { api } from './world.mjs';

const read = async (path) => (await api('GET', path)).data;
const dayIn = (days) => new Date(Date.now() + days * 86400000).toISOString().slice(0, 10);
const taskOf = async (entity, title, dueAt, more = {}) => (await api('POST', '/v1/tasks', { entity: { id: entity }, title, dueAt, ...more })).data;

// A user whose changes no other case makes, with a key.
async function someoneElse(fullName, role) {
	const { id } = (await api('POST', '/v1/users', { email: `${fullName.split(' ')[0].toLowerCase()}@activity.example`, fullName, role })).data;
	return { id, fullName, key: kith('key', 'create', '--user', id, '--name', 'Own key').key };
}

// The text of the card with that heading, when it has the words.
const card = (page, heading, words = '') =>
	page.waitForFunction(
		(h, w) => {
			const found = [...document.querySelectorAll('section.card')].find((s) => s.querySelector('h2')?.innerText.startsWith(h));
			const text = found?.innerText.replace(/\s+/g, ' ');
			return text?.includes(w) ? text : null;
		},
		{ polling: 40 }, heading, words,
	).then((found) => found.jsonValue());

const entries = (page) => page.$$eval('.beside .entries > li', (all) => all.map((e) => e.innerText.replace(/\s+/g, ' ')));

// --- a record ----------------------------------------------------------------------------------------

// A company shows its people, its deals and their sums without a click; a person shows their deals.
async function showsRelated() {
	const groups = [{ id: world.group.id }];
	const company = (await api('POST', '/v1/companies', { name: 'Related Works', groups })).data;
	const companies = [{ id: company.id }];
	const batch = async (path, records) => (await api('POST', `${path}/batch/create`, { records })).data.results.map((r) => r.data);
	const people = await batch('/v1/people', Array.from({ length: 7 }, (_, i) => ({ fullName: `Related ${i}`, companies, groups })));
	const deals = `/v1/groups/${world.group.id}/Deals`;
	await batch(deals, [['New', 1000.5], ['New', 2000], ['Won', 40000]].map(([Stage, Amount], i) => (
		{ name: `Related deal ${i}`, companies, people: i === 0 ? [{ id: people[0].id }] : [], customFieldValues: { Stage, Amount } })));
	const page = await entered({ hash: `#/companies/${company.id}`, name: company.name });

	assert.ok((await card(page, 'People')).startsWith('People 7 '));
	assert.equal(await page.$$eval('.beside [role=tab]', (tabs) => new Set(tabs.map((t) => t.offsetTop)).size), 1);
	const shown = await card(page, 'Deals');
	assert.ok(shown.startsWith('Deals 3 43,000.5 EUR New 2 3,000.5 EUR Won 1 40,000 EUR'), shown);
	await b.checkAccess(page, 'a company');
	await b.shoot(page, 'related-desktop-light');
	await click(page, 'link', 'All 7');
	await see(page, 'button', `Remove filter Company is one of ${company.name}`);
	await seeText(page, 'of 7 people');

	// The tabs come with the records above them, so that nothing moves when these arrive.
	await page.evaluate(() => {
		const watch = new MutationObserver(() => {
			const tabs = document.querySelector('.beside');
			if (!tabs) return;
			window.firstTop = tabs.getBoundingClientRect().top;
			watch.disconnect();
		});
		watch.observe(document.body, { childList: true, subtree: true });
	});
	await visit(page, `#/people/${people[0].id}`, 'Related 0');
	assert.ok((await card(page, 'Deals')).startsWith('Deals 1 1,000.5 EUR'));
	assert.equal(await page.$eval('.beside', (e) => e.getBoundingClientRect().top), await page.evaluate(() => window.firstTop));
	await click(page, 'link', 'Related deal 0');
	await see(page, 'heading', 'Related deal 0');
	await closePage(page);
}

async function tellsEverything() {
	const { id } = await newPerson({ fullName: 'Tim Line', jobTitle: 'First' });
	const page = await entered({ hash: `#/people/${id}`, name: 'Tim Line' });

	// A note takes two clicks, a task and a call three at most.
	const note = counted(page);
	await note.click('textbox', 'New note');
	await note.type('Likes timelines');
	await note.click('button', 'Add note');
	await seeText(page, 'Note added');
	assert.equal(note.n, 2);
	const task = counted(page);
	await task.click('button', 'Task');
	await page.waitForFunction(() => document.activeElement.labels?.[0]?.innerText === 'New task', { polling: 15 });
	await task.type('Send the line');
	await task.click('button', 'Add task');
	await see(page, 'checkbox', 'Done: Send the line');
	assert.ok(task.n <= 3);
	const call = counted(page);
	await call.click('button', 'Call, meeting…');
	await page.waitForFunction(() => document.activeElement.labels?.[0]?.innerText === 'New interaction', { polling: 15 });
	await call.type('Rang about the line');
	await call.click('button', 'Log interaction');
	await seeText(page, 'Interaction logged');
	assert.ok(call.n <= 3);
	const [logged] = (await read(`/v1/interactions?entity.id=${id}`)).items;
	assert.equal(logged.activityType, 'call');

	// Changes stand among them, with who made them, from what to what.
	await api('PATCH', `/v1/people/${id}`, { jobTitle: 'Second' });
	await until('the change', async () => {
		await click(page, 'button', 'Refresh');
		await new Promise((done) => setTimeout(done, 300));
		return (await entries(page)).some((text) => /First → Second/.test(text) && text.includes(me.fullName));
	});
	const order = (await entries(page)).map((text) => ['Second', 'Send the line', 'Likes timelines', 'Created', 'Rang about'].find((word) => text.includes(word))).filter(Boolean);
	assert.deepEqual(order, ['Second', 'Rang about', 'Send the line', 'Likes timelines', 'Created'], 'the newest first');
	await b.checkAccess(page, 'the timeline');
	await b.shoot(page, 'timeline-desktop-light');

	// One click completes a task here, too, and one undoes that.
	await click(page, 'checkbox', 'Done: Send the line');
	await click(page, 'button', 'Undo');
	await seeText(page, 'Due ');
	await click(page, 'button', 'Edit note Likes timelines');
	await fill(page, 'textbox', 'Note', 'Loves timelines');
	await click(page, 'button', 'Save');
	await seeText(page, 'Loves timelines');

	// Long ones are shown in parts.
	const records = Array.from({ length: 60 }, (_, i) => ({ entity: { id }, content: `Old note ${i}`, visibility: 'public' }));
	await api('POST', '/v1/notes/batch/create', { records });
	await page.reload();
	await page.waitForFunction(() => document.querySelectorAll('.beside .entries > li').length === 30, { polling: 40 });
	await click(page, 'button', 'More');
	await page.waitForFunction(() => document.querySelectorAll('.beside .entries > li').length === 60, { polling: 40 });
	await click(page, 'button', 'More');
	await seeText(page, 'Created');
	await seeText(page, 'Loves timelines');
	await closePage(page);
}

// Changes that could not be read are read again.
async function readsChangesAgain() {
	const { id } = await newPerson({ fullName: 'Agan Stine' });
	const page = await entered();

	await page.setRequestInterception(true);
	let refused = false;
	page.on('request', (request) => {
		if (refused || !request.url().includes('/v1/events?')) return request.continue();
		refused = true;
		return request.respond({ status: 500, contentType: 'application/json', body: JSON.stringify({ error: { code: 'INTERNAL', message: 'Not now' } }) });
	});
	await visit(page, `#/people/${id}`, 'Agan Stine');
	await seeText(page, 'Not now');
	await click(page, 'button', 'Try again');
	await seeNoText(page, 'Not now');
	await page.waitForSelector('.beside .entries');
	await closePage(page);
}

// A value is changed by a click on it and Enter.
async function editsByClick() {
	const { id } = await newPerson({ fullName: 'Clicka Ble', jobTitle: 'Clerk', urls: ['https://clicka.example'] });
	const page = await entered({ hash: `#/people/${id}`, name: 'Clicka Ble' });
	const press = (label, selector) =>
		page.evaluate((l, s) => [...document.querySelectorAll('.value')].find((v) => v.querySelector('dt').innerText === l).querySelector(s).click(), label, selector);

	await press('Job title', '.shown');
	await page.waitForFunction(() => document.activeElement.matches('.value.open input'), { polling: 15 });
	await page.keyboard.down('Control');
	await page.keyboard.press('a');
	await page.keyboard.up('Control');
	await page.keyboard.type('Captain');
	await page.keyboard.press('Enter');
	await seeText(page, 'Saved');
	assert.equal((await person(id)).jobTitle, 'Captain');
	// A click on a link follows it.
	await page.evaluate(() => addEventListener('click', (e) => e.preventDefault(), true));
	await press('Website', '.shown a');
	assert.equal(await page.$('.value.open'), null);
	await closePage(page);
}

// A choice from the list is saved at once: the button and the choice. Arrows pass through other choices, so they save nothing.
async function choosesInTwo() {
	const company = (await api('POST', '/v1/companies', { name: 'Choice Works' })).data;
	const range = async () => (await read(`/v1/companies/${company.id}`)).employeeRange;
	const page = await entered({ hash: `#/companies/${company.id}`, name: 'Choice Works' });
	const list = '.value.open select';
	const by = counted(page);

	await by.click('button', 'Edit Employees');
	by.n++;
	await page.select(list, '51-200');
	await seeText(page, 'Saved');
	assert.equal(by.n, 2);
	assert.equal(await range(), '51-200');
	await page.waitForFunction(() => document.activeElement.ariaLabel === 'Edit Employees', { polling: 15 });

	await click(page, 'button', 'Edit Employees');
	await page.$eval(list, (e) => e.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })));
	await page.select(list, '201-500');
	await seeText(page, '1 unsaved change');
	// Nor is anything saved while another field is open.
	await click(page, 'button', 'Discard');
	await click(page, 'button', 'Edit Name');
	await click(page, 'button', 'Edit Employees');
	await page.select(list, '11-50');
	await seeText(page, '1 unsaved change');
	assert.equal(await range(), '51-200');
	await click(page, 'button', 'Save');
	await seeNoText(page, 'unsaved');
	assert.equal(await range(), '11-50');
	await closePage(page);
	await api('DELETE', `/v1/companies/${company.id}`);
}

// --- the day -----------------------------------------------------------------------------------------

async function plansTheDay() {
	// Its days are those of one date.
	const left = 86400000 - (Date.now() % 86400000);
	if (left < 60000) await new Promise((done) => setTimeout(done, left));
	const { id } = await newPerson({ fullName: 'Day Planner' });
	const ben = (await read('/v1/users')).items.find((user) => user.id !== me.id);
	const late = await taskOf(id, 'Late thing', dayIn(-3));
	const now = await taskOf(id, 'Thing of today', dayIn(0), { recurrenceFrequency: 'weekly' });
	await taskOf(id, 'Thing of tomorrow', dayIn(1));
	await taskOf(id, 'Thing of Ben', dayIn(0), { assignedUsers: [{ id: ben.id }] });
	const reminder = { entity: { id }, name: 'Remember the day', visibility: 'private', recurrenceRule: 'DTSTART:20240101T000000Z\nRRULE:FREQ=MINUTELY' };
	const made = (await api('POST', '/v1/reminders', reminder)).data;
	const page = await entered({ hash: '', name: 'Today' });

	await card(page, 'Overdue', 'Late thing');
	await card(page, 'Due today', 'Thing of today');
	await card(page, 'Next', 'Thing of tomorrow');
	await seeText(page, 'Remember the day');
	assert.ok(!(await card(page, 'Due today')).includes('Thing of Ben'), 'tasks of others');
	await b.checkAccess(page, 'today');
	await b.shoot(page, 'today-desktop-light');

	const overdue = async () => Number(/^Overdue (\d*)/.exec(await card(page, 'Overdue'))[1]);
	const before = await overdue();
	const done = counted(page);
	await done.click('checkbox', 'Done: Late thing');
	await seeText(page, 'Task done');
	assert.equal(done.n, 1);
	assert.equal(await overdue(), before - 1, 'the figure tells what is still to be done');
	assert.ok((await read(`/v1/tasks/${late.id}`)).completedAt);
	await click(page, 'button', 'Undo');
	await until('the task is open', async () => (await read(`/v1/tasks/${late.id}`)).completedAt === null);
	await seeNoText(page, 'Task done');

	// Undoing the completion of a recurring task also deletes the next task.
	const series = async () => (await read(`/v1/tasks?filter[entity][in]=${id}`)).items.filter((x) => x.title === now.title);
	await click(page, 'checkbox', 'Done: Thing of today');
	await seeText(page, 'Task done');
	assert.equal((await series()).length, 2);
	await card(page, 'Next', 'Thing of today');
	await click(page, 'button', 'Undo');
	await until('the series is as before', async () => {
		const all = await series();
		return all.length === 1 && all[0].completedAt === null;
	});
	await click(page, 'link', 'All activity');
	await see(page, 'heading', 'Activity');
	await api('DELETE', `/v1/reminders/${made.id}`);
	await closePage(page);
}

async function tellsActivity() {
	const ben = (await read('/v1/users')).items.find((user) => user.id !== me.id);
	const keyOf = (name) => kith('key', 'create', '--user', ben.id, '--name', name);
	const [laptop, robot] = [keyOf('Laptop'), keyOf('Robot')];
	const { id } = await newPerson({ fullName: 'Acti Vity', jobTitle: 'Before' });
	await api('PATCH', `/v1/people/${id}`, { jobTitle: 'Middle' }, { key: laptop.key, headers: { 'X-Kith-Via': 'console' } });
	await api('PATCH', `/v1/people/${id}`, { jobTitle: 'After' }, { key: robot.key });
	await api('PATCH', `/v1/people/${id}`, { birthday: '1977-08-09' }, { key: laptop.key, headers: { 'X-Kith-Via': 'import' } });
	await api('POST', '/v1/notes', { entity: { id }, content: 'Noted by activity', visibility: 'public' }, { key: robot.key });
	const page = await entered({ hash: '#/activity', name: 'Activity' });
	const lines = () => page.$$eval('.entries > li', (all) => all.map((e) => e.innerText.replace(/\s+/g, ' ')));
	// The feed shows an event when no transaction before it is open any more.
	const has = (...words) => until(words.join(', '), async () => {
		if ((await lines()).some((line) => words.every((word) => line.includes(word))))
			return true;
		await page.evaluate(() => [...document.querySelectorAll('main button')].find((e) => e.innerText === 'Look again')?.click());
		await new Promise((done) => setTimeout(done, 1000));
		return false;
	});
	const onlyThose = (test) => until('only what was chosen', async () => (await lines()).every(test));
	const choose = async (label, value) => {
		await page.waitForSelector(`option[value="${value}"]`);
		const select = await page.$$eval('label', (all, l) => all.find((x) => x.innerText === l).htmlFor, label);
		await page.select(`#${select}`, value);
	};

	await page.waitForSelector('.entries > li');
	await b.checkAccess(page, 'activity');
	await choose('Who', ben.id);
	await has(`${ben.fullName} changed the person Acti Vity`, 'Job title Before → Middle', 'in the console · Laptop');
	await has(`${ben.fullName} changed the person Acti Vity`, 'Job title Middle → After');
	await has(`${ben.fullName} created the note “Noted by activity” of Acti Vity`);
	await onlyThose((line) => line.startsWith(ben.fullName));
	assert.ok((await addressOf(page)).includes(`who=${ben.id}`), 'the filter is in the address');
	await b.shoot(page, 'activity-desktop-light');
	await has('Birthday nothing → 1977-08-09', 'by an import · Laptop'); // which may be a session, so it is not called a key
	await choose('Kind', 'note');
	await seeNoText(page, 'Middle');
	await has('Noted by activity');
	await choose('Kind', 'person');
	await choose('How', 'console');
	await seeNoText(page, 'After');
	await has('Before → Middle');
	await choose('How', robot.id);
	await seeNoText(page, 'Before →');
	await has('Middle → After', 'with the key Robot');
	// The address has everything.
	await page.reload();
	await has('Middle → After');
	await onlyThose((line) => line.includes('Robot'));
	await click(page, 'link', 'Acti Vity');
	await see(page, 'heading', 'Acti Vity');
	await closePage(page);
}

// Many changes at once, such as an import, are one line, which can be opened.
async function foldsRuns() {
	const { fullName, key, id: user } = await someoneElse('Folda Folder', 'member');
	const make = (path, records, via) => api('POST', `${path}/batch/create`, { records }, { key, headers: { 'X-Kith-Via': via } });
	await make('/v1/people', Array.from({ length: 40 }, (_, i) => ({ fullName: `Folded ${i}` })), 'import');
	await make('/v1/companies', [{ name: 'Folded Works' }], 'import');
	await make('/v1/people', Array.from({ length: 6 }, (_, i) => ({ fullName: `Batched ${i}` })), 'console');
	await api('POST', '/v1/people', { fullName: 'After Folding' }, { key });
	const page = await entered({ hash: `#/activity?who=${user}`, name: 'Activity' });
	const lines = () => page.$$eval('section.card > .entries > li', (all) => all.map((e) => e.innerText.replace(/\s+/g, ' ').trim()));
	const has = (...words) => until(words.join(), async () => {
		if ((await lines()).some((line) => words.every((word) => line.includes(word)))) return true;
		await page.evaluate(() => [...document.querySelectorAll('main button')].find((e) => e.innerText === 'Look again')?.click());
		await new Promise((done) => setTimeout(done, 500));
		return false;
	});

	await has('the person After Folding');
	await has(`${fullName} created 6 people in the console`);
	await has(`${fullName} created a company`, `${fullName} created 40 people`, 'by an import · Own key');
	assert.ok(!(await lines()).some((line) => /(Folded|Batched) \d/.test(line)), 'the single ones are folded');
	await b.checkAccess(page, 'folded activity');
	await b.shoot(page, 'activity-folded-desktop-light');
	const summary = async (text) => page.evaluate((t) => [...document.querySelectorAll('summary')].find((e) => e.innerText.includes(t)).click(), text);
	await summary('40 people');
	await seeText(page, 'the company Folded Works');
	await seeText(page, 'the person Folded 39');
	assert.equal(await page.$$eval('details[open] .entries > li', (all) => all.length), 25);
	await click(page, 'button', 'More');
	await seeText(page, 'the person Folded 0');
	await b.checkAccess(page, 'opened activity');

	// Today reads at most four pages of the feed, however long the run is, and says that it may be longer. Below it is what was done
	// before in other ways, a page of each.
	const event = (n) => ({ id: `evt_${n}`, type: 'person.created', createdAt: new Date(Date.now() - n).toISOString(), actor: { type: 'user', id: user, fullName, keyId: null, keyName: null, via: 'import' }, data: { id: 'per_1', url: 'http://x/v1/people/per_1' } });
	let pages = 0;
	const beside = [];
	const answer = (request, items, pagination) => request.respond({ status: 200, contentType: 'application/json', body: JSON.stringify({ data: { items, cursor: 'c', pagination } }) });
	await page.setRequestInterception(true);
	page.on('request', (request) => {
		const { pathname, searchParams } = new URL(request.url());
		if (pathname !== '/v1/events') return request.continue();
		const via = searchParams.get('via');
		const limit = Number(searchParams.get('limit'));
		const first = 1000 * pages;
		if (!via) return pages++, answer(request, Array.from({ length: limit }, (_, i) => event(first + i)), { nextLink: 'http://x/v1/events?after=c' });
		beside.push(via);
		const older = event(1000 * pages + 7);
		return answer(request, via === 'console' ? [{ ...older, type: 'person.updated', actor: { ...older.actor, fullName: 'Olda Other', via } }] : [], {});
	});
	await visit(page, '#/today', 'Today');
	await card(page, 'Recent changes', `${fullName} created at least 325 people`);
	await card(page, 'Recent changes', 'Olda Other changed the person');
	assert.equal(pages, 4);
	assert.deepEqual(beside.sort(), ['api', 'carddav', 'command', 'console', 'mcp']);
	await closePage(page);
	const made = await Promise.all(['Folded', 'Batched', 'Folding'].map((word) => api('GET', `/v1/people?limit=100&filter[fullName][like]=${word}`)));
	await api('POST', '/v1/people/batch/delete', { records: made.flatMap(({ data }) => data.items).map(({ id }) => ({ id })) });
}

// The activity page names changes of users, merges and deletes, in both languages. It calls a browser a session, not a key.
async function tellsOfUsers() {
	const { fullName, key } = await someoneElse('Tella Teller', 'admin'); // changes at the same time by one user may be one line
	const user = (await api('POST', '/v1/users', { email: 'told@activity.example', fullName: 'Tolda User' }, { key })).data;
	const [kept, gone] = await Promise.all(['Merga Kept', 'Merga Gone'].map((fullName) => newPerson({ fullName })));
	const deleted = (await api('POST', '/v1/people', { fullName: 'Deleta Gone' }, { key })).data;
	await api('PATCH', `/v1/users/${user.id}`, { role: 'admin' }, { key });
	await api('POST', `/v1/users/${user.id}/disable`, undefined, { key });
	await api('POST', `/v1/people/${kept.id}/merge`, { id: gone.id }, { key });
	await api('DELETE', `/v1/people/${deleted.id}`, undefined, { key });
	const page = await entered({ hash: '#/activity?kind=user', name: 'Activity' });
	const has = async (hash, again, texts) => {
		await page.evaluate((h) => (location.hash = h), hash);
		for (const text of texts)
			await until(text, async () => {
				const lines = await page.$$eval('main .entries > li', (all) => all.map((e) => e.innerText.replace(/\s+/g, ' ')));
				if (lines.some((line) => line.includes(text))) return true;
				await page.evaluate((name) => [...document.querySelectorAll('main button')].find((e) => e.innerText === name)?.click(), again);
				await new Promise((done) => setTimeout(done, 500));
				return false;
			});
	};
	await has('#/activity?kind=user', 'Look again', [`${fullName} created the user Tolda User`, `${fullName} changed the user Tolda User`, 'Role member → admin', `${fullName} disabled the user Tolda User`]);
	await has('#/activity?kind=person', 'Look again', [`${fullName} merged the person Merga Gone into Merga Kept`, `${fullName} deleted the person Deleta Gone`, `${fullName} created a person`]);
	const options = await page.$$eval('main select option', (all) => all.map((o) => o.innerText));
	assert.ok(options.some((text) => /^Session .+ of /.test(text)), 'sessions are named as sessions');
	await page.select('select.language', 'de');
	await see(page, 'heading', 'Aktivität');
	await has('#/activity?kind=person', 'Neu laden', [`${fullName} hat die Person Merga Gone mit Merga Kept zusammengeführt`, `${fullName} hat die Person Deleta Gone gelöscht`]);
	await has('#/activity?kind=user', 'Neu laden', [`${fullName} hat den Nutzer Tolda User gesperrt`]);

	// Longer words of German: the way out stays beside the language. A new record has the name of its type.
	const [choice, way] = await page.$$eval('.account select, .account button', (all) => all.map((e) => e.getBoundingClientRect().toJSON()));
	assert.ok(way.top < choice.bottom && choice.top < way.bottom && choice.right <= way.left, 'Abmelden has a line of its own');
	await visit(page, `#/objects/${world.group.id}/Deals`, 'Deals');
	await see(page, 'link', 'Deal anlegen');
	await page.evaluate(() => localStorage.removeItem('kith.language'));
	await closePage(page);
	await api('DELETE', `/v1/people/${kept.id}`);
}

// --- duplicates --------------------------------------------------------------------------------------

async function mergesByChoice() {
	const kept = await newPerson({ firstName: 'Dupla', lastName: 'One', emails: ['dupla@x.example'], birthday: '1980-01-02', jobTitle: 'Cook', companies: [{ name: 'Dupla Kitchens' }] });
	const gone = await newPerson({ firstName: 'Dupla', lastName: 'Two', emails: ['Dupla@X.example'], birthday: '1981-03-04', jobTitle: 'Diver' });
	const page = await entered({ hash: '#/duplicates', name: 'Duplicates' });

	await b.checkAccess(page, 'duplicates');
	// So few people are compared without a click. Three clicks merge two of them and choose a value.
	await seeText(page, 'Cook · Dupla Kitchens');
	const by = counted(page);
	await by.click('button', 'Merge into Dupla One…');
	await see(page, 'heading', 'Merge these two?');
	const lost = (name) => page.$$eval('dialog section.versions', (all, n) => all.find((x) => x.querySelector('h3').innerText === `Values of ${n} that will be lost`)?.innerText ?? '', name);
	const choose = (field, text) =>
		page.evaluate((f, v) => {
			const set = [...document.querySelectorAll('dialog fieldset')].find((x) => x.querySelector('legend').innerText === f);
			[...set.querySelectorAll('label')].find((l) => l.innerText.includes(v)).click();
		}, field, text);
	assert.match(await lost('Dupla Two'), /Two[^]*Diver[^]*1981/);
	await choose('Job title', 'Diver');
	await page.waitForFunction(() => document.querySelector('dialog').innerText.includes('Values of Dupla One that will be lost'), { polling: 40 });
	assert.match(await lost('Dupla One'), /Cook/);
	assert.doesNotMatch(await lost('Dupla Two'), /Diver/);
	await b.checkAccess(page, 'choosing values of a merge');
	await b.shoot(page, 'merge-choice-desktop-light');
	await page.locator('dialog footer .danger').click();
	await seeText(page, 'The other person was merged into Dupla One.');
	assert.equal(by.n + 2, 3); // with the value and the last button
	const now = await person(kept.id);
	assert.deepEqual([now.jobTitle, now.birthday, now.lastName, now.emails], ['Diver', '1980-01-02', 'One', ['dupla@x.example']]);
	assert.equal((await api('GET', `/v1/people/${gone.id}`, undefined, { ok: false })).status, 404);
	await page.waitForFunction(() => ![...document.querySelectorAll('main a')].some((a) => a.innerText.startsWith('Dupla')), { polling: 40 });

	// Somebody has changed the record meanwhile: nothing is merged.
	const third = await newPerson({ firstName: 'Dupla', lastName: 'Three', emails: ['dupla@x.example'], jobTitle: 'Baker' });
	await visit(page, `#/people/${kept.id}?tab=duplicates`, 'Dupla One');
	await seeText(page, 'Same E-mail: dupla@x.example');
	await click(page, 'button', 'Merge into this…');
	await see(page, 'heading', 'Merge these two?');
	await choose('Job title', 'Baker');
	await api('PATCH', `/v1/people/${kept.id}`, { jobTitle: 'Pilot' });
	await page.locator('dialog footer .danger').click();
	await page.waitForSelector('dialog .toast.bad');
	assert.deepEqual([(await person(kept.id)).jobTitle, (await person(third.id)).jobTitle], ['Pilot', 'Baker']);
	await closePage(page);
}

// A merge that was refused after the chosen values were saved is tried again from there, also with another choice.
async function mergesAgain() {
	const kept = await newPerson({ firstName: 'Retta', lastName: 'One', emails: ['retta@x.example'], jobTitle: 'Cook', birthday: '1980-01-02' });
	await newPerson({ firstName: 'Retta', lastName: 'One', emails: ['retta@x.example'], jobTitle: 'Diver', birthday: '1981-03-04' });
	const page = await entered({ hash: `#/people/${kept.id}?tab=duplicates`, name: 'Retta One' });
	const choose = (text) => page.evaluate((v) => [...document.querySelectorAll('dialog fieldset label')].find((l) => l.innerText.includes(v)).click(), text);

	await click(page, 'button', 'Merge into this…');
	await see(page, 'heading', 'Merge these two?');
	await seeText(page, 'of Retta One (stays)'); // both have the same name
	await seeText(page, 'Values of Retta One (is deleted) that will be lost');
	await choose('Diver');
	await choose('1981');
	await page.setRequestInterception(true);
	let refused = false;
	page.on('request', (request) => {
		if (refused || !request.url().endsWith('/merge')) return request.continue();
		refused = true;
		return request.respond({ status: 409, contentType: 'application/json', body: JSON.stringify({ error: { code: 'CONFLICT', message: 'Not now' } }) });
	});
	await page.locator('dialog footer .danger').click();
	await seeText(page, 'Not now');
	assert.equal((await person(kept.id)).jobTitle, 'Diver');
	await choose('Cook');
	await page.locator('dialog footer .danger').click();
	await seeText(page, 'The other person was merged into Retta One.');
	const now = await person(kept.id);
	assert.deepEqual([now.jobTitle, now.birthday], ['Cook', '1981-03-04']);
	// The button that had the focus is gone; the focus is not lost.
	await seeText(page, 'No other person shares');
	await page.waitForFunction(() => document.activeElement.matches('main h1'));
	await closePage(page);
	await api('DELETE', `/v1/people/${kept.id}`);
}

// What can be pressed stays where it is while a page loads what it shows. Each answer takes a moment, the later the longer.
// The lists have only records of this case, because a row that another case adds may widen a column.
async function holdsStill() {
	const type = await makeType('Stills', []);
	const groups = [{ id: type.group.id }];
	const company = (await api('POST', '/v1/companies', { name: 'Still Works', groups })).data;
	const companies = [{ id: company.id }];
	const someone = await newPerson({ fullName: 'Stella Still', companies, groups, emails: ['stella@still.example'] });
	const deal = (await api('POST', type.path, { name: 'Still deal', companies, people: [{ id: someone.id }], customFieldValues: { Stage: 'Lead', Amount: 12345678.5 } })).data;
	await taskOf(someone.id, 'Hold still', dayIn(0));
	const view = (await api('POST', '/v1/views', { name: 'Still people', kind: 'people' })).data;
	const page = await entered();
	const moved = [];
	let late = 0;
	await page.setRequestInterception(true);
	page.on('request', (request) => {
		if (!request.url().includes('/v1/')) return request.continue();
		setTimeout(() => request.continue().catch(() => {}), (late += 60));
	});
	// Moves of elements are reported for their largest parts; what is above the fold counts.
	await page.evaluateOnNewDocument(() => {
		window.moves = [];
		new PerformanceObserver((list) => {
			for (const { sources } of list.getEntries())
				for (const { node, previousRect: from, currentRect: to } of sources) {
					const element = node?.nodeType === 1 ? node : node?.parentElement;
					if (!element?.isConnected || !from.width || !to.width || (from.left === to.left && from.top === to.top)) continue;
					// Changes that other cases make meanwhile move those below them.
					if (element.closest('main li') && /^#\/(today|activity)/.test(location.hash)) continue;
					if (!element.closest('a, button, input, select, textarea') && !element.querySelector('a, button, input, select, textarea')) continue;
					window.moves.push(`${element.tagName}.${element.className} "${element.innerText?.slice(0, 40)}" from ${from.left},${from.top} to ${to.left},${to.top}`);
				}
		}).observe({ type: 'layout-shift', buffered: true });
	});
	for (const [hash, heading] of [
		['#/people?search=Still', 'People'], ['#/companies?search=Still', 'Companies'], [`#/people/${someone.id}`, 'Stella Still'], [`#/companies/${company.id}`, 'Still Works'],
		[type.hash, 'Stills'], [`${type.hash}/${deal.id}`, 'Still deal'], [`${type.hash}?board=customFieldValues.Stage&sum=customFieldValues.Amount`, 'Stills'],
		['#/today', 'Today'], ['#/activity', 'Activity'], ['#/setup', 'Set-up'], [`#/setup/${type.group.id}`, 'Of Stills'],
	]) {
		late = 0;
		await page.evaluate((h) => history.replaceState(null, '', h), hash);
		await page.reload();
		await see(page, 'heading', heading);
		await see(page, 'link', 'Reports');
		await page.waitForNetworkIdle({ idleTime: 300, timeout: 4000 }).catch(() => {}); // some follow the feed
		moved.push(...(await page.evaluate(() => window.moves)).map((move) => `${hash}: ${move}`));
	}
	assert.deepEqual(moved, []);
	await closePage(page);
	await api('DELETE', `/v1/views/${view.id}`);
	await api('DELETE', `/v1/groups/${type.group.id}`);
	for (const [kind, { id }] of [['people', someone], ['companies', company]]) await api('DELETE', `/v1/${kind}/${id}`);
}

export const dayCases = [
	['the records beside a record', showsRelated],
	['pages that hold still', holdsStill],
	['one timeline', tellsEverything],
	['changes that are read again', readsChangesAgain],
	['a click on a value', editsByClick],
	['a choice in two clicks', choosesInTwo],
	['today', plansTheDay],
	['activity', tellsActivity],
	['activity of many records', foldsRuns],
	['activity of users, and merges', tellsOfUsers],
	['duplicates of the workspace, values chosen', mergesByChoice],
	['a merge that was refused once', mergesAgain],
];
