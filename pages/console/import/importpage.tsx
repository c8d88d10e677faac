/* Import: a file is dropped, its columns are mapped to fields, a dry run counts, and an import can be undone. */
import {useState} from 'preact/hooks';
import {Field, SelectField} from '../parts/field';
import {Failed, Table} from '../parts/table';
import type {RecordData} from '../records/fields';
import {titleOf} from '../records/kinds';
import {hrefOf} from '../route';
import {T, numberOf, t} from '../texts/text';
import {useTitle} from '../use';
import {compose} from './importbody';
import type {Counts} from './importjournal';
import {type Job, afterUndo, change, changeKind, check, encodingMayHelp, importAgain, isBusy, jobNow, kindOf, leftOutColumns, openPart, readFile, setChoice, setTarget, start, startOver, stop, today, undo, useJob} from './importjob';
import {type ImportName, importNames, titleOfName} from './importkinds';
import {UNKNOWN, choicesOf} from './importmap';
import {saveRefused} from './importrefused';
import type {RefusedEntry} from './importwork';

const LISTED = 5;
const COLUMNS_NAMED = 10;
const ITEMS_SHOWN = 10; /* of a list, in the preview */
const ENCODING = 'windows-1252'; /* of older programs */

/* --- the file ------------------------------------------------------------------------------------ */

/* Reads a file that was dropped or chosen, unless another one is being imported. */
export function takeFile(file: File | undefined): void {
	if (file && !isBusy(jobNow())) void readFile(file);
}

function Choose({job}: {job: Job}) {
	const [over, setOver] = useState(false);
	return (
		<>
			<label
				class={`drop${over ? ' over' : ''}`}
				onDragEnter={(e) => (e.preventDefault(), setOver(true))}
				onDragLeave={() => setOver(false)}
				onDrop={() => setOver(false)}
			>
				<span>{t('importDrop')}</span>
				<input type="file" aria-label={t('importFile')} accept=".csv,.tsv,.vcf,.vcard,.ndjson,.jsonl,.gz,text/csv,text/vcard" onChange={(e) => takeFile(e.currentTarget.files?.[0])} />
				<span class="hint">{t('importKinds')}</span>
			</label>
			{job.error != null && <Failed error={job.error} />}
			{job.file && encodingMayHelp(job.error) && (
				<p><button type="button" onClick={() => void readFile(job.file!, ENCODING)}>{t('importReadAs', {encoding: ENCODING})}</button></p>
			)}
		</>
	);
}

function FileLine({job}: {job: Job}) {
	const things = job.records === 1 ? kindOf(job.choices).one : kindOf(job.choices).many;
	return (
		<p class="row between">
			<span>
				<strong><bdi>{job.file?.name}</bdi></strong>
				{job.source && <> – {t('importHas', {n: job.records, things})}</>}
				{job.mapping?.origin && <> {t('importFrom', {program: job.mapping.origin})}</>}
				{job.source && job.source.beside > 0 && <> ({t('importBeside', {n: job.source.beside})})</>}
			</span>
			{!isBusy(job) && <button type="button" onClick={startOver}>{t('importOther')}</button>}
		</p>
	);
}

/* A file that tells people from companies: one kind is shown, and the other one is a click away. */
function OtherPart({job}: {job: Job}) {
	const {told, choices} = job;
	const other = choices.kind === 'companies' ? 'people' : 'companies';
	if (!told || !choices.part || !told[other]) return null;
	const {one, many} = kindOf({...choices, kind: other});
	return (
		<p class="row between">
			<span>{t('importParts')}</span>
			<button type="button" onClick={() => void openPart(other)}>{t('importPart', {n: told[other], things: told[other] === 1 ? one : many})}</button>
		</p>
	);
}

/* --- choices and mapping --------------------------------------------------------------------------- */

/* The type of objects, with its group: "grp_… Deals". */
function TypeField({job}: {job: Job}) {
	const {choices, types} = job;
	const needed = choices.kind === 'objects';
	const value = choices.type ? `${choices.group} ${choices.type}` : '';
	const choose = (both: string) => {
		const found = types.find(({group, type}) => `${group} ${type}` === both);
		void change({...choices, group: found?.group ?? '', type: found?.type ?? ''});
	};
	return (
		<SelectField
			label={needed ? t('importType') : t('importAboutType')}
			value={value}
			onChange={choose}
			options={[{value: '', label: needed ? t('importChoose') : t('none')}, ...types.map(({group, groupName, type}) => ({value: `${group} ${type}`, label: t('typeOfGroup', {type, group: groupName})}))]}
		/>
	);
}

