import { type ReactNode, Suspense } from 'react';
import { loadable } from '../lib/loadable.tsx';
import { commonMessages } from '../lib/messages.ts';
import { useProblem } from '../lib/problem.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import type { DialogWidgetProps } from './dialog-widget.tsx';
import { Notice } from './notice.tsx';

export const DialogWidget = loadable(() => import('./dialog-widget.tsx'));

type Props = DialogWidgetProps & { isOpen: boolean };

/** A dialog over the page. The widget is loaded with the first one that opens. */
export function Dialog({ isOpen, ...props }: Props) {
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <DialogWidget {...props} />
    </Suspense>
  );
}

type ConfirmProps = {
  title: string;
  /** Of the button that does it. */
  label: string;
  look?: 'danger' | 'primary';
  isOpen?: boolean;
  /** What `useAction` says of it. */
  action: { isRunning: boolean; error: unknown };
  onConfirm: () => unknown;
  onClose: () => void;
  /** What it does, said before it is done. */
  children: ReactNode;
};

/** Asks before something that cannot be undone. A failure is shown here, and it can be tried again. */
export function ConfirmDialog({ title, label, look = 'danger', isOpen = true, action, ...props }: ConfirmProps) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  return (
    <Dialog title={title} isOpen={isOpen} onClose={props.onClose}>
      {props.children}
      {action.error !== undefined && <Notice kind="error">{problem(action.error)}</Notice>}
      <div className={styles.buttons}>
        <Button look={look} isPending={action.isRunning} onPress={() => void props.onConfirm()}>
          {label}
        </Button>
        <Button onPress={props.onClose}>{common('cancel')}</Button>
      </div>
    </Dialog>
  );
}
