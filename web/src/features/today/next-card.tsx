import { Play, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
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
/** The projects among which the most urgent ones are looked for. */
const maxCompared = 12;
/** The list does not wait longer for the forecasts. */
const maxWait = 1500;

type Props = {
  projects: readonly Project[];
  /** The projects that are behind or overdue, the first due first. */
  atRisk: readonly number[];
  /** The notes of the latest records, by project. */
  notes: ReadonlyMap<number, string>;
};

/** What to study next: the largest rest of today's share, then those due first, then what was studied last. */
export function NextCard({ projects, atRisk, notes }: Props) {
  const t = useTexts(todayMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const [compared] = useState(() => firstDue(projects, atRisk));
  // The order stays while the page is open: nothing moves under the pointer when a timer starts.
  const [order, setOrder] = useState<number[]>();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const late = setTimeout(() => setLate(true), maxWait);
    return () => clearTimeout(late);
  }, []);
  const known = new Map(projects.map((project) => [project.id, project]));
  const added = projects.map(({ id }) => id).filter((id) => !compared.includes(id));
  const listed = [...(order ?? compared), ...added].flatMap((id) => known.get(id) ?? []).slice(0, maxCompared);
  const forecasts = useForecasts(listed.map(({ id }) => id));
  const shown = listed.slice(0, maxShown);
  if (order === undefined && (isLate || forecasts.size >= listed.length)) setOrder(byShare(compared, forecasts));
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
      {order === undefined && <span role="status" aria-label={common('loading')} />}
      <ul className={cx(styles.next, order === undefined && styles.waiting)}>
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

/** What the reader is to study today, in hours; undefined if the target is not the reader's alone. */
const leftToday = (forecast: Forecast | undefined) =>
  forecast?.hours_of === 'caller' ? forecast.today_required_hours : undefined;

/** Sorting is stable: equal shares keep the order of their due dates. */
const byShare = (ids: readonly number[], forecasts: ReadonlyMap<number, Forecast>) =>
  ids.toSorted((a, b) => (leftToday(forecasts.get(b)) ?? 0) - (leftToday(forecasts.get(a)) ?? 0));

/** Goals at risk, then those due first, then what was studied last. */
function firstDue(projects: readonly Project[], atRisk: readonly number[]): number[] {
  const place = ({ id }: Project) => (atRisk.includes(id) ? atRisk.indexOf(id) : atRisk.length);
  const due = ({ due_date, own_progress }: Project) => (due_date === null || own_progress >= 100 ? '9' : due_date);
  // Projects come most recently studied first; sorting is stable.
  return [...projects]
    .sort((a, b) => place(a) - place(b) || due(a).localeCompare(due(b)))
    .map(({ id }) => id)
    .slice(0, maxCompared);
}

type RowProps = { project: Project; note: string; forecast: Forecast | undefined; onStart: () => void };

function Row({ project, note, forecast, onStart }: RowProps) {
  const t = useTexts(todayMessages);
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const { data: timer } = useTimer();
  const { id, name, color } = project;
  const isRunning = timer?.project_id === id;
  const left = leftToday(forecast);
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
