/* Notes that other programs write as HTML become plain text, as in transfer/html.c: paragraphs and list items are lines, the
 * address of a link stands behind its text. The browser parses them into a document of its own, in which nothing runs. */

const LINES: Record<string, number> = {p: 2, h1: 2, h2: 2, h3: 2, h4: 2, h5: 2, h6: 2, div: 1, ul: 1, ol: 1, li: 1, tr: 1, table: 1, hr: 1, blockquote: 1, pre: 1};
const OTHER = ['a', 'b', 'i', 'u', 's', 'em', 'strong', 'span', 'font', 'code', 'img', 'html', 'body', 'tbody', 'thead', 'td', 'th', 'br', 'script', 'style', 'head'];
const NAMES = [...Object.keys(LINES), ...OTHER].join('|');
const KNOWN = new RegExp(`</?(?:${NAMES})[\\s/>]`, 'i');
const STRANGE = new RegExp(`<(?!/?(?:${NAMES})[\\s/>])`, 'gi');

/* Longer texts are refused anyway, and would take long here. */
const HTML_MAX = 200_000;

export const isHtml = (text: string): boolean => text.length <= HTML_MAX && KNOWN.test(text);

export function textOfHtml(html: string): string {
	let out = '';
	const lines = (n: number) => {
		out = out.replace(/ +$/, '');
		if (out) out += '\n'.repeat(Math.max(0, n - /\n*$/.exec(out.slice(-2))![0].length));
	};
	/* Without recursion: hostile elements may be nested deeply. */
	const rest: (Node | (() => void))[] = [new DOMParser().parseFromString(html.replace(STRANGE, '&lt;'), 'text/html').body];
	for (let node = rest.pop(); node; node = rest.pop()) {
		if (typeof node === 'function') {
			node();
			continue;
		}
		const name = node.nodeName.toLowerCase();
		const href = node instanceof Element && name === 'a' ? /^(?:mailto:)?(.*)$/.exec(node.getAttribute('href') ?? '')![1]! : '';
		const isLink = node instanceof Element && /^(https?:\/\/|mailto:)/i.test(node.getAttribute('href') ?? '');
		const n = LINES[name] ?? 0;

		if (node.nodeType === Node.TEXT_NODE) {
			const text = node.nodeValue!.replace(/\s+/g, ' ');
			out += /(^|\s)$/.test(out.slice(-1)) ? text.trimStart() : text;
		}
		if (name === 'script' || name === 'style') continue;
		if (name === 'br') out = `${out.replace(/ +$/, '')}\n`;
		if (name === 'td' || name === 'th') out += /\s$/.test(out) ? '' : ' ';
		if (n) lines(n);
		if (name === 'li') out += '- ';
		if (n) rest.push(() => lines(n));
		if (isLink) rest.push(() => (out += out.endsWith(href) ? '' : ` (${href})`));
		rest.push(...[...node.childNodes].reverse());
	}
	return out.trim();
}
