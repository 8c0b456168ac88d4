import type { Ref } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { inboxMessages } from './messages.ts';
import styles from './request-detail.module.css';
import type { useHandling } from './use-handling.ts';

const maxLength = 1000;
type Props = { handling: ReturnType<typeof useHandling>; areaRef: Ref<HTMLTextAreaElement> };

/** A request's note with its save status and conflicts. */
export function NoteField({ handling, areaRef }: Props) {
  const t = useTexts(inboxMessages);
  const { note, theirs, isEdited, isSaving, error, setNote, save, keepMine, takeTheirs } = handling;
  const state = isSaving ? 'saving' : isEdited ? 'unsaved' : note === '' ? undefined : 'saved';
  return (
    <div className={styles.note}>
      <Field
        label={t('note')}
        placeholder={t('note_hint')}
        rows={3}
        value={note}
        maxLength={maxLength}
        areaRef={areaRef}
        onChange={setNote}
        onBlur={() => theirs === undefined && void save()}
      />
      <p role="status" className={styles.saved}>
        {state !== undefined && t(state)}
      </p>
      <Problem error={error} />
      {theirs !== undefined && (
        <Notice kind="error">
          <p>{t('their_note')}</p>
          <blockquote className={styles.text}>{theirs === '' ? t('empty_note') : theirs}</blockquote>
          <div className={styles.buttons}>
            <Button onPress={() => void keepMine()}>{t('keep_mine')}</Button>
            <Button onPress={takeTheirs}>{t('take_theirs')}</Button>
          </div>
        </Notice>
      )}
    </div>
  );
}
