// The examples of the API's description are requests that the black-box suite has executed (@example, test/api/examples.t).
//   node examples.mjs EXCHANGES RECORDED            compares them with the file RECORDED and with the description; each operation must have one
//   node examples.mjs EXCHANGES RECORDED --record   writes the file ("make examples")
// What differs from run to run (ids, times, cursors, secrets, the server's address) is replaced by fixed, plausible values.
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const [exchangesFile, recordedFile, record] = process.argv.slice(2);

const NOW = '2026-01-31T09:30:00.000Z';
const RECENT_MS = 2 * 3600 * 1000; // a time so near is one that the server made
const CURSOR = 'AQUAAAAAAAAAAAAE0gAAAAAAAAAAAAABm5zA2oBq';
const SECRET = 'whsec_qkgqDhpK0V8p3xX4sUu0TzO5j8aXv0l2w3b4c5d6Zm8=';
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const exchanges = readFileSync(exchangesFile, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const description = exchanges.find((x) => x.method === 'GET' && x.target === '/openapi.json' && x.status === 200);
const executed = exchanges.filter((x) => x.example && x.status === 200);
if (!description || executed.length === 0) {
	console.log('no exchange holds the description, or an example');
	process.exit(1);
}
const document = JSON.parse(description.body);

// --- fixed values -------------------------------------------------------------------------

// Ids are numbered by kind, in the order in which they are first seen.
const ids = new Map();
const counts = new Map();
function fixedId(id) {
	const kind = id.split('_')[0];
	if (!ids.has(id)) {
		counts.set(kind, (counts.get(kind) ?? 0x2f) + 1);
		ids.set(id, `${kind}_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b${counts.get(kind).toString(16).padStart(2, '0')}`);
	}
	return ids.get(id);
}

// Sessions and grants end this many hours after they were made.
const PERIODS_H = [0, 12, 30 * 24];

function recentTime(text) {
	const hours = PERIODS_H.find((h) => Math.abs(Date.parse(text) - Date.now() - h * 3600e3) < RECENT_MS);
	return hours === undefined ? undefined : new Date(Date.parse(NOW) + hours * 3600e3).toISOString();
}

// A key that replaces another one ends as long after now as that one did after its own creation.
const fixedTime = (text) => (recentTime(text) ?? text.replace(/^(?<minute>2999-.*:)\d\d[.]\d{3}Z$/, '$<minute>00.000Z'));

function fixedText(text) {
	return text
		.replace(/\b[a-z]{3,4}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, fixedId)
		.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z/g, fixedTime)
		.replace(/(\b(?:cursor|after)=)[\w-]+/g, `$1${CURSOR}`)
		.replace(/http:\/\/127\.0\.0\.1:9\//g, 'https://hooks.example.com/')
		.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://kith.example');
}

// Members whose values are random, or measured.
const MEMBERS = {
	cursor: CURSOR,
	nextCursor: CURSOR,
	after: CURSOR,
	signingSecret: SECRET,
	redactedSigningSecret: 'whsec_****************************************Zm8=',
	key: 'kith_7Qm4rT1xVb9LsW3nYc6HdK8pZf2JgA5e',
	last4: 'gA5e',
	invitationUrl: 'https://kith.example.com/console#invitation=mJ4tW0cYp2ZrXn8sLk5vQd7fTb1hGu3eAo9iRx6wNyc',
	clientId: 'kith_client_Vb9LsW3nYc6HdK8pZf2JgA5eQm4rT1xR7u0iO3sDkWc',
	webhookTimestamp: '1769851800',
	durationMs: 12,
	error: 'connection', // of an attempt: nothing listens there
	lastError: 'connection',
	lagSeconds: 2,
	process: 'cca739a1-5d92-4283-903a-cc21fa1bc46b',
	tookMs: 39,
};

function fixed(value, member) {
	if (Object.hasOwn(MEMBERS, member) && typeof value === typeof MEMBERS[member])
		return MEMBERS[member];
	if (typeof value === 'string')
		return fixedText(value);
	if (Array.isArray(value)) // a delivery may have been tried again meanwhile
		return (member === 'attempts' ? value.slice(0, 1) : value).map((item) => fixed(item));
	if (value === null || typeof value !== 'object')
		return value;
	const made = Object.fromEntries(Object.entries(value).map(([name, item]) => [fixedText(name), fixed(item, name)]));
	if (made.webhookSignature)
		made.webhookSignature = signature(made);
	return made;
}

// Of what the example shows, so that readers can try their verification with it.
function signature({ eventId, webhookTimestamp, body }) {
	const secret = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
	return `v1,${createHmac('sha256', secret).update(`${eventId}.${webhookTimestamp}.${body}`).digest('base64')}`;
}

// --- one operation ----------------------------------------------------------------------------

// Paths with fewer parameters, or with later ones, are more specific.
const paths = Object.keys(document.paths)
	.map((path) => ({
		path,
		pattern: new RegExp('^' + path.replace(/[.]/g, '\\.').replace(/\{(.*?)\}/g, (_, name) => `(?<${name}>[^/]+)`) + '$'),
		rank: path.split('/').map((part) => (part.startsWith('{') ? '1' : '0')).join(''),
	}))
	.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));

