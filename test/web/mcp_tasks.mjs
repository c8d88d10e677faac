// Twenty tasks of a CRM as calls of tools, as an assistant makes them. It checks what they find and do, and compares the bytes and
// calls with those that the same tasks took with the tools of kith 0.3 (mcp_tasks.json): a model pays for each word.
//   KITH_URL=… KITH_KEY=… node mcp_tasks.mjs
// With KITH_BEFORE=1 it makes the calls of kith 0.3, against such a server, and prints the figures to keep.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const { KITH_URL, KITH_KEY, KITH_BEFORE } = process.env;
const now = Date.now();
const day = 24 * 3600 * 1000;
const date = (days) => new Date(now + days * day).toISOString().slice(0, 10);
let bytes = 0;
let calls = 0;

async function post(path, body, method = 'POST') {
	const sent = JSON.stringify(body);
	const answer = await fetch(new URL(path, KITH_URL), {
		method,
		headers: { Authorization: `Bearer ${KITH_KEY}`, 'Content-Type': 'application/json', ...(path === '/mcp' && { 'MCP-Protocol-Version': '2025-11-25' }) },
		body: sent,
	});
	const text = await answer.text();
	assert.equal(answer.status, 200, `${sent}: ${text}`);
	if (path === '/mcp') {
		bytes += sent.length + Buffer.byteLength(text);
		calls++;
	}
	return JSON.parse(text);
}

const api = async (path, body) => (await post(path, body)).data;

// What is true, beside the tools; it does not count.
async function read(path) {
	const answer = await fetch(new URL(path, KITH_URL), { headers: { Authorization: `Bearer ${KITH_KEY}` } });
	assert.equal(answer.status, 200, path);
	return (await answer.json()).data;
}

async function call(name, args) {
	const { result, error } = await post('/mcp', { jsonrpc: '2.0', id: calls + 1, method: 'tools/call', params: { name, arguments: args } });
	assert.ok(result && !result.isError, `${name} ${JSON.stringify(args)}: ${JSON.stringify(error ?? result.content)}`);
	return result.structuredContent;
}

const list = async (name, args) => (await call(name, args)).data.items;

// All pages of a list.
async function all(name, args) {
	const items = [];
	for (let next = args; next; ) {
		const page = await call(name, next);
		items.push(...page.data.items);
		const cursor = page.data.pagination?.nextCursor;
		next = KITH_BEFORE ? cursor && { ...args, cursor } : page.next;
	}
	return items;
}

// --- a world -------------------------------------------------------------------------------

const stages = ['Lead', 'Talks', 'Offer', 'Won'];
const group = await api('/v1/groups', { name: 'Sales', visibility: 'public' });
const fair = await api('/v1/groups', { name: 'Fair', visibility: 'public' });
await api(`/v1/groups/${group.id}/object-types`, { name: 'Deal' });
await api(`/v1/groups/${group.id}/custom-fields/Deal`, { name: 'Stage', type: 'singleSelect', options: stages.map((label) => ({ label })) });
await api(`/v1/groups/${group.id}/custom-fields/Deal`, { name: 'Value', type: 'numericField' });
const deals = `${group.id}/Deal`;
const firms = ['Analytical Engines', 'Harbour Logistics', 'Northern Mills', 'Blue Ridge Foods', 'Kestrel Labs'];
const companies = [];
for (const name of firms)
	companies.push(await api('/v1/companies', { name, industry: 'Trade', urls: [`https://${name.split(' ')[0].toLowerCase()}.example`] }));
