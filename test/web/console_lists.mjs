// Lists at work: columns, saved views, changes of many records with undo, export.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { click, closePage, fill, see, seeNoText, seeText } from './browser.mjs';
import { deal, makeType } from './console_board.mjs';
import { counted, entered, me, names, person, rowsAre, visit, world } from './console_tab.mjs';
import { until } from './server.mjs';
import { api } from './world.mjs';

const heads = (page) => page.$$eval('thead th', (cells) => cells.map((c) => c.innerText.replace(/[↑↓↕]/g, '').trim()));
const check = (page, label) => page.$eval(`input[aria-label="${label}"]`, (x) => x.click());
const people = async (query) => (await api('GET', `/v1/people?limit=100&${query}`)).data.items;
const viewNamed = async (name) => (await api('GET', '/v1/views?limit=100')).data.items.find((v) => v.name === name);
const titled = (title) => people(`filter[jobTitle][eq]=${title}`);
const inDialog = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector('dialog')?.innerText), { polling: 40 }, pattern);

// Other cases run beside these, so each has people of its own, who share a job title.
const makePeople = (title, n, fields = {}) =>
	api('POST', '/v1/people/batch/create', { records: Array.from({ length: n }, (_, i) => ({ fullName: `${title} ${String(i + 1).padStart(2, '0')}`, jobTitle: title, ...fields })) });
const removePeople = async (title) => api('POST', '/v1/people/batch/delete', { records: (await titled(title)).map(({ id }) => ({ id })) });
const deals = `#/objects/${world.group.id}/Deals`;

// Three clicks save a view, one comes back to it; its columns, filter and order come with it.
async function savesViews() {
	await makePeople('Quilter', 10);
	const page = await entered();

	await fill(page, 'searchbox', 'Search People', 'quilter');
	await seeText(page, 'of 10 people');
	await click(page, 'button', 'Columns');
	await b.checkAccess(page, 'columns');
	await b.shoot(page, 'columns-desktop-light');
	for (const label of ['Company', 'Groups', 'Updated', 'Birthday'])
		await page.evaluate((l) => [...document.querySelectorAll('dialog .columns label')].find((x) => x.innerText.trim() === l).querySelector('input').click(), label);
	await click(page, 'button', 'Move Birthday up');
	await click(page, 'button', 'Apply');
	await seeNoText(page, 'Usual columns');
	assert.deepEqual(await heads(page), ['Name', 'Job title', 'E-mail', 'Phone', 'Birthday', 'Created']);
	await click(page, 'button', 'Created');
	await page.waitForFunction(() => location.hash.includes('createdAt'), { polling: 40 });

	await click(page, 'button', 'Save view');
	await b.checkAccess(page, 'save view');
	await fill(page, 'textbox', 'Name', 'All quilters');
	await click(page, 'button', 'Save');
	await see(page, 'link', 'All quilters');
	const saved = await viewNamed('All quilters');
	assert.deepEqual([saved.kind, saved.visibility, saved.query, saved.columns], ['people', 'private', { search: 'quilter', sort: '-createdAt' }, ['jobTitle', 'emails', 'phones', 'birthday', 'createdAt']]);

	await visit(page, deals, 'Deals');
	await click(page, 'link', 'All quilters');
	await seeText(page, 'of 10 people');
	assert.equal(await b.value(page, 'searchbox', 'Search People'), 'quilter');
	assert.deepEqual(await heads(page), ['Name', 'Job title', 'E-mail', 'Phone', 'Birthday', 'Created']);
	await b.shoot(page, 'view-desktop-light');
	await page.reload();
	await seeText(page, 'of 10 people');

	// A change of the list is saved into the view.
	await fill(page, 'searchbox', 'Search People', 'quilter 03');
	await seeText(page, '1–1 of 1 person');
	await click(page, 'button', 'Save view');
	await page.$eval('dialog input[type="checkbox"]', (x) => x.click());
	await click(page, 'button', 'Save');
	await see(page, 'button', 'View…');
	const changed = await viewNamed('All quilters');
	assert.deepEqual([changed.id, changed.visibility], [saved.id, 'public']);
	assert.notDeepEqual(changed.query, saved.query);
	await click(page, 'button', 'View…');
	await click(page, 'button', 'Delete view');
	await see(page, 'button', 'Save view');
	assert.equal(await viewNamed('All quilters'), undefined);
	await closePage(page);
	await removePeople('Quilter');
}

