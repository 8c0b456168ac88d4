import { useTexts } from '../../lib/texts.ts';
import { Select } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './import.module.css';
import type { Column } from './import-queries.ts';
import { importMessages } from './messages.ts';
import { DefaultProject } from './projects-step.tsx';
import type { Import } from './use-import.ts';

/** What people assign, with the columns of reports that hold it; the last one is used if the file has none of them. */
const questions = {
  project: ['project'],
  date: ['start_date', 'date'],
  start: ['start_time', 'start'],
  end: ['end_time', 'end'],
  duration: ['duration'],
  note: ['note'],
  tags: ['tags'],
} as const satisfies Record<string, readonly Column[]>;

/** Which column of the file holds what. */
export function ColumnsStep({ wizard }: { wizard: Import }) {
  const { columns, report, options, set } = wizard;
  const t = useTexts(importMessages);
  const known = report?.columns ?? {};
  const fields = (Object.keys(questions) as (keyof typeof questions)[]).map((name) => {
    const candidates: readonly Column[] = questions[name];
    const column = candidates.find((id) => known[id] !== undefined) ?? candidates.at(-1) ?? 'note';
    return { name, column, value: options.columns[column] ?? known[column] ?? '' };
  });
  const exampleOf = (title: string) => columns.find(({ name }) => name === title)?.example;
  return (
    <Card title={t('step_columns')} context={t('columns_why')}>
      <div className={styles.columns}>
        {fields.map(({ name, column, value }) => (
          <div key={name}>
            <Select
              label={t(`column_${name}`)}
              value={value}
              onChange={(title) => {
                const { [column]: _, ...others } = options.columns;
                set({ columns: title === '' ? others : { ...others, [column]: title } });
              }}
              options={[
                ...(known[column] === undefined ? [['', t('no_column')] as const] : []),
                ...columns.map(({ name }) => [name, name] as const),
              ]}
            />
            <small>{value !== '' && exampleOf(value)}</small>
          </div>
        ))}
        {known.project === undefined && options.columns.project === undefined && <DefaultProject wizard={wizard} />}
      </div>
    </Card>
  );
}