const firsts = ['Ada', 'Grace', 'Maria', 'Jonas', 'Lucía', 'Omar', 'Ines', 'Peter', 'Yuki', 'Sven'];
const lasts = ['Lovelace', 'Hopper', 'Gómez', 'Berg', 'Okafor', 'Novak'];
const people = [];
for (let i = 0; i < 60; i++) {
	const first = firsts[i % 10];
	const last = lasts[(i * 7) % 6];
	people.push(await api('/v1/people', {
		firstName: first, lastName: `${last}${i < 10 ? '' : ` ${i}`}`, emails: [`${first.normalize('NFD').replace(/\W/g, '').toLowerCase()}.${i}@example.com`],
		phones: [`+44 20 7946 0${100 + i}`], jobTitle: i % 2 ? 'Buyer' : 'Engineer', companies: [{ name: firms[i % 5] }], groups: [{ id: group.id }],
		birthday: `19${60 + (i % 40)}-${String(1 + (i % 12)).padStart(2, '0')}-15`,
	}));
}
const twin = await api('/v1/people', { fullName: 'Maria Gomez', emails: ['maria@home.example'], phones: ['+34 91 000 00 00'] });
const maria = people[2];
const deal = [];
for (let i = 0; i < 24; i++)
	deal.push(await api(`/v1/groups/${group.id}/Deal`, {
		name: `${firms[i % 5]} ${2026 + (i % 2)}`, companies: [{ id: companies[i % 5].id }], people: [{ id: people[i].id }], customFieldValues: { Stage: stages[i % 4], Value: 1000 * (i + 1) },
	}));
for (let i = 0; i < 12; i++) {
	await api('/v1/notes', { entity: { id: people[i].id }, content: `Talked about the delivery, and what the next order needs. ${'They asked for a new offer. '.repeat(i)}`, visibility: 'public' });
	await api('/v1/tasks', { entity: { id: people[i].id }, title: `Call back ${people[i].fullName}`, dueAt: date(i - 6) });
	await api('/v1/interactions', { entity: { id: people[i].id }, title: 'Call', activityType: 'call', dateTime: new Date(now - (i + 1) * 5 * day).toISOString() });
}
const phone = '+44 20 7946 0999';
await post(`/v1/people/${people[5].id}`, { phones: [phone] }, 'PATCH');
// From here on is "of late"; before it was long ago. A call of today, a task, and a changed value are activity.
await new Promise((done) => setTimeout(done, 20));
const late = new Date().toISOString();
for (const i of [4, 9, 14, 19])
	await api('/v1/tasks', { entity: { id: deal[i].id }, title: 'Send the contract', dueAt: date(7) });
await api('/v1/notes', { entity: { id: deal[6].id }, content: 'They decide this week.', visibility: 'public' });
const active = new Set([4, 6, 9, 14, 19].map((i) => deal[i].id));
const me = { data: await read('/v1/users/me') };
const tools = (await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).result.tools;
const listed = bytes;
const has = Object.fromEntries(tools.map((t) => [t.name, true]));
const find = async (text, fields) => (await list('search', { kind: 'people', text, ...(!KITH_BEFORE && fields && { fields }) }))[0];
const fields = (...names) => (KITH_BEFORE ? {} : { fields: names });

function sums(items, key) {
	const out = {};
	for (const item of items)
		out[key(item)] = (out[key(item)] ?? 0) + Number(item.customFieldValues.Value);
	return out;
}

// --- the tasks -----------------------------------------------------------------------------

