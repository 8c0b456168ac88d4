import type { Clock } from '../../lib/clock.ts';
import type { Reader } from '../projects/project-policy.ts';
import type { ProjectRow } from '../projects/project-sql.ts';
import type { SessionRow } from '../study-sessions/session-sql.ts';
import { advance, type Cursor, firstCursor, type ItemType, isRecent, markOf, writeCursor } from './sync-cursor.ts';
import type { Change, SyncReadModel } from './sync-read-model.ts';

export type SyncPage = {
  reset: boolean;
  projects: ProjectRow[];
  sessions: SessionRow[];
  deleted: { projects: { id: number; name: string | null }[]; sessions: number[] };
  has_more: boolean;
  next_cursor: string | null;
};

const resetPage: SyncPage = {
  reset: true,
  projects: [],
  sessions: [],
  deleted: { projects: [], sessions: [] },
  has_more: true,
  next_cursor: null,
};

export function createSyncService({ readModel, clock }: { readModel: SyncReadModel; clock: Clock }) {
  return {
    /** The next page of changes since the cursor; without one, of all items. */
    async read(reader: Reader, since: Cursor | undefined, limit: number): Promise<SyncPage> {
      const now = clock();
      const after = since?.position ?? firstCursor('', 0).position;
      const found = await readModel.readChanges(reader, after, limit + 1);
      const mark = markOf(found.run, reader);
      if (since !== undefined && (since.mark !== mark || !isRecent(since, now.getTime()))) return resetPage;

      const changes = found.changes.slice(0, limit);
      const hasMore = found.changes.length > limit;
      const cursor = since ?? firstCursor(mark, now.getTime());
      const next = advance(cursor, hasMore ? changes.at(-1) : undefined, found.horizon, now.getTime());
      const deletions = changes.filter(({ deleted, visible }) => deleted && !visible);
      return {
        reset: false,
        projects: await readModel.readProjects(reader, changed(changes, 'project')),
        sessions: await readModel.readSessions(reader, changed(changes, 'session'), now),
        deleted: {
          projects: deletions.flatMap(({ type, id, name }) => (type === 'project' ? [{ id, name }] : [])),
          sessions: deletions.flatMap(({ type, id }) => (type === 'session' ? [id] : [])),
        },
        has_more: hasMore,
        next_cursor: writeCursor(next),
      };
    },
  };
}

const changed = (changes: readonly Change[], wanted: ItemType): number[] =>
  changes.flatMap(({ type, id, deleted }) => (type === wanted && !deleted ? [id] : []));

export type SyncService = ReturnType<typeof createSyncService>;
