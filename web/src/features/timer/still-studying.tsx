import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { fromWallTime, toWallTime } from '../../lib/wall-time.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { StudyRecord } from '../study-sessions/session-queries.ts';
import { stillMessages } from './still-messages.ts';
import styles from './timer.module.css';
import { useElapsed } from './timer-queries.ts';
import type { Timer } from './with-pending.ts';

const storageKey = 'studytrack.asked';

type Props = {
  timer: Timer;
  /** No timer is asked about before. */
  minSeconds: number;
  latest: readonly StudyRecord[];
  onEnd: (endedAt: string) => void;
  onDiscard: () => void;
};

/** Asks about a timer that has run longer than any of the latest records. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StillStudying({ timer, minSeconds, latest, onEnd, onDiscard }: Props) {
  const t = useTexts(stillMessages);
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const elapsed = useElapsed();
  const [answered, setAnswered] = useState(() => sessionStorage.getItem(storageKey));
  const lengths = latest.filter(({ ended_at }) => ended_at !== null).map((record) => record.duration_seconds);
  const longest = Math.max(minSeconds, ...lengths);
  const started = Date.parse(timer.started_at);
  const suggested = toWallTime(started + longest * 1000, timezone);
  const [time, setTime] = useState(suggested.slice(11));
  if (elapsed <= longest || answered === timer.started_at) return null;

  const end = endOf(started, time, timezone);
  function goOn(): void {
    setAnswered(timer.started_at);
    try {
      sessionStorage.setItem(storageKey, timer.started_at);
    } catch {
      // asked again after a reload
    }
  }
  return (
    <Form className={styles.still} onSave={() => end !== undefined && onEnd(end)}>
      <p role="status">{t('still', { duration: formats.duration(elapsed) })}</p>
      <Button onPress={goOn}>{t('go_on')}</Button>
      <Field
        aria-label={t('ended_at')}
        value={time}
        onChange={setTime}
        inputMode="numeric"
        maxLength={5}
        invalid={end === undefined ? t('not_a_time') : undefined}
      />
      <Button type="submit">{t('end_at', { time })}</Button>
      <Button look="danger" onPress={onDiscard}>
        {t('discard')}
      </Button>
    </Form>
  );
}

/** The first moment after the start at which the clock showed this time; undefined if that is still to come. */
function endOf(started: number, text: string, timezone: string): string | undefined {
  const [, hours = '', minutes = ''] = /^(\d{1,2})[:：.](\d{2})$/.exec(text.normalize('NFKC').trim()) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ends = [0, 1].map((days) => {
    const date = toWallTime(started + days * 86_400_000, timezone).slice(0, 10);
    return Date.parse(fromWallTime(`${date}T${hours.padStart(2, '0')}:${minutes}`, timezone) ?? '');
  });
  const end = ends.find((moment) => moment > started);
  return end !== undefined && end <= Date.parse(outbox.now()) ? new Date(end).toISOString() : undefined;
}