const tasks = {
	async 'find a person by half a name'() {
		const found = await list('search', { kind: 'people', text: 'ada lov' });
		assert.ok(found.some((p) => p.id === people[0].id));
	},
	async 'find a person by a telephone number'() {
		const found = await list('search', { kind: 'people', text: '0044 2079460103' });
		assert.deepEqual(found.map((p) => p.id), [people[3].id]);
	},
	async 'log the call of yesterday'() {
		if (!KITH_BEFORE) {
			const made = await call('log_interaction', { entity: people[1].fullName, dateTime: 'yesterday 15:00', activityType: 'call', title: 'Talked about the order' });
			assert.equal(made.data.entity.id, people[1].id);
			assert.equal((await read(`/v1/interactions/${made.data.id}`)).title, 'Talked about the order');
			return;
		}
		const { id } = await find('grace hopper', ['fullName']);
		await call('log_interaction', { entity: id, dateTime: new Date(now - day).toISOString(), activityType: 'call', title: 'Talked about the order' });
	},
	async 'a task for a colleague on Monday'() {
		if (!KITH_BEFORE) {
			const made = await call('create_task', { entity: people[3].fullName, title: 'Send the offer', dueAt: 'in 3 days', assignedUsers: ['me'] });
			assert.deepEqual([made.data.entity.id, made.data.dueAt], [people[3].id, date(3)]);
			assert.deepEqual((await read(`/v1/tasks/${made.data.id}`)).assignedUsers.map((u) => u.id), [me.data.id]);
			return;
		}
		const { id } = await find('jonas', ['fullName']);
		if (KITH_BEFORE)
			await list('search', { kind: 'users' });
		const user = KITH_BEFORE ? { id: me.data.id } : me.data.email;
		const made = await call('create_task', { entity: id, title: 'Send the offer', dueAt: date(5), assignedUsers: [user] });
		assert.equal(made.data.assignedUsers[0].id, me.data.id);
	},
	async 'move a deal to another stage'() {
		await call(KITH_BEFORE ? 'list_groups' : 'describe', KITH_BEFORE ? {} : { about: 'Deal' });
		const [found] = await list('search', { kind: KITH_BEFORE ? deals : 'Deal', text: 'kestrel 2026', ...fields('name', 'customFieldValues') });
		await call('update', { id: found.id, fields: { customFieldValues: { Stage: 'Offer' } } });
		const moved = await read(`/v1/groups/${deals}/${found.id}`);
		assert.equal(moved.name, 'Kestrel Labs 2026');
		assert.equal(moved.customFieldValues.Stage, 'Offer');
		active.add(found.id);
	},
	async 'the sum of open deals by stage'() {
		if (has.aggregate) {
			const { data } = await call('aggregate', { kind: 'Deal', groupBy: ['customFieldValues.Stage'], measures: ['sum:customFieldValues.Value'], filter: { 'customFieldValues.Stage': { not_in: ['Won'] } } });
			const open = (await read(`/v1/groups/${deals}?limit=100`)).items.filter((d) => d.customFieldValues.Stage !== 'Won');
			const found = data.items.map((row) => [row.group[0].label, Number(row.sum['customFieldValues.Value'])]);
			assert.deepEqual(Object.fromEntries(found), sums(open, (d) => d.customFieldValues.Stage));
			return;
		}
		const open = await all('search', { kind: KITH_BEFORE ? deals : 'Deal', filter: { 'customFieldValues.Stage': { not_in: ['Won'] } }, limit: 100, ...fields('customFieldValues') });
		assert.ok(sums(open, (d) => d.customFieldValues.Stage).Lead > 0);
	},
	async 'deals without activity for 30 days'() {
		if (KITH_BEFORE) {
			await all('search', { kind: deals, limit: 100 });
			return;
		}
		// The deals that have not changed since then; what happened beside them is in the changes.
		const found = await all('search', { kind: 'Deal', filter: { updatedAt: { lt: late } }, limit: 50, fields: ['name'] });
		assert.equal(found.length, deal.length - 1, 'all but the one that was moved');
		assert.deepEqual(await list('search', { kind: 'Deal', filter: { updatedAt: { lt: '30 days ago' } } }), []);
		const busy = new Set((await all('changes_since', { since: late })).map((e) => e.data.details?.entity.id));
		const quiet = found.map((d) => d.id).filter((id) => !busy.has(id));
		assert.deepEqual(quiet.sort(), deal.map((d) => d.id).filter((id) => !active.has(id)).sort());
	},
	async 'what changed this week'() {
		const changes = await all('changes_since', { since: date(-7), limit: 20 });
		assert.ok(changes.length > 50);
	},
	async 'who works at a company'() {
		const staff = await list('search', { kind: 'people', filter: { 'companies.name': { eq: 'Kestrel Labs' } }, ...fields('fullName', 'jobTitle') });
		assert.deepEqual(staff.map((p) => p.id).sort(), people.filter((p) => p.companies[0].name === 'Kestrel Labs').map((p) => p.id).sort());
	},
	async 'merge two Marias'() {
		const found = await list('search', { kind: 'people', text: 'maria gomez', ...fields('fullName', 'emails', 'phones') });
		assert.ok(found.some((p) => p.id === twin.id));
		await call('merge', { id: maria.id, other: twin.id });
		await call('merge', { id: maria.id, other: twin.id, dryRun: false });
		assert.deepEqual((await read(`/v1/people/${maria.id}`)).emails.map((e) => e.value ?? e).sort(), [...maria.emails, 'maria@home.example'].map((e) => e.value ?? e).sort());
	},
	async 'tag 40 people'() {
		if (has.update_many) {
			const filter = { jobTitle: { eq: 'Engineer' } };
			const tried = await call('update_many', { kind: 'people', filter, add: { groups: ['Fair'] } });
			await call('update_many', { kind: 'people', filter, add: { groups: ['Fair'] }, expect: tried.data.matched, dryRun: false });
			const tagged = await read(`/v1/people?limit=100&filter[groups][in][id]=${fair.id}`);
			assert.deepEqual(tagged.items.map((p) => p.id).sort(), people.filter((p) => p.jobTitle === 'Engineer').map((p) => p.id).sort());
			return;
		}
		const found = await all('search', { kind: 'people', filter: { jobTitle: { eq: 'Engineer' } }, limit: 40, ...fields('fullName') });
		for (const p of found.slice(0, 40))
			await call('update', { id: p.id, fields: { groups: [{ id: group.id }, { id: fair.id }] } });
	},
	async 'a new lead with a company'() {
		await list('search', { kind: 'people', text: 'rosa diaz' });
		await call('create', { kind: 'person', fields: { fullName: 'Rosa Diaz', emails: ['rosa@mills.example'], companies: [{ name: 'Southern Mills' }], groups: [{ id: group.id }] } });
		const [made] = (await read('/v1/people?filter[emails][eq]=rosa@mills.example')).items;
		assert.deepEqual([made.fullName, made.companies[0].name, made.groups[0].id], ['Rosa Diaz', 'Southern Mills', group.id]);
	},
	async 'a note with a follow-up'() {
		const { id } = await find('ines', ['fullName']);
		await call('add_note', { entity: id, content: 'Wants an offer for two hundred units.' });
		await call('create_task', { entity: id, title: 'Send the offer for two hundred units', dueAt: date(3) });
		const notes = (await read(`/v1/notes?entity.id=${id}`)).items;
		const due = (await read(`/v1/tasks?filter[entity][in]=${id}`)).items.find((t) => t.title.startsWith('Send the offer'));
		assert.ok(notes.some((n) => n.content === 'Wants an offer for two hundred units.'));
		assert.equal(due.dueAt, date(3));
	},
	async 'my overdue tasks'() {
		const overdue = await list('search', { kind: 'tasks', filter: { onlyAssignedToMe: true, completedAt: { empty: true }, dueAt: { lt: date(0) } }, ...fields('title', 'dueAt', 'entity') });
		assert.deepEqual(overdue.map((t) => t.dueAt).sort(), [-6, -5, -4, -3, -2, -1].map(date));
	},
	async 'birthdays of a month'() {
		const march = (p) => p.birthday.slice(5, 7) === '03';
		const filter = KITH_BEFORE ? { birthday: { not_empty: true } } : { 'birthday.month': { eq: 3 } };
		const found = await all('search', { kind: 'people', filter, limit: 100, ...fields('fullName', 'birthday') });
		const born = KITH_BEFORE ? found.filter(march) : found;
		assert.deepEqual(born.map((p) => p.id).sort(), people.filter(march).map((p) => p.id).sort());
	},
	async 'undo my last change by hand'() {
		const { data } = await call('update', { id: people[5].id, fields: { jobTitle: 'Clerk' } });
		assert.equal(data.jobTitle, 'Clerk');
		let last;
		for (let i = 0; !last && i < 100; i++)
			last = (await list('changes_since', { since: data.updatedAt, limit: 5 })).find((e) => e.data.id === people[5].id);
		const change = last.data.changes.find((c) => c.path[0] === 'jobTitle');
		await call('update', { id: people[5].id, fields: { jobTitle: change.previous } });
		assert.equal((await read(`/v1/people/${people[5].id}`)).jobTitle, people[5].jobTitle);
	},
	async 'who changed this telephone number'() {
		const { id } = await find('omar', ['fullName', 'phones']);
		const history = await all('changes_since', KITH_BEFORE ? { since: date(-7), limit: 100 } : { record: id });
		const phones = (e) => (e.data.changes ?? []).filter((c) => c.path[0] === 'phones').map((c) => [c.type, c.value]);
		const change = history.find((e) => e.data.id === id && phones(e).length);
		assert.deepEqual(phones(change).sort(), [['add', [phone]], ['remove', people[5].phones]]);
		if (!KITH_BEFORE)
			assert.equal(change.actor.id, me.data.id);
	},
	async 'compare two quarters'() {
		if (has.aggregate) {
			const { data } = await call('aggregate', { kind: 'Deal', groupBy: ['createdAt:quarter'], measures: ['sum:customFieldValues.Value'] });
			const value = deal.reduce((n, d, i) => n + 1000 * (i + 1), 0);
			assert.deepEqual(data.items.map((row) => [row.count, Number(row.sum['customFieldValues.Value'])]), [[deal.length, value]]);
			return;
		}
		const made = await all('search', { kind: KITH_BEFORE ? deals : 'Deal', filter: { createdAt: { gt: date(-180) } }, limit: 100, ...fields('createdAt', 'customFieldValues') });
		assert.ok(Object.keys(sums(made, (d) => d.createdAt.slice(0, 7))).length > 0);
	},
	async 'import five leads from a text'() {
		const leads = ['Tom Reed', 'Eva Lind', 'Max Ode', 'Zoe Quinn', 'Ali Khan'].map((fullName) => ({ fullName, emails: [`${fullName.split(' ')[0].toLowerCase()}@leads.example`], companies: [{ name: 'Lead Fair' }] }));
		if (has.upsert) {
			await call('upsert', { kind: 'people', match: 'emails', records: leads });
			assert.equal((await read('/v1/people?filter[emails][like]=@leads.example')).items.length, leads.length);
			return;
		}
		for (const lead of leads) {
			await list('search', { kind: 'people', filter: { emails: { eq: lead.emails[0] } }, ...fields('fullName') });
			await call('create', { kind: 'person', fields: lead });
		}
	},
	async 'prepare a meeting'() {
		const person = await find('yuki');
		await call('get', { id: person.id });
		const beside = [];
		for (const kind of ['notes', 'tasks', 'interactions'])
			beside.push((await list('search', { kind, filter: { entity: person.id } })).length);
		beside.push((await list('search', { kind: KITH_BEFORE ? deals : 'Deal', filter: { people: { in: { id: person.id } } } })).length);
		assert.deepEqual(beside, [1, 1, 1, 1]);
	},
};

