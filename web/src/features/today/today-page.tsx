import { Plus } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { loadable, optional } from '../../lib/loadable.tsx';
import { useMarks } from '../../lib/marks.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useOutbox } from '../../lib/outbox/outbox.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useSchoolYear } from '../../lib/school-year.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useMedia } from '../../lib/use-media.ts';
import { href } from '../../routes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { WaitingList } from '../outbox/waiting-list.tsx';
import { firstDue, usePlan } from '../plan/use-plan.ts';
import { useDashboard, useWeekRecords } from '../plan/week-queries.ts';
import { useForecasts } from '../projects/forecast-queries.ts';
import { weeklyGoal } from '../projects/own-target.ts';
import { useColors } from '../projects/project-colors.ts';
import { type Project, useActiveProjects } from '../projects/project-queries.ts';
import { Days } from '../statistics/days.tsx';
import { usePersonalStatistics } from '../statistics/statistics-queries.ts';
import { useRecords } from '../study-sessions/session-queries.ts';
import { Overrun } from '../timer/overrun.tsx';
import { ComingUp } from './coming-up.tsx';
import { todayMessages } from './messages.ts';
import { PlanCard } from './plan-card.tsx';
import { RingCard } from './ring-card.tsx';
import styles from './today.module.css';
import { Streak, WeekCard } from './week-card.tsx';

const FirstSteps = loadable(() => import('./first-steps.tsx')); // only before the first record

/** As in the styles. */
const phone = '(width <= 46rem)';

const WeekPicture = optional(() => import('./week-picture.tsx')); // only at the end of a week
const EarnedToday = optional(() => import('../achievements/earned-today.tsx'));

/** A student's day: the plan, how much of it is done, and what is due. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function TodayPage() {
  const { id } = useAccount();
  const [isSettled, setSettled] = useState(false); // the rest of the page is loaded
  useEffect(() => {
    const soon = setTimeout(() => setSettled(true), 1500);
    return () => clearTimeout(soon);
  }, []);
  const ofAll = usePersonalStatistics();
  const statistics = ofAll.data;
  const ofToday = useDashboard();
  const ofProjects = useActiveProjects();
  const latestRecords = useRecords(id);
  const week = useWeekRecords();
  // What the parts of the page need is requested now instead of when they are shown.
  useSchoolYear();
  useForecasts(firstDue(ofProjects.data ?? []));
  const failed = [ofAll, ofToday, ofProjects, latestRecords, week].filter((read) => read.isError && !read.data);
  if (failed.length > 0)
    return (
      <TodayFrame>
        <Loading of={failed} />
      </TodayFrame>
    );
  const { data: dashboard } = ofToday;
  const { data: projects } = ofProjects;
  if (statistics === undefined && ofAll.fetchStatus === 'paused') return <Offline />;
  const isLoading = week.isLoading || latestRecords.isLoading;
  if (statistics === undefined || projects === undefined || dashboard === undefined || isLoading)
    return (
      <TodayFrame>
        <Boxes />
      </TodayFrame>
    );
  const latest = latestRecords.data?.pages[0]?.sessions ?? [];
  const hasStudied = statistics.total_sessions > 0 || latest.length > 0;
  return (
    <TodayFrame isFirst={!hasStudied}>
      <div className={styles.grid}>
        <Overrun records={latest} />
        {hasStudied && projects.length > 0 && (
          <Plan projects={projects} streak={dashboard.current_streak} studiedToday={dashboard.studied_today} />
        )}
        {(!hasStudied || projects.length === 0) && <FirstSteps projects={projects} />}
        {hasStudied && (
          <div className="whole">
            <Days statistics={statistics} isOwn />
          </div>
        )}
        {isSettled && <EarnedToday />}
      </div>
    </TodayFrame>
  );
}

function Boxes() {
  const common = useTexts(commonMessages);
  return (
    <div role="status" aria-label={common('loading')} className={cx(styles.grid, styles.boxes)}>
      <i />
      <i />
      <i />
    </div>
  );
}

function TodayFrame({ isFirst = false, children }: { isFirst?: boolean; children: ReactNode }) {
  const t = useTexts(todayMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
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
          <LinkButton href={`${href('records')}?add`} icon={<Plus size={18} />}>
            {t('add_record')}
          </LinkButton>
        )
      }
    >
      {children}
    </Page>
  );
}

type PlanProps = { projects: readonly Project[]; streak: number; studiedToday: boolean };

/** Rerenders every second while a timer runs. */
function Plan({ projects, streak, studiedToday }: PlanProps) {
  const known = usePlan();
  const account = useAccount();
  const colorOf = useColors(known?.week.days.flatMap(({ parts }) => parts.map(({ id }) => id)) ?? []);
  if (known === undefined) return <Boxes />;
  const { plan, week } = known;
  const { date } = week.today;
  return (
    <>
      <PlanCard plan={plan} week={week} hueOf={colorOf} />
      <div className={styles.side}>
        <RingCard plan={plan} week={week} hueOf={colorOf} />
        <WeekCard week={week} hueOf={colorOf} goal={weeklyGoal(projects, account) * 3600}>
          <Streak days={streak} studiedToday={studiedToday} />
        </WeekCard>
      </div>
      {date === week.days.at(-1)?.date && <WeekPicture week={week} hueOf={colorOf} />}
      <ComingUp items={plan.items} today={date} />
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
