import { useEffect, useRef, useState } from 'react';
import { api, isApiError } from '../../lib/api.ts';
import { useDraft } from '../../lib/draft.ts';
import { changed } from '../../lib/freshness.ts';
import { type RequestDetail, readRequest, type Status } from './inbox-queries.ts';

/** The note is saved after this pause in typing. */
const pauseMilliseconds = 800;
const steps: readonly Status[] = ['pending', 'reviewed', 'resolved'];
const further = (a: Status, b: Status): Status => (steps.indexOf(a) > steps.indexOf(b) ? a : b);
const noteOf = (request: RequestDetail) => request.admin_note ?? '';
/** As the service keeps it. A space after a word stays in the field, where the next word may follow. */
const kept = (note: string) => note.trim();
const isChanged = ({ note, seen }: { note: string; seen: { note: string } }) => kept(note) !== seen.note;

/**
 * Note and status of a request. Writes are queued and conditional on the last seen ETag, so that somebody else's note
 * is never overwritten unseen: it is shown as `theirs`. A status only moves forward and never conflicts.
 */
export function useHandling(request: RequestDetail) {
  const draft = useDraft(`request.${request.id}`, () => ({
    note: noteOf(request),
    seen: { note: noteOf(request), etag: request.etag },
  }));
  const latest = useRef({ ...draft.value, status: request.status });
  const [theirs, setTheirs] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const isEdited = isChanged(draft.value);

  function see(next: Partial<typeof draft.value>): void {
    latest.current = { ...latest.current, ...next };
    draft.set(next);
    if (!isChanged(latest.current)) draft.clear();
  }

  async function put(status: Status): Promise<void> {
    const { seen } = latest.current;
    const note = kept(latest.current.note);
    const body = { status, ...(note !== seen.note && { adminNote: note }) };
    const { etag } = await api.put('/api/admin/contact-requests/{id}/status', {
      params: { id: request.id },
      body,
      ifMatch: seen.etag,
    });
    latest.current.status = status;
    see({ seen: { note, etag } });
  }

  /** Returns false if the user must choose between two notes. */
  async function write(wanted: Status | undefined): Promise<boolean> {
    const status = wanted ?? latest.current.status;
    const { seen } = latest.current;
    const note = kept(latest.current.note);
    if (note === seen.note && status === latest.current.status) return true;
    try {
      await put(status);
    } catch (failure) {
      if (!isApiError(failure, 'PRECONDITION_FAILED')) throw failure;
      const now = await readRequest(request.id);
      latest.current.status = now.status;
      const isTheirs = noteOf(now) !== seen.note && noteOf(now) !== note && note !== seen.note;
      if (note === seen.note) see({ note: noteOf(now) });
      see({ seen: { note: noteOf(now), etag: now.etag } });
      setTheirs(isTheirs ? noteOf(now) : undefined);
      if (isTheirs) {
        await changed('requests');
        return false;
      }
      await put(further(status, now.status));
    }
    await changed('requests');
    return true;
  }

  /** Queued: each write needs the ETag of the previous one. */
  function save(status?: Status): Promise<boolean> {
    const turn = queue.current.then(async () => {
      setSaving(true);
      try {
        const isDone = await write(status);
        setError(undefined);
        return isDone;
      } catch (failure) {
        setError(failure);
        return false;
      } finally {
        setSaving(false);
      }
    });
    queue.current = turn;
    return turn;
  }

  const { note } = draft.value;
  const isWaiting = isEdited && theirs === undefined;
  const saveLatest = useRef(save);
  saveLatest.current = save;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke restarts the timer
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => void saveLatest.current(), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [note, isWaiting]);
  const waits = useRef(isWaiting);
  waits.current = isWaiting;
  useEffect(
    () => () => {
      if (waits.current) void saveLatest.current(); // saves at once when another request is opened
    },
    [],
  );

  // A refetched version is adopted unless it would replace unsaved text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version matters
  useEffect(() => {
    latest.current.status = further(request.status, latest.current.status);
    if (isChanged(latest.current)) return;
    const isSame = noteOf(request) === kept(latest.current.note);
    see({ ...(!isSame && { note: noteOf(request) }), seen: { note: noteOf(request), etag: request.etag } });
  }, [request.etag]);

  return {
    note,
    etag: draft.value.seen.etag,
    theirs,
    isEdited,
    isSaving,
    error,
    setNote: (text: string) => see({ note: text }),
    save,
    keepMine: () => {
      setTheirs(undefined);
      return save();
    },
    takeTheirs: () => {
      see({ note: theirs ?? '' });
      setTheirs(undefined);
    },
  };
}
