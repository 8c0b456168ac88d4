import { Link } from 'wouter';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card } from '../../ui/page.tsx';
import { Avatar } from '../../ui/person.tsx';
import type { Student } from '../progress/progress-queries.ts';
import { firstHourMessages } from './first-hour-messages.ts';
import styles from './first-steps.module.css';

const shown = 14;
type Props = { students: readonly Student[]; since: string | undefined; until: string | undefined };

/** New students who have not signed in yet: no reason to worry in the first days. */
export function Waiting({ students, since, until }: Props) {
  const t = useTexts(firstHourMessages);
  const formats = useOwnFormats();
  const count = students.length;
  if (count === 0 || since === undefined || until === undefined) return null;
  return (
    <Card title={t('waiting')} context={t('waiting_since', { count, day: formats.daysAgo(since) })}>
      <ul className={styles.people} aria-label={t('waiting')}>
        {students.slice(0, shown).map(({ user_id: id, display_name: name }) => (
          <li key={id}>
            <Link href={href('student', { id })} aria-label={name} title={name}>
              <Avatar id={id} name={name} size="small" />
            </Link>
          </li>
        ))}
        {count > shown && <li>{t('and_more', { count: count - shown })}</li>}
      </ul>
      <p className="note">{t('waiting_until', { day: formats.shortDate(until) })}</p>
    </Card>
  );
}
