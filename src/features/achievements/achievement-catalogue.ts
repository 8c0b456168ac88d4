import { type Locale, translate } from '../../messages/index.ts';

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
