import type { TransactionStore } from '../../store.ts';
import { skippedDays } from '../statistics/study-figures.ts';
import { pausesOf, studyRuns } from '../statistics/study-runs.ts';
import { idsEarned, idsOf } from './achievement-catalogue.ts';
import type { Award, AwardedTo, Earning, EarningRow } from './achievement-repository.ts';

/**
 * Awards what finished sessions of one or several users earn, dated by the session, in the transaction that has written them and so has
 * locked their projects and the totals of their users. Returns the projects whose target they reached.
 */
export async function awardAchievements(tx: TransactionStore, records: readonly Earning[]): Promise<Set<number>> {
  if (records.length === 0) return new Set();
  const rows = await tx.achievements.readEarnings(records);
  const awards = [...(await earned(tx, rows, 'user')), ...(await earned(tx, rows, 'project'))];
  if (awards.length > 0) await tx.achievements.give(awards);
  return new Set(rows.filter((row) => row.reached).map((row) => row.project_id));
}

/** Awards a target that a project has reached because it was lowered: by the change, not by a record. */
export async function awardTarget(tx: TransactionStore, { id, updated_at }: { id: number; updated_at: string }) {
  await tx.achievements.give(
    idsOf('target').map((target) => ({ to: 'project', owner: id, id: target, at: updated_at })),
  );
}

async function earned(tx: TransactionStore, rows: readonly EarningRow[], to: AwardedTo): Promise<Award[]> {
  const streaks = await longestStreaks(tx, rows, to);
  return rows.flatMap((row, index) => {
    const ids = [
      ...idsEarned('study_time', row[`${to}_seconds`]),
      ...idsEarned('early_bird', row.early_bird ? 1 : 0),
      ...idsEarned('night_owl', row.night_owl ? 1 : 0),
      ...idsEarned('streak', streaks[index] ?? 0),
    ].filter((id) => !row[`by_${to}`].includes(id));
    // Also if the project has it: the target may have been raised, and others take part now.
    if (to === 'project' && row.reached) ids.push(...idsOf('target'));
    return ids.map((id) => ({ to, owner: row[`${to}_id`], id, at: row.ended_at }));
  });
}

/** The longest streak with one of the days that were not studied before each record; 0 if there is none. */
async function longestStreaks(
  { achievements }: TransactionStore,
  rows: readonly EarningRow[],
  of: AwardedTo,
): Promise<number[]> {
  const starts = rows.flatMap((row, index) =>
    row[`${of}_days`].map((day) => ({ index, start: { id: row[`${of}_id`], user_id: row.user_id, day } })),
  );
  if (starts.length === 0) return rows.map(() => 0);
  const walks = await achievements.walkDays(
    of,
    starts.map(({ start }) => start),
  );
  return rows.map((row, index) => {
    const rules = { restWeekdays: row.rest_weekdays, isSkipped: skippedDays(row.zone, row.day_start_hour) };
    const lengths = walks
      .filter((_, position) => starts[position]?.index === index)
      .map(({ days, changes }) => studyRuns(days, { ...rules, pauses: pausesOf(changes) }).longest);
    return Math.max(0, ...lengths);
  });
}
