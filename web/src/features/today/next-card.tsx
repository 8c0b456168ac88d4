import { Play, Square } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { actionOf, shortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { type Forecast, type Project, useForecasts } from '../projects/project-queries.ts';
import { StateChip } from '../projects/state-chip.tsx';
import { TargetMeter } from '../projects/target-meter.tsx';
import { startTimer, useTimer } from '../timer/timer-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './today.module.css';

const maxShown = 5;

type Props = {
  projects: readonly Project[];
  /** The projects that are behind or overdue, the first due first. */
  atRisk: readonly number[];
  /** The notes of the latest records, by project. */
  notes: ReadonlyMap<number, string>;
};

/** What to study next: goals at risk, then those due first, then what was studied last. */
export function NextCard({ projects, atRisk, notes }: Props) {
  const t = useTexts(todayMessages);
  const problem = useProblem();
  // The order stays while the page is open: nothing moves under the pointer when a timer starts.
  const [order] = useState(() => inOrder(projects, atRisk));
  const known = new Map(projects.map((project) => [project.id, project]));
  const added = projects.map(({ id }) => id).filter((id) => !order.includes(id));
  const shown = [...order, ...added].flatMap((id) => known.get(id) ?? []).slice(0, maxShown);
  const forecasts = useForecasts(shown.map(({ id }) => id));
  const { run, error } = useAction(({ id, name }: Project) => startTimer({ id, name }, { note: notes.get(id) ?? '' }));
  return (
    <Card
      title={t('next')}
      context={t('urgent_first')}
      actions={
        <Link href={href('projects')} className={styles.all}>
          {t('all_projects')}
        </Link>
      }
      className={styles.nextCard}
    >
      <ul className={styles.next}>
        {shown.map((project) => (
          <Row
            key={project.id}
            project={project}
            note={notes.get(project.id) ?? ''}
            forecast={forecasts.get(project.id)}
            onStart={() => void run(project)}
          />
        ))}
      </ul>
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
    </Card>
  );
}

function inOrder(projects: readonly Project[], atRisk: readonly number[]): number[] {
  const place = ({ id }: Project) => (atRisk.includes(id) ? atRisk.indexOf(id) : atRisk.length);
  const due = ({ due_date, own_progress }: Project) => (due_date === null || own_progress >= 100 ? '9' : due_date);
  // Projects come most recently studied first; sorting is stable.
  return [...projects]
    .sort((a, b) => place(a) - place(b) || due(a).localeCompare(due(b)))
    .map(({ id }) => id)
    .slice(0, maxShown);
}

type RowProps = { project: Project; note: string; forecast: Forecast | undefined; onStart: () => void };

function Row({ project, note, forecast, onStart }: RowProps) {
  const t = useTexts(todayMessages);
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const { data: timer } = useTimer();
  const { id, name, color } = project;
  const isRunning = timer?.project_id === id;
  const left = forecast?.hours_of === 'caller' ? forecast.today_required_hours : undefined;
  return (
    <li data-hue={color}>
      {isRunning ? (
        <button
          type="button"
          className={styles.running}
          aria-label={t('stop_named', { project: name })}
          onClick={() => actionOf(shortcuts.timer)?.()}
        >
          <Square size={14} fill="currentColor" aria-hidden="true" />
        </button>
      ) : (
        <button
          type="button"
          className={styles.play}
          aria-label={t('continue_named', { project: name })}
          onClick={onStart}
        >
          <Play size={14} fill="currentColor" aria-hidden="true" />
        </button>
      )}
      <span className={styles.name}>
        <Link href={href('project', { id })}>{name}</Link>
        <small>
          {note === '' && project.own_last_session !== null ? formats.daysAgo(project.own_last_session) : note}
        </small>
      </span>
      <TargetMeter project={project} forecast={forecast} />
      <span className={styles.state}>
        <StateChip project={project} forecast={forecast} />
        {left !== undefined && (
          <small>{left > 0 ? t('left_today', { duration: formats.hours(left) }) : t('safe')}</small>
        )}
      </span>
    </li>
  );
}
