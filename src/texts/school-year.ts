import type { Catalogue } from './catalogue.ts';

/** Terms, days off and make-up days. */
export const schoolYearMessages = {
  term_created: { en: 'The term was created.', zh: '学期已创建。' },
  term_updated: { en: 'The term was changed.', zh: '学期已修改。' },
  term_deleted: { en: 'The term was deleted.', zh: '学期已删除。' },
  term_not_found: { en: 'There is no such term.', zh: '学期不存在。' },
  term_overlaps: { en: 'overlaps {name}', zh: '与“{name}”的日期重叠' },
  too_many_terms: {
    en: 'There are already {maximum} terms; delete old ones first.',
    zh: '学期已达 {maximum} 个，请先删除旧学期。',
  },
  school_day_created: { en: 'The days were added.', zh: '日期已添加。' },
  school_day_updated: { en: 'The days were changed.', zh: '日期已修改。' },
  school_day_deleted: { en: 'The days were deleted.', zh: '日期已删除。' },
  school_day_not_found: { en: 'There are no such days off or make-up days.', zh: '该放假或调休安排不存在。' },
  too_many_school_days: {
    en: 'There can be at most {maximum} entries; delete old ones first.',
    zh: '放假和调休安排最多 {maximum} 条，请先删除旧的安排。',
  },
  calendar_unknown: {
    en: 'is no calendar in iCalendar format (.ics); export the calendar again',
    zh: '不是 iCalendar（.ics）格式的日历文件，请重新导出日历',
  },
  calendar_empty: { en: 'has no events', zh: '没有日程' },
  calendar_too_long: {
    en: 'has {count} events, at most {maximum} are read; export a shorter period',
    zh: '共有 {count} 个日程，最多读取 {maximum} 个，请缩短导出的时间范围',
  },
  calendar_no_event: { en: 'the file has no event {number}', zh: '文件中没有第 {number} 个日程' },
  calendar_chosen_twice: {
    en: 'event {number}, “{name}”, is chosen more than once',
    zh: '第 {number} 个日程“{name}”被重复选择',
  },
  calendar_left_out: {
    en: 'event {number}, “{name}”, cannot be imported; its `left_out` says why',
    zh: '第 {number} 个日程“{name}”不能导入，原因见 left_out',
  },
  calendar_imported: { en: 'Days were added: {added}.', zh: '已添加 {added} 条安排。' },
  school_year_not_yours: {
    en: 'You can read only your own school year.',
    zh: '只能查看自己的校历。',
  },
  nothing_saved: { en: 'Nothing was saved.', zh: '未保存任何更改。' },
  days_off_created: { en: 'The days off were added.', zh: '请假已添加。' },
  days_off_updated: { en: 'The days off were changed.', zh: '请假已修改。' },
  days_off_deleted: { en: 'The days off were deleted.', zh: '请假已删除。' },
  days_off_not_found: { en: 'There are no such days off.', zh: '该请假不存在。' },
  days_off_not_own: { en: 'These days off were set by an administrator.', zh: '该请假由管理员设置，不能自行修改。' },
  days_off_used_up: {
    en: 'more than {maximum} days off in {year}: {days}',
    zh: '{year} 年自行请假将达 {days} 天，超过 {maximum} 天',
  },
  too_many_days_off: {
    en: 'There can be at most {maximum} entries; delete old ones first.',
    zh: '请假记录最多 {maximum} 条，请先删除旧记录。',
  },
} as const satisfies Catalogue;
