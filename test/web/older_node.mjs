// The conformance suite imports globSync from fs, which Node.js has since version 22. What is run here does not use it.
//   node --import ./older_node.mjs …
import { register } from 'node:module';

const shim = "export * from 'node:fs'; export { default } from 'node:fs'; export function globSync() { throw new Error('needs Node.js 22'); }";
register(`data:text/javascript,${encodeURIComponent(`
export async function resolve(specifier, context, next) {
	if (specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/'))
		return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true };
	return next(specifier, context);
}`)}`);
