/* Small parts of the operating sections. */
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {Time} from '../parts/text';
import {T, t} from '../texts/text';
import {type Loaded, useName} from '../use';
import './operate.css';

export type Tone = 'good' | 'bad' | 'warn' | 'quiet';

/* A state as a word on a coloured background. The word says everything; the colour only helps. */
export function Badge({tone, children}: {tone: Tone; children: ComponentChildren}) {
	return <span class={`badge ${tone}`}>{children}</span>;
}

/* "3 min", for spans of time whose exact length does not matter. */
export function spanText(seconds: number): string {
	if (seconds < 1) return '0 s';
	for (const [size, unit] of [[86400, 'd'], [3600, 'h'], [60, 'min']] as const)
		if (seconds >= 2 * size) return `${Math.floor(seconds / size)} ${unit}`;
	return `${Math.floor(seconds)} s`;
}

/* How long ago, with the moment itself. */
export function Ago({at}: {at: string | null | undefined}) {
	if (!at) return <span class="quiet">{t('never')}</span>;
	const seconds = (Date.now() - Date.parse(at)) / 1000;
	return Number.isNaN(seconds) || seconds > 86400 || seconds < 0 ? (
		<Time at={at} />
	) : (
		<time dateTime={at} title={at}>
			{seconds < 1 ? t('justNow') : t('ago', {time: spanText(seconds)})}
		</time>
	);
}

/* Loads again every ms while the page is visible. A load in progress is not repeated, because it may be waiting for the time
 * that the server asked for. */
export function useRefresh(ms: number, {loading, again}: Loaded<unknown>): void {
	const busy = useRef(loading);
	busy.current = loading;
	useEffect(() => {
		const timer = setInterval(() => document.visibilityState === 'visible' && !busy.current && again(), ms);
		return () => clearInterval(timer);
	}, [ms]);
}

/* navigator.clipboard exists on secure origins only. */
async function copyText(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return false;
	}
}

/* A text to be copied. Where the page cannot write the clipboard, it selects the text instead. */
export function Copyable({label, text}: {label: string; text: string}) {
	const id = useName('copy');
	const [said, setSaid] = useState('');
	const copy = async () => {
		const input = document.getElementById(id) as HTMLInputElement;
		const done = await copyText(text);
		input.select();
		setSaid(done ? t('copied') : t('selected'));
	};

	return (
		<div class="field">
			<label for={id}>{label}</label>
			<div class="copyable">
				<input id={id} class="mono" type="text" readOnly value={text} onFocus={(e) => e.currentTarget.select()} />
				<button type="button" onClick={copy}>
					{t('copy')}
				</button>
			</div>
			<p class="hint" role="status">
				{said}
			</p>
		</div>
	);
}

/* A secret that is shown only once. */
export function SecretDialog({title, label, secret, onClose, children}: {
	title: string;
	label: string;
	secret: string;
	onClose: () => void;
	children?: ComponentChildren;
}) {
	return (
		<Dialog title={title} onClose={onClose}>
			<div class="body">
				{secret ? (
					<p>
						<T text="keepSecret" strong={<strong>{t('shownOnce')}</strong>} />
					</p>
				) : (
					<p>{t('secretLost')}</p>
				)}
				{secret && <Copyable label={label} text={secret} />}
				{children}
			</div>
			<footer>
				<button type="button" class="primary" onClick={onClose}>
					{secret ? t('haveKept') : t('close')}
				</button>
			</footer>
		</Dialog>
	);
}

/* Facts as a list of names and values. */
export function Facts({facts}: {facts: [string, ComponentChildren][]}) {
	return (
		<dl class="facts">
			{facts.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}

/* JSON in lines, if it is JSON; else as it is. */
export function prettyJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

/* Text of any width and length, which scrolls. */
export function Code({label, text}: {label: string; text: string}) {
	return (
		<pre class="code" tabIndex={0} role="region" aria-label={label}>
			<code>{text}</code>
		</pre>
	);
}
