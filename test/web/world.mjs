// People, companies and deals to look at, made by the API.
const { KITH_URL, KITH_KEY } = process.env;

export async function api(method, path, body, { key = KITH_KEY, url = KITH_URL, headers = {}, ok = true } = {}) {
	const response = await fetch(url + path, {
		method,
		headers: { authorization: `Bearer ${key}`, ...headers },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const answer = await response.json();
	if (ok && !response.ok)
		throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
	return { status: response.status, ...answer };
}

const make = async (path, body) => (await api('POST', path, body)).data;
const batch = async (path, records) => (await api('POST', `${path}/batch/create`, { records })).data.results.map((r) => r.data);

const firsts = ['Ada', 'Alan', 'Barbara', 'Claude', 'Edith', 'Frances', 'Grace', 'Hedy', 'Ivan', 'Katherine'];
const lasts = ['Abbott', 'Berg', 'Castillo', 'Dubois', 'Eriksen', 'Fischer', 'Gupta'];
const titles = ['Engineer', 'Head of Sales', 'Founder', 'Buyer', 'Analyst', 'CTO'];
const names = ['Northwind', 'Bluefin', 'Cobalt', 'Juniper', 'Meridian', 'Orchard', 'Quarry', 'Saffron'];

export async function makeWorld() {
	const group = await make('/v1/groups', { name: 'Customers', visibility: 'public' });
	const inGroup = [{ id: group.id }];
	const field = (entity, body) => make(`/v1/groups/${group.id}/custom-fields/${entity}`, body);
	const stages = ['New', 'Negotiation', 'Won'].map((label) => ({ label }));

	await field('person', { name: 'Level', type: 'singleSelect', options: [{ label: 'Gold' }, { label: 'Silver' }] });
	await field('person', { name: 'Interests', type: 'multipleSelect', options: [{ label: 'Sailing' }, { label: 'Chess' }] });
	await field('person', { name: 'Since', type: 'dateField' });
	await field('person', { name: 'Memo', type: 'textField' });
	await make(`/v1/groups/${group.id}/object-types`, { name: 'Deals' });
	await field('Deals', { name: 'Stage', type: 'singleSelect', options: stages });
	await field('Deals', { name: 'Amount', type: 'numericField', config: { format: 'currency', currency: 'EUR' } });
	await field('Deals', { name: 'Owner', type: 'userField' });

	const companies = await batch('/v1/companies', names.map((name, i) => ({
		name: `${name} Labs`,
		industry: ['Software', 'Logistics', 'Energy'][i % 3],
		employeeRange: ['1-10', '51-200'][i % 2],
		urls: [`https://${name.toLowerCase()}.example`],
		groups: inGroup,
	})));
	const people = await batch('/v1/people', Array.from({ length: 70 }, (_, i) => {
		const [firstName, lastName] = [firsts[i % 10], lasts[Math.floor(i / 10)]];
		return {
			firstName,
			lastName,
			jobTitle: titles[i % 6],
			emails: [`${firstName}.${lastName}@${names[i % 8]}.example`.toLowerCase()],
			phones: [`+49 30 ${1000000 + i * 7919}`],
			companies: [{ id: companies[i % 8].id }],
			groups: inGroup,
			customFieldValues: { [group.id]: { Level: i % 4 ? 'Silver' : 'Gold' } },
		};
	}));
	const deals = await batch(`/v1/groups/${group.id}/Deals`, Array.from({ length: 30 }, (_, i) => ({
		name: `Deal ${i + 1}`,
		companies: [{ id: companies[i % 8].id }],
		people: [{ id: people[i].id }],
		customFieldValues: { Stage: stages[i % 3].label, Amount: 1000 + 12345 * i },
	})));
	return { group, companies, people, deals };
}
