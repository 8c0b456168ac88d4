import type { Catalogue } from '../../lib/texts.ts';

export const awardMessages = {
  title: { en: 'Awards', zh: '成就' },
  earned: { en: 'Earned', zh: '已获得' },
  earned_on: { en: 'earned on {date}', zh: '{date} 获得' },
  none: {
    en: 'Nothing earned yet: the first record earns the first award.',
    zh: '还没有成就，完成第一条记录即可获得第一个。',
  },
  next: { en: 'Next', zh: '接下来' },
  all: { en: 'You have earned all awards.', zh: '你已获得全部成就。' },
  so_far: { en: '{done} of {all}', zh: '{done} / {all}' },
  days: { en: { one: '{count} day', other: '{count} days' }, zh: '{count} 天' },
  progress_of: { en: 'Progress of {name}', zh: '{name} 的进度' },
} as const satisfies Catalogue;