function ChoiceFields({job}: {job: Job}) {
	const {choices, groups} = job;
	const kind = kindOf(choices);
	const group = groups.find((g) => g.id === choices.group);
	const labelOf = (name: string) => kind.fields.find((f) => f.name === name)?.label ?? name;
	const again = job.head?.state === 'done';
	return (
		<div class="choices">
			<SelectField
				label={t('importRecordsAre')}
				value={choices.kind}
				onChange={(name) => void changeKind(name as ImportName)}
				options={importNames.map((name) => ({value: name, label: titleOfName(name)}))}
			/>
			{kind.about || kind.name === 'objects' ? (
				<TypeField job={job} />
			) : (
				<SelectField
					label={t('importIntoGroup')}
					value={choices.group}
					onChange={(id) => void change({...choices, group: id})}
					options={[{value: '', label: t('importNoGroup')}, ...groups.map((g) => ({value: g.id, label: g.name}))]}
					hint={group && job.source?.format === 'csv' ? t('importGroupFields') : undefined}
				/>
			)}
			{kind.matches.length > 0 && (
				<SelectField
					label={t('importExisting')}
					value={choices.match}
					onChange={(match) => setChoice({match})}
					options={[...(again ? [] : [{value: '', label: t('importCreateAll')}]), ...kind.matches.map((name) => ({value: name, label: t('importMatch', {field: labelOf(name)})}))]}
				/>
			)}
		</div>
	);
}

function Columns({job}: {job: Job}) {
	const {source, facts, choices, mapping, custom} = job;
	const offered = choicesOf(kindOf(choices), custom, job.admin);
	const rows = source!.columns.map((name, i) => ({name, i})).filter(({i}) => (facts[i]?.values ?? 0) > 0 || source!.columns.length <= 20);
	const optionsOf = (target: string) => [
		...(target === UNKNOWN ? [{value: UNKNOWN, label: t('importChoose')}] : []),
		...(target === UNKNOWN || offered.some((o) => o.value === target) ? [] : [{value: target, label: target}]),
		...offered,
	];
	const stateOf = (i: number) =>
		choices.targets[i] === UNKNOWN ? t('importUnknown') : mapping!.suggested[i] ? t('importSuggested') : mapping!.noField[i] && choices.targets[i] === '-' ? t('importNoField') : '';
	return (
		<Table
			caption={t('importColumns')}
			rows={rows}
			rowKey={({i}) => String(i)}
			columns={[
				{key: 'name', label: t('importColumn'), render: ({name}) => <bdi>{name || '–'}</bdi>},
				{key: 'sample', label: t('importExample'), minor: true, render: ({i}) => <span class="quiet cut"><bdi>{facts[i]?.sample}</bdi></span>},
				{
					key: 'field',
					label: t('field'),
					render: ({i, name}) => (
						<>
							<select aria-label={t('importFieldOf', {column: name})} value={choices.targets[i]} onChange={(e) => void setTarget(i, e.currentTarget.value)}>
								{optionsOf(choices.targets[i]!).map(({value, label}) => <option key={value} value={value} selected={value === choices.targets[i]}>{label}</option>)}
							</select>{' '}
							<small class={choices.targets[i] === UNKNOWN ? 'error' : 'quiet'}>{stateOf(i)}</small>
						</>
					),
				},
			]}
		/>
	);
}

/* The first records, as they would be sent, or as the server would keep them. */
function Preview({job}: {job: Job}) {
	const kind = kindOf(job.choices);
	const composer = {
		kind, source: job.source!, targets: job.choices.targets, facts: job.facts, custom: job.custom, group: job.choices.group, type: '', links: null,
		groups: job.groups, users: [], admin: job.admin, today: today(), left: new Map<string, number>(), labels: new Map<string, number>(),
	};
	const groupOf = (id: unknown) => job.groups.find((g) => g.id === id)?.name;
	const shown = (value: unknown): string => {
		if (Array.isArray(value)) return value.slice(0, ITEMS_SHOWN).map(shown).join('; ');
		if (!value || typeof value !== 'object') return String(value);
		if ('name' in value) return shown(value.name);
		if ('id' in value) return groupOf(value.id) ?? shown(value.id);
		const members = Object.entries(value).slice(0, ITEMS_SHOWN);
		return members.map(([name, v]) => (groupOf(name) ? shown(v) : `${name}: ${shown(v)}`)).join('; ');
	};
	const rows = job.first.map((entry) => ({entry, made: compose(composer, entry)}));
	const used = [...kind.fields.map((f) => ({name: f.name, label: f.label})), {name: 'entity', label: t('importAboutAny')}, {name: 'customFieldValues', label: t('importCustom')}].filter(({name}) =>
		rows.some(({made}) => 'body' in made && made.body[name] !== undefined));
	return (
		<>
			<h2>{t('importPreview')}</h2>
			<Table
				caption={t('importPreview')}
				rows={rows}
				rowKey={({entry}) => String(entry.line)}
				columns={[
					{key: 'line', label: t('importLine'), render: ({entry}) => entry.line},
					...used.map(({name, label}) => ({
						key: name,
						label,
						render: ({made}: (typeof rows)[number]) => ('body' in made && made.body[name] !== undefined ? <bdi>{shown(made.body[name]).slice(0, 300)}</bdi> : ''),
					})),
					...(rows.some(({made}) => 'why' in made) ? [{key: 'why', label: t('importRefused'), render: ({made}: (typeof rows)[number]) => ('why' in made ? made.why : '')}] : []),
				]}
			/>
		</>
	);
}