// A view that another program saved: conditions on references get their names, and other filters still count.
async function opensForeignViews() {
	const make = (name, filter) => api('POST', '/v1/views', { name, kind: 'people', query: { filter, sort: 'createdAt' } });
	const { data: plain } = await make('Customers in gold', { and: [{ groups: { in: { id: [world.group.id] } } }, { [`customFieldValues.${world.group.id}.Level`]: { in: ['Gold'] } }] });
	const { data: nested } = await make('Founders', { jobTitle: { eq: 'Founder' }, or: [{ firstName: { eq: 'Barbara' } }, { and: [{ firstName: { eq: 'Hedy' } }] }] });
	const page = await entered();

	await click(page, 'link', 'Customers in gold');
	await see(page, 'button', 'Remove filter Groups is one of Customers');
	await click(page, 'link', 'Founders');
	await seeText(page, 'This view has a filter of its own.');
	const found = (await people('filter[jobTitle][eq]=Founder')).filter((p) => ['Barbara', 'Hedy'].includes(p.firstName));
	await rowsAre(page, found.length);
	await closePage(page);
	await api('DELETE', `/v1/views/${plain.id}`);
	await api('DELETE', `/v1/views/${nested.id}`);
}

// Adds all matching records to a group, also those of pages that are not shown, and removes them from it.
async function changesMany() {
	const club = (await api('POST', '/v1/groups', { name: 'Club', visibility: 'public' })).data;
	const inClub = () => people(`filter[groups][in][id]=${club.id}`);
	await makePeople('Clubber', 40);
	const page = await entered();

	// Six clicks at most: filter, select all, add. A list of choices takes one click to open and one to choose.
	const by = counted(page);
	await by.click('button', 'Filter');
	await by.click('button', 'Job title');
	await page.waitForFunction(() => document.activeElement.matches('.filterpanel input'), { polling: 15 });
	await by.type('Clubber');
	await seeText(page, '1–25 of 40 people');
	await by.click('button', 'Select all 40 people');
	await page.select('select[aria-label="Add to a group…"]', club.id);
	by.n += 2;
	await seeText(page, '40 people will be changed.');
	await by.click('button', 'Add');
	await seeText(page, '40 people were changed.');
	assert.equal(by.n, 6);
	// A second click where the first one did the work undoes nothing.
	assert.equal(await page.$eval('dialog footer button:last-child', (x) => x.innerText), 'Close');
	assert.equal((await inClub()).length, 40);
	await click(page, 'button', 'Undo');
	await seeText(page, '40 people have their old values again.');
	await page.$eval('dialog footer button', (x) => x.click());
	await visit(page, '#/people', 'People');

	await fill(page, 'searchbox', 'Search People', 'clubber');
	await seeText(page, '1–25 of 40 people');
	await check(page, 'Select all on this page');
	await seeText(page, '25 selected');
	await b.checkAccess(page, 'selection');
	await b.shoot(page, 'selection-desktop-light');
	await click(page, 'button', 'Select all 40 people');
	await seeText(page, 'All 40 people are selected');
	await page.select('select[aria-label="Add to a group…"]', club.id);
	await seeText(page, '40 people will be changed.');
	assert.equal((await inClub()).length, 0, 'a dry run changes nothing');
	await b.checkAccess(page, 'add to a group');
	await click(page, 'button', 'Add');
	await seeText(page, '40 people were changed.');
	assert.equal((await inClub()).length, 40);
	await click(page, 'button', 'Undo');
	await seeText(page, '40 people have their old values again.');
	assert.equal((await inClub()).length, 0);
	await page.$eval('dialog footer button', (x) => x.click());

	// A value of two deals.
	await visit(page, deals, 'Deals');
	await rowsAre(page, 25);
	const [first, second] = (await names(page)).slice(-2); // the first ones may be those of another case
	await check(page, `Select ${first}`);
	await check(page, `Select ${second}`);
	await click(page, 'button', 'Change…');
	await page.select('dialog select:has(option[value="Won"])', 'Won');
	await click(page, 'button', 'Check');
	await inDialog(page, 'will be changed');
	await click(page, 'button', 'Change');
	await inDialog(page, '1 deal was changed|2 deals were changed');
	const won = (await api('POST', `/v1/groups/${world.group.id}/Deals/search`, { limit: 100 })).data.items.filter((d) => [first, second].includes(d.name));
	assert.deepEqual(won.map((d) => d.customFieldValues.Stage), ['Won', 'Won']);
	await click(page, 'button', 'Undo');
	await inDialog(page, 'old values again');
	await closePage(page);
	await api('DELETE', `/v1/groups/${club.id}`);
	await removePeople('Clubber');
}

