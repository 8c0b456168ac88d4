import type { Catalogue } from '../../lib/texts.ts';

export const focusMessages = {
  focus: { en: 'Focus mode', zh: '专注模式' },
  leave: { en: 'Leave focus mode', zh: '退出专注模式' },
  small_window: { en: 'Small window', zh: '小窗' },
  plan: { en: 'Length', zh: '时长' },
  open_end: { en: 'Open end', zh: '不限时' },
  until_done: { en: 'Until done', zh: '直到完成目标' },
  break: { en: 'Break', zh: '休息' },
  break_now: { en: 'Break now', zh: '现在休息' },
  break_over: { en: 'The break is over.', zh: '休息结束。' },
  go_on: { en: 'Go on', zh: '继续' },
  stop: { en: 'Stop', zh: '停止' },
  round: { en: 'round {round} of {rounds}', zh: '第 {round} / {rounds} 轮' },
  break_at: { en: 'break at {time}', zh: '{time} 休息' },
  reached: { en: 'Time for a break.', zh: '该休息了。' },
  today: { en: 'Today {done}', zh: '今天 {done}' },
  today_of: { en: 'Today {done} of {goal}', zh: '今天 {done} / {goal}' },
} as const satisfies Catalogue;
