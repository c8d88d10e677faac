// tsdav and dav, two libraries of web applications, use an address book: discovery, every report, writes, and what
// they read for one change.
//   KITH_CARDDAV_URL=… KITH_CARDDAV_USER=… KITH_CARDDAV_PASSWORD=… node carddav.mjs     (any server; see test/dav/judge.py)
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import dav from 'dav';
import { createDAVClient } from 'tsdav';

const { KITH_CARDDAV_URL, KITH_CARDDAV_USER: username, KITH_CARDDAV_PASSWORD: password, KITH_CARDDAV_BOOK = 'people' } = process.env;
const BYTES_OF_A_CHANGE = 10 * 1024;
const CARDS = 150;

// --- a relay that counts -----------------------------------------------------------------------

const target = new URL(KITH_CARDDAV_URL);
let bytes = 0;
const relay = createServer((client) => {
	const server = connect(target.port, target.hostname);
	server.on('data', (part) => (bytes += part.length));
	client.pipe(server).pipe(client);
	for (const one of [client, server])
		one.on('error', () => [client, server].forEach((other) => other.destroy()));
});
await new Promise((done) => relay.listen(0, '127.0.0.1', done));
const serverUrl = `http://127.0.0.1:${relay.address().port}`;

async function counted(run) {
	bytes = 0;
	return [await run(), bytes];
}

// --- tsdav ---------------------------------------------------------------------------------------

const card = (uid, name, ...lines) => ['BEGIN:VCARD', 'VERSION:3.0', `UID:${uid}`, `FN:${name}`, `N:${name.split(' ').reverse().join(';')};;;`,
	'EMAIL;TYPE=INTERNET,HOME:ts@example.com', 'X-OWN;X-P="a;b":c\\,d', ...lines, 'END:VCARD', ''].join('\r\n');
const client = await createDAVClient({ serverUrl, credentials: { username, password }, authMethod: 'Basic', defaultAccountType: 'carddav' });

async function book() {
	const books = await client.fetchAddressBooks();
	const found = books.find((b) => b.url.endsWith(`/${KITH_CARDDAV_BOOK}/`));
	assert.ok(found, JSON.stringify(books));
	return found;
}
const cards = async () => (await client.fetchVCards({ addressBook: await book() })).filter((c) => c.data);
const named = async (name) => (await cards()).find((c) => c.data.includes(`FN:${name}`));

for (const old of await cards())
	assert.ok((await client.deleteVCard({ vCard: old })).ok);
const empty = await book();
assert.ok(empty.ctag && empty.syncToken && empty.displayName, JSON.stringify(empty));
assert.ok(['syncCollection', 'addressbookMultiget', 'addressbookQuery'].every((r) => empty.reports.includes(r)), `${empty.reports}`);

for (let i = 0; i < CARDS; i++) {
	const made = await client.createVCard({ addressBook: empty, filename: `ts-${i}.vcf`, vCardString: card(`ts-${i}`, `Ts Number${i}`) });
	assert.ok(made.ok, `${made.status} ${await made.text()}`);
}
assert.equal((await cards()).length, CARDS);
const full = await book();
assert.notEqual(`${full.ctag}`, `${empty.ctag}`);
// Nothing has changed, so nothing moves.
assert.deepEqual([(await book()).ctag, (await book()).syncToken], [full.ctag, full.syncToken]);

// What has changed since, as the library tells it.
let state = { ...full, objects: await cards(), objectMultiGet: client.addressBookMultiGet };
async function changes() {
	const [result, read] = await counted(() => client.smartCollectionSyncDetailed({ collection: state, method: 'webdav' }));
	const { created, updated, deleted } = result.objects;
	const gone = new Set([...updated, ...deleted].map((o) => o.url));
	state = { ...state, syncToken: result.syncToken, objects: [...state.objects.filter((o) => !gone.has(o.url)), ...created, ...updated] };
	return [created, updated, deleted].map((list) => list.length).concat(read);
}
assert.deepEqual((await changes()).slice(0, 3), [0, 0, 0]);

const first = await named('Ts Number1\r');
first.data = first.data.replace('FN:Ts Number1', 'FN:Ts Changed');
assert.ok((await client.updateVCard({ vCard: first })).ok);
let [created, updated, deleted, read] = await changes();
console.log(`tsdav read ${read} bytes for one change of ${CARDS} cards`);
assert.deepEqual([created, updated, deleted], [0, 1, 0]);
assert.ok(read < BYTES_OF_A_CHANGE, `${read} bytes`);
assert.match((await named('Ts Changed')).data, /X-OWN;X-P="a;b":c\\,d/i);

// An old tag: the server has something newer.
first.data = first.data.replace('FN:Ts Changed', 'FN:Ts Lost');
assert.equal((await client.updateVCard({ vCard: first })).status, 412);
await client.createVCard({ addressBook: full, filename: 'ts-new.vcf', vCardString: card('ts-new', 'Ts New') });
assert.ok((await client.deleteVCard({ vCard: await named('Ts Number2\r') })).ok);
[created, updated, deleted, read] = await changes();
assert.deepEqual([created, updated, deleted], [1, 0, 1]);
assert.ok(read < BYTES_OF_A_CHANGE, `${read} bytes`);
const urls = (list) => list.map((o) => o.url).sort();
assert.deepEqual(urls(state.objects), urls(await cards()));
await assert.rejects(client.smartCollectionSync({ collection: { ...state, syncToken: 'http://example.com/no-token' }, method: 'webdav' }));

// --- dav -----------------------------------------------------------------------------------------

// This library does not follow a redirect to a path, so it is told where the books are.
const found = await fetch(`${serverUrl}/.well-known/carddav`, { redirect: 'manual' });
const server = new URL(found.headers.get('location') ?? '/', serverUrl).href;
const xhr = new dav.transport.Basic(new dav.Credentials({ username, password }));
const account = await dav.createAccount({ accountType: 'carddav', server, xhr, loadCollections: true, loadObjects: true });
const theirs = () => account.addressBooks.find((b) => b.url.endsWith(`/${KITH_CARDDAV_BOOK}/`));
assert.equal(theirs().objects.filter((o) => o.addressData).length, CARDS);
await dav.createCard(theirs(), { filename: 'dav-new.vcf', data: card('dav-new', 'Dav New'), contentType: 'text/vcard; charset=utf-8', xhr });
const [after] = (await cards()).filter((c) => c.data.includes('FN:Dav New'));
assert.ok(after);
const known = theirs().objects.find((o) => o.addressData?.includes('FN:Ts Changed'));
known.addressData = known.addressData.replace('FN:Ts Changed', 'FN:Dav Changed');
await dav.updateCard(known, { contentType: 'text/vcard; charset=utf-8', xhr });
await dav.syncAddressBook(theirs(), { syncMethod: 'webdav', xhr });
assert.ok(known.etag && await named('Dav Changed'));
await dav.deleteCard(known, { xhr });
assert.equal(await named('Dav Changed'), undefined);
assert.equal((await cards()).length, CARDS);
process.exit(0);
