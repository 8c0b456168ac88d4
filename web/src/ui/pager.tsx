import { useTexts } from '../lib/texts.ts';
import { Button } from './button.tsx';
import styles from './pager.module.css';

const pagerMessages = {
  pages: { en: 'Pages of {label}', zh: '{label}分页' },
  page_of: { en: 'Page {page} of {pages}', zh: '第 {page} 页，共 {pages} 页' },
  previous: { en: 'Previous', zh: '上一页' },
  next: { en: 'Next', zh: '下一页' },
} as const;

type Props = { label: string; page: number; pages: number; onChange: (page: number) => void };

/** Page navigation of a list; renders nothing for a single page. */
export function Pager({ label, page, pages, onChange }: Props) {
  const t = useTexts(pagerMessages);
  if (pages <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={t('pages', { label })}>
      <Button isDisabled={page <= 1} onPress={() => onChange(page - 1)}>
        {t('previous')}
      </Button>
      <span>{t('page_of', { page, pages })}</span>
      <Button isDisabled={page >= pages} onPress={() => onChange(page + 1)}>
        {t('next')}
      </Button>
    </nav>
  );
}
