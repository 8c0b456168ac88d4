import { Link } from 'wouter';
import type { Schemas } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Empty, Skeleton } from '../../ui/page.tsx';
import { progressMessages } from './messages.ts';
import styles from './progress.module.css';
import { type StudentProject, useStudentProjects } from './progress-queries.ts';
import student from './student.module.css';

type Hours = Schemas['PersonalStatistics']['by_project'];
type Entry = { id: number; name: string; hours: number | undefined; project?: StudentProject };

/** The statistics include hours of at most this many projects; the others have fewer hours. */
const projectsWithHours = 20;

/** Assigned and own projects and others with records of the student, most hours first. */
function entriesOf(projects: readonly StudentProject[], hours: Hours): Entry[] {
  const rest = new Map(hours.map((entry) => [entry.project_id, entry]));
  const unknown = hours.length < projectsWithHours ? 0 : undefined;
  const entries = projects.map((project): Entry => {
    const own = rest.get(project.id)?.hours;
    rest.delete(project.id);
    return { id: project.id, name: project.name, hours: own ?? unknown, project };
  });
  const others = [...rest.values()].map(({ project_id: id, project_name: name, hours: own }) => ({
    id,
    name,
    hours: own,
  }));
  return [...entries, ...others].toSorted((a, b) => (b.hours ?? 0) - (a.hours ?? 0));
}

export function StudentProjects({ id, hours }: { id: number; hours: Hours }) {
  const t = useTexts(progressMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { data, error } = useStudentProjects(id);
  const least = hours.at(-1)?.hours ?? 0;
  const entries = data === undefined ? undefined : entriesOf(data.projects, hours);
  return (
    <Card title={t('projects')} className={student.long}>
      {error !== null && <Notice kind="error">{problem(error)}</Notice>}
      {entries === undefined && error === null && <Skeleton label={common('loading')} />}
      {entries?.length === 0 && (
        <Empty>
          <p>{t('projects_none')}</p>
          <LinkButton href={href('assign')}>{t('assign')}</LinkButton>
        </Empty>
      )}
      {entries !== undefined && entries.length > 0 && (
        <table className={cx(styles.table, styles.inCard)} aria-label={t('projects')}>
          <thead>
            <tr>
              <th scope="col">{t('project')}</th>
              <th scope="col" className={styles.number}>
                {t('own_hours')}
              </th>
              <th scope="col" className={cx(styles.number, styles.wide)}>
                {t('progress')}
              </th>
              <th scope="col" className={styles.wide}>
                {t('due')}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} least={least} />
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && data.missing > 0 && <p>{t('more_projects', { count: data.missing })}</p>}
    </Card>
  );
}

function Row({ entry: { id, name, hours, project }, least }: { entry: Entry; least: number }) {
  const t = useTexts(progressMessages);
  const formats = useFormats('UTC'); // a due date has no time
  const due = project?.due_date ?? null;
  return (
    <tr>
      <th scope="row">
        {project === undefined ? name : <Link href={href('project', { id })}>{name}</Link>}
        <small>
          <State project={project} hours={hours} />
        </small>
      </th>
      <td className={styles.number}>
        {hours === undefined ? t('little', { hours: formats.hours(least) }) : formats.hours(hours)}
      </td>
      <td className={cx(styles.number, styles.wide)}>
        {project !== undefined && <Part project={project} hours={hours} />}
      </td>
      <td className={styles.wide}>{due !== null && formats.date(due)}</td>
    </tr>
  );
}

/** Whether the student is to reach the target alone. */
const isGoal = ({ isOwn, target_scope }: StudentProject): boolean => isOwn || target_scope === 'each';
const ownPercent = ({ target_hours }: StudentProject, hours: number): number =>
  Math.min(100, (100 * hours) / target_hours);

/** The student's own part of the target, or that of all for a target that is reached together. */
function Part({ project, hours }: { project: StudentProject; hours: number | undefined }) {
  const t = useTexts(progressMessages);
  const formats = useFormats('UTC');
  const { target_hours: target, progress } = project;
  if (target === 0) return null;
  const of = { hours: formats.hours(target) };
  if (!isGoal(project)) return t('together_of', { percent: formats.number(progress), ...of });
  return hours === undefined
    ? of.hours
    : t('percent_of', { percent: formats.number(ownPercent(project, hours)), ...of });
}

/** The percentage from which a goal is nearly reached, as in the list of students. */
const near = 80;

function State({ project, hours = 0 }: { project: StudentProject | undefined; hours: number | undefined }) {
  const t = useTexts(progressMessages);
  if (project === undefined) return t('is_former');
  const { status, isOwn, due_date: due, target_hours: target } = project;
  const own = target > 0 ? ownPercent(project, hours) : 100;
  const isOpen = status === 'active' && isGoal(project) && own < 100;
  const isOverdue = due !== null && due < new Date().toISOString().slice(0, 10);
  return (
    <span className={styles.goals}>
      <span>{t(status)}</span>
      {isOwn && <span>{t('is_own')}</span>}
      {isOpen && isOverdue && <span className={styles.behind}>{t('is_overdue')}</span>}
      {isOpen && own >= near && <span className={styles.near}>{t('is_near')}</span>}
    </span>
  );
}
