import { useQueries, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card, Skeleton } from '../../ui/page.tsx';
import { useUser } from '../statistics/statistics-queries.ts';
import { useStudentProjects } from './progress-queries.ts';
import styles from './report.module.css';
import { reportMessages } from './report-messages.ts';

type Props = { id: number; name: string; from: string; to: string };
const dayMilliseconds = 86_400_000;
/** As many as leave room for the weeks and a comment on one page. */
const maxProjects = 12;

/** What a student has studied in a period, on one printed page, with room for a comment. */
export function Report({ id, name, from, to }: Props) {
  const t = useTexts(reportMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const dates = useFormats('UTC'); // dates have no time
  const { data: user } = useUser(id);
  const [period, whole] = useStatistics(id, user?.timezone, { from, to });
  const classes = useClasses(id);
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMilliseconds) + 1;
  const error = period?.error ?? whole?.error ?? null;
  const figures = period?.data;
  return (
    <article className={styles.report} aria-label={`${t('report')}: ${name}`}>
      <Card>
        <header className={styles.head}>
          <h2>{name}</h2>
          <p>
            {[classes, `${t('report')}, ${t('about', { from: dates.date(from), to: dates.date(to) })}`]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </header>
        {error !== null && <Notice kind="error">{problem(error)}</Notice>}
        {figures === undefined && error === null && <Skeleton label={common('loading')} />}
        {figures !== undefined && (
          <>
            <dl className={styles.facts}>
              <div>
                <dt>{t('hours')}</dt>
                <dd>{dates.hours(figures.total_hours)}</dd>
              </div>
              <div>
                <dt>{t('per_week')}</dt>
                <dd>{dates.hours((figures.total_hours / days) * 7)}</dd>
              </div>
              <div>
                <dt>{t('study_days')}</dt>
                <dd>{t('of_days', { count: figures.study_days, days })}</dd>
              </div>
              {figures.previous != null && (
                <div>
                  <dt>{t('before')}</dt>
                  <dd>{dates.hours(figures.previous.total_hours)}</dd>
                </div>
              )}
            </dl>
            {figures.total_hours === 0 && <p>{t('nothing')}</p>}
            <Projects id={id} inPeriod={figures.by_project} ever={whole?.data?.by_project ?? []} />
            <Weeks weeks={figures.weekly ?? []} />
            <div className={styles.comment}>
              <h3>{t('comment')}</h3>
              <p>{t('signature')}</p>
            </div>
          </>
        )}
      </Card>
    </article>
  );
}

/** The statistics of the period and of all time. */
function useStatistics(id: number, tz: string | undefined, { from, to }: { from: string; to: string }) {
  return useQueries({
    queries: [{ from, to, compare: 'previous' as const }, {}].map((period) => ({
      queryKey: ['stats', id, 'report', period],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = { user_id: id, ...period, ...(tz !== undefined && { tz }) };
        return (await api.get('/api/stats', { query, signal })).data;
      },
      enabled: tz !== undefined,
    })),
  });
}

function useClasses(id: number): string {
  const { data } = useQuery({
    queryKey: ['users', 'groups', 'of', id],
    queryFn: async ({ signal }) => {
      const { data } = await api.get('/api/admin/groups', { query: { user_id: id, limit: 100 }, signal });
      return data.groups.map(({ name }) => name);
    },
  });
  return data?.join(', ') ?? '';
}

type Hours = readonly { project_id: number; project_name: string; hours: number }[];

function Projects({ id, inPeriod, ever }: { id: number; inPeriod: Hours; ever: Hours }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC');
  const { data } = useStudentProjects(id);
  const projects = new Map(data?.projects.map((project) => [project.id, project]));
  const names = new Map(inPeriod.map(({ project_id, project_name }) => [project_id, project_name]));
  for (const { id: known, name, status } of data?.projects ?? []) if (status === 'active') names.set(known, name);
  const hoursOf = (hours: Hours, project: number) => hours.find(({ project_id }) => project_id === project)?.hours ?? 0;
  const all = [...names].toSorted(([a], [b]) => hoursOf(inPeriod, b) - hoursOf(inPeriod, a));
  const rows = all.slice(0, maxProjects);
  const more = all.length - rows.length + (data?.missing ?? 0);
  if (rows.length === 0) return null;
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('project')}</th>
            <th scope="col">{t('in_period')}</th>
            <th scope="col">{t('all_time')}</th>
            <th scope="col">{t('target')}</th>
            <th scope="col">{t('due')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([project, name]) => {
            const {
              target_hours: target = 0,
              target_scope,
              due_date: due = null,
              isOwn = true,
            } = projects.get(project) ?? {};
            const isGoal = isOwn || target_scope === 'each';
            return (
              <tr key={project}>
                <th scope="row">{name}</th>
                <td>{dates.hours(hoursOf(inPeriod, project))}</td>
                <td>{dates.hours(hoursOf(ever, project))}</td>
                <td>
                  {target > 0 && (isGoal ? dates.hours(target) : t('group_target', { hours: dates.hours(target) }))}
                </td>
                <td>{due !== null && dates.date(due)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {more > 0 && <p className={styles.more}>{t('more', { count: more })}</p>}
    </>
  );
}

function Weeks({ weeks }: { weeks: readonly { first_day: string; hours: number }[] }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC');
  const most = Math.max(...weeks.map(({ hours }) => hours), 0.01);
  return (
    <ul className={styles.weeks} aria-label={t('weeks')}>
      {weeks.map(({ first_day, hours }) => (
        <li key={first_day}>
          <span>{t('week_of', { date: dates.shortDate(first_day) })}</span>
          <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(0.4, (hours / most) * 100)} height="6" />
          </svg>
          <span>{dates.hours(hours)}</span>
        </li>
      ))}
    </ul>
  );
}
