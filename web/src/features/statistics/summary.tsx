import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import type { CountedFigure } from './counting-rules.tsx';
import { HowCounted } from './how-counted.tsx';
import { statisticsMessages } from './messages.ts';
import styles from './statistics.module.css';
import type { Statistics } from './statistics-queries.ts';

/** Totals over all records. */
export function Summary({ statistics }: { statistics: Statistics }) {
  const t = useTexts(statisticsMessages);
  const { hours } = useFormats('UTC');
  const days = (count: number) => t('days', { count });
  const { total_sessions, total_hours, study_days, current_streak, longest_streak } = statistics;
  const figures: [CountedFigure & keyof typeof statisticsMessages, string, string?][] = [
    ['total', hours(total_hours), t('records', { count: total_sessions })],
    ['study_days', days(study_days)],
    ['streak', days(current_streak)],
    ['longest_streak', days(longest_streak)],
    ['average', hours(statistics.average_session_length)],
    ['longest_record', hours(statistics.longest_session)],
  ];
  return (
    <Card title={t('summary')} className={styles.whole}>
      <dl className={styles.figures}>
        {figures.map(([figure, value, note]) => (
          <div key={figure}>
            <dt>
              {t(figure)} <HowCounted figure={figure} name={t(figure)} />
            </dt>
            <dd>
              {value}
              {note !== undefined && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
