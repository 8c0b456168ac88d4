import { Info, Tag } from 'lucide-react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Figure } from '../../ui/figure.tsx';
import styles from './shares.module.css';
import { Shares, useChangeText } from './shares.tsx';
import layout from './statistics.module.css';
import type { Statistics } from './statistics-queries.ts';
import { tagShareMessages } from './tag-messages.ts';

/** The tags of the period, most time first, with the change from the period before. */
export function TagShares({ statistics }: { statistics: Statistics }) {
  const t = useTexts(tagShareMessages);
  const formats = useFormats('UTC');
  const changeText = useChangeText();
  const isStudent = useAccount().role === 'user';
  const { by_tag: all = [], tagged_hours: tagged = 0, untagged_hours: untagged = 0 } = statistics;
  const tags = all.filter(({ hours, previous_hours }) => hours > 0 || (previous_hours ?? 0) > 0);
  if (tags.length === 0) return null;
  const changed = ({ hours, previous_hours: before }: (typeof tags)[number]) =>
    changeText(before === null ? undefined : hours - before);
  const named = ({ tag, hours }: (typeof tags)[number]) => (
    <span className={styles.name}>
      <Tag size={16} />
      {tag}
      <small className="muted">
        {t('share', { percent: Math.round((100 * hours) / Math.max(0.01, tagged + untagged)) })}
      </small>
    </span>
  );
  const sum = tags.reduce((total, { hours }) => total + hours, 0);
  return (
    <Figure
      title={t('by_tag')}
      head={[t('tag'), t('time'), t('change')]}
      rows={tags.map((tag) => [tag.tag, tag.tag, formats.hours(tag.hours), changed(tag)] as const)}
      className={layout.side}
    >
      <Shares
        shares={tags.map((tag) => ({ key: tag.tag, name: named(tag), hours: tag.hours, change: changed(tag) }))}
      />
      {sum > tagged + 0.01 && (
        <p className={cx('note', styles.note)}>
          <Info size={16} />
          {t('overlap')}
        </p>
      )}
      <p className={styles.foot}>
        {t('tagged', { hours: formats.hours(tagged) })}
        <span>{t('untagged', { hours: formats.hours(untagged) })}</span>
        {isStudent && (
          <Link href="/me/data" className="no-print">
            {t('edit_tags')}
          </Link>
        )}
      </p>
    </Figure>
  );
}
