import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import styles from './import.module.css';
import type { Report } from './import-queries.ts';
import { importMessages } from './messages.ts';

export function RecordsToImport({ report: { sessions, valid } }: { report: Report }) {
  const t = useTexts(importMessages);
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const name = sessions.length < valid ? t('first_records', { count: sessions.length }) : t('records');
  return (
    <Scrolling
      name={name}
      head={[t('date'), t('time'), t('length'), t('column_project')]}
      isShown={sessions.length > 0}
    >
      {sessions.map(({ row, project_name, started_at, ended_at, hours }) => (
        <tr key={row}>
          <th scope="row">{formats.date(started_at)}</th>
          <td>{`${formats.time(started_at)}–${formats.time(ended_at)}`}</td>
          <td>{formats.hours(hours)}</td>
          <td>{project_name}</td>
        </tr>
      ))}
    </Scrolling>
  );
}

const fields = ['project', 'started_at', 'ended_at', 'note', 'email', 'duration'] as const;

export function LeftOutRows({ notices }: Pick<Report, 'notices'>) {
  const t = useTexts(importMessages);
  /** Fields of the service are translated; columns of other programs keep their names. */
  const nameOf = (field: string) => {
    const known = fields.find((name) => name === field);
    return known === undefined ? field : t(`field_${known}`);
  };
  return (
    <Scrolling name={t('problems')} head={[t('row'), t('problem'), t('what')]} isShown={notices.length > 0}>
      {notices.map(({ row, field, message, action }) => (
        <tr key={`${row} ${field} ${message}`}>
          <th scope="row">{row}</th>
          <td>{t('says', { field: nameOf(field), message })}</td>
          <td>{t(`did_${action}`)}</td>
        </tr>
      ))}
    </Scrolling>
  );
}

type Props = { name: string; head: readonly string[]; isShown: boolean; children: ReactNode };

function Scrolling({ name, head, isShown, children }: Props) {
  if (!isShown) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={name}>
      <table className={styles.table}>
        <caption>{name}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
