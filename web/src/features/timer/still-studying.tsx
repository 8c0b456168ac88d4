import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useAccount } from '../../lib/session.ts';
import { tabStorage } from '../../lib/storage.ts';
import { useTexts } from '../../lib/texts.ts';
import { fromWallTime, parseClock, toWallTime } from '../../lib/wall-time.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { StudyRecord } from '../study-sessions/session-queries.ts';
import styles from './still.module.css';
import { stillMessages } from './still-messages.ts';
import { useElapsed } from './timer-queries.ts';
import type { Timer } from './with-pending.ts';

const storageKey = 'studytrack.asked';

type Props = {
  timer: Timer;
  /** No timer is asked about before. */
  minSeconds: number;
  latest: readonly StudyRecord[];
  onEnd: (endedAt: string) => void;
};

/** Asks about a timer that has run longer than any of the latest records. */
// biome-ignore lint/style/noDefaultExport: loaded by import()
export default function StillStudying({ timer, minSeconds, latest, onEnd }: Props) {
  const t = useTexts(stillMessages);
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const elapsed = useElapsed();
  const [answered, setAnswered] = useState(() => tabStorage.read(storageKey));
  const lengths = latest.filter(({ ended_at }) => ended_at !== null).map((record) => record.duration_seconds);
  const longest = Math.max(minSeconds, ...lengths);
  const started = Date.parse(timer.started_at);
  const usual = toWallTime(started + longest * 1000, timezone).slice(11);
  const [typed, setTyped] = useState<string>();
  if (elapsed <= longest || answered === timer.started_at) return null;

  const time = typed ?? usual;
  const end = endOf(started, time, timezone);
  function goOn(): void {
    setAnswered(timer.started_at);
    tabStorage.write(storageKey, timer.started_at);
  }
  return (
    <Form className={styles.still} onSave={() => end !== undefined && onEnd(end)}>
      <div role="status">
        <p>
          <strong>{t('still')}</strong>
        </p>
        <p>{t('still_about', { duration: formats.duration(elapsed), usual: formats.duration(longest) })}</p>
      </div>
      <div className={styles.ends}>
        <button type="button" aria-pressed={typed === undefined} onClick={() => setTyped(undefined)}>
          <strong>{usual}</strong> {t('usual')}
        </button>
        {typed === undefined ? (
          <button type="button" aria-pressed="false" onClick={() => setTyped(usual)}>
            {t('other')}
          </button>
        ) : (
          <Field
            aria-label={t('ended_at')}
            value={typed}
            onChange={setTyped}
            autoFocus
            inputMode="numeric"
            maxLength={5}
            invalid={end === undefined ? t('not_a_time') : undefined}
          />
        )}
      </div>
      <div className={styles.answers}>
        <Button type="submit" look="primary">
          {t('end_at', { time })}
        </Button>
        <Button onPress={goOn}>{t('go_on')}</Button>
      </div>
    </Form>
  );
}

/** The first moment after the start at which the clock showed this time; undefined if that is still to come. */
function endOf(started: number, text: string, timezone: string): string | undefined {
  const clock = parseClock(text);
  if (clock === undefined) return undefined;
  const ends = [0, 1].map((days) => {
    const date = toWallTime(started + days * 86_400_000, timezone).slice(0, 10);
    return Date.parse(fromWallTime(`${date}T${clock}`, timezone) ?? '');
  });
  const end = ends.find((moment) => moment > started);
  return end !== undefined && end <= Date.parse(outbox.now()) ? new Date(end).toISOString() : undefined;
}
