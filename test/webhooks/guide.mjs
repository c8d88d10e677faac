// Runs the receiver that docs/guides/webhooks.md shows, as it is written there but for its port, and posts events to it
// with kith trigger: with its secret, with another one, and one that is not signed.
//   KITH_BIN=… node guide.mjs MODULES
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const [modules] = process.argv.slice(2);
const secret = `whsec_${'A'.repeat(43)}=`, another = `whsec_${'E'.repeat(43)}=`;
const START_MS = 90000;

const freePort = () => new Promise((done) => {
	const probe = createServer().listen(0, '127.0.0.1', () => {
		const { port } = probe.address();
		probe.close(() => done(port));
	});
});

const port = await freePort();
const address = `http://127.0.0.1:${port}/hooks`;
const [, sample] = /^```js\n([^]*?)^```$/m.exec(readFileSync('docs/guides/webhooks.md', 'utf8'));
const file = join(modules, 'guide.mjs');
writeFileSync(file, sample.replace('listen(3000)', `listen(${port}, '127.0.0.1')`));
const receiver = spawn('node', [file], { env: { PATH: process.env.PATH, SIGNING_SECRET: secret }, stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => receiver.kill());
let printed = '';
receiver.stdout.on('data', (text) => (printed += text));

// Until it listens there is no answer.
async function unsigned() {
	const until = Date.now() + START_MS;
	for (;;) {
		try {
			return (await fetch(address, { method: 'POST', body: '{}' })).status;
		} catch (error) {
			if (Date.now() > until || receiver.exitCode !== null)
				throw error;
			await new Promise((done) => setTimeout(done, 50));
		}
	}
}

function triggered(key) {
	const { stdout } = spawnSync(process.env.KITH_BIN, ['trigger', 'person.updated', '--forward', address, '--secret', key], { encoding: 'utf8' });
	return JSON.parse(stdout).status;
}

const cases = [
	['not signed', 401, await unsigned().catch(String)],
	['signed with another secret', 401, triggered(another)],
	['signed', 204, triggered(secret)],
];
receiver.kill();
await new Promise((done) => receiver.on('close', done));
cases.push(['what it prints', true, /^person\.updated evt_\S+\n$/.test(printed)]);

const faults = cases.filter(([, wanted, answered]) => wanted !== answered);
for (const [what, wanted, answered] of faults)
	console.log(`the guide's receiver: ${what}: ${answered}, not ${wanted}`);
console.log(`[  PASSED  ] ${cases.length - faults.length} test(s).`);
if (faults.length) {
	console.log(`[  FAILED  ] ${faults.length} test(s)`);
	process.exit(1);
}
