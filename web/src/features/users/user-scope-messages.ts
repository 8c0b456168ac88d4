import type { Catalogue } from '../../lib/texts.ts';

export const userScopeMessages = {
  title: { en: 'What {name} may work with', zh: '{name} 的管理范围' },
  works_with: { en: 'Scope', zh: '范围' },
  all: { en: 'Whole school', zh: '全校' },
  groups: { en: 'Only some classes', zh: '仅部分班级' },
  all_about: {
    en: 'All students and classes, the inbox, the activity log and every setting.',
    zh: '所有学生和班级、收件箱、操作日志以及全部设置。',
  },
  class: { en: '{name} · {count}', zh: '{name} · {count} 人' },
  none_chosen: {
    en: 'Without a class, this administrator sees no students yet.',
    zh: '未选择班级时，该管理员看不到任何学生。',
  },
  groups_about: {
    en: 'Members of the chosen classes ({classes}): {count}. Of the rest of the school, this administrator sees nothing. The change takes effect at once.',
    zh: '所选 {classes} 个班级共有 {count} 名成员。该管理员看不到学校的其他内容。更改立即生效。',
  },
  save: { en: 'Save scope', zh: '保存范围' },
} as const satisfies Catalogue;
