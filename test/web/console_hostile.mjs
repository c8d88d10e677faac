// Markup, scripts and javascript: links in everything that people type and the console shows: it is text everywhere.
import { strict as assert } from 'node:assert';
import { checkAccess, click, closePage, see, seeText } from './browser.mjs';
import { entered, newPerson } from './console_tab.mjs';
import { api } from './world.mjs';

const MARK = 'executed';
const markup = (n) => `<img src=x onerror=${MARK}()><script>${MARK}()</script>"'><svg onload=${MARK}()>${n}`;
const links = [`javascript:${MARK}()`, `JaVaScRiPt:${MARK}()//`, ` javascript:${MARK}()`, `data:text/html,<script>${MARK}()</script>`, `vbscript:${MARK}()`];

// A world in which every name, label and value is hostile.
async function hostileWorld() {
	const group = (await api('POST', '/v1/groups', { name: markup('group'), visibility: 'public' })).data;
	const field = (entity, body) => api('POST', `/v1/groups/${group.id}/custom-fields/${encodeURIComponent(entity)}`, body);
	const type = markup('type');

	await field('person', { name: markup('field'), type: 'textField' });
	await field('person', { name: 'select', type: 'singleSelect', options: [{ label: markup('option') }] });
	await api('POST', `/v1/groups/${group.id}/object-types`, { name: type });
	const company = (await api('POST', '/v1/companies', { name: markup('company'), industry: markup('industry'), urls: links, groups: [{ id: group.id }] })).data;
	const person = await newPerson({
		firstName: markup('first'),
		lastName: markup('last'),
		jobTitle: markup('job'),
		description: markup('description'),
		emails: [`${markup('mail')}@x`, `a@b?subject=<script>${MARK}()</script>`],
		phones: [`javascript:${MARK}()`.slice(0, 30)],
		urls: [...links, 'https://good.example/<b>', markup('url')],
		addresses: [markup('address')],
		groups: [{ id: group.id }],
		companies: [{ id: company.id }],
		customFieldValues: { [group.id]: { [markup('field')]: markup('value'), select: markup('option') } },
	});
	const entity = { id: person.id };
	await api('POST', '/v1/notes', { entity, content: markup('note'), visibility: 'public' });
	await api('POST', '/v1/tasks', { entity, title: markup('task'), description: markup('todo'), dueAt: '2026-01-01' });
	await api('POST', '/v1/interactions', { entity, title: markup('talk'), content: markup('talked'), activityType: 'call', dateTime: '2026-01-01T00:00:00Z' });
	const object = (await api('POST', `/v1/groups/${group.id}/${encodeURIComponent(type)}`, { name: markup('object'), companies: [{ id: company.id }], people: [entity] })).data;
	await newPerson({ firstName: markup('twin'), urls: [markup('url')] });
	return { group, person, company, object, type };
}

// Nothing of it became an element, a link, or ran.
async function isText(page, texts) {
	for (const text of texts)
		await seeText(page, markup(text));
	const found = await page.evaluate(() => ({
		elements: [...document.querySelectorAll('#app img, #app script, #app svg[onload], #app iframe')].map((e) => e.outerHTML),
		links: [...document.querySelectorAll('#app a')].filter((a) => !['http:', 'https:', 'mailto:', 'tel:'].includes(a.protocol)).map((a) => a.outerHTML),
		open: [...document.querySelectorAll('#app a[target]')].filter((a) => !a.rel.includes('noopener')).map((a) => a.outerHTML),
		ran: window.executions,
	}));
	assert.deepEqual(found, { elements: [], links: [], open: [], ran: 0 });
}

// Goes to another page and waits for its heading.
async function to(page, hash, heading) {
	await page.evaluate((h) => (location.hash = h), hash);
	await page.waitForFunction((h) => document.querySelector('h1')?.innerText.includes(h) && !document.querySelector('.spinner'), {}, heading);
}

// The content security policy is turned off here, because it would stop scripts that the escaping has let through.
async function hostile() {
	const w = await hostileWorld();
	const page = await entered({ bypassCSP: true });

	await page.evaluate((mark) => {
		window.executions = 0;
		window[mark] = () => window.executions++;
	}, MARK);
	await to(page, '#/people', 'People');
	await isText(page, ['company', 'group', 'type']);
	await to(page, `#/people/${w.person.id}`, markup('first'));
	await isText(page, ['job', 'description', 'address', 'url', 'company', 'group', 'field', 'value', 'option', 'note']);
	await checkAccess(page, 'hostile person');
	await click(page, 'tab', 'Tasks');
	await isText(page, ['task', 'todo']);
	await click(page, 'tab', 'Interactions');
	await isText(page, ['talk', 'talked']);
	await click(page, 'tab', 'History');
	await isText(page, ['job', 'value']);
	await click(page, 'tab', 'Duplicates');
	await isText(page, ['twin', 'url']);
	await click(page, 'button', 'Edit Job title');
	await page.keyboard.type('x');
	await api('PATCH', `/v1/people/${w.person.id}`, { jobTitle: markup('other') });
	await click(page, 'button', 'Save');
	await see(page, 'heading', 'Somebody else changed this record');
	await isText(page, ['job', 'other']);
	await click(page, 'button', 'Back to editing');
	await click(page, 'button', 'Discard');
	await to(page, `#/companies/${w.company.id}`, markup('company'));
	await isText(page, ['industry']);
	await seeText(page, links[0]);
	await to(page, `#/objects/${w.group.id}/${encodeURIComponent(w.type)}`, w.type);
	await isText(page, ['object', 'company']);
	await to(page, `#/objects/${w.group.id}/${encodeURIComponent(w.type)}/${w.object.id}`, markup('object'));
	await isText(page, ['company']);
	await to(page, '#/today', 'Today');
	// It is the latest change of an object now: other cases make many.
	await api('PATCH', `/v1/groups/${w.group.id}/${encodeURIComponent(w.type)}/${w.object.id}`, { people: [] });
	await to(page, '#/activity?kind=object', 'Activity');
	await isText(page, ['object']);
	// Addresses that somebody else made.
	const filter = encodeURIComponent(JSON.stringify([markup('made'), 'like', [markup('up')]]));
	await page.evaluate((h) => (location.hash = h), `#/people?q=${encodeURIComponent(markup('query'))}&f=${filter}`);
	await isText(page, ['up']);
	await page.evaluate((h) => (location.hash = h), `#/objects/${encodeURIComponent(markup('id'))}/${encodeURIComponent(markup('kind'))}`);
	await isText(page, ['kind']);
	await closePage(page);
}

export const hostileCases = [['markup and scripts are text', hostile]];