const figures = {};
for (const [name, task] of Object.entries(tasks)) {
	bytes = calls = 0;
	await task();
	figures[name] = [calls, bytes];
}
if (KITH_BEFORE) {
	console.log(JSON.stringify({ 'tools/list': listed, ...figures }, null, '\t').replace(/\[\s+(\d+),\s+(\d+)\s+\]/g, '[$1, $2]'));
	process.exit(0);
}
const before = JSON.parse(readFileSync(new URL('mcp_tasks.json', import.meta.url)));
const sum = (all, at) => Object.values(all).reduce((n, f) => n + (f[at] ?? 0), 0);
for (const name of Object.keys(tasks))
	console.log(`${name}: ${figures[name][0]} of ${before[name][0]} calls, ${figures[name][1]} of ${before[name][1]} bytes (${Math.round((100 * figures[name][1]) / before[name][1])} %)`);
console.log(`all: ${sum(figures, 0)} of ${sum(before, 0)} calls, ${sum(figures, 1)} of ${sum(before, 1)} bytes; the list of tools ${listed} of ${before['tools/list']} bytes`);
assert.equal(Object.keys(tasks).length, 20);
assert.ok(sum(figures, 0) <= sum(before, 0), 'more calls than before');
assert.ok(sum(figures, 1) <= 0.4 * sum(before, 1), 'more than 40 % of the bytes of before');
console.log('[  PASSED  ] 1 test(s).');
