import { X } from 'lucide-react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { cx } from '../lib/cx.ts';
import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './toast.module.css';
import { WidgetButton } from './widget-button.tsx';

const messages = { undo: { en: 'Undo', zh: '撤销' } } as const;

export type Message = { text: string; undo?: () => void; action?: { text: string; run: () => void } };

export type ToastRegionProps = { label: string; closeLabel: string };

/** How long an action can be undone. */
const undoMilliseconds = 8000;
const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 });

export function add(message: Message, onGone?: () => void): void {
  queue.add(message, { timeout: undoMilliseconds, ...(onGone !== undefined && { onClose: onGone }) });
}

/** The toasts. The library pauses their timeout while they are hovered or focused. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function Messages({ label, closeLabel }: ToastRegionProps) {
  const t = useTexts(messages);
  const actionOf = ({ undo, action }: Message) => (undo === undefined ? action : { text: t('undo'), run: undo });
  return (
    <ToastRegion queue={queue} aria-label={label} className={cx(styles.region)}>
      {({ toast: shown }) => (
        <Toast toast={shown} className={cx(styles.toast)}>
          <ToastContent className={cx(styles.content)}>
            <Text slot="title">{shown.content.text}</Text>
          </ToastContent>
          {actionOf(shown.content) !== undefined && (
            <Button
              onPress={() => {
                actionOf(shown.content)?.run();
                queue.close(shown.key);
              }}
            >
              {actionOf(shown.content)?.text}
            </Button>
          )}
          <WidgetButton slot="close" look="quiet" aria-label={closeLabel} icon={<X size={18} />} />
        </Toast>
      )}
    </ToastRegion>
  );
}
