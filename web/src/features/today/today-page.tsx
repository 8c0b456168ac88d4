import { Play } from 'lucide-react';
import { useDeferredValue } from 'react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useOutbox } from '../../lib/outbox/outbox.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Page, Progress, Skeleton } from '../../ui/page.tsx';
import { WaitingList } from '../outbox/waiting-list.tsx';
import { ProjectProgress } from '../projects/project-card.tsx';
import { type Project, useActiveProjects } from '../projects/project-queries.ts';
import { Days } from '../statistics/days.tsx';
import { HowCounted } from '../statistics/how-counted.tsx';
import { type Statistics, usePersonalStatistics } from '../statistics/statistics-queries.ts';
import { type StudyRecord, useRecords } from '../study-sessions/session-queries.ts';
import { Overrun } from '../timer/overrun.tsx';
import { startTimer, useElapsed, useTimer } from '../timer/timer-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './today.module.css';

const maxLatest = 4;

/** A student's figures of today, latest projects and goals. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function TodayPage() {
  const t = useTexts(todayMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { id } = useAccount();
  const { data, error, fetchStatus } = usePersonalStatistics();
  const statistics = useDeferredValue(data); // rendering this page must not block input
  const { data: projects } = useActiveProjects();
  const { data: records } = useRecords(id);
  if (error !== null && statistics === undefined) return <Notice kind="error">{problem(error)}</Notice>;
  if (statistics === undefined && fetchStatus === 'paused') return <Offline />;
  if (statistics === undefined || projects === undefined) return <Skeleton label={common('loading')} lines={8} />;
  const latest = latestProjects(records?.pages[0]?.sessions ?? [], projects);
  return (
    <Page title={t('title')}>
      <div className={styles.grid}>
        <Overrun records={records?.pages[0]?.sessions ?? []} />
        <Figures statistics={statistics} />
        {projects.length === 0 ? (
          <Card title={t('continue')} className={styles.whole}>
            <Empty>
              <p>{t('first')}</p>
              <LinkButton href={href('newProject')} look="primary">
                {t('new_project')}
              </LinkButton>
            </Empty>
          </Card>
        ) : (
          <>
            <Continue entries={latest} />
            <Goals projects={projects} />
          </>
        )}
        <div className={styles.whole}>
          <Days daily={statistics.daily} weeks={26} isOwn />
        </div>
      </div>
    </Page>
  );
}

/** Opened offline: shows only the unsent entries of this device. */
function Offline() {
  const t = useTexts(todayMessages);
  const isAllSent = useOutbox().length === 0;
  return (
    <Page title={t('title')}>
      <Card title={t('on_device')}>
        <WaitingList />
        {isAllSent && <p>{t('all_sent')}</p>}
        <p>{t('unconnected')}</p>
      </Card>
    </Page>
  );
}

type Latest = { project: Project; last: string | undefined };

/** Active projects, most recently studied first. */
function latestProjects(records: readonly StudyRecord[], projects: readonly Project[]): Latest[] {
  const last = new Map<number, string>();
  for (const { project_id, started_at } of records) if (!last.has(project_id)) last.set(project_id, started_at);
  const entries = projects.map((project) => ({ project, last: last.get(project.id) }));
  return entries.sort((a, b) => (b.last ?? '').localeCompare(a.last ?? '')).slice(0, maxLatest);
}

function Figures({ statistics }: { statistics: Statistics }) {
  const t = useTexts(todayMessages);
  const formats = useFormats('UTC');
  const { daily_goal_minutes: goal } = useAccount();
  const { data: timer } = useTimer();
  const elapsed = useElapsed();
  const { today_hours, week_hours, current_streak } = statistics;
  const streakHint = current_streak === 0 ? 'begin' : today_hours > 0 ? 'safe' : 'not_yet';
  return (
    <Card className={cx(styles.whole, styles.figures)}>
      <dl>
        <div>
          <dt>
            {t('today')} <HowCounted figure="today" name={t('today')} />
          </dt>
          <dd>
            {formats.hours(today_hours)}
            {goal !== null && <small>{t('of_goal', { goal: formats.duration(goal * 60) })}</small>}
            {timer != null && <small>{t('running', { duration: formats.duration(elapsed) })}</small>}
          </dd>
        </div>
        <div>
          <dt>
            {t('week')} <HowCounted figure="this_week" name={t('week')} />
          </dt>
          <dd>{formats.hours(week_hours)}</dd>
        </div>
        <div>
          <dt>
            {t('streak')} <HowCounted figure="streak" name={t('streak')} />
          </dt>
          <dd>
            {t('days', { count: current_streak })}
            <small>{t(streakHint)}</small>
          </dd>
        </div>
      </dl>
      {goal !== null && <Progress percent={(today_hours * 6000) / goal} label={t('goal_label')} />}
    </Card>
  );
}

function Continue({ entries }: { entries: readonly Latest[] }) {
  const t = useTexts(todayMessages);
  const problem = useProblem();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const { run, error } = useAction((project: Pick<Project, 'id' | 'name'>) => startTimer(project));
  return (
    <Card title={t('continue')}>
      <ul className={styles.continue}>
        {entries.map(({ project: { id, name }, last }) => (
          <li key={id}>
            <span>
              <Link href={href('project', { id })}>{name}</Link>
              {last !== undefined && <small>{formats.daysAgo(last)}</small>}
            </span>
            <Button
              aria-label={t('continue_named', { project: name })}
              icon={<Play size={16} fill="currentColor" />}
              onPress={() => void run({ id, name })}
            />
          </li>
        ))}
      </ul>
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
    </Card>
  );
}

function Goals({ projects }: { projects: readonly Project[] }) {
  const t = useTexts(todayMessages);
  return (
    <Card title={t('goals')}>
      <ul className={styles.goals}>
        {projects.slice(0, 5).map((project) => (
          <li key={project.id}>
            <Link href={href('project', { id: project.id })}>{project.name}</Link>
            <ProjectProgress project={project} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
