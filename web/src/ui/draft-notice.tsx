import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './draft-notice.module.css';

const draftMessages = {
  restored: { en: 'Your unsent input was restored.', zh: '已恢复未提交的内容。' },
  discard: { en: 'Start over', zh: '重新填写' },
} as const;

/** Announces a restored draft, with a button to discard it. */
export function DraftNotice({ draft }: { draft: { isRestored: boolean; reset: () => void } }) {
  const t = useTexts(draftMessages);
  if (!draft.isRestored) return null;
  return (
    <div className={styles.draft} role="status">
      <span>{t('restored')}</span>
      <Button look="quiet" onPress={() => draft.reset()}>
        {t('discard')}
      </Button>
    </div>
  );
}
