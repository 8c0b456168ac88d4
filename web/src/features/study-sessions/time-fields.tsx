import { type RefObject, useEffect, useRef } from 'react';
import { useTexts } from '../../lib/texts.ts';
import { parseDuration } from '../../lib/wall-time.ts';
import { DayField } from '../../ui/day-field.tsx';
import { Field } from '../../ui/field.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { recordMessages } from './messages.ts';
import { clockOf, type createTimes, dayOf, type Times } from './record-times.ts';
import styles from './records.module.css';

type Props = {
  form: Times & { isStartGiven: boolean };
  set: (changed: Partial<Props['form']>) => void;
  times: ReturnType<typeof createTimes>;
  isNew: boolean;
  errorOf: (field: string) => string | undefined;
};

/** The day, and from when until when; the duration has the focus first. */
export function TimeFields({ form, set, times, isNew, errorOf }: Props) {
  const t = useTexts(recordMessages);
  const durationField = useFirstFocus();
  return (
    <div className={styles.times}>
      <DayField
        label={t('date')}
        value={dayOf(form.start)}
        onChange={(day) => set({ ...times.onDay(form, day), isStartGiven: true })}
      />
      <TimeField
        label={t('start')}
        value={clockOf(form.start)}
        onChange={(clock) => set({ ...times.from(form, clock), isStartGiven: true })}
        error={errorOf('started_at')}
      />
      <TimeField
        label={dayOf(form.end) === dayOf(form.start) ? t('end') : t('end_next_day')}
        value={clockOf(form.end)}
        onChange={(clock) => set(times.until(form, clock))}
        error={errorOf('ended_at')}
      />
      <Field
        label={t('duration')}
        inputRef={durationField}
        value={form.duration}
        onChange={(duration) => set(times.lasting(form, duration, isNew && !form.isStartGiven))}
        maxLength={20}
        invalid={parseDuration(form.duration) === undefined ? t('bad_duration') : undefined}
      />
    </div>
  );
}

function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return field;
}
