import { type Executor, sql } from '../../db/database.ts';

/** A project whose kept hours or count differ from what its finished records add up to. */
export type ProjectDrift = {
  project_id: number;
  kept_seconds: number;
  true_seconds: number;
  kept_count: number;
  true_count: number;
};

/** A person whose kept hours, by which achievements are given, differ from what the finished records add up to. */
export type PersonDrift = { user_id: number; kept_seconds: number; true_seconds: number };

const driftingProjects = `
  SELECT p.id AS project_id, p.current_seconds AS kept_seconds, coalesce(t.seconds, 0) AS true_seconds,
    p.sessions_count AS kept_count, coalesce(t.number, 0) AS true_count
  FROM projects p
  LEFT JOIN (
    SELECT s.project_id, sum(s.duration_seconds) AS seconds, count(*) AS number
    FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.project_id) AS t ON t.project_id = p.id
  WHERE (p.current_seconds, p.sessions_count) IS DISTINCT FROM (coalesce(t.seconds, 0), coalesce(t.number, 0))`;

const findProjectDrift = sql(`${driftingProjects} ORDER BY p.id`);
const lockProjects = sql('SELECT p.id FROM projects p WHERE p.id = ANY($1::bigint[]) ORDER BY p.id FOR NO KEY UPDATE');
const repairProjects = sql(`
  UPDATE projects p SET current_seconds = d.true_seconds, sessions_count = d.true_count
  FROM (${driftingProjects} AND p.id = ANY($1::bigint[])) AS d WHERE d.project_id = p.id`);

const findPersonDrift = sql(`
  SELECT coalesce(t.user_id, k.user_id) AS user_id, coalesce(k.seconds, 0) AS kept_seconds,
    coalesce(t.seconds, 0) AS true_seconds
  FROM user_study_totals k
  FULL JOIN (
    SELECT s.user_id, sum(s.duration_seconds) AS seconds
    FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.user_id) AS t ON t.user_id = k.user_id
  WHERE coalesce(k.seconds, 0) <> coalesce(t.seconds, 0)
  ORDER BY 1`);
const lockPerson = sql(`
  INSERT INTO user_study_totals AS k (user_id, seconds) VALUES ($1, 0)
  ON CONFLICT (user_id) DO UPDATE SET seconds = k.seconds`);
const repairPerson = sql(`
  UPDATE user_study_totals k SET seconds = (
    SELECT coalesce(sum(s.duration_seconds), 0) FROM study_sessions s WHERE s.user_id = k.user_id AND s.ended_at IS NOT NULL)
  WHERE k.user_id = $1`);

/** The figures kept beside the records, held against them. */
export function createFiguresRepository(db: Executor) {
  return {
    findProjectDrift: () => db.rows<ProjectDrift>(findProjectDrift),
    /** Sets the figures right. Writers of records hold their project first, so nothing moves while they are counted. */
    repairProjects: (projectIds: readonly number[]) =>
      db.transaction(async (tx) => {
        await tx.rows(lockProjects, [projectIds]);
        await tx.rows(repairProjects, [projectIds]);
      }),
    findPersonDrift: () => db.rows<PersonDrift>(findPersonDrift),
    /**
     * Sets the total of one person right, and gives what it earns. One at a time: whoever ends the timers of many takes
     * these locks in no order.
     */
    repairPerson: (userId: number) =>
      db.transaction(async (tx) => {
        await tx.rows(lockPerson, [userId]);
        await tx.rows(repairPerson, [userId]);
      }),
  };
}
