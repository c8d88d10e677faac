// The import page: a file is dropped, mapped, checked, imported once, and undone.
import { strict as assert } from 'node:assert';
import * as b from './browser.mjs';
import { click, closePage, see, seeText } from './browser.mjs';
import { makeType } from './console_board.mjs';
import { addressOf, counted, entered, me, visit, world } from './console_tab.mjs';
import { api } from './world.mjs';

const titled = async (title) => (await api('GET', `/v1/people?limit=100&filter[jobTitle][eq]=${title}`)).data.items;

// A page of the import, with all files that it saves in window.saved.
async function opened(options) {
	const page = await entered({ hash: '#/import', name: 'Import', ...options });
	await page.evaluate(() => {
		const make = URL.createObjectURL;
		window.saved = [];
		URL.createObjectURL = (blob) => {
			blob.text().then((text) => window.saved.push(text));
			return make.call(URL, blob);
		};
		HTMLAnchorElement.prototype.click = () => {};
	});
	return page;
}

// Drops a file. repeat: how often the last line is written. how: gzip packs it, latin1 has a byte for each character.
const drop = async (page, name, text, repeat = 1, how = '', place = '.drop') => {
	await page.waitForSelector(place);
	await page.evaluate(async (n, s, times, h, where) => {
		const lines = s.split('\n');
		const last = lines.pop();
		const content = lines.map((line) => `${line}\n`).join('') + last.repeat(times);
		const plain = new Blob([h === 'latin1' ? Uint8Array.from(content, (c) => c.charCodeAt(0)) : content]);
		const part = h === 'gzip' ? await new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob() : plain;
		const files = new DataTransfer();
		files.items.add(new File([part], n));
		const target = document.querySelector(where);
		for (const type of ['dragenter', 'dragover', 'drop']) {
			const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files });
			target.dispatchEvent(event);
			// The browser would open the file instead.
			if (type !== 'dragenter' && !event.defaultPrevented) throw new Error(`${type} is not taken`);
		}
	}, name, text, repeat, how, place);
};

const imported = (title, n) => `First Name,Surname,emial,Job Title,Company,Birthday,Shoe size\n${Array.from({ length: n }, (_, i) => `Ada,${title} ${i},${title.toLowerCase()}${i}@import.example,${title},${title} Works,${i === 7 ? 'someday' : '1985-04-12'},42`).join('\n')}\n`;

// 99 of 100 rows come in, one is refused with its reason. The same file makes nothing twice. The undo leaves what somebody changed.
async function importsOnce() {
	const file = imported('Importee', 100);
	const page = await opened();

	await b.checkAccess(page, 'import');
	await drop(page, 'people.csv', file);
	await seeText(page, '100 people');
	await seeText(page, 'Suggested: please check');
	await seeText(page, '1 column has no field here and is left out: Shoe size.');
	await b.checkAccess(page, 'mapping');
	await b.shoot(page, 'import-desktop-light');
	await click(page, 'button', 'Check');
	await seeText(page, '99 people would be created.');
	await seeText(page, 'Line 9: Birthday: is not a date');
	assert.equal((await titled('Importee')).length, 0, 'a dry run changes nothing');
	await b.checkAccess(page, 'checked');
	await b.shoot(page, 'import-checked-desktop-light');
	await click(page, 'button', 'Import 99 people');
	await seeText(page, 'The file was imported.');
	await b.checkAccess(page, 'imported');
	const people = await titled('Importee');
	assert.equal(people.length, 99);
	assert.deepEqual(people.find((p) => p.lastName === 'Importee 3').emails, ['importee3@import.example']);
	assert.equal(people[0].companies[0].name, 'Importee Works');

	await click(page, 'button', 'Save 1 refused record');
	await page.waitForFunction(() => window.saved.length === 1, { polling: 40 });
	const refused = (await page.evaluate(() => window.saved[0])).replace('\ufeff', '').trim().split('\n');
	assert.equal(refused.length, 2);
	assert.match(refused[0], /Shoe size,_refused$/);
	assert.match(refused[1], /^Ada,Importee 7,.*,someday,42,line 9: Birthday: is not a date$/);

	await click(page, 'button', 'Another file');
	await drop(page, 'copy.csv', file);
	await seeText(page, 'This file was imported already.');
	assert.equal((await titled('Importee')).length, 99);
	await click(page, 'button', 'Update existing records by this file');
	await click(page, 'button', 'Check');
	await seeText(page, '0 people would be created or updated.');
	await click(page, 'button', 'Another file');
	await drop(page, 'again.csv', file);

	await api('PATCH', `/v1/people/${people[0].id}`, { firstName: 'Grace' });
	await click(page, 'button', 'Undo');
	await b.checkAccess(page, 'undo');
	await click(page, 'button', 'Delete what was imported');
	await seeText(page, '98 records were deleted.');
	await seeText(page, '1 record has changed since its import and was kept');
	assert.deepEqual((await titled('Importee')).map((p) => p.firstName), ['Grace']);
	await api('DELETE', `/v1/people/${people[0].id}`);
	await closePage(page);
}

