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
  batch_assigned: { en: 'Assignments applied: {done}.', zh: '已完成 {done} 项分配。' },
  batch_cleared: { en: 'Assignments removed: {removed}.', zh: '共移除 {removed} 项分配。' },
  batch_partly_assigned: {
    en: 'Assignments applied: {done}; failed: {failed}, see failures.',
    zh: '{done} 项分配已完成，{failed} 项未能处理，详见 failures。',
  },
  batch_shapes_mixed: {
    en: 'cannot be combined with user_ids or assign_type',
    zh: '不能与 user_ids 或 assign_type 同时使用',
  },
  batch_shape_missing: {
    en: 'is required with assign_type; or send assigned_user_ids instead',
    zh: '须与 assign_type 一起提供，或改为提供 assigned_user_ids',
  },
  too_many_pairs: {
    en: 'results in more than {maximum} pairs of project and user',
    zh: '项目与用户的组合超过 {maximum} 个',
  },
  user_inactive: { en: 'The user is inactive.', zh: '用户已停用。' },
  user_busy: {
    en: 'This account is being changed by another request. Try again.',
    zh: '该账户正在被另一请求修改，请重试。',
  },
  user_is_admin: { en: 'Administrators cannot be assigned.', zh: '不能分配给管理员。' },
  group_created: { en: 'The group was created.', zh: '小组创建成功。' },
  group_updated: { en: 'The group was updated.', zh: '小组更新成功。' },
  group_deleted: {
    en: 'The group was deleted; its members and their assignments are kept.',
    zh: '小组已删除，成员及其分配均已保留。',
  },
  group_not_found: { en: 'There is no such group.', zh: '小组不存在。' },
  group_name_taken: { en: 'is the name of another group', zh: '已被其他小组使用' },
  group_too_large: { en: 'results in more than {maximum} members', zh: '成员超过 {maximum} 人' },
  group_unknown: { en: 'must be the id of an existing group', zh: '必须是存在的小组' },
  also_removed: { en: 'cannot be added and removed at once', zh: '不能同时添加和移除' },
  sort_takes_group: {
    en: 'requires group_id or project_id for this order',
    zh: '按此字段排序时须同时提供 group_id 或 project_id',
  },
  too_many_to_compute: {
    en: 'requires group_id or project_id with more than {maximum} users',
    zh: '用户超过 {maximum} 名时须同时提供 group_id 或 project_id',
  },
  user_not_ordinary: { en: 'must be the id of an existing ordinary user', zh: '必须是存在的普通用户' },
  image_type: { en: 'must be a JPEG, PNG, GIF or WebP picture', zh: '必须是 JPEG、PNG、GIF 或 WebP 图片' },
  image_broken: {
    en: 'is damaged or incomplete',
    zh: '图片已损坏或不完整',
  },
  image_too_many_pixels: {
    en: 'must have at most {megapixels} megapixels in all frames together',
    zh: '所有帧合计不能超过 {megapixels} 百万像素',
  },
  image_grows: {
    en: 'needs more than {megabytes} MB in its own format, also with fewer pixels',
    zh: '以原格式保存（缩小后）仍超过 {megabytes} MB',
  },
  image_too_many_frames: { en: 'must have at most {frames} frames', zh: '动画不能超过 {frames} 帧' },
  image_too_costly: {
    en: 'takes too long to decode; save it again with fewer frames, scans or pixels',
    zh: '解码耗时过长，请减少帧数、扫描次数或像素后重新保存',
  },
  image_uploaded: { en: 'The cover image was stored.', zh: '封面图片上传成功。' },
  image_deleted: { en: 'The cover image was deleted.', zh: '封面图片已删除。' },
  pictures_full: {
    en: 'The pictures of these projects need more than {megabytes} MB. Delete some of them; those of projects in the trash are deleted after {days} days.',
    zh: '项目图片总量超过 {megabytes} MB。请删除部分图片；回收站中项目的图片会在 {days} 天后删除。',
  },
} as const satisfies Catalogue;
