import type { Catalogue } from '../../lib/texts.ts';

export const effectMessages = {
  title: { en: 'What this changes', zh: '保存后的影响' },
  not_saved: { en: 'Not saved', zh: '未保存' },
  saved: { en: 'Saved {time}', zh: '{time} 已保存' },
  removed: { en: 'Deleted {time}', zh: '{time} 已删除' },
  entry: { en: '{name}, {dates}', zh: '{name}，{dates}' },
  off: { en: 'off', zh: '放假' },
  example: { en: 'For example, the streak of {name}', zh: '例如，{name} 的连续天数' },
  streak_own: {
    en: 'The streak changes from {before} to {after} days',
    zh: '连续天数由 {before} 天变为 {after} 天',
  },
  goal_own: { en: '{project}: {what}', zh: '{project}：{what}' },
  counted: {
    en: 'Streaks and awards of earlier days are being counted again; that takes about a minute.',
    zh: '正在重新计算过去日期的连续天数和成就，约需一分钟。',
  },
  loading: { en: 'Computing what changes', zh: '正在计算影响' },
  choose: {
    en: 'Enter dates to see which streaks and goals change.',
    zh: '填写日期后，可查看哪些连续天数和目标会变化。',
  },
  nothing: {
    en: 'No current streak and no goal changes.',
    zh: '当前的连续天数和目标均无变化。',
  },
  students: {
    en: { one: 'Applies to {count} student.', other: 'Applies to {count} students.' },
    zh: '适用于 {count} 名学生。',
  },
  streaks: {
    en: { one: 'The streak of {count} student changes', other: 'The streaks of {count} students change' },
    zh: '{count} 名学生的连续天数会变化',
  },
  streak: { en: '{name}: {before} → {after} days', zh: '{name}：{before} → {after} 天' },
  goals: { en: { one: '{count} goal changes', other: '{count} goals change' }, zh: '{count} 个目标会变化' },
  goal: { en: '{name}, {project}: {what}', zh: '{name}，{project}：{what}' },
  state: { en: '{before} → {after}', zh: '{before} → {after}' },
  minutes: { en: '{before} → {after} min a day', zh: '每天 {before} → {after} 分钟' },
  both: { en: '{state}, {minutes}', zh: '{state}，{minutes}' },
  more: { en: 'and {count} more', zh: '另有 {count} 项' },
  quiet: {
    en: {
      one: 'No reminders to {count} student on these days',
      other: 'No reminders to {count} students on these days',
    },
    zh: '这些天不会提醒 {count} 名学生学习',
  },
  quiet_own: { en: 'No reminders on these days', zh: '这些天不会发送学习提醒' },
  kept_hours: {
    en: 'Time recorded on these days stays as it is: {hours}.',
    zh: '这些天已记录的学习时间保持不变：{hours}。',
  },
  kept: {
    en: 'Recorded time stays as it is: study on a day off counts.',
    zh: '已记录的学习时间不变：放假期间的学习照常计入。',
  },
  later: {
    en: 'Streaks and awards of earlier days are counted again after you save; that takes about a minute.',
    zh: '保存后会重新计算过去日期的连续天数和成就，约需一分钟。',
  },
} as const satisfies Catalogue;
