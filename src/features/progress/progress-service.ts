import type { Clock } from '../../lib/clock.ts';
import type { ProgressReadModel, ProgressRow, Standing } from './progress-read-model.ts';
import type { ProgressFilters, ProgressQuery } from './progress-schemas.ts';

export type Progress = ProgressRow & Standing;
type TakeProgress = (entries: readonly Progress[]) => Promise<void>;

export type ProgressServiceOptions = { readModel: ProgressReadModel; clock: Clock };
export type ProgressService = ReturnType<typeof createProgressService>;

const exportBatch = 100;
/** For a user deleted in the meantime. */
const unknown = { current_streak: 0, goals_behind: 0, goals_near: 0 };

export function createProgressService({ readModel, clock }: ProgressServiceOptions) {
  async function withStandings(rows: readonly ProgressRow[], now: Date): Promise<Progress[]> {
    const users = rows.map(({ user_id, timezone }) => ({ user_id, zone: timezone }));
    const standings = await readModel.readStandings(users, now);
    return rows.map((row) => ({ ...unknown, ...row, ...standings.get(row.user_id) }));
  }

  return {
    async list(query: ProgressQuery): Promise<{ entries: Progress[]; total: number }> {
      const selection = { ...query, now: clock() };
      const [rows, total] = await Promise.all([readModel.list(selection), readModel.count(selection)]);
      return { entries: await withStandings(rows, selection.now), total };
    },

    /** Passes on all users by username, in batches: no connection is held while a client reads. */
    async export(filters: ProgressFilters, take: TakeProgress): Promise<void> {
      const selection = { ...filters, now: clock() };
      for (let after: string | undefined = ''; after !== undefined; ) {
        const rows: readonly ProgressRow[] = await readModel.listAfter(selection, after, exportBatch);
        if (rows.length > 0) await take(await withStandings(rows, selection.now));
        after = rows[exportBatch - 1]?.username.toLowerCase();
      }
    },
  };
}
