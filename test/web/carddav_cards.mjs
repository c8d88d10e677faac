// tsdav writes cards and reads them back, for test/dav/travel.py. Reads {UID: card} and writes what the server has then.
//   KITH_CARDDAV_URL=… KITH_CARDDAV_USER=… KITH_CARDDAV_PASSWORD=… node carddav_cards.mjs FILE OUTPUT
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createDAVClient } from 'tsdav';

const { KITH_CARDDAV_URL: serverUrl, KITH_CARDDAV_USER: username, KITH_CARDDAV_PASSWORD: password, KITH_CARDDAV_BOOK = 'people' } = process.env;
const wanted = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const client = await createDAVClient({ serverUrl, credentials: { username, password }, authMethod: 'Basic', defaultAccountType: 'carddav' });
const book = (await client.fetchAddressBooks()).find((b) => b.url.endsWith(`/${KITH_CARDDAV_BOOK}/`));
const unfolded = (text) => text.replace(/\r?\n[ \t]/g, '');
const uidOf = (text) => /^UID[^:\n]*:(.*?)\r?$/m.exec(unfolded(text))[1];

async function all() {
	const cards = (await client.fetchVCards({ addressBook: book })).filter((c) => c.data);
	return new Map(cards.map((c) => [uidOf(c.data), c]));
}

const before = await all();
for (const [uid, text] of Object.entries(wanted)) {
	const known = before.get(uid);
	if (known && known.data === text)
		continue;
	const answer = known ? await client.updateVCard({ vCard: { ...known, data: text } })
		: await client.createVCard({ addressBook: book, filename: `${encodeURIComponent(uid)}.vcf`, vCardString: text });
	assert.ok(answer.ok, `${uid}: ${answer.status} ${await answer.text()}`);
}
writeFileSync(process.argv[3], JSON.stringify(Object.fromEntries([...await all()].map(([uid, c]) => [uid, c.data]))));
