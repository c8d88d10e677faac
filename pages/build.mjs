/* Bundles the pages and writes the table of their files, which is compiled into the program:
 *   node pages/build.mjs OUT VERSION
 * Called by pages/build.sh from the top of the source tree, with the packages installed in OUT/node_modules. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const [out, version] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const top = dirname(here);
const modules = resolve(out, 'node_modules');
const load = createRequire(join(modules, '.from-here'));
const esbuild = load('esbuild');
const { Marked, Renderer } = load('marked');

const CONSOLE_MAX = 180 * 1024; /* bytes of the console's files, compressed */

const types = {
	'.css': 'text/css; charset=utf-8',
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.txt': 'text/plain; charset=utf-8',
};

/* --- the files -------------------------------------------------------------------- */

const files = new Map(); /* path of a request: {type, data} */

function add(path, type, data) {
	if (files.has(path))
		throw new Error(`two files would be at ${path}`);
	files.set(path, { type: types[type], data: Buffer.from(data) });
}

const read = (...parts) => readFileSync(join(...parts), 'utf8');
const fill = (text, values) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => {
	if (!(name in values))
		throw new Error(`nothing to put for {{${name}}}`);
	return values[name];
});
const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

/* Bundles an entry point; a style sheet that it imports lands beside it, and so do parts that it loads later. */
async function bundle(entry, path) {
	const result = await esbuild.build({
		entryPoints: [join(here, entry)],
		outdir: join(out, 'bundle'),
		entryNames: basename(path),
		chunkNames: `${basename(path)}-[name]-[hash]`,
		splitting: true,
		nodePaths: [modules],
		bundle: true,
		format: 'esm',
		target: 'es2022',
		jsx: 'automatic',
		jsxImportSource: 'preact',
		minify: true,
		legalComments: 'none', /* licenses.txt has them whole */
		charset: 'utf8',
		write: false,
		logLevel: 'warning',
	});
	for (const file of result.outputFiles) {
		add(`${dirname(path)}/${basename(file.path)}`, extname(file.path), file.contents);
	}
}

/* --- guides ----------------------------------------------------------------------- */

const guides_in = join(top, 'docs', 'guides');
/* In the order in which they are listed. */
const guides = ['first-steps', 'retries', 'filters', 'feed', 'webhooks', 'handling-errors'];

function slug(text) {
	return text.toLowerCase().replace(/[^a-z0-9_ -]/g, '').replace(/ /g, '-');
}

