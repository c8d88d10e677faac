// A browser for tests of the pages: Debian's chromium by puppeteer-core. Every page is watched: a request to another
// origin, a violation of the content security policy, a mistake in a script or an error in the console is a failure.
import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const { KITH_URL, CHROMIUM } = process.env;
const SHOTS = 'build/screenshots';
const WAIT_MS = 90000; // only what fails waits so long
const POLL_MS = 15;
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844, isMobile: true, hasTouch: true } };

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// The case that runs: its window, its pages, and what was wrong on them.
const running = new AsyncLocalStorage();

function findChromium() {
	const names = [CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
	const found = names.find((name) => name && existsSync(name));
	if (!found)
		throw new Error('no chromium; on Debian: apt-get install chromium; elsewhere: its path in the variable CHROMIUM');
	return found;
}

export async function openBrowser() {
	const root = process.getuid?.() === 0;
	return puppeteer.launch({
		executablePath: findChromium(),
		headless: true,
		acceptInsecureCerts: true, // of a proxy of the tests
		pipe: true, // it ends when this process does, however that ends
		protocolTimeout: 2 * WAIT_MS,
		args: ['--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking', '--lang=en-GB', ...(root ? ['--no-sandbox'] : [])],
		env: { ...process.env, TZ: 'UTC' },
	});
}

function watch(page, origin) {
	const { problems } = running.getStore();
	page.on('request', (request) => {
		const url = request.url();
		// data: is the browser's own, for the icons of its controls; the pages' policy forbids theirs.
		if (!url.startsWith(`${origin}/`) && !/^(about|data):/.test(url))
			problems.push(`a request left the origin: ${url.slice(0, 200)}`);
	});
	// Chromium reports every status from 400 up as an error; what the page makes of them is tested.
	page.on('console', (message) => {
		const text = message.text();
		if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
			problems.push(`console: ${text}`);
	});
	page.on('pageerror', (error) => problems.push(`a script failed: ${error.stack ?? error.message}`));
	page.on('dialog', (dialog) => {
		if (dialog.type() !== 'beforeunload')
			problems.push(`the page opened a dialog: ${dialog.message()}`);
		dialog.accept().catch(() => {});
	});
}

// A tab of the case's window. Only one tab at a time is in front and can be used. What one keeps in sessionStorage no
// other has.
//   apart: in a window of its own, beside another tab in use, which costs half a second of a processor
//   size: desktop or phone; dark; url: of the server; bypassCSP: also what the policy would stop is carried out
export async function openPage({ size = 'desktop', dark = false, url = KITH_URL, bypassCSP = false, apart = false } = {}) {
	const now = running.getStore();
	const page = await (apart ? await now.window.browser().createBrowserContext() : now.window).newPage();

	now.pages.push(page);
	page.setDefaultTimeout(WAIT_MS);
	watch(page, new URL(url).origin);
	await page.setBypassCSP(bypassCSP);
	await page.setViewport(sizes[size]);
	await setColours(page, dark);

	// What is chosen or read may still be loading.
	for (const name of ['select', '$eval']) {
		const plain = page[name];
		page[name] = async (selector, ...rest) => {
			await page.waitForSelector(selector);
			return plain.call(page, selector, ...rest);
		};
	}
	return page;
}

export const setSize = (page, size) => page.setViewport(sizes[size]);
export const setColours = (page, dark) => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);

export async function closePage(page) {
	const context = page.browserContext();
	await page.close();
	if (context !== running.getStore().window)
		await context.close();
}

// An element by its accessible role and name.
export const by = (role, name) => `::-p-aria([name="${name.replaceAll('"', '\\"')}"][role="${role}"])`;

