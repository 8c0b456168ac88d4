import { useEffect, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { commonMessages } from '../../lib/messages.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { ViewSwitch } from '../../ui/view-switch.tsx';
import { DatesField } from './dates-field.tsx';
import { ForSelect, useClassOr } from './for-select.tsx';
import { schoolYearMessages } from './messages.ts';
import styles from './school-year.module.css';
import {
  type Draft,
  deleteEntry,
  type Entry,
  type EntryFields,
  knownEffect,
  newKey,
  type SavedDays,
  saveEntry,
} from './school-year-queries.ts';
import { lengthOf, schoolDaysIn, useSchoolWeekdays } from './year.ts';

type Props = {
  entry: Partial<Entry>;
  onClose: () => void;
  /** The days in the form, and undefined when it closes. */
  onDraft: (draft: Draft | undefined) => void;
  onSaved: (saved: SavedDays) => void;
};

/** Adds, changes or deletes days off or make-up days. */
export function EntryForm({ entry, onClose, onDraft, onSaved }: Props) {
  const t = useTexts(schoolYearMessages);
  const common = useTexts(commonMessages);
  const { id, name = '', from = '', to = '', kind = 'off', group_id = null } = entry;
  const [fields, setFields] = useState<EntryFields>({ name, from, to, kind, group_id });
  const [key, setKey] = useState(newKey);
  const [isTried, setTried] = useState(false);
  const set = (changed: Partial<EntryFields>) => {
    setFields({ ...fields, ...changed });
    setKey(newKey());
  };
  const group = useClassOr(fields.group_id);
  useEffect(() => {
    onDraft({ id, ...fields, group_id: group });
    return () => onDraft(undefined);
  }, [id, fields, group, onDraft]);
  const save = useAction(async () => {
    const saved = { ...fields, group_id: group };
    const effect = knownEffect({ id, ...saved });
    await saveEntry(id, saved, key);
    onSaved({ ...saved, at: new Date().toISOString(), effect });
    onClose();
  });
  const remove = useAction(async (known: number) => {
    const deleted = { name, from, to, kind, group_id };
    await deleteEntry(known);
    onSaved({ ...deleted, at: new Date().toISOString(), deleted });
    const undo = () => void saveEntry(undefined, deleted, newKey());
    toast({ text: t('deleted', { name }), undo });
    onClose();
  });
  const isWhole = fields.name.trim() !== '' && fields.from !== '';
  const error = save.error ?? remove.error;
  return (
    <Form
      className={styles.entry}
      onSave={() => {
        setTried(true);
        return isWhole && save.run();
      }}
    >
      <Problem error={error} besides={['name', 'from', 'to']} />
      <div className={styles.fields}>
        <DatesField fields={fields} onChange={set} error={error} isMissing={isTried} />
        <Field
          label={t('name')}
          value={fields.name}
          onChange={(text) => set({ name: text })}
          maxLength={50}
          autoComplete="off"
          error={isTried && fields.name.trim() === '' ? t('name_needed') : fieldProblem(error, 'name')}
        />
      </div>
      <ForSelect group={group} onChange={(group_id) => set({ group_id })} />
      <Length {...fields} />
      <div className="row">
        <ViewSwitch
          label={t('kind')}
          options={[
            ['off', t('kind_off')],
            ['school_day', t('kind_school_day')],
          ]}
          value={fields.kind}
          onChange={(chosen) => set({ kind: chosen })}
        />
        <span className={styles.space} />
        {id !== undefined && (
          <Button look="danger" isPending={remove.isRunning} onPress={() => void remove.run(id)}>
            {t('delete')}
          </Button>
        )}
        <Button look="quiet" onPress={onClose}>
          {common('cancel')}
        </Button>
        <Button type="submit" look="primary" isPending={save.isRunning}>
          {common('save')}
        </Button>
      </div>
    </Form>
  );
}

/** 2 school days, Thu–Fri; of more than a week only how many. */
function Length({ from, to, kind }: EntryFields) {
  const t = useTexts(schoolYearMessages);
  const formats = useFormats('UTC'); // days have no time
  const weekdays = useSchoolWeekdays();
  if (from === '') return null;
  const days = t('school_days', { count: schoolDaysIn({ from, to }, kind, weekdays) });
  const [first = '', last = ''] = [from, to].map(formats.weekdayShort);
  const span = from === to ? first : t('span', { from: first, to: last });
  return <p className="note">{lengthOf({ from, to }) > 7 ? days : t('length', { days, span })}</p>;
}
