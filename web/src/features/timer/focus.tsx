import { Coffee, Minimize2, PictureInPicture2, Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { formatClock, useFormats } from '../../lib/format.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { usePersonalStatistics } from '../statistics/statistics-queries.ts';
import styles from './focus.module.css';
import { focusMessages } from './focus-messages.ts';
import { Ring, useSecond } from './focus-ring.tsx';
import { hasSmallWindow } from './small-window-support.ts';
import { setPlanned, useElapsed } from './timer-queries.ts';
import type { Timer } from './with-pending.ts';

/** Minutes of study and of the break after it. */
const rhythms = { '25': 5, '50': 10 } as const;
const rounds = 4;

export type FocusProps = {
  /** Absent during a break. */
  timer: Timer | null;
  /** The project last studied, for its colour and to go on after a break. */
  project: { id: number; name: string; color: number };
  onStop: () => void;
  onStart: (planned: number | null) => void;
  onSmall: () => void;
  onLeave: () => void;
};

/** The timer alone, over the whole page. F opens it, Escape leaves, the space bar begins or ends a break. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function Focus({ timer, project, onStop, onStart, onSmall, onLeave }: FocusProps) {
  const t = useTexts(focusMessages);
  const problem = useProblem();
  const { timezone, daily_goal_minutes: goal } = useAccount();
  const formats = useFormats(timezone);
  const elapsed = useElapsed();
  const { data: statistics } = usePersonalStatistics();
  const [plan, setPlan] = useState<number | null>(timer?.planned_minutes ?? null);
  const [round, setRound] = useState(1);
  const [pause, setPause] = useState<{ until: number; minutes: number }>();
  const frame = useRef<HTMLDialogElement>(null);
  const planned = timer?.planned_minutes ?? null;
  const change = useAction(async (minutes: number | null) => {
    setPlan(minutes);
    if (timer !== null) await setPlanned(timer, minutes);
  });

  useEffect(() => {
    const opener = document.activeElement;
    frame.current?.showModal();
    frame.current?.focus(); // not its first button, which the space bar would press
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const now = useSecond(timer === null);

  const today = (statistics?.today_hours ?? 0) * 3600 + elapsed;
  const untilGoal = goal === null ? undefined : Math.ceil((goal * 60 - today + elapsed) / 60);
  const isDone = planned !== null && elapsed >= planned * 60;
  const shown =
    timer === null
      ? Math.max(0, ((pause?.until ?? now) - now) / 1000)
      : planned === null
        ? elapsed
        : Math.abs(planned * 60 - elapsed);
  const share =
    timer === null
      ? 1 - shown / ((pause?.minutes ?? 5) * 60)
      : Math.min(1, elapsed / (planned === null ? 3600 : planned * 60)) || 0;
  const end = timer !== null && planned !== null ? Date.parse(timer.started_at) + planned * 60_000 : undefined;

  function breakOrGoOn(): void {
    if (timer === null) {
      setPause(undefined);
      setRound(round < rounds ? round + 1 : 1);
      onStart(plan);
      return;
    }
    const minutes = rhythms[`${plan}` as keyof typeof rhythms] ?? 5;
    setPause({ until: Date.parse(outbox.now()) + minutes * 60_000, minutes });
    onStop();
  }
  const choices: [minutes: number | null, text: string][] = [
    [null, t('open_end')],
    [25, '25 + 5'],
    [50, '50 + 10'],
    ...(untilGoal !== undefined && untilGoal > 0 && untilGoal <= 1440
      ? ([[untilGoal, t('until_done')]] as [number, string][])
      : []),
  ];
  const isChosen = (minutes: number | null, index: number) =>
    index < 3 ? plan === minutes : plan !== null && plan !== 25 && plan !== 50;
  return (
    <dialog
      ref={frame}
      tabIndex={-1}
      className={styles.focus}
      data-hue={project.color}
      aria-label={t('focus')}
      onCancel={(event) => {
        event.preventDefault();
        onLeave();
      }}
      onKeyDown={(event) => {
        const isControl = event.target instanceof HTMLButtonElement;
        if (event.key !== ' ' || isControl) return;
        event.preventDefault();
        breakOrGoOn();
      }}
    >
      <div className={styles.top}>
        <fieldset className={styles.modes}>
          <legend className="visually-hidden">{t('plan')}</legend>
          {choices.map(([minutes, text], index) => (
            <button
              key={text}
              type="button"
              aria-pressed={isChosen(minutes, index)}
              onClick={() => void change.run(minutes)}
            >
              {text}
            </button>
          ))}
        </fieldset>
        <div className={styles.tools}>
          {hasSmallWindow && timer !== null && (
            <Button aria-label={t('small_window')} icon={<PictureInPicture2 size={18} />} onPress={onSmall} />
          )}
          <Button aria-label={t('leave')} icon={<Minimize2 size={18} />} onPress={onLeave} />
        </div>
      </div>
      <div className={styles.middle}>
        <Ring share={share} />
        <div className={styles.words}>
          <h2>{timer === null ? t('break') : project.name}</h2>
          <p role="timer" className={styles.clock}>
            {isDone && '+'}
            {shown >= 3600 ? formatClock(shown) : formatClock(shown).replace(/^0:/, '')}
          </p>
          {timer !== null && timer.note !== '' && <p className={styles.note}>{timer.note}</p>}
          <p className={styles.rounds}>
            {plan !== null && (
              <span aria-hidden="true">
                {Array.from({ length: rounds }, (_, index) => index + 1).map((number) => (
                  <i key={number} data-state={number < round ? 'done' : number === round ? 'now' : undefined} />
                ))}
              </span>
            )}
            {plan !== null && t('round', { round, rounds })}
            {end !== undefined && !isDone && ` · ${t('break_at', { time: formats.time(new Date(end).toISOString()) })}`}
          </p>
          <p role="status">{isDone ? t('reached') : timer === null && shown === 0 ? t('break_over') : ''}</p>
          {change.error !== undefined && <p role="alert">{problem(change.error)}</p>}
        </div>
      </div>
      <div className={styles.bottom}>
        <p className={styles.note}>
          {goal === null
            ? t('today', { done: formats.duration(today) })
            : t('today_of', { done: formats.duration(today), goal: formats.duration(goal * 60) })}
        </p>
        <div className={styles.tools}>
          <Button icon={timer === null ? <Play size={16} /> : <Coffee size={18} />} onPress={breakOrGoOn}>
            {t(timer === null ? 'go_on' : 'break_now')}
          </Button>
          <span className={cx(styles.strong)}>
            <Button
              icon={<Square size={14} fill="currentColor" />}
              onPress={() => {
                if (timer !== null) onStop();
                onLeave();
              }}
            >
              {t('stop')}
            </Button>
          </span>
        </div>
      </div>
    </dialog>
  );
}
