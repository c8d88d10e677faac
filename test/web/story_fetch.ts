// A client made from types only (openapi-fetch): a filter in the query, a write on a condition, an error with its issues.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema';
import { domain, expect, key, tell, url } from './story';

// filter[emails][like]=x: two levels of names, which OpenAPI cannot say; so each client is told how to write them.
function query(parameters: Record<string, unknown>): string {
	const pairs = new URLSearchParams();
	const add = (name: string, value: unknown): void => {
		if (Array.isArray(value))
			value.forEach((item) => add(name, item));
		else if (typeof value === 'object' && value !== null)
			Object.entries(value).forEach(([sub, item]) => add(`${name}[${sub}]`, item));
		else if (value !== undefined)
			pairs.append(name, String(value));
	};
	Object.entries(parameters).forEach(([name, value]) => add(name, value));
	return pairs.toString();
}

const kith = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` }, querySerializer: query });

async function everybody(): Promise<components['schemas']['Person'][]> {
	const found: components['schemas']['Person'][] = [];
	let cursor: string | undefined;
	do {
		const page = await kith.GET('/v1/people', {
			params: { query: { limit: 2, cursor, filter: { emails: { like: `fetch.${domain}` }, createdAt: { gt: '2020-01-01' } } } },
		});
		expect('a page', page.data !== undefined, page.error);
		found.push(...page.data.data.items);
		const next = page.data.data.pagination.nextLink;
		cursor = next === undefined ? undefined : (new URL(next).searchParams.get('cursor') ?? undefined);
	} while (cursor !== undefined);
	return found;
}

tell(async () => {
	const ids: string[] = [];
	for (const name of ['Ann', 'Ben', 'Cleo']) {
		const made = await kith.POST('/v1/people', { body: { fullName: name, emails: [`${name.toLowerCase()}@fetch.${domain}`] } });
		expect('a person is made', made.data !== undefined, made.error);
		ids.push(made.data.data.id);
	}
	const found = await everybody();
	expect('two pages have them all', found.map((person) => person.id).join() === ids.join(), found);

	const params = { path: { personId: ids[0] ?? '' } };
	const etag = (await kith.GET('/v1/people/{personId}', { params })).response.headers.get('ETag') ?? '';
	const first = await kith.PATCH('/v1/people/{personId}', { params: { ...params, header: { 'If-Match': etag } }, body: { gender: 'Female' } });
	expect('the first write is done', first.data?.data.gender === 'Female', first.error);
	const gone = await kith.DELETE('/v1/people/{personId}', { params: { ...params, header: { 'If-Match': etag } } });
	expect('a delete of what has changed is refused', gone.response.status === 412, gone);

	const wrong = await kith.POST('/v1/people', { body: { firstName: 'x'.repeat(501) } });
	expect('a name that is too long is refused', wrong.response.status === 422 && wrong.error !== undefined, wrong);
	const issue = (wrong.error as components['schemas']['Error422']).error.details?.issues[0];
	expect('with its place', issue?.code === 'too_big' && issue.path[0] === 'firstName' && issue.maximum === 500, issue);
});
