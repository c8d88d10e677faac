/* Events in lines. A run of events is a line that can be opened. */
import {useState} from 'preact/hooks';
import {ShortTime, Time} from '../parts/text';
import {ActorText} from '../records/actor';
import {type Names, type RecordEvent, loadNames} from '../records/change';
import {inSentence, numberOf, t} from '../texts/text';
import {useLoad} from '../use';
import {EventLine, Sentence, eventKinds, kindOf} from './eventline';
import {type Feed, type Line, linesOf} from './feed';
import {type Found, namesOf, useKnown} from './lookup';

const OPENED = 25; /* events of a run that are shown at once */

function Single({event, found, base, short}: {event: RecordEvent; found: Found; base: Names; short?: boolean}) {
	return <EventLine event={event} found={found} names={new Map([...base, ...namesOf(found)])} short={short} />;
}

/* The events of a run that was opened. */
function Opened({events, base, short}: {events: RecordEvent[]; base: Names; short?: boolean}) {
	const [shown, setShown] = useState(OPENED);
	const some = events.slice(0, shown);
	const found = useKnown(some);
	return (
		<>
			<ol class="entries lined">{some.map((event) => <Single key={event.id} event={event} found={found} base={base} short={short} />)}</ol>
			{shown < events.length && <p><button type="button" onClick={() => setShown(shown + OPENED)}>{t('more')}</button></p>}
		</>
	);
}

/* cut: there may be more events in the run than were read. */
function Run({events, cut, base, short}: {events: Line; cut: boolean; base: Names; short?: boolean}) {
	const [open, setOpen] = useState(false);
	const [newest] = events;
	const types = [...new Set(events.map(({type}) => type))];
	const what = (type: string) => {
		const n = events.filter((event) => event.type === type).length;
		const {a, label} = eventKinds[kindOf({type})] ?? {a: type, label: type};
		if (n === 1 && !cut) return a;
		return `${cut ? t('atLeast', {n}) : numberOf(n)} ${inSentence(label)}`;
	};

	return (
		<li>
			<details onToggle={(e) => setOpen(e.currentTarget.open)}>
				<summary>
					<span class="row between">
						<span class="grow">
							{types.map((type) => <span key={type}><Sentence event={{...newest!, type, data: {id: ''}}} what={what(type)} /><br /></span>)}
							<ActorText actor={newest!.actor} short />
						</span>
						<span class="quiet">{short ? <ShortTime at={newest!.createdAt} /> : <Time at={newest!.createdAt} />}</span>
					</span>
				</summary>
				{open && <Opened events={events} base={base} short={short} />}
			</details>
		</li>
	);
}

/* lines: at most so many. short: in a narrow place. */
export function EventLines({feed, lines: most, label, short}: {feed: Feed; lines: number; label: string; short?: boolean}) {
	const read = linesOf(feed.events);
	const shown = [...read, ...linesOf(feed.beside ?? [])].slice(0, most);
	const found = useKnown(shown.flatMap((line) => (line.length > 1 ? [] : line)));
	const base: Names = useLoad(() => loadNames(), []).data ?? new Map();
	const isCut = (line: Line) => feed.next !== null && line === read[read.length - 1];
	return (
		<ol class="entries lined" aria-label={label}>
			{shown.map((line) =>
				line.length > 1 ? (
					<Run key={line[0]!.id} events={line} cut={isCut(line)} base={base} short={short} />
				) : (
					<Single key={line[0]!.id} event={line[0]!} found={found} base={base} short={short} />
				),
			)}
		</ol>
	);
}
