import { PencilLine, Play, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
import { useCombobox } from '../../ui/combobox.tsx';
import { rank } from '../palette/match.ts';
import { timerMessages } from './messages.ts';
import { type Choice, useChoices } from './project-choice.tsx';
import styles from './what-field.module.css';

type Props = {
  value: string;
  onChange: (text: string) => void;
  /** Starts the chosen project. */
  onChoose: (choice: Choice) => void;
  /** The name of the selected project. */
  project: string | undefined;
  /** Starts it, with the text as note. */
  onStart: () => void;
};

/** One field for the note and for finding a project: arrow keys select a match, Enter starts it. */
export function WhatField({ value, project, onChange, onChoose, onStart }: Props) {
  const t = useTexts(timerMessages);
  const [, navigate] = useLocation();
  const id = useId();
  const { recent, others } = useChoices(value);
  const text = value.trim();
  const choices = [...recent, ...others];
  /** A project whose name begins with the text is selected at once. */
  const [best] = choices;
  const isObvious = text !== '' && best !== undefined && rank(text, [best.project.name]) === 0;
  const combobox = useCombobox({
    label: t('note_placeholder'),
    count: choices.length + (text === '' ? 0 : 2), // then the text as a note, and a new project
    preferred: isObvious ? 0 : undefined,
    onChoose: choose,
  });

  function type(next: string): void {
    onChange(next);
    combobox.reset();
    combobox.open();
  }
  function choose(index: number): void {
    const choice = choices[index];
    combobox.close();
    if (index === choices.length) onStart();
    else if (choice === undefined) navigate(`${href('newProject')}?name=${encodeURIComponent(text)}`);
    else onChoose(choice);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || combobox.onKey(event) || event.key !== 'Enter') return;
    event.preventDefault();
    onStart();
  }

  const projectOf = ({ project, note }: Choice, index: number) =>
    combobox.option(
      index,
      <>
        <span className="tab-tall" data-hue={project.color} />
        <span className={styles.name}>{project.name}</span>
        <small>{note}</small>
        {index === combobox.active && <small className={styles.hint}>{t('enter_starts')}</small>}
      </>,
    );

  return (
    <div className={styles.what}>
      <PencilLine size={16} />
      <input
        {...combobox.inputProps}
        aria-label={t('note_placeholder')}
        placeholder={t('note_placeholder')}
        maxLength={500}
        value={value}
        onChange={(event) => type(event.target.value)}
        onBlur={combobox.close}
        onKeyDown={onKeyDown}
      />
      {combobox.list(
        styles.list,
        <>
          <Group id={`${id}-recent`} label={t('recent')}>
            {recent.map(projectOf)}
          </Group>
          <Group id={`${id}-all`} label={t('all_projects')}>
            {others.map((choice, index) => projectOf(choice, recent.length + index))}
          </Group>
          {text !== '' && (
            <>
              {project !== undefined &&
                combobox.option(
                  choices.length,
                  <>
                    <Play size={14} />
                    {t('start_with_note', { project })}
                  </>,
                )}
              {combobox.option(
                choices.length + 1,
                <>
                  <Plus size={16} />
                  {t('new_project', { name: text })}
                </>,
              )}
            </>
          )}
        </>,
      )}
    </div>
  );
}

function Group({ id, label, children }: { id: string; label: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.section}>
        {label}
      </div>
      {children}
    </div>
  );
}