// Six clicks put 40 people into a group: filter, its field, all of them, the group (a list opens, and one is chosen), and the change.
async function putsIntoGroup() {
	const club = (await api('POST', '/v1/groups', { name: 'Guild', visibility: 'public' })).data;
	await makePeople('Joiner', 40);
	const page = await entered();
	const n = counted(page);

	await n.click('button', 'Filter');
	await n.click('button', 'Job title');
	await page.waitForFunction(() => document.activeElement.matches('.filterpanel input'), { polling: 15 });
	await n.type('joiner');
	await n.click('button', 'Select all 40 people');
	await seeText(page, 'All 40 people are selected');
	n.n += 2;
	await page.select('select[aria-label="Add to a group…"]', club.id);
	await seeText(page, '40 people will be changed.');
	await n.click('button', 'Add');
	await seeText(page, '40 people were changed.');
	assert.equal(n.n, 6);
	assert.equal((await people(`filter[groups][in][id]=${club.id}`)).length, 40);
	await closePage(page);
	await api('DELETE', `/v1/groups/${club.id}`);
	await removePeople('Joiner');
}

// What somebody else changes between the check and the change, or between the change and its undo, stays.
async function leavesOthersChanges() {
	const club = (await api('POST', '/v1/groups', { name: 'Choir', visibility: 'public' })).data;
	await makePeople('Singer', 3);
	const [one, two, three] = (await titled('Singer')).sort((a, b) => a.fullName.localeCompare(b.fullName));
	const put = ({ id }, ...groups) => api('PATCH', `/v1/people/${id}`, { groups: groups.map((g) => ({ id: g.id })) });
	const groupsAre = async (...expected) =>
		assert.deepEqual(await Promise.all([one, two, three].map(async ({ id }) => (await person(id)).groups.map((g) => g.name).sort().join())), expected);
	const page = await entered();

	await fill(page, 'searchbox', 'Search People', 'singer');
	await seeText(page, 'of 3 people');
	await check(page, 'Select all on this page');
	await put(one, world.group);
	await page.select('select[aria-label="Add to a group…"]', club.id);
	await seeText(page, '3 people will be changed.');
	await put(two, world.group);
	await click(page, 'button', 'Add');
	await seeText(page, '2 people were changed.');
	await seeText(page, 'Singer 02: Somebody has changed this record meanwhile.');
	await groupsAre('Choir,Customers', 'Customers', 'Choir');
	await put(three, club, world.group);
	await click(page, 'button', 'Undo');
	await seeText(page, '1 person has its old values again.');
	await seeText(page, 'Singer 03: Somebody has changed this record meanwhile.');
	await groupsAre('Customers', 'Customers', 'Choir,Customers');
	await closePage(page);
	await api('DELETE', `/v1/groups/${club.id}`);
	await removePeople('Singer');
}

