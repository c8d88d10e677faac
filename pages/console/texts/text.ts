/* The language of the console, its texts, and numbers and dates as readers of the language write them. Another language is a file
 * beside en.ts and a row in languages. */
import type {ComponentChildren} from 'preact';
import {de} from './de';
import {en} from './en';

export type Key = keyof typeof en;

/* A text, or one for each plural form of {n}. */
type Forms = {readonly one: string; readonly other: string};
export type Texts = {readonly [K in Key]: (typeof en)[K] extends string ? string : Forms};

/* The placeholders of a text. */
type Holes<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;
type HolesOf<K extends Key> = (typeof en)[K] extends {other: infer S} ? Holes<S> | 'n' : Holes<(typeof en)[K]>;
type Values<K extends Key, V> = [HolesOf<K>] extends [never] ? [] : [values: {[name in HolesOf<K>]: V}];

/* --- the language ------------------------------------------------------------------------- */

export const languages = {
	en: {name: 'English', texts: en as Texts},
	de: {name: 'Deutsch', texts: de},
} as const;

export type Language = keyof typeof languages;

const STORED = 'kith.language';
const isLanguage = (name: string | undefined | null): name is Language => !!name && name in languages;
const codeOf = (tag: string) => tag.split('-')[0]!;

/* The chosen language; else the first one of the browser's that there are texts for. */
function languageNow(): Language {
	const chosen = localStorage.getItem(STORED);
	return isLanguage(chosen) ? chosen : (navigator.languages.map(codeOf).find(isLanguage) ?? 'en');
}

export const language = languageNow();

/* Numbers and dates: the browser's own variety of the language, for instance en-GB. */
export const locale = navigator.languages.find((tag) => codeOf(tag) === language) ?? language;

document.documentElement.lang = language;

/* Keeps the choice for all tabs, and loads the console again in it. */
export function chooseLanguage(name: string): void {
	localStorage.setItem(STORED, name);
	location.reload();
}

/* --- texts -------------------------------------------------------------------------------- */

const {texts} = languages[language];
const plural = new Intl.PluralRules(language);

function formOf(key: Key, n: unknown): string {
	const text = texts[key];
	return typeof text === 'string' ? text : text[plural.select(Number(n)) === 'one' ? 'one' : 'other'];
}

/* The text with its placeholders filled in. {n} chooses its plural form. */
export function t<K extends Key>(key: K, ...[values]: Values<K, string | number>): string {
	const given: Record<string, string | number> = values ?? {};
	return formOf(key, given.n).replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = given[name] ?? '';
		return typeof value === 'number' ? numberOf(value) : value;
	});
}

/* The text with that key, if there is one: labels of the API's fields have the fields' names. */
export function textOf(key: string): string | undefined {
	const text = key in texts ? texts[key as Key] : undefined;
	return typeof text === 'string' ? text : undefined;
}

/* A text with elements in its placeholders. */
export function T<K extends Key>({text, ...values}: {text: K} & {[name in HolesOf<K>]: ComponentChildren}): ComponentChildren {
	const given = values as Record<string, ComponentChildren>;
	return formOf(text, given.n)
		.split(/\{(\w+)\}/)
		.map((part, i) => (i % 2 ? given[part] : part));
}

/* A title within a sentence. German nouns keep their capital, and so do abbreviations. */
export const inSentence = (title: string) => (language === 'en' ? title.replace(/(?<!\p{L})\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase()) : title);

/* --- numbers and dates -------------------------------------------------------------------- */

export const numberOf = (n: number, options?: Intl.NumberFormatOptions) => n.toLocaleString(locale, options);
/* A number of records. */
export const countText = (n: number, estimated?: boolean) => (estimated ? t('about', {n}) : numberOf(n));

export const dateFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);

const parts = new Intl.NumberFormat(locale, {useGrouping: true}).formatToParts(1234567.5);
const partOf = (type: string) => parts.find((p) => p.type === type)?.value ?? '';

/* A number of any length, whose digits are all shown. */
export function digitsOf(text: string): string {
	const [whole = '', decimals] = text.split('.');
	const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, partOf('group'));
	return decimals ? `${grouped}${partOf('decimal')}${decimals}` : grouped;
}