// In the page: the first element of a role with that name which can be reached, that is in the open dialog if there is
// one. Names are taken from labels and contents: asking the browser's own accessibility tree, which axe checks, costs
// half of the time of a test.
function reach(role, name, ready) {
	const selectors = {
		button: 'button', link: 'a[href]', heading: 'h1, h2, h3', tab: '[role=tab]', option: '[role=option]', checkbox: '[type=checkbox]',
		combobox: '[role=combobox], select', searchbox: '[type=search]',
		textbox: 'textarea, input:not([type=checkbox], [type=radio], [type=search], [role=combobox])',
	};
	const plain = (e) => [...e.childNodes].map((n) => (n.nodeType === 3 ? n.data : n.ariaHidden === 'true' ? '' : plain(n))).join('');
	const nameOf = (e) => e.ariaLabel ?? (e.labels?.length ? plain(e.labels[0]) : plain(e));
	const tidy = (text) => text.replace(/\s+/g, ' ').trim();
	const root = [...document.querySelectorAll('dialog[open]')].pop() ?? document;
	const found = [...root.querySelectorAll(selectors[role])].find((e) => tidy(nameOf(e)) === tidy(name) && e.checkVisibility());

	return !found || (ready && (found.disabled || found.ariaDisabled === 'true')) ? null : found;
}

async function find(page, role, name, ready = false) {
	const found = page.waitForFunction(reach, { polling: POLL_MS }, role, name, ready);
	return (await found.catch((error) => {
		throw new Error(`${role} "${name}": ${error.message}`);
	})).asElement();
}

// In the page: presses the middle of an element, and says what lies over it. In one step, as a list that gets an item
// between a look at the place and a mouse's click moves another button there.
function press(e) {
	e.scrollIntoView({ block: 'center' });
	const { left, top, width, height } = e.getBoundingClientRect();
	const [clientX, clientY] = [left + width / 2, top + height / 2];
	if (e.disabled || e.ariaDisabled === 'true')
		return 'disabled';
	const hit = document.elementFromPoint(clientX, clientY);
	const send = (type) => hit.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, composed: true, view: window, detail: 1, clientX, clientY }));

	if (!e.contains(hit))
		return hit?.outerHTML.slice(0, 200) ?? 'nothing is there';
	if (send('mousedown'))
		e.focus();
	send('mouseup');
	hit.click();
	return null;
}

export async function click(page, role, name) {
	let over;
	do // it may be disabled again by now, as the consent of an application is when the window loses the focus
		over = await (await find(page, role, name, true)).evaluate(press);
	while (over === 'disabled');
	if (over)
		throw new Error(`over ${role} "${name}": ${over}`);
}

export const see = (page, role, name) => find(page, role, name);
export const value = async (page, role, name) => (await find(page, role, name)).evaluate((e) => e.value);

// Puts the text in place of what is there.
export async function fill(page, role, name, text) {
	const element = await find(page, role, name, true);
	await element.evaluate((e) => {
		e.scrollIntoView({ block: 'center' });
		e.focus();
		e.select?.();
	});
	if (text === '')
		await page.keyboard.press('Backspace');
	else
		await page.keyboard.sendCharacter(text);
}

// Waits for a text anywhere on the page.
export async function seeText(page, text) {
	const has = (t) => document.body.innerText.includes(t);
	await page.waitForFunction(has, { polling: POLL_MS }, text).catch(async () => {
		const shown = await page.evaluate(() => document.body.innerText);
		throw new Error(`"${text}" is not shown, but:\n${shown.slice(0, 3000)}`);
	});
}

export const seeNoText = (page, text) =>
	page.waitForFunction((t) => !document.body.innerText.includes(t), { polling: POLL_MS }, text).catch(() => {
		throw new Error(`"${text}" is still shown`);
	});

// The session of each key, which all its pages share.
const sessions = new Map();

async function sessionOf(url, key) {
	const base = url.slice(0, url.indexOf('/console'));
	const known = `${base} ${key}`;
	if (!sessions.has(known))
		sessions.set(known, fetch(`${base}/auth/key`, { method: 'POST', headers: { 'X-Kith-Console': '1', 'Content-Type': 'application/json' }, body: JSON.stringify({ key }) }).then((answer) => {
			if (!answer.ok) throw new Error(`signing in: ${answer.status}`);
			return answer.headers.get('Set-Cookie').match(/^kith=([^;]+)/)[1];
		}));
	return sessions.get(known);
}

