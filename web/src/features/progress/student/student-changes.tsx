import { useFormats } from '../../../lib/format.ts';
import { useTexts } from '../../../lib/texts.ts';
import { Card, Empty } from '../../../ui/page.tsx';
import type { Change } from './recent.ts';
import styles from './student.module.css';
import { studentMessages } from './student-messages.ts';

/** What happened lately, the latest first. */
export function StudentChanges({ changes }: { changes: readonly Change[] }) {
  const t = useTexts(studentMessages);
  const formats = useFormats('UTC'); // days have no time
  const say = (change: Change): string => {
    switch (change.kind) {
      case 'did': {
        const hours = formats.hours(change.hours);
        return change.project === undefined ? t('did', { hours }) : t('did_of', { hours, project: change.project });
      }
      case 'quiet':
        return t('nothing_recorded');
      case 'behind':
        return t('fell_behind', { project: change.project });
      case 'reached':
        return t('was_reached', { project: change.project });
      default:
        return change satisfies never;
    }
  };
  return (
    <Card title={t('changed')}>
      {changes.length === 0 && <Empty>{t('nothing_changed')}</Empty>}
      <ul className={styles.changes}>
        {changes.map((change) => (
          <li key={`${change.kind} ${change.date} ${say(change)}`} data-kind={change.kind}>
            <b>
              {change.kind === 'quiet' && change.to !== change.date
                ? formats.dayRange(change.date, change.to)
                : formats.shortDate(change.date)}
            </b>{' '}
            {say(change)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
