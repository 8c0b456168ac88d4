import { Download } from 'lucide-react';
import { Link } from 'wouter';
import type { Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { exportRecords } from '../study-sessions/session-queries.ts';
import { progressMessages } from './messages.ts';
import { useStudentRecords } from './progress-queries.ts';
import styles from './student.module.css';

type Props = { user: Pick<Schemas['ManagedUser'], 'id' | 'timezone'>; page: number; onTurn: (page: number) => void };

/** A student's records, latest first, in the student's time zone. */
export function StudentRecords({ user: { id, timezone }, page, onTurn }: Props) {
  const t = useTexts(progressMessages);
  const formats = useFormats(timezone);
  const read = useStudentRecords(id, page);
  const { data, isPlaceholderData } = read;
  const exporting = useAction(() => exportRecords(id));
  const actions = (
    <div className="no-print">
      <Button
        look="quiet"
        icon={<Download size={18} />}
        isPending={exporting.isRunning}
        onPress={() => void exporting.run()}
      >
        {t('export')}
      </Button>
    </div>
  );
  return (
    <Card title={t('records')} actions={actions} className={styles.long}>
      <Problem error={exporting.error} />
      <Loading of={read} lines={5} />
      <ul className={styles.records} aria-label={t('records')} aria-busy={isPlaceholderData}>
        {data?.sessions.map(
          ({ id: record, project_id, project_name, started_at, ended_at, duration_seconds, note }) => (
            <li key={record}>
              <span>{formats.day(started_at)}</span>
              <span className="muted">
                {formats.time(started_at)}–{ended_at === null ? t('running') : formats.time(ended_at)}
              </span>
              <strong>{formats.duration(duration_seconds)}</strong>
              <span className={styles.what}>
                <Link href={href('project', { id: project_id })}>{project_name}</Link>
                {note !== '' && <span>{note}</span>}
              </span>
            </li>
          ),
        )}
      </ul>
      {data !== undefined && (
        <div className="no-print">
          <Pager label={t('records')} page={page} pages={data.pagination.pages} onChange={onTurn} />
        </div>
      )}
    </Card>
  );
}
