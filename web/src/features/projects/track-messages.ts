import type { Catalogue } from '../../lib/texts.ts';

/** Texts about goals: how far one is, and whether it is on track. */
export const trackMessages = {
  ahead: { en: 'Ahead', zh: '进度领先' },
  on_track: { en: 'On track', zh: '进度正常' },
  slowing: { en: 'Slowing', zh: '进度放缓' },
  behind: { en: 'Behind', zh: '落后' },
  behind_by: { en: 'Behind {hours}', zh: '落后 {hours}' },
  hours_behind: { en: '{hours} behind', zh: '落后 {hours}' },
  due_on: { en: 'Due {date}', zh: '{date}截止' },
  week_open: { en: 'Weekly goal: {duration} until {day}', zh: '每周目标：{day}前还差 {duration}' },
  week_reached: { en: 'Weekly goal reached', zh: '本周目标已达成' },
  overdue: { en: 'Overdue', zh: '已逾期' },
  done: { en: 'Reached', zh: '已达成' },
  not_started: { en: 'Not started', zh: '未开始' },
  paused: { en: 'Paused', zh: '已暂停' },
  no_target: { en: 'No target', zh: '没有目标' },
  shared: { en: 'Shared target', zh: '共同目标' },
  of: { en: '/ {target}', zh: '/ {target}' },
  together: { en: 'all together {done} of {target}', zh: '共同完成 {done} / {target}' },
  due: {
    en: { one: '{date} · {count} day', other: '{date} · {count} days' },
    zh: '{date} · {count} 天',
  },
  was_due: { en: 'was due {date}', zh: '{date} 已截止' },
  progress_of: { en: 'Your progress in {name}', zh: '{name} 的个人进度' },
  even_pace: { en: 'even pace: {percent} %', zh: '匀速进度：{percent}%' },
} as const satisfies Catalogue;
