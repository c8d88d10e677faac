// Plays what an assistant does when it finds a person, adds a note and merges duplicates, and prints it as Markdown:
// the transcript of docs/assistants.md. The server is one with an empty workspace.
//   KITH_URL=… KITH_KEY=… node mcp_story.mjs
const { KITH_URL, KITH_KEY } = process.env;
let id = 0;

async function post(path, body) {
	const answer = await fetch(new URL(path, KITH_URL), {
		method: 'POST',
		headers: {
			Authorization: `Bearer ${KITH_KEY}`,
			'Content-Type': 'application/json',
			Accept: 'application/json, text/event-stream',
			...(path === '/mcp' && id > 1 && { 'MCP-Protocol-Version': '2025-11-25' }),
		},
		body: JSON.stringify(body),
	});
	return answer.status === 202 ? undefined : answer.json();
}

function print(sign, value) {
	console.log(`${sign} ${JSON.stringify(value)}`);
}

async function say(method, params) {
	const request = { jsonrpc: '2.0', id: ++id, method, params };
	print('→', request);
	const answer = await post('/mcp', request);
	return answer;
}

// The text repeats the structured content: only a note beside it is shown.
async function call(name, args, meta) {
	const answer = await say('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
	const { content, ...rest } = answer.result;
	const notes = content.slice(rest.structuredContent ? 1 : 0).map((c) => c.text);
	const texts = [...(rest.structuredContent ? ['…'] : []), ...notes].map((text) => ({ type: 'text', text }));
	print('←', { jsonrpc: '2.0', id: answer.id, result: { content: texts, ...rest } });
	return rest.structuredContent;
}

for (const person of [
	{ firstName: 'Ada', lastName: 'Lovelace', emails: ['ada@analytical.example'], jobTitle: 'Analyst' },
	{ firstName: 'Ada', lastName: 'Lovelace', phones: ['+44 20 7946 0000'], emails: ['countess@example.com'] },
])
	await post('/v1/people', person);

console.log('```');
const hello = await say('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'assistant', version: '1' } });
hello.result.instructions = '…';
print('←', hello);
print('→', { jsonrpc: '2.0', method: 'notifications/initialized' });
await post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
console.log('```\n\n*"Note down that Ada Lovelace wants the plans of the engine. And there seem to be two of her."*\n\n```');
const people = (await call('search', { kind: 'people', text: 'ada lovelace', fields: ['fullName', 'emails', 'phones', 'jobTitle'] })).data.items;
const [first, second] = people;
await call('add_note', { entity: first.id, content: 'Wants the plans of the engine' }, { idempotencyKey: '7c2f5a0e-note' });
await call('merge', { id: first.id, other: second.id });
console.log('```\n\n*"The merge would give her both e-mail addresses and the telephone number. Shall I?" "Yes."*\n\n```');
await call('merge', { id: first.id, other: second.id, dryRun: false }, { idempotencyKey: '7c2f5a0e-merge' });
await call('get', { id: second.id });
console.log('```');