async function deletesMany() {
	await makePeople('Leaver', 3);
	const page = await entered();

	await fill(page, 'searchbox', 'Search People', 'leaver');
	await seeText(page, 'of 3 people');
	await check(page, 'Select Leaver 01');
	await check(page, 'Select Leaver 03');
	await click(page, 'button', 'Delete…');
	await seeText(page, '2 people will be deleted');
	await seeText(page, 'This cannot be undone.');
	assert.equal((await titled('Leaver')).length, 3);
	await click(page, 'button', 'Delete');
	await seeText(page, '2 people were deleted.');
	assert.deepEqual((await titled('Leaver')).map((p) => p.fullName), ['Leaver 02']);
	await closePage(page);
	await removePeople('Leaver');
}

// The file has all pages, the columns that are shown, and no formulas.
async function exports() {
	await makePeople('Exporter', 100, { groups: [{ id: world.group.id }], companies: [{ id: world.companies[0].id }] });
	const made = (await api('POST', '/v1/people', { fullName: '=1+1, "x"', jobTitle: 'Exporter', phones: ['+49 30 1'] })).data;
	const page = await entered();

	await page.evaluate(() => {
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => {
			blob.text().then((text) => (window.exported = text));
			return make.call(URL, blob);
		};
		HTMLAnchorElement.prototype.click = function () { window.exportedAs = this.download; };
	});
	const exported = async (button) => {
		await page.evaluate(() => (window.exported = undefined));
		await click(page, 'button', 'Export');
		await click(page, 'button', button);
		await page.waitForFunction(() => window.exported !== undefined, { polling: 40 });
		return page.evaluate(() => [window.exportedAs, window.exported]);
	};
	await fill(page, 'searchbox', 'Search People', 'exporter');
	await seeText(page, 'of 101 people');
	await page.select('select[aria-label="Order"]', 'createdAt');
	await page.waitForFunction(() => document.querySelector('tbody th')?.innerText.startsWith('Exporter'), { polling: 40 });
	const [file, csv] = await exported('CSV');
	assert.match(file, /^People-\d{4}-\d\d-\d\d\.csv$/);
	const lines = csv.trimEnd().split('\r\n');
	assert.equal(lines.length, 102);
	assert.equal(lines[0].replace('\ufeff', ''), 'id,Name,Job title,Company,E-mail,Phone,Groups,Updated,Created');
	assert.match(lines[1], /^per_[^,]+,Exporter \d\d,Exporter,Northwind Labs,,,Customers,/);
	assert.match(lines[101], /^per_[^,]+,"'=1\+1, ""x""",Exporter,,,\+49 30 1,,/);
	const [, ndjson] = await exported('NDJSON');
	const records = ndjson.trimEnd().split('\n').map((line) => JSON.parse(line));
	assert.equal(records.length, 101);
	assert.equal(records[100].id, made.id);
	await removePeople('Exporter');
	await api('DELETE', `/v1/people/${made.id}`);

	// A file that does not have all records says so. The server's pages are made here, as so many records would take long.
	const items = Array.from({ length: 60000 }, (_, i) => ({ id: `per_${i}` }));
	await page.setRequestInterception(true);
	page.on('request', (request) =>
		request.url().endsWith('/v1/people/search')
			? request.respond({ status: 200, contentType: 'application/json', body: JSON.stringify({ data: { items, pagination: { nextCursor: 'c' } } }) })
			: request.continue());
	assert.equal((await exported('NDJSON'))[1].trimEnd().split('\n').length, 100000);
	await seeText(page, 'The file has only the first 100,000 records.');
	await closePage(page);
}

