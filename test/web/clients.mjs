// Checks what others make of the API's description: two linters, and the generators of clients, whose output must
// compile under "tsc --strict"; then one of these clients plays the first steps against the running server.
// Run by test/flow/test_clients.c; CLIENTS='orval spectral' runs only these. The generated files stay in build/web/clients.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join, resolve } from 'node:path';

const { KITH_URL, KITH_KEY, KITH_WEB } = process.env;
const modules = resolve(KITH_WEB);
const scripts = resolve(modules, 'scripts');
const out = join(modules, 'clients');
const documentFile = join(out, 'openapi.json');
const only = (process.env.CLIENTS ?? '').split(' ').filter(Boolean);

class Failure extends Error {}

// Runs a program of node_modules/.bin, or of ours; a failure has its output.
function run(program, args, { cwd = out, env = {} } = {}) {
	return new Promise((done, failed) => {
		const child = spawn(process.execPath, [program.includes('/') ? program : join(modules, 'node_modules/.bin', program), ...args], {
			cwd,
			env: { ...process.env, ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let text = '';
		child.stdout.on('data', (part) => (text += part));
		child.stderr.on('data', (part) => (text += part));
		child.on('error', failed);
		child.on('close', (code) => (code === 0 ? done(text) : failed(new Failure(`${program} ended with ${code}\n${text.slice(0, 6000)}`))));
	});
}

// A folder of its own for a client, with our story when it has one.
function folder(name, ...sources) {
	const dir = join(out, name);
	mkdirSync(dir, { recursive: true });
	for (const source of sources)
		copyFileSync(join(scripts, source), join(dir, source));
	return dir;
}

// Types of packages are theirs to check, all of ours and all that was generated is checked (no .d.ts is generated).
const compile = (dir, more = {}) => {
	const options = {
		strict: true,
		skipLibCheck: true,
		target: 'es2022',
		lib: ['es2022', 'dom', 'dom.iterable'],
		module: 'node16',
		types: [],
		noEmit: true,
		...more,
	};
	writeFileSync(join(dir, 'package.json'), '{"type": "commonjs"}\n');
	writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }));
	return run('tsc', ['-p', dir]);
};

// --- linters ---------------------------------------------------------------------------------

async function redocly() {
	const args = ['lint', '--config', join(scripts, 'redocly.yaml'), '--format', 'json', documentFile];
	const text = await run('redocly', args, { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } });
	if (!/"errors": 0,/.test(text) || !/"warnings": 0,/.test(text))
		throw new Failure(text.slice(0, 6000));
}

const spectral = () =>
	run('spectral', ['lint', '--ruleset', join(scripts, 'spectral.yaml'), '--fail-severity', 'hint', documentFile]);

// --- generators --------------------------------------------------------------------------------

async function openapiFetch() {
	const dir = folder('openapi-fetch', 'story.ts', 'story_fetch.ts');
	await run('openapi-typescript', [documentFile, '-o', join(dir, 'schema.ts')]);
	await compile(dir, { noEmit: false, outDir: join(dir, 'js') });
	await run(join(dir, 'js/story_fetch.js'), []);
}

async function heyApi() {
	const dir = folder('hey-api', 'story.ts', 'story_sdk.ts');
	const config = join(dir, 'openapi-ts.config.mjs');
	writeFileSync(
		config,
		`export default ${JSON.stringify({
			input: documentFile,
			output: join(dir, 'client'),
			plugins: ['@hey-api/client-fetch', '@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: true }],
		})}\n`,
	);
	await run('openapi-ts', ['-f', config, '--silent']);
	await compile(dir, { noEmit: false, outDir: join(dir, 'js') });
	await run(join(dir, 'js/story_sdk.js'), []);
}

async function orval() {
	const dir = folder('orval');
	const config = join(dir, 'orval.config.cjs');
	const output = (client, target) => ({ input: documentFile, output: { client, target: join(dir, target), mode: 'single' } });
	writeFileSync(
		config,
		`module.exports = ${JSON.stringify({ fetch: output('fetch', 'api.ts'), zod: output('zod', 'zod.ts') })}\n`,
	);
	await run('orval', ['--config', config]);
	await compile(dir);
}

async function rtkQuery() {
	const dir = folder('rtk-query');
	const config = join(dir, 'rtk.config.cjs');
	writeFileSync(
		join(dir, 'base.ts'),
		`import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';\n` +
			`export const api = createApi({ baseQuery: fetchBaseQuery({ baseUrl: '/' }), endpoints: () => ({}) });\n`,
	);
	writeFileSync(
		config,
		`module.exports = ${JSON.stringify({
			schemaFile: documentFile,
			apiFile: './base.ts',
			apiImport: 'api',
			outputFile: './client.ts',
			exportName: 'kith',
			hooks: false,
		})}\n`,
	);
	await run('rtk-query-codegen-openapi', [config], { cwd: dir });
	await compile(dir);
}

// --- all of them, side by side -------------------------------------------------------------------

// The longest first.
const checks = { 'hey-api': heyApi, orval, 'rtk-query': rtkQuery, 'openapi-fetch': openapiFetch, spectral, redocly };

async function check(name) {
	const began = Date.now();
	const took = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
	try {
		await checks[name]();
		console.log(`ok ${name} ${took()}`);
		return true;
	} catch (error) {
		console.log(`FAILED ${name} ${took()}\n${error instanceof Failure ? error.message : error.stack}`);
		return false;
	}
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const answer = await fetch(`${KITH_URL}/openapi.json`);
writeFileSync(documentFile, await answer.text());

const waiting = Object.keys(checks).filter((name) => only.length === 0 || only.includes(name));
let good = answer.ok && waiting.length > 0;
async function work() {
	for (let name; (name = waiting.shift()); )
		good = (await check(name)) && good;
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism?.() ?? cpus().length) }, work));
process.exit(good ? 0 : 1);
