import { commonMessages } from '../lib/messages.ts';
import { useTexts } from '../lib/texts.ts';
import { useOutdated } from '../lib/worker.ts';
import { Button } from '../ui/button.tsx';
import { frameMessages } from './messages.ts';
import styles from './new-version.module.css';

/** Shown in a tab that was open during an upgrade. Input in forms survives the reload. */
export function NewVersion() {
  const t = useTexts(frameMessages);
  const common = useTexts(commonMessages);
  if (!useOutdated()) return null;
  return (
    <div className={styles.version}>
      <p role="status">{t('new_version')}</p>
      <Button look="quiet" onPress={() => location.reload()}>
        {common('reload')}
      </Button>
    </div>
  );
}
