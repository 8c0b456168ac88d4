import { useFormats } from '../../../lib/format.ts';
import { useAccount } from '../../../lib/session.ts';
import { useTexts } from '../../../lib/texts.ts';
import { Figure } from '../../../ui/figure.tsx';
import type { Period } from '../../statistics/period.ts';
import styles from './compare.module.css';
import { compareMessages } from './compare-messages.ts';

type Props = { now: readonly number[]; before: readonly number[]; names: readonly [Period, Period] };

/** A Sunday. */
const sunday = Date.UTC(2026, 10, 1);

/** The hours of the class on each day of the week in both periods. */
export function Weekdays({ now, before, names }: Props) {
  const t = useTexts(compareMessages);
  const { week_start } = useAccount();
  const formats = useFormats('UTC'); // dates have no time
  const most = Math.max(0.5, ...now, ...before);
  const days = Array.from({ length: 7 }, (_, index) => (week_start + index) % 7);
  const nameOf = (weekday: number) => formats.weekdayShort(new Date(sunday + weekday * 86_400_000).toISOString());
  const [nowDates = '', thenDates = ''] = names.map(({ from, to }) => formats.dayRange(from, to));
  const hoursOf = (weekday: number) => [formats.hours(before[weekday] ?? 0), formats.hours(now[weekday] ?? 0)] as const;
  const part = (hours = 0) => `${((hours / most) * 100).toFixed(1)}%`;
  return (
    <Figure
      title={t('weekdays')}
      context={t('class_total')}
      head={[t('weekday'), thenDates, nowDates]}
      rows={days.map((weekday) => [`${weekday}`, nameOf(weekday), ...hoursOf(weekday)])}
    >
      <ul className={styles.weekdays}>
        {days.map((weekday) => {
          const [earlier, hours] = hoursOf(weekday);
          return (
            <li key={weekday}>
              <span
                className={styles.columns}
                role="img"
                aria-label={t('hours_of', { name: nameOf(weekday), now: hours, before: earlier })}
              >
                <span style={{ height: part(before[weekday]) }} />
                <span style={{ height: part(now[weekday]) }} />
              </span>
              <span aria-hidden="true">{nameOf(weekday)}</span>
            </li>
          );
        })}
      </ul>
    </Figure>
  );
}
