import type { Actor } from '../../../actor.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { scopedFilter } from '../../accounts/admin-scope/admin-scope.ts';
import type { Calendars } from '../../study/calendar/calendars.ts';
import type { ProgressFilters } from './progress-schemas.ts';
import { countProgress } from './progress-sql.ts';
import type { PairKey, PairRow } from './project-hours-read-model.ts';
import * as readModel from './project-hours-read-model.ts';
import { maxProjects, type ProjectHoursQuery } from './project-hours-schemas.ts';

type TakePairs = (pairs: readonly PairRow[]) => Promise<void>;

export type ProjectHoursService = ReturnType<typeof createProjectHoursService>;

const exportBatch = 1000;

export function createProjectHoursService({ store, calendars }: { store: Db; calendars: Calendars }) {
  return {
    async list(actor: Actor, query: ProjectHoursQuery) {
      const calendar = calendars.of(actor);
      const selection = { ...(await scopedFilter(store, actor, query)), now: calendar.now };
      const users = await readModel.listUsers(store, selection);
      const total = await countProgress(store, selection);
      const shown = { userIds: users.map(({ user_id }) => user_id), groupId: query.group_id };
      return { users, total, projects: await readModel.listProjects(store, shown, maxProjects, calendar) };
    },

    /** Returns what passes on all pairs by username, in batches: no connection is held while a client reads. */
    async export(actor: Actor, filters: ProgressFilters): Promise<(take: TakePairs) => Promise<void>> {
      const selection = { ...(await scopedFilter(store, actor, filters)), now: calendars.of(actor).now };
      return async (take) => {
        for (let after: PairKey | undefined = { username: '', project_id: 0 }; after !== undefined; ) {
          const rows: readonly PairRow[] = await readModel.listPairsAfter(store, selection, after, exportBatch);
          if (rows.length > 0) await take(rows);
          const last = rows[exportBatch - 1];
          after = last && { username: last.username.toLowerCase(), project_id: last.project_id };
        }
      };
    },
  };
}
