import type { Executor } from '../../db/executor.ts';
import { sql } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

/** The kinds that the database function achievement_thresholds accepts. */
export const achievementKinds = ['study_time', 'streak', 'target', 'early_bird', 'night_owl'] as const;

const listAchievements = query(
  'list_achievements',
  { id: t.integer, kind: t.oneOf(achievementKinds), amount: t.bigint, earned_at: t.timestamptz.orNull },
  (userId: number) => sql`
    SELECT a.id, k.kind, (achievement_thresholds(k.kind))[a.id] AS amount, e.earned_at
    FROM unnest(${t.texts(achievementKinds)}) AS k (kind)
    CROSS JOIN LATERAL generate_subscripts(achievement_thresholds(k.kind), 1) AS a (id)
    LEFT JOIN user_achievements e ON e.user_id = ${t.bigint(userId)} AND e.achievement_id = a.id
    ORDER BY a.id`,
);

/** All achievements, and when the user earned them. Triggers insert earned ones in the transaction that earns them. */
export function createAchievementRepository(db: Executor) {
  return {
    list: (userId: number) => db.many(listAchievements(userId)),
  };
}
