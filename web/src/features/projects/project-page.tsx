import { NoPage } from '../../frame/no-page.tsx';
import { isApiError } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { Bars } from '../../ui/bars.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Skeleton } from '../../ui/page.tsx';
import { HowCounted } from '../statistics/how-counted.tsx';
import { Records } from '../study-sessions/records.tsx';
import { Cover } from './cover.tsx';
import { Members } from './members.tsx';
import { projectMessages } from './messages.ts';
import { ProjectActions } from './project-actions.tsx';
import { ProjectProgress } from './project-card.tsx';
import { type ShownProject, useProject, useProjectStatistics } from './project-queries.ts';
import styles from './projects.module.css';

/** One project: progress, weeks, records, members and awards. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function ProjectPage({ id }: { id: number }) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { id: userId, role } = useAccount();
  const { data: project, error } = useProject(id);
  if (!Number.isInteger(id) || isApiError(error, 'RESOURCE_NOT_FOUND') || isApiError(error, 'PERMISSION_DENIED'))
    return <NoPage />;
  if (project === undefined)
    return error === null ? (
      <Skeleton label={common('loading')} lines={8} />
    ) : (
      <Notice kind="error">{problem(error)}</Notice>
    );
  return (
    <Page title={project.name} actions={<ProjectActions project={project} />}>
      <div className={styles.stack}>
        <Cover project={project} />
        {project.description !== '' && <p className={styles.description}>{project.description}</p>}
        <Overview project={project} />
        <Weeks id={id} />
        <Records projectId={id} />
        {(project.user_id === userId || role === 'admin') && <Members id={id} />}
        <Awards project={project} />
      </div>
    </Page>
  );
}

function Overview({ project }: { project: ShownProject }) {
  const t = useTexts(projectMessages);
  const formats = useFormats('UTC');
  const { data: statistics } = useProjectStatistics(project.id);
  return (
    <Card>
      <div className={styles.stack}>
        <p className={styles.meta}>
          <span>{t(project.category)}</span>
          <span>{t(project.status)}</span>
        </p>
        <ProjectProgress
          project={project}
          about={<HowCounted figure="project_progress" name={t('progress_of', { name: project.name })} />}
        />
        {statistics !== undefined && (
          <dl className={styles.figures}>
            <div>
              <dt>
                {t('streak')} <HowCounted figure="project_streak" name={t('streak')} />
              </dt>
              <dd>
                {t('days', { count: statistics.current_streak })}
                <small>{t('longest', { days: t('days', { count: statistics.longest_streak }) })}</small>
              </dd>
            </div>
            <div>
              <dt>
                {t('total')} <HowCounted figure="project_total" name={t('total')} />
              </dt>
              <dd>
                {formats.hours(statistics.total_hours)}
                <small>{t('sessions', { count: statistics.total_sessions })}</small>
              </dd>
            </div>
            <div>
              <dt>
                {t('average')} <HowCounted figure="project_average" name={t('average')} />
              </dt>
              <dd>{formats.hours(statistics.average_session_length)}</dd>
            </div>
          </dl>
        )}
      </div>
    </Card>
  );
}

function Weeks({ id }: { id: number }) {
  const t = useTexts(projectMessages);
  const formats = useFormats('UTC');
  const { data } = useProjectStatistics(id);
  if (data === undefined || data.total_sessions === 0) return null;
  const weeks = data.weekly_progress.map(({ week, hours }) => ({
    key: week,
    label: week.replace(/^\d+-W0?/, ''),
    value: hours,
    text: formats.number(hours),
  }));
  const most = formats.hours(Math.max(...weeks.map((week) => week.value)));
  const rows = data.weekly_progress.map(({ week, hours }) => [week, week, formats.hours(hours)] as const);
  return (
    <Figure
      title={t('weeks')}
      head={[t('week'), t('hours')]}
      rows={rows}
      about={<HowCounted figure="project_weeks" name={t('weeks')} />}
    >
      <Bars label={t('weeks_chart', { count: weeks.length, most })} bars={weeks} />
    </Figure>
  );
}

function Awards({ project: { achievements } }: { project: ShownProject }) {
  const t = useTexts(projectMessages);
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  if (achievements.length === 0) return null;
  return (
    <Card title={t('awards')}>
      <ul className={styles.awards}>
        {achievements.map(({ id, name, icon, earned_at }) => (
          <li key={id}>
            <img src={icon} alt="" width="40" height="40" />
            <span>
              {name}
              <small>{formats.date(earned_at)}</small>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
