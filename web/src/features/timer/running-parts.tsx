import { ChevronDown, Ellipsis, Maximize2, PictureInPicture2, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { markIcon } from '../../lib/favicon.ts';
import { formatClock } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { timerMessages } from './messages.ts';
import { hasSmallWindow } from './small-window-support.ts';
import styles from './timer.module.css';
import timerParts from './timer-parts.module.css';
import type { RunningState } from './use-running.ts';

type Props = { running: RunningState };

/** The project of the running timer, which can be changed. */
export function ProjectMenu({ running: { timer, projects, setProject } }: Props) {
  const t = useTexts(timerMessages);
  const marks = useMarks();
  return (
    <Menu
      label={t('project')}
      entries={projects.map(({ id, name, color }) => ({
        id: `${id}`,
        text: name,
        icon: <span className="tab-tall" data-hue={color} />,
      }))}
      chosen={`${timer.project_id}`}
      onAction={setProject}
      trigger={{
        look: 'quiet',
        'aria-label': `${t('project')}${marks.colon}${timer.project_name}`,
        children: (
          <>
            <span className={timerParts.name}>{timer.project_name}</span>
            <ChevronDown size={16} />
          </>
        ),
      }}
    />
  );
}

export function NoteField({ running: { draft, saveNote } }: Props) {
  const t = useTexts(timerMessages);
  return (
    <div className={styles.note}>
      <Field
        aria-label={t('note')}
        placeholder={t('note_placeholder')}
        value={draft.value.note}
        onChange={(note) => draft.set({ note })}
        maxLength={500}
        onBlur={saveNote}
      />
    </div>
  );
}

/** Focus mode, and a menu of what is needed rarely. */
export function RunningTools({ running: { onFocus, onSmall, discard } }: Props) {
  const t = useTexts(timerMessages);
  return (
    <>
      <Button
        look="quiet"
        aria-label={t('focus')}
        icon={<Maximize2 size={18} strokeWidth={1.75} />}
        onPress={onFocus}
      />
      <Menu
        label={t('more')}
        entries={[
          { id: 'focus', text: t('focus'), icon: <Maximize2 size={16} /> },
          ...(hasSmallWindow ? [{ id: 'small', text: t('small_window'), icon: <PictureInPicture2 size={16} /> }] : []),
          { id: 'discard', text: t('discard'), icon: <Trash2 size={16} /> },
        ]}
        onAction={(id) => (id === 'focus' ? onFocus() : id === 'small' ? onSmall() : discard())}
        trigger={{ look: 'quiet', 'aria-label': t('more'), icon: <Ellipsis size={18} /> }}
      />
    </>
  );
}

/** The clock, also shown in the tab's title, with a dot on its icon. Not a live region, which would be read every second. */
export function Elapsed({ project, seconds }: { project: string; seconds: number }) {
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
      <span ref={dot} className={timerParts.live} />
      <span role="timer" aria-label={project} className={timerParts.clock}>
        {clock}
      </span>
    </>
  );
}
