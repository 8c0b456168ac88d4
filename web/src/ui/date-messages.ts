import type { Catalogue } from '../lib/texts.ts';

export const dateMessages = {
  bad_day: { en: 'Not a date: try 20 Nov or 2026-11-20.', zh: '无法识别，请输入如 11月20日 或 2026-11-20。' },
  bad_time: { en: 'Not a time: try 18:30.', zh: '无法识别，请输入如 18:30。' },
  bad_range: { en: 'Not two dates: try 29 Oct – 3 Nov.', zh: '无法识别，请输入如 10月29日 – 11月3日。' },
  choose_range: { en: 'Select the dates', zh: '选择起止日期' },
  other_end: { en: 'Now select the other day.', zh: '请再选择另一天。' },
  choose: { en: 'Select a date', zh: '选择日期' },
  before: { en: 'Previous month', zh: '上个月' },
  after: { en: 'Next month', zh: '下个月' },
  none: { en: 'No date', zh: '清除日期' },
} as const satisfies Catalogue;
