/* The command palette: pages and records by a part of their name. */
import {useEffect, useState} from 'preact/hooks';
import {Dialog} from '../parts/dialog';
import {Failed} from '../parts/table';
import {type Found, find} from '../records/find';
import {go} from '../route';
import {t} from '../texts/text';
import {useName, useRested} from '../use';
import {makers, places} from './places';

interface Choice {
	id: string;
	title: string;
	subtitle?: string;
	under: string;
	path: string[];
}

function commandsOf(text: string): Choice[] {
	return [...places, ...makers]
		.filter(({label}) => label.toLowerCase().includes(text.toLowerCase()))
		.map(({label, path}) => ({id: path.join('/'), title: label, under: t('page'), path}));
}

/* The records for a text; null until they are known. */
function useFound(text: string): {found: Found[] | null; error: unknown} {
	const [state, setState] = useState<{text: string; found: Found[]; error: unknown}>({text: '', found: [], error: null});

	useEffect(() => {
		const stop = new AbortController();
		find(text, stop.signal).then(
			(found) => stop.signal.aborted || setState({text, found, error: null}),
			(error) => stop.signal.aborted || setState({text, found: [], error}),
		);
		return () => stop.abort();
	}, [text]);
	return {found: state.text === text ? state.found : null, error: state.error};
}

export function Palette({onClose}: {onClose: () => void}) {
	const [text, setText] = useState('');
	const [active, setActive] = useState(0);
	const name = useName('palette');
	const rested = useRested(text.trim(), 150);
	const {found, error} = useFound(rested);
	const looking = found === null || rested !== text.trim();
	const choices: Choice[] = [
		...commandsOf(text.trim()),
		...(looking ? [] : found).map(({id, title, subtitle, kind, route}) => ({id, title, subtitle, under: kind, path: route})),
	];
	const at = Math.min(active, choices.length - 1);

	const choose = (choice: Choice | undefined) => {
		if (!choice) return;
		onClose();
		go(choice.path);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
		if (by && choices.length) setActive((at + by + choices.length) % choices.length);
		else if (event.key === 'Enter') choose(choices[at]);
		else return;
		event.preventDefault();
	};
	return (
		<Dialog title={t('palette')} onClose={onClose}>
			<div class="body palette">
				<input
					role="combobox"
					dir="auto"
					aria-label={t('paletteHint')}
					placeholder={t('paletteHint')}
					aria-expanded={choices.length > 0}
					aria-controls={name}
					aria-autocomplete="list"
					aria-activedescendant={choices[at] ? `${name}-${at}` : undefined}
					autoComplete="off"
					autoFocus
					value={text}
					onInput={(e) => (setText(e.currentTarget.value), setActive(0))}
					onKeyDown={onKeyDown}
				/>
				<ul class="palettelist" role="listbox" id={name} aria-label={t('palette')}>
					{choices.map((choice, i) => (
						<li role="option" key={choice.id} id={`${name}-${i}`} aria-selected={i === at} onClick={() => choose(choice)}>
							<span class="cut grow"><bdi>{choice.title}</bdi>{choice.subtitle && <small class="quiet"> <bdi>{choice.subtitle}</bdi></small>}</span> <small class="quiet">{choice.under}</small>
						</li>
					))}
				</ul>
				<p class="quiet" role="status">{looking ? t('looking') : !choices.length && t('nothingFound')}</p>
				{error != null && <Failed error={error} />}
			</div>
		</Dialog>
	);
}
