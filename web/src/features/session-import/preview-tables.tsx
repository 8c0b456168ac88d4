import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { ScrollingTable } from '../../ui/scrolling-table.tsx';
import { TagList } from '../tags/tag-list.tsx';
import type { Report } from './import-queries.ts';
import { importMessages } from './messages.ts';

export function RecordsToImport({ report: { sessions, valid } }: { report: Report }) {
  const t = useTexts(importMessages);
  const formats = useOwnFormats();
  if (sessions.length === 0) return null;
  const isTagged = sessions.some(({ tags = [] }) => tags.length > 0);
  const head = [t('date'), t('time'), t('length'), t('column_project'), ...(isTagged ? [t('column_tags')] : [])];
  const name = sessions.length < valid ? t('first_records', { count: sessions.length }) : t('records');
  return (
    <ScrollingTable name={name} head={head} hasCaption>
      {sessions.map(({ row, project_name, started_at, ended_at, hours, tags = [] }) => (
        <tr key={row}>
          <th scope="row">{formats.date(started_at)}</th>
          <td>{`${formats.time(started_at)}–${formats.time(ended_at)}`}</td>
          <td>{formats.hours(hours)}</td>
          <td>{project_name}</td>
          {isTagged && (
            <td>
              <TagList tags={tags} />
            </td>
          )}
        </tr>
      ))}
    </ScrollingTable>
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
  if (notices.length === 0) return null;
  return (
    <ScrollingTable name={t('problems')} head={[t('row'), t('problem'), t('what')]} hasCaption>
      {notices.map(({ row, field, message, action }) => (
        <tr key={`${row} ${field} ${message}`}>
          <th scope="row">{row}</th>
          <td>{t('says', { field: nameOf(field), message })}</td>
          <td>{t(`did_${action}`)}</td>
        </tr>
      ))}
    </ScrollingTable>
  );
}
