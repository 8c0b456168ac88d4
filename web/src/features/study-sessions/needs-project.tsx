import { commonMessages } from '../../lib/messages.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { recordMessages } from './messages.ts';
import styles from './records.module.css';

/** Instead of the form while there is no project: records belong to one. */
export function NeedsProject({ onCancel }: { onCancel: () => void }) {
  const t = useTexts(recordMessages);
  const common = useTexts(commonMessages);
  return (
    <div className={styles.needed}>
      <p role="status">{t('needs_project')}</p>
      <div className={styles.buttons}>
        <LinkButton look="primary" href={href('newProject')}>
          {t('new_project')}
        </LinkButton>
        <Button onPress={onCancel}>{common('cancel')}</Button>
      </div>
    </div>
  );
}