// A file that is dropped on any page, with a column that has no place: one drag, two clicks to import it, two to undo it.
async function countsClicks() {
	const page = await entered();
	const by = counted(page);

	await drop(page, 'clicks.csv', imported('Clicker', 120), 1, '', '.table');
	await seeText(page, '120 people');
	await seeText(page, '1 column has no field here and is left out: Shoe size.');
	await by.click('button', 'Check');
	await seeText(page, '119 people would be created.');
	await seeText(page, 'is left out: Shoe size.');
	await seeText(page, 'kith has no field for it');
	await by.click('button', 'Import 119 people');
	await seeText(page, 'The file was imported.');
	assert.equal(by.n, 2);
	await by.click('button', 'Undo');
	await by.click('button', 'Delete what was imported');
	await seeText(page, '119 records were deleted.');
	assert.equal(by.n, 4);
	assert.equal((await titled('Clicker')).length, 0);

	// A file beside an open dialog changes nothing.
	await visit(page, '#/people', 'People');
	await click(page, 'button', 'Columns');
	await drop(page, 'beside.csv', imported('Beside', 1), 1, '', 'dialog');
	await see(page, 'heading', 'Columns');
	assert.match(await addressOf(page), /#\/people/);
	await closePage(page);
}

// An import that is stopped goes on in another tab's life: after a reload, by the same file.
async function goesOn() {
	const file = imported('Stopper', 250);
	const page = await opened();
	let batches = 0;
	let cut = true; // no batch but the first gets through

	await drop(page, 'stopped.csv', file);
	await click(page, 'button', 'Check');
	await see(page, 'button', 'Import 249 people');
	await page.setRequestInterception(true);
	page.on('request', (request) => {
		const create = request.method() === 'POST' && request.url().endsWith('/v1/people/batch/create');
		if (create && ++batches > 1 && cut) return void request.abort();
		return void request.continue();
	});
	await click(page, 'button', 'Import 249 people');
	await seeText(page, 'Importing: 100 of 250');
	const asks = await page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
	assert.ok(asks, 'nobody is asked before the tab is closed');
	await page.reload();
	cut = false;
	await see(page, 'heading', 'Import');
	await drop(page, 'stopped.csv', file);
	await seeText(page, 'An import of this file was stopped.');
	await click(page, 'button', 'Continue');
	await seeText(page, 'The file was imported.');
	const count = async () => (await api('POST', '/v1/people/search', { filter: { jobTitle: { eq: 'Stopper' } }, limit: 1, count: 'exact' })).data.pagination.count;
	assert.equal(await count(), 249);
	await click(page, 'button', 'Undo');
	await click(page, 'button', 'Delete what was imported');
	await seeText(page, '249 records were deleted.');
	await seeText(page, '1 company that was made for them was deleted.');
	await closePage(page);
}

// Companies that were made by name go, too, in a few requests for all of them. Those that something refers to stay, and so do those
// that somebody changed.
async function undoesCompanies() {
	const text = `fullName,jobTitle,Company\n${Array.from({ length: 60 }, (_, i) => `Uma ${i},Unmaker,Unmade ${String(i % 30).padStart(2, '0')}`).join('\n')}\n`;
	const page = await opened();
	let sent = 0;

	await drop(page, 'companies.csv', text);
	await click(page, 'button', 'Check');
	await click(page, 'button', 'Import 60 people');
	await seeText(page, 'The file was imported.');
	const unmade = async () => (await api('GET', '/v1/companies?limit=100&filter[name][like]=Unmade')).data.items.sort((x, y) => x.name.localeCompare(y.name));
	const companies = await unmade();
	assert.equal(companies.length, 30);
	const entity = (i) => ({ entity: { id: companies[i].id } });
	const uses = [
		await api('POST', '/v1/people', { fullName: 'Uses Unmade', companies: [{ id: companies[0].id }, { id: companies[1].id }] }),
		await api('POST', '/v1/notes', { ...entity(2), content: 'Keep', visibility: 'public' }),
		await api('POST', '/v1/tasks', { ...entity(3), title: 'Keep', dueAt: '2031-01-01' }),
		await api('POST', '/v1/interactions', { ...entity(4), title: 'Kept', activityType: 'call', dateTime: '2024-01-01T00:00:00.000Z' }),
		await api('POST', '/v1/reminders', { ...entity(5), name: 'Keep', visibility: 'private', recurrenceRule: 'DTSTART:20310101T000000Z\nRRULE:FREQ=YEARLY' }),
		await api('PATCH', `/v1/companies/${companies[6].id}`, { industry: 'Kept' }),
	];
	assert.ok(uses.every(({ data }) => data.id));

	page.on('request', (request) => (sent += request.url().includes('/v1/') ? 1 : 0));
	await click(page, 'button', 'Undo');
	await click(page, 'button', 'Delete what was imported');
	await seeText(page, '23 companies that were made for them were deleted.');
	assert.ok(sent < 60, `the undo took ${sent} requests`);
	assert.deepEqual((await unmade()).map(({ name }) => name), companies.slice(0, 7).map(({ name }) => name));
	assert.equal((await titled('Unmaker')).length, 0);
	await closePage(page);
	await api('POST', '/v1/companies/batch/delete', { records: companies.slice(0, 7).map(({ id }) => ({ id })) });
	await api('DELETE', `/v1/people/${uses[0].data.id}`);
}

// What one browser undid, another imports again, although the server still has the answers of the first import. The other
// browser is this one without its journal.
async function importsUndone() {
	const page = await opened();
	const label = 'Make a public group of 1 label that has none: Undone crew';
	const clear = () => page.evaluate(async () => {
		const done = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }));
		const database = await done(indexedDB.open('kith.imports'));
		for (const name of database.objectStoreNames) await done(database.transaction(name, 'readwrite').objectStore(name).clear());
		database.close();
	});

	for (const heading of ['Remark', 'Labels']) {
		const file = `fullName,jobTitle,${heading}\nUna Undoer,Undoer,Undone crew\nUri Undoer,Undoer,\n`;
		const grouped = heading === 'Labels';
		const imports = async () => {
			await drop(page, 'undone.csv', file);
			if (grouped) await click(page, 'checkbox', label);
			await click(page, 'button', 'Check');
			await click(page, 'button', 'Import 2 people');
			await seeText(page, 'The file was imported.');
		};
		const undoes = async () => {
			await click(page, 'button', 'Undo');
			await click(page, 'button', 'Delete what was imported');
			await seeText(page, '2 records were deleted.');
			if (grouped) await seeText(page, '1 group was deleted.');
		};

		await imports();
		await undoes();
		await click(page, 'button', 'Another file');
		await clear();
		await imports();
		const again = await titled('Undoer');
		assert.equal(again.length, 2);
		assert.deepEqual(again.find((p) => p.fullName === 'Una Undoer').groups.map((g) => g.name), grouped ? ['Undone crew'] : []);
		await click(page, 'button', 'Another file');
		await drop(page, 'undone.csv', file);
		await seeText(page, 'This file was imported already.');
		await undoes();
		assert.equal((await titled('Undoer')).length, 0);
		// The group that the undo deleted is unknown again.
		if (grouped) {
			await click(page, 'button', 'Import this file again');
			await see(page, 'checkbox', label);
		} else await click(page, 'button', 'Another file');
	}
	await closePage(page);
}

