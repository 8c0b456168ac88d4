import { type Locale, translate } from '../../../texts/index.ts';

/** In the order of their ids, from 1. */
export const achievementNames = [
  'first_record',
  'hours_10',
  'hours_50',
  'hours_100',
  'hours_500',
  'streak_3',
  'streak_7',
  'streak_30',
  'streak_100',
  'target_reached',
  'early_bird',
  'night_owl',
] as const;

export type Achievement = { id: number; name: string; description: string; icon: string };

export function describeAchievement(id: number, locale: Locale): Achievement {
  const key = achievementNames[id - 1];
  if (key === undefined) throw new Error(`achievement ${id} is not in the catalogue`);
  return {
    id,
    name: translate({ key: `achievement_${key}` }, locale),
    description: translate({ key: `achievement_${key}_about` }, locale),
    icon: `/achievements/${key}.svg`,
  };
}

export const achievementKinds = ['study_time', 'streak', 'target', 'early_bird', 'night_owl'] as const;
export type AchievementKind = (typeof achievementKinds)[number];
type Requirement = { kind: AchievementKind; amount: number };

/** In seconds, days of a streak, percent of the target, or records. */
const requirements: Record<(typeof achievementNames)[number], Requirement> = {
  first_record: { kind: 'study_time', amount: 1 },
  hours_10: { kind: 'study_time', amount: 10 * 3600 },
  hours_50: { kind: 'study_time', amount: 50 * 3600 },
  hours_100: { kind: 'study_time', amount: 100 * 3600 },
  hours_500: { kind: 'study_time', amount: 500 * 3600 },
  streak_3: { kind: 'streak', amount: 3 },
  streak_7: { kind: 'streak', amount: 7 },
  streak_30: { kind: 'streak', amount: 30 },
  streak_100: { kind: 'streak', amount: 100 },
  target_reached: { kind: 'target', amount: 100 },
  early_bird: { kind: 'early_bird', amount: 1 },
  night_owl: { kind: 'night_owl', amount: 1 },
};

/** All achievements with what they require; their ids are numbered from 1. */
export const requiredAmounts = achievementNames.map((name, index) => ({ id: index + 1, ...requirements[name] }));

/** The ids of the achievements of a kind that an amount earns. */
export const idsEarned = (of: AchievementKind, by: number): number[] =>
  requiredAmounts.filter(({ kind, amount }) => kind === of && by >= amount).map(({ id }) => id);

/** The ids of all achievements of a kind. */
export const idsOf = (of: AchievementKind): number[] =>
  requiredAmounts.filter(({ kind }) => kind === of).map(({ id }) => id);

export const longestStreak = Math.max(...requiredAmounts.map(({ kind, amount }) => (kind === 'streak' ? amount : 0)));
