import { Check, Play, Square } from 'lucide-react';
import { Link } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { actionOf, shortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import type { PlanItem } from '../plan/use-plan.ts';
import type { Week } from '../plan/week-queries.ts';
import glyph from '../projects/glyph.module.css';
import { useGoalTexts } from '../projects/goal-texts.ts';
import { StateChip } from '../projects/state-chip.tsx';
import { useTimer } from '../timer/timer-queries.ts';
import { todayMessages } from './messages.ts';
import styles from './plan-row.module.css';

type Props = { item: PlanItem; week: Week; isNext: boolean; onStart: () => void };

/** A project: why it is in the plan, how much of it is done, and its state. */
export function PlanRow({ item: { project, forecast, done, left, isPlanned }, week, isNext, onStart }: Props) {
  const t = useTexts(todayMessages);
  const formats = useOwnFormats();
  const goals = useGoalTexts();
  const { data: timer } = useTimer();
  const { id, name, color, due_date, weekly_goal_hours, own_last_session } = project;
  const isRunning = timer?.project_id === id;
  const isDone = isPlanned && left === 0;
  const weekLeft = Math.max(0, (weekly_goal_hours ?? 0) * 3600 - week.secondsOf(id));
  const reason = isPlanned && forecast && goals.reason(forecast, due_date, weekLeft, week.days.at(-1)?.date ?? '');
  const lately = own_last_session === null ? '' : t('last_studied', { day: formats.daysAgo(own_last_session) });
  const share = done + left === 0 ? 0 : (done / (done + left)) * 100;
  const time = formats.duration(done);
  return (
    <li data-hue={color} className={cx(styles.row, isNext && styles.next, isDone && styles.done)}>
      <button
        type="button"
        className={cx(glyph.play, styles.play)}
        aria-label={t(isRunning ? 'stop_named' : 'continue_named', { project: name })}
        onClick={isRunning ? () => actionOf(shortcuts.timer)?.() : onStart}
      >
        {isRunning ? (
          <Square size={14} fill="currentColor" />
        ) : isDone ? (
          <Check size={18} strokeWidth={2.5} />
        ) : (
          <Play size={14} fill="currentColor" />
        )}
      </button>
      <span className={styles.name}>
        <Link href={href('project', { id })} className="name-link">
          {name}
        </Link>
        <small>{reason || lately}</small>
      </span>
      <span className={styles.meter} aria-hidden="true">
        {isPlanned && <span style={{ width: `${share}%` }} />}
      </span>
      <span className={styles.need}>
        {left > 0 ? (
          <>
            <strong>{formats.duration(Math.ceil(left / 60) * 60)}</strong> {t('left')}
          </>
        ) : (
          done > 0 && (isDone ? t('done_today', { duration: time }) : t('so_far', { duration: time }))
        )}
      </span>
      <span className={styles.state}>
        <StateChip forecast={forecast} />
      </span>
    </li>
  );
}
