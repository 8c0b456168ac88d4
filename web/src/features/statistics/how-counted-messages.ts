import type { Catalogue } from '../../lib/texts.ts';

/** The definitions of the figures, and rules shared by several. */
export const howCountedMessages = {
  records: { en: 'Show the records behind it', zh: '查看相关记录' },

  today: { en: 'The total time recorded today.', zh: '今天所有记录的时长之和。' },
  this_week: {
    en: 'The total time of all records since {weekday}, the first day of your week.',
    zh: '从{weekday}（每周第一天）起所有记录的时长之和。',
  },
  streak: {
    en: 'Days in a row with study, up to today or yesterday. A day counts as soon as it has a record.',
    zh: '截至今天或昨天连续学习的天数，当天有记录即计入。',
  },
  longest_streak: {
    en: 'The longest run of days with study since your first record, whichever period is shown.',
    zh: '自第一条记录以来连续学习天数的最长纪录，与所选时间段无关。',
  },
  study_days: { en: 'Days with at least one record.', zh: '至少有一条记录的天数。' },
  total: { en: 'The total time of all finished records.', zh: '所有已完成记录的时长之和。' },
  per_day: {
    en: 'The total time of the period, divided by its days without those to come.',
    zh: '该时间段的总时长除以天数，不含尚未到来的日子。',
  },
  hours: {
    en: 'The time of all records of the period, by weekday and hour. The darkest squares have the most time.',
    zh: '该时间段的记录按星期与小时统计，颜色最深处时间最多。',
  },
  average: {
    en: 'The time of all finished records, divided by their number.',
    zh: '所有已完成记录的总时长除以记录数。',
  },
  longest_record: { en: 'The longest of all finished records.', zh: '所有已完成记录中最长的一条。' },
  days: {
    en: 'The time of each day. In the study calendar the colours are quarters of your study days, the darkest with the most time.',
    zh: '每天的学习时间。在学习日历中，颜色按你的学习日四等分，最深者时间最多。',
  },
  weeks: {
    en: 'The time of each week. A week without study is 0.',
    zh: '每周的学习时间；没有学习的周为 0。',
  },
  projects: { en: 'The 20 projects with the most time.', zh: '用时最多的 20 个项目。' },
  progress: {
    en: 'The time of all members on this project, as a share of its target hours, 100 % at most.',
    zh: '所有成员在此项目上的时长占目标时长的比例，最多 100%。',
  },

  day: { en: 'A day begins at {hour}, in the time zone {zone}.', zh: '每天从 {hour} 开始，时区为 {zone}。' },
  split: {
    en: 'A record that runs past {hour} is split between both days.',
    zh: '跨过 {hour} 的记录会拆分并分别计入两天。',
  },
  rest: {
    en: 'Your rest days ({days}) neither break nor extend a streak; study on them counts.',
    zh: '休息日（{days}）不会中断也不会延长连续天数，当天学习仍然计入。',
  },
  no_rest: { en: 'You have no rest days; you can choose some under Settings.', zh: '未设置休息日，可在“设置”中选择。' },
  pauses: {
    en: 'Days on which the project is paused or completed neither break nor extend the streak.',
    zh: '项目暂停或完成期间，连续天数不会中断也不会延长。',
  },
  everybody: { en: 'Includes the records of everybody on this project.', zh: '包含此项目所有成员的记录。' },
  running: { en: 'A running timer counts once it is stopped.', zh: '正在计时的时间在停止后计入。' },
  auto_stopped: {
    en: 'A timer left running is stopped automatically after some hours, and its record is marked. Correct the record, and all figures are updated.',
    zh: '忘记停止的计时会在数小时后自动停止并标记；更正记录后，所有数字随之更新。',
  },
  deleted: {
    en: 'Records on paused, completed and deleted projects count, too.',
    zh: '已暂停、已完成和已删除项目的记录同样计入。',
  },
} as const satisfies Catalogue;
