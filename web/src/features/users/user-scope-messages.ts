import type { Catalogue } from '../../lib/texts.ts';

export const userScopeMessages = {
  title: { en: 'What {name} may work with', zh: '{name} 的管理范围' },
  all: { en: 'Whole school', zh: '全校' },
  all_about: {
    en: 'All students and classes, the Inbox, the school year and every setting',
    zh: '所有学生和班级、收件箱、校历以及全部设置',
  },
  groups: { en: 'Only these classes', zh: '仅所选班级' },
  groups_about: {
    en: 'The students of the classes you select, and nothing else',
    zh: '所选班级的学生，不含其他内容',
  },
  classes: { en: 'Classes', zh: '班级' },
  members: {
    en: { one: '{members} students in one class', other: '{members} students in {count} classes' },
    zh: '{count} 个班级，共 {members} 名学生',
  },
  all_text: {
    en: '{name} works with the whole school, as you do.',
    zh: '{name} 与你一样管理全校。',
  },
  none_chosen: {
    en: 'Without a class, {name} sees no students yet.',
    zh: '未选择班级时，{name} 看不到任何学生。',
  },
  groups_text: {
    en: '{name} works with the students of these classes as you do, sees nothing of the rest of the school, and cannot extend this scope.',
    zh: '{name} 可像你一样管理这些班级的学生，看不到学校的其他内容，也不能扩大自己的范围。',
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
    zh: '为这些班级设置放假，为学生登记请假',
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
    en: 'It counts at once, also in open windows and for personal tokens.',
    zh: '立即生效，包括已打开的窗口和访问令牌。',
  },
  keeps: {
    en: { one: '{name} keeps one project of their own.', other: '{name} keeps {count} projects of their own.' },
    zh: '{name} 保留自己的 {count} 个项目。',
  },
  others: {
    en: {
      one: 'One is also given to students outside these classes ({others}); {name} sees their number, not their names.',
      other:
        '{count} are also given to students outside these classes ({others}); {name} sees their number, not their names.',
    },
    zh: '其中 {count} 个还分配给这些班级以外的学生（{others} 名）；{name} 只看到人数，看不到姓名。',
  },
  loses_others: {
    en: '{name} no longer sees students outside these classes. Nothing of theirs changes.',
    zh: '{name} 不再看到这些班级以外的学生，学生的数据不变。',
  },
  loses: {
    en: '{name} no longer sees the students of {classes}, unless they are in another chosen class. Nothing of theirs changes.',
    zh: '{name} 不再看到{classes}的学生（同时在其他所选班级的除外），学生的数据不变。',
  },
  gains: { en: '{name} also sees the students of {classes}.', zh: '{name} 还能看到{classes}的学生。' },
  gains_all: {
    en: '{name} sees the whole school, and may limit other administrators.',
    zh: '{name} 可管理全校，并可限制其他管理员的范围。',
  },
  administrators: { en: { one: '{count} administrator', other: '{count} administrators' }, zh: '{count} 名管理员' },
  you: { en: 'you', zh: '你' },
  always_one: {
    en: 'At least one administrator always keeps the whole school.',
    zh: '始终至少保留一名全校管理员。',
  },
  save: { en: 'Save access', zh: '保存权限' },
} as const satisfies Catalogue;
