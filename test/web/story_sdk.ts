// The first steps with a generated client, which validates answers by the description's schemas: a group with deals, a
// company, a person, a search, a note, a task, a webhook, a conflict of two writers, a batch sent twice, the feed.
import { client } from './client/client.gen';
import * as kith from './client/sdk.gen';
import { domain, expect, key, tell, url } from './story';

client.setConfig({ baseUrl: url, auth: () => key });

const DONE = { throwOnError: true } as const;

async function deals() {
	const me = (await kith.getCurrentUser(DONE)).data.data;
	const group = (await kith.createGroup({ ...DONE, body: { name: 'Sales', visibility: 'public' } })).data.data;
	const type = (await kith.createObjectType({ ...DONE, path: { groupId: group.id }, body: { name: 'Deals' } })).data.data;
	await kith.createCustomField({
		...DONE,
		path: { groupId: group.id, entityType: type.name },
		body: { name: 'Stage', type: 'singleSelect', options: [{ label: 'Lead' }, { label: 'Won' }] },
	});
	return { me, group, type };
}

async function contacts(groupId: string) {
	const company = (await kith.createCompany({ ...DONE, body: { name: 'Analytical Engines', urls: ['https://engine.example'] } }))
		.data.data;
	const created = await kith.createPerson({
		...DONE,
		body: {
			firstName: 'Ada',
			lastName: 'Lovelace',
			emails: [`ada@engine.${domain}`],
			birthday: '1815-12-10',
			companies: [{ id: company.id }],
			groups: [{ id: groupId }],
		},
	});
	const person = created.data.data;
	expect('a full name is made', person.fullName === 'Ada Lovelace', person);
	expect('the company is linked', person.companies[0]?.name === 'Analytical Engines', person.companies);
	return { company, person, etag: created.response.headers.get('ETag') ?? '' };
}

async function found(personId: string, dealsOf: { groupId: string; objectType: string }) {
	const people = (
		await kith.searchPeople({
			...DONE,
			body: { filter: { and: [{ emails: { like: `engine.${domain}` } }, { 'companies.name': { eq: 'Analytical Engines' } }] }, count: 'exact' },
		})
	).data.data;
	expect('the search finds one person', people.pagination.count === 1 && people.items[0]?.id === personId, people);
	const open = (
		await kith.searchObjects({ ...DONE, path: dealsOf, body: { filter: { 'customFieldValues.Stage': { in: ['Lead'] } } } })
	).data.data;
	expect('the deal is found by its stage', open.items[0]?.customFieldValues.Stage === 'Lead', open);
}

async function activity(personId: string, userId: string) {
	const note = (await kith.createNote({ ...DONE, body: { entity: { id: personId }, content: 'Met at the exhibition.', visibility: 'public' } }))
		.data.data;
	expect('the note is about the person', note.entity.entityType === 'person' && note.entity.id === personId, note);
	const task = (
		await kith.createTask({
			...DONE,
			body: { title: 'Send the drawings', entity: { id: personId }, assignedUsers: [{ id: userId }], dueAt: '2032-02-03' },
		})
	).data.data;
	const done = (await kith.markTaskAsDone({ ...DONE, path: { taskId: task.id }, body: { completedAt: '2032-02-01T16:20:00Z' } })).data.data;
	expect('the task is done', done.id === task.id && done.completedAt !== null, done);
}

async function hooks() {
	const webhook = (
		await kith.createWebhook({
			...DONE,
			body: { name: 'New people', targetUrl: 'http://127.0.0.1:9/hooks', subscribedEvents: [{ eventType: 'person.created' }] },
		})
	).data.data;
	expect('the secret is shown once', webhook.signingSecret?.startsWith('whsec_') === true, webhook);
	await kith.deleteWebhook({ ...DONE, path: { webhookId: webhook.id } });
}

// Two tabs edit one record: the second is refused, reads again, and writes.
async function conflict(personId: string, etag: string) {
	const path = { personId };
	await kith.updatePerson({ ...DONE, path, headers: { 'If-Match': etag }, body: { jobTitle: 'Analyst' } });
	const late = await kith.updatePerson({ path, headers: { 'If-Match': etag }, body: { jobTitle: 'Countess' } });
	expect('the second write is refused', late.response.status === 412 && late.error?.error.code === 'PRECONDITION_FAILED', late.error);
	const now = await kith.getPerson({ ...DONE, path });
	expect('the first one stands', now.data.data.jobTitle === 'Analyst', now.data);
	const fresh = now.response.headers.get('ETag') ?? '';
	await kith.updatePerson({ ...DONE, path, headers: { 'If-Match': fresh }, body: { jobTitle: 'Countess' } });
}

// Whatever is sent again with the same key is done once.
async function batch() {
	const once = {
		...DONE,
		headers: { 'Idempotency-Key': `story-${Date.now()}` },
		body: { records: [{ fullName: 'Charles Babbage' }, { fullName: 'Mary Somerville', companies: [{ id: 'com_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b31' }] }] },
	};
	const first = await kith.batchCreatePeople(once);
	const again = await kith.batchCreatePeople(once);
	expect('the second answer is a replay', again.response.headers.get('Idempotent-Replayed') === 'true');
	expect('with the same content', JSON.stringify(first.data) === JSON.stringify(again.data), again.data);
	const [made, refused] = first.data.data.results;
	expect('one is made', made?.status === 'succeeded' && made.data.fullName === 'Charles Babbage', made);
	expect('one is refused', refused?.status === 'failed', refused);
	return made.data.id;
}

async function follow(cursor: string, ids: string[]) {
	const missing = new Set(ids);
	const until = Date.now() + 90000;
	while (missing.size && Date.now() < until) {
		const page = (await kith.listEvents({ ...DONE, query: { after: cursor, wait: 5, limit: 100 } })).data.data;
		for (const event of page.items)
			if (event.type === 'person.created')
				missing.delete(event.data.id);
		cursor = page.cursor;
	}
	expect('the feed has both people', missing.size === 0, [...missing]);
}

async function refusal() {
	const refused = await kith.createPerson({ body: { firstName: 'x'.repeat(501) } }).catch((error: unknown) => ({ thrown: error }));
	expect('a name that is too long is refused', 'thrown' in refused || refused.error !== undefined, refused);
}

tell(async () => {
	const { me, group, type } = await deals();
	const list = await kith.listPeople({ ...DONE, query: { limit: 1 } });
	const cursor = list.response.headers.get('X-Events-Cursor') ?? '';
	const { person, etag } = await contacts(group.id);
	const path = { groupId: group.id, objectType: type.name };
	const deal = (
		await kith.createObject({
			...DONE,
			path,
			body: { name: 'An engine', people: [{ id: person.id }], customFieldValues: { Stage: 'Lead' } },
		})
	).data.data;
	expect('the deal has its stage', deal.customFieldValues.Stage === 'Lead', deal);
	await found(person.id, path);
	await activity(person.id, me.id);
	await hooks();
	await conflict(person.id, etag);
	const other = await batch();
	await follow(cursor, [person.id, other]);
	await refusal();
});
