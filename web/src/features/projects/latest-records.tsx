import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Card } from '../../ui/page.tsx';
import { useStudents } from '../assignments/board-queries.ts';
import { useElapsed } from '../timer/timer-queries.ts';
import styles from './overview.module.css';
import { overviewMessages } from './overview-messages.ts';

type Session = Schemas['Session'];
type Props = { records: readonly Session[] | undefined; count: number; allAt: string };
const maxShown = 5;

/** The last records, with a link to all. */
export function LatestRecords({ records, count, allAt }: Props) {
  const t = useTexts(overviewMessages);
  const { role } = useAccount();
  const all = (
    <Link href={allAt} className={styles.all}>
      {t('all', { count })}
    </Link>
  );
  return (
    <Card title={t('latest')} className={styles.latest} actions={count > 0 ? all : undefined}>
      {records?.length === 0 && <p className="muted">{t(role === 'admin' ? 'none_of_students' : 'none')}</p>}
      <RecordRows records={records?.slice(0, maxShown) ?? []} />
    </Card>
  );
}

/** Records as rows; administrators see whose they are. */
export function RecordRows({ records }: { records: readonly Session[] }) {
  const t = useTexts(overviewMessages);
  const { timezone, role } = useAccount();
  const formats = useFormats(timezone);
  const { data: students = [] } = useStudents(role === 'admin' && records.length > 0);
  const names = useMemo(() => new Map(students.map(({ id, display_name }) => [id, display_name])), [students]);
  if (records.length === 0) return null;
  return (
    <ul className={styles.records}>
      {records.map(({ id, user_id, username, started_at, ended_at, duration_seconds, note }) => (
        <li key={id}>
          <span>{formats.day(started_at)}</span>
          <span>
            {formats.time(started_at)}–{ended_at !== null && formats.time(ended_at)}
          </span>
          <span className={styles.note}>
            {role === 'admin' && <Link href={href('student', { id: user_id })}>{names.get(user_id) ?? username}</Link>}
            {role === 'admin' && note !== '' && ' · '}
            {note}
          </span>
          {ended_at === null && role !== 'admin' ? (
            <Running />
          ) : (
            <strong>{ended_at === null ? t('running') : formats.duration(duration_seconds)}</strong>
          )}
        </li>
      ))}
    </ul>
  );
}

function Running() {
  const t = useTexts(overviewMessages);
  const formats = useFormats('UTC');
  const elapsed = useElapsed();
  return (
    <strong>
      <span className={styles.live} role="img" aria-label={t('running')} /> {formats.duration(elapsed)}
    </strong>
  );
}