async function fitsPhone() {
	const page = await opened({ size: 'phone' });

	await drop(page, 'phone.csv', imported('Phoner', 10));
	await seeText(page, '1 column has no field here and is left out: Shoe size.');
	const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
	assert.ok(wide <= 0, `the import is ${wide} px wider than a phone`);
	await b.checkAccess(page, 'import on a phone', { contrast: false });
	await b.shoot(page, 'import-phone-light');
	await closePage(page);
}

async function readsOthers() {
	const page = await opened();
	const card = 'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg\r\nTITLE:Carder\r\nitem1.EMAIL;PREF:joerg@card.example\r\nADR:;;Street 1;Ber\r\n lin;;10115;Germany\r\nEND:VCARD\r\n';

	await drop(page, 'cards.vcf', card);
	await seeText(page, 'Street 1, Berlin, 10115, Germany');
	await click(page, 'button', 'Check');
	await click(page, 'button', 'Import 1 person');
	await seeText(page, 'The file was imported.');
	const [made] = await titled('Carder');
	assert.deepEqual([made.firstName, made.lastName, made.emails, made.addresses], ['Jörg', 'Müller', ['joerg@card.example'], ['Street 1, Berlin, 10115, Germany']]);

	await click(page, 'button', 'Another file');
	await drop(page, 'people.ndjson', '{"fullName":"Lin Carder","jobTitle":"Carder","emails":["lin@card.example"],"id":"per_x"}\nnot json\n');
	await click(page, 'button', 'Check');
	await seeText(page, 'Line 2: is not a JSON object');
	await click(page, 'button', 'Import 1 person');
	await seeText(page, 'The file was imported.');

	// A group's own fields, and a label that becomes a group.
	await click(page, 'button', 'Another file');
	await drop(page, 'custom.csv', 'fullName,jobTitle,Memo,Labels\nEve Carder,Carder,likes cards,Card players\n');
	await seeText(page, '1 column has no field here and is left out: Memo.');
	await page.select(`.choices select:has(option[value="${world.group.id}"])`, world.group.id);
	await b.seeNoText(page, 'no field here');
	await click(page, 'checkbox', 'Make a public group of 1 label that has none: Card players');
	await click(page, 'button', 'Check');
	await click(page, 'button', 'Import 1 person');
	await seeText(page, 'The file was imported.');
	const people = await titled('Carder');
	assert.equal(people.length, 3);
	const eve = people.find((p) => p.fullName === 'Eve Carder');
	assert.deepEqual(eve.customFieldValues[world.group.id].Memo, 'likes cards');
	assert.deepEqual(eve.groups.map((g) => g.name).sort(), ['Card players', 'Customers']);
	await click(page, 'button', 'Undo');
	await click(page, 'button', 'Delete what was imported');
	await seeText(page, '1 group was deleted.');
	assert.equal((await titled('Carder')).length, 2);
	await closePage(page);
	await api('POST', '/v1/people/batch/delete', { records: people.map(({ id }) => ({ id })) });
}

