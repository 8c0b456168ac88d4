import { ChevronDown, CornerDownLeft, Play } from 'lucide-react';
import { useDraft } from '../../lib/draft.ts';
import { optional } from '../../lib/loadable.tsx';
import { useMarks } from '../../lib/marks.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Popup } from '../../ui/popup.tsx';
import type { Project } from '../projects/project-queries.ts';
import { timerMessages } from './messages.ts';
import { lastEndOf, useChoices, useChosenProject } from './project-choice.tsx';
import styles from './timer.module.css';
import timerParts from './timer-parts.module.css';
import type { StartOptions } from './timer-queries.ts';
import { WhatField } from './what-field.tsx';

const IdleSheet = optional(() => import('./idle-sheet.tsx'));
const steps = [5, 15, 30] as const;
const maxInMenu = 20;

type Props = {
  /** Opened on a phone: all of it in one column. */
  isSheet: boolean;
  /** The project studied last. */
  recent: number | undefined;
  isStarting: boolean;
  onStart: (project: Pick<Project, 'id' | 'name'>, options: StartOptions) => void;
};

/** What is studied next: a note and a project, started now or in the past. */
export function Idle({ isSheet, recent, isStarting, onStart }: Props) {
  const t = useTexts(timerMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const draft = useDraft('timer.next', () => ({ note: '' }));
  const { note } = draft.value;
  const { project, setChosen } = useChosenProject(recent);
  const { projects, latest } = useChoices('');
  const lastEnd = lastEndOf(latest);

  function start(given: Pick<Project, 'id' | 'name'> | undefined, options: StartOptions = {}): void {
    if (given === undefined || isStarting) return;
    onStart(given, { note: note.trim(), ...options });
    draft.reset();
  }
  const ago = (minutesAgo: number) => start(project, { minutesAgo });
  useShortcuts({ [shortcuts.timer]: () => start(project), [shortcuts.earlier]: () => ago(15) });
  if (projects === undefined) return null; // still loading, or offline
  if (isSheet)
    return (
      <IdleSheet
        project={project}
        note={note}
        onNote={(text) => draft.set({ note: text })}
        onChoose={setChosen}
        onStart={start}
        isStarting={isStarting}
      />
    );

  return (
    <>
      <div className={timerParts.more}>
        <WhatField
          value={note}
          project={project?.name}
          onChange={(text) => draft.set({ note: text })}
          onChoose={(choice) => start(choice.project, { note: choice.note })}
          onStart={() => start(project)}
        />
        {project !== undefined && (
          <Menu
            label={t('project')}
            entries={[project, ...projects.filter(({ id }) => id !== project.id)]
              .slice(0, maxInMenu)
              .map(({ id, name, color }) => ({ id: `${id}`, text: name, icon: <Tab color={color} /> }))}
            chosen={`${project.id}`}
            onAction={(id) => setChosen(projects.find((known) => `${known.id}` === id))}
            trigger={{
              look: 'quiet',
              'aria-label': `${t('project')}${marks.colon}${project.name}`,
              icon: <Tab color={project.color} />,
              children: (
                <>
                  <span className={timerParts.name}>{project.name}</span>
                  <ChevronDown size={16} />
                </>
              ),
            }}
          />
        )}
        {project !== undefined && (
          <Popup
            label={t('began')}
            trigger={{
              look: 'quiet',
              children: (
                <>
                  <span className={timerParts.quiet}>{t('now')}</span>
                  <ChevronDown size={16} />
                </>
              ),
            }}
          >
            <div className="buttons">
              {steps.map((minutes) => (
                <Button key={minutes} look="tonal" onPress={() => ago(minutes)}>
                  {t('ago', { count: minutes })}
                </Button>
              ))}
            </div>
            {lastEnd !== undefined && (
              <Button
                look="quiet"
                icon={<CornerDownLeft size={16} />}
                onPress={() => start(project, { startedAt: lastEnd })}
              >
                {t('last_end', { time: formats.time(lastEnd) })}
              </Button>
            )}
          </Popup>
        )}
      </div>
      <div className={timerParts.short} data-hue={project?.color}>
        {project !== undefined && <Tab color={project.color} />}
        <span>
          <strong>{project?.name ?? t('note_placeholder')}</strong>
          <small>{note}</small>
        </span>
      </div>
      {project !== undefined && (
        <Button icon={<Play size={14} fill="currentColor" />} isPending={isStarting} onPress={() => start(project)}>
          <span className={styles.verb}>{t('start')}</span>
        </Button>
      )}
    </>
  );
}

const Tab = ({ color }: { color: number }) => <span className="tab-tall" data-hue={color} />;
