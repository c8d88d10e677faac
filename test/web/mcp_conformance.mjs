// The official conformance suite of the Model Context Protocol, with what each revision requires of servers. mcp_conformance.yml lists
// what cannot pass: scenarios that call tools of the suite's own reference server, and parts of the protocol that kith does not offer.
//   KITH_URL=… KITH_KEY=… KITH_WEB=build/web node mcp_conformance.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 20) {
	console.log('the conformance suite needs Node.js 20: left out\n[  PASSED  ] 1 test(s).');
	process.exit(0);
}

const { KITH_URL, KITH_KEY, KITH_WEB = 'build/web' } = process.env;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

// The suite has no key, so this proxy adds it.
const proxy = createServer((from, to) => {
	const { hostname, port } = new URL(KITH_URL);
	const on = request({ hostname, port, path: from.url, method: from.method, headers: { ...from.headers, authorization: `Bearer ${KITH_KEY}` } }, (answer) => {
		to.writeHead(answer.statusCode, answer.headers);
		answer.pipe(to);
	});
	on.on('error', () => to.destroy());
	from.pipe(on);
});
await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${proxy.address().port}/mcp`;
const results = mkdtempSync(join(tmpdir(), 'kith-conformance-'));

function conform(...args) {
	const main = join(resolve(KITH_WEB), 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
	const child = spawn(process.execPath, ['--import', here('older_node.mjs'), main, 'server', '--url', url, '--expected-failures', here('mcp_conformance.yml'), '-o', results, ...args]);
	let out = '';
	child.stdout.on('data', (part) => (out += part));
	child.stderr.on('data', (part) => (out += part));
	return new Promise((done) => child.on('close', (code) => done({ code, out })));
}

for (const revision of ['2026-07-28', '2025-11-25']) {
	const { code, out } = await conform('--requirements', revision);
	assert.equal(code, 0, `the suite of ${revision} ended with ${code}\n${out.slice(-6000)}`);
	console.log(`conformance with ${revision}: as expected`);
}
// The suite has no list of requirements for 2025-06-18, and nothing for 2025-03-26.
for (const scenario of ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list']) {
	const { code, out } = await conform('--spec-version', '2025-06-18', '--scenario', scenario);
	assert.equal(code, 0, `${scenario} of 2025-06-18 ended with ${code}: ${out}`);
}
console.log('conformance with 2025-06-18: as expected');
proxy.close();
rmSync(results, { recursive: true });
console.log('[  PASSED  ] 1 test(s).');
