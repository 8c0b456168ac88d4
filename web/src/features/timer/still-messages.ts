import type { Catalogue } from '../../lib/texts.ts';

export const stillMessages = {
  still: { en: 'Still studying?', zh: '还在学习吗？' },
  still_about: {
    en: 'The timer has run for {duration}; your longest record lately is {usual}.',
    zh: '已计时 {duration}，最近最长的记录是 {usual}。',
  },
  usual: { en: 'usual length', zh: '平时的长度' },
  other: { en: 'Other time', zh: '其他时间' },
  go_on: { en: 'Still going', zh: '还在学' },
  ended_at: { en: 'End', zh: '结束时间' },
  end_at: { en: 'End at {time}', zh: '在 {time} 结束' },
  not_a_time: { en: 'A time such as 16:05.', zh: '请输入时间，如 16:05。' },
} as const satisfies Catalogue;
