import { type ReactNode, Suspense } from 'react';
import { loadable } from '../lib/loadable.tsx';
import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import type { DialogWidgetProps } from './dialog-widget.tsx';
import { Problem } from './notice.tsx';

export const DialogWidget = loadable(() => import('./dialog-widget.tsx'));

type Props = DialogWidgetProps & { isOpen: boolean };

/** A modal dialog. The widget is loaded when the first one opens. */
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
