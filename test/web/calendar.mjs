// ical.js and node-ical read a calendar, and find the times of its events that a file has (test/lib/ical_times.py describes it).
//   KITH_CALENDAR=… KITH_TIMES=… KITH_WEB=build/web node calendar.mjs     (test/lib/server/web.c)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';

const { KITH_CALENDAR, KITH_TIMES } = process.env;
const asked = readFileSync(KITH_TIMES, 'utf8').trimEnd().split('\n').map((line) => {
	const [id, rule, times] = line.split('\t');
	const values = times.split(',');
	const more = values.at(-1) === '...';
	return { uid: `${id}@kith`, rule, times: (more ? values.slice(0, -1) : values).map(Number), more };
});
const answer = await fetch(KITH_CALENDAR);
assert.equal(answer.status, 200);
const text = await answer.text();
let wrong = 0;

function compare(judge, { rule, times, more }, found) {
	const same = times.every((t, i) => t === found[i]) && more === found.length > times.length;
	if (same) return;
	wrong++;
	console.error(`${judge}: ${rule}\n  kith  ${times.slice(0, 6)} ${more}\n  judge ${found.slice(0, 6)} ${found.length}`);
}

// --- ical.js, by the zones of the calendar -------------------------------------------------------

const calendar = new ICAL.Component(ICAL.parse(text));
for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
const events = new Map(calendar.getAllSubcomponents('vevent').map((v) => [v.getFirstPropertyValue('uid'), new ICAL.Event(v)]));
for (const one of asked) {
	const event = events.get(one.uid);
	const found = [];
	for (let i = event.iterator(), at = i.next(); at && found.length <= one.times.length; at = i.next()) found.push(at.toUnixTime());
	assert.equal(event.summary, one.rule.slice(one.rule.indexOf('RRULE')));
	compare('ical.js', one, found);
}

// --- node-ical, by the names of the zones, as far as Node.js and the system know the same of them -----

const parsed = Object.values(nodeIcal.sync.parseICS(text)).filter((v) => v.type === 'VEVENT');
const byUid = new Map(parsed.map((v) => [v.uid, v]));
assert.equal(byUid.size, events.size);
for (const all of asked) {
	const known = all.times.filter((t) => !all.rule.includes('COUNT=300') || t < Date.UTC(2025) / 1000);
	const one = { ...all, times: known, more: known.length < all.times.length || all.more };
	const event = byUid.get(one.uid);
	assert.equal(event.summary, one.rule.slice(one.rule.indexOf('RRULE')));
	const end = one.times.at(-1) + (one.more ? 0 : 366 * 86400);
	const between = event.rrule ? event.rrule.between(new Date(0), new Date(end * 1000), true) : [event.start];
	const found = between.map((at) => at.getTime() / 1000);
	if (one.more) found.push(Infinity); // there are more
	compare('node-ical', one, found);
}
console.log(`${asked.length} rules, ${wrong} differences`);
process.exit(wrong ? 1 : 0);
