import { CircleCheck, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useAccount } from '../../lib/session.ts';
import { shortcuts, useShortcuts } from '../../lib/shortcuts.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { href } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { type Plan, usePlan } from '../plan/use-plan.ts';
import { useRecords } from '../study-sessions/session-queries.ts';
import { timerMessages } from './messages.ts';
import { ShortTimer } from './short-timer.tsx';
import styles from './stopped.module.css';
import { discardTimer, resumeTimer, type StoppedTimer, saveNote } from './timer-queries.ts';
import { answerTime } from './unanswered.ts';

type Startable = { id: number; name: string };
type Props = {
  record: StoppedTimer;
  note: string;
  /** Just stopped: the note gets the focus. */
  isNew: boolean;
  /** The record is being saved. */
  isSaving: boolean;
  onChange: (note: string) => void;
  onGone: () => void;
  onStart: (project: Startable) => void;
};

/** What has just been recorded, with its note and the next step. Starting the next timer does not change it. */
export function Stopped(props: Props) {
  const [isKept, setKept] = useState(false);
  const { record, isSaving, onGone } = props;
  return record.duration_seconds < 60 && !isKept ? (
    <ShortTimer record={record} isSaving={isSaving} onKeep={() => setKept(true)} onGone={onGone} />
  ) : (
    <Saved {...props} />
  );
}

function Saved({ record, note, isNew, isSaving, onChange, onGone, onStart }: Props) {
  const t = useTexts(timerMessages);
  const common = useTexts(commonMessages);
  const formats = useFormats('UTC');
  const [saved, setSaved] = useState(record.note);
  const { run, isDone, error } = useAction(async () => {
    await saveNote(record, note.trim());
    setSaved(note.trim());
  });
  const undo = useAction(async () => {
    await discardTimer(record);
    await resumeTimer({ ...record, note: note.trim() });
    onGone();
  });
  const isChanged = note.trim() !== saved;
  const failure = error ?? undo.error;

  useEffect(() => {
    if (isChanged || failure !== undefined) return undefined;
    const timer = setTimeout(onGone, answerTime);
    return () => clearTimeout(timer);
  }, [isChanged, failure, onGone]);
  function save(): void {
    if (isChanged) void run();
  }
  useShortcuts({ [shortcuts.timer]: () => onStart({ id: record.project_id, name: record.project_name }) });
  // The strip also disappears when a timer is started elsewhere on the page.
  const unsaved = useRef<string>(undefined);
  unsaved.current = isChanged ? note.trim() : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it disappears
  useEffect(() => () => void (unsaved.current !== undefined && saveNote(record, unsaved.current)), []);

  const plan = usePlan()?.plan;
  const seconds = record.duration_seconds;
  const duration = seconds < 60 ? t('seconds', { count: seconds }) : formats.duration(seconds);
  return (
    <>
      <CircleCheck size={18} className={styles.done} />
      <div className={styles.said}>
        <p role="status">
          {t('stopped', { duration, project: record.project_name })} {isDone && !isChanged && common('saved')}
        </p>
        <Rest plan={plan} />
      </div>
      {record.id !== undefined && (
        <div className={styles.undo}>
          <Button look="quiet" isPending={undo.isRunning || isSaving} onPress={() => void undo.run()}>
            {t('undo')}
          </Button>
        </div>
      )}
      <Form className={styles.note} onSave={save}>
        <Field
          aria-label={t('note')}
          placeholder={t('note_after')}
          value={note}
          onChange={onChange}
          maxLength={500}
          autoFocus={isNew}
          onBlur={save}
        />
      </Form>
      <div className={styles.answers}>
        <Next plan={plan} stopped={record.project_id} onStart={onStart} onGone={onGone} />
        <LinkButton href={href('records')}>{t('edit')}</LinkButton>
      </div>
      {!isChanged && failure === undefined && <span className={styles.drain} aria-hidden="true" />}
      <Problem error={failure} />
    </>
  );
}

/** What is left of the day; after the first record of all, what it is. */
function Rest({ plan }: { plan: Plan | undefined }) {
  const t = useTexts(timerMessages);
  const marks = useMarks();
  const formats = useFormats('UTC');
  const { id } = useAccount();
  const records = useRecords(id).data?.pages[0];
  const isFirst = records !== undefined && records.pagination.total <= 1;
  const rest =
    plan === undefined || plan.isOpen
      ? undefined
      : plan.toGo > 0
        ? t('left_today', { duration: formats.duration(Math.ceil(plan.toGo / 60) * 60) })
        : t('all_done');
  return <p>{marks.facts([isFirst && t('first_record'), rest])}</p>;
}

type NextProps = { plan: Plan | undefined; stopped: number; onStart: (project: Startable) => void; onGone: () => void };

/** The next project of the plan; without one the strip gives way to the choice. */
function Next({ plan, stopped, onStart, onGone }: NextProps) {
  const t = useTexts(timerMessages);
  const open = plan?.items.filter(({ left }) => left > 0) ?? [];
  const next = open.find(({ project }) => project.id !== stopped)?.project;
  const icon = <Play size={14} fill="currentColor" />;
  return next === undefined ? (
    <Button icon={icon} onPress={onGone}>
      {t('start_next')}
    </Button>
  ) : (
    <span className={styles.next} data-hue={next.color}>
      <Button look="stop" icon={icon} onPress={() => onStart(next)}>
        {t('go_on_with', { project: next.name })}
      </Button>
    </span>
  );
}
