import type { Tx } from '../../../transactions/transactions.ts';
import { skippedDays } from '../calendar/study-figures.ts';
import { pausesOf, studyRuns } from '../calendar/study-runs.ts';
import { idsEarned, idsOf } from './achievement-catalogue.ts';
import type { Award, AwardedTo, Earning, EarningRow } from './achievement-repository.ts';
import * as achievements from './achievement-repository.ts';

/**
 * Awards what finished sessions of one or several users earn, dated by the session, in the transaction that has written them and so has
 * locked their projects and the totals of their users. Returns the projects whose target they reached.
 */
export async function awardAchievements(tx: Tx, records: readonly Earning[]): Promise<Set<number>> {
  if (records.length === 0) return new Set();
  const rows = await achievements.readEarnings(tx, records);
  const awards = [...(await earned(tx, rows, 'user')), ...(await earned(tx, rows, 'project'))];
  if (awards.length > 0) await achievements.give(tx, awards);
  return new Set(rows.filter((row) => row.reached).map((row) => row.project_id));
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
