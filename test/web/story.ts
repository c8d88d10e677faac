// What the stories share: where the server is, and saying what is not as expected.
declare const process: { env: Record<string, string | undefined>; exitCode: number };

export const url = process.env.KITH_URL ?? '';
export const key = process.env.KITH_KEY ?? '';
// A domain that no earlier story has used on this server.
export const domain = `${Date.now().toString(36)}.example`;

export function expect(what: string, good: boolean, seen?: unknown): asserts good {
	if (!good)
		throw new Error(`${what}: ${JSON.stringify(seen)}`);
}

// Runs a story; what it throws ends the program with 1.
export function tell(story: () => Promise<void>): void {
	story().catch((error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	});
}
