import { TimerOff } from 'lucide-react';
import { useEffect } from 'react';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { timerMessages } from './messages.ts';
import { question } from './preset.ts';
import styles from './stopped.module.css';
import { discardTimer, type StoppedTimer } from './timer-queries.ts';
import { answerTime, useAsked } from './unanswered.ts';

type Props = { record: StoppedTimer; isSaving: boolean; onKeep: () => void; onGone: () => void };

/** Stopped within a minute: it counts nowhere unless it is kept, and is discarded without an answer. */
export function ShortTimer({ record, isSaving, onKeep, onGone }: Props) {
  const t = useTexts(timerMessages);
  const problem = useProblem();
  const formats = useOwnFormats();
  const answer = useAsked(record);
  const { run, isRunning, error } = useAction(async () => {
    await discardTimer(record);
    answer();
    onGone();
  });
  useEffect(() => {
    question.set(true);
    return () => question.set(false);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has been saved
  useEffect(() => {
    if (isSaving) return undefined;
    const timer = setTimeout(() => void run(), answerTime);
    return () => clearTimeout(timer);
  }, [isSaving]);
  return (
    <>
      <TimerOff size={18} className="muted" />
      <div className={styles.said}>
        <p role="status">{t('short', { count: record.duration_seconds, project: record.project_name })}</p>
        <p>{t('short_about', { time: formats.time(record.started_at) })}</p>
      </div>
      <div className={styles.answers}>
        <Button look="primary" isPending={isRunning || isSaving} onPress={() => void run()}>
          {t('discard_record')}
        </Button>
        <Button
          onPress={() => {
            answer();
            onKeep();
          }}
        >
          {t('keep')}
        </Button>
      </div>
      {error === undefined ? (
        <span key={`${isSaving}`} className={styles.drain} aria-hidden="true" />
      ) : (
        <Notice kind="error">{problem(error)}</Notice>
      )}
    </>
  );
}
