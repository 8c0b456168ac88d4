import type { Catalogue } from './catalogue.ts';

export const assignmentMessages = {
  batch_assigned: { en: 'Assignments applied: {done}.', zh: '全部 {done} 项分配已完成。' },
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
} as const satisfies Catalogue;
