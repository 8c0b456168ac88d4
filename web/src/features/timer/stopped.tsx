import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { timerMessages } from './messages.ts';
import styles from './timer.module.css';
import { type StoppedTimer, saveNote } from './timer-queries.ts';

type Props = {
  record: StoppedTimer;
  note: string;
  /** Just stopped: the note gets the focus. */
  isNew: boolean;
  onChange: (note: string) => void;
};

/** The stopped timer's record with a field for its note. */
export function Stopped({ record, note, isNew, onChange }: Props) {
  const t = useTexts(timerMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const formats = useFormats('UTC');
  const [saved, setSaved] = useState(record.note);
  const { run, isDone, error } = useAction(async () => {
    await saveNote(record, note.trim());
    setSaved(note.trim());
  });

  function save(): void {
    if (note.trim() !== saved) void run();
  }

  return (
    <>
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
      <p role="status" className={styles.message}>
        {t('stopped', { duration: formats.duration(record.duration_seconds), project: record.project_name })}{' '}
        {isDone && note.trim() === saved && common('saved')}
      </p>
      {error !== undefined && <Notice kind="error">{problem(error)}</Notice>}
    </>
  );
}
