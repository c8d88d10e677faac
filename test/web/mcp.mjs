// The official client of the Model Context Protocol and its inspector (the program behind its --cli) list and call every tool of a running server.
//   KITH_URL=… KITH_KEY=… KITH_READONLY_KEY=… KITH_WEB=build/web node mcp.mjs     (test/lib/server/web.c)
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { KITH_URL, KITH_KEY, KITH_READONLY_KEY, KITH_WEB = 'build/web' } = process.env;
const url = new URL('/mcp', KITH_URL);
const called = new Set();

async function connected(key) {
	const client = new Client({ name: 'kith-test', version: '1' });
	const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${key}` } } });
	await client.connect(transport);
	return client;
}

// --- the SDK ------------------------------------------------------------------------------

const client = await connected(KITH_KEY);
assert.equal(client.getServerVersion().name, 'kith');
assert.match(client.getInstructions(), /describe/);
await client.ping();
const { tools } = await client.listTools();
const names = tools.map((t) => t.name).sort();

// A model reads the list before each conversation.
const tokens = encode(JSON.stringify(tools)).length;
console.log(`the list of ${tools.length} tools has ${tokens} tokens`);
assert.ok(tokens <= 2000);

async function call(name, args, meta) {
	called.add(name);
	const result = await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) });
	assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
	if (JSON.stringify(result.structuredContent).length <= 2048)
		assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
	return result.structuredContent;
}

async function api(method, path, body) {
	const answer = await fetch(new URL(path, KITH_URL), {
		method,
		headers: { Authorization: `Bearer ${KITH_KEY}` },
		body: body && JSON.stringify(body),
	});
	assert.equal(answer.status, 200);
	return (await answer.json()).data;
}

const group = await api('POST', '/v1/groups', { name: 'Sales', visibility: 'public' });
await api('POST', `/v1/groups/${group.id}/object-types`, { name: 'Deal' });
const { groups } = (await call('describe', {})).data;
const deals = groups.find((g) => g.id === group.id).kinds[0];

const ann = (await call('create', { kind: 'person', fields: { fullName: 'Ann Lee', emails: ['ann@example.com'], groups: [{ id: group.id }] } })).data;
const twin = (await call('create', { kind: 'person', fields: { fullName: 'Ann M. Lee', phones: ['+1 555 0100'] } })).data;
const deal = (await call('create', { kind: deals, fields: { name: 'Engine', people: [{ id: ann.id }] } })).data;
const found = (await call('search', { kind: 'people', text: 'lee ann' })).data.items;
assert.deepEqual(found.map((p) => p.id), [ann.id, twin.id]);
assert.equal((await call('search', { kind: 'Deal', filter: { name: { like: 'engine' } } })).data.items[0].id, deal.id);
const begin = (await call('changes_since', { since: '9999-01-01' })).data.cursor;
const read = await call('get', { id: ann.id });
await call('update', { id: ann.id, fields: { jobTitle: 'Weaver' }, ifMatch: read.etag });
const stale = await client.callTool({ name: 'update', arguments: { id: ann.id, fields: { jobTitle: 'Dyer' }, ifMatch: read.etag } });
assert.equal(stale.isError, true);
assert.match(stale.content[0].text, /get it again/);
await call('update', { id: deal.id, fields: { name: 'Difference Engine' } });

assert.deepEqual((await call('duplicates', { id: ann.id })).data.items ?? [], []);
const { results } = (await call('upsert', { kind: 'people', match: 'emails', records: [{ fullName: 'Ann Lee', emails: ['ann@example.com'], urls: ['https://ann.example'] }] })).data;
assert.deepEqual([results[0].operation, results[0].data.id], ['updated', ann.id]);
assert.equal((await call('aggregate', { kind: 'people', groupBy: ['jobTitle'] })).data.total.count, 2);
const many = { kind: 'people', text: 'lee', add: { urls: ['https://lee.example'] } };
const { data: matches } = await call2('update_many', many);
assert.equal(matches.matched, 2);
assert.equal((await call('update_many', { ...many, dryRun: false, expect: matches.matched })).data.updated, 2);
assert.deepEqual((await call('get', { id: 'Ann Lee' })).data.urls, ['https://ann.example', 'https://lee.example']);

const tried = await call2('merge', { id: ann.id, other: twin.id });
assert.deepEqual([tried.dryRun, tried.data.phones], [true, ['+1 555 0100']]);
assert.equal((await call('get', { id: twin.id })).data.id, twin.id);
const merged = await call('merge', { id: ann.id, other: twin.id, dryRun: false });
assert.equal(merged.dryRun, false);

// A dry run says so in a second text.
async function call2(name, args) {
	called.add(name);
	const result = await client.callTool({ name, arguments: args });
	assert.ok(!result.isError && result.content.length === 2 && /dry run/.test(result.content[1].text));
	return result.structuredContent;
}

const note = (await call('add_note', { entity: { id: ann.id }, content: 'Likes looms' })).data;
const task = (await call('create_task', { entity: ann.id, title: 'Call', dueAt: '2030-01-31' })).data;
const once = { idempotencyKey: `done ${task.id}`.replaceAll(' ', '-') };
const done = (await call('complete_task', { id: task.id }, once)).data;
assert.equal((await call('complete_task', { id: task.id }, once)).data.completedAt, done.completedAt);
await call('log_interaction', { entity: ann.id, dateTime: '2026-01-31T09:30:00Z', activityType: 'call', title: 'First call' });
assert.equal((await call2('delete', { id: note.id })).dryRun, true);
await call('delete', { id: note.id, dryRun: false });

// Events appear when all older transactions have ended.
for (let i = 0, seen = []; !seen.includes('note.deleted'); i++) {
	assert.ok(i < 200, `no note.deleted among ${seen}`);
	seen = (await call('changes_since', { cursor: begin, limit: 100 })).data.items.map((e) => e.type);
}

await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), { code: -32602 });
const wrong = async (name, args) => (await client.callTool({ name, arguments: args }))._meta?.issues ?? [];
assert.deepEqual((await wrong('get', {})).map((i) => i.path), [['id']]);
assert.deepEqual((await wrong('create', { kind: 'person', fields: { emails: 5 } })).map((i) => i.path), [['fields', 'emails']]);
const missing = await client.callTool({ name: 'get', arguments: { id: ann.id.slice(0, -4) + '0000' } });
assert.match(missing.content[0].text, /search/);
assert.deepEqual([...called].sort(), names);

// --- prompts and resources ----------------------------------------------------------------

assert.deepEqual((await client.listPrompts()).prompts.map((p) => p.name), ['prepare_meeting', 'weekly_summary', 'clean_duplicates']);
assert.match((await client.getPrompt({ name: 'prepare_meeting', arguments: { with: 'Ann Lee' } })).messages[0].content.text, /I meet Ann Lee/);
await assert.rejects(client.getPrompt({ name: 'prepare_meeting' }), { code: -32602 });
const { resourceTemplates } = await client.listResourceTemplates();
const uri = resourceTemplates.find((t) => t.name === 'person').uriTemplate.replace('{id}', ann.id);
assert.equal(JSON.parse((await client.readResource({ uri })).contents[0].text).data.id, ann.id);
await assert.rejects(client.readResource({ uri: `${uri}0` }), { code: -32002 });

// --- schemas ------------------------------------------------------------------------------

// Arguments that break a tool's schema are a result with an issue that needed no other data to be found. Some forms are accepted
// beside those of the schema, because models use them.
const breaks = (issues) => issues.some((i) => i.code !== 'custom' && i.validation !== 'cursor');
const lenient = { get: ['id', 'fields'], search: ['fields'], aggregate: ['groupBy', 'measures'], add_note: ['entity'], create_task: ['entity', 'assignedUsers'], log_interaction: ['entity'] };
const ajv = new Ajv({ strict: false });
const good = {
	search: { kind: 'people', text: 'Ann', filter: {}, limit: 1 },
	describe: { about: 'people' },
	get: { id: [ann.id] },
	aggregate: { kind: 'people', groupBy: ['gender'], limit: 5 },
	duplicates: { id: ann.id },
	create: { kind: 'company', fields: { name: 'Looms' } },
	update: { id: ann.id, fields: { jobTitle: 'Weaver' }, ifMatch: '*' },
	upsert: { kind: 'people', match: 'emails', records: [], dryRun: true },
	update_many: { kind: 'people', text: 'Ann', fields: { jobTitle: 'Weaver' }, expect: 1, dryRun: true },
	delete: { id: ann.id, dryRun: true },
	merge: { id: ann.id, other: twin.id, dryRun: true },
	add_note: { entity: ann.id, content: 'x', visibility: 'private' },
	create_task: { entity: ann.id, title: 'x', dueAt: '2030-01-31', assignedUsers: [] },
	complete_task: { id: task.id },
	log_interaction: { entity: ann.id, dateTime: '2026-01-31T09:30:00Z', activityType: 'call', title: 'x', content: 'x' },
	changes_since: { since: '2026-01-31', limit: 1 },
};
const odd = [undefined, null, true, 5, 1.5, -1, '', 'x', ann.id, task.id, deal.id, ann.id + 'x', 'x'.repeat(600), [], ['x'], {}, { id: 5 }, { id: task.id }, { id: ann.id, x: 1 }, '2030-02-30'];
for (const tool of tools) {
	const fits = ajv.compile(tool.inputSchema);
	assert.ok(fits(good[tool.name]), `${tool.name}: ${JSON.stringify(fits.errors)}`);
	for (const name of [...Object.keys(tool.inputSchema.properties), 'another'])
		for (const value of odd) {
			const args = { ...good[tool.name], [name]: value };
			if (value === undefined)
				delete args[name];
			const broken = breaks(await wrong(tool.name, args));
			if (!lenient[tool.name]?.includes(name))
				assert.ok(broken || fits(args), `${tool.name} ${JSON.stringify(args)}`);
		}
}
await client.close();

// --- a key that may only read -------------------------------------------------------------

const reader = await connected(KITH_READONLY_KEY);
assert.deepEqual((await reader.listTools()).tools.map((t) => t.name), tools.filter((t) => t.annotations.readOnlyHint).map((t) => t.name));
const refused = await reader.callTool({ name: 'add_note', arguments: { entity: ann.id, content: 'x' } });
assert.ok(refused.isError && /lacks the scope write/.test(refused.content[0].text));
await reader.close();
await assert.rejects(connected('kith_wrong'), { code: 401 });

// --- the inspector ------------------------------------------------------------------------

function inspect(...args) {
	const cwd = join(resolve(KITH_WEB), 'node_modules/@modelcontextprotocol/inspector-cli/build'); // where it looks for its own name
	const child = spawn(process.execPath, ['index.js', url.href, '--transport', 'http', '--header', `Authorization: Bearer ${KITH_KEY}`, ...args], { cwd });
	let out = '';
	let problems = '';
	child.stdout.on('data', (part) => (out += part));
	child.stderr.on('data', (part) => (problems += part));
	return new Promise((done, failed) => {
		child.on('error', failed);
		child.on('close', (code) => (code === 0 ? done(JSON.parse(out)) : failed(new Error(`the inspector ended with ${code}: ${problems}${out}`))));
	});
}

function inspected(name, args) {
	const pairs = Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`]);
	return inspect('--method', 'tools/call', '--tool-name', name, ...pairs);
}

