/* The API's reference: Swagger UI over /openapi.json, with a form to try each operation. */

import {type Description, type Sample, fillOperation, lookAround} from './workspace';

interface Ui {
	specActions: {invalidateResolvedSubtreeCache: () => void};
}
declare const SwaggerUIBundle: (options: Record<string, unknown>) => unknown;

const root = new URL('.', document.baseURI);

let sample: Sample | null = null; /* of the workspace whose key is signed in */

/* Reads the workspace's own ids and names, then renders the open operations again. */
async function signedIn(ui: Ui, key: string): Promise<void> {
	const ask = async (path: string) => {
		const send = () => fetch(new URL(`.${path}`, root), {headers: {Authorization: `Bearer ${key}`}});
		let answer = await send();
		for (let tries = 0; answer.status === 429 && tries < 5; tries++) {
			await new Promise((done) => setTimeout(done, 1000 * Number(answer.headers.get('Retry-After') ?? 1)));
			answer = await send();
		}
		return answer.ok ? ((await answer.json()) as {data: unknown}).data : null;
	};
	sample = await lookAround(ask);
	ui.specActions.invalidateResolvedSubtreeCache();
}

/* At its start the library would read the whole description to resolve references of the security schemes: two thirds of all
 * its work on this page. Our schemes have none. References of an operation are resolved when it is opened. */
type Resolve = (path: string[]) => unknown;
type Authorize = (payload: Record<string, {value?: unknown}>) => unknown;
type Update = (path: string[], resolved: Partial<Description>) => unknown;
const plugin = (ui: Ui) => ({
	statePlugins: {
		auth: {
			wrapActions: {
				authorize: (original: Authorize): Authorize => (payload) => {
					for (const {value} of Object.values(payload)) if (typeof value === 'string') void signedIn(ui, value);
					return original(payload);
				},
			},
		},
		spec: {
			wrapActions: {
				requestResolvedSubtree: (original: Resolve): Resolve => path =>
					path[1] === 'securitySchemes' ? { type: 'nothing' } : original(path),
				/* The operations that have been opened: all of them each time. */
				updateResolvedSubtree: (original: Update): Update => (at, resolved) => {
					for (const [path, operations] of Object.entries(resolved.paths ?? {}))
						for (const operation of Object.values(operations)) fillOperation(operation, path, sample);
					return original(at, resolved);
				},
			},
		},
	},
});

async function show() {
	const answer = await fetch(new URL('openapi.json', root));
	if (!answer.ok)
		throw new Error(`openapi.json: ${answer.status}`);
	const description = (await answer.json()) as Description;
	/* The form uses the address that this page came from, even if the description names another one. */
	description.servers = [{url: root.href.replace(/\/$/, '')}];
	SwaggerUIBundle({
		dom_id: '#reference',
		spec: description,
		plugins: [plugin],
		deepLinking: true,
		docExpansion: 'list',
		defaultModelsExpandDepth: 0,
		displayRequestDuration: true,
		filter: true,
		tryItOutEnabled: true,
		persistAuthorization: false,
		validatorUrl: null,
		withCredentials: false,
	});
}

/* The library has dark colours, but does not follow the system's setting. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

show().catch(error => {
	const place = document.getElementById('reference');
	if (place)
		place.textContent = `The API's description could not be read (${error}). Load the page again.`;
});

export {};