// Signs in with a key as one who had done so before a reload, at a page of the console.
export async function openSignedIn(page, url, key) {
	await page.browserContext().setCookie({ name: 'kith', value: await sessionOf(url, key), domain: new URL(url).hostname, path: '/', httpOnly: true });
	// Another user may have signed in before, in another case.
	const { identifier } = await page.evaluateOnNewDocument(() => localStorage.removeItem('kith.signed-in'));
	await page.goto(url);
	await page.removeScriptToEvaluateOnNewDocument(identifier);
}

// Signs in by a form with a key.
export async function useKey(page, key) {
	await see(page, 'button', 'Sign in');
	if (await page.$$eval('button', (all) => all.some((e) => e.textContent === 'Use an API key'))) await click(page, 'button', 'Use an API key');
	await fill(page, 'textbox', 'API key', key);
	await click(page, 'button', 'Sign in');
}

// Serious and critical findings of axe are problems. contrast: true checks only contrasts, false everything else.
export async function checkAccess(page, name, { contrast } = {}) {
	// While rows or cards in sight are loading, the old ones are pale, or there is nothing to focus.
	await page.waitForFunction(
		() => [...document.querySelectorAll('.busy, [aria-busy="true"]')].every((e) => e.getBoundingClientRect().left >= innerWidth || e.getBoundingClientRect().right <= 0),
		{ polling: 15 },
	);
	if (!(await page.evaluate(() => 'axe' in window)))
		await page.evaluate(axeSource);
	const rules = contrast === false ? { rules: { 'color-contrast': { enabled: false } } } : contrast && { runOnly: { type: 'rule', values: ['color-contrast'] } };
	const options = { resultTypes: ['violations'], ...rules };
	const { violations } = await page.evaluate((o) => window.axe.run(document, o), options);
	for (const v of violations.filter((x) => ['serious', 'critical'].includes(x.impact)))
		running.getStore().problems.push(`axe, ${name}: ${v.help} (${v.id})\n${v.nodes.map((n) => `    ${n.html.slice(0, 200)}  ${n.failureSummary}`).join('\n')}`);
}

// build/screenshots/NAME.png
export async function shoot(page, name) {
	mkdirSync(SHOTS, { recursive: true });
	await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

const LANES = 3;
const chosen = [...process.argv.slice(2), ...(process.env.WEB_CASE ? [process.env.WEB_CASE] : [])]; // parts of names
let ran = 0; // chains
process.on('exit', () => {
	if (ran || !chosen.length) return;
	console.log(`no case has a name with ${chosen.join(' or ')}`);
	process.exitCode = 1;
});

async function runCase([name, run]) {
	const { problems, pages } = running.getStore();
	const began = Date.now();
	const own = (stack) => stack.split('\n').filter((line) => !line.includes('/node_modules/')).join('\n');
	const why = await run().then(() => null, (error) => own(error.stack));

	if (why === null && !problems.length) {
		console.log(`ok ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
		return true;
	}
	console.log(`FAILED ${name}\n${[why, ...problems].filter(Boolean).join('\n')}`);
	for (const [n, page] of pages.filter((p) => !p.isClosed()).entries()) {
		await shoot(page, `failed-${name.replaceAll(/\W+/g, '-')}-${n + 1}`).catch(() => {});
		await closePage(page);
	}
	return false;
}

// Runs cases, [name, function], several at a time as they mostly wait, each lane in a window of its own. Those of a chain,
// [case, ...], run one after the other, until one fails. A failed one is followed by a picture of each of its pages.
// Returns the exit code.
export async function runCases(browser, cases) {
	const chains = cases.map((c) => (typeof c[0] === 'string' ? [c] : c)).filter((chain) => !chosen.length || chain.some(([name]) => chosen.some((part) => name.includes(part))));
	let failed = 0;

	ran += chains.length;
	await Promise.all(Array.from({ length: LANES }, async () => {
		const lane = await browser.createBrowserContext();
		for (let chain; (chain = chains.shift()); ) {
			for (const one of chain) {
				if (await running.run({ window: lane, problems: [], pages: [] }, runCase, one))
					continue;
				failed++;
				break;
			}
		}
		await lane.close();
	}));
	return failed ? 1 : 0;
}
