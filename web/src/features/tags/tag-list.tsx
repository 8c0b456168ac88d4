import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import { tagMessages } from './messages.ts';
import styles from './tags.module.css';

/** The tags of a record, to read. */
export function TagList({ tags }: { tags: readonly string[] }) {
  const t = useTexts(tagMessages);
  if (tags.length === 0) return null;
  return (
    <ul className={cx(styles.list)} aria-label={t('tags')}>
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}
