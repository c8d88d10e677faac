/* Forms that are sent to the API. An issue is shown beside the field that its path names, the others at the end of the form. */
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {ApiError, type Issue, explain} from '../api';
import {t} from '../texts/text';
import {Dialog} from './dialog';

type Path = (string | number)[];

const isBelow = (issue: Issue, path: Path) => path.every((part, n) => issue.path[n] === part);

/* The messages of issues below a path, once each. */
export function issuesAt(issues: Issue[], ...path: Path): string | undefined {
	const found = issues.filter((i) => isBelow(i, path)).map((i) => `${i.message}${i.hint ? ` (${i.hint})` : ''}`);
	return found.length ? [...new Set(found)].join('; ') : undefined;
}

/* Why a password was refused, in the language of the page. */
export function passwordIssue(error: unknown, member: string): string | undefined {
	const issue = error instanceof ApiError ? error.issues.find(({path}) => path[0] === member) : undefined;
	if (!issue) return undefined;
	if (issue.code === 'too_small') return t('passwordShort');
	return issue.code === 'too_big' ? t('passwordLong') : t('passwordWeak');
}

export interface Saving {
	busy: boolean;
	error: unknown;
	/* Does the work; an error is kept for the form. */
	save: (work: () => Promise<void>) => Promise<void>;
	/* The messages for the field with that path. */
	at: (...path: Path) => string | undefined;
}

export function useSaving(): Saving {
	const [error, setError] = useState<unknown>(null);
	const [busy, setBusy] = useState(false);
	const issues = error instanceof ApiError ? error.issues : [];

	return {
		busy,
		error,
		save: async (work) => {
			setBusy(true);
			setError(null);
			await work().catch(setError);
			setBusy(false);
		},
		at: (...path) => issuesAt(issues, ...path),
	};
}

/* What the fields of the form, by the first member of their paths, do not show. */
function Remaining({error, named}: {error: unknown; named: string[]}) {
	if (error == null) return null;
	const isNamed = error instanceof ApiError && error.issues.length > 0 && error.issues.every((i) => named.includes(String(i.path[0])));
	return (
		<p class="error" role="alert">
			{isNamed ? t('correctMarked') : explain(error)}
		</p>
	);
}

export function FormDialog({title, action, saving, named, ready = true, onSave, onClose, children}: {
	title: string;
	/* The word on the button. */
	action: string;
	saving: Saving;
	/* The first members of the paths whose issues the fields show. */
	named: string[];
	ready?: boolean;
	/* Sends the form and closes it. If it fails, the dialog stays open. */
	onSave: () => Promise<void>;
	onClose: () => void;
	children: ComponentChildren;
}) {
	const {busy} = saving;
	return (
		<Dialog title={title} onClose={busy ? undefined : onClose}>
			<form
				onSubmit={(event) => {
					event.preventDefault();
					if (ready && !busy) void saving.save(onSave);
				}}
			>
				<div class="body">
					{children}
					<Remaining error={saving.error} named={named} />
				</div>
				<footer>
					<button type="button" onClick={onClose} disabled={busy}>
						{t('cancel')}
					</button>
					<button class="primary" disabled={busy || !ready}>
						{busy ? t('working') : action}
					</button>
				</footer>
			</form>
		</Dialog>
	);
}
