import type { Catalogue } from '../../lib/texts.ts';

export const daysOffMessages = {
  title: { en: 'Days off', zh: '请假' },
  about: { en: 'Ill or travelling: such days never break a streak.', zh: '生病、外出等：这些日子不会中断连续学习。' },
  about_student: {
    en: 'Excused days never break a streak, also afterwards; they do not count among the 60 days of the student.',
    zh: '准假的日子不会中断连续学习，也可事后补录；不占用学生的 60 天。',
  },
  add: { en: 'Add days off', zh: '添加请假' },
  excuse: { en: 'Excuse', zh: '准假' },
  left: { en: '{left} of {count} left this year', zh: '今年还剩 {left} 天，共 {count} 天' },
  taken: { en: '{count} taken', zh: '已请 {count} 天' },
  planned: { en: '{count} planned', zh: '已安排 {count} 天' },
  none: { en: 'There are none.', zh: '暂无请假。' },
  reason: { en: 'Reason', zh: '原因' },
  reason_hint: { en: 'Only you and your teachers see it.', zh: '只有你和老师能看到。' },
  reason_hint_student: { en: 'The student and administrators see it.', zh: '学生本人和管理员可以看到。' },
  count: { en: { one: '{count} day', other: '{count} days' }, zh: '{count} 天' },
  over: { en: 'Over', zh: '已结束' },
  now: { en: 'Now', zh: '进行中' },
  ahead: { en: { one: 'In {count} day', other: 'In {count} days' }, zh: '{count} 天后' },
  by_school: { en: 'set by an administrator', zh: '由管理员设置' },
  by_student: { en: 'set by the student', zh: '由学生设置' },
  edit: { en: 'Edit {dates}', zh: '修改{dates}' },
  delete: { en: 'Delete', zh: '删除' },
  deleted: { en: 'The days off were deleted.', zh: '已删除该请假。' },
  holidays: {
    en: 'School holidays are set by your school and use none of these days.',
    zh: '学校放假由学校统一设置，不占用这些天数。',
  },
  holidays_next: {
    en: 'School holidays are set by your school and use none of these days. Next: {dates}, {name}.',
    zh: '学校放假由学校统一设置，不占用这些天数。下一次：{dates}，{name}。',
  },
} as const satisfies Catalogue;
