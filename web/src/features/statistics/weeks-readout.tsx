import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './chart.module.css';
import { periodMessages } from './period-messages.ts';

/** A part of all bars: a project, a category, or all others. */
export type Series = { key: string; name: string; color: number | undefined };
export type Column = {
  from: string;
  to: string;
  hours: number;
  /** The hours of each series, in their order. */
  parts: readonly number[];
};
type Props = {
  series: readonly Series[];
  total: number;
  totals: readonly number[];
  goal: number | undefined;
  isOwn: boolean;
  /** Undefined for the whole period. */
  shown: Column | undefined;
};

/** The hours of the period, or of the bar under pointer, finger or focus, by series. */
export function Readout({ series, total, totals, goal, isOwn, shown }: Props) {
  const t = useTexts(periodMessages);
  const formats = useFormats('UTC'); // dates have no time
  const hoursOf = (shown?.parts ?? totals).map((hours, index) => ({ ...series[index], hours }));
  return (
    <div className={styles.readout} role="status">
      <p>
        <strong>{shown === undefined ? t('whole_period') : formats.dayRange(shown.from, shown.to)}</strong>
        <strong>{formats.hours(shown?.hours ?? total)}</strong>
        {shown !== undefined && goal !== undefined && (
          <span className="muted">
            {shown.hours < goal ? t('under_goal', { hours: formats.hours(goal - shown.hours) }) : t('goal_reached')}
          </span>
        )}
        {isOwn && shown !== undefined && <span className={styles.hint}>{t('enter_records')}</span>}
      </p>
      {series.length > 1 && (
        <ul>
          {hoursOf.map(({ key, name, color, hours }) => (
            <li key={key} data-hue={color}>
              <span className="tab" />
              {name} <span>{hours > 0 ? formats.hours(hours) : '–'}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
