// Node's own clients over one kept-alive connection: bodies chunked (the default), of a known length, and none, in
// random order. The server under test echoes requests (test/lib/http/edge.h); every answer must match its request.
//   node test/http/keepalive.mjs PORT COUNT
import http from 'node:http';

const port = Number(process.argv[2]), count = Number(process.argv[3]);
let seed = 20;
const random = (below) => (seed = (seed * 1103515245 + 12345) % 2 ** 31, Math.floor(seed / 65536) % below);
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD'];
const lengths = [0, 1, 17, 3000, 70000];

function fail(what) {
	console.log(what);
	process.exit(1);
}

function check(client, at, method, body, status, length, text) {
	const told = `${method} /${client}/${at} host=`, came = ` body=${body === null ? 0 : body.length}:`;
	if (status !== 200) fail(`${client} ${at}: status ${status}`);
	if (method === 'HEAD' ? text !== '' || !(length > 0) : !text.startsWith(told) || !text.includes(came))
		fail(`${client} ${at}: ${method} was answered with ${JSON.stringify(text)}`);
}

const agent = new http.Agent({keepAlive: true, maxSockets: 1});
const sockets = new Set();

function request(at, method, body, chunked) {
	return new Promise((resolve) => {
		const headers = body === null ? {} : chunked ? {'Transfer-Encoding': 'chunked'} : {'Content-Length': body.length};
		const r = http.request({host: '127.0.0.1', port, agent, method, path: `/request/${at}`, headers}, (answer) => {
			let text = '';
			answer.setEncoding('utf8');
			answer.on('data', (part) => text += part);
			answer.on('end', () => {
				check('request', at, method, body, answer.statusCode, Number(answer.headers['content-length']), text);
				resolve();
			});
		});
		r.on('socket', (socket) => sockets.add(socket));
		r.on('error', (e) => fail(`request ${at}: ${method} ${e.code} ${e.message}`));
		// For POST a write() before the end() is enough; for GET and DELETE Node would send the bytes unframed.
		if (body !== null && chunked)
			for (let from = 0; from < body.length; from += 20000) r.write(body.slice(from, from + 20000));
		else if (body !== null) r.write(body);
		r.end();
	});
}

async function fetched(at, method, body, chunked) {
	const streamed = body !== null && chunked && {
		body: new ReadableStream({start(q) { q.enqueue(new TextEncoder().encode(body)); q.close(); }}),
		duplex: 'half'
	};
	const answer = await fetch(`http://127.0.0.1:${port}/fetch/${at}`, {method, body: body ?? undefined, ...streamed})
		.catch((e) => fail(`fetch ${at}: ${method} ${e.cause && e.cause.code} ${e.message}`));
	check('fetch', at, method, body, answer.status, Number(answer.headers.get('content-length')), await answer.text());
}

for (let at = 0; at < count; at++) {
	const method = methods[random(methods.length)];
	const plain = method === 'HEAD' || random(3) === 0;
	const body = plain ? null : 'x'.repeat(lengths[random(lengths.length)]);
	await request(at, method, body, random(2) === 0);
	// fetch() allows no body with GET.
	if (at % 4 === 0) await fetched(at, method, method === 'GET' ? null : body, random(2) === 0);
}
if (sockets.size !== 1) fail(`${sockets.size} connections were needed`);
agent.destroy();
