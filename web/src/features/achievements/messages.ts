import type { Catalogue } from '../../lib/texts.ts';

export const awardMessages = {
  title: { en: 'Awards', zh: '成就' },
  earned: { en: 'Earned', zh: '已获得' },
  open: { en: 'Still to earn', zh: '尚未获得' },
  new: { en: 'new', zh: '新' },
  earned_now: { en: 'New award: {name}', zh: '获得新成就：{name}' },
  earned_today: { en: 'Earned today:', zh: '今天获得：' },
  show: { en: 'Show', zh: '查看' },
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
