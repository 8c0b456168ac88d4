import { type Executor, sql } from '../../db/database.ts';

const listByUser = sql(`
  SELECT a.achievement_id AS id, a.earned_at FROM user_achievements a WHERE a.user_id = $1`);

/** What was earned; the database gives it together with the record that earns it. */
export type Earned = { id: number; earned_at: string };

export function createAchievementRepository(db: Executor) {
  return {
    listByUser: (userId: number) => db.rows<Earned>(listByUser, [userId]),
  };
}

export type AchievementRepository = ReturnType<typeof createAchievementRepository>;
