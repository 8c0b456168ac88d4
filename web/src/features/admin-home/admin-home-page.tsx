import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Card, Empty, Page } from '../../ui/page.tsx';
import styles from './admin-home.module.css';
import { FirstSteps } from './first-steps.tsx';
import {
  rowsPerCard,
  type Student,
  useInactiveStudents,
  useLateGoals,
  useLatestStudents,
  useOpenRequests,
} from './home-queries.ts';
import { LastChanges } from './last-changes.tsx';
import { Loaded } from './loaded.tsx';
import { adminHomeMessages } from './messages.ts';

/** Open requests, inactive students, goals behind schedule, today's students and the latest changes. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function AdminHomePage() {
  const t = useTexts(adminHomeMessages);
  const isEmpty = useLatestStudents().data?.pagination.total === 0;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <LinkButton href={href('projects')}>{t('projects')}</LinkButton>
          <LinkButton href={href('records')}>{t('records')}</LinkButton>
        </>
      }
    >
      <div className={styles.cards}>
        {isEmpty && <FirstSteps />}
        <OpenRequests />
        {!isEmpty && <InactiveStudents />}
        <LateGoals />
        {!isEmpty && <TodaysStudents />}
        <LastChanges />
      </div>
    </Page>
  );
}

function OpenRequests() {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats(useAccount().timezone);
  const read = useOpenRequests();
  const count = read.data?.stats.pending ?? 0;
  return (
    <Card title={t('requests')} actions={count > 0 && <Link href={href('inbox')}>{t('all_requests', { count })}</Link>}>
      <Loaded of={read}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Empty>{t('answered')}</Empty>
          ) : (
            <ul className={styles.list}>
              {requests.map(({ id, name, subject, created_at, overdue }) => (
                <li key={id}>
                  <Link href={href('request', { id })}>{name}</Link>
                  <span>{t(subject)}</span>
                  <small className={overdue ? styles.overdue : undefined}>
                    {formats.fromNow(created_at)}
                    {overdue && `, ${t('overdue')}`}
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function InactiveStudents() {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats(useAccount().timezone);
  const read = useInactiveStudents();
  const count = read.data?.pagination.total ?? 0;
  const where = `${href('students')}?state=silent&sort=last_session`;
  return (
    <Card title={t('inactive')} actions={count > 0 && <Link href={where}>{t('all_inactive', { count })}</Link>}>
      <Loaded of={read}>
        {({ users }) =>
          users.length === 0 ? (
            <Empty>{t('inactive_none')}</Empty>
          ) : (
            <>
              <ul className={styles.list}>
                {users.map(({ user_id, display_name, last_session }) => (
                  <li key={user_id}>
                    <Link href={href('student', { id: user_id })}>{display_name}</Link>
                    <small>{last_session === null ? t('never') : formats.daysAgo(last_session)}</small>
                  </li>
                ))}
              </ul>
              <More count={count - users.length} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Projects overdue or behind schedule; each links to its students. */
function LateGoals() {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats('UTC'); // a due date is a day, not a moment
  const read = useLateGoals();
  return (
    <Card title={t('late')}>
      <Loaded of={read}>
        {({ projects, total }) =>
          projects.length === 0 ? (
            <Empty>{t('late_none')}</Empty>
          ) : (
            <>
              <ul className={styles.list}>
                {projects.map(({ id, name, due_date, isOverdue }) => (
                  <li key={id}>
                    <Link href={`${href('students')}?project_id=${id}&sort=hours_28d&order=desc`}>{name}</Link>
                    <small className={isOverdue ? styles.overdue : undefined}>
                      {due_date !== null && t('due', { date: formats.date(due_date) })}
                    </small>
                  </li>
                ))}
              </ul>
              <More count={total - projects.length} of="more_projects" />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function TodaysStudents() {
  const t = useTexts(adminHomeMessages);
  const formats = useFormats(useAccount().timezone);
  const read = useLatestStudents();
  const isToday = ({ last_session, running_timer }: Student) =>
    running_timer !== null || (last_session !== null && formats.isoDay(last_session) === formats.isoDay(Date.now()));
  return (
    <Card
      title={t('today')}
      actions={<Link href={`${href('students')}?sort=last_session&order=desc`}>{t('all_students')}</Link>}
    >
      <Loaded of={read}>
        {({ users, pagination }) => {
          const active = users.filter(isToday);
          if (active.length === 0) return <Empty>{t(pagination.total === 0 ? 'no_students' : 'today_none')}</Empty>;
          return (
            <>
              <ul className={styles.list}>
                {active.slice(0, rowsPerCard).map(({ user_id, display_name, running_timer, hours_7d }) => (
                  <li key={user_id}>
                    <Link href={href('student', { id: user_id })}>{display_name}</Link>
                    <small>
                      {running_timer === null
                        ? t('week_hours', { hours: formats.hours(hours_7d) })
                        : t('studying', { project: running_timer.project_name })}
                    </small>
                  </li>
                ))}
              </ul>
              <More count={active.length - rowsPerCard} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function More({ count, of = 'more' }: { count: number; of?: 'more' | 'more_projects' }) {
  const t = useTexts(adminHomeMessages);
  return count > 0 ? <p className={styles.more}>{t(of, { count })}</p> : null;
}