// A file of a German Outlook: forms of address, an address in several columns, words for choices, companies in one cell. What
// finds no place is counted.
async function readsGerman() {
	const whole = (await api('POST', '/v1/companies', { name: 'Lesen; Schreiben' })).data;
	const page = await opened();

	await drop(page, 'outlook.csv', 'Anrede;Titel;Vorname;Nachname;Companies;Firma;Position;Job Title;Adresse;PLZ;Ort;E-Mail-Adresse;Geburtstag;Geschlecht\n'
		+ 'Frau;Dr.;Lea;Lesewitz;"Lesewerk; Lesehaus";"Druck; Papier";Leserin;Vorleserin;Hauptstr. 5;50667;Köln;lea@lese.example;0.0.00;Weiblich\n'
		+ ';;Leo;Lesewitz;"Lesen; Schreiben";;Leserin;;;;;leo@lese.example;;Baum\n');
	await click(page, 'button', 'Check');
	await click(page, 'button', 'Import 2 people');
	await seeText(page, 'The file was imported.');
	await seeText(page, 'Words that are not a choice of “Gender” were left out: 1');
	await seeText(page, 'Values of a second column for “Job title” were left out: 1');
	const found = await titled('Leserin');
	const lea = found.find((p) => p.firstName === 'Lea');
	assert.equal(found.length, 2);
	assert.deepEqual([lea.fullName, lea.gender, lea.birthday, lea.addresses], ['Frau Dr. Lea Lesewitz', 'Female', null, ['Hauptstr. 5, Köln, 50667']]);
	assert.deepEqual(lea.companies.map((c) => c.name).sort(), ['Druck; Papier', 'Lesehaus', 'Lesewerk']);
	assert.deepEqual(found.find((p) => p.firstName === 'Leo').companies.map((c) => c.id), [whole.id]);
	await click(page, 'button', 'Undo');
	await click(page, 'button', 'Delete what was imported');
	await seeText(page, '3 companies that were made for them were deleted.');
	await closePage(page);
	await api('DELETE', `/v1/companies/${whole.id}`);
}

