import type { Reader } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { ProjectRow } from '../../study/project-access/project-sql.ts';
import type { SessionRow } from '../../study/study-sessions/session-sql.ts';
import {
  advance,
  type Cursor,
  firstCursor,
  type ItemType,
  isRecent,
  markOf,
  validDays,
  writeCursor,
} from './sync-cursor.ts';
import type { Change } from './sync-repository.ts';
import * as repository from './sync-repository.ts';

export type SyncPage = {
  reset: boolean;
  projects: ProjectRow[];
  colors: { project_id: number; color: number }[];
  sessions: SessionRow[];
  deleted: { projects: { id: number; name: string | null }[]; sessions: number[] };
  has_more: boolean;
  next_cursor: string | null;
};

// One day longer than cursors are valid, for clock differences and transactions that began before their cursor.
const retention = (validDays + 1) * 86_400_000;
const rowsPerStatement = 10_000;

const resetPage: SyncPage = {
  reset: true,
  projects: [],
  colors: [],
  sessions: [],
  deleted: { projects: [], sessions: [] },
  has_more: true,
  next_cursor: null,
};

export function createSyncService({ store, clock }: { store: Db; clock: Clock }) {
  return {
    /** The next page of changes since the cursor; without one, of all items. */
    async read(reader: Reader, since: Cursor | undefined, limit: number): Promise<SyncPage> {
      const now = clock();
      const after = since?.position ?? firstCursor('', 0).position;
      const found = await repository.readChanges(store, reader, after, limit + 1);
      const mark = markOf(found.run, reader);
      if (since !== undefined && (since.mark !== mark || !isRecent(since, now.getTime()))) return resetPage;

      const changes = found.changes.slice(0, limit);
      const hasMore = found.changes.length > limit;
      const cursor = since ?? firstCursor(mark, now.getTime());
      const next = advance(cursor, hasMore ? changes.at(-1) : undefined, found.horizon, now.getTime());
      const deletions = changes.filter(({ deleted, visible }) => deleted && !visible);
      return {
        reset: false,
        projects: await repository.readProjects(store, reader, changed(changes, 'project')),
        colors: await repository.readColors(store, reader),
        sessions: await repository.readSessions(store, reader, changed(changes, 'session'), now),
        deleted: {
          projects: deletions.flatMap(({ type, id, name }) => (type === 'project' ? [{ id, name }] : [])),
          sessions: deletions.flatMap(({ type, id }) => (type === 'session' ? [id] : [])),
        },
        has_more: hasMore,
        next_cursor: writeCursor(next),
      };
    },

    async purge(): Promise<void> {
      const before = new Date(clock().getTime() - retention);
      while ((await repository.purge(store, before, rowsPerStatement)) === rowsPerStatement);
    },
  };
}

const changed = (changes: readonly Change[], wanted: ItemType): number[] =>
  changes.flatMap(({ type, id, deleted }) => (type === wanted && !deleted ? [id] : []));

export type SyncService = ReturnType<typeof createSyncService>;
