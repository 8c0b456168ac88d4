import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Progress, Skeleton } from '../../ui/page.tsx';
import { type Statistics, usePersonalStatistics } from '../statistics/statistics-queries.ts';
import styles from './awards.module.css';
import { awardMessages } from './messages.ts';

type Award = Schemas['Achievement'];
type Earned = Award & { earned_at: string };

const isEarned = (award: Award): award is Earned => award.earned_at !== null;

/** Names and descriptions come from the service in the requested language. */
function useAwards() {
  const { locale } = useSettings();
  return useQuery({
    queryKey: ['stats', 'awards', locale],
    queryFn: async ({ signal }) => (await api.get('/api/achievements', { signal })).data,
  });
}

/** Earned awards, latest first, and those still to earn. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AwardsPage() {
  const t = useTexts(awardMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const { data: awards, error } = useAwards();
  const { data: statistics } = usePersonalStatistics();
  if (awards === undefined)
    return (
      <Page title={t('title')}>
        {error === null ? (
          <Skeleton label={common('loading')} lines={6} />
        ) : (
          <Notice kind="error">{problem(error)}</Notice>
        )}
      </Page>
    );
  const earned = awards.filter(isEarned).toSorted((a, b) => b.earned_at.localeCompare(a.earned_at));
  const next = awards.filter((award) => !isEarned(award));
  return (
    <Page title={t('title')}>
      <div className={styles.stack}>
        <Card title={t('earned')}>
          {earned.length === 0 && <p className={styles.note}>{t('none')}</p>}
          <ul className={styles.awards}>
            {earned.map((award) => (
              <li key={award.id}>
                <Description award={award} />
                <small>{t('earned_on', { date: formats.date(award.earned_at) })}</small>
              </li>
            ))}
          </ul>
        </Card>
        <Card title={t('next')}>
          {next.length === 0 && <p className={styles.note}>{t('all')}</p>}
          <ul className={styles.awards}>
            {next.map((award) => (
              <li key={award.id} className={styles.next}>
                <Description award={award} />
                {statistics !== undefined && <AwardProgress award={award} statistics={statistics} />}
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </Page>
  );
}

function Description({ award: { name, description, icon } }: { award: Award }) {
  return (
    <>
      <img src={icon} alt="" width="48" height="48" />
      <h3>{name}</h3>
      <p>{description}</p>
    </>
  );
}

/** Progress towards an award, where it can be measured. */
function AwardProgress({ award: { name, requires }, statistics }: { award: Award; statistics: Statistics }) {
  const t = useTexts(awardMessages);
  const formats = useFormats('UTC');
  const days = (count: number) => t('days', { count });
  const measures = {
    study_time: { done: statistics.total_hours * 3600, text: formats.duration },
    streak: { done: statistics.current_streak, text: days },
  };
  const { kind, amount } = requires;
  if ((kind !== 'study_time' && kind !== 'streak') || amount <= 1) return null;
  const { done, text } = measures[kind];
  const reached = Math.min(done, amount);
  return (
    <div className={styles.far}>
      <Progress percent={(100 * reached) / amount} label={t('progress_of', { name })} />
      <small>{t('so_far', { done: text(reached), all: text(amount) })}</small>
    </div>
  );
}