// "Name" beside "Vorname" is a last name, what has no @ is no e-mail address, and lines that repeat the header, or tell of the file below the
// last record, are no records. A name with a comma may stand in quotes.
async function readsLists() {
	const page = await opened();

	/* The columns of a report of contacts are those of accounts, too. */
	await drop(page, 'report.csv', 'Contact ID,First Name,Last Name,Account Name,Account Owner,Mailing City\n003,Ann,Ash,Ash AG,Ada,Bonn\n');
	await seeText(page, '1 person from Salesforce');
	await click(page, 'button', 'Another file');
	await drop(page, 'list.csv', 'Vorname;Name;Position;E-Mail;Firma;Geburtstag;Web\nMia;Moor;Listed;mia@list.example;"""Moor, Inc."",Marsh";"March 1, 1974";http\\://moor.example\n;;;;;;\nZweite;;;;;;\n'
		+ 'Vorname;Name;Position;E-Mail;Firma;Geburtstag;Web\nMax;Moor;Listed;n/a;Fenn (https://www.notion.so/Fenn-01);3 Apr 1980;\n\nStand: heute\nVon Ada\n');
	await seeText(page, 'lines and cards that are no records: 4');
	await click(page, 'button', 'Check');
	await click(page, 'button', 'Import 2 people');
	await seeText(page, 'The file was imported.');
	await seeText(page, 'E-mail addresses without an @ were left out: 1');
	const found = (await titled('Listed')).sort((a, b) => a.fullName.localeCompare(b.fullName));
	assert.deepEqual(found.map((p) => [p.firstName, p.lastName, p.fullName, p.emails]), [['Max', 'Moor', 'Max Moor', []], ['Mia', 'Moor', 'Mia Moor', ['mia@list.example']]]);
	assert.deepEqual(found.map((p) => [p.birthday, p.urls, p.companies.map((c) => c.name).sort()]), [['1980-04-03', [], ['Fenn']], ['1974-03-01', ['http://moor.example'], ['Marsh', 'Moor, Inc.']]]);
	await click(page, 'button', 'Undo');
	await click(page, 'button', 'Delete what was imported');
	await seeText(page, '3 companies that were made for them were deleted.');
	await closePage(page);
}

