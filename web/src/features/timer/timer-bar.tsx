import { ChevronDown, ChevronUp } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useDraft } from '../../lib/draft.ts';
import { optional } from '../../lib/loadable.tsx';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useMedia } from '../../lib/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useColors } from '../projects/project-colors.ts';
import { Idle } from './idle.tsx';
import { timerMessages } from './messages.ts';
import { Running } from './running.tsx';
import { openSmallWindow } from './small-window-support.ts';
import { Stopped } from './stopped.tsx';
import styles from './timer.module.css';
import { type StoppedTimer, setPlanned, startTimer, stopTimer, useTimer } from './timer-queries.ts';
import { useUnanswered } from './unanswered.ts';
import type { Timer } from './with-pending.ts';

export const Focus = optional(() => import('./focus.tsx'));
const SmallWindow = optional(() => import('./small-window.tsx'));

/** The timer, shown on every page for students: idle, running, or just stopped. */
export function TimerBar() {
  const t = useTexts(timerMessages);
  const { data: timer } = useTimer();
  useUnanswered();
  const stopped = useDraft<{ record?: StoppedTimer; note: string }>('timer.stopped', () => ({ note: '' }));
  const [recent, setRecent] = useState<number>();
  const [hasStopped, setStopped] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [small, setSmall] = useState<Window>();
  const start = useAction(startTimer);
  const reset = stopped.reset;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reset` uses refs only
  const forget = useCallback(() => reset(), []);
  const shownStart = useRef<string>(undefined);
  shownStart.current = stopped.value.record?.started_at;
  const stop = useAction(async (running: Timer, note: string, endedAt?: string) => {
    const { record, saved } = stopTimer(running, note, endedAt);
    stopped.set({ record, note });
    setRecent(record.project_id);
    setStopped(true);
    const final = await saved.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (final !== undefined && shownStart.current === record.started_at) stopped.set({ record: final });
  });
  const { record } = stopped.value;
  // Another timer was started, here or elsewhere.
  const isOver =
    timer != null && record !== undefined && Date.parse(timer.started_at) !== Date.parse(record.started_at);
  useEffect(() => {
    if (isOver) forget();
  }, [isOver, forget]);
  const shown = timer ?? record;
  const colorOf = useColors(shown === undefined ? [] : [shown.project_id]);
  const resume = useAction(async (planned: number | null) => {
    if (shown === undefined) return;
    const started = await startTimer({ id: shown.project_id, name: shown.project_name }, { note: shown.note });
    if (started !== undefined && planned !== null) await setPlanned(started, planned);
  });
  const isRunning = timer != null;
  useEffect(() => {
    if (!isRunning) small?.close();
  }, [isRunning, small]);
  const isPhone = useMedia('(width <= 46rem)');
  const isSheet = isPhone && isOpen && (timer != null || record === undefined);
  // The bar has its place before anything is known.
  if (timer === undefined)
    return (
      <div className={cx(styles.top, 'no-print')}>
        <section aria-label={t('timer')} className={styles.bar} />
      </div>
    );
  async function openSmall(): Promise<void> {
    const opened = await openSmallWindow().catch(() => undefined); // refused by the browser
    setSmall(opened);
    opened?.addEventListener('pagehide', () => setSmall(undefined));
  }
  const error = start.error ?? stop.error ?? resume.error;
  const project = shown && { id: shown.project_id, name: shown.project_name, color: colorOf(shown.project_id) };
  return (
    <div className={cx(styles.top, 'no-print')}>
      {isSheet && <div className={styles.scrim} onPointerDown={() => setOpen(false)} />}
      <section
        aria-label={t('timer')}
        className={cx(
          styles.bar,
          timer !== null && styles.running,
          timer === null && record && styles.stopped,
          isSheet && styles.sheet,
        )}
        data-hue={project?.color}
        onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
      >
        <p role="status" className="visually-hidden">
          {timer !== null && t('running', { project: timer.project_name })}
        </p>
        {(timer !== null || record === undefined) && (
          <div className={styles.expand}>
            <Button
              look="quiet"
              aria-expanded={isOpen}
              aria-label={t(isOpen ? 'hide' : 'show')}
              icon={isOpen ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
              onPress={() => setOpen(!isOpen)}
            />
          </div>
        )}
        {timer !== null ? (
          <Running
            key={outbox.nameOf(timer)}
            isSheet={isSheet}
            timer={timer}
            isStopping={stop.isRunning}
            onStop={(note, endedAt) => void stop.run(timer, note, endedAt)}
            onFocus={() => setFocused(true)}
            onSmall={() => void openSmall()}
          />
        ) : record === undefined ? (
          <Idle
            isSheet={isSheet}
            recent={recent}
            isStarting={start.isRunning}
            onStart={(...given) => {
              setOpen(false);
              void start.run(...given);
            }}
          />
        ) : (
          <Stopped
            key={record.started_at}
            record={record}
            note={stopped.value.note}
            isNew={hasStopped}
            onChange={(note) => stopped.set({ note })}
            isSaving={stop.isRunning}
            onGone={forget}
            onStart={(next) => void start.run(next)}
          />
        )}
        <Problem error={error} />
      </section>
      {project !== undefined && (
        <>
          {isFocused && (
            <Focus
              timer={timer}
              project={project}
              onStop={() => timer !== null && void stop.run(timer, timer.note)}
              onStart={(planned) => void resume.run(planned)}
              onSmall={() => {
                setFocused(false);
                void openSmall();
              }}
              onLeave={() => setFocused(false)}
            />
          )}
          {small !== undefined && timer !== null && (
            <SmallWindow target={small} project={project} onStop={() => void stop.run(timer, timer.note)} />
          )}
        </>
      )}
    </div>
  );
}
