import { Square } from 'lucide-react';
import { createPortal } from 'react-dom';
import { formatClock } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import styles from './focus.module.css';
import { focusMessages } from './focus-messages.ts';
import { useElapsed } from './timer-queries.ts';

type Props = { target: Window; project: { name: string; color: number }; onStop: () => void };

/** The running timer in a small window above others. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function SmallWindow({ target, project, onStop }: Props) {
  const t = useTexts(focusMessages);
  const elapsed = useElapsed();
  return createPortal(
    <div className={styles.small} data-hue={project.color}>
      <p>
        <strong role="timer">{formatClock(elapsed)}</strong>
        {project.name}
      </p>
      <Button look="stop" icon={<Square size={14} fill="currentColor" />} onPress={onStop}>
        {t('stop')}
      </Button>
    </div>,
    target.document.body,
  );
}