// Deals, notes and tasks of other programs name contacts, deals and users by name and address; the page names what is not found.
async function importsDeals() {
	const type = await makeType('Yachts', []);
	const groups = [{ id: type.group.id }];
	const company = (await api('POST', '/v1/companies', { name: 'Yacht Works, Ltd', groups })).data;
	const buyer = (await api('POST', '/v1/people', { fullName: 'Yara Buyer', emails: ['yara@yacht.example'], groups })).data;
	const outside = (await api('POST', '/v1/people', { fullName: 'Yoko Outside' })).data;
	const twins = await Promise.all([1, 2].map(async () => (await api('POST', '/v1/people', { fullName: 'Yin Twin', groups })).data));
	const page = await opened();
	const imports = async (n, things) => {
		await click(page, 'button', 'Check');
		await seeText(page, `${n} ${things} would be created.`);
		await click(page, 'button', `Import ${n} ${things}`);
		await seeText(page, 'The file was imported.');
	};

	await drop(page, 'deals.csv', 'Record ID,Deal Name,Deal Stage,Amount,Close Date,Deal owner,Associated Contact,Associated Company\n'
		+ `71,Sloop,Lead,"1,000.50",2026-03-04,${me.email},"Buyer, Yara (yara@yacht.example); Yoko Outside","Yacht Works, Ltd"\n`
		+ '72,Yawl,Won,2000,,Somebody Else,Nobody Known; Yin Twin,\n');
	await seeText(page, '2 records from HubSpot');
	await page.waitForSelector('main button.primary:disabled'); // nothing is checked without a type
	const chosen = `${type.group.id} Yachts`;
	await page.select(`.choices select:has(option[value="${chosen}"])`, chosen);
	await b.checkAccess(page, 'import of deals');
	await b.shoot(page, 'import-deals-desktop-light');
	await imports(2, 'Yachts');
	for (const text of ['that do not exist were left out: 1', 'that several records match were left out: 1', 'outside the group were left out: 1', 'Unknown users were left out: 1'])
		await seeText(page, text);
	const deals = (await api('GET', `${type.path}?limit=100`)).data.items;
	const sloop = deals.find((d) => d.name === 'Sloop');
	const values = sloop.customFieldValues;
	assert.deepEqual([sloop.people.map((p) => p.id), sloop.companies.map((c) => c.id)], [[buyer.id], [company.id]]);
	assert.deepEqual([values.Stage, values.Amount, values.Owner.map((u) => u.id)], ['Lead', '1000.5', [me.id]]);
	assert.deepEqual(deals.find((d) => d.name === 'Yawl').people, []);

	// A note is about the deal that it names, else about its contact. One that names nothing is refused.
	await click(page, 'button', 'Another file');
	await drop(page, 'notes.csv', 'Note body,Create date,Associated Contact,Associated Deal\n"<div><p>About <b>the</b> sloop</p><ul><li>a</li><li>Ada <ada@x.example> &amp; <a href=""https://x.example/1"">offer</a></li></ul></div>",2024-05-06 07:08,Yara Buyer,Sloop\nAbout Yara,2024-05-06 07:08,Yara Buyer,No such deal\nAbout nothing,2024-05-06 07:08,Yin Twin,\n');
	await seeText(page, '3 notes from HubSpot');
	await page.select(`.choices select:has(option[value="${chosen}"])`, chosen);
	await imports(2, 'notes');
	await seeText(page, 'Line 4: there is no record with the name, address or id “Yin Twin”, or there are several');
	const notesOf = async (id) => (await api('GET', `/v1/notes?entity.id=${id}`)).data.items;
	const [note] = await notesOf(sloop.id);
	assert.deepEqual([note.content, note.visibility, note.createdAt], ['About the sloop\n\n- a\n- Ada <ada@x.example> & offer (https://x.example/1)', 'public', '2024-05-06T07:08:00.000Z']);
	assert.deepEqual((await notesOf(buyer.id)).map((x) => x.content), ['About Yara']);
	await api('PATCH', `/v1/notes/${note.id}`, { content: 'Changed since' });
	await click(page, 'button', 'Undo');
	await click(page, 'button', 'Delete what was imported');
	await seeText(page, '1 record was deleted.');
	await seeText(page, '1 record has changed since its import and was kept');

	// Tasks that are done without a time were done on their day. kith's own names need no program.
	await click(page, 'button', 'Another file');
	await drop(page, 'tasks.csv', `Activity - Subject,Activity - Due date,Activity - Due time,Activity - Done,Activity - Assigned to user,Activity - Contact person\nCall Yara,2024-02-03,14:30,Done,${me.fullName},Yara Buyer\nWrite Yara,2031-02-03,,To do,,yara@yacht.example\n`);
	await seeText(page, '2 tasks from Pipedrive');
	await imports(2, 'tasks');
	const tasks = (await api('GET', `/v1/tasks?filter[entity][in]=${buyer.id}`)).data.items.sort((x, y) => x.dueAt.localeCompare(y.dueAt));
	assert.deepEqual(tasks.map((x) => [x.title, x.dueAt, x.dueTime, x.completedAt]), [['Call Yara', '2024-02-03', '14:30', '2024-02-03T00:00:00.000Z'], ['Write Yara', '2031-02-03', null, null]]);
	await click(page, 'button', 'Another file');
	await drop(page, 'calls.ndjson', `${JSON.stringify({ title: 'Rang', activityType: 'call', dateTime: '2024-01-01T00:00:00.000Z', entity: { id: 'per_00000000-0000-7000-8000-000000000000', fullName: 'Yara Buyer', entityType: 'person' } })}\n`);
	await seeText(page, '1 interaction');
	await imports(1, 'interaction');
	assert.deepEqual((await api('GET', `/v1/interactions?entity.id=${buyer.id}`)).data.items.map((x) => x.title), ['Rang']);
	await closePage(page);
	await api('POST', '/v1/people/batch/delete', { records: [buyer, outside, ...twins].map(({ id }) => ({ id })) });
	await api('DELETE', `/v1/companies/${company.id}`);
	await api('DELETE', `/v1/groups/${type.group.id}`);
}

