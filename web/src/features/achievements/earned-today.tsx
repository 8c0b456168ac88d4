import { Award as AwardIcon } from 'lucide-react';
import { Link } from 'wouter';
import { useMarks } from '../../lib/marks.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { createDays } from '../../lib/study-days.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { isEarned, useAwards } from './awards-queries.ts';
import styles from './earned-today.module.css';
import { awardMessages } from './messages.ts';

/** A line with the awards that were earned today. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function EarnedToday() {
  const t = useTexts(awardMessages);
  const marks = useMarks();
  const { timezone, day_start_hour } = useAccount();
  const { data = [] } = useAwards();
  const { dateOf } = createDays(timezone, day_start_hour);
  const today = dateOf(Date.parse(outbox.now()));
  const names = data.filter((award) => isEarned(award) && dateOf(Date.parse(award.earned_at)) === today);
  if (names.length === 0) return null;
  return (
    <p className={styles.line}>
      <AwardIcon size={18} strokeWidth={1.75} />
      {t('earned_today')} <Link href={href('awards')}>{marks.list(names.map(({ name }) => name))}</Link>
    </p>
  );
}