/* --- results ------------------------------------------------------------------------------------------ */

const COUNTS: [keyof Counts, string][] = [
	['created', t('importCreated')],
	['updated', t('importUpdated')],
	['unchanged', t('importUnchanged')],
	['existing', t('importExisted')],
	['refused', t('importRefused')],
];

function Counted({counts}: {counts: Counts}) {
	const shown = COUNTS.filter(([name]) => counts[name] || name === 'created' || name === 'refused');
	return (
		<dl class="counts">
			{shown.map(([name, label]) => (
				<div key={name}>
					<dt>{label}</dt>
					<dd>{numberOf(counts[name])}</dd>
				</div>
			))}
		</dl>
	);
}

function Refused({job, refused}: {job: Job; refused: RefusedEntry[]}) {
	if (!refused.length) return null;
	return (
		<section aria-label={t('importRefused')}>
			<ul>
				{refused.slice(0, LISTED).map(({entry, why}) => <li key={entry.line}>{t('importLineSays', {line: entry.line, why})}</li>)}
			</ul>
			<p><button type="button" onClick={() => saveRefused(job.source!, refused)}>{t('importSaveRefused', {n: refused.length})}</button></p>
		</section>
	);
}

function LeftOut({job}: {job: Job}) {
	const {left, labels, choices} = job;
	const columns = leftOutColumns(job);
	const more = columns.length - COLUMNS_NAMED;
	return (
		<>
			{columns.length > 0 && (
				<p>{t('importNoFields', {n: columns.length, names: columns.slice(0, COLUMNS_NAMED).join(', ') + (more > 0 ? t('andMore', {n: more}) : '')})}</p>
			)}
			{[...left].map(([why, n]) => <p key={why} class="quiet">{t('importLeft', {why, n})}</p>)}
			{labels.size > 0 && (
				<Field label={t('importLabels', {n: labels.size, names: [...labels.keys()].slice(0, LISTED).join(', ')})}>
					{(props) => <input {...props} type="checkbox" checked={choices.makeGroups} disabled={isBusy(job)} onChange={(e) => setChoice({makeGroups: e.currentTarget.checked})} />}
				</Field>
			)}
		</>
	);
}

function Samples({job}: {job: Job}) {
	const {samples} = job.tally;
	if (!samples.length) return null;
	const text = (record: RecordData, name: string) => (Array.isArray(record[name]) ? (record[name] as unknown[]).map(String).join('; ') : String(record[name] ?? ''));
	return <p class="quiet">{t('importSamples', {names: samples.map((r) => titleOf(kindOf(job.choices), r) + (text(r, 'emails') ? ` (${text(r, 'emails')})` : '')).join(', ')})}</p>;
}

/* --- the steps ------------------------------------------------------------------------------------------ */

/* Asks once more. */
function Undo() {
	const [asks, setAsks] = useState(false);
	if (!asks) return <p><button type="button" onClick={() => setAsks(true)}>{t('undo')}</button></p>;
	return (
		<div class="card" role="group" aria-label={t('undo')}>
			<p>{t('importUndoAbout')}</p>
			<p class="row">
				<button type="button" onClick={() => setAsks(false)}>{t('cancel')}</button>
				<button type="button" class="danger" onClick={() => void undo()}>{t('importUndoDo')}</button>
			</p>
		</div>
	);
}