// A file with people and companies: each kind is imported and undone by itself. Fax numbers are no phones, and tasks get a day.
async function importsBothKinds() {
	const page = await opened();
	const imports = async (n, things) => {
		await click(page, 'button', 'Check');
		await click(page, 'button', `Import ${n} ${things}`);
		await seeText(page, 'The file was imported.');
	};
	const undoes = async (n) => {
		await click(page, 'button', 'Undo');
		await click(page, 'button', 'Delete what was imported');
		await seeText(page, n === 1 ? '1 record was deleted.' : `${n} records were deleted.`);
	};
	const card = (lines) => `BEGIN:VCARD\r\nVERSION:4.0\r\n${lines.map((line) => `${line}\r\n`).join('')}END:VCARD\r\n`;
	const cards = card(['FN:Pia Partner', 'N:Partner;Pia;;;', 'TITLE:Partner', 'ORG:Parts Ltd', 'TEL;TYPE=fax:11', 'TEL:12'])
		+ card(['FN:Parts Ltd', 'KIND:org', 'TEL:13']) + card(['FN:Pio Partner', 'TITLE:Partner']);
	const company = async (name) => (await api('GET', `/v1/companies?filter[name][eq]=${encodeURIComponent(name)}`)).data.items;

	await drop(page, 'parts.vcf', cards);
	await seeText(page, '1 company');
	await seeText(page, 'The file has people and companies.');
	await b.checkAccess(page, 'import of two kinds');
	await imports(1, 'company');
	assert.deepEqual((await company('Parts Ltd')).map((x) => x.phones), [['13']]);
	assert.equal((await titled('Partner')).length, 0);
	await click(page, 'button', 'Its 2 people');
	await seeText(page, '2 people');
	await imports(2, 'people');
	const pia = (await titled('Partner')).find((x) => x.firstName === 'Pia');
	assert.deepEqual([pia.phones, pia.companies.map((x) => x.name)], [['12'], ['Parts Ltd']]);
	// The file was imported, each kind once.
	await click(page, 'button', 'Another file');
	await drop(page, 'parts.vcf', cards);
	await seeText(page, 'This file was imported already.');
	await click(page, 'button', 'Its 2 people');
	await seeText(page, 'This file was imported already.');
	await undoes(2);
	assert.equal((await company('Parts Ltd')).length, 1);
	await click(page, 'button', 'Its 1 company');
	await undoes(1);
	assert.equal((await company('Parts Ltd')).length, 0);

	await click(page, 'button', 'Another file');
	await drop(page, 'capsule.csv', 'Type,First Name,Last Name,Organisation,About,Job Title,Email Address\nPerson,Pat,Partner,Parts AG,,Partner,pat@parts.example\nOrganisation,,,Parts AG,Makes parts,,\n');
	await seeText(page, '1 company from Capsule');
	await imports(1, 'company');
	assert.deepEqual((await company('Parts AG')).map((x) => x.description), ['Makes parts']);
	await undoes(1);

	await click(page, 'button', 'Another file');
	await drop(page, 'google.csv', 'First Name,Organization Title,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value\nPim,Partner,pim@parts.example,Work Fax,21,Mobile,22\n');
	await imports(1, 'person');
	await seeText(page, 'Numbers of fax machines and pagers were left out: 1');
	const pim = (await titled('Partner'))[0];
	assert.deepEqual(pim.phones, ['22']);
	await click(page, 'button', 'Another file');
	await drop(page, 'tasks.csv', 'Activity - Subject,Activity - Due date,Activity - Done,Activity - Add time,Activity - Contact person\nPart one,,Done,2024-02-03 10:00,pim@parts.example\nPart two,,To do,2024-02-03 10:00,pim@parts.example\n');
	await imports(2, 'tasks');
	await seeText(page, 'Tasks without a due date got the day');
	const tasks = (await api('GET', `/v1/tasks?filter[entity][in]=${pim.id}`)).data.items.sort((x, y) => x.dueAt.localeCompare(y.dueAt));
	assert.deepEqual(tasks.map((x) => [x.title, x.dueAt.slice(0, 4) === '2024', x.completedAt]), [['Part one', true, '2024-02-03T00:00:00.000Z'], ['Part two', false, null]]);
	await undoes(2);
	await closePage(page);
	await api('DELETE', `/v1/people/${pim.id}`);
}

