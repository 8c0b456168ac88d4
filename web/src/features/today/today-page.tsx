import { Plus } from 'lucide-react';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { hueOf } from '../../lib/hue.ts';
import { loadable, optional } from '../../lib/loadable.tsx';
import { useMarks } from '../../lib/marks.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useOutbox } from '../../lib/outbox/outbox.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useMedia } from '../../lib/use-media.ts';
import { href } from '../../routes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Skeleton } from '../../ui/page.tsx';
import { WaitingList } from '../outbox/waiting-list.tsx';
import { weeklyGoal } from '../projects/own-target.ts';
import { type Project, useActiveProjects } from '../projects/project-queries.ts';
import { Days } from '../statistics/days.tsx';
import { usePersonalStatistics } from '../statistics/statistics-queries.ts';
import { useRecords } from '../study-sessions/session-queries.ts';
import { Overrun } from '../timer/overrun.tsx';
import { ComingUp } from './coming-up.tsx';
import { DayCard } from './day-card.tsx';
import { todayMessages } from './messages.ts';
import { NextCard } from './next-card.tsx';
import styles from './today.module.css';
import { useDashboard, useWeek, useWeekRecords } from './today-queries.ts';
import { Streak, WeekCard } from './week-card.tsx';

const FirstSteps = loadable(() => import('./first-steps.tsx')); // only before the first record

/** As in the styles. */
const phone = '(width <= 46rem)';

const EarnedToday = optional(() => import('../achievements/earned-today.tsx'));

/** A student's day: how much is left, what is next, and what is due. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function TodayPage() {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { id } = useAccount();
  const [isSettled, setSettled] = useState(false); // the rest of the page is loaded
  useEffect(() => {
    const soon = setTimeout(() => setSettled(true), 1500);
    return () => clearTimeout(soon);
  }, []);
  const { data, error, fetchStatus } = usePersonalStatistics();
  const statistics = useDeferredValue(data); // rendering this page must not block input
  const { data: dashboard } = useDashboard();
  const { data: projects } = useActiveProjects();
  const { data: records, isLoading: areNotesLoading } = useRecords(id);
  const week = useWeekRecords();
  if (error !== null && statistics === undefined) return <Notice kind="error">{problem(error)}</Notice>;
  if (statistics === undefined && fetchStatus === 'paused') return <Offline />;
  const isLoading = week.isLoading || areNotesLoading;
  if (statistics === undefined || projects === undefined || dashboard === undefined || isLoading)
    return <Skeleton label={common('loading')} lines={8} />;
  const latest = records?.pages[0]?.sessions ?? [];
  const hasStudied = statistics.total_sessions > 0 || latest.length > 0;
  const notes = new Map(latest.toReversed().map(({ project_id, note }) => [project_id, note]));
  return (
    <TodayFrame isFirst={!hasStudied}>
      <div className={styles.grid}>
        <Overrun records={latest} />
        {week.error !== null && <Notice kind="error">{problem(week.error)}</Notice>}
        {hasStudied && (
          <Figures projects={projects} streak={dashboard.current_streak} studiedToday={dashboard.studied_today} />
        )}
        {!hasStudied && <FirstSteps projects={projects} />}
        {hasStudied && projects.length > 0 && (
          <>
            <NextCard
              projects={projects}
              atRisk={dashboard.goals_at_risk.map(({ project_id }) => project_id)}
              notes={notes}
            />
            <ComingUp projects={projects} />
          </>
        )}
        {hasStudied && projects.length === 0 && <FirstSteps projects={projects} />}
        {hasStudied && (
          <div className={styles.whole}>
            <Days statistics={statistics} isOwn />
          </div>
        )}
        {isSettled && <EarnedToday />}
      </div>
    </TodayFrame>
  );
}

function TodayFrame({ isFirst = false, children }: { isFirst?: boolean; children: ReactNode }) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const isPhone = useMedia(phone);
  const date = formats.longDay(new Date().toISOString());
  return (
    <Page
      title={t('title')}
      heading={
        <>
          <span className="visually-hidden">{`${t('title')}${marks.comma}`}</span>
          {date}
        </>
      }
      isBare={isFirst}
      actions={
        isFirst || isPhone ? undefined : (
          <LinkButton href={`${href('records')}?add`} icon={<Plus size={18} aria-hidden="true" />}>
            {t('add_record')}
          </LinkButton>
        )
      }
    >
      {children}
    </Page>
  );
}

type FiguresProps = { projects: readonly Project[]; streak: number; studiedToday: boolean };

/** Rerenders every second while a timer runs. */
function Figures({ projects, streak, studiedToday }: FiguresProps) {
  const week = useWeek();
  const colors = new Map(projects.map(({ id, color }) => [id, color]));
  const colorOf = (id: number) => colors.get(id) ?? hueOf(id);
  const isPhone = useMedia(phone);
  const shownStreak = <Streak days={streak} studiedToday={studiedToday} isShort={isPhone} />;
  const goalHours = weeklyGoal(projects, useAccount().id);
  if (week === undefined) return null;
  return (
    <>
      <DayCard week={week} hueOf={colorOf}>
        {isPhone && shownStreak}
      </DayCard>
      <WeekCard week={week} hueOf={colorOf} goalHours={goalHours}>
        {!isPhone && shownStreak}
      </WeekCard>
    </>
  );
}

/** Opened offline: shows only the unsent entries of this device. */
function Offline() {
  const t = useTexts(todayMessages);
  const isAllSent = useOutbox().length === 0;
  return (
    <TodayFrame>
      <Card title={t('on_device')}>
        <WaitingList />
        {isAllSent && <p>{t('all_sent')}</p>}
        <p>{t('unconnected')}</p>
      </Card>
    </TodayFrame>
  );
}
