import { Printer } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Page, Skeleton } from '../../ui/page.tsx';
import { Days } from './days.tsx';
import { IsOtherUser } from './how-counted.tsx';
import { statisticsMessages } from './messages.ts';
import { Portions } from './portions.tsx';
import styles from './statistics.module.css';
import { usePersonalStatistics, useUser } from './statistics-queries.ts';
import { Summary } from './summary.tsx';
import { Weeks, weeksOf } from './weeks.tsx';

/** A user's statistics; administrators select the user in the URL. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StatisticsPage() {
  const t = useTexts(statisticsMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { role } = useAccount();
  const [params, setParams] = useSearchParams();
  const requestedId = Number(params.get('user'));
  const userId = role === 'admin' && Number.isInteger(requestedId) && requestedId > 0 ? requestedId : undefined;
  const weeks = weeksOf(params.get('weeks'));
  const user = useUser(userId);
  const statistics = usePersonalStatistics(weeks, userId === undefined ? undefined : (user.data ?? 'unknown'));
  const { data } = statistics;
  const error = user.error ?? statistics.error;

  function showWeeks(count: number): void {
    const next = new URLSearchParams(params);
    next.set('weeks', String(count));
    setParams(next, { replace: true });
  }

  const print = (
    <Button icon={<Printer size={18} />} onPress={() => window.print()}>
      {t('print')}
    </Button>
  );
  return (
    <Page
      title={user.data === undefined ? t('title') : t('title_of', { name: user.data.display_name })}
      actions={print}
    >
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={common('loading')} lines={8} />}
      {data?.total_sessions === 0 && (
        <Card>
          <Empty>
            <p>{t('first')}</p>
            <LinkButton href={href('records')} look="primary">
              {t('to_records')}
            </LinkButton>
          </Empty>
        </Card>
      )}
      {data !== undefined && data.total_sessions > 0 && (
        <IsOtherUser value={userId !== undefined}>
          <div className={styles.grid}>
            <Summary statistics={data} />
            <Days daily={data.daily} isOwn={userId === undefined} />
            <Weeks weekly={data.weekly_progress} shown={weeks} onShow={showWeeks} />
            <Portions
              figure="categories"
              title={t('by_category')}
              head={t('category')}
              parts={data.by_category.map(({ category, hours }) => ({ key: category, label: t(category), hours }))}
            />
            <Portions
              figure="projects"
              title={t('by_project')}
              head={t('project')}
              parts={data.by_project.map(({ project_id, project_name, hours }) => ({
                key: String(project_id),
                label: project_name,
                hours,
              }))}
            />
          </div>
        </IsOtherUser>
      )}
    </Page>
  );
}
