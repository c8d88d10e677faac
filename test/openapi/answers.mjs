// Checks every exchange of the black-box suite against the API's own description.
//   node answers.mjs MODULES EXCHANGES DOCUMENT
// MODULES: the folder of node_modules; EXCHANGES: the lines that test/api/recording.c wrote; the
// description is taken from them (GET /openapi.json) and written to the file DOCUMENT.
// Each exchange is a case: it passes if its path, method, status, headers and body match the
// description; for a success, the request too.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, exchangesFile, documentFile] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));
const Ajv = require('ajv/dist/2020').default;
const addFormats = require('ajv-formats').default;

const SHOWN = 20; // faults in full; the rest is counted
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
// Statuses with which HTTP itself is refused, before there is an operation; any other status must be described for it.
const EDGE = new Set([400, 405, 408, 411, 413, 414, 417, 431, 501, 505]);
// Headers allowed only where the description has them.
const OURS = /^(x-(?!content-type-options)|ratelimit|retry-after|allow$|etag$|idempotent-|deprecation|sunset)/;

const exchanges = readFileSync(exchangesFile, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const source = exchanges.find((x) => x.method === 'GET' && x.target === '/openapi.json' && x.status === 200);
if (!source) {
	console.log('no exchange holds the description');
	process.exit(1);
}
writeFileSync(documentFile, source.body);
const document = JSON.parse(source.body);

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats(ajv);
ajv.addSchema(document, 'openapi');

// --- the description --------------------------------------------------------------------

const escaped = (name) => name.replace(/~/g, '~0').replace(/\//g, '~1');
const pointer = (...names) => '#/' + names.map(escaped).join('/');

// Follows a reference: [value, its pointer].
function follow(value, at) {
	while (value && value.$ref) {
		at = value.$ref;
		value = at.slice(2).split('/').reduce((v, name) => v[name.replace(/~1/g, '/').replace(/~0/g, '~')], document);
	}
	return [value, at];
}

const validators = new Map();
function check(at, value, what, faults) {
	if (!validators.has(at))
		validators.set(at, ajv.compile({ $ref: 'openapi' + encodeURI(at) }));
	const validate = validators.get(at);
	if (!validate(value))
		for (const e of validate.errors.slice(0, 6))
			faults.push(`${what}${e.instancePath}: ${e.message} ${JSON.stringify(e.params)}`);
}

// Paths with fewer parameters, or with later ones, are more specific.
const paths = Object.keys(document.paths)
	.map((path) => ({
		path,
		names: [...path.matchAll(/\{(.*?)\}/g)].map((m) => m[1]),
		pattern: new RegExp('^' + path.replace(/[.]/g, '\\.').replace(/\{.*?\}/g, '([^/]+)') + '$'),
		rank: path.split('/').map((part) => (part.startsWith('{') ? '1' : '0')).join(''),
	}))
	.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));

// --- one exchange ---------------------------------------------------------------------------

function parse(text, what, faults) {
	try {
		return JSON.parse(text);
	} catch {
		faults.push(`${what} is not JSON`);
		return undefined;
	}
}

function checkHeaders(x, described, at, faults) {
	const seen = new Map(x.headers.map(([name, value]) => [name.toLowerCase(), value]));
	const known = new Set();
	for (const [name, reference] of Object.entries(described ?? {})) {
		const [header, where] = follow(reference, `${at}/headers/${escaped(name)}`);
		const value = seen.get(name.toLowerCase());
		known.add(name.toLowerCase());
		if (value === undefined && header.required)
			faults.push(`the header ${name} is missing`);
		if (value !== undefined)
			check(`${where}/schema`, header.schema.type === 'integer' ? Number(value) : value, `header ${name}`, faults);
	}
	for (const name of seen.keys())
		if (OURS.test(name) && !known.has(name))
			faults.push(`the header ${name} is not described`);
}

function checkResponse(x, reference, at, faults) {
	const [response, where] = follow(reference, at);
	const type = (x.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '').split(';')[0];
	checkHeaders(x, response.headers, where, faults);
	if (x.method === 'HEAD')
		return;
	const media = response.content?.[type];
	if (!media) {
		faults.push(`the content type "${type}" is not described`);
		return;
	}
	const body = type === 'application/json' ? parse(x.body, 'the body', faults) : x.body;
	if (body !== undefined)
		check(`${where}/content/${escaped(type)}/schema`, body, 'body', faults);
}

function parameterValue(parameter, query, values) {
	const type = follow(parameter.schema)[0].type;
	if (type === 'array')
		return query.has(parameter.name) ? query.getAll(parameter.name) : undefined;
	const text = parameter.in === 'path' ? values[parameter.name] : query.getAll(parameter.name).at(-1);
	if (text !== undefined && text !== null && type === 'integer')
		return Number(text);
	return text === '' && parameter.in === 'query' ? undefined : (text ?? undefined);
}

// With the current names of members that are given under an old one.
function renamed(schema, body) {
	const all = Object.entries(body);
	const name = ([key]) => follow(schema)[0].properties?.[key]?.['x-replaced-by'] ?? key;
	return Object.fromEntries(all.map((member) => [name(member), member[1]]));
}

