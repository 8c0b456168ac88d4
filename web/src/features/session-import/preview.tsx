import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { Card } from '../../ui/page.tsx';
import styles from './import.module.css';
import type { Report } from './import-queries.ts';
import { importMessages } from './messages.ts';

const columns = ['project', 'started_at', 'ended_at', 'note'] as const;

/** The report of a dry run, with a line per problem. */
export function Preview({ report, children }: { report: Report; children: ReactNode }) {
  const t = useTexts(importMessages);
  const formats = useFormats('UTC');
  const { rows, valid, duplicates, overlaps, invalid, created_projects, hours, projects, errors, notices } = report;
  const figures = [
    ['rows', formats.number(rows)],
    ['valid', formats.number(valid)],
    ['hours', formats.hours(hours)],
    ['duplicates', formats.number(duplicates)],
    ['overlapping', formats.number(overlaps)],
    ['invalid', formats.number(invalid)],
    ['new_projects', formats.number(created_projects)],
  ] as const;
  /** Columns of Studytrack's format are translated; those of other programs keep their names. */
  const describe = (field: string, message: string) => {
    const name = columns.find((column) => column === field);
    return `${name === undefined ? field : t(name)}: ${message}`;
  };
  const lines = [
    ...errors.map(({ row, field, message }) => ({ row, text: describe(field, message), what: t('rejected') })),
    ...notices.map(({ row, field, message, action }) => ({ row, text: describe(field, message), what: t(action) })),
  ].sort((a, b) => a.row - b.row);
  return (
    <Card title={t('summary')}>
      <div className={styles.form}>
        <dl className={styles.figures}>
          {figures.map(([key, value]) => (
            <div key={key}>
              <dt>{t(key)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {projects.length > 0 && (
          <p>
            {t('projects')}:{' '}
            {projects.map(({ project_name: name, hours: sum }) => `${name} (${formats.hours(sum)})`).join(', ')}
          </p>
        )}
        {lines.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <section className={styles.scroll} tabIndex={0} aria-label={t('problems')}>
            <table className={styles.table}>
              <caption>{t('problems')}</caption>
              <thead>
                <tr>
                  <th scope="col">{t('row')}</th>
                  <th scope="col">{t('problem')}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {lines.map(({ row, text, what }) => (
                  <tr key={`${row} ${text}`}>
                    <th scope="row">{row}</th>
                    <td>{text}</td>
                    <td>{what}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
        <div>{children}</div>
      </div>
    </Card>
  );
}