function Ready({job}: {job: Job}) {
	const lacksType = job.choices.kind === 'objects' && !job.choices.type;
	const resumes = job.head?.state === 'running';
	const checked = job.step === 'checked';
	const things = (n: number) => ({n, things: n === 1 ? kindOf(job.choices).one : kindOf(job.choices).many});
	const {counts, matches} = job.tally;
	const todo = counts.created + counts.updated;
	return (
		<>
			{resumes && <p role="status">{t('importGoesOn')}</p>}
			{job.error != null && <Failed error={job.error} />}
			{checked && (
				<section class="card" aria-label={t('importCheck')}>
					<p role="status">{job.choices.match ? t('importWouldChange', things(todo)) : t('importWould', things(todo))}</p>
					<Counted counts={counts} />
					{matches > 0 && <p>{t('importMatches', {n: matches})}</p>}
					<Samples job={job} />
					<Refused job={job} refused={job.tally.refused} />
				</section>
			)}
			<LeftOut job={job} />
			<p class="row">
				{!checked && !resumes && <button type="button" class="primary" disabled={!job.records || lacksType} onClick={() => void check()}>{t('importCheck')}</button>}
				{checked && <button type="button" class="primary" disabled={!todo} onClick={() => void start()}>{t('importDo', things(todo))}</button>}
				{resumes && <button type="button" class="primary" onClick={() => void start()}>{t('importContinue')}</button>}
				{!checked && !resumes && <span class="hint">{t('importCheckHint')}</span>}
			</p>
			{resumes && <Undo />}
			{!resumes && <ChoiceFields job={job} />}
			{!resumes && job.source!.format !== 'ndjson' && <Columns job={job} />}
			<Preview job={job} />
		</>
	);
}

function Busy({job}: {job: Job}) {
	const all = job.step === 'undoing' ? job.tally.counts.created : job.records;
	const words = {reading: t('importReading', {n: job.n}), checking: t('importChecking', {done: job.n, all}), importing: t('importImporting', {done: job.n, all}), undoing: t('importUndoing', {done: job.n, all})};
	return (
		<>
			<p role="status">{words[job.step as keyof typeof words]}</p>
			<progress max={all || undefined} value={all ? job.n : undefined} aria-label={t('progress')} />
			<p class="row">
				<button type="button" onClick={stop}>{t('stop')}</button>
				{(job.step === 'importing' || job.step === 'undoing') && <span class="hint">{t('importStay')}</span>}
			</p>
		</>
	);
}

function Done({job}: {job: Job}) {
	const kind = kindOf(job.choices);
	const {counts, refused} = job.tally;
	return (
		<>
			{job.error != null && <Failed error={job.error} />}
			<p role="status">{job.before ? t('importBefore') : t('importDone')}</p>
			<Counted counts={counts} />
			<Refused job={job} refused={refused} />
			{[...job.left].map(([why, n]) => <p key={why} class="quiet">{t('importLeft', {why, n})}</p>)}
			<p class="row">
				{kind.route.length > 0 && <a href={hrefOf(kind.route)}>{kind.title}</a>}
				{kind.matches.length > 0 && <button type="button" onClick={() => void importAgain()}>{t('importUpdate')}</button>}
			</p>
			<Undo />
		</>
	);
}

function UndoneStep({job}: {job: Job}) {
	const {deleted, absent, kept, updated, companies, groups} = job.undone;
	const kind = kindOf(job.choices);
	return (
		<>
			<p role="status">{t('importUndone', {n: deleted})}</p>
			{companies > 0 && <p>{t('importUndoneCompanies', {n: companies})}</p>}
			{groups.length > 0 && <p>{t('importUndoneGroups', {n: groups.length})}</p>}
			{absent > 0 && <p>{t('importAbsent', {n: absent})}</p>}
			{updated > 0 && <p>{t('importKeptUpdated', {n: updated})}</p>}
			{kept.length > 0 && (
				<>
					<p>{t('importKept', {n: kept.length})}</p>
					<ul>{kept.slice(0, 20).map((id) => <li key={id}>{kind.route.length > 0 ? <a href={hrefOf([...kind.route, id])}>{id}</a> : <code>{id}</code>}</li>)}</ul>
				</>
			)}
			<p class="row">
				<button type="button" onClick={afterUndo}>{t('importOnceMore')}</button>
			</p>
		</>
	);
}

export function ImportPage() {
	const job = useJob();
	useTitle(t('import'));
	return (
		<div class="import">
			<h1 tabIndex={-1}>{t('import')}</h1>
			{job.step === 'choose' ? <Choose job={job} /> : <FileLine job={job} />}
			{job.step !== 'choose' && !isBusy(job) && <OtherPart job={job} />}
			{job.step === 'choose' && <p class="quiet"><T text="importAbout" link={<a href="docs">{t('documents')}</a>} /></p>}
			{isBusy(job) && <Busy job={job} />}
			{(job.step === 'ready' || job.step === 'checked') && <Ready job={job} />}
			{job.step === 'done' && <Done job={job} />}
			{job.step === 'undone' && <UndoneStep job={job} />}
		</div>
	);
}
