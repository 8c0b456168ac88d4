import { expect } from 'vitest';
import { compile, sql } from '../../src/db/sql/sql.ts';
import { idsEarned, requiredAmounts } from '../../src/features/study/achievements/achievement-catalogue.ts';
import { skippedDays } from '../../src/features/study/calendar/study-figures.ts';
import { studyRuns } from '../../src/features/study/calendar/study-runs.ts';
import { touchedDays } from '../../src/features/study/calendar/study-walk-sql.ts';

type Queryable = { query<Row extends object>(text: string): Promise<Row[]> };

const hours = `VALUES ${requiredAmounts
  .filter(({ kind }) => kind === 'study_time')
  .map(({ id, amount }) => `(${id}, ${amount})`)
  .join()}`;
/** Shorter records earn nothing. */
const countedSeconds = 60;
const pending = `
  SELECT FROM background_jobs b WHERE b.kind = 'achievements' AND (b.payload ->> 'user_id')::bigint = u.user_id
  UNION ALL SELECT FROM session_imports i WHERE i.user_id = u.user_id AND i.finished_at IS NULL`;

/** Invariants that hold between transactions; each statement finds the rows that violate it. */
const violations: Readonly<Record<string, string>> = {
  'hours and counts of projects are those of their finished records': `
    SELECT p.id, p.current_seconds, p.current_hours, p.sessions_count, t.* FROM projects p
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(floor(extract(epoch FROM s.ended_at - s.started_at))), 0) AS seconds, count(*) AS number
      FROM study_sessions s WHERE s.project_id = p.id AND s.ended_at IS NOT NULL) AS t
    WHERE p.current_seconds <> t.seconds OR p.sessions_count <> t.number OR p.current_hours <> round(t.seconds / 3600.0, 2)`,

  'progress is the part of the target that is reached': `
    SELECT p.id, p.progress, p.current_seconds, p.target_hours FROM projects p
    WHERE p.progress <> CASE WHEN p.target_hours = 0 THEN 0
      WHEN p.current_seconds >= p.target_hours * 3600 THEN 100
      ELSE least(99.99, round(p.current_seconds / 36.0 / p.target_hours, 2)) END`,

  'the stored hours of users, the number, and the end of the latest, are those of their finished records': `
    SELECT u.id, k.seconds AS stored, t.seconds, k.sessions_count, t.number, k.last_session_at, t.latest FROM users u
    LEFT JOIN user_study_totals k ON k.user_id = u.id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(s.duration_seconds), 0) AS seconds, count(*) AS number, max(s.ended_at) AS latest
      FROM study_sessions s WHERE s.user_id = u.id AND s.ended_at IS NOT NULL) AS t
    WHERE coalesce(k.seconds, 0) <> t.seconds OR coalesce(k.sessions_count, 0) <> t.number OR k.last_session_at IS DISTINCT FROM t.latest`,

  'the totals of users in projects are those of their finished records': `
    SELECT user_id, project_id, k.seconds AS stored, k.hours, k.sessions_count, k.last_session, t.* FROM project_user_totals k
    FULL JOIN (
      SELECT s.user_id, s.project_id, sum(s.duration_seconds) AS seconds, count(*) AS number, max(s.ended_at) AS latest
      FROM study_sessions s WHERE s.ended_at IS NOT NULL GROUP BY s.user_id, s.project_id) AS t USING (user_id, project_id)
    WHERE (k.seconds, k.sessions_count, k.last_session) IS DISTINCT FROM (coalesce(t.seconds, 0), coalesce(t.number, 0), t.latest)
      OR k.hours <> round(k.seconds / 3600.0, 2)`,

  'the achievements for hours and progress are awarded, or will be by a job or an import': `
    SELECT p.id, h.id AS achievement_id FROM (
      SELECT p.*, (SELECT max(s.duration_seconds) FROM study_sessions s WHERE s.project_id = p.id AND s.ended_at IS NOT NULL) AS longest FROM projects p) p
    JOIN (${hours} UNION ALL SELECT 10, NULL) AS h (id, seconds) ON p.current_seconds >= h.seconds OR h.seconds IS NULL AND p.progress = 100
    WHERE p.longest >= ${countedSeconds} AND NOT EXISTS (SELECT FROM project_achievements a WHERE a.project_id = p.id AND a.achievement_id = h.id)
      AND NOT EXISTS (SELECT FROM background_jobs b WHERE b.kind = 'achievements' AND b.payload -> 'project_ids' @> to_jsonb(p.id))
      AND NOT EXISTS (SELECT FROM session_imports i WHERE i.finished_at IS NULL)
    UNION ALL
    SELECT u.user_id, h.id FROM user_study_totals u JOIN (${hours}) AS h (id, seconds) ON u.seconds >= h.seconds
    WHERE EXISTS (SELECT FROM study_sessions s WHERE s.user_id = u.user_id AND s.duration_seconds >= ${countedSeconds} AND s.ended_at IS NOT NULL)
      AND NOT EXISTS (SELECT FROM user_achievements a WHERE a.user_id = u.user_id AND a.achievement_id = h.id)
      AND NOT EXISTS (${pending})`,

  'the single assigned user is the first of the relation': `
    SELECT p.id, p.assigned_user_id, first.user_id FROM projects p
    LEFT JOIN LATERAL (
      SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id ORDER BY a.position, a.user_id LIMIT 1) AS first ON true
    WHERE p.assigned_user_id IS DISTINCT FROM first.user_id`,

  'nobody is assigned to a project in the trash, and no deleted user is assigned': `
    SELECT a.project_id, a.user_id FROM project_assignments a
    JOIN projects p ON p.id = a.project_id JOIN users u ON u.id = a.user_id
    WHERE p.deleted_at IS NOT NULL OR u.deleted_at IS NOT NULL`,

  'the former assignments of a project in the trash are stored': `
    SELECT id FROM projects WHERE deleted_at IS NOT NULL AND former_user_ids IS NULL`,

  'members of groups are counted, and no deleted user is one': `
    SELECT g.id, g.members_count, m.number, m.deleted FROM groups g
    CROSS JOIN LATERAL (
      SELECT count(*) AS number, count(*) FILTER (WHERE u.deleted_at IS NOT NULL) AS deleted
      FROM group_members k JOIN users u ON u.id = k.user_id WHERE k.group_id = g.id) AS m
    WHERE g.members_count <> m.number OR m.deleted > 0`,

  'columns copied to assignments and records match their project': `
    SELECT a.project_id, a.user_id FROM project_assignments a LEFT JOIN projects p ON p.id = a.project_id
    WHERE (a.owner_id, a.project_created_at) IS DISTINCT FROM (p.user_id, p.created_at)
    UNION ALL
    SELECT s.project_id, s.id FROM study_sessions s LEFT JOIN projects p ON p.id = s.project_id
    WHERE s.owner_id IS DISTINCT FROM p.user_id`,

  'projects are counted by month, status and category': `
    SELECT * FROM (
      SELECT month, status, category, sum(total) AS number FROM project_counts GROUP BY 1, 2, 3 HAVING sum(total) <> 0) AS stored
    FULL JOIN (
      SELECT date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month, status, category, count(*) AS number
      FROM projects WHERE deleted_at IS NULL GROUP BY 1, 2, 3) AS counted USING (month, status, category)
    WHERE stored.number IS DISTINCT FROM counted.number`,

  'records are counted by day, and timers separately': `
    SELECT * FROM (
      SELECT day, running, sum(total) AS number FROM session_counts GROUP BY 1, 2 HAVING sum(total) <> 0) AS stored
    FULL JOIN (
      SELECT (started_at AT TIME ZONE 'UTC')::date AS day, ended_at IS NULL AS running, count(*) AS number
      FROM study_sessions GROUP BY 1, 2) AS counted USING (day, running)
    WHERE stored.number IS DISTINCT FROM counted.number`,

  'the search texts match the projects': `
    SELECT p.id, f.project_id, f.content FROM (SELECT * FROM projects WHERE deleted_at IS NULL) AS p
    FULL JOIN project_search f ON f.project_id = p.id
    WHERE f.content IS DISTINCT FROM search_form(p.name || E'\\n' || p.description) OR f.created_at <> p.created_at`,

  'the status history of a project is contiguous up to the current status': `
    SELECT c.* FROM (
      SELECT h.id, h.project_id, h.from_status, h.to_status,
        lead(h.from_status) OVER (PARTITION BY h.project_id ORDER BY h.changed_at, h.id) AS next_status
      FROM project_status_changes h) AS c
    JOIN projects p ON p.id = c.project_id
    WHERE c.to_status <> coalesce(c.next_status, p.status) OR c.from_status = c.to_status`,

  'every version is positive': `
    SELECT user_id AS id, version FROM user_list_versions WHERE version < 1
    UNION ALL SELECT id, row_version FROM projects WHERE row_version < 1
    UNION ALL SELECT id, row_version FROM study_sessions WHERE row_version < 1`,

  'nothing was changed before it was created': `
    SELECT id, created_at, updated_at FROM projects WHERE updated_at < created_at
    UNION ALL SELECT id, created_at, updated_at FROM study_sessions WHERE updated_at < created_at
    UNION ALL SELECT id, created_at, updated_at FROM contact_requests WHERE updated_at < created_at`,

  'nobody has two timers, and none runs on a project in the trash': `
    SELECT s.user_id AS id FROM study_sessions s WHERE s.ended_at IS NULL GROUP BY s.user_id HAVING count(*) > 1
    UNION ALL
    SELECT s.id FROM study_sessions s JOIN projects p ON p.id = s.project_id
    WHERE s.ended_at IS NULL AND p.deleted_at IS NOT NULL`,

  'no two records of a person overlap': `
    SELECT a.id, b.id AS other FROM study_sessions a JOIN study_sessions b ON b.user_id = a.user_id AND b.id > a.id
    WHERE tstzrange(a.started_at, a.ended_at) && tstzrange(b.started_at, b.ended_at)`,

  'achievements belong to existing users': `
    SELECT a.* FROM user_achievements a WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = a.user_id)`,

  'deleted users have no sign-in': `
    SELECT i.id FROM sign_ins i JOIN users u ON u.id = i.user_id WHERE u.deleted_at IS NOT NULL AND i.revoked_at IS NULL`,

  'an administrator remains if any has acted': `
    SELECT count(*) AS acts FROM audit_log
    HAVING count(*) > 0 AND NOT EXISTS (SELECT FROM users WHERE role = 'admin' AND status = 'active')`,

  'every stored idempotency key has its response, or the id of what it created': `
    SELECT caller, path, key FROM idempotency_keys WHERE (status IS NULL OR body IS NULL) AND resource_id IS NULL`,

  'a finished import has no rows left, and a failed one has no records': `
    SELECT i.id, i.state FROM session_imports i JOIN session_import_rows r ON r.import_id = i.id
    WHERE i.finished_at IS NOT NULL
    UNION ALL SELECT i.id, i.state FROM session_imports i WHERE i.state IN ('failed', 'undone') AND i.imported <> 0`,

  'every constraint is enforced': `
    SELECT conname FROM pg_constraint WHERE NOT convalidated AND connamespace = 'public'::regnamespace`,
};

