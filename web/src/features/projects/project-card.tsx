import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { Progress } from '../../ui/page.tsx';
import { projectMessages } from './messages.ts';
import type { Project } from './project-queries.ts';
import styles from './projects.module.css';
import { TargetMeter } from './target-meter.tsx';

/** A project in a list, with the reader's own hours; administrators see everybody's. */
export function ProjectCard({ project }: { project: Project }) {
  const t = useTexts(projectMessages);
  const { role } = useAccount();
  return (
    <article className={styles.card} data-hue={project.color}>
      {project.image !== undefined && <img src={project.image} alt="" loading="lazy" className={styles.cover} />}
      <h2>
        <Link href={href('project', { id: project.id })}>{project.name}</Link>
      </h2>
      <p className={styles.meta}>
        <span>{t(project.category)}</span>
        <span>{t(project.status)}</span>
      </p>
      {role === 'admin' ? (
        <ProjectProgress project={project} />
      ) : (
        <div className={styles.progress}>
          <TargetMeter project={project} />
        </div>
      )}
    </article>
  );
}

type Measured = Pick<Project, 'name' | 'current_hours' | 'target_hours' | 'progress' | 'due_date'>;

/** Hours done of the target, as text and as a bar; without a target only the hours. */
export function ProjectProgress({ project, about }: { project: Measured; about?: ReactNode }) {
  const t = useTexts(projectMessages);
  const formats = useFormats('UTC'); // a due date has no time
  const done = formats.hours(project.current_hours);
  const hasTarget = project.target_hours > 0;
  return (
    <div className={styles.progress}>
      {hasTarget && <Progress percent={project.progress} label={t('progress_of', { name: project.name })} />}
      <p className={styles.numbers}>
        <span>
          {hasTarget ? t('done_of', { done, target: formats.hours(project.target_hours) }) : t('done', { done })}
        </span>
        {hasTarget && (
          <span>
            {t('percent', { percent: formats.number(Math.min(100, project.progress)) })} {about}
          </span>
        )}
      </p>
      {project.due_date !== null && (
        <p className={styles.due}>{t('due_on', { date: formats.date(project.due_date) })}</p>
      )}
    </div>
  );
}
