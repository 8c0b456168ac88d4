import { CircleCheck, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { timerMessages } from './messages.ts';
import styles from './timer.module.css';
import { discardTimer, resumeTimer, type StoppedTimer, saveNote } from './timer-queries.ts';

/** How long the strip is shown while nothing is done with it. */
const shownMilliseconds = 10_000;

type Props = {
  record: StoppedTimer;
  note: string;
  /** Just stopped: the note gets the focus. */
  isNew: boolean;
  /** The record is being saved. */
  isSaving: boolean;
  onChange: (note: string) => void;
  onGone: () => void;
  /** Starts the timer of the same project again. */
  onStart: () => void;
};

/** What has just been recorded, with its note. Starting the next timer does not change it. */
export function Stopped({ record, note, isNew, isSaving, onChange, onGone, onStart }: Props) {
  const t = useTexts(timerMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const formats = useFormats('UTC');
  const [saved, setSaved] = useState(record.note);
  const { run, isDone, error } = useAction(async () => {
    await saveNote(record, note.trim());
    setSaved(note.trim());
  });
  const remove = useAction(async (isResumed: boolean) => {
    await discardTimer(record);
    if (isResumed) await resumeTimer({ ...record, note: note.trim() });
    onGone();
  });
  const isChanged = note.trim() !== saved;
  const isShort = record.duration_seconds < 60;
  const failure = error ?? remove.error;

  useEffect(() => {
    if (isChanged || failure !== undefined) return undefined;
    const timer = setTimeout(onGone, shownMilliseconds);
    return () => clearTimeout(timer);
  }, [isChanged, failure, onGone]);
  function save(): void {
    if (isChanged) void run();
  }
  useShortcuts({ [shortcuts.timer]: onStart });
  // The strip also disappears when a timer is started elsewhere on the page.
  const unsaved = useRef<string>(undefined);
  unsaved.current = isChanged ? note.trim() : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it disappears
  useEffect(() => () => void (unsaved.current !== undefined && saveNote(record, unsaved.current)), []);

  const { project_name: project } = record;
  const said = isShort
    ? t('short', { project })
    : t('stopped', { duration: formats.duration(record.duration_seconds), project });
  return (
    <>
      <CircleCheck size={18} aria-hidden="true" className={styles.done} />
      <p role="status" className={styles.said}>
        {said} {isDone && !isChanged && common('saved')}
      </p>
      <Form className={styles.note} onSave={save}>
        <Field
          aria-label={t('note')}
          placeholder={t('note_after')}
          value={note}
          onChange={onChange}
          maxLength={500}
          autoFocus={isNew}
          onBlur={save}
        />
      </Form>
      {isShort ? (
        <>
          <Button look="quiet" isPending={remove.isRunning || isSaving} onPress={() => void remove.run(false)}>
            {t('discard_record')}
          </Button>
          <Button onPress={onGone}>{t('keep')}</Button>
        </>
      ) : (
        <>
          <LinkButton look="quiet" href={href('records')}>
            {t('edit')}
          </LinkButton>
          {record.id !== undefined && (
            <Button look="quiet" isPending={remove.isRunning || isSaving} onPress={() => void remove.run(true)}>
              {t('undo')}
            </Button>
          )}
          <Button icon={<Play size={14} fill="currentColor" aria-hidden="true" />} onPress={onGone}>
            {t('start_next')}
          </Button>
        </>
      )}
      {failure !== undefined && <Notice kind="error">{problem(failure)}</Notice>}
    </>
  );
}