// Hostile files: the page says what is wrong, stays alive while it reads, and runs nothing.
async function survives() {
	const page = await opened();
	const cases = [
		['quotes.csv', 'fullName\n"', 'The quotation mark in line 2 has no closing one.', 8000001],
		['open.vcf', 'BEGIN:VCARD\n\n', 'The card that begins in line 1 has no END:VCARD.', 1],
		['empty.csv', '', 'The file has no header.', 1],
		['wide.csv', ',', 'The file has more than 1,000 columns.', 100000],
		['deep.ndjson', `{"emails":${'['.repeat(20000)}${']'.repeat(20000)}}`, 'is not a JSON object', 1],
		['many.csv', 'fullName\nx\r', 'The file has more than 100,000 records.', 100001],
		['records.ndjson', '{}\n{}', 'is not a JSON object', 3],
	];

	// How often the reader lets the page do something else, whatever the speed of the machine.
	await page.evaluate(() => {
		const later = window.setTimeout;
		window.pauses = 0;
		window.setTimeout = (fn, ms, ...rest) => {
			if (ms === undefined) window.pauses++;
			return later(fn, ms, ...rest);
		};
	});
	for (const [name, text, says, repeat] of cases) {
		await page.evaluate(() => (window.pauses = 0));
		await drop(page, name, text, repeat);
		await seeText(page, says);
		const pauses = await page.evaluate(() => window.pauses);
		if (repeat > 1000000) assert.ok(pauses > 3, `the page did nothing while it read ${name}: ${pauses} pauses`);
		if (name.endsWith('.ndjson')) await click(page, 'button', 'Another file');
	}

	await drop(page, 'markup.csv', 'fullName,<img src=x onerror=alert(1)>\n<script>alert(1)</script>,"=1+1"\n');
	await seeText(page, '<script>alert(1)</script>');
	await click(page, 'button', 'Another file');
	await drop(page, 'commas.csv', `fullName,Company\nComma Person,"${'A, '.repeat(60)}""B"" C"\n`);
	await seeText(page, 'Comma Person');
	await click(page, 'button', 'Another file');
	await drop(page, 'latin.csv', 'fullName\nJ\xf6rg', 1, 'latin1');
	await seeText(page, 'The file is not UTF-8');
	await click(page, 'button', 'Read it as windows-1252');
	await seeText(page, 'Jörg');
	await click(page, 'button', 'Another file');
	await drop(page, 'packed.csv.gz', 'fullName\nPacked Person', 1, 'gzip');
	await seeText(page, 'Packed Person');
	await click(page, 'button', 'Another file');
	await drop(page, 'bomb.csv.gz', 'fullName\n ', 101 << 20, 'gzip');
	await seeText(page, 'The file is larger than 100 MB.');
	await closePage(page);
}

// A birthday in three columns, the number of a house beside its street, and cards that are lists of other cards.
async function readsParts() {
	const page = await opened();

	await drop(page, 'birds.csv', 'First Name,Last Name,Display Name,Primary Email,Screen Name,Home Address,Home City,Job Title,Birth Year,Birth Month,Birth Day\n'
		+ 'Tia,Bird,Tia Bird,tia@bird.example,,Weg 1,Bern,Nester,1980,1,15\nTom,Bird,Tom Bird,,,,,Nester,,12,24\n');
	await seeText(page, '2 people from Thunderbird');
	await click(page, 'button', 'Check');
	await click(page, 'button', 'Import 2 people');
	await seeText(page, 'Days without a year were left out: 1');
	await click(page, 'button', 'Another file');
	await drop(page, 'house.csv', 'Vorname;Nachname;Funktion;Strasse;Hausnummer;PLZ;Ort\nUrs;Egli;Nester;Seestr.;5a;6003;Luzern\n');
	await click(page, 'button', 'Check');
	await click(page, 'button', 'Import 1 person');
	await seeText(page, 'The file was imported.');
	const found = (await titled('Nester')).sort((a, b) => a.firstName.localeCompare(b.firstName));
	assert.deepEqual(found.map((p) => [p.birthday, p.addresses]), [['1980-01-15', ['Weg 1, Bern']], [null, []], [null, ['Seestr. 5a, Luzern, 6003']]]);
	for (const { id } of found) await api('DELETE', `/v1/people/${id}`);
	await click(page, 'button', 'Another file');
	await drop(page, 'lists.vcf', 'BEGIN:VCARD\nVERSION:4.0\nFN:Ann Ash\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nKIND:group\nFN:Friends\nEND:VCARD\n');
	await seeText(page, 'lines and cards that are no records: 1');
	await seeText(page, '1 person');
	await closePage(page);
}

export const importCases = [
	['import, once, and its undo', importsOnce],
	['import and undo in four clicks', countsClicks],
	['an import that was stopped goes on', goesOn],
	['an undo of many companies', undoesCompanies],
	['an import that another browser has undone', importsUndone],
	['import of vCard and NDJSON', readsOthers],
	['import of a German file', readsGerman],
	['import of people and companies in one file', importsBothKinds],
	['import of a list', readsLists],
	['import of values in parts, and of lists of cards', readsParts],
	['import of deals, notes and tasks', importsDeals],
	['import of hostile files', survives],
	['import on a phone', fitsPhone],
];
