import { Play, Square } from 'lucide-react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { shownPercent } from '../../lib/percent.ts';
import { useAccount } from '../../lib/session.ts';
import { actionOf, shortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Problem } from '../../ui/notice.tsx';
import { Progress } from '../../ui/page.tsx';
import { startTimer, useTimer } from '../timer/timer-queries.ts';
import type { Forecast } from './forecast-queries.ts';
import glyph from './glyph.module.css';
import { listMessages } from './list-messages.ts';
import { projectMessages } from './messages.ts';
import type { Project } from './project-queries.ts';
import styles from './projects.module.css';
import { StateChip } from './state-chip.tsx';
import { TargetMeter } from './target-meter.tsx';

/** A project in a list, with the reader's own hours; administrators see everybody's. */
export function ProjectCard({ project, forecast }: { project: Project; forecast?: Forecast | undefined }) {
  const t = useTexts(projectMessages);
  const list = useTexts(listMessages);
  const formats = useFormats('UTC');
  const { role } = useAccount();
  const { data: timer } = useTimer();
  const { run, error } = useAction(() => startTimer(project));
  const { id, name, status, members_count: members } = project;
  const isRunning = timer?.project_id === id;
  const hasState = forecast !== undefined && forecast.state !== 'no_target';
  return (
    <article className={styles.card} data-hue={project.color}>
      {project.image !== undefined && <img src={project.image} alt="" loading="lazy" className={styles.cover} />}
      <div className={styles.cardHead}>
        <h2>
          <Link href={href('project', { id })}>{name}</Link>
        </h2>
        {role === 'user' && status === 'active' && (
          <button
            type="button"
            className={glyph.play}
            aria-label={list(isRunning ? 'stop' : 'start', { name })}
            onClick={isRunning ? () => actionOf(shortcuts.timer)?.() : () => void run()}
          >
            {isRunning ? <Square size={14} fill="currentColor" /> : <Play size={14} fill="currentColor" />}
          </button>
        )}
      </div>
      <p className={styles.meta}>
        <span>{t(project.category)}</span>
        {status === 'active' ? hasState && <StateChip forecast={forecast} /> : <span>{t(status)}</span>}
        {role === 'admin' && (
          <span>{members === null || members === 0 ? list('nobody') : list('students', { count: members })}</span>
        )}
      </p>
      {role === 'admin' ? (
        <ProjectProgress project={project} />
      ) : (
        <div className={styles.progress}>
          {status === 'completed' && project.target_hours > 0 && (
            <p>
              {list('finished_at', {
                done: formats.hours(project.own_hours),
                target: formats.hours(project.target_hours),
              })}
            </p>
          )}
          {status !== 'completed' && <TargetMeter project={project} forecast={forecast} />}
        </div>
      )}
      <Problem error={error} />
    </article>
  );
}

type Measured = Pick<Project, 'name' | 'current_hours' | 'target_hours' | 'target_scope' | 'progress' | 'due_date'>;

/** Hours of all, and how much of a common target they are; a target of each student is not measured by them. */
function ProjectProgress({ project }: { project: Measured }) {
  const t = useTexts(projectMessages);
  const formats = useFormats('UTC'); // a due date has no time
  const done = formats.hours(project.current_hours);
  const target = formats.hours(project.target_hours);
  const hasTarget = project.target_hours > 0;
  const isMeasured = hasTarget && project.target_scope === 'shared';
  return (
    <div className={styles.progress}>
      {isMeasured && <Progress percent={project.progress} label={t('progress_of', { name: project.name })} />}
      <p className={styles.numbers}>
        <span>{!hasTarget ? t('done', { done }) : t(isMeasured ? 'done_of' : 'done_each', { done, target })}</span>
        {isMeasured && <span>{t('percent', { percent: formats.number(shownPercent(project.progress)) })}</span>}
      </p>
      {project.due_date !== null && <p className="note">{t('due_on', { date: formats.date(project.due_date) })}</p>}
    </div>
  );
}
