// Tests answers.mjs: changes real exchanges one at a time; each change must be found.
//   node doctored.mjs MODULES EXCHANGES SCRATCH
import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, exchangesFile, scratch] = process.argv.slice(2);
const script = join(dirname(fileURLToPath(import.meta.url)), 'answers.mjs');
const exchanges = readFileSync(exchangesFile, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const first = (method, target, status) =>
	exchanges.find((x) => x.method === method && target.test(x.target) && x.status === status);
const description = first('GET', /^\/openapi\.json$/, 200);

// A change of the body, as a function of the parsed body.
const body = (change) => (x) => {
	const value = JSON.parse(x.body);
	change(value);
	return { ...x, body: JSON.stringify(value) };
};
const without = (text, ...names) =>
	JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).filter(([name]) => !names.includes(name))));
const person = first('POST', /^\/v1\/people$/, 200);
const task = first('POST', /^\/v1\/tasks$/, 200);
const interaction = first('POST', /^\/v1\/interactions$/, 200);
const batch = exchanges.find((x) => /^\/v1\/notes\/batch\/create$/.test(x.target) && /"failed"/.test(x.body ?? ''));
const created = exchanges.find((x) => /^\/v1\/events/.test(x.target) && /"person.created"/.test(x.body ?? ''));
const refused = first('POST', /^\/v1\/people$/, 422);

const changes = [
	['nothing', person, (x) => x, true],
	['a member that no field has', person, body((v) => (v.data.noSuchField = 'x'))],
	['a field that is missing', person, body((v) => delete v.data.updatedAt)],
	['an id of another kind', person, body((v) => (v.data.id = v.data.id.replace('per_', 'com_')))],
	['a member of the envelope', person, body((v) => (v.meta = {}))],
	['a request with an unknown member', person, (x) => ({ ...x, request: '{"noSuchField": "x"}' })],
	['an entity of another kind than its id', task, body((v) => (v.data.entity.entityType = 'object'))],
	['a timestamp that is always there', task, body((v) => (v.data.createdAt = null))],
	['an end of an interaction that is not a user', interaction, body((v) => (v.data.from.type = 'person'))],
	['a request without an activity', interaction, (x) => ({ ...x, request: without(x.request, 'activityType', 'type') })],
	['nothing in a batch, of which a record failed', batch, (x) => x, true],
	['an unknown member of the record that succeeded', batch, (x) => ({ ...x, request: x.request.replace('{"entity"', '{"noSuchField": "x", "entity"') })],
	['a change of an event that has none', created, body((v) => (v.data.items.find((e) => e.type === 'person.created').data.changes = []))],
	['a type of event that nobody knows', created, body((v) => (v.data.items[0].type = 'person.renamed'))],
	['a missing X-Request-Id', person, (x) => ({ ...x, headers: x.headers.filter(([n]) => !/^x-request-id$/i.test(n)) })],
	['a header that is not described', person, (x) => ({ ...x, headers: [...x.headers, ['X-Extra', '1']] })],
	['another content type', person, (x) => ({ ...x, headers: [['Content-Type', 'text/plain'], ...x.headers] })],
	['a status that the operation lacks', person, (x) => ({ ...x, status: 201 })],
	['an unknown path that succeeds', person, (x) => ({ ...x, target: '/v1/nope' })],
	['an unknown code of an error', refused, body((v) => (v.error.code = 'NOPE'))],
	['an issue without its members', refused, body((v) => (v.error.details.issues = [{ code: 'too_big', message: '', path: [] }]))],
];

let passed = 0;
let failed = 0;
for (const [what, exchange, change, fine] of changes) {
	const file = join(scratch, 'doctored');
	writeFileSync(file, [description, change(exchange)].map((x) => JSON.stringify(x) + '\n').join(''));
	const run = spawnSync(process.execPath, [script, modules, file, join(scratch, 'doctored.json')], { encoding: 'utf8' });
	if ((run.status === 0) === Boolean(fine) && (fine || run.stdout.includes('[  FAILED  ] 1 test'))) {
		passed++;
	} else {
		failed++;
		console.log(`${what}: was ${run.status === 0 ? 'not noticed' : 'refused'}\n${run.stdout}${run.stderr}`);
	}
}
console.log(`[  PASSED  ] ${passed} test(s).`);
if (failed)
	console.log(`[  FAILED  ] ${failed} test(s)`);
process.exit(failed ? 1 : 0);
