import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
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
    <Page title={t('title')}>
      <div className={styles.page}>
        <p className={styles.about}>{t('about')}</p>
        <Loading of={read} />
        {data && <Backups backups={data.backups} />}
        {data?.kinds.map((kind) => (
          <KindOfWork key={kind.kind} kind={kind} />
        ))}
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
        <p className={styles.about}>{t('noBackups')}</p>
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

function KindOfWork({ kind }: { kind: Kind }) {
  const t = useTexts(workMessages);
  const at = useTime();
  return (
    <Card title={t(kind.kind)}>
      <Figures
        figures={{
          queued: kind.queued,
          running: kind.running,
          failed: kind.failed,
          oldest: at(kind.oldest_at),
          next: at(kind.next_attempt_at),
          error: kind.last_error_code ?? t('none'),
        }}
      />
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
  const formats = useFormats(useAccount().timezone);
  return (time) => (time === null ? t('none') : <time dateTime={time}>{formats.dateTime(time)}</time>);
}
