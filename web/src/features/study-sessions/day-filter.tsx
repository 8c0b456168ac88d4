import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { fromWallTime } from '../../lib/wall-time.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { recordMessages } from './messages.ts';
import styles from './records.module.css';
import type { Period } from './session-queries.ts';

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** The days in the URL, and their period of time for the user, whose days may begin after midnight. */
export function useDays() {
  const [params, setParams] = useSearchParams();
  const { timezone, day_start_hour: hour } = useAccount();
  const [from = '', to = ''] = ['from', 'to']
    .map((name) => params.get(name) ?? '')
    .map((day) => (isDay(day) ? day : ''));
  const period = useMemo((): Period => {
    const begin = (day: string) => fromWallTime(`${day}T${String(hour).padStart(2, '0')}:00`, timezone);
    const [first, end] = [from === '' ? undefined : begin(from), to === '' ? undefined : begin(dayAfter(to))];
    return { ...(first !== undefined && { from: first }), ...(end !== undefined && { to: end }) };
  }, [from, to, hour, timezone]);

  function change(days: { from?: string; to?: string }): void {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, day] of Object.entries(days)) day === '' ? next.delete(name) : next.set(name, day);
        return next;
      },
      { replace: true },
    );
  }
  return { from, to, period, isFiltered: from !== '' || to !== '', change };
}

/** First and last day, both optional. */
export function DayFilter() {
  const t = useTexts(recordMessages);
  const { from, to, isFiltered, change } = useDays();
  return (
    <fieldset className={styles.days}>
      <legend className="visually-hidden">{t('days')}</legend>
      <Field label={t('from')} type="date" value={from} onChange={(day) => change({ from: day })} />
      <Field label={t('to')} type="date" value={to} onChange={(day) => change({ to: day })} />
      {isFiltered && (
        <Button look="quiet" onPress={() => change({ from: '', to: '' })}>
          {t('all_days')}
        </Button>
      )}
    </fieldset>
  );
}
