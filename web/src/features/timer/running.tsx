import { ChevronDown, Ellipsis, Maximize2, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useDraft } from '../../lib/draft.ts';
import { markIcon } from '../../lib/favicon.ts';
import { formatClock } from '../../lib/format.ts';
import { optional } from '../../lib/loadable.tsx';
import { useMarks } from '../../lib/marks.ts';
import { useProblem } from '../../lib/problem.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { timerMessages } from './messages.ts';
import { lastEndOf, useChoices } from './project-choice.tsx';
import { hasSmallWindow } from './small-window-support.ts';
import { StartTime } from './start-time.tsx';
import styles from './timer.module.css';
import { discardTimer, resumeTimer, saveNote, setProject, setStart, useElapsed } from './timer-queries.ts';
import type { Timer } from './with-pending.ts';

const StillStudying = optional(() => import('./still-studying.tsx'));
/** Shorter timers are not asked about. */
const longSeconds = 2 * 3600;

type Props = {
  timer: Timer;
  isStopping: boolean;
  onStop: (note: string, endedAt?: string) => void;
  onFocus: () => void;
  onSmall: () => void;
};

/** The running timer: everything about it can be changed. */
export function Running({ timer, isStopping, onStop, onFocus, onSmall }: Props) {
  const t = useTexts(timerMessages);
  const marks = useMarks();
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
  const lastEnd = lastEndOf(latest);

  /** Each press counts, even while the previous request is pending. */
  function change(work: Promise<unknown>): void {
    setFailure(undefined);
    work.catch(setFailure);
  }
  const move = (start: string) => change(setStart(timer, start));
  function stop(endedAt?: string): void {
    draft.clear();
    onStop(note, endedAt);
  }
  async function discard(): Promise<void> {
    await discardTimer(timer);
    draft.clear();
    const undo = () => void resumeTimer({ ...timer, note }).catch((error) => toast({ text: problem(error) }));
    toast({ text: t('discarded'), action: { text: t('undo'), run: undo } });
  }
  const earlier = () => move(new Date(Date.parse(timer.started_at) - 15 * 60_000).toISOString());
  useShortcuts({
    [shortcuts.earlier]: earlier,
    [shortcuts.focus]: onFocus,
    ...(!isStopping && { [shortcuts.timer]: () => stop() }),
  });
  const { planned_minutes: planned } = timer;
  const isPlanOver = planned != null && elapsed >= planned * 60;
  useEffect(() => {
    if (isPlanOver) toast({ text: t('planned_reached', { project: timer.project_name }) });
  }, [isPlanOver, timer.project_name, t]);
  const error = failure ?? save.error;
  return (
    <>
      <Elapsed project={timer.project_name} seconds={elapsed} />
      <div className={styles.short}>
        <span>
          <strong>{timer.project_name}</strong>
          <small>{note}</small>
        </span>
      </div>
      <div className={styles.more}>
        <Menu
          label={t('project')}
          entries={projects.map(({ id, name, color }) => ({
            ...{ id: `${id}`, text: name },
            icon: <span className={styles.tab} data-hue={color} />,
          }))}
          chosen={`${timer.project_id}`}
          onAction={(id) => {
            const project = projects.find((known) => `${known.id}` === id);
            if (project !== undefined && project.id !== timer.project_id) change(setProject(timer, project));
          }}
          trigger={{
            look: 'quiet',
            'aria-label': `${t('project')}${marks.colon}${timer.project_name}`,
            children: (
              <>
                <span className={styles.name}>{timer.project_name}</span>
                <ChevronDown size={16} aria-hidden="true" />
              </>
            ),
          }}
        />
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
        <StartTime timer={timer} lastEnd={lastEnd} onMove={move} />
        <Button
          look="quiet"
          aria-label={t('focus')}
          icon={<Maximize2 size={18} strokeWidth={1.75} aria-hidden="true" />}
          onPress={onFocus}
        />
        <Menu
          label={t('more')}
          entries={[
            { id: 'focus', text: t('focus') },
            ...(hasSmallWindow ? [{ id: 'small', text: t('small_window') }] : []),
            { id: 'discard', text: t('discard') },
          ]}
          onAction={(id) => (id === 'focus' ? onFocus() : id === 'small' ? onSmall() : change(discard()))}
          trigger={{ look: 'quiet', 'aria-label': t('more'), icon: <Ellipsis size={18} aria-hidden="true" /> }}
        />
      </div>
      <Button
        look="stop"
        icon={<Square size={14} fill="currentColor" aria-hidden="true" />}
        isPending={isStopping}
        onPress={() => stop()}
      >
        <span className={styles.verb}>{t('stop')}</span>
      </Button>
      {elapsed > longSeconds && (
        <StillStudying
          timer={timer}
          minSeconds={longSeconds}
          latest={latest}
          onEnd={(endedAt) => stop(endedAt)}
          onDiscard={() => change(discard())}
        />
      )}
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
    </>
  );
}

/** The clock, also shown in the tab's title, with a dot on its icon. Not a live region, which would be read every second. */
function Elapsed({ project, seconds }: { project: string; seconds: number }) {
  const clock = formatClock(seconds);
  const minutes = clock.replace(/:\d\d$/, '');
  const dot = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const plain = document.title.replace(/^\d+:\d\d · /, '');
    document.title = `${minutes} · ${plain}`;
    return () => {
      document.title = document.title.replace(/^\d+:\d\d · /, '');
    };
  }, [minutes]);
  useEffect(() => {
    if (dot.current !== null) markIcon(getComputedStyle(dot.current).backgroundColor);
    return () => markIcon(undefined);
  }, []);
  return (
    <>
      <span ref={dot} className={styles.live} />
      <span role="timer" aria-label={project} className={styles.clock}>
        {clock}
      </span>
    </>
  );
}
