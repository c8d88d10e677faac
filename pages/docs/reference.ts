/* The API's reference: Swagger UI over /openapi.json, with a form to try each operation. */

interface Parameter {
	in?: string;
	example?: unknown;
	examples?: unknown;
}
interface Description {
	servers?: { url: string }[];
	components?: { parameters?: Record<string, Parameter> };
	paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}
declare const SwaggerUIBundle: (options: Record<string, unknown>) => unknown;

const root = new URL('.', document.baseURI);

/* The form would send an example as if it had been typed: a key that was used before, a tag that no record has. */
function forget_examples(parameters: Parameter[]) {
	for (const parameter of parameters) {
		delete parameter.example;
		delete parameter.examples;
	}
}

function prepare(description: Description) {
	/* Whatever address the server takes for its own, the form asks the one that this page came from. */
	description.servers = [{ url: root.href.replace(/\/$/, '') }];
	forget_examples(Object.values(description.components?.parameters ?? {}));
	for (const path of Object.values(description.paths))
		for (const operation of Object.values(path))
			forget_examples(operation.parameters ?? []);
	return description;
}

/* At the start the library resolves the references of the security schemes, and for that reads the whole description: two
 * thirds of all its work on this page, and our schemes have none. What an operation refers to is resolved when it is opened. */
type Resolve = (path: string[]) => unknown;
const without_resolving = () => ({
	statePlugins: {
		spec: {
			wrapActions: {
				requestResolvedSubtree: (original: Resolve): Resolve => path =>
					path[1] === 'securitySchemes' ? { type: 'nothing' } : original(path),
			},
		},
	},
});

async function show() {
	const answer = await fetch(new URL('openapi.json', root));
	if (!answer.ok)
		throw new Error(`openapi.json: ${answer.status}`);
	SwaggerUIBundle({
		dom_id: '#reference',
		spec: prepare(await answer.json() as Description),
		plugins: [without_resolving],
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

/* The library knows dark colours, but not the system's wish for them. */
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
