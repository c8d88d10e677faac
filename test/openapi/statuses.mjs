// Checks that nothing is claimed that does not occur: of each operation's statuses those that depend on it, and each type
// of event, were seen in the black-box suite.
//   node statuses.mjs EXCHANGES DOCUMENT
import { readFileSync } from 'node:fs';

const [exchangesFile, documentFile] = process.argv.slice(2);
const document = JSON.parse(readFileSync(documentFile, 'utf8'));

// The others come before an operation, or from its key, for all of them alike.
const OWN = ['200', '404', '412', '422'];

// Events that take minutes, or a receiver that answers: webhook/listen_sample.c has what they hold.
const LATE = new Set(['reminder.triggered', 'webhook.deactivated']);

const rank = (path) => path.split('/').map((part) => (part.startsWith('{') ? '1' : '0')).join('');
const paths = Object.keys(document.paths)
	.map((path) => ({ path, pattern: new RegExp('^' + path.replace(/[.]/g, '\\.').replace(/\{.*?\}/g, '[^/]+') + '$') }))
	.sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));

const seen = new Set();
for (const line of readFileSync(exchangesFile, 'utf8').split('\n').filter(Boolean)) {
	const x = JSON.parse(line);
	const path = (x.target ?? '').replace(/^https?:\/\/[^/?]*/, '').split('?')[0];
	const found = paths.find((p) => p.pattern.test(path));
	if (found)
		seen.add(`${x.method} ${found.path} ${x.status}`);
	const text = found?.path === '/v1/events' ? x.body : (/\/deliveries\/\{deliveryId\}$/.test(found?.path) && JSON.parse(x.body).data?.body) || '';
	for (const [, type] of text.matchAll(/"type":"([a-z]+\.[a-z_]+)"/g))
		seen.add(type);
}

let passed = 0;
let failed = 0;
for (const type of Object.keys(document.webhooks)) {
	if (seen.has(type) || LATE.has(type)) {
		passed++;
	} else {
		failed++;
		console.log(`the event ${type} is claimed, which no case has seen in the feed`);
	}
}
for (const [path, operations] of Object.entries(document.paths)) {
	for (const [method, operation] of Object.entries(operations)) {
		for (const status of OWN.filter((s) => operation.responses[s])) {
			if (seen.has(`${method.toUpperCase()} ${path} ${status}`)) {
				passed++;
			} else {
				failed++;
				console.log(`${operation.operationId} claims ${status}, which no case has seen: ${method.toUpperCase()} ${path}`);
			}
		}
	}
}
console.log(`[  PASSED  ] ${passed} test(s).`);
if (failed)
	console.log(`[  FAILED  ] ${failed} test(s)`);
process.exit(failed ? 1 : 0);
