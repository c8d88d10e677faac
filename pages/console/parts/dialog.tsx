/* A modal dialog: the browser keeps the focus inside and gives it back. */
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {t} from '../texts/text';
import {useName} from '../use';
import {toastError} from './toast';
import {Notices} from './notices';

interface DialogProps {
	title: string;
	/* Called by Escape or the close button. If absent, the user must answer the dialog. */
	onClose?: () => void;
	children: ComponentChildren;
	wide?: boolean;
}

export function Dialog({title, onClose, children, wide}: DialogProps) {
	const ref = useRef<HTMLDialogElement>(null);
	const name = useName('dialog');

	useEffect(() => {
		const dialog = ref.current!;
		if (!dialog.open) dialog.showModal();
		/* The browser would take the close button, which is the first one. */
		if (document.activeElement === dialog.querySelector('header button'))
			dialog.querySelector<HTMLElement>('.body :is(input, select, textarea, button, a), footer button:not(.danger)')?.focus();
		return () => dialog.close();
	}, []);
	return (
		<dialog
			ref={ref}
			class={wide ? 'wide' : ''}
			aria-labelledby={name}
			onCancel={(event) => {
				event.preventDefault();
				onClose?.();
			}}
			onClose={() => {
				/* Browsers close a dialog at a second Escape, even against its will. */
				if (!ref.current?.isConnected || ref.current.open) return;
				if (onClose) onClose();
				else ref.current.showModal();
			}}
		>
			<header>
				<h2 id={name}>{title}</h2>
				{onClose && (
					<button type="button" class="plain" aria-label={t('close')} onClick={onClose}>
						×
					</button>
				)}
			</header>
			{children}
			<Notices />
		</dialog>
	);
}

interface ConfirmProps {
	title: string;
	children: ComponentChildren;
	/* The word on the button. */
	action: string;
	danger?: boolean;
	/* If it fails, the dialog stays open and shows the error. */
	onConfirm: () => Promise<void>;
	onClose: () => void;
}

/* Asks before something that cannot be undone. */
export function Confirm({title, children, action, danger, onConfirm, onClose}: ConfirmProps) {
	const [busy, setBusy] = useState(false);

	const confirm = async () => {
		setBusy(true);
		try {
			await onConfirm();
		} catch (error) {
			toastError(error, action);
			setBusy(false);
		}
	};
	return (
		<Dialog title={title} onClose={busy ? undefined : onClose}>
			<div class="body">{children}</div>
			<footer>
				<button type="button" onClick={onClose} disabled={busy}>
					{t('cancel')}
				</button>
				<button type="button" class={danger ? 'danger' : 'primary'} onClick={confirm} disabled={busy}>
					{busy ? t('working') : action}
				</button>
			</footer>
		</Dialog>
	);
}
