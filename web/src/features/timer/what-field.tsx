import { PencilLine, Play, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { cx } from '../../lib/cx.ts';
import { useTexts } from '../../lib/texts.ts';
import { href } from '../../routes.ts';
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
  const [isOpen, setOpen] = useState(false);
  const [moved, setMoved] = useState<number>();
  const text = value.trim();
  const choices = [...recent, ...others];
  const isShown = isOpen && (choices.length > 0 || text !== '');
  const count = choices.length + (text === '' ? 0 : 2); // then the text as a note, and a new project
  /** A project whose name begins with the text is selected at once. */
  const [best] = choices;
  const isObvious = text !== '' && best !== undefined && rank(text, [best.project.name]) === 0;
  const active = moved ?? (isObvious ? 0 : undefined);

  function type(next: string): void {
    onChange(next);
    setMoved(undefined);
    setOpen(true);
  }
  function choose(index: number): void {
    const choice = choices[index];
    setOpen(false);
    if (index === choices.length) onStart();
    else if (choice === undefined) navigate(`${href('newProject')}?name=${encodeURIComponent(text)}`);
    else onChoose(choice);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.nativeEvent.isComposing) return;
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setMoved(count === 0 ? undefined : ((active ?? (step > 0 ? -1 : 0)) + step + count) % count);
    } else if (event.key === 'Escape') setOpen(false);
    else if (event.key === 'Enter') {
      event.preventDefault();
      if (isShown && active !== undefined) choose(active);
      else onStart();
    }
  }

  const option = (index: number, content: ReactNode) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keyboard
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      key={index}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === active}
      className={cx(styles.option, index === active && styles.active)}
      onPointerDown={(event) => event.preventDefault()} // keeps the focus in the field
      onClick={() => choose(index)}
    >
      {content}
    </div>
  );
  const projectOf = ({ project, note }: Choice, index: number) =>
    option(
      index,
      <>
        <span className={styles.tab} data-hue={project.color} />
        <span className={styles.name}>{project.name}</span>
        <small>{note}</small>
        {index === active && <small className={styles.hint}>{t('enter_starts')}</small>}
      </>,
    );

  return (
    <div className={styles.what}>
      <PencilLine size={16} aria-hidden="true" />
      <input
        role="combobox"
        aria-label={t('note_placeholder')}
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-activedescendant={isShown && active !== undefined ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={t('note_placeholder')}
        maxLength={500}
        value={value}
        onChange={(event) => type(event.target.value)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <div className={styles.list} id={`${id}-list`} role="listbox" aria-label={t('note_placeholder')}>
          <Group id={`${id}-recent`} label={t('recent')}>
            {recent.map(projectOf)}
          </Group>
          <Group id={`${id}-all`} label={t('all_projects')}>
            {others.map((choice, index) => projectOf(choice, recent.length + index))}
          </Group>
          {text !== '' && (
            <>
              {project !== undefined &&
                option(
                  choices.length,
                  <>
                    <Play size={14} aria-hidden="true" />
                    {t('start_with_note', { project })}
                  </>,
                )}
              {option(
                choices.length + 1,
                <>
                  <Plus size={16} aria-hidden="true" />
                  {t('new_project', { name: text })}
                </>,
              )}
            </>
          )}
        </div>
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
