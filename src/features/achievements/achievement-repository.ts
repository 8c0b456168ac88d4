import type { Executor } from '../../db/executor.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { requiredAmounts } from './achievement-rules.ts';

const listEarned = query(
  'list_achievements',
  { id: t.integer, earned_at: t.timestamptz },
  (userId: number) => sql`
    SELECT e.achievement_id AS id, e.earned_at FROM user_achievements e WHERE e.user_id = ${t.bigint(userId)}`,
);

// Writers of sessions hold this row until they commit. It is inserted to wait also for the first one.
const waitForWriters = query('wait_for_writers_of_sessions', { zone: t.text.orNull }, (userId: number) => {
  const id = t.bigint(userId);
  return sql`
    INSERT INTO user_study_totals AS k (user_id, seconds) VALUES (${id}, 0)
    ON CONFLICT (user_id) DO UPDATE SET seconds = k.seconds
    RETURNING (SELECT u.timezone FROM users u WHERE u.id = ${id} AND u.deleted_at IS NULL) AS zone`;
});

const addToUser = command(
  'add_user_achievements',
  (userId: number, ids: readonly number[]) => sql`
    INSERT INTO user_achievements (user_id, achievement_id)
    SELECT ${t.bigint(userId)}, k.id FROM unnest(${t.integers(ids)}) AS k (id) ON CONFLICT DO NOTHING`,
);

// The project gets a new row version, because responses with its achievements are cached by it.
const addToProject = command(
  'add_project_achievements',
  (projectId: number, ids: readonly number[]) => sql`
    WITH locked AS MATERIALIZED (
      SELECT p.id FROM projects p WHERE p.id = ${t.bigint(projectId)} FOR NO KEY UPDATE),
    added AS (
      INSERT INTO project_achievements (project_id, achievement_id)
      SELECT l.id, k.id FROM locked l CROSS JOIN unnest(${t.integers(ids)}) AS k (id)
      ON CONFLICT DO NOTHING RETURNING project_id)
    UPDATE projects p SET row_version = p.row_version WHERE p.id IN (SELECT a.project_id FROM added a)`,
);

export function createAchievementRepository(db: Executor) {
  return {
    /** All achievements, and when the user earned them. */
    async list(userId: number) {
      const earned = new Map((await db.many(listEarned(userId))).map(({ id, earned_at }) => [id, earned_at]));
      return requiredAmounts.map((required) => ({ ...required, earned_at: earned.get(required.id) ?? null }));
    },
    /** Returns the time zone of the user once the transactions that write sessions of the user have committed. */
    waitForWriters: async (userId: number) => (await db.one(waitForWriters(userId))).zone ?? undefined,
    addToUser: (userId: number, ids: readonly number[]) => db.execute(addToUser(userId, ids)),
    addToProject: (projectId: number, ids: readonly number[]) => db.execute(addToProject(projectId, ids)),
  };
}
