import type { Catalogue } from './catalogue.ts';

export const achievementMessages = {
  statistics_not_yours: {
    en: 'You may only see your own statistics here.',
    zh: '您只能查看自己的统计数据。',
  },

  achievement_first_record: { en: 'First step', zh: '第一步' },
  achievement_first_record_about: { en: 'Complete the first study record.', zh: '完成第一条学习记录。' },
  achievement_hours_10: { en: 'Warming up', zh: '渐入佳境' },
  achievement_hours_10_about: { en: 'Study for 10 hours in total.', zh: '累计学习 10 小时。' },
  achievement_hours_50: { en: 'Steady hand', zh: '稳步前行' },
  achievement_hours_50_about: { en: 'Study for 50 hours in total.', zh: '累计学习 50 小时。' },
  achievement_hours_100: { en: 'Century', zh: '百时之功' },
  achievement_hours_100_about: { en: 'Study for 100 hours in total.', zh: '累计学习 100 小时。' },
  achievement_hours_500: { en: 'Master in the making', zh: '大师之路' },
  achievement_hours_500_about: { en: 'Study for 500 hours in total.', zh: '累计学习 500 小时。' },
  achievement_streak_3: { en: 'Getting going', zh: '三日之约' },
  achievement_streak_3_about: { en: 'Study on 3 days in a row.', zh: '连续学习 3 天。' },
  achievement_streak_7: { en: 'A full week', zh: '一周不断' },
  achievement_streak_7_about: { en: 'Study on 7 days in a row.', zh: '连续学习 7 天。' },
  achievement_streak_30: { en: 'Habit formed', zh: '习惯养成' },
  achievement_streak_30_about: { en: 'Study on 30 days in a row.', zh: '连续学习 30 天。' },
  achievement_streak_100: { en: 'Unstoppable', zh: '百日不辍' },
  achievement_streak_100_about: { en: 'Study on 100 days in a row.', zh: '连续学习 100 天。' },
  achievement_target_reached: { en: 'On target', zh: '达成目标' },
  achievement_target_reached_about: {
    en: 'Reach the target hours of a project you have studied on.',
    zh: '学习过的项目达到目标时长。',
  },
  achievement_early_bird: { en: 'Early bird', zh: '早起的鸟儿' },
  achievement_early_bird_about: {
    en: 'Start studying between 4 and 7 in the morning.',
    zh: '在清晨 4 点到 7 点之间开始学习。',
  },
  achievement_night_owl: { en: 'Night owl', zh: '夜猫子' },
  achievement_night_owl_about: {
    en: 'Study between 10 at night and 4 in the morning.',
    zh: '在晚上 10 点到凌晨 4 点之间学习。',
  },
} as const satisfies Catalogue;
