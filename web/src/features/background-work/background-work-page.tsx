import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Schemas } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useTexts } from '../../lib/texts.ts';
import table from '../../ui/data-table.module.css';
import { Loading } from '../../ui/loading.tsx';
import { Card, Page } from '../../ui/page.tsx';
import styles from './background-work.module.css';
import { workMessages } from './messages.ts';

type Kind = Schemas['BackgroundWork']['kinds'][number];
type BackupStatus = Schemas['BackgroundWork']['backups'];

/** Scheduled backups, and queued, running and failed background jobs, refreshed every ten seconds. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function BackgroundWorkPage() {
  const t = useTexts(workMessages);
  const read = useQuery({
    queryKey: ['background-work'],
    queryFn: async ({ signal }) => (await api.get('/api/admin/background-work', { signal })).data,
    refetchInterval: 10_000,
    staleTime: 0,
  });
  const { data } = read;
  return (
    <Page title={t('title')} below={t('about')}>
      <div className="stack">
        <Loading of={read} />
        {data && <Backups backups={data.backups} />}
        {data && <Kinds kinds={data.kinds} />}
      </div>
    </Page>
  );
}

function Backups({ backups }: { backups: BackupStatus }) {
  const t = useTexts(workMessages);
  const at = useTime();
  if (backups === null)
    return (
      <Card title={t('backups')}>
        <p>{t('noBackups')}</p>
      </Card>
    );
  const { schedule, bytes, failures, finished_at, next_at, error } = backups;
  const size = bytes === null ? t('none') : `${(bytes / 1e6).toFixed(1)} MB`;
  return (
    <Card title={t('backups')}>
      <Figures
        figures={{
          schedule: schedule.endsWith('h') ? t('everyHours', { count: Number.parseInt(schedule, 10) }) : schedule,
          size,
          failures,
          last: at(finished_at),
          nextBackup: at(next_at),
          error: error ?? t('none'),
        }}
      />
    </Card>
  );
}

/** One row for each kind of work. */
function Kinds({ kinds }: { kinds: readonly Kind[] }) {
  const t = useTexts(workMessages);
  const at = useTime();
  const columns = ['queued', 'running', 'failed', 'oldest', 'next', 'error'] as const;
  return (
    <Card title={t('jobs')} isFlush>
      <table className={cx(table.table, table.blocks, styles.kinds)}>
        <thead>
          <tr>
            <th scope="col">{t('work')}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, queued, running, failed, oldest_at, next_attempt_at, last_error_code }) => {
            const values = {
              queued,
              running,
              failed,
              oldest: at(oldest_at),
              next: at(next_attempt_at),
              error: last_error_code ?? t('none'),
            };
            return (
              <tr key={kind}>
                <th scope="row">{t(kind)}</th>
                {columns.map((column) => (
                  <td key={column} data-name={t(column)} className={values[column] === 0 ? table.muted : undefined}>
                    {values[column]}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

function Figures({ figures }: { figures: Partial<Record<keyof typeof workMessages, ReactNode>> }) {
  const t = useTexts(workMessages);
  return (
    <dl className={styles.figures}>
      {Object.entries(figures).map(([name, value]) => (
        <div key={name}>
          <dt>{t(name as keyof typeof workMessages)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function useTime(): (time: string | null) => ReactNode {
  const t = useTexts(workMessages);
  const formats = useOwnFormats();
  return (time) => (time === null ? t('none') : <time dateTime={time}>{formats.dateTime(time)}</time>);
}
