import { Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { hasDraft, useDraft } from '../../lib/draft.ts';
import { formatDuration, useFormats } from '../../lib/format.ts';
import { useMergingSave, type Version } from '../../lib/merge.ts';
import { commonMessages } from '../../lib/messages.ts';
import { areFieldErrors, fieldProblem, useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { fromWallTime, parseDuration, toWallTime } from '../../lib/wall-time.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useActiveProjects } from '../projects/project-queries.ts';
import { recordMessages } from './messages.ts';
import { useOverlapText } from './overlap-text.ts';
import styles from './records.module.css';
import {
  addRecord,
  changeRecord,
  overlapOf,
  type RecordFields,
  readRecord,
  type StudyRecord,
  versionOf,
} from './session-queries.ts';

type Props = {
  /** The record to edit; absent for a new one. */
  record?: StudyRecord;
  projectId?: number;
  /** When a new record began and ended; by default the last hour. */
  times?: { from: string; to: string } | undefined;
  onDone: () => void;
  /** Deletes the record, where there is no other button for that. */
  onRemove?: () => void;
};

const fields = ['project_id', 'started_at', 'ended_at', 'note'];
const minute = 60_000;

type FormTarget = { record?: StudyRecord | undefined; projectId?: number | undefined };
const draftOf = ({ record, projectId }: FormTarget) => `record.${record?.id ?? `new.${projectId ?? 'any'}`}`;

/** Whether the form has unsaved input. */
export const hasRecordDraft = (of: FormTarget): boolean => hasDraft(draftOf(of));

/** A record's start, end and duration: changing one updates another. */
export function RecordForm({ record: current, projectId, times, onDone, onRemove }: Props) {
  const t = useTexts(recordMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const { locale } = useSettings();
  const { timezone } = useAccount();
  const formats = useFormats(timezone);
  const { data: projects = [] } = useActiveProjects();
  const sayOverlap = useOverlapText();
  const draft = useDraft(draftOf({ record: current, projectId }), () => {
    const ended = current?.ended_at ?? times?.to ?? new Date(Math.floor(Date.now() / minute) * minute).toISOString();
    const started = current?.started_at ?? times?.from ?? new Date(Date.parse(ended) - 60 * minute).toISOString();
    const duration = formatDuration((Date.parse(ended) - Date.parse(started)) / 1000, locale);
    return {
      record: current, // pinned, also in the draft: a refetch behind the form must not change it
      project: String(current?.project_id ?? projectId ?? ''),
      start: toWallTime(started, timezone),
      end: toWallTime(ended, timezone),
      isStartGiven: times !== undefined,
      duration,
      note: current?.note ?? '',
    };
  });
  const { value: form, set } = draft;
  const { record } = form;

  const parse = (wall: string) => fromWallTime(wall, timezone);
  const [started, ended] = [parse(form.start), parse(form.end)];
  // By default the project studied last.
  const chosen = form.project === '' ? projects[0]?.id : Number(form.project);
  const known = new Map(projects.map(({ id, name }) => [id, name]));
  if (record !== undefined) known.set(record.project_id, record.project_name);

  function setTimes(start: string, end: string): void {
    const [from, to] = [parse(start), parse(end)];
    const seconds = from === undefined || to === undefined ? -1 : (Date.parse(to) - Date.parse(from)) / 1000;
    set({ start, end, duration: seconds < 0 ? form.duration : formatDuration(seconds, locale) });
  }

  /** In a new record without an entered start, the end is fixed, because the study has just ended. */
  function setDuration(duration: string): void {
    const milliseconds = (parseDuration(duration) ?? Number.NaN) * minute;
    const [from, to] = [Date.parse(started ?? ''), Date.parse(ended ?? '')];
    const isEndFixed = record === undefined && !form.isStartGiven;
    const moved = isEndFixed ? to - milliseconds : from + milliseconds;
    set({ duration, ...(!Number.isNaN(moved) && { [isEndFixed ? 'start' : 'end']: toWallTime(moved, timezone) }) });
  }
  const durationField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    durationField.current?.focus();
    durationField.current?.select();
  }, []);

  const merging = useMergingSave<RecordFields>({
    read: () => readRecord(record?.id ?? 0),
    write: (written, base) => changeRecord(record?.id ?? 0, written, base),
  });

  const { run, isRunning, error } = useAction(async (base?: Version<RecordFields>, decided?: RecordFields) => {
    if (started === undefined || ended === undefined || chosen === undefined) return;
    // A timer's seconds are preserved unless the minutes were changed.
    const exact = (before: string | null | undefined, next: string) =>
      before != null && toWallTime(before, timezone) === toWallTime(next, timezone) ? before : next;
    const body = decided ?? {
      project_id: chosen,
      started_at: exact(record?.started_at, started),
      ended_at: exact(record?.ended_at, ended),
      note: form.note.trim(),
    };
    if (record === undefined) {
      await addRecord(known.get(chosen) ?? '', body);
    } else {
      const taken = await merging.save(body, base ?? versionOf(record));
      if (taken === undefined) return;
      if (taken.length > 0) toast({ text: common('merged', { fields: taken.map(label).join(', ') }) });
    }
    close();
  });

  const label = (field: keyof RecordFields) =>
    t(({ project_id: 'project', started_at: 'start', ended_at: 'end', note: 'note' } as const)[field]);

  function close(): void {
    draft.clear();
    onDone();
  }

  const overlap = overlapOf(error);
  const said = overlap && sayOverlap(overlap, known.get(overlap.projectId));
  const ofField = (name: string) => (overlap === undefined ? fieldProblem(error, name) : undefined);
  const isDuration = parseDuration(form.duration) !== undefined;
  const badTime = (value: string | undefined) => (value === undefined ? t('bad_time') : undefined);
  return (
    <Form className={styles.form} onSave={() => run()}>
      <DraftNotice draft={draft} />
      {error !== undefined && !areFieldErrors(error, fields) && <Notice kind="error">{said ?? problem(error)}</Notice>}
      {(record !== undefined || projectId === undefined) && (
        <Select
          label={t('project')}
          value={String(chosen ?? '')}
          onChange={(project) => set({ project })}
          options={[...known].map(([id, name]) => [String(id), name])}
        />
      )}
      <div className={styles.times}>
        <Field
          label={t('start')}
          type="datetime-local"
          value={form.start}
          onChange={(start) => {
            set({ isStartGiven: true });
            setTimes(start, form.end);
          }}
          invalid={badTime(started)}
          error={ofField('started_at')}
        />
        <Field
          label={t('duration')}
          hint={t('duration_hint')}
          inputRef={durationField}
          value={form.duration}
          onChange={setDuration}
          maxLength={20}
          invalid={isDuration ? undefined : t('bad_duration')}
        />
        <Field
          label={t('end')}
          type="datetime-local"
          value={form.end}
          onChange={(end) => setTimes(form.start, end)}
          invalid={badTime(ended)}
          error={ofField('ended_at')}
        />
      </div>
      <Field
        label={t('note')}
        value={form.note}
        onChange={(note) => set({ note })}
        maxLength={500}
        error={ofField('note')}
      />
      <p className={styles.zone}>{t('zone', { zone: timezone })}</p>
      <div className={styles.buttons}>
        <Button type="submit" look="primary" isPending={isRunning} isDisabled={chosen === undefined}>
          {common('save')}
        </Button>
        <Button onPress={close}>{common('cancel')}</Button>
        {onRemove !== undefined && (
          <Button
            look="danger"
            icon={<Trash2 size={16} aria-hidden="true" />}
            onPress={() => {
              draft.clear();
              onRemove();
            }}
          >
            {t('delete')}
          </Button>
        )}
      </div>
      <ConflictDialog
        merging={merging}
        label={label}
        show={(field, values) => {
          if (field === 'project_id') return known.get(values.project_id) ?? `${values.project_id}`;
          return field === 'note' ? values.note : formats.dateTime(values[field]);
        }}
        onChoose={run}
      />
    </Form>
  );
}
