/* The form of a new webhook, and of an existing one. */
import {useState} from 'preact/hooks';
import {ApiError, call, explain, get, type Issue} from '../api';
import {SelectField, TextField} from '../parts/field';
import {issuesAt} from '../parts/saving';
import {Failed, Loading} from '../parts/table';
import {toast} from '../parts/toast';
import {companyFields, maxOf, objectFields, personFields, watchedOf} from '../records/apifields';
import type {Field} from '../records/fields';
import {loadFields, loadGroups, loadTypes} from '../records/kinds';
import {go, hrefOf} from '../route';
import {t} from '../texts/text';
import {useLoad, useTitle} from '../use';
import {SecretDialog} from './bits';
import {eventTypes, pathOf, type Filter, type Subscription, type Webhook} from './data';

const SUBSCRIPTIONS_MAX = 20;
const records: Record<string, Field[]> = {person: personFields, company: companyFields, object: objectFields};

const option = (value: string, label = value) => ({value, label});

/* The path of a custom field, as filters have it. */
const customPath = (field: Field, entity: string, group: string) =>
	entity === 'object' ? ['customFieldValues', field.name] : ['customFieldValues', group, field.name];

function attributesOf(entity: string, group: string, custom: Field[]): {value: string; label: string}[] {
	const builtIn = watchedOf(records[entity]!).map((f) => option(JSON.stringify([f.name]), f.label));
	return [...builtIn, ...custom.map((f) => option(JSON.stringify(customPath(f, entity, group)), f.label))];
}

const valueText = (value: unknown) => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/* The value for a typed text. If the text is unchanged, the value of the answer is kept as it was. */
const valueOf = (text: string, before: unknown) => (text === '' ? undefined : text === valueText(before) ? before : text);

function FilterFields({eventType, filter, onChange}: {eventType: string; filter: Filter; onChange: (filter: Filter) => void}) {
	const kind = eventTypes[eventType] ?? {};
	const group = filter.groupId ?? '';
	const needsType = kind.entity === 'object' || kind.type;
	const groups = useLoad(() => (kind.group ? loadGroups() : Promise.resolve([])), [!!kind.group]);
	const types = useLoad(() => (needsType && group ? loadTypes(group) : Promise.resolve([])), [needsType, group]);
	const entity = kind.entity === 'object' ? filter.objectType : kind.entity;
	const custom = useLoad(() => (kind.entity && group && entity ? loadFields(group, entity) : Promise.resolve([])), [kind.entity, group, entity]);
	const path = filter.path ? JSON.stringify(filter.path) : '';
	const attributes = kind.entity && (kind.entity !== 'object' || filter.objectType) ? attributesOf(kind.entity, group, custom.data ?? []) : [];
	const known = !path || attributes.some((a) => a.value === path);

	if (!kind.group) return null;
	return (
		<div class="columns">
			<SelectField
				label={t('inGroup')}
				value={group}
				onChange={(value) => onChange(value ? {groupId: value} : {})}
				options={[option('', t('any')), ...(groups.data ?? []).map((g) => option(g.id, g.name)), ...(group && groups.data && !groups.data.some((g) => g.id === group) ? [option(group)] : [])]}
			/>
			{needsType && group && (
				<SelectField
					label={t('ofType')}
					value={filter.objectType ?? ''}
					onChange={(value) => onChange(value ? {groupId: group, objectType: value} : {groupId: group})}
					options={[option('', t('any')), ...(types.data ?? []).map(({name}) => option(name))]}
				/>
			)}
			{kind.entity && attributes.length > 0 && (
				<SelectField
					label={t('whenChanges')}
					value={path}
					onChange={(value) => onChange({...filter, path: value ? JSON.parse(value) : undefined, value: undefined})}
					options={[option('', t('anything')), ...attributes, ...(known ? [] : [option(path)])]}
				/>
			)}
			{filter.path && (
				<TextField label={t('toThisValue')} hint={t('anyIfEmpty')} value={valueText(filter.value)} onInput={(text) => onChange({...filter, value: valueOf(text, filter.value)})} />
			)}
		</div>
	);
}

