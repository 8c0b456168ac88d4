import { useEffect, useState } from 'react';
import { useDraft } from '../../lib/draft.ts';
import { useProblem } from '../../lib/problem.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { toast } from '../../ui/toast.tsx';
import { timerMessages } from './messages.ts';
import { lastEndOf, useChoices } from './project-choice.tsx';
import { discardTimer, resumeTimer, saveNote, saveTags, setProject, setStart, useElapsed } from './timer-queries.ts';
import type { Timer } from './with-pending.ts';

export type RunningProps = {
  timer: Timer;
  isStopping: boolean;
  onStop: (note: string, endedAt?: string) => void;
  onFocus: () => void;
  onSmall: () => void;
};

/** What can be done with the running timer, wherever it is shown. */
export function useRunning({ timer, isStopping, onStop, onFocus, onSmall }: RunningProps) {
  const t = useTexts(timerMessages);
  const problem = useProblem();
  const draft = useDraft(`timer.note.${timer.started_at}`, () => ({ note: timer.note }));
  const note = draft.value.note.trim();
  const { projects = [], latest } = useChoices('');
  const save = useAction(async () => {
    await saveNote(timer, note);
    draft.clear();
  });
  const [failure, setFailure] = useState<unknown>();
  const elapsed = useElapsed();

  /** Each press counts, even while the previous request is pending. */
  function change(work: Promise<unknown>): void {
    setFailure(undefined);
    work.catch(setFailure);
  }
  function stop(endedAt?: string): void {
    draft.clear();
    onStop(note, endedAt);
  }
  async function discardNow(): Promise<void> {
    await discardTimer(timer);
    draft.clear();
    const undo = () => void resumeTimer({ ...timer, note }).catch((error) => toast({ text: problem(error) }));
    toast({ text: t('discarded'), undo });
  }
  const move = (start: string) => setStart(timer, start);
  useShortcuts({
    [shortcuts.earlier]: () => change(move(new Date(Date.parse(timer.started_at) - 15 * 60_000).toISOString())),
    [shortcuts.focus]: onFocus,
    ...(!isStopping && { [shortcuts.timer]: () => stop() }),
  });
  const { planned_minutes: planned } = timer;
  const isPlanOver = planned != null && elapsed >= planned * 60;
  useEffect(() => {
    if (isPlanOver) toast({ text: t('planned_reached', { project: timer.project_name }) });
  }, [isPlanOver, timer.project_name, t]);
  return {
    timer,
    isStopping,
    elapsed,
    projects,
    latest,
    lastEnd: lastEndOf(latest),
    draft,
    /** A note that has changed is saved when its field is left. */
    saveNote: () => note !== timer.note && void save.run(),
    setProject: (id: string) => {
      const project = projects.find((known) => `${known.id}` === id);
      if (project !== undefined && project.id !== timer.project_id) change(setProject(timer, project));
    },
    setTags: (tags: string[]) => change(saveTags(timer, tags)),
    stop,
    discard: () => change(discardNow()),
    move,
    onFocus,
    onSmall,
    error: failure ?? save.error,
  };
}
export type RunningState = ReturnType<typeof useRunning>;
