import { useState } from 'react';
import { Link } from 'wouter';
import { collatorOf } from '../../../lib/collator.ts';
import { useFormats } from '../../../lib/format.ts';
import { useSettings } from '../../../lib/settings.ts';
import { useTexts } from '../../../lib/texts.ts';
import { href } from '../../../routes.ts';
import { Figure } from '../../../ui/figure.tsx';
import { Avatar } from '../../../ui/person.tsx';
import { ViewSwitch } from '../../../ui/view-switch.tsx';
import { ticksTo } from '../../projects/burn-up.ts';
import type { Period } from '../../statistics/period.ts';
import layout from '../class.module.css';
import { classMessages } from '../class-messages.ts';
import { ChangeText } from './change-text.tsx';
import styles from './compare.module.css';
import { compareMessages } from './compare-messages.ts';
import { changeOf, isChange, type Order, orders, type Pair, sorted } from './comparison.ts';
import dumbbells from './dumbbells.module.css';

type Props = {
  pairs: readonly Pair[];
  period: Period;
  other: Period;
  /** The weekly goal in hours; undefined without one, and for periods other than a week. */
  goal: number | undefined;
};

/** Each student as two dots on one line: hours in the other period, and in this one. */
export function Dumbbells({ pairs, period, other, goal }: Props) {
  const t = useTexts(compareMessages);
  const ofClass = useTexts(classMessages);
  const { locale } = useSettings();
  const formats = useFormats('UTC'); // dates have no time
  const [order, setOrder] = useState<Order>('change');
  const rows = sorted(pairs, order, collatorOf(locale).compare);
  const ticks = ticksTo(Math.max(0.5, goal ?? 0, ...pairs.flatMap(({ now, before }) => [now, before])));
  const most = ticks.at(-1) ?? 1;
  const at = (hours: number) => `${(2 + (hours / most) * 96).toFixed(2)}%`;
  const [nowDates, thenDates] = [period, other].map(({ from, to }) => formats.dayRange(from, to));
  const signed = (hours: number) => `${hours < 0 ? '−' : '+'}${formats.hours(Math.abs(hours))}`;
  return (
    <Figure
      title={t('each')}
      className={styles.whole}
      head={[t('student'), thenDates ?? '', nowDates ?? '', t('difference')]}
      rows={rows.map((pair) => [
        `${pair.id}`,
        pair.name,
        formats.hours(pair.before),
        formats.hours(pair.now),
        isChange(changeOf(pair)) ? signed(changeOf(pair)) : t('unchanged'),
      ])}
      context={
        <span className={dumbbells.legend}>
          <span data-kind="then">{thenDates}</span>
          <span data-kind="now">{nowDates}</span>
          {goal !== undefined && (
            <span data-kind="goal">{ofClass('goal_line', { hours: formats.shortHours(goal) })}</span>
          )}
        </span>
      }
      about={
        <ViewSwitch
          label={t('order')}
          options={orders.map((known) => [known, t(known)] as const)}
          value={order}
          onChange={setOrder}
        />
      }
    >
      <ul className={dumbbells.rows} aria-label={t('each')}>
        {rows.map((pair) => (
          <li key={pair.id}>
            <span className={dumbbells.who}>
              <Avatar id={pair.id} name={pair.name} size="small" />
              <Link href={href('student', { id: pair.id })}>{pair.name}</Link>
            </span>
            <svg
              className={dumbbells.line}
              width="100%"
              height="28"
              role="img"
              aria-label={t('row', { before: formats.hours(pair.before), now: formats.hours(pair.now) })}
            >
              {ticks.map((hours) => (
                <line key={hours} className={dumbbells.tick} x1={at(hours)} x2={at(hours)} y1="-8" y2="36" />
              ))}
              {goal !== undefined && <line className={layout.goal} x1={at(goal)} x2={at(goal)} y1="-8" y2="36" />}
              <line className={dumbbells.bar} x1={at(pair.before)} x2={at(pair.now)} y1="14" y2="14" />
              <circle className={dumbbells.then} cx={at(pair.before)} cy="14" r="5" />
              <circle className={pair.now === 0 ? dumbbells.none : dumbbells.now} cx={at(pair.now)} cy="14" r="6" />
            </svg>
            <span className={dumbbells.hours}>{formats.hours(pair.now)}</span>
            <span className={dumbbells.change}>
              <ChangeText hours={changeOf(pair)} />
            </span>
          </li>
        ))}
      </ul>
      <div className={dumbbells.axis}>
        <svg width="100%" height="18" aria-hidden="true">
          {ticks.map((hours) => (
            <text key={hours} x={at(hours)} y="13" textAnchor="middle">
              {formats.shortHours(hours)}
            </text>
          ))}
        </svg>
      </div>
    </Figure>
  );
}
