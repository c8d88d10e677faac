// Servers of a test's own, which end and come back: KITH_PROGRAM with KITH_DATABASE_URL and KITH_DATA_DIR.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';

const { KITH_PROGRAM } = process.env;
const PATIENCE_MS = 90000; // only what fails waits so long

export async function until(what, look) {
	for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
		const found = await look();
		if (found)
			return found;
		await new Promise((done) => setTimeout(done, 30));
	}
	throw new Error(`in vain: ${what}`);
}

const freePort = () => new Promise((done) => {
	const probe = createServer().listen(0, '127.0.0.1', () => {
		const { port } = probe.address();
		probe.close(() => done(port));
	});
});

export class Server {
	// port: that of a server that has ended.
	static async start({ port, limits = ['--rate_default=0', '--rate_burst=0'] } = {}) {
		const s = new Server();
		s.port = port ?? await freePort();
		s.url = `http://127.0.0.1:${s.port}`;
		s.log = '';
		const args = ['serve', `--listen=127.0.0.1:${s.port}`, ...limits, '--webhook_allow_targets=127.0.0.0/8'];
		// It ends when this process does, however that ends.
		s.child = spawn('setpriv', ['--pdeathsig', 'KILL', KITH_PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
		s.child.stderr.on('data', (part) => (s.log += part));
		s.ended = new Promise((done) => s.child.on('exit', (code) => done(code)));
		await until('a server that is ready', () => {
			assert.equal(s.child.exitCode, null, `the server has ended: ${s.log}`);
			return fetch(`${s.url}/readyz`).then((r) => r.ok, () => false);
		});
		return s;
	}

	async stop() {
		this.child.kill('SIGTERM');
		const code = await this.ended;
		assert.ok(code === 0 && !/Sanitizer|runtime error:/.test(this.log), `the server ended with ${code}: ${this.log.slice(-3000)}`);
	}
}