// The sums of this month and of my deals take two clicks from any page: the type, and a quick filter. A search holds for them, too.
async function sumsLists() {
	const inMonth = (day) => new Date(Date.now() - 86400000 * day).toISOString().slice(0, 10);
	const type = await makeType('Yachts', [
		deal('Aquila', 'Lead', 1000.5, { Owner: [{ id: me.id }], Closed: inMonth(0) }), deal('Bonito', 'Talks', 300, { Closed: inMonth(0) }), deal('Cutty', 'Won', 50, { Closed: inMonth(70) }),
	]);
	const page = await entered({ hash: '', name: 'Today' });
	const totalIs = (text) => page.waitForFunction((want) => document.querySelector('.total')?.innerText === want, { polling: 20 }, text);
	const by = counted(page);

	for (const [filter, total] of [['Owner: me', '1 record (Yachts) · 1,000.5 EUR'], ['Closed: this month', '2 Yachts · 1,300.5 EUR']]) {
		await visit(page, '', 'Today');
		by.n = 0;
		await by.click('link', 'Yachts');
		await by.click('button', filter);
		await totalIs(total);
		assert.ok(by.n <= 2);
	}
	await b.checkAccess(page, 'a list with its sum');
	await b.shoot(page, 'list-sum-desktop-light');
	await fill(page, 'searchbox', 'Search Yachts', 'bonito');
	await totalIs('1 record (Yachts) · 300 EUR');
	// A second click takes the filter away.
	await click(page, 'button', 'Closed: this month');
	await fill(page, 'searchbox', 'Search Yachts', '');
	await totalIs('3 Yachts · 1,350.5 EUR');
	assert.equal(await page.$('.chips li'), null);

	// The list does not wait for the sum.
	await page.setRequestInterception(true);
	let held;
	page.on('request', (request) => (request.url().endsWith('/aggregate') ? (held = request) : request.continue()));
	await click(page, 'button', 'Owner: me');
	await rowsAre(page, 1);
	await until('the question for the sum', () => held);
	await held.continue();
	await totalIs('1 record (Yachts) · 1,000.5 EUR');
	// Of people, too, there are quick filters.
	await visit(page, '#/people', 'People');
	await click(page, 'button', 'Created by: me');
	await see(page, 'button', `Remove filter Created by is one of ${me.fullName}`);
	await closePage(page);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

// A name is whole where there is room for it. Else it is whole beside the pointer.
async function showsWholeNames() {
	const name = (n) => `A long name of ${n} `.padEnd(n, 'x');
	const type = await makeType('Zephyrs', [30, 80, 300].map((n) => deal(name(n), 'Talks', 123456)));
	const page = await entered({ hash: type.hash, name: 'Zephyrs' });
	const cut = (width) => page.setViewport({ width, height: 800 }).then(() =>
		page.$$eval('tbody th bdi', (all) => all.filter((e) => e.scrollHeight > e.clientHeight).map((e) => e.innerText.length).sort((x, y) => x - y)));

	await rowsAre(page, 3);
	assert.deepEqual(await cut(1280), [80, 300]);
	assert.deepEqual(await cut(1920), [300]);
	assert.equal(await page.$$eval('tbody tr', (all) => new Set(all.map((e) => e.clientHeight)).size), 1, 'each has a line');
	const title = (n) => page.$$eval('tbody th', (all, text) => {
		const cell = all.find((e) => e.innerText.trim() === text);
		cell.querySelector('bdi').dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
		return cell.title;
	}, name(n));
	assert.deepEqual([await title(300), await title(30)], [name(300), '']);
	await closePage(page);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

export const listCases = [
	['sums and quick filters of a list', sumsLists],
	['names that are whole', showsWholeNames],
	['columns and saved views', savesViews],
	['views of other programs', opensForeignViews],
	['changes of many records', changesMany],
	['forty people into a group in six clicks', putsIntoGroup],
	['changes of many records beside others', leavesOthersChanges],
	['deleting many records', deletesMany],
	['export', exports],
];