/* Links between guides have the files' names, so that they work in the repository, too. */
function link_to(href) {
	const guide = /^([a-z-]+)\.md(#.*)?$/.exec(href);
	if (guide && !guides.includes(guide[1]))
		throw new Error(`a guide links to ${href}, which is not a guide`);
	return guide ? guide[1] + (guide[2] ?? '') : href;
}

const marked = new Marked({
	renderer: {
		heading({ tokens, depth, text }) {
			return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
		},
		link({ href, tokens }) {
			return `<a href="${escape(link_to(href))}">${this.parser.parseInline(tokens)}</a>`;
		},
		/* Wide tables scroll. They can have the focus, so that keyboard users can scroll them. */
		code({ text, lang }) {
			if (lang === 'json')
				text = JSON.stringify(JSON.parse(text), null, 2);
			return `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`;
		},
		table(token) {
			return `<div class="wide" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
		},
	},
});

function read_guide(name) {
	const text = read(guides_in, `${name}.md`);
	const title = /^# (.*)$/m.exec(text);
	if (!title)
		throw new Error(`docs/guides/${name}.md has no title`);
	return { name, title: title[1], text };
}

/* --- everything ------------------------------------------------------------------- */

function add_docs() {
	const listed = readdirSync(guides_in).filter(name => name.endsWith('.md'));
	const all = guides.map(read_guide);
	const layout = read(here, 'docs', 'layout.html');
	const nav = at => all.map(({ name, title }) =>
		`<li><a href="${at}${name}">${escape(title)}</a></li>`).join('\n');

	if (listed.length !== guides.length)
		throw new Error(`docs/guides has ${listed.length} guides, pages/build.mjs lists ${guides.length}`);
	for (const { name, title, text } of all)
		add(`/docs/${name}`, '.html', fill(layout, {
			title: escape(title), nav: nav('').replace(`href="${name}"`, `href="${name}" aria-current="page"`),
			content: marked.parse(text),
		}));
	add('/docs', '.html', fill(read(here, 'docs', 'index.html'), { nav: nav('docs/') }));
	add('/', '.html', fill(read(here, 'home', 'index.html'), { nav: nav('docs/'), version: escape(version) }));
	for (const name of ['pages.css', 'icon.svg'])
		add(`/docs/${name}`, name.slice(name.lastIndexOf('.')), read(here, 'docs', name));
}

function add_library() {
	const from = join(modules, 'swagger-ui-dist');
	const without_map = text => text.replace(/^(\/\/|\/\*)# sourceMappingURL=.*$/m, '');
	const licenses = ['preact/LICENSE', 'swagger-ui-dist/LICENSE', 'swagger-ui-dist/NOTICE', 'uqr/LICENSE'];

	add('/docs/swagger-ui.js', '.js', without_map(read(from, 'swagger-ui-bundle.js')));
	add('/docs/swagger-ui.css', '.css', without_map(read(from, 'swagger-ui.css')));
	add('/docs/licenses.txt', '.txt', licenses.map(name => `${name}\n\n${read(modules, name)}`).join('\n\n'));
}

/* The compressed bytes that are sent for a file; null if they are hardly shorter. */
function compressed(data) {
	const gzip = gzipSync(data, { level: 9 });
	return gzip.length < data.length * 0.9 ? gzip : null;
}

function quoted(text) {
	return JSON.stringify(text);
}

/* The table in C. The assembler includes the bytes, because the compiler would take long for them as C text. */
function write_table() {
	const blobs = join(out, 'files');
	const assembler = [], names = [], rows = [];

	rmSync(blobs, { recursive: true, force: true });
	mkdirSync(blobs, { recursive: true });
	for (const [path, { type, data, gzip }] of files) {
		const n = rows.length;
		const tag = createHash('sha256').update(data).digest('hex').slice(0, 24);
		const blob = (name, bytes) => {
			const file = join(blobs, name);
			writeFileSync(file, bytes);
			assembler.push(`${name}:`, `.incbin "${file}"`);
			names.push(name);
		};
		blob(`asset_${n}`, data);
		if (gzip)
			blob(`asset_${n}_gzip`, gzip);
		rows.push(`	{${quoted(path)}, ${quoted(type)}, ${quoted(`"${tag}"`)}, ${quoted(`"${tag}-gzip"`)}, ` +
			`asset_${n}, ${gzip ? `asset_${n}_gzip` : 'NULL'}, ${data.length}, ${gzip ? gzip.length : 0}},`);
	}
	writeFileSync(join(out, 'assets.c'), [
		'/* Made by pages/build.mjs. */',
		'#include "server/pages/asset.h"',
		'__asm__(".pushsection .rodata\\n"',
		...names.map(name => `	".hidden ${name}\\n.globl ${name}\\n"`),
		...assembler.map(line => `	${quoted(line + '\n')}`),
		'	".popsection\\n");',
		...names.map(name => `extern const char ${name}[];`),
		'const struct asset assets[] = {',
		...rows,
		'};',
		'const size_t n_assets = sizeof assets / sizeof *assets;',
		'',
	].join('\n'));
}

await bundle('console/app.tsx', '/console/app');
await bundle('docs/reference.ts', '/docs/reference');
add('/console', '.html', read(here, 'console', 'index.html'));
add_docs();
add_library();

let console_size = 0;
for (const [path, file] of files) {
	file.gzip = compressed(file.data);
	if (path.startsWith('/console'))
		console_size += (file.gzip ?? file.data).length;
}
if (console_size > CONSOLE_MAX)
	throw new Error(`the console's files have ${console_size} bytes compressed, over ${CONSOLE_MAX}`);
write_table();
