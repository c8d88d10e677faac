/* Runs the examples of the guides in their order, each guide in one shell against a running server, and compares their
 * last answers with those that the guides show.
 *   KITH_URL=… KITH_KEY=… node test/web/guides.mjs
 * Blocks of ```sh are run, all but those marked "setup"; a block of ```json behind one has the answer to its last
 * command: shown members must be there, lists have as many items as shown, and "…" stands for the rest of a text. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const from = 'docs/guides';
const work = mkdtempSync(join(tmpdir(), 'kith-guides-'));
let passed = 0, failed = 0;

function blocks_of(text) {
	const found = [];
	for (const [, info, body] of text.matchAll(/^```(.*)\n([^]*?)^```$/gm))
		found.push({ info: info.trim(), body });
	return found;
}

/* What is wrong with the value that was answered where the guide shows another; '' when nothing is. */
function difference(shown, value, at) {
	if (typeof shown === 'string' && shown.endsWith('…'))
		return typeof value === 'string' && value.startsWith(shown.slice(0, -1)) ? '' : `${at}: ${value}, not ${shown}`;
	if (Array.isArray(shown)) {
		if (!Array.isArray(value) || value.length !== shown.length)
			return `${at}: ${JSON.stringify(value)} is not a list of ${shown.length}`;
		return shown.map((item, i) => difference(item, value[i], `${at}[${i}]`)).find(Boolean) ?? '';
	}
	if (shown !== null && typeof shown === 'object') {
		if (value === null || typeof value !== 'object')
			return `${at}: ${JSON.stringify(value)} is not an object`;
		return Object.keys(shown).map(key => difference(shown[key], value[key], `${at}.${key}`)).find(Boolean) ?? '';
	}
	return shown === value ? '' : `${at}: ${JSON.stringify(value)}, not ${JSON.stringify(shown)}`;
}

/* Answers follow each other without a line's end between them. */
function last_answer(output) {
	const starts = [...output.matchAll(/\{"(data|error)":/g)].map(({ index }) => index);
	for (const start of starts) {
		try {
			return JSON.parse(output.slice(start));
		} catch {
			/* Not yet the last one. */
		}
	}
	throw new Error('no answer in JSON');
}

/* An answer is an error only where the guide shows one. */
function judge(block, next, output) {
	const shown = next?.info === 'json' ? JSON.parse(next.body) : null;
	const errors = output.match(/\{"error":\{"code":"[A-Z_]+"/g) ?? [];
	if (shown) {
		const wrong = difference(shown, last_answer(output), '');
		if (wrong)
			return wrong;
	}
	return errors.length > (shown?.error ? 2 : 0) ? `an error: ${output}` : '';
}

/* One shell for a guide, as its blocks share variables; marks tell where each one's output ends. */
function run(name) {
	const blocks = blocks_of(readFileSync(join(from, name), 'utf8'));
	const mark = '\n=== end of a block ===\n';
	const dir = join(work, name);
	const runs = blocks.map((block, i) => ({ block, next: blocks[i + 1] })).filter(({ block }) => block.info === 'sh');
	const script = runs.map(({ block }) => `${block.body}\nprintf '${mark.replaceAll('\n', '\\n')}'\n`).join('');

	mkdirSync(dir);
	const shell = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
		cwd: dir, encoding: 'utf8', timeout: 60000,
		env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', KITH: process.env.KITH_URL, KEY: process.env.KITH_KEY },
	});
	const outputs = shell.stdout.split(mark);
	runs.forEach(({ block, next }, i) => {
		let wrong;
		try {
			wrong = i + 1 < outputs.length ? judge(block, next, outputs[i]) : `ended with ${shell.status}: ${shell.stderr}${outputs[i] ?? ''}`;
		} catch (error) {
			wrong = `${error}: ${outputs[i]}`;
		}
		if (wrong) {
			failed++;
			console.log(`${name}:\n${block.body}${wrong}\n`);
		} else {
			passed++;
		}
	});
	return runs.length;
}

/* Every guide has examples, and none of them calls anything but this server. */
for (const name of readdirSync(from).filter(name => name.endsWith('.md')).sort())
	if (run(name) === 0) {
		failed++;
		console.log(`${name}: no examples`);
	}
rmSync(work, { recursive: true });
console.log(`${passed} examples of the guides ran, ${failed} failed`);
process.exit(failed ? 1 : 0);
