/* Values as text. Everything from the server is shown as text; only addresses of known schemes become links. */

import {dateFormat, digitsOf} from '../texts/text';

const WITH_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const DOMAIN = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([:/?#]|$)/u;
const SCHEMES = ['http:', 'https:', 'mailto:', 'tel:'];

/* The link for a text; null unless it is an address of http, https, mailto or tel. */
export function safeHref(text: string): string | null {
	const trimmed = text.trim();
	const full = DOMAIN.test(trimmed) ? `https://${trimmed}` : trimmed;

	if (!WITH_SCHEME.test(full)) return null;
	try {
		const url = new URL(full);
		return SCHEMES.includes(url.protocol) ? url.href : null;
	} catch {
		return null;
	}
}

export function Link({href, text}: {href: string | null; text: string}) {
	if (!href) return <bdi>{text}</bdi>;
	const away = href.startsWith('http');
	return (
		<a href={href} rel="noopener noreferrer" target={away ? '_blank' : undefined}>
			<bdi>{text}</bdi>
		</a>
	);
}

export const UrlText = ({text}: {text: string}) => <Link href={safeHref(text)} text={text} />;
export const EmailText = ({text}: {text: string}) => (
	<Link href={/^[^\s@<>"]+@[^\s@<>"]+$/.test(text) ? safeHref(`mailto:${encodeURIComponent(text).replace('%40', '@')}`) : null} text={text} />
);
export const PhoneText = ({text}: {text: string}) => (
	<Link href={/\d{3}/.test(text) && /^[\d\s+()./x-]+$/.test(text) ? `tel:${text.replace(/[^\d+]/g, '')}` : null} text={text} />
);

const timeFormat = dateFormat({dateStyle: 'medium', timeStyle: 'short'});
const dayFormat = dateFormat({dateStyle: 'medium', timeZone: 'UTC'});

const clockFormat = dateFormat({timeStyle: 'short'});
const shortFormat = dateFormat({day: 'numeric', month: 'short'});

/* A moment in a narrow column: today's as its time, others as their day. */
export function ShortTime({at}: {at: string}) {
	const date = new Date(at);
	const now = new Date();
	const today = date.toDateString() === now.toDateString();
	const format = today ? clockFormat : date.getFullYear() === now.getFullYear() ? shortFormat : dayFormat;
	return (
		<time dateTime={at} title={timeFormat.format(date)}>
			{format.format(date)}
		</time>
	);
}

/* A moment, in the reader's own time zone. */
export function Time({at}: {at: string | null | undefined}) {
	if (!at) return <span class="quiet">–</span>;
	const date = new Date(at);
	return (
		<time dateTime={at} title={at}>
			{Number.isNaN(date.getTime()) ? at : timeFormat.format(date)}
		</time>
	);
}

/* A moment on the reader's clock, in the form of the control for dates and times. Its first ten characters are the day. */
export function localText(ms = Date.now()): string {
	return new Date(ms - new Date(ms).getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

export function dayText(day: string): string {
	const date = new Date(`${day}T00:00:00Z`);
	return Number.isNaN(date.getTime()) ? day : dayFormat.format(date);
}

/* A day without a time. */
export function Day({day}: {day: string | null | undefined}) {
	if (!day) return <span class="quiet">–</span>;
	return <time dateTime={day}>{dayText(day)}</time>;
}

/* A number with its digits in groups; its decimals are unchanged. */
export function numberText(text: string, currency?: string): string {
	return `${digitsOf(text)}${currency ? ` ${currency}` : ''}`;
}
