import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Skeleton } from '../../ui/page.tsx';
import styles from './background-work.module.css';
import { workMessages } from './messages.ts';

type Kind = Schemas['BackgroundWork']['kinds'][number];

/** Queued, running and failed background jobs, refreshed every ten seconds. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function BackgroundWorkPage() {
  const t = useTexts(workMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data, error } = useQuery({
    queryKey: ['background-work'],
    queryFn: async ({ signal }) => (await api.get('/api/admin/background-work', { signal })).data.kinds,
    refetchInterval: 10_000,
    staleTime: 0,
  });
  return (
    <Page title={t('title')}>
      <div className={styles.page}>
        <p className={styles.about}>{t('about')}</p>
        {error !== null && <Notice kind="error">{problem(error)}</Notice>}
        {data === undefined && error === null && <Skeleton label={common('loading')} />}
        {data?.map((kind) => (
          <KindOfWork key={kind.kind} kind={kind} />
        ))}
      </div>
    </Page>
  );
}

function KindOfWork({ kind }: { kind: Kind }) {
  const t = useTexts(workMessages);
  const formats = useFormats(useAccount().timezone);
  const at = (time: string | null) =>
    time === null ? t('none') : <time dateTime={time}>{formats.dateTime(time)}</time>;
  const figures = [
    ['queued', kind.queued],
    ['running', kind.running],
    ['failed', kind.failed],
    ['oldest', at(kind.oldest_at)],
    ['next', at(kind.next_attempt_at)],
    ['error', kind.last_error_code ?? t('none')],
  ] as const;
  return (
    <Card title={t(kind.kind)}>
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
