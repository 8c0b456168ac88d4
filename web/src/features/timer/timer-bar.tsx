import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { useDraft } from '../../lib/draft.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Notice } from '../../ui/notice.tsx';
import { Idle } from './idle.tsx';
import { timerMessages } from './messages.ts';
import { Running } from './running.tsx';
import { Stopped } from './stopped.tsx';
import styles from './timer.module.css';
import { type StoppedTimer, startTimer, stopTimer, useTimer } from './timer-queries.ts';
import type { Timer } from './with-pending.ts';

/** The timer, shown on every page for students. */
export function TimerBar() {
  const t = useTexts(timerMessages);
  const problem = useProblem();
  const { data: timer } = useTimer();
  const stopped = useDraft<{ record?: StoppedTimer; note: string }>('timer.stopped', () => ({ note: '' }));
  const [hasStopped, setStopped] = useState(false);
  const start = useAction((...given: Parameters<typeof startTimer>) => {
    stopped.reset();
    return startTimer(...given);
  });
  const stop = useAction(async (running: Timer, note: string) => {
    const record = await stopTimer(running, note);
    stopped.set({ record, note: record.note });
    setStopped(true);
  });
  if (timer === undefined) return null;
  const error = start.error ?? stop.error;
  const { record } = stopped.value;
  return (
    <section aria-label={t('timer')} className={cx(styles.bar, timer !== null && styles.running, 'no-print')}>
      <p role="status" className="visually-hidden">
        {timer !== null && t('running', { project: timer.project_name })}
      </p>
      <div className={styles.inner}>
        {timer === null ? (
          <Idle
            recent={record?.project_id}
            isStarting={start.isRunning}
            onStart={(...given) => void start.run(...given)}
          />
        ) : (
          <Running
            key={outbox.nameOf(timer)}
            timer={timer}
            isStopping={stop.isRunning}
            onStop={(note) => void stop.run(timer, note)}
          />
        )}
        {timer === null && record !== undefined && (
          <Stopped
            key={record.started_at}
            record={record}
            note={stopped.value.note}
            isNew={hasStopped}
            onChange={(note) => stopped.set({ note })}
          />
        )}
        {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
      </div>
    </section>
  );
}
