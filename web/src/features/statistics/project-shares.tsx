import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Figure } from '../../ui/figure.tsx';
import { HowCounted } from './how-counted.tsx';
import { periodMessages } from './period-messages.ts';
import styles from './shares.module.css';
import { Shares, useChangeText } from './shares.tsx';
import layout from './statistics.module.css';
import { changeOf, type Statistics } from './statistics-queries.ts';

type Props = { statistics: Statistics; isOwn: boolean };

/** The projects of the period, most time first, with the change from the period before. */
export function ProjectShares({ statistics, isOwn }: Props) {
  const before = statistics.previous;
  const t = useTexts(periodMessages);
  const formats = useFormats('UTC');
  const projects = statistics.by_project;
  const changeText = useChangeText();
  const changed = (project: (typeof projects)[number]) => changeText(changeOf(project, before));
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
      <Shares
        shares={projects.map((project) => {
          const { project_id: id, project_name: name, color: hue, hours } = project;
          return {
            key: id,
            hue,
            name: isOwn ? <Link href={href('project', { id })}>{name}</Link> : name,
            hours,
            change: before == null ? undefined : changed(project),
          };
        })}
      />
      <p className={styles.foot}>
        {t('projects', { count: projects.length })}
        <strong>{formats.hours(statistics.total_hours)}</strong>
      </p>
    </Figure>
  );
}
