import { useEffect, useRef, useState } from 'react';
import { isApiError } from '../../lib/api.ts';
import { recordsChanged } from '../../lib/freshness.ts';
import { commonMessages } from '../../lib/messages.ts';
import { useProblem } from '../../lib/problem.ts';
import { useTexts } from '../../lib/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { useActiveProjects } from '../projects/project-queries.ts';
import { useOverlapText } from './overlap-text.ts';
import { changeRecord, overlapOf, readRecord, type StudyRecord, versionOf } from './session-queries.ts';
import type { Span } from './use-dragging.ts';

/** Keys are pressed several times; the record is saved after the last. */
const keyPause = 700;

/** Moves records: shown at once, saved after a short time, and put back with the reason if that fails. */
export function useMoving(records: readonly StudyRecord[]) {
  const common = useTexts(commonMessages);
  const problem = useProblem();
  const sayOverlap = useOverlapText();
  const { data: projects = [] } = useActiveProjects();
  const [spans, setSpans] = useState<ReadonlyMap<number, Span>>(new Map());
  const waiting = useRef(new Map<number, { run: () => void; timer: ReturnType<typeof setTimeout> }>());
  const saving = useRef(new Map<number, Promise<void>>());
  // What waits is also saved when the page is left.
  useEffect(() => {
    const { current } = waiting;
    return () => {
      for (const { run, timer } of current.values()) {
        clearTimeout(timer);
        run();
      }
    };
  }, []);

  const put = (id: number, span: Span) => setSpans((before) => new Map(before).set(id, span));
  /** Shows what the service has, unless the record was moved again meanwhile. */
  const drop = (id: number, span: Span) =>
    setSpans((before) => (before.get(id) === span ? new Map([...before].filter(([known]) => known !== id)) : before));

  async function save(record: StudyRecord, span: Span, isStale: boolean): Promise<void> {
    const times = { started_at: new Date(span.from).toISOString(), ended_at: new Date(span.to).toISOString() };
    try {
      const base = isStale ? await readRecord(record.id) : versionOf(record);
      await changeRecord(record.id, { ...base.fields, ...times }, base);
    } catch (error) {
      const overlap = overlapOf(error);
      const name = (id: number) =>
        records.find(({ project_id }) => project_id === id)?.project_name ??
        projects.find((known) => known.id === id)?.name;
      const said = overlap && sayOverlap(overlap, name(overlap.projectId));
      const isChanged = isApiError(error, 'PRECONDITION_FAILED');
      if (isChanged) void recordsChanged();
      toast({ text: said ?? (isChanged ? common('changed_meanwhile') : problem(error)) });
    }
    drop(record.id, span);
  }

  /** One after the other: a record that is moved while it is being saved is read again before. */
  function enqueue(record: StudyRecord, span: Span): void {
    const before = saving.current.get(record.id);
    const work: Promise<void> = Promise.resolve(before)
      .then(() => save(record, span, before !== undefined))
      .then(() => {
        if (saving.current.get(record.id) === work) saving.current.delete(record.id);
      });
    saving.current.set(record.id, work);
  }

  /** `isKey`: more movements may follow, which replace this one. */
  function move(record: StudyRecord, span: Span, isKey = false): void {
    put(record.id, span);
    clearTimeout(waiting.current.get(record.id)?.timer);
    const run = () => {
      waiting.current.delete(record.id);
      enqueue(record, span);
    };
    if (!isKey) run();
    else waiting.current.set(record.id, { run, timer: setTimeout(run, keyPause) });
  }
  return { spans, move };
}
