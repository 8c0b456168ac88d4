import { Printer } from 'lucide-react';
import { Link } from 'wouter';
import { NoPage } from '../../frame/no-page.tsx';
import { isApiError, type Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useUrlFilter } from '../../lib/use-url-filter.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Skeleton } from '../../ui/page.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { Stat, Stats } from '../../ui/stats.tsx';
import { Days } from '../statistics/days.tsx';
import { IsOtherUser } from '../statistics/how-counted.tsx';
import { Kpis } from '../statistics/kpis.tsx';
import { usePersonalStatistics, useUser } from '../statistics/statistics-queries.ts';
import { Weeks, weeksOf } from '../statistics/weeks.tsx';
import { PersonTabs } from '../users/person-tabs.tsx';
import { progressMessages } from './messages.ts';
import list from './progress.module.css';
import { useStudentProgress } from './progress-queries.ts';
import { lastMoment } from './standing.ts';
import { StandingChip } from './standing-chip.tsx';
import styles from './student.module.css';
import { StudentProjects } from './student-projects.tsx';
import { StudentRecords } from './student-records.tsx';
import { Write } from './write.tsx';

type User = Schemas['ManagedUser'];

/** One student: progress, statistics, projects and records. Printed, it is a report. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StudentPage({ id }: { id: number }) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data: user, error } = useUser(id);
  if (!Number.isInteger(id) || isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoPage />;
  if (user !== undefined) return <Report user={user} />;
  return error === null ? (
    <Skeleton label={common('loading')} lines={8} />
  ) : (
    <Notice kind="error">{problem(error)}</Notice>
  );
}

function Report({ user }: { user: User }) {
  const t = useTexts(progressMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const formats = useFormats(user.timezone);
  const { filter, page, change, turnTo } = useUrlFilter({ weeks: '' });
  const weeks = weeksOf(filter.weeks);
  const { data: statistics, error } = usePersonalStatistics(weeks, user);
  const hasStudied = statistics !== undefined && statistics.total_sessions > 0;
  const actions = (
    <>
      <Write ids={[user.id]} name={user.display_name} text="write" />
      <LinkButton href={`${href('reports')}?students=${user.id}`} icon={<Printer size={18} strokeWidth={1.75} />}>
        {t('report')}
      </LinkButton>
      <Button icon={<Printer size={18} />} onPress={() => print()}>
        {t('print')}
      </Button>
    </>
  );
  return (
    <Page title={user.display_name} actions={actions}>
      <PersonTabs id={user.id} role={user.role} here="progress" />
      <p className={list.caption}>
        <span className={list.paper}>
          {t('report')} · {t('as_of', { when: formats.dateTime(new Date().toISOString()) })}
        </span>
        <span>{user.username}</span>
        <span>{user.email}</span>
        {user.status === 'inactive' && <strong>{t('inactive')}</strong>}
        <span>{t('zone', { zone: user.timezone })}</span>
      </p>
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
      {statistics === undefined && error === null && <Skeleton label={common('loading')} lines={8} />}
      <IsOtherUser value={true}>
        <div className={styles.report}>
          <CurrentProgress user={user} />
          {statistics?.total_sessions === 0 && <Card>{t('nothing')}</Card>}
          {hasStudied && (
            <>
              <Kpis statistics={statistics} />
              <Days statistics={statistics} />
              <Weeks
                weekly={statistics.weekly_progress}
                shown={weeks}
                onShow={(count) => change({ weeks: `${count}` })}
              />
            </>
          )}
          {statistics !== undefined && <StudentProjects id={user.id} hours={statistics.by_project} />}
          {hasStudied && <StudentRecords user={user} page={page} onTurn={turnTo} />}
        </div>
      </IsOtherUser>
    </Page>
  );
}

/** The facts that the list of students shows. */
function CurrentProgress({ user }: { user: User }) {
  const t = useTexts(progressMessages);
  const marks = useMarks();
  const formats = useFormats(user.timezone);
  const { data: student } = useStudentProgress(user.id, user.email);
  if (student == null) return null;
  const { last_session, running_timer, hours_7d, hours_28d, groups } = student;
  return (
    <Stats>
      <Stat
        label={t('last_session')}
        value={last_session === null ? t('never') : formats.daysAgo(lastMoment(last_session), student.day_start_hour)}
        note={running_timer !== null && `${t('studying')}${marks.colon}${running_timer.project_name}`}
      />
      <Stat label={t('last_7_days')} value={<Quantity text={formats.hours(hours_7d)} />} />
      <Stat label={t('hours_28d')} value={<Quantity text={formats.hours(hours_28d)} />} />
      <Stat label={t('goals')} value={<StandingChip student={student} isLong />} />
      {groups.length > 0 && <Stat label={t('group')} value={<Groups groups={groups} />} />}
    </Stats>
  );
}

function Groups({ groups }: { groups: Schemas['Progress']['groups'] }) {
  return (
    <ul className={styles.groups}>
      {groups.map(({ id, name }) => (
        <li key={id}>
          <Link href={href('group', { id })}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