// A value as its schema has it: filter[emails][like]=x is {"filter": {"emails": {"like": "x"}}}.
function queryParameters(search) {
	const parameters = {};
	for (const [name, text] of new URLSearchParams(search)) {
		const keys = [...name.matchAll(/[^[\]]+/g)].map((match) => match[0]);
		const value = /^\d+$/.test(text) ? Number(text) : text;
		let at = parameters;
		for (const key of keys.slice(0, -1))
			at = at[key] ??= {};
		const last = keys.at(-1);
		at[last] = at[last] === undefined ? value : [].concat(at[last], value);
	}
	return parameters;
}

// Of a page the first line, of a stream two frames, of this description its head.
function answerOf(x) {
	const type = x.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
	if (type.startsWith('text/event-stream'))
		return fixedText(x.body.replace(/^id: .*$/gm, `id: ${CURSOR}`).split(/(?<=\n\n)/).slice(0, 2).join(''));
	if (!type.startsWith('application/json'))
		return fixedText(x.body.split('\n')[0]);
	const body = JSON.parse(x.body);
	return body.openapi ? { openapi: body.openapi, info: { title: body.info.title, version: body.info.version }, paths: {} } : fixed(body);
}

function exampleOf(x) {
	const [path, search = ''] = x.target.split('?');
	const found = paths.find((p) => p.pattern.test(path));
	const parameters = fixed({ ...path.match(found.pattern).groups, ...queryParameters(search) });
	const example = {};
	if (Object.keys(parameters).length)
		example.parameters = parameters;
	if (x.request)
		example.request = fixed(JSON.parse(x.request));
	example.answer = answerOf(x);
	return [`${x.method} ${found.path}`, example];
}

// --- all of them ----------------------------------------------------------------------------

// Of a request that was repeated (@poll) the last one counts.
const examples = Object.fromEntries(executed.map(exampleOf));

// The form that embed_examples.sh reads: a parameter on a line of its own.
function written() {
	const tabbed = (value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\n\t\t');
	const lines = Object.entries(examples).map(([operation, { parameters, ...bodies }]) => {
		const members = Object.entries(bodies).map(([name, value]) => `\t\t"${name}": ${tabbed(value)}`);
		const given = Object.entries(parameters ?? {}).map(([name, value]) => `\t\t\t"${name}": ${JSON.stringify(value)}`);
		if (given.length)
			members.unshift(`\t\t"parameters": {\n${given.join(',\n')}\n\t\t}`);
		return `\t"${operation}": {\n${members.join(',\n')}\n\t}`;
	});
	return `{\n${lines.join(',\n')}\n}\n`;
}

// What the description shows of an operation, in the form of an example.
function shownOf(operation) {
	const [method, path] = operation.split(' ');
	const described = document.paths[path]?.[method.toLowerCase()];
	const parameters = (described?.parameters ?? []).filter((p) => p.example !== undefined).map((p) => [p.name, p.example]);
	const example = parameters.length ? { parameters: Object.fromEntries(parameters) } : {};
	const bodies = { request: described?.requestBody, answer: described?.responses[200] };
	for (const [name, body] of Object.entries(bodies))
		for (const media of Object.values(body?.content ?? {}))
			if (media.example !== undefined)
				example[name] = media.example;
	return example;
}

if (record) {
	writeFileSync(recordedFile, written());
	console.log(`[  PASSED  ] ${Object.keys(examples).length} test(s).`);
	process.exit(0);
}

const recorded = JSON.parse(readFileSync(recordedFile, 'utf8'));
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
	METHODS.filter((method) => item[method]).map((method) => `${method.toUpperCase()} ${path}`),
);
let passed = 0;
let failed = 0;
for (const operation of new Set([...operations, ...Object.keys(recorded)])) {
	const [is, was] = [JSON.stringify(examples[operation]), JSON.stringify(recorded[operation])];
	const shown = isDeepStrictEqual(shownOf(operation), recorded[operation]);
	if (is !== undefined && is === was && shown) {
		passed++;
		continue;
	}
	failed++;
	if (is === undefined)
		console.log(`${operation}: no request of test/api/*.t is its @example`);
	else if (is === was)
		console.log(`${operation}: the description does not show the recorded example\n    ${JSON.stringify(shownOf(operation))}`);
	else
		console.log(`${operation}: the recorded example is not what was executed; "make examples" records it\n    recorded: ${was}\n    executed: ${is}`);
}
console.log(`[  PASSED  ] ${passed} test(s).`);
if (failed)
	console.log(`[  FAILED  ] ${failed} test(s)`);
process.exit(failed ? 1 : 0);
