import { type ReactNode, useId } from 'react';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Modal } from './modal.tsx';
import { Problem } from './notice.tsx';

type Props = {
  title: string;
  isOpen: boolean;
  /** Absent if the dialog cannot be dismissed. */
  onClose?: () => void;
  children: ReactNode;
};

/** A modal dialog with a title. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  const id = useId();
  if (!isOpen) return null;
  return (
    <Modal aria-labelledby={id} className={styles.overlay ?? ''} onClose={onClose}>
      <div className={styles.dialog}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </Modal>
  );
}

type ConfirmProps = {
  title: string;
  /** The text of the confirm button. */
  label: string;
  look?: 'danger' | 'primary';
  isOpen?: boolean;
  /** The state from `useAction`. */
  action: { isRunning: boolean; error: unknown };
  onConfirm: () => unknown;
  onClose: () => void;
  /** Explains what the action does. */
  children: ReactNode;
};

/** Confirms an action. Errors are shown in the dialog, where the action can be retried. */
export function ConfirmDialog({ title, label, look = 'danger', isOpen = true, action, ...props }: ConfirmProps) {
  const common = useTexts(commonMessages);
  return (
    <Dialog title={title} isOpen={isOpen} onClose={props.onClose}>
      {props.children}
      <Problem error={action.error} />
      <div className="buttons">
        <Button
          look={look === 'danger' ? 'destroy' : look}
          isPending={action.isRunning}
          onPress={() => void props.onConfirm()}
        >
          {label}
        </Button>
        <Button onPress={props.onClose}>{common('cancel')}</Button>
      </div>
    </Dialog>
  );
}
