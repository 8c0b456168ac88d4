import { useMemo, useState } from 'react';
import { commonMessages } from '../../lib/messages.ts';
import { areFieldErrors, fieldProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { DatesField } from '../school-year/dates-field.tsx';
import { NotSaved } from '../school-year/effect-card.tsx';
import { EffectChanges } from '../school-year/effect-changes.tsx';
import { effectMessages } from '../school-year/effect-messages.ts';
import { newKey } from '../school-year/school-year-queries.ts';
import styles from './days-off.module.css';
import {
  type Dates,
  type DaysOff,
  type DaysOffFields,
  deleteDaysOff,
  saveDaysOff,
  useEffectOfDaysOff,
} from './days-off-queries.ts';
import { daysOffMessages } from './messages.ts';

type Props = {
  /** The student, for administrators. */
  user: number | undefined;
  /** Absent for new ones. */
  entry?: DaysOff;
  onClose: () => void;
};

/** Adds, changes or deletes days off of a person. */
export function DaysOffForm({ user, entry, onClose }: Props) {
  const t = useTexts(daysOffMessages);
  const common = useTexts(commonMessages);
  const { from = '', to = '', reason = '' } = entry ?? {};
  const [fields, setFields] = useState<DaysOffFields>({ from, to, reason });
  const [key, setKey] = useState(newKey);
  const [isTried, setTried] = useState(false);
  const set = (changed: Partial<DaysOffFields>) => {
    setFields({ ...fields, ...changed });
    setKey(newKey());
  };
  const save = useAction(async () => {
    await saveDaysOff(user, entry?.id, fields, key);
    onClose();
  });
  const remove = useAction(async (id: number) => {
    await deleteDaysOff(user, id);
    const undo = () => void saveDaysOff(user, undefined, { from, to, reason }, newKey());
    toast({ text: t('deleted'), undo });
    onClose();
  });
  const error = save.error ?? remove.error;
  return (
    <Form
      className={styles.form}
      onSave={() => {
        setTried(true);
        return fields.from !== '' && save.run();
      }}
    >
      <Problem error={error} besides={['from', 'to', 'reason']} />
      <div className={styles.fields}>
        <DatesField fields={fields} onChange={set} error={error} isMissing={isTried} />
        <Field
          label={t('reason')}
          hint={t(user === undefined ? 'reason_hint' : 'reason_hint_student')}
          value={fields.reason}
          onChange={(text) => set({ reason: text })}
          maxLength={100}
          autoComplete="off"
          error={fieldProblem(error, 'reason')}
        />
      </div>
      <div className="buttons">
        <Button type="submit" look="primary" isPending={save.isRunning}>
          {common('save')}
        </Button>
        <Button look="quiet" onPress={onClose}>
          {common('cancel')}
        </Button>
        {entry !== undefined && (
          <Button look="danger" isPending={remove.isRunning} onPress={() => void remove.run(entry.id)}>
            {t('delete')}
          </Button>
        )}
      </div>
      {/* Below the buttons, which a preview that arrives would move from under the pointer. */}
      {fields.from !== '' && <Effect user={user} id={entry?.id} from={fields.from} to={fields.to} />}
    </Form>
  );
}

/** What would change, before it is saved. */
function Effect({ user, id, from, to }: Dates & { user: number | undefined }) {
  const t = useTexts(effectMessages);
  const dates = useMemo(() => ({ id, from, to }), [id, from, to]);
  const settled = useDebounced(dates, 400);
  const { data, error } = useEffectOfDaysOff(user, settled);
  if (error !== null && areFieldErrors(error, ['from', 'to'])) return null; // saving shows it at the field
  return (
    <section className={styles.effect} aria-label={t('title')}>
      <p className={styles.about}>
        {t('title')} <NotSaved />
      </p>
      <EffectChanges effect={data} error={error} isCurrent={settled === dates} isPerson />
    </section>
  );
}
