// How long the console takes to show its first list, from an empty cache to the painted rows, for the bench:
//   KITH_URL=… KITH_KEY=… node console_first.mjs
// Prints "result", then median and longest in milliseconds, and how many there were.
import { openBrowser, openSignedIn } from './browser.mjs';

const { KITH_URL, KITH_KEY } = process.env;
const TIMES = 15;
const ROWS = 25;

// In the page: notes when the rows are there and have been painted.
function noteRows(rows) {
	const look = () => {
		if (document.querySelectorAll('.table:not(.busy) tbody th').length === rows)
			requestAnimationFrame(() => { window.rowsShown = performance.now(); });
		else
			requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
}

async function firstList(browser) {
	const context = await browser.createBrowserContext();
	const page = await context.newPage();

	await page.evaluateOnNewDocument(noteRows, ROWS);
	await openSignedIn(page, `${KITH_URL}/console#/people`, KITH_KEY);
	const shown = await (await page.waitForFunction(() => window.rowsShown)).jsonValue();
	const empty = await page.$$eval('.table tbody th', (cells) => cells.some((c) => !c.innerText.trim()));
	if (empty)
		throw new Error('a row of the list has no name');
	await context.close();
	return shown;
}

const browser = await openBrowser();
const times = [];
for (let i = 0; i < TIMES; i++)
	times.push(await firstList(browser));
await browser.close();
times.sort((a, b) => a - b);
console.log(`result ${times[times.length >> 1].toFixed(1)} ${times[times.length - 1].toFixed(1)} ${times.length}`);
