import { Trash2 } from 'lucide-react';
import { hasDraft, useDraft } from '../../lib/draft.ts';
import { useFormats } from '../../lib/format.ts';
import { useMarks } from '../../lib/marks.ts';
import { useMergingSave, type Version } from '../../lib/merge.ts';
import { commonMessages } from '../../lib/messages.ts';
import { outbox } from '../../lib/outbox/outbox.ts';
import { areFieldErrors, fieldProblem, useProblem } from '../../lib/problem.ts';
import { useAccount } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { useTexts } from '../../lib/texts.ts';
import { useAction } from '../../lib/use-action.ts';
import { toWallTime } from '../../lib/wall-time.ts';
import { zoneName } from '../../lib/zone.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Form, SaveButtons } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useActiveProjects } from '../projects/project-queries.ts';
import { TagsField } from '../tags/tags-field.tsx';
import { freeSpan } from './free-span.ts';
import { recordMessages } from './messages.ts';
import { NeedsProject } from './needs-project.tsx';
import { useOverlapText } from './overlap-text.ts';
import { createTimes } from './record-times.ts';
import styles from './records.module.css';
import {
  addRecord,
  changeRecord,
  overlapOf,
  type RecordFields,
  readRecord,
  type StudyRecord,
  useRecords,
  versionOf,
} from './session-queries.ts';
import { TimeFields } from './time-fields.tsx';

type Props = {
  /** The record to edit; absent for a new one. */
  record?: StudyRecord;
  projectId?: number;
  /** When a new record began and ended; by default the time since the latest record, at most an hour. */
  times?: { from: string; to: string } | undefined;
  onDone: () => void;
  /** Deletes the record, where there is no other button for that. */
  onRemove?: () => void;
};

const fields = ['project_id', 'started_at', 'ended_at', 'note', 'tags'];

type FormTarget = { record?: StudyRecord | undefined; projectId?: number | undefined };
const draftOf = ({ record, projectId }: FormTarget) => `record.${record?.id ?? `new.${projectId ?? 'any'}`}`;

/** Whether the form has unsaved input. */
export const hasRecordDraft = (of: FormTarget): boolean => hasDraft(draftOf(of));

/** A record, new or to be changed: its project, times and note. */
export function RecordForm({ record: current, projectId, times: given, onDone, onRemove }: Props) {
  const t = useTexts(recordMessages);
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const marks = useMarks();
  const { id: userId, timezone } = useAccount();
  const { data: latest } = useRecords(userId);
  const { locale } = useSettings();
  const formats = useFormats(timezone);
  const { data: projects = [], isSuccess } = useActiveProjects();
  const sayOverlap = useOverlapText();
  const times = createTimes(timezone, formats.duration);
  const draft = useDraft(draftOf({ record: current, projectId }), () => {
    const free = given ?? freeSpan(latest?.pages[0]?.sessions ?? [], Date.parse(outbox.now()));
    const [started, ended] = [current?.started_at ?? free.from, current?.ended_at ?? free.to];
    return {
      record: current, // pinned, also in the draft: a refetch behind the form must not change it
      project: String(current?.project_id ?? projectId ?? ''),
      ...times.of(started, ended),
      isStartGiven: given !== undefined,
      note: current?.note ?? '',
      tags: current?.tags ?? [],
    };
  });
  const { value: form, set } = draft;
  const { record } = form;

  const [started, ended] = [form.start, form.end].map(times.instantOf);
  // By default the project studied last.
  const chosen = form.project === '' ? projects[0]?.id : Number(form.project);
  const known = new Map(projects.map(({ id, name }) => [id, name]));
  if (record !== undefined) known.set(record.project_id, record.project_name);

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
      tags: form.tags,
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
    t(({ project_id: 'project', started_at: 'start', ended_at: 'end', note: 'note', tags: 'tags' } as const)[field]);

  function close(): void {
    draft.clear();
    onDone();
  }

  if (isSuccess && known.size === 0 && projectId === undefined) return <NeedsProject onCancel={onDone} />;
  const overlap = overlapOf(error);
  const said = overlap && sayOverlap(overlap, known.get(overlap.projectId));
  const ofField = (name: string) => (overlap === undefined ? fieldProblem(error, name) : undefined);
  const tagProblem = ofField('tags') ?? form.tags.map((_, index) => ofField(`tags[${index}]`)).find(Boolean);
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
      <TimeFields form={form} set={set} times={times} isNew={record === undefined} errorOf={ofField} />
      <Field
        label={t('note')}
        value={form.note}
        onChange={(note) => set({ note })}
        maxLength={500}
        error={ofField('note')}
      />
      <TagsField tags={form.tags} onChange={(tags) => set({ tags })} error={tagProblem} />
      <p className="note">{t('zone', { zone: zoneName(timezone, locale) })}</p>
      <div className={styles.buttons}>
        <SaveButtons isPending={isRunning} isDisabled={chosen === undefined} onCancel={close} />
        {onRemove !== undefined && (
          <Button
            look="danger"
            icon={<Trash2 size={16} />}
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
          if (field === 'tags') return marks.list(values.tags);
          return field === 'note' ? values.note : formats.dateTime(values[field]);
        }}
        onChoose={run}
      />
    </Form>
  );
}