assert.equal((await inspect('--method', 'tools/list')).tools.length, tools.length);
const inspections = {
	search: { kind: 'people', text: 'Ann', limit: 5 },
	get: { id: [ann.id] },
	describe: {},
	aggregate: { kind: 'people', groupBy: ['gender'] },
	duplicates: { id: ann.id },
	upsert: { kind: 'people', match: 'emails', records: [{ emails: ['inspected@example.com'] }], dryRun: true },
	update_many: { kind: 'people', text: 'Ann', fields: { jobTitle: 'Weaver' }, dryRun: true },
	create: { kind: 'company', fields: { name: 'Looms & Sons' } },
	update: { id: ann.id, fields: { jobTitle: 'Dyer' } },
	delete: { id: ann.id },
	merge: { id: ann.id, other: (await api('POST', '/v1/people', { fullName: 'Other Ann' })).id },
	add_note: { entity: ann.id, content: 'From the inspector' },
	create_task: { entity: ann.id, title: 'Look', dueAt: '2030-01-31' },
	complete_task: { id: task.id },
	log_interaction: { entity: ann.id, dateTime: '2026-01-31T09:30:00Z', activityType: 'meeting', title: 'Met' },
	changes_since: { since: '2026-01-31T09:30:00Z', limit: 3 },
};
assert.deepEqual(Object.keys(inspections).sort(), names);
const waiting = Object.entries(inspections);
async function inspectNext() {
	for (let next; (next = waiting.shift()); ) {
		const result = await inspected(...next);
		assert.equal(result.isError, false, `${next[0]}: ${JSON.stringify(result)}`);
	}
}
await Promise.all([inspectNext(), inspectNext(), inspectNext()]);
console.log('[  PASSED  ] 1 test(s).');
