/* SHA-256 in slices. The browser's own needs a secure origin, and has no slices. */
import {breathe} from './importfile';

const BLOCKS = 20000; /* of a slice */

const fraction = (x: number) => Math.floor((x - Math.floor(x)) * 2 ** 32);
const primes = Array.from({length: 312}, (_, i) => i).filter((n) => n > 1 && !Array.from({length: n - 2}, (_, i) => i + 2).some((d) => n % d === 0));
const K = Uint32Array.from(primes.slice(0, 64), (p) => fraction(Math.cbrt(p)));
const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

function addBlock(state: Uint32Array, view: DataView, at: number, w: Uint32Array): void {
	for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
	for (let i = 16; i < 64; i++) {
		const x = w[i - 15]!;
		const y = w[i - 2]!;
		const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
	}
	let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
	for (let i = 0; i < 64; i++) {
		const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
		const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
	}
	[a, b, c, d, e, f, g, h].forEach((x, i) => (state[i] = state[i]! + x));
}

/* The sum in hexadecimal digits. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
	const state = Uint32Array.from(START);
	const w = new Uint32Array(64);
	const whole = bytes.length - (bytes.length % 64);
	const end = new Uint8Array(bytes.length % 64 < 56 ? 64 : 128);
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

	for (let at = 0; at < whole; at += 64) {
		if (at && at % (64 * BLOCKS) === 0) await breathe();
		addBlock(state, view, at, w);
	}
	end.set(bytes.subarray(whole));
	end[bytes.length - whole] = 0x80;
	const last = new DataView(end.buffer);
	last.setUint32(end.length - 8, Math.floor(bytes.length / 2 ** 29));
	last.setUint32(end.length - 4, (bytes.length << 3) >>> 0);
	for (let at = 0; at < end.length; at += 64) addBlock(state, last, at, w);
	return [...state].map((x) => x.toString(16).padStart(8, '0')).join('');
}

export const sha256Text = (text: string) => sha256(new TextEncoder().encode(text));
