import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useMarks } from '../../../lib/marks.ts';
import { useOwnFormats } from '../../../lib/own-formats.ts';
import { useTexts } from '../../../lib/texts.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Form, SaveButtons } from '../../../ui/form.tsx';
import { Problem } from '../../../ui/notice.tsx';
import { etagOf, type Note, saveNote } from './note-queries.ts';
import styles from './student.module.css';
import { studentMessages } from './student-messages.ts';

type Props = { user: number; note: Note };

/** What teachers write for each other about a student, and who wrote it last: shown, and changed in its place. */
export function StudentNote({ user, note }: Props) {
  const t = useTexts(studentMessages);
  const marks = useMarks();
  const formats = useOwnFormats();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button look="soft" isSmall icon={<Pencil size={14} />} aria-expanded={isOpen} onPress={() => setOpen(true)}>
        {t('note')}
      </Button>
      {(isOpen || note !== null) && (
        <section className={styles.note} aria-label={t('note')}>
          {note?.text}
          {note !== null && (
            <small className="note">
              {marks.facts([note.updated_by?.display_name, formats.dateTime(note.updated_at)])}
            </small>
          )}
          {isOpen && <NoteForm user={user} note={note} onClose={close} />}
        </section>
      )}
    </>
  );
}

function NoteForm({ user, note, onClose }: Props & { onClose: () => void }) {
  const t = useTexts(studentMessages);
  const [text, setText] = useState(note?.text ?? '');
  const [seen] = useState(etagOf(note)); // what is written meanwhile is not overwritten unseen
  const { run, isRunning, error } = useAction(async (base: string) => {
    await saveNote(user, text.trim(), base);
    onClose();
  });
  return (
    // After a refusal the current note is shown above the form, and saving again replaces it.
    <Form className="stack-12" onSave={() => run(error === undefined ? seen : etagOf(note))}>
      <Problem error={error} />
      <Field label={t('note')} value={text} onChange={setText} maxLength={2000} rows={4} autoFocus />
      <div className="buttons">
        <SaveButtons isPending={isRunning} onCancel={onClose} />
      </div>
    </Form>
  );
}
