/* Makes the examples work in the workspace whose key is signed in: its own ids, names and fields replace those of the recorded
 * examples. Members for which the workspace has nothing are left out of a body. */

export interface Parameter {
	name?: string;
	in?: string;
	required?: boolean;
	example?: unknown;
	examples?: unknown;
	schema?: {default?: unknown};
	$ref?: string;
}
export interface Operation {
	parameters?: Parameter[];
	requestBody?: {content?: Record<string, {example?: unknown}>};
}
export interface Description {
	servers?: {url: string}[];
	paths: Record<string, Record<string, Operation>>;
}

interface Named {
	id: string;
	name: string;
	email?: string;
	type?: string;
	options?: {label: string}[];
	rotatedAt?: string | null;
}

/* The ids, names and fields that examples can use. */
export interface Sample {
	ids: Record<string, string[]>; /* by their prefix */
	email: string;
	members: string[];
	types: string[];
	type: string;
	fields: Record<string, Named[]>; /* of people and of the type, by entity */
}

type Ask = (path: string) => Promise<unknown>;

/* The items of a list; empty when the key may not see it. */
async function items(ask: Ask, path: string, limit = 10): Promise<Named[]> {
	const data = (await ask(`${path}?limit=${limit}`)) as {items?: Named[]} | null;
	return data?.items ?? [];
}

const GROUPS = 5; /* groups that are read to find one with objects */
const RECORDS = ['users', 'people', 'companies', 'notes', 'tasks', 'reminders', 'interactions', 'webhooks', 'keys', 'views'];

/* Reads the workspace; null when the key is not valid. */
export async function lookAround(ask: Ask): Promise<Sample | null> {
	const me = (await ask('/v1/users/me')) as Named | null;
	if (!me) return null;
	const own = (await ask('/v1/keys/me')) as Named | null;
	const lists = await Promise.all(RECORDS.map((name) => items(ask, `/v1/${name}`)));
	const groups = await items(ask, '/v1/groups', GROUPS);
	const types = await Promise.all(groups.map((g) => items(ask, `/v1/groups/${g.id}/object-types`, 50)));
	const chosen = Math.max(0, types.findIndex((t) => t.length > 0));
	const group = groups[chosen];
	const type = types[chosen]?.[0]?.name ?? '';
	const at = `/v1/groups/${group?.id}`;
	const entity = encodeURIComponent(type);
	const [objects, ofPeople, ofType, members] = await Promise.all(
		group
			? [type ? items(ask, `${at}/${entity}`) : [], items(ask, `${at}/custom-fields/person`, 50),
				type ? items(ask, `${at}/custom-fields/${entity}`, 50) : [], items(ask, `${at}/members`)]
			: [[], [], [], []],
	);
	const webhook = lists[RECORDS.indexOf('webhooks')]![0];
	const deliveries = webhook ? await items(ask, `/v1/webhooks/${webhook.id}/deliveries`) : [];
	const ids: Sample['ids'] = {grp: group ? [group.id] : []};

	/* The user's own keys come first. A key that was replaced cannot be replaced again. */
	const all = [[me], own ? [own] : [], ...lists, objects!, deliveries].flat().filter((r) => r?.id && !r.rotatedAt);
	for (const {id} of all) if (!(ids[id.slice(0, 3)] ??= []).includes(id)) ids[id.slice(0, 3)]!.push(id);
	return {
		ids,
		email: me.email ?? '',
		members: members!.map((m) => m.id),
		types: (types[chosen] ?? []).map((t) => t.name),
		type,
		fields: {person: ofPeople!, [type]: ofType!},
	};
}

/* --- one operation --------------------------------------------------------------------------- */

const ID = /^([a-z]{3,4})_[0-9a-f-]{36}$/;

/* A value for a custom field; undefined: only a person can choose one. */
function valueFor(field: Named): unknown {
	switch (field.type) {
		case 'textField': return 'Some text';
		case 'numericField': return 12.5;
		case 'dateField': return '2031-02-03';
		case 'singleSelect': return field.options?.[0]?.label;
		case 'multipleSelect': return field.options?.length ? [field.options[0]!.label] : undefined;
		default: return undefined;
	}
}

function valuesFor(fields: Named[]): Record<string, unknown> {
	const field = fields.find((f) => valueFor(f) !== undefined);
	return field ? {[field.name]: valueFor(field)} : {};
}

/* A name that is not in use yet. */
function freeName(name: string, taken: string[]): string {
	let n = 1;
	let tried = name;
	while (taken.includes(tried)) tried = `${name} ${++n}`;
	return tried;
}

/* Replaces ids of the recorded workspace: the same id by the same one, different ids by different ones as long as there are
 * enough. */
class Filling {
	private readonly given = new Map<string, string | undefined>();

