import type { Schemas } from '../../lib/api.ts';
import { useFormats } from '../../lib/format.ts';
import { shownPercent } from '../../lib/percent.ts';
import { useTexts } from '../../lib/texts.ts';
import { Chip } from '../../ui/chip.tsx';
import { useGoalTexts } from '../projects/goal-texts.ts';
import styles from './report.module.css';
import { reportMessages } from './report-messages.ts';

type ReportData = Schemas['StudentReport'];
type Project = ReportData['projects'][number];

/** The hours on each project, and how far the target of each is reached. */
export function ReportProjects({ report: { projects, more_projects } }: { report: ReportData }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC');
  if (projects.length === 0) return null;
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
          {projects.map((project, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique, and the rows never change
            <tr key={index}>
              <th scope="row">
                <ProjectName project={project} />
              </th>
              <td>{dates.hours(project.hours)}</td>
              <td>{dates.hours(project.total_hours)}</td>
              <td>
                <Target project={project} />
              </td>
              <td>{project.due_date !== null && dates.date(project.due_date)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more_projects > 0 && <p className={styles.more}>{t('more', { count: more_projects })}</p>}
    </>
  );
}

function ProjectName({ project: { name, state } }: { project: Project }) {
  const goals = useGoalTexts();
  const chip = state === null ? undefined : goals.chip({ state, hours_of: 'caller' });
  return (
    <>
      <span>{name}</span> {chip !== undefined && <Chip look={chip.look}>{chip.text}</Chip>}
    </>
  );
}

/** The bar of a target that the student is to reach alone; of a common one the hours of the others are not in the report. */
function Target({ project: { target_hours: target, progress, is_shared_target } }: { project: Project }) {
  const t = useTexts(reportMessages);
  const dates = useFormats('UTC');
  if (target === null) return null;
  if (is_shared_target) return t('group_target', { hours: dates.hours(target) });
  return (
    <>
      {dates.hours(target)}
      <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" />
        <rect width={shownPercent(progress ?? 0)} height="6" />
      </svg>
    </>
  );
}
