import type { Reader } from '../../../actor.ts';
import { empty, sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne } from '../../../db/statements.ts';
import { groupsInScope } from '../../../transactions/scope-sql.ts';
import { dayStartOf, todayOf } from '../../study/calendar/study-days.ts';
import { joinGoal } from '../../study/goals/goal-sql.ts';
import { goalStates } from '../../study/goals/goal-states.ts';
import { assignedProjects, ownProjects, percentOf } from '../../study/project-access/project-sql.ts';
import { readerOf, shownProjectName } from '../../study/study-sessions/session-sql.ts';

/** With those of the groups that the reader sees. */
export const findStudent = maybeOne(
  'find_student_of_report',
  { display_name: t.text, timezone: t.text, groups: t.texts },
  ({ id: readerId, role }: Reader, id: number) => sql`
    SELECT u.display_name, u.timezone, ARRAY(
      SELECT g.name FROM group_members m JOIN groups g ON g.id = m.group_id WHERE m.user_id = u.id
        ${role === 'class_admin' ? sql`AND g.id IN (${groupsInScope(t.bigint(readerId))})` : empty} ORDER BY lower(g.name)
    ) AS groups
    FROM users u WHERE u.id = ${t.bigint(id)} AND u.deleted_at IS NULL`,
);

const projectColumns = {
  id: t.bigint,
  name: t.text,
  total_hours: t.numeric,
  target_hours: t.numeric,
  is_shared_target: t.boolean,
  progress: t.numeric.orNull,
  due_date: t.date.orNull,
  state: t.oneOf(goalStates).orNull,
  /** The number of active projects that were not studied in the period. */
  others: t.bigint,
};

type ReportDays = { zone: string; from: string; to: string; now: Date };

// Goals only of projects that are the student's now.
/** The given projects, in this order, then active ones that were not studied in the period, by due date. */
export const listProjects = many(
  'list_projects_of_report',
  projectColumns,
  (reader: Reader, userId: number, studied: readonly number[], { zone, from, to, now }: ReportDays, limit: number) => {
    const user = t.bigint(userId);
    const calendar = { zone: t.text(zone), user_id: user, now: t.timestamptz(now) };
    return sql`
      WITH seen AS MATERIALIZED (${ownProjects(user)} UNION ALL ${assignedProjects(user)}),
      unstudied AS MATERIALIZED (
        SELECT s.id FROM seen s WHERE s.id NOT IN (
          SELECT k.project_id FROM study_sessions k
          WHERE k.user_id = ${user} AND k.started_at < ${dayStartOf(sql`${t.date(to)} + 1`, calendar)}
            AND k.started_at > ${dayStartOf(sql`${t.date(from)}`, calendar)} - interval '1 day'
            AND k.ended_at > ${dayStartOf(sql`${t.date(from)}`, calendar)})),
      others AS MATERIALIZED (
        SELECT p.id, p.due_date FROM unstudied s JOIN projects p ON p.id = s.id WHERE p.status = 'active')
      SELECT p.id, ${shownProjectName(readerOf(reader))} AS name, coalesce(k.hours, 0) AS total_hours,
        CASE WHEN s.id IS NULL THEN 0 ELSE p.target_hours END AS target_hours,
        p.user_id <> ${user} AND p.target_scope <> 'each' AS is_shared_target,
        CASE WHEN s.id IS NOT NULL AND p.target_hours > 0 AND (p.user_id = ${user} OR p.target_scope = 'each')
          THEN ${percentOf(sql`k.seconds`, sql`p.target_hours`)} END AS progress,
        CASE WHEN s.id IS NULL THEN NULL ELSE p.due_date END AS due_date,
        CASE WHEN s.id IS NOT NULL AND goal.own AND goal.state <> 'no_target' THEN goal.state END AS state,
        (SELECT count(*) FROM others) AS others
      FROM (
        SELECT * FROM unnest(${t.bigints(studied)}) WITH ORDINALITY AS g (id, position)
        -- After the studied ones.
        UNION ALL (SELECT o.id, 1000000 + row_number() OVER (ORDER BY o.due_date, o.id) FROM others o
          ORDER BY o.due_date, o.id LIMIT ${t.bigint(limit)})) AS g
      JOIN projects p ON p.id = g.id LEFT JOIN seen s ON s.id = p.id
      LEFT JOIN project_user_totals k ON k.user_id = ${user} AND k.project_id = p.id
      CROSS JOIN (${todayOf(calendar)} OFFSET 0) AS today ${joinGoal(user, calendar)}
      ORDER BY g.position LIMIT ${t.bigint(limit)}`;
  },
);
