import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import type { CountedFigure } from './counting-rules.tsx';
import { HowCounted } from './how-counted.tsx';
import styles from './kpis.module.css';
import { daysBetween, type Period } from './period.ts';
import { periodMessages } from './period-messages.ts';
import type { Statistics } from './statistics-queries.ts';

type Props = { statistics: Statistics; period?: Period };

/** The main figures of a period with the change from the one before; without a period, of all time. */
export function Kpis({ statistics, period }: Props) {
  const t = useTexts(periodMessages);
  const { hours } = useFormats('UTC');
  const { previous, total_hours, study_days, average_hours_per_day: perDay = 0, school_days, is_running } = statistics;
  const about = [
    ...(previous != null && is_running ? [t('so_far')] : []),
    ...(previous != null && previous.school_days !== school_days
      ? [t('unequal', { days: school_days ?? 0, other: previous.school_days })]
      : []),
  ];
  const days = (count: number) => t('days', { count });
  const { current_streak: streak, longest_streak: longest } = statistics;
  return (
    <Card className="whole">
      <dl className={styles.kpis}>
        <Kpi figure="total" value={hours(total_hours)}>
          {previous && <Change by={total_hours - previous.total_hours} text={hours} />}
        </Kpi>
        {period === undefined ? (
          <Kpi figure="longest_record" value={hours(statistics.longest_session)} />
        ) : (
          <Kpi figure="per_day" value={hours(perDay)}>
            {previous && <Change by={perDay - previous.average_hours_per_day} text={hours} />}
          </Kpi>
        )}
        <Kpi
          figure="study_days"
          value={
            period === undefined ? days(study_days) : t('of_days', { count: study_days, all: daysBetween(period) })
          }
        >
          {previous && <Change by={study_days - previous.study_days} text={days} />}
        </Kpi>
        <Kpi figure="longest_streak" value={days(longest)}>
          {streak > 0 && (streak === longest ? t('still_going') : t('now_streak', { days: days(streak) }))}
        </Kpi>
        <Kpi figure="average" value={hours(statistics.average_session_length)}>
          {t('records', { count: statistics.total_sessions })}
        </Kpi>
      </dl>
      {about.map((sentence) => (
        <p key={sentence} className={styles.about}>
          {sentence}
        </p>
      ))}
    </Card>
  );
}

type KpiProps = { figure: CountedFigure & keyof typeof periodMessages; value: string; children?: React.ReactNode };

function Kpi({ figure, value, children }: KpiProps) {
  const t = useTexts(periodMessages);
  return (
    <div>
      <dt>
        {t(figure)} <HowCounted figure={figure} name={t(figure)} />
      </dt>
      <dd className={cx(styles.value)}>
        <Quantity text={value} />
      </dd>
      {children !== undefined && <dd className={cx(styles.note)}>{children}</dd>}
    </div>
  );
}

/** More is green, less amber; what rounds to nothing is neither. */
function Change({ by, text }: { by: number; text: (amount: number) => string }) {
  const t = useTexts(periodMessages);
  const amount = text(Math.abs(by));
  if (amount === text(0)) return t('same');
  return (
    <>
      <span className={by > 0 ? styles.up : styles.down}>
        <span aria-hidden="true">{by > 0 ? '▲' : '▼'}</span>
        <span className="visually-hidden">{t(by > 0 ? 'more' : 'less')}</span> {amount}
      </span>{' '}
      {t('vs_previous')}
    </>
  );
}
