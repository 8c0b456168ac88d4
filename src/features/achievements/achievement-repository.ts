import type { Executor } from '../../db/executor.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { idsOf, requiredAmounts } from './achievement-catalogue.ts';
import { type Earning, readEarnings, type Start, walkDays } from './earning-sql.ts';

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

export type AwardedTo = 'user' | 'project';
/** `at`: when the record ended that earned it. */
export type Award = { to: AwardedTo; owner: number; id: number; at: string };

// In id order, so that transactions do not wait for each other's rows in a circle. All who took part share a project's target.
const giveAwards = command('give_awards', (awards: readonly Award[]) => {
  const [target] = idsOf('target');
  const given = t.jsonb(JSON.stringify(awards));
  return sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${given}) AS g ("to" text, owner bigint, id integer, at timestamptz)),
    of_projects AS (
      INSERT INTO project_achievements (project_id, achievement_id, earned_at)
      SELECT g.owner, g.id, g.at FROM given g WHERE g.to = 'project' ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING)
    INSERT INTO user_achievements (user_id, achievement_id, earned_at)
    SELECT g.owner, g.id, g.at FROM given g WHERE g.to = 'user'
    UNION ALL
    SELECT k.user_id, g.id, g.at FROM given g JOIN project_user_totals k ON k.project_id = g.owner
    WHERE g.to = 'project' AND g.id = ${t.integer(target ?? null)} AND k.sessions_count > 0
    ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`;
});

// A new row version, because responses with its achievements are cached by it.
const touchProject = command(
  'touch_awarded_project',
  (id: number) => sql`UPDATE projects SET row_version = row_version WHERE id = ${t.bigint(id)}`,
);

const listOfProject = query(
  'list_project_achievements',
  { id: t.integer },
  (projectId: number) => sql`
    SELECT e.achievement_id AS id FROM project_achievements e WHERE e.project_id = ${t.bigint(projectId)}`,
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
    /** The ids of those that a project has. */
    listOfProject: async (projectId: number) => (await db.many(listOfProject(projectId))).map(({ id }) => id),
    readEarnings: (records: readonly Earning[]) => db.many(readEarnings(records)),
    /** The days of study around each start, in order and including it; and for projects their changes of status. */
    walkDays: (of: AwardedTo, starts: readonly Start[]) => db.many(walkDays(of, starts)),
    give: (awards: readonly Award[]) => db.execute(giveAwards(awards)),
    /** Locks the project. */
    touchProject: (id: number) => db.execute(touchProject(id)),
  };
}
