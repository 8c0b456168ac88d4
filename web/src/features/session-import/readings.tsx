import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { ScrollingTable } from '../../ui/scrolling-table.tsx';
import styles from './import.module.css';
import type { Report } from './import-queries.ts';
import { importMessages } from './messages.ts';
import type { Import } from './use-import.ts';

const orders = ['day_first', 'month_first', 'year_first'] as const;
const units = ['hours', 'minutes', 'seconds', 'milliseconds'] as const;

/** How dates, times and durations were read, with other readings to choose. */
export function Readings({ wizard, report }: { wizard: Import; report: Report }) {
  const { options, change } = wizard;
  const { readings, unread_columns, date_order, date_order_guessed, duration_unit, duration_unit_asked } = report;
  const t = useTexts(importMessages);
  const marks = useMarks();
  const hasOrder = date_order_guessed || options.date_order !== 'auto' || readings.some((one) => one.date_order);
  const hasUnit = duration_unit_asked || options.duration_unit !== '' || readings.some((one) => one.duration_unit);
  return (
    <>
      {hasOrder && (
        <Select
          label={t('dates')}
          value={date_order}
          onChange={(order) => void change({ date_order: order })}
          options={orders.map((id) => [id, t(id)])}
        />
      )}
      {hasUnit && (
        <Select
          label={t('unit')}
          value={options.duration_unit || (duration_unit_asked ? '' : (duration_unit ?? ''))}
          onChange={(unit) => void change({ duration_unit: unit })}
          options={[['', t('choose_unit')], ...units.map((id) => [id, t(id)] as const)]}
          hint={duration_unit_asked ? t('unit_asked') : undefined}
        />
      )}
      {readings.length > 0 && (
        <ScrollingTable name={t('readings')} head={[t('column'), t('written'), t('read')]} hasCaption>
          {readings.map(({ column, written, read }) => (
            <tr key={`${column} ${written} ${read}`}>
              <th scope="row">{column}</th>
              <td>{written}</td>
              <td>{read}</td>
            </tr>
          ))}
        </ScrollingTable>
      )}
      {unread_columns.length > 0 && (
        <p className={styles.facts}>{t('unread', { names: marks.list(unread_columns) })}</p>
      )}
    </>
  );
}
