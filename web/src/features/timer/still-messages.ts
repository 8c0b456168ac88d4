import type { Catalogue } from '../../lib/texts.ts';

export const stillMessages = {
  still: {
    en: 'Still studying? The timer has run for {duration}, longer than usual.',
    zh: '还在学习吗？已计时 {duration}，比平时更久。',
  },
  go_on: { en: 'Go on', zh: '继续' },
  ended_at: { en: 'End', zh: '结束时间' },
  end_at: { en: 'End at {time}', zh: '在 {time} 结束' },
  not_a_time: { en: 'A time such as 16:05.', zh: '请输入时间，如 16:05。' },
  discard: { en: 'Discard', zh: '放弃' },
} as const satisfies Catalogue;
