import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Figure } from '../../ui/figure.tsx';
import { HowCounted } from './how-counted.tsx';
import { periodMessages } from './period-messages.ts';
import styles from './shares.module.css';
import layout from './statistics.module.css';
import { changeOf, type Statistics } from './statistics-queries.ts';

const maxShown = 8;
type Props = { statistics: Statistics; isOwn: boolean };

/** The projects of the period, most time first, with the change from the period before. */
export function ProjectShares({ statistics, isOwn }: Props) {
  const before = statistics.previous;
  const t = useTexts(periodMessages);
  const formats = useFormats('UTC');
  const projects = statistics.by_project;
  const most = Math.max(0.01, projects[0]?.hours ?? 0);
  const changed = (project: (typeof projects)[number]) => {
    const change = changeOf(project, before);
    if (change === undefined) return '';
    const amount = formats.hours(Math.abs(change));
    return amount === formats.hours(0) ? amount : `${change > 0 ? '+' : '−'}${amount}`;
  };
  const rows = projects.map(
    (project) =>
      [
        `${project.project_id}`,
        project.project_name,
        formats.hours(project.hours),
        ...(before == null ? [] : [changed(project)]),
      ] as const,
  );
  return (
    <Figure
      title={t('by_project')}
      context={before == null ? undefined : t('vs_previous')}
      head={[t('project'), t('time'), ...(before == null ? [] : [t('change')])]}
      rows={rows}
      about={<HowCounted figure="projects" name={t('by_project')} />}
      className={layout.side}
    >
      <ul className={styles.shares}>
        {projects.slice(0, maxShown).map((project) => (
          <li key={project.project_id} data-hue={project.color}>
            <span className="tab" />
            {isOwn ? (
              <Link href={href('project', { id: project.project_id })}>{project.project_name}</Link>
            ) : (
              <span className={cx(styles.name)}>{project.project_name}</span>
            )}
            <span className={cx(styles.amount)}>
              <strong>{formats.hours(project.hours)}</strong>
              {before != null && <span className={cx(styles.delta)}>{changed(project)}</span>}
            </span>
            <span className={cx(styles.meter)}>
              <span style={{ width: `${(project.hours / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.foot}>
        {t('projects', { count: projects.length })}
        <strong>{formats.hours(statistics.total_hours)}</strong>
      </p>
    </Figure>
  );
}