function Subscriptions({all, issues, onChange}: {all: Subscription[]; issues: Issue[]; onChange: (all: Subscription[]) => void}) {
	const set = (i: number, s: Subscription) => onChange(all.map((old, n) => (n === i ? s : old)));

	return (
		<fieldset class="subscriptions">
			<legend>{t('events')}</legend>
			{all.map((s, i) => (
				<div class="subscription" key={i}>
					<div class="row">
						<SelectField
							label={t('eventN', {n: i + 1})}
							value={s.eventType}
							onChange={(eventType) => set(i, {eventType, filter: {}})}
							options={[...Object.keys(eventTypes).map((t) => option(t)), ...(s.eventType in eventTypes ? [] : [option(s.eventType)])]}
						/>
						<button type="button" disabled={all.length === 1} aria-label={t('removeEvent', {n: i + 1})} onClick={() => onChange(all.filter((_, n) => n !== i))}>
							{t('remove')}
						</button>
					</div>
					<FilterFields eventType={s.eventType} filter={s.filter ?? {}} onChange={(filter) => set(i, {...s, filter})} />
					{issuesAt(issues, 'subscribedEvents', i) && <p class="error">{issuesAt(issues, 'subscribedEvents', i)}</p>}
				</div>
			))}
			<button type="button" disabled={all.length === SUBSCRIPTIONS_MAX} onClick={() => onChange([...all, {eventType: 'person.updated', filter: {}}])}>
				{t('addEvent')}
			</button>
		</fieldset>
	);
}

function Form({old}: {old: Webhook | null}) {
	const [name, setName] = useState(old?.name ?? '');
	const [targetUrl, setTargetUrl] = useState(old?.targetUrl ?? '');
	const [events, setEvents] = useState<Subscription[]>(old?.subscribedEvents ?? [{eventType: 'person.created', filter: {}}]);
	const [error, setError] = useState<unknown>(null);
	const [busy, setBusy] = useState(false);
	const [made, setMade] = useState<Webhook | null>(null);
	const issues = error instanceof ApiError ? error.issues : [];
	const elsewhere = error != null && !issues.some((i) => ['name', 'targetUrl', 'subscribedEvents'].includes(String(i.path[0])));

	const save = async () => {
		setBusy(true);
		setError(null);
		try {
			const body = {name, targetUrl, subscribedEvents: events};
			const {data} = await call<Webhook>(old ? 'PATCH' : 'POST', old ? pathOf(old.id) : '/v1/webhooks', {body});
			toast(old ? t('savedDone') : t('createdDone'));
			if (old) go(['webhooks', old.id]);
			else setMade(data);
		} catch (failure) {
			setError(failure);
		}
		setBusy(false);
	};

	return (
		<form
			class="narrow stack"
			onSubmit={(e) => {
				e.preventDefault();
				void save();
			}}
		>
			<TextField label={t('name')} required maxLength={maxOf('webhook', 'name')} value={name} onInput={setName} error={issuesAt(issues, 'name')} />
			<TextField
				label={t('address')}
				required
				maxLength={maxOf('webhook', 'targetUrl')}
				type="text"
				value={targetUrl}
				onInput={setTargetUrl}
				hint={t('receiverHint')}
				error={issuesAt(issues, 'targetUrl')}
			/>
			<Subscriptions all={events} issues={issues} onChange={setEvents} />
			{error != null && (
				<p class="error" role="alert">
					{elsewhere ? explain(error) : t('webhookNotSaved')}
				</p>
			)}
			<div class="row">
				<button type="submit" class="primary" disabled={busy}>
					{old ? t('save') : t('create')}
				</button>
				<a class="button" href={hrefOf(old ? ['webhooks', old.id] : ['webhooks'])}>
					{t('cancel')}
				</a>
			</div>
			{made && (
				<SecretDialog title={t('created')} label={t('signingSecret')} secret={made.signingSecret ?? ''} onClose={() => go(['webhooks', made.id], undefined, true)}>
					<p>{t('giveToReceiver')}</p>
				</SecretDialog>
			)}
		</form>
	);
}

export function WebhookForm({id}: {id: string | null}) {
	const {data, error, again, loading} = useLoad(async (signal) => (id ? (await get<Webhook>(pathOf(id), signal)).data : null), [id]);
	const title = id ? t('editWebhook') : t('newWebhook');

	useTitle(title);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>{title}</h1>
			</div>
			{error != null ? <Failed error={error} again={again} /> : id && !data ? <Loading /> : !loading || data ? <Form key={id ?? 'new'} old={data} /> : <Loading />}
		</>
	);
}
