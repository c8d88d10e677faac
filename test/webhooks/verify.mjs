// Verifies deliveries as receivers do, with each of the libraries.
//   node verify.mjs MODULES DELIVERIES
// A line of DELIVERIES is {"secret", "headers": {name: value}, "body"}. A case is a delivery
// with a library: the delivery verifies as sent, and fails with any part changed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [modules, file] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));
const libraries = {
	standardwebhooks: require('standardwebhooks').Webhook,
	svix: require('svix').Webhook,
};
const deliveries = readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

function verifies(Webhook, { secret, headers, body }) {
	try {
		new Webhook(secret).verify(body, headers);
		return true;
	} catch {
		return false;
	}
}

const flip = (text) => (text[0] === 'A' ? 'B' : 'A') + text.slice(1);
const shifted = (headers, by) => ({ ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + by) });

let passed = 0;
const faults = [];
for (const [name, Webhook] of Object.entries(libraries)) {
	for (const delivery of deliveries) {
		const { secret, headers, body } = delivery;
		// The libraries refuse deliveries older than five minutes; the recorded ones may be older.
		Date.now = () => Number(headers['webhook-timestamp']) * 1000;
		const wrong = {
			'another secret': { ...delivery, secret: 'whsec_' + flip(secret.slice(6)) },
			'another id': { ...delivery, headers: { ...headers, 'webhook-id': headers['webhook-id'] + 'x' } },
			'another time': { ...delivery, headers: shifted(headers, 1) },
			'a time long ago': { ...delivery, headers: shifted(headers, -1000) },
			'another body': { ...delivery, body: body + ' ' },
			'no signature': { ...delivery, headers: { ...headers, 'webhook-signature': '' } },
		};
		const fault = !verifies(Webhook, delivery) ? 'does not verify'
			: Object.keys(wrong).find((what) => verifies(Webhook, wrong[what]));
		if (fault) faults.push(`${name}: ${headers['webhook-id']}: ${fault}`);
		else passed++;
	}
}
for (const fault of faults) console.log(fault);
console.log(`[  PASSED  ] ${passed} test(s).`);
if (faults.length || !deliveries.length) {
	console.log(`[  FAILED  ] ${faults.length || 1} test(s)`);
	process.exit(1);
}
