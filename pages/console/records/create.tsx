/* A new record: a form with all fields. What was typed is kept until it is saved or discarded. */
import {useState} from 'preact/hooks';
import {ApiError, call} from '../api';
import {toast, toastError} from '../parts/toast';
import {go, hrefOf} from '../route';
import {t} from '../texts/text';
import {useTitle} from '../use';
import {Details} from './details';
import {errorsOf, useFields} from './editing';
import {type Draft, type Field, type RecordData, type Ref, type Value, bodyOf} from './fields';
import type {Kind} from './kinds';
import {keepTyped, typedAt} from './typed';

export function NewRecord({kind}: {kind: Kind}) {
	const name = `new ${kind.path}`;
	const [draft, setDraft] = useState<Draft>(typedAt<Draft>(name) ?? {});
	const [errors, setErrors] = useState<Record<string, string>>({});
	const [busy, setBusy] = useState(false);
	const groups = (draft.groups as Ref[] | undefined) ?? [];
	const {standard, all: fields, sets} = useFields(kind, groups, true);

	useTitle(t('newThing', {thing: kind.one}));
	const put = (field: Field, value: Value | undefined) => {
		const {[field.key]: _, ...others} = draft;
		const {[field.key]: __, ...rest} = errors;
		const next = value === undefined ? others : {...others, [field.key]: value};
		keepTyped(name, Object.keys(next).length ? next : undefined);
		setDraft(next);
		setErrors(rest);
	};
	const discard = () => {
		keepTyped(name, undefined);
		go(kind.route);
	};
	const save = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		try {
			const body = bodyOf(fields, draft);
			const answer = await call<RecordData>('POST', kind.path, {body});
			keepTyped(name, undefined);
			toast(answer.warnings.length ? answer.warnings.map((w) => w.message).join('; ') : t('thingCreated', {thing: kind.one}));
			go([...kind.route, answer.data.id]);
		} catch (error) {
			const found = error instanceof ApiError ? errorsOf(fields, error) : null;
			if (found) setErrors(found.errors);
			if (!found?.all) toastError(error, t('notSaved'));
			setBusy(false);
		}
	};
	const shared = {record: null, draft, errors, group: kind.group, put};
	return (
		<form onSubmit={save}>
			<nav class="crumbs" aria-label={t('breadcrumb')}>
				<a href={hrefOf(kind.route)}>{kind.title}</a> <span aria-hidden="true">›</span>
			</nav>
			<div class="head"><h1 tabIndex={-1}>{t('newThing', {thing: kind.one})}</h1></div>
			<fieldset class="narrow stack bare" disabled={busy}>
				<Details title={t('details')} fields={standard} {...shared} />
				{sets.map((s) => <Details key={s.id} title={s.title} fields={s.fields} {...shared} />)}
				<div class="savebar">
					<span />
					<button type="button" onClick={discard} disabled={busy}>{t('discard')}</button>
					<button class="primary" disabled={busy}>{busy ? t('saving') : t('save')}</button>
				</div>
			</fieldset>
		</form>
	);
}
