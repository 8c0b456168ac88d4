import type { Catalogue } from '../../lib/texts.ts';

export const importMessages = {
  open: { en: 'Import .ics', zh: '导入 .ics' },
  title: { en: 'Import a calendar', zh: '导入日历' },
  select: { en: 'Select a calendar file', zh: '选择日历文件' },
  drop: { en: 'or drop it here', zh: '或拖放到此处' },
  about: {
    en: 'An .ics file with all-day events, at most 500. Nothing is saved before you have seen what it adds.',
    zh: '包含全天日程的 .ics 文件，最多 500 个日程。确认预览后才会保存。',
  },
  file: { en: '{name}: {count} events', zh: '{name}：{count} 个日程' },
  event: { en: 'Event', zh: '日程' },
  becomes: { en: 'Becomes', zh: '导入为' },
  becomes_of: { en: '{name} becomes', zh: '“{name}”导入为' },
  off: { en: 'Day off', zh: '放假' },
  school_day: { en: 'School day', zh: '调休上课' },
  ignored: { en: 'Not imported', zh: '不导入' },
  unnamed: { en: 'Event {number}', zh: '第 {number} 个日程' },
  timed: { en: 'Has a time of day', zh: '不是全天日程' },
  exists: { en: 'Is in the school year already', zh: '校历中已有' },
  repeats: { en: 'Repeats; add its days by hand', zh: '重复日程，请手动添加' },
  cancelled: { en: 'Is cancelled', zh: '已取消' },
  no_name: { en: 'Has no name', zh: '没有名称' },
  no_dates: { en: 'Has no usable dates', zh: '日期无效' },
  too_long: { en: 'Is longer than 366 days', zh: '超过 366 天' },
  unreadable: { en: 'Cannot be read', zh: '无法读取' },
  add: { en: { one: 'Add {count} entry', other: 'Add {count} entries' }, zh: '添加 {count} 条' },
  added: {
    en: { one: '{count} entry was added.', other: '{count} entries were added.' },
    zh: '已添加 {count} 条。',
  },
  other_file: { en: 'Another file', zh: '换一个文件' },
} as const satisfies Catalogue;