const readDays = `
  SELECT u.user_id, u.timezone AS zone, u.day_start_hour, u.rest_weekdays,
    array_agg(DISTINCT t.day - date '1970-01-01' ORDER BY t.day - date '1970-01-01') AS days,
    ARRAY(SELECT a.achievement_id FROM user_achievements a WHERE a.user_id = u.user_id) AS earned
  FROM (SELECT id AS user_id, timezone, day_start_hour, rest_weekdays FROM users WHERE deleted_at IS NULL) AS u
  JOIN study_sessions s ON s.user_id = u.user_id AND s.ended_at IS NOT NULL CROSS JOIN LATERAL
  ${compile(touchedDays({ zone: sql`u.timezone`, dayStart: sql`make_interval(hours => u.day_start_hour)` })).text}
  WHERE NOT EXISTS (${pending}) GROUP BY 1, 2, 3, 4`;
type Days = {
  user_id: number;
  zone: string;
  day_start_hour: number;
  rest_weekdays: number[];
  days: number[];
  earned: number[];
};

/** Users without the achievements for their longest streak. */
async function findMissingStreaks(database: Queryable): Promise<object[]> {
  const users = await database.query<Days>(readDays);
  return users.flatMap(({ user_id, zone, day_start_hour, rest_weekdays, days, earned }) => {
    const rules = { rest_weekdays, isSkipped: skippedDays(zone, day_start_hour) };
    const missing = idsEarned('streak', studyRuns(days, rules).longest).filter((id) => !earned.includes(id));
    return missing.length === 0 ? [] : [{ user_id, missing }];
  });
}

/** Some of the rows that violate an invariant, by invariant. */
export async function findViolations(database: Queryable): Promise<Record<string, object[]>> {
  const broken: Record<string, object[]> = {};
  for (const [rule, statement] of Object.entries(violations)) {
    const rows = await database.query<object>(`${statement} LIMIT 5`);
    if (rows.length > 0) broken[rule] = rows;
  }
  const missing = await findMissingStreaks(database);
  if (missing.length > 0)
    broken['the achievements for the longest streak are awarded, or will be by a job or an import'] = missing;
  return broken;
}

/** Fails if redundant data is inconsistent; call it while no request is in progress. */
export async function expectInvariants(database: Queryable): Promise<void> {
  expect(await findViolations(database)).toEqual({});
}
