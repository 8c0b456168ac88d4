import type { WriteContext } from '../../../actor.ts';
import type { Tx } from '../../../transactions/transactions.ts';
import { skippedDays } from '../calendar/study-figures.ts';
import { pausesOf, studyRuns } from '../calendar/study-runs.ts';
import { listShown } from '../project-access/project-sql.ts';
import { idsEarned, idsOf } from './achievement-catalogue.ts';
import type { Award, AwardedTo, Earning, EarningRow } from './achievement-repository.ts';
import * as achievements from './achievement-repository.ts';
import { listReached, type ReachedTarget } from './target-repository.ts';

/**
 * Awards what finished sessions of one or several users earn, dated by the session, in the transaction that has written them and so has
 * locked their projects and the totals of their users. Records the goals that they reach; `byOf`: by whom, if not the actor.
 */
export async function awardAchievements(
  tx: Tx,
  records: readonly Earning[],
  byOf: (goal: ReachedTarget) => WriteContext | undefined,
): Promise<void> {
  if (records.length === 0) return;
  const rows = await achievements.readEarnings(tx, records);
  const awards = [...(await earned(tx, rows, 'user')), ...(await earned(tx, rows, 'project'))];
  if (awards.length > 0) await achievements.give(tx, awards);
  const goals = rows
    .filter((row) => row.is_goal)
    .map(({ project_id, user_id, is_for_each }) => ({ project_id, user_id: is_for_each ? user_id : null }));
  await recordGoals(tx, [...new Map(goals.map((goal) => [keyOf(goal), goal])).values()], byOf);
}

/** Changes projects that the transaction has locked, and records the goals that are reached by it. */
export async function recordReached<Result>(
  tx: Tx,
  projectIds: readonly number[],
  change: () => Promise<Result>,
): Promise<Result> {
  const { result, reached } = await findReached(tx, projectIds, change);
  await recordGoals(tx, reached);
  return result;
}

/** Changes projects that the transaction has locked; `reached`: the goals that are reached by it. */
export async function findReached<Result>(
  tx: Tx,
  projectIds: readonly number[],
  change: () => Promise<Result>,
): Promise<{ result: Result; reached: ReachedTarget[] }> {
  if (projectIds.length === 0) return { result: await change(), reached: [] };
  const before = new Set((await listReached(tx, projectIds)).map(keyOf));
  const result = await change();
  const after = await listReached(tx, projectIds);
  return { result, reached: after.filter((goal) => !before.has(keyOf(goal))) };
}

/** Records the goals, found in earlier transactions, that are still reached. The caller has locked their projects. */
export async function recordStillReached(tx: Tx, goals: readonly ReachedTarget[]): Promise<void> {
  const found = new Set(goals.map(keyOf));
  const reached = await listReached(tx, [...new Set(goals.map((goal) => goal.project_id))]);
  await recordGoals(
    tx,
    reached.filter((goal) => found.has(keyOf(goal))),
  );
}

const keyOf = ({ project_id, user_id }: ReachedTarget) => `${project_id} ${user_id}`;

async function recordGoals(
  tx: Tx,
  goals: readonly ReachedTarget[],
  byOf: (goal: ReachedTarget) => WriteContext | undefined = () => undefined,
): Promise<void> {
  if (goals.length === 0) return;
  for (const project of await listShown(tx, [...new Set(goals.map((goal) => goal.project_id))]))
    for (const goal of goals.filter(({ project_id }) => project_id === project.id)) {
      const by = byOf(goal);
      tx.record({ type: 'goal.reached', project, user_id: goal.user_id, ...(by && { by }) });
    }
}

/** Awards a target that a project or, if each is to reach it, some users have reached because it was lowered: by the change. */
export async function awardTarget(tx: Tx, { id, updated_at }: { id: number; updated_at: string }) {
  await achievements.give(
    tx,
    idsOf('target').map((target) => ({ to: 'project', owner: id, id: target, at: updated_at })),
  );
}

async function earned(tx: Tx, rows: readonly EarningRow[], to: AwardedTo): Promise<Award[]> {
  const streaks = await longestStreaks(tx, rows, to);
  return rows.flatMap((row, index) => {
    const earning = [
      ...idsEarned('study_time', row[`${to}_seconds`]),
      ...idsEarned('early_bird', row.early_bird ? 1 : 0),
      ...idsEarned('night_owl', row.night_owl ? 1 : 0),
      ...idsEarned('streak', streaks[index] ?? 0),
    ];
    const ids = row.is_counted ? earning.filter((id) => !row[`by_${to}`].includes(id)) : [];
    // Also if the project has it: the target may have been raised, and others take part now.
    if (to === 'project' ? row.reached : row.reached_by_user) ids.push(...idsOf('target'));
    return ids.map((id) => ({ to, owner: row[`${to}_id`], id, at: row.ended_at }));
  });
}

/** The longest streak with one of the days that were not studied before each record; 0 if there is none. */
async function longestStreaks(tx: Tx, rows: readonly EarningRow[], of: AwardedTo): Promise<number[]> {
  const starts = rows.flatMap((row, index) =>
    row[`${of}_days`].map((day) => ({ index, start: { id: row[`${of}_id`], user_id: row.user_id, day } })),
  );
  if (starts.length === 0) return rows.map(() => 0);
  const walks = await achievements.walkDays(
    tx,
    of,
    starts.map(({ start }) => start),
  );
  return rows.map((row, index) => {
    const { rest_weekdays } = row;
    const isSkipped = skippedDays(row.zone, row.day_start_hour);
    const lengths = walks
      .filter((_, position) => starts[position]?.index === index)
      .map(
        ({ days, off, school, changes }) =>
          studyRuns(days, { rest_weekdays, off, school, isSkipped, pauses: pausesOf(changes) }).longest,
      );
    return Math.max(0, ...lengths);
  });
}
