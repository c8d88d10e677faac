/* A field's value as it is read. */
import {Day, EmailText, Link, PhoneText, Time, UrlText, numberText} from '../parts/text';
import {hrefOf} from '../route';
import {type Field, type Ref, type Value, choiceText, isRefs, nameOf} from './fields';
import {routeOfId} from './kinds';

/* A small label; its colour is the option's own when that is #rrggbb. */
export function Badge({text, color}: {text: string; color?: string}) {
	const dot = color && /^#[0-9a-f]{6}$/i.test(color) ? color : undefined;
	return (
		<span class="badge">
			{dot && (
				<svg width="8" height="8" aria-hidden="true">
					<circle cx="4" cy="4" r="4" fill={dot} />
				</svg>
			)}
			<bdi>{text}</bdi>
		</span>
	);
}

/* The values of fields below a title. */
export function FieldValues({title, fields, value, plain}: {title: string; fields: Field[]; value: (field: Field) => Value; plain?: boolean}) {
	if (!fields.length) return null;
	return (
		<section class="versions">
			<h3>{title}</h3>
			<dl>
				{fields.map((f) => (
					<div key={f.key}>
						<dt>{f.label}</dt>
						<dd><ValueText field={f} value={value(f)} plain={plain} /></dd>
					</div>
				))}
			</dl>
		</section>
	);
}

export function RefText({value, group}: {value: Ref; group?: boolean}) {
	const route = routeOfId(value.id);
	if (group) return <Badge text={nameOf(value)} />;
	return route ? <a href={hrefOf(route)}><bdi>{nameOf(value)}</bdi></a> : <Link href={null} text={nameOf(value)} />;
}

function Item({field, text}: {field: Field; text: string}) {
	switch (field.type) {
		case 'emails':
			return <EmailText text={text} />;
		case 'phones':
			return <PhoneText text={text} />;
		case 'urls':
			return <UrlText text={text} />;
		case 'option':
		case 'options':
			return <Badge text={text} color={field.options?.find((o) => o.label === text)?.color} />;
		case 'choice':
			return <bdi>{choiceText(text)}</bdi>;
		default:
			return <bdi class="lines">{text}</bdi>;
	}
}

const isNothing = (field: Field, value: Value) =>
	value === null || value === '' || (Array.isArray(value) && !value.length) || value === field.unset;

/* short: the first item, with the number of the others. plain: without links, for a value inside a button. */
export function ValueText({field, value, short, plain}: {field: Field; value: Value; short?: boolean; plain?: boolean}) {
	if (isNothing(field, value)) return <span class="quiet">{short ? '' : '–'}</span>;
	if (Array.isArray(value)) {
		const items = short && !['groups', 'options'].includes(field.type) ? value.slice(0, 1) : value;
		const more = value.length - items.length;
		return (
			<span class={field.type === 'groups' || field.type === 'options' ? 'row' : short ? '' : 'stack tight'}>
				{items.map((item, i) =>
					plain ? (
						<bdi key={i}>{typeof item === 'string' ? item : nameOf(item)}</bdi>
					) : isRefs(field) ? (
						<RefText key={i} value={item as Ref} group={field.type === 'groups'} />
					) : (
						<Item key={i} field={field} text={String(item)} />
					),
				)}
				{more > 0 && <span class="quiet"> +{more}</span>}
			</span>
		);
	}
	if (field.type === 'date') return <Day day={value} />;
	if (field.type === 'moment') return <Time at={value} />;
	if (field.type === 'number') return <span class="figure">{numberText(String(value), field.currency)}{field.percent ? ' %' : ''}</span>;
	return <Item field={field} text={String(value)} />;
}