// Without the records of a batch that failed: they were not accepted.
function acceptedPart(x, schema, body) {
	const results = body.records && JSON.parse(x.body).data?.results;
	if (!results)
		return renamed(schema, body);
	const record = follow(schema)[0].properties.records.items;
	return { ...body, records: body.records.filter((_, i) => results[i].status !== 'failed').map((b) => renamed(record, b)) };
}

// An accepted request must match the description.
function checkRequest(x, operation, at, query, values, faults) {
	(operation.parameters ?? []).forEach((reference, i) => {
		const [parameter, where] = follow(reference, `${at}/parameters/${i}`);
		if (parameter.in === 'header')
			return;
		const value = parameterValue(parameter, query, values);
		if (value !== undefined)
			check(`${where}/schema`, value, `parameter ${parameter.name}`, faults);
	});
	if (operation.requestBody && x.request !== false && (x.request !== null || operation.requestBody.required)) {
		const body = x.request ? parse(x.request, 'the request', faults) : {};
		const schema = operation.requestBody.content['application/json'].schema;
		if (body !== undefined)
			check(`${at}/requestBody/content/application~1json/schema`, acceptedPart(x, schema, body), 'request', faults);
	}
}

// An event of the feed, or the body of a delivery, is what a webhook is sent for its type.
function checkEvents(x, path, faults) {
	const data = x.body && (path === '/v1/events' || path.endsWith('/deliveries/{deliveryId}')) ? JSON.parse(x.body).data : {};
	const events = data.items ?? (data.body ? [JSON.parse(data.body)] : []);
	for (const event of events)
		if (document.webhooks[event.type])
			check(`${pointer('webhooks', event.type)}/post/requestBody/content/application~1json/schema`, event, event.type, faults);
		else
			faults.push(`no webhook is described for ${event.type}`);
}

// 404, 405 and refusals of the edge have the form of all errors.
function checkRefusal(x, faults) {
	// The routes of kith's own pages, of OAuth, and of phones and calendars are not described.
	if (/^(https?:\/\/[^/?]*)?\/(auth|oauth|\.well-known|dav|calendar)\//.test(x.target ?? ''))
		return;
	if (x.status === 204 && x.method === 'OPTIONS')
		return;
	if (x.status < 400 || !(x.status === 404 || EDGE.has(x.status) || x.status === 503))
		faults.push(`the description lacks the ${x.method} that was answered ${x.status}`);
	else if (x.method !== 'HEAD')
		checkEdge(x, faults);
}

// What is not proper HTTP, or has no operation, is refused in the form of all errors.
function checkEdge(x, faults) {
	const name = [404, 503].includes(x.status) ? x.status : 400;
	const body = parse(x.body, 'the body', faults);
	if (!x.headers.some(([header]) => header.toLowerCase() === 'x-request-id'))
		faults.push('the header X-Request-Id is missing');
	if (body !== undefined)
		check(`#/components/schemas/Error${name}`, body, 'body', faults);
}

function checkExchange(x) {
	const faults = [];
	const target = (x.target ?? '').replace(/^https?:\/\/[^/?]*/, '');
	const [path, search] = [target.split('?')[0], target.includes('?') ? target.slice(target.indexOf('?') + 1) : ''];
	const found = paths.find((p) => p.pattern.test(path));
	const method = x.method === 'HEAD' ? 'get' : METHODS.find((m) => m.toUpperCase() === x.method);
	const operation = found && method && document.paths[found.path][method];
	if (!operation) {
		checkRefusal(x, faults);
		return faults;
	}
	const at = pointer('paths', found.path, method);
	const response = operation.responses[x.status];
	if (response)
		checkResponse(x, response, `${at}/responses/${x.status}`, faults);
	else if (EDGE.has(x.status))
		checkRefusal(x, faults);
	else
		faults.push(`${found.path} does not describe the status ${x.status}`);
	if (x.status === 200) {
		const texts = path.match(found.pattern).slice(1);
		const values = Object.fromEntries(found.names.map((name, i) => [name, decodeURIComponent(texts[i])]));
		checkRequest(x, operation, at, new URLSearchParams(search), values, faults);
		checkEvents(x, found.path, faults);
	}
	return faults;
}

// --- all of them --------------------------------------------------------------------------------

let passed = 0;
let failed = 0;
for (const x of exchanges) {
	const faults = checkExchange(x);
	if (faults.length === 0) {
		passed++;
	} else if (++failed <= SHOWN) {
		console.log(`${x.method} ${x.target} answered ${x.status}`);
		for (const fault of faults)
			console.log(`    ${fault}`);
		console.log(`    request: ${(x.request || '').slice(0, 400)}\n    answer: ${(x.body ?? '').slice(0, 800)}`);
	}
}
console.log(`[  PASSED  ] ${passed} test(s).`);
if (failed)
	console.log(`[  FAILED  ] ${failed} test(s)`);
process.exit(failed ? 1 : 0);
