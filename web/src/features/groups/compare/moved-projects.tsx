import { useFormats } from '../../../lib/format.ts';
import { useTexts } from '../../../lib/texts.ts';
import { Figure } from '../../../ui/figure.tsx';
import { Empty } from '../../../ui/page.tsx';
import type { Period } from '../../statistics/period.ts';
import type { Comparison } from '../class-queries.ts';
import { ChangeText } from './change-text.tsx';
import styles from './compare.module.css';
import { compareMessages } from './compare-messages.ts';
import dumbbells from './dumbbells.module.css';

const maxShown = 6;

type Props = { projects: Comparison['by_project']; names: readonly [Period, Period] };

/** The hours of the class on each project in both periods, the largest changes first. */
export function MovedProjects({ projects, names }: Props) {
  const t = useTexts(compareMessages);
  const formats = useFormats('UTC'); // dates have no time
  const change = ({ hours, other_hours }: Props['projects'][number]) => hours - other_hours;
  const moved = projects.toSorted((a, b) => Math.abs(change(b)) - Math.abs(change(a)));
  const most = Math.max(0.5, ...moved.flatMap(({ hours, other_hours }) => [hours, other_hours]));
  const [nowDates = '', thenDates = ''] = names.map(({ from, to }) => formats.dayRange(from, to));
  const part = (hours: number) => ({ width: `${((hours / most) * 100).toFixed(1)}%` });
  return (
    <Figure
      title={t('projects')}
      context={t('class_total')}
      head={[t('project'), thenDates, nowDates]}
      rows={moved.map(({ project_id, project_name, hours, other_hours }) => [
        `${project_id}`,
        project_name,
        formats.hours(other_hours),
        formats.hours(hours),
      ])}
    >
      {moved.length === 0 && <Empty>{t('no_projects')}</Empty>}
      <ul className={styles.projects}>
        {moved.slice(0, maxShown).map((project) => (
          <li key={project.project_id} data-hue={project.color}>
            <span className={styles.project}>{project.project_name}</span>
            <span
              className={styles.bars}
              role="img"
              aria-label={t('row', { before: formats.hours(project.other_hours), now: formats.hours(project.hours) })}
            >
              <span style={part(project.other_hours)} />
              <span style={part(project.hours)} />
            </span>
            <span className={dumbbells.hours}>{formats.hours(project.hours)}</span>
            <span className={dumbbells.change}>
              <ChangeText hours={change(project)} />
            </span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}
