import { useFormats } from '../../lib/format.ts';
import { specialOn, useDayName, useSchoolYear } from '../../lib/school-year.ts';
import styles from './calendar.module.css';

type Props = {
  columns: readonly { date: string; seconds: number }[];
  today: string;
  /** The columns of the grid below. */
  template: string;
  /** What they say is beside the grid, except which holiday it is. */
  isBeside: boolean;
};

/** The heads of the days: their total, and which holiday or make-up day they are. */
export function DayNames({ columns, today, template, isBeside }: Props) {
  const plain = useFormats('UTC'); // dates have no time
  const { days } = useSchoolYear();
  const nameOf = useDayName();
  if (isBeside && columns.every(({ date }) => specialOn(days, date) === undefined)) return null;
  return (
    <div className={styles.dayNames} style={{ gridTemplateColumns: template }}>
      <span />
      {columns.map(({ date, seconds }) => {
        const found = specialOn(days, date);
        return (
          <h2 key={date} className={date === today ? styles.today : date > today ? styles.coming : ''}>
            <strong>
              {plain.weekdayShort(date)} {plain.dayOfMonth(date)}
            </strong>
            <small className={styles.dayHours}>{seconds > 0 ? plain.duration(seconds) : '–'}</small>
            {found !== undefined && (
              <small className={styles.special} title={nameOf(found)} data-kind={found.kind}>
                {nameOf(found)}
              </small>
            )}
          </h2>
        );
      })}
    </div>
  );
}
