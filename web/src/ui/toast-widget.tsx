import { X } from 'lucide-react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { cx } from '../lib/cx.ts';
import { Button } from './button.tsx';
import styles from './toast.module.css';
import { WidgetButton } from './widget-button.tsx';

export type Message = { text: string; action?: { text: string; run: () => void } };

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
  return (
    <ToastRegion queue={queue} aria-label={label} className={cx(styles.region)}>
      {({ toast: shown }) => (
        <Toast toast={shown} className={cx(styles.toast)}>
          <ToastContent className={cx(styles.content)}>
            <Text slot="title">{shown.content.text}</Text>
          </ToastContent>
          {shown.content.action !== undefined && (
            <Button
              onPress={() => {
                shown.content.action?.run();
                queue.close(shown.key);
              }}
            >
              {shown.content.action.text}
            </Button>
          )}
          <WidgetButton slot="close" look="quiet" aria-label={closeLabel} icon={<X size={18} />} />
        </Toast>
      )}
    </ToastRegion>
  );
}
