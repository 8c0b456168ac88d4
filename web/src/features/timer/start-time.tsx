import { CornerDownLeft } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useTexts } from '../../lib/texts.ts';
import { fromWallTime, parseClock, toWallTime } from '../../lib/wall-time.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Popup } from '../../ui/popup.tsx';
import { useActiveProjects } from '../projects/project-queries.ts';
import { useOverlapText } from '../study-sessions/overlap-text.ts';
import { overlapOf } from '../study-sessions/session-queries.ts';
import { timerMessages } from './messages.ts';
import styles from './timer-parts.module.css';
import type { Timer } from './with-pending.ts';

const steps = [5, 15, 30, -5] as const;

type Props = {
  timer: Timer;
  /** The end of the record before. */
  lastEnd: string | undefined;
  onMove: (start: string) => Promise<unknown>;
};

/** When the timer was started, with controls to correct it. What prevents a change is said at the field. */
export function StartTime({ timer, lastEnd, onMove }: Props) {
  const t = useTexts(timerMessages);
  const problem = useProblem();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const { data: projects } = useActiveProjects();
  const overlapText = useOverlapText();
  const shown = formats.time(timer.started_at);
  const [typed, setTyped] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const moved = momentOf(typed ?? shown, timezone);
  const isPast = (moment: string) => Date.parse(moment) <= Date.parse(outbox.now());
  const stepped = (minutes: number) => new Date(Date.parse(timer.started_at) - minutes * 60_000).toISOString();

  /** Each press counts, even while the previous request is pending. */
  function move(start: string): void {
    setFailure(undefined);
    onMove(start).then(() => setTyped(undefined), setFailure);
  }
  function save(): void {
    if (moved !== undefined && typed !== undefined && typed !== shown) move(moved);
  }
  function said(): string | undefined {
    if (moved === undefined) return t('not_a_time');
    if (failure === undefined) return undefined;
    const overlap = overlapOf(failure);
    const name = projects?.find(({ id }) => id === overlap?.projectId)?.name;
    return (overlap && overlapText(overlap, name)) ?? problem(failure);
  }

  return (
    <Popup
      label={t('started_at')}
      trigger={{ look: 'quiet', children: <span className={styles.quiet}>{t('since', { time: shown })}</span> }}
    >
      <Form className={styles.time} onSave={save}>
        <Field
          label={t('started_at')}
          value={typed ?? shown}
          onChange={(text) => {
            setTyped(text);
            setFailure(undefined);
          }}
          onBlur={save}
          inputMode="numeric"
          maxLength={5}
          invalid={said()}
        />
      </Form>
      <div className="buttons">
        {steps.map((minutes) => (
          <Button
            key={minutes}
            look="tonal"
            isDisabled={!isPast(stepped(minutes))}
            onPress={() => move(stepped(minutes))}
          >
            {t(minutes > 0 ? 'earlier' : 'later', { count: Math.abs(minutes) })}
          </Button>
        ))}
      </div>
      {lastEnd !== undefined && (
        <Button look="quiet" icon={<CornerDownLeft size={16} />} onPress={() => move(lastEnd)}>
          {t('last_end', { time: formats.time(lastEnd) })}
        </Button>
      )}
    </Popup>
  );
}

/** The latest moment at which the clock of the time zone showed this time; undefined if it is not a time. */
function momentOf(text: string, timezone: string): string | undefined {
  const clock = parseClock(text);
  if (clock === undefined) return undefined;
  const now = Date.parse(outbox.now());
  const onDayOf = (moment: number) => fromWallTime(`${toWallTime(moment, timezone).slice(0, 11)}${clock}`, timezone);
  const today = onDayOf(now);
  return today !== undefined && Date.parse(today) > now ? onDayOf(now - 86_400_000) : today;
}