	constructor(private readonly sample: Sample) {}

	id(example: string, prefix: string, from = this.sample.ids[prefix] ?? []): string | undefined {
		if (!this.given.has(example)) {
			const used = [...this.given.values()];
			this.given.set(example, from.find((id) => !used.includes(id)) ?? from[0]);
		}
		return this.given.get(example);
	}

	value(example: unknown): unknown {
		if (typeof example === 'string') {
			const prefix = ID.exec(example)?.[1];
			return prefix ? this.id(example, prefix) : example;
		}
		if (Array.isArray(example)) return example.map((x) => this.value(x)).filter((x) => x !== undefined);
		if (typeof example !== 'object' || example === null) return example;
		const result: Record<string, unknown> = {};
		for (const [name, x] of Object.entries(example)) {
			const filled = name === 'customFieldValues' ? this.custom(x as object) : this.member(name, x, example);
			if (filled !== undefined) result[name] = filled;
			else if (name === 'id') return undefined;
		}
		return result;
	}

	private member(name: string, x: unknown, holder: object): unknown {
		/* A parent note must be one of the same record. */
		if (name === 'parentNote') return undefined;
		if (name === 'email' && Object.keys(holder).length === 1) return this.sample.email;
		return this.value(x);
	}

	/* By group of people and companies, flat of objects. */
	private custom(example: object): unknown {
		const group = Object.keys(example).find((name) => ID.test(name));
		if (!group) return valuesFor(this.sample.fields[this.sample.type] ?? []);
		const id = this.id(group, 'grp');
		return id && {[id]: valuesFor(this.sample.fields.person ?? [])};
	}

	/* Conditions on custom fields use an existing field. */
	search(body: Record<string, unknown>): Record<string, unknown> {
		const custom = /"customFieldValues\./.test(JSON.stringify(body.filter ?? null));
		const field = this.sample.fields[this.sample.type]?.[0];
		if (!custom) return body;
		return {...body, filter: field ? {[`customFieldValues.${field.name}`]: {not_empty: true}} : {name: {not_empty: true}}};
	}
}

/* The field for examples of operations on fields: one with options, because some operations need them. */
function chosenField(sample: Sample): {entity: string; field?: Named} {
	const all = [sample.type, 'person'].flatMap((entity) => (sample.fields[entity] ?? []).map((field) => ({entity, field})));
	return all.find(({field}) => field.options?.length) ?? all[0] ?? {entity: 'person'};
}

function fillPath(filling: Filling, sample: Sample, path: string, parameter: Parameter): unknown {
	switch (parameter.name) {
		case 'objectType': return sample.type || undefined;
		case 'entityType': return path.includes('{customFieldName}') ? chosenField(sample).entity : sample.type || 'person';
		case 'customFieldName': return chosenField(sample).field?.name;
		case 'userId':
			/* Somebody else, because nobody can disable themselves. */
			return filling.id(String(parameter.example), 'usr', path.includes('/members/') ? sample.members : [...(sample.ids.usr ?? [])].reverse());
		default: return filling.value(parameter.example);
	}
}

function fillBody(filling: Filling, sample: Sample, path: string, example: unknown): unknown {
	const body = filling.search((filling.value(example) ?? {}) as Record<string, unknown>);

	if (path.endsWith('/object-types') || path.endsWith('/object-types/{objectType}'))
		body.name = freeName(String(body.name), sample.types);
	if (path.endsWith('/custom-fields/{entityType}'))
		body.name = freeName(String(body.name), (sample.fields[sample.type || 'person'] ?? []).map((f) => f.name));
	if (path.endsWith('/{customFieldName}')) {
		const labels = chosenField(sample).field?.options?.map((o) => o.label);
		return labels?.length ? {addOptions: [{label: freeName('Negotiation', labels)}]} : {};
	}
	return body;
}

/* Fills in the required parameters. Optional ones stay empty, so that a request has nothing that the user did not see. Only
 * dryRun is set: writes change nothing until the user removes it. Without a sample only dryRun is set. */
export function fillOperation(operation: Operation, path: string, sample: Sample | null): void {
	const filling = sample && new Filling(sample);

	for (const parameter of operation.parameters ?? []) {
		const {example} = parameter;
		delete parameter.example;
		delete parameter.examples;
		if (parameter.$ref) continue;
		if (filling && parameter.required && example !== undefined)
			parameter.example = fillPath(filling, sample, path, {...parameter, example});
		if (parameter.name === 'dryRun') parameter.example = 'true';
		/* A type that has objects can only be deleted this way; the dry run shows it. */
		if (parameter.name === 'force') parameter.example = 'true';
	}
	for (const content of Object.values(operation.requestBody?.content ?? {}))
		if (filling && content.example !== undefined) content.example = fillBody(filling, sample, path, content.example);
}
