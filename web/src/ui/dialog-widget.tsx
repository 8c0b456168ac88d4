import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { cx } from '../lib/cx.ts';
import styles from './dialog.module.css';

export type DialogWidgetProps = {
  title: string;
  /** Absent if the dialog cannot be dismissed. */
  onClose?: () => void;
  children: ReactNode;
};

/** A modal dialog; the page keeps its state, and the focus is restored on close. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function DialogWidget({ title, onClose, children }: DialogWidgetProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(open) => !open && onClose?.()}
      className={cx(styles.overlay)}
    >
      <Modal className={cx(styles.modal)}>
        <AriaDialog className={cx(styles.dialog)}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
