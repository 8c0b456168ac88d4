import { useTexts } from '../../lib/texts.ts';
import styles from './class.module.css';
import { classMessages } from './class-messages.ts';
import type { Comparison } from './class-queries.ts';

/** Says that one of two compared periods has more school days, if it is so. */
export function UnequalDays({ period, other }: Pick<Comparison, 'period' | 'other'>) {
  const t = useTexts(classMessages);
  if (period.school_days === other.school_days) return null;
  return <p className={styles.unequal}>{t('unequal', { days: period.school_days, other: other.school_days })}</p>;
}
