import { Fragment, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Figure } from '../../ui/figure.tsx';
import styles from './chart.module.css';
import { HowCounted } from './how-counted.tsx';
import { periodMessages } from './period-messages.ts';
import layout from './statistics.module.css';
import type { Statistics } from './statistics-queries.ts';

/** The hours shown in any case. */
const [firstHour, lastHour] = [6, 22];
/** 1 January 2024 was a Monday. */
const dateOf = (weekday: number) => new Date(Date.UTC(2024, 0, weekday)).toISOString();
const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;

/** At which hours of the week a person studies. Hours after midnight belong to the day before until the day starts. */
export function HourMap({ byHour, isWide }: { byHour: NonNullable<Statistics['by_hour']>; isWide: boolean }) {
  const t = useTexts(periodMessages);
  const formats = useFormats('UTC');
  const { day_start_hour: start, week_start } = useAccount();
  const [marked, setMarked] = useState<string>();
  const hourOf = (hour: number) => (hour < start ? hour + 24 : hour);
  const studied = new Map(byHour.map(({ weekday, hour, hours }) => [`${weekday} ${hourOf(hour)}`, hours]));
  const used = byHour.map(({ hour }) => hourOf(hour));
  const [first, last] = [Math.min(Math.max(firstHour, start), ...used), Math.max(lastHour, ...used)];
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const weekdays = Array.from({ length: 7 }, (_, index) => ((week_start + 6 + index) % 7) + 1);
  const most = Math.max(0.01, ...studied.values());
  const levelOf = (amount: number) => (amount <= 0 ? 0 : Math.max(1, Math.ceil((amount / most) * 4)));
  const atHour = (hour: number) => weekdays.reduce((sum, day) => sum + (studied.get(`${day} ${hour}`) ?? 0), 0);
  /** The two hours in a row with the most study. */
  const peak = hours.reduce(
    (best, hour) => (atHour(hour) + atHour(hour + 1) > atHour(best) + atHour(best + 1) ? hour : best),
    first,
  );
  const mostly = t('mostly', { from: clock(peak), to: clock(peak + 2) });
  const said = (weekday: number, hour: number, amount: number) =>
    t('day_hours', {
      date: `${formats.weekdayShort(dateOf(weekday))} ${clock(hour)}–${clock(hour + 1)}`,
      hours: formats.hours(amount),
    });
  const rows = hours
    .filter((hour) => atHour(hour) > 0)
    .map(
      (hour) =>
        [
          `${hour}`,
          clock(hour),
          ...weekdays.map((weekday) => {
            const amount = studied.get(`${weekday} ${hour}`) ?? 0;
            return amount > 0 ? formats.hours(amount) : '–';
          }),
        ] as const,
    );
  return (
    <Figure
      title={t('hours_chart')}
      context={marked ?? mostly}
      head={[t('hour'), ...weekdays.map((weekday) => formats.weekdayShort(dateOf(weekday)))]}
      rows={rows}
      about={<HowCounted figure="hours" name={t('hours_chart')} />}
      className={isWide ? layout.whole : layout.half}
    >
      <div
        role="img"
        aria-label={`${t('hours_chart')}: ${mostly}`}
        className={styles.hours}
        style={{ gridTemplateColumns: `auto repeat(${hours.length}, minmax(0, 1fr))` }}
        onPointerLeave={() => setMarked(undefined)}
      >
        {weekdays.map((weekday) => (
          <Fragment key={weekday}>
            <span className={cx(styles.weekday)}>{formats.weekdayShort(dateOf(weekday))}</span>
            {hours.map((hour) => {
              const amount = studied.get(`${weekday} ${hour}`) ?? 0;
              return (
                <span
                  key={hour}
                  className={cx(styles.hour)}
                  data-level={levelOf(amount)}
                  onPointerEnter={() => setMarked(said(weekday, hour, amount))}
                />
              );
            })}
          </Fragment>
        ))}
        <span />
        {hours.map((hour) => (
          <span key={hour} className={cx(styles.clock)}>
            {hour % 3 === 0 && <span className={cx(hour % 6 !== 0 && styles.between)}>{clock(hour)}</span>}
          </span>
        ))}
      </div>
    </Figure>
  );
}
