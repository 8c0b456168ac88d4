import type { Catalogue } from '../../lib/texts.ts';

export const calendarMessages = {
  title: { en: 'Calendar', zh: '日历' },
  about: {
    en: 'A secret address for your calendar app, with your records of a year and the due dates of your projects. Everybody who knows it can read them.',
    zh: '供日历订阅的私密地址：包含你一年内的学习记录和项目截止日期。知道该地址的人都能查看。',
  },
  none: { en: 'There is no address yet.', zh: '还没有地址。' },
  read: { en: 'last read {time}', zh: '最近读取 {time}' },
  unread: { en: 'not read yet', zh: '尚未读取' },
  since: { en: 'Created on {day}', zh: '创建于 {day}' },
  create: { en: 'Create address', zh: '创建地址' },
  replace: { en: 'Replace address', zh: '更换地址' },
  revoke: { en: 'Revoke address', zh: '撤销地址' },
  created: {
    en: 'Copy this address now; it is not shown again. An earlier one is no longer valid.',
    zh: '请立即复制此地址，之后不再显示。之前的地址已失效。',
  },
  address: { en: 'The new address', zh: '新地址' },
} as const satisfies Catalogue;
