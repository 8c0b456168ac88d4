import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './draft-notice.module.css';

const draftMessages = {
  restored: { en: 'What you had written is still here.', zh: '已恢复未提交的内容。' },
  discard: { en: 'Start afresh', zh: '重新填写' },
} as const;

/** Says that a form has kept what was written in it before, with a way to give that up. */
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
