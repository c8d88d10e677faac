/* The form of a custom field: name, type, the options of a select, the format of numbers. */
import {useState} from 'preact/hooks';
import {call} from '../api';
import {SelectField, TextField} from '../parts/field';
import {FormDialog, type Saving, useSaving} from '../parts/saving';
import {t} from '../texts/text';
import {fieldTypes, formats, hasOptions, labeled, type Definition, type NumberConfig} from './data';
import {OptionRows, type OptionRow, bodyOfOptions, placesOf} from './optionrows';

const DECIMALS_MAX = 5;

function NumberFormat({config, saving, onChange}: {config: NumberConfig; saving: Saving; onChange: (config: NumberConfig) => void}) {
	const decimals = [{value: '', label: t('anyDecimals')}, ...Array.from({length: DECIMALS_MAX + 1}, (_, n) => ({value: String(n), label: String(n)}))];
	return (
		<div class="columns">
			<SelectField label={t('format')} value={config.format} onChange={(format) => onChange({...config, format})} options={labeled(formats)} error={saving.at('config', 'format')} />
			{config.format === 'currency' && (
				<TextField
					label={t('currency')}
					hint={t('currencyHint')}
					value={config.currency ?? ''}
					onInput={(currency) => onChange({...config, currency: currency.toUpperCase()})}
					error={saving.at('config', 'currency')}
					maxLength={3}
				/>
			)}
			<SelectField
				label={t('decimals')}
				value={String(config.decimals ?? '')}
				onChange={(text) => onChange({...config, decimals: text ? Number(text) : undefined})}
				options={decimals}
				error={saving.at('config', 'decimals')}
			/>
		</div>
	);
}

/* Only what the type has. */
function bodyOf(old: Definition | null, name: string, type: string, config: NumberConfig, rows: OptionRow[]): Record<string, unknown> {
	const {format, currency, decimals} = config;
	return {
		...(old?.name === name ? {} : {name}),
		...(old ? {} : {type}),
		...(type === 'numericField' ? {config: {format, currency: format === 'currency' ? currency : undefined, decimals}} : {}),
		...(hasOptions(type) ? bodyOfOptions(old?.options ?? null, rows) : {}),
	};
}

/* old: null for a new field. */
export function FieldForm({path, old, onDone, onClose}: {path: string; old: Definition | null; onDone: () => void; onClose: () => void}) {
	const saving = useSaving();
	const [name, setName] = useState(old?.name ?? '');
	const [type, setType] = useState(old?.type ?? Object.keys(fieldTypes)[0]!);
	const [config, setConfig] = useState<NumberConfig>(old?.config ?? {format: 'default'});
	const [rows, setRows] = useState<OptionRow[]>(old?.options ?? []);
	const places = placesOf(old?.options ?? null, rows);
	const save = async () => {
		const body = bodyOf(old, name, type, config, rows);
		await call(old ? 'PATCH' : 'POST', old ? `${path}/${encodeURIComponent(old.name)}` : path, {body});
		onDone();
	};

	return (
		<FormDialog
			title={old ? t('editName', {name: old.name}) : t('newField')}
			action={old ? t('save') : t('create')}
			saving={saving}
			named={['name', 'type', 'config', 'options', 'addOptions', 'updateOptions', 'removeOptions']}
			ready={!!name.trim()}
			onSave={save}
			onClose={onClose}
		>
			{/* Enter goes on to the options, as long as there are none. */}
			<div
				onKeyDown={(event) => {
					if (event.key !== 'Enter' || event.ctrlKey || !hasOptions(type) || rows.length) return;
					event.preventDefault();
					event.currentTarget.closest('form')!.querySelector<HTMLElement>('.optionrows input')!.focus();
				}}
			>
				<TextField label={t('name')} value={name} onInput={setName} error={saving.at('name')} maxLength={500} autoFocus />
			</div>
			{!old && <SelectField label={t('fieldType')} value={type} onChange={setType} options={labeled(fieldTypes)} error={saving.at('type')} />}
			{type === 'numericField' && <NumberFormat config={config} saving={saving} onChange={setConfig} />}
			{hasOptions(type) && (
				<OptionRows rows={rows} onChange={setRows} errorOf={(i) => (places[i] ? saving.at(...places[i]) : undefined)} />
			)}
		</FormDialog>
	);
}
