import type { Catalogue } from './catalogue.ts';

export const projectMessages = {
  project_not_found: { en: 'There is no such project.', zh: '项目不存在。' },
  project_not_visible: { en: 'You do not have permission to see this project.', zh: '您没有权限查看该项目。' },
  project_not_yours: {
    en: 'Only the owner of the project and administrators may do this.',
    zh: '仅项目所有者和管理员可以执行此操作。',
  },
  assigning_is_for_admins: {
    en: 'Only administrators may change who a project is assigned to.',
    zh: '仅管理员可以更改项目的分配。',
  },
  assignment_filter_is_for_admins: {
    en: 'Only administrators may list projects by who they are assigned to.',
    zh: '仅管理员可以按分配对象筛选项目。',
  },
  project_not_in_trash: { en: 'The project is not in the trash.', zh: '项目不在回收站中。' },
  user_not_assignable: {
    en: 'must be the id of an existing, active, ordinary user',
    zh: '必须是存在且启用的普通用户',
  },
  invalid_creator: { en: 'must be a user id, me or all', zh: '必须是用户编号、me 或 all' },
  project_created: { en: 'The project was created.', zh: '项目创建成功。' },
  project_updated: { en: 'The project was updated.', zh: '项目更新成功。' },
  project_deleted: { en: 'The project was deleted; its study records are kept.', zh: '项目已删除，学习记录已保留。' },
  project_restored: { en: 'The project was restored.', zh: '项目已恢复。' },

  category_academic: { en: 'Academic', zh: '学术' },
  category_academic_about: { en: 'School and university subjects', zh: '学校与大学课程' },
  category_skill: { en: 'Skill', zh: '技能' },
  category_skill_about: { en: 'Languages, programming and other skills', zh: '语言、编程等技能' },
  category_hobby: { en: 'Hobby', zh: '爱好' },
  category_hobby_about: { en: 'What you learn for the joy of it', zh: '出于兴趣的学习' },
  category_other: { en: 'Other', zh: '其他' },
  category_other_about: { en: 'Everything else', zh: '其他学习内容' },
} as const satisfies Catalogue;
