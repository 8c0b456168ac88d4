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
    en: 'Members of the chosen classes ({classes}): {count}. Of the rest of the school, this administrator sees nothing.',
    zh: '所选 {classes} 个班级共有 {count} 名成员。该管理员看不到学校的其他内容。',
  },
  can: { en: 'Can', zh: '可以' },
  can_assign: {
    en: 'assign projects to these students, and see their records, goals and reports',
    zh: '给这些学生分配项目，查看他们的记录、目标和报告',
  },
  can_edit: {
    en: 'create students in these classes, edit and deactivate them, and reset their passwords',
    zh: '在这些班级中创建学生，编辑、停用学生并重置密码',
  },
  can_move: { en: 'move students between these classes', zh: '在这些班级之间调动学生' },
  can_excuse: {
    en: 'set days off for these classes, and excuse their students',
    zh: '设置这些班级的休息日，为学生登记请假',
  },
  cannot: { en: 'Cannot', zh: '不可以' },
  cannot_find: {
    en: 'see or find other students, the inbox or the activity log',
    zh: '查看或搜索其他学生、收件箱和操作日志',
  },
  cannot_delete: {
    en: 'delete accounts, create or delete classes, or change a role',
    zh: '删除账号、创建或删除班级、更改角色',
  },
  cannot_others: {
    en: 'edit a student who is also in another class',
    zh: '编辑同时属于其他班级的学生',
  },
  cannot_widen: { en: 'change this scope', zh: '更改自己的管理范围' },
  on_save: { en: 'When you save', zh: '保存后' },
  at_once: {
    en: 'It takes effect at once, also in open windows and for personal tokens.',
    zh: '立即生效，包括已打开的窗口和个人令牌。',
  },
  keeps: {
    en: { one: 'The administrator keeps one own project.', other: 'The administrator keeps {count} own projects.' },
    zh: '该管理员保留自己的 {count} 个项目。',
  },
  loses_others: {
    en: 'The administrator no longer sees students outside these classes. Nothing of theirs changes.',
    zh: '该管理员不再看到这些班级以外的学生，学生的数据不变。',
  },
  loses: {
    en: 'The administrator no longer sees the students of {classes}, unless they are in another chosen class. Nothing of theirs changes.',
    zh: '该管理员不再看到{classes}的学生（同时在其他所选班级的除外），学生的数据不变。',
  },
  gains: { en: 'The administrator also sees the students of {classes}.', zh: '该管理员还能看到{classes}的学生。' },
  gains_all: {
    en: 'The administrator sees the whole school, and may limit other administrators.',
    zh: '该管理员可管理全校，并可限制其他管理员的范围。',
  },
  whole_school: {
    en: 'Whole school: {names}. At least one active administrator always keeps it.',
    zh: '全校管理员：{names}。始终至少保留一名启用的全校管理员。',
  },
  save: { en: 'Save scope', zh: '保存范围' },
} as const satisfies Catalogue;
