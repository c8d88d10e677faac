/* Days, times, numbers and choices as other programs write them: transfer/value.c in the browser. */

interface Day {
	day: string;
	rest: string;
}

/* "0/0/00", which Outlook writes for an empty date, and "0.0.00", which its German version does. */
export const isEmptyDate = (text: string) => text.startsWith('0/0/0') || text.startsWith('0.0.0');

const SILENT = ['pager', 'workpager', 'beeper', 'télécopie', 'télécopieur', 'bipeur', 'buscapersonas'];
const VOICES = ['phone', 'telephone', 'tel', 'voice', 'mobile', 'cell', 'telefon', 'handy', 'mobil', 'téléphone', 'teléfono', 'móvil'];

/* The label of a number that nobody can call: "Work Fax", "Pager". */
export function isFax(label: string): boolean {
	const words = label.slice(0, 1000).toLowerCase().split(/[^a-z\u0080-\uffff]+/);
	return words.some((word) => SILENT.includes(word) || word.endsWith('fax')) && !words.some((word) => VOICES.includes(word));
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

/* "March 1, 2024", as Notion writes it, or "1 Mar 2024": as year, month and day; the rest stays behind. */
function withoutWords(text: string): string {
	const found = /^(?:([a-z]+)[., ]+(\d{1,2})|(\d{1,2})[., ]+([a-z]+))[., ]+(\d{4})(?!\d)/i.exec(text);
	const word = (found?.[1] ?? found?.[4] ?? '').toLowerCase();
	const month = MONTHS.findIndex((name) => name === word || name.slice(0, 3) === word) + 1;
	return found && month ? `${found[5]}-${month}-${found[2] ?? found[3]}${text.slice(found[0].length)}` : text;
}

/* undefined: no date; null: a date without a year, or an empty one. */
function dayOf(given: string, dayFirst: boolean): Day | null | undefined {
	const text = withoutWords(given);
	if (!text || text.startsWith('--') || isEmptyDate(text)) return null;
	const found = /^(\d{1,4})([-/.])(\d{1,4})\2(\d{1,4})/.exec(text) ?? /^(\d{4})()(\d\d)(\d\d)(?!\d)/.exec(text);
	if (!found) return undefined;
	const [all, a = '', separator, b = '', c = ''] = found;
	let [year, month, day] = [a, b, c];
	if (a === '1604') return null; /* Apple writes this year when there is none */
	if (a.length !== 4) {
		if (c.length !== 4) return undefined;
		const first = dayFirst || separator === '.' || Number(a) > 12;
		[year, month, day] = [c, first ? b : a, first ? a : b];
	}
	const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const date = new Date(`${iso}T00:00:00Z`);
	return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? undefined : {day: iso, rest: text.slice(all.length)};
}

export function dateOf(text: string, dayFirst: boolean): string | null | undefined {
	const found = dayOf(text, dayFirst);
	return found && (/^([T ]|$)/.test(found.rest) ? found.day : undefined);
}

export function looksDayFirst(text: string): boolean {
	const found = /^(\d{1,2})[-/.](\d{1,2})[-/.]\d{4}$/.exec(text);
	return found !== null && Number(found[1]) > 12 && Number(found[2]) <= 12;
}

/* RFC 3339, or a day and perhaps a time, in UTC. */
export function timeOf(text: string, dayFirst: boolean): string | null | undefined {
	const found = dayOf(text, dayFirst);
	if (!found) return found;
	const half = /^[T ]+(0?[1-9]|1[0-2]):(\d\d) *([AP])M$/i.exec(found.rest);
	if (half) found.rest = ` ${String((Number(half[1]) % 12) + (/p/i.test(half[3]!) ? 12 : 0)).padStart(2, '0')}:${half[2]}`;
	const clock = /^[T ]*(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|z|[+-]\d\d:\d\d)?$/.exec(found.rest);
	if (found.rest.trim() && !clock) return undefined;
	const date = new Date(`${found.day}T${clock ? `${clock[1]}${clock[2] ?? ':00'}${clock[3]?.toUpperCase() ?? 'Z'}` : '00:00:00Z'}`);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const AROUND = /^(?:US\$|[$€£¥]|EUR|USD|GBP|CHF|JPY|\s)+|(?:US\$|[$€£¥]|EUR|USD|GBP|CHF|JPY|\s)+$/g;
const bare = (text: string) => text.slice(0, 100).replace(AROUND, '');

export function hasDecimalComma(text: string): boolean {
	const found = /^-?[\d.\s'’]*,(\d+)$/.exec(bare(text));
	return found !== null && (found[1]!.length !== 3 || text.includes('.'));
}

/* The number as the API takes it; undefined: it is not a number. */
export function numberText(text: string, decimalComma: boolean): string | undefined {
	const joined = bare(text).replace(decimalComma ? /[.\s'’](?=\d{3}(?!\d))/g : /[,\s'’](?=\d{3}(?!\d))/g, '');
	const number = decimalComma ? joined.replace(',', '.') : joined;
	return /^[+-]?\d{1,30}(\.\d{1,30})?$/.test(number) ? number.replace('+', '') : undefined;
}

/* A range of employees, also of a number. */
export function rangeOf(ranges: readonly string[], text: string): string | undefined {
	const digits = text.slice(0, 60).replace(/[, ]/g, '');
	if (!digits || ranges.includes(digits)) return digits || undefined;
	if (!/^\d+$/.test(digits) || Number(digits) === 0) return undefined;
	return ranges.filter(Boolean).find((range) => !range.includes('-') || Number(digits) <= Number(range.split('-')[1]));
}

export function genderOf(genders: readonly string[], text: string): string | undefined {
	const is = (g: string) => g.toLowerCase() === text.toLowerCase() || (text.length === 1 && text.toUpperCase() === g[0]);
	return genders.filter(Boolean).find(is);
}
