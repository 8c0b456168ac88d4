import { Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useDraft } from '../../lib/draft.ts';
import { formatClock, useFormats } from '../../lib/format.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Earlier } from './earlier.tsx';
import { timerMessages } from './messages.ts';
import styles from './timer.module.css';
import { moveStart, saveNote, useElapsed } from './timer-queries.ts';
import type { Timer } from './with-pending.ts';

type Props = { timer: Timer; isStopping: boolean; onStop: (note: string) => void };

export function Running({ timer, isStopping, onStop }: Props) {
  const t = useTexts(timerMessages);
  const problem = useProblem();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const draft = useDraft(`timer.note.${timer.project_id}`, () => ({ note: timer.note }));
  const note = draft.value.note.trim();
  const save = useAction(async () => {
    await saveNote(timer, note);
    draft.clear();
  });
  const [moved, setMoved] = useState<unknown>();
  // Each press counts, even while the previous request is pending.
  function move(minutes: number): void {
    setMoved(undefined);
    moveStart(timer, minutes).catch(setMoved);
  }
  function stop(): void {
    draft.clear();
    onStop(note);
  }
  useShortcuts({ [shortcuts.earlier]: () => move(15), ...(!isStopping && { [shortcuts.timer]: stop }) });
  const error = moved ?? save.error;
  return (
    <>
      <Elapsed project={timer.project_name} />
      <div className={styles.what}>
        <strong>{timer.project_name}</strong>
        <span>{t('since', { time: formats.time(timer.started_at) })}</span>
      </div>
      <div className={styles.note}>
        <Field
          aria-label={t('note')}
          placeholder={t('note_placeholder')}
          value={draft.value.note}
          onChange={(text) => draft.set({ note: text })}
          maxLength={500}
          onBlur={() => note !== timer.note && void save.run()}
        />
      </div>
      <Earlier onPress={move} />
      <Button look="primary" icon={<Square size={14} fill="currentColor" />} isPending={isStopping} onPress={stop}>
        {t('stop')}
      </Button>
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
    </>
  );
}

/** The clock, also shown in the tab title. Not a live region, which would be announced every second. */
function Elapsed({ project }: { project: string }) {
  const clock = formatClock(useElapsed());
  const minutes = clock.replace(/:\d\d$/, '');
  useEffect(() => {
    const plain = document.title.replace(/^\d+:\d\d · /, '');
    document.title = `${minutes} · ${plain}`;
    return () => {
      document.title = document.title.replace(/^\d+:\d\d · /, '');
    };
  }, [minutes]);
  return (
    <span role="timer" aria-label={project} className={styles.clock}>
      {clock}
    </span>
  );
}
