import type { Catalogue } from './catalogue.ts';

export const groupMessages = {
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
  behind_takes_group: { en: 'requires group_id or project_id', zh: '须同时提供 group_id 或 project_id' },
  user_not_ordinary: { en: 'must be the id of an existing ordinary user', zh: '必须是存在的普通用户' },
} as const satisfies Catalogue;
