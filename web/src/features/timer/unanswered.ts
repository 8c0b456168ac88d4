import { useEffect } from 'react';
import { api, isApiError } from '../../lib/api.ts';
import { useAccount } from '../../lib/session.ts';
import { deviceStorage } from '../../lib/storage.ts';
import { question } from './preset.ts';
import { discardTimer } from './timer-queries.ts';

/** How long the answer is waited for, in milliseconds. */
export const answerTime = 10_000;
/** Another tab may still be waiting, and discards the record itself. */
const grace = 2_000;

/** A record shorter than a minute of which a page asks whether to keep it. */
type Asked = { id?: number | undefined; key?: string | undefined; at: number };

const keyOf = (userId: number) => `studytrack.asked.${userId}`;

const read = (userId: number) => deviceStorage.read(keyOf(userId)) as Asked | undefined; // written below

/** If storage is blocked, a record whose page closes before the answer is kept. */
const write = (userId: number, asked: Asked | undefined) => deviceStorage.write(keyOf(userId), asked);

/** Stores on the device that the question is open; the result is called with the answer. */
export function useAsked({ id, key }: Omit<Asked, 'at'>): () => void {
  const account = useAccount();
  useEffect(() => write(account.id, { id, key, at: Date.now() }), [account.id, id, key]);
  return () => write(account.id, undefined);
}

/**
 * Discards the record of a question that has disappeared without an answer, because its page was closed or another timer
 * was started, unless the record has become longer since.
 */
export function useUnanswered(): void {
  const account = useAccount();
  const isAsking = question.use();
  useEffect(() => {
    const asked = isAsking ? undefined : read(account.id);
    if (asked === undefined) return undefined;
    const due = setTimeout(() => void discard(account.id, asked), asked.at + answerTime + grace - Date.now());
    return () => clearTimeout(due);
  }, [account.id, isAsking]);
}

async function discard(userId: number, asked: Asked): Promise<void> {
  if (read(userId)?.at !== asked.at) return; // answered, or asked again by this page
  try {
    const { id } = asked;
    const record = id === undefined ? undefined : (await api.get('/api/sessions/{id}', { params: { id } })).data;
    if (record?.ended_at === null) return; // its end has not been sent yet: the next page tries again
    if (record === undefined || record.duration_seconds < 60) await discardTimer(asked);
  } catch (error) {
    if (!isApiError(error, 'RESOURCE_NOT_FOUND')) return; // the next page tries again
  }
  write(userId, undefined);
}
