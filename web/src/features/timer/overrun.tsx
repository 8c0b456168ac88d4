import { useState } from 'react';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useOwnFormats } from '../../lib/own-formats.ts';
import { deviceStorage } from '../../lib/storage.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { parseDuration } from '../../lib/wall-time.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { StudyRecord } from '../study-sessions/session-queries.ts';
import { timerMessages } from './messages.ts';
import styles from './timer-parts.module.css';

const storageKey = 'studytrack.kept';

/** Ids of records confirmed on this device. */
function readConfirmed(): number[] {
  const ids = deviceStorage.read(storageKey);
  return Array.isArray(ids) ? ids : [];
}

/** Automatically stopped timers, each to confirm or to shorten to the time actually studied. */
export function Overrun({ records }: { records: readonly StudyRecord[] }) {
  const [confirmed, setConfirmed] = useState(readConfirmed);
  const open = records.filter((record) => record.auto_stopped && !confirmed.includes(record.id));

  function confirm(id: number): void {
    setConfirmed([...confirmed, id]);
    deviceStorage.write(storageKey, [...readConfirmed(), id].slice(-100));
  }

  return open.map((record) => <Question key={record.id} record={record} onKeep={() => confirm(record.id)} />);
}

function Question({ record, onKeep }: { record: StudyRecord; onKeep: () => void }) {
  const t = useTexts(timerMessages);
  const formats = useOwnFormats();
  const [text, setText] = useState('');
  const minutes = parseDuration(text);
  const isShorter = minutes !== undefined && minutes > 0 && minutes * 60 < record.duration_seconds;
  const { run, isRunning, error } = useAction(async () => {
    const ended_at = new Date(Date.parse(record.started_at) + (minutes ?? 0) * 60_000).toISOString();
    await outbox.changeTimer(record, { ended_at });
  });

  function shorten(): void {
    if (isShorter) void run();
  }

  return (
    <Card title={t('overrun', { project: record.project_name })} className="whole">
      <Form className={styles.overrun} onSave={shorten}>
        <p>
          {t('overrun_why', {
            day: formats.day(record.started_at),
            from: formats.time(record.started_at),
            duration: formats.duration(record.duration_seconds),
          })}
        </p>
        <Field
          label={t('studied')}
          hint={t('studied_hint')}
          value={text}
          onChange={setText}
          maxLength={20}
          invalid={text !== '' && !isShorter ? t('not_shorter') : undefined}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isPending={isRunning} isDisabled={!isShorter}>
            {t('cut')}
          </Button>
          <Button onPress={onKeep}>{t('keep')}</Button>
        </div>
        <Problem error={error} />
      </Form>
    </Card>
  );
}
