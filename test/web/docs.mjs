// The front page, the guides and the reference in a browser: an operation is tried out with a key, every link leads
// somewhere, and pictures are taken of all of it.
import assert from 'node:assert/strict';
import * as b from './browser.mjs';

const { KITH_URL, KITH_KEY } = process.env;
const browser = await b.openBrowser();

async function api(method, path, body) {
	const answer = await fetch(KITH_URL + path, { method, headers: { Authorization: `Bearer ${KITH_KEY}` }, body: body && JSON.stringify(body) });
	return (await answer.json()).data;
}

const visit = async (page, path) => page.goto(KITH_URL + path, { waitUntil: 'load' });

// The library takes seconds to show a hundred operations on a machine that runs other tests.
async function openReference(page) {
	page.setDefaultTimeout(60000);
	await visit(page, '/docs');
	await page.waitForSelector('.opblock');
}

// The box of an operation, opened.
async function openOperation(page, method, path) {
	const find = (m, p) => [...document.querySelectorAll(`.opblock-${m}`)].find((e) => e.querySelector('.opblock-summary-path').dataset.path === p);
	await page.waitForFunction(find, {}, method, path);
	const box = (await page.evaluateHandle(find, method, path)).asElement();
	await press(box, '.opblock-summary-control');
	await box.waitForSelector('.execute');
	return box;
}

// Counts the calls of a function from now on; what it returns tells how many there were.
async function countCalls(page, name) {
	const session = await page.createCDPSession();
	await session.send('Profiler.enable');
	await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	return async () => {
		const { result } = await session.send('Profiler.takePreciseCoverage');
		const named = result.flatMap((script) => script.functions).filter((f) => f.functionName === name);
		return named.reduce((n, f) => n + f.ranges[0].count, 0);
	};
}

const press = (box, selector) => box.waitForSelector(selector).then((e) => e.evaluate((x) => x.click()));

async function answerOf(page, box) {
	await press(box, '.execute');
	const table = await box.waitForSelector('.live-responses-table .response');
	await page.waitForFunction((t) => t.querySelector('.response-col_status').innerText.trim() !== '', {}, table);
	return table.evaluate((t) => ({ status: t.querySelector('.response-col_status').innerText.trim(), text: t.innerText }));
}

async function tryOut() {
	const page = await b.openPage();
	const hostile = '<img src="x" onerror="window.hit = 1"><script>window.hit = 1</script>';

	const resolved = await countCalls(page, 'resolveSubtree');
	await openReference(page);
	// Webhook payloads are part of the description, and so of the reference.
	const description = await (await fetch(`${KITH_URL}/openapi.json`)).json();
	const operations = Object.values(description.paths).flatMap(Object.keys).length;
	await page.waitForFunction((n) => document.querySelectorAll('.opblock').length === n, {}, operations + Object.keys(description.webhooks).length);
	await b.seeText(page, 'person.created');

	const refused = await answerOf(page, await openOperation(page, 'get', '/v1/users/me'));
	assert.equal(refused.status, '401');
	// For the operation that was opened, and for nothing before: each time reads the whole description.
	assert.equal(await resolved(), 1);

	await press(page, '.auth-wrapper .authorize');
	await (await page.waitForSelector('.auth-container input')).focus();
	await page.keyboard.sendCharacter(KITH_KEY);
	await press(page, '.auth-btn-wrapper .authorize');
	await press(page, '.auth-btn-wrapper .btn-done');

	const create = await openOperation(page, 'post', '/v1/people');
	const body = await create.waitForSelector('textarea');
	// What the form has before anything is typed is the description's example; no header goes with it by itself.
	assert.equal(await create.evaluate((e) => [...e.querySelectorAll('.parameters input')].map((x) => x.value).join('')), '');
	await body.evaluate((e) => e.select());
	await page.keyboard.sendCharacter(JSON.stringify({ fullName: hostile, emails: ['tried@docs.example'] }));
	await page.keyboard.press('Tab'); // the form takes a value when its field is left
	const made = await answerOf(page, create);
	assert.equal(made.status, '200');
	assert.ok(made.text.includes('onerror'), made.text);
	const [found] = (await api('GET', '/v1/people?filter[emails][eq]=tried@docs.example')).items;
	assert.equal(found.fullName, hostile);

	await b.shoot(page, 'docs-tried');
	assert.equal(await page.evaluate(() => window.hit), undefined);
	// The key is not kept anywhere.
	assert.equal(await page.evaluate((key) => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]).includes(key), KITH_KEY), false);
	await b.closePage(page);
}

// From the front page on: all that the pages link to on this server.
async function linksLead() {
	const page = await b.openPage();
	const seen = new Set(['/']), todo = ['/'];
	const read = (html, base) => {
		const parsed = new DOMParser().parseFromString(html, 'text/html');
		return { links: [...parsed.links].map((a) => new URL(a.getAttribute('href'), base).href), ids: [...parsed.querySelectorAll('[id]')].map((e) => e.id) };
	};

	await visit(page, '/');
	while (todo.length) {
		const at = todo.pop();
		const answer = await fetch(KITH_URL + at, { headers: { Accept: 'text/html' } });
		assert.equal(answer.status, 200, at);
		if (!answer.headers.get('content-type').startsWith('text/html'))
			continue;
		const { links, ids } = await page.evaluate(read, await answer.text(), KITH_URL + at);
		for (const link of links) {
			const { origin, protocol, pathname, hash } = new URL(link);
			if (origin !== new URL(KITH_URL).origin)
				assert.equal(protocol, 'https:', link);
			else if (!seen.has(pathname))
				seen.add(pathname), todo.push(pathname);
			if (hash && pathname === at)
				assert.ok(ids.includes(hash.slice(1)), link);
		}
	}
	for (const path of ['/docs', '/console', '/docs/errors', '/docs/first-steps', '/docs/webhooks', '/openapi.json'])
		assert.ok(seen.has(path), path);
	await b.closePage(page);
}

async function looksRight() {
	const page = await b.openPage();

	for (const [name, path] of [['front', '/'], ['guide', '/docs/retries'], ['errors', '/docs/errors'], ['docs', '/docs']]) {
		await (name === 'docs' ? openReference(page) : visit(page, path));
		for (const size of ['desktop', 'phone']) {
			await b.setSize(page, size);
			const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
			assert.ok(wide <= 0, `${name} is ${wide} px wider than a ${size}`);
			for (const colours of ['light', 'dark']) {
				await b.setColours(page, colours === 'dark');
				// The library's own markup is not ours to mend.
				if (name !== 'docs')
					await b.checkAccess(page, `${name} ${size} ${colours}`, { contrast: colours === 'dark' || undefined });
				await b.shoot(page, `${name}-${size}-${colours}`);
			}
			await b.setColours(page, false);
		}
	}
	await b.closePage(page);
}

const code = await b.runCases(browser, [
	['an operation is tried out', tryOut],
	['every link leads somewhere', linksLead],
	['pages on screens', looksRight],
]);
await browser.close();
process.exit(code);
