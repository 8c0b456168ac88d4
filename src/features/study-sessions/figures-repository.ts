import { type Executor, sql } from '../../db/database.ts';

/** A project whose kept hours or count differ from what its finished records add up to. */
export type Drift = {
  project_id: number;
  kept_seconds: number;
  true_seconds: number;
  kept_count: number;
  true_count: number;
};

const drifting = `
  SELECT p.id AS project_id, p.current_seconds AS kept_seconds, coalesce(t.seconds, 0) AS true_seconds,
    p.sessions_count AS kept_count, coalesce(t.number, 0) AS true_count
  FROM projects p
  LEFT JOIN (
    SELECT s.project_id, sum(s.duration_seconds) AS seconds, count(*) AS number
    FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.project_id) AS t ON t.project_id = p.id
  WHERE (p.current_seconds, p.sessions_count) IS DISTINCT FROM (coalesce(t.seconds, 0), coalesce(t.number, 0))`;

const findDrift = sql(`${drifting} ORDER BY p.id`);
const lockProjects = sql('SELECT p.id FROM projects p WHERE p.id = ANY($1::bigint[]) ORDER BY p.id FOR NO KEY UPDATE');
const repair = sql(`
  UPDATE projects p SET current_seconds = d.true_seconds, sessions_count = d.true_count
  FROM (${drifting} AND p.id = ANY($1::bigint[])) AS d WHERE d.project_id = p.id`);

/** The figures kept in projects, held against the records. */
export function createFiguresRepository(db: Executor) {
  return {
    findDrift: () => db.rows<Drift>(findDrift),
    /** Sets the figures right. Writers of records hold their project first, so nothing moves while they are counted. */
    repair: (projectIds: readonly number[]) =>
      db.transaction(async (tx) => {
        await tx.rows(lockProjects, [projectIds]);
        await tx.rows(repair, [projectIds]);
      }),
  };
}
