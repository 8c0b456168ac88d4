import type { Catalogue } from '../../lib/texts.ts';

export const trashMessages = {
  about: {
    en: 'Deleted projects. Their records still count; restoring a project also restores its assignments.',
    zh: '已删除的项目。其记录仍计入统计；恢复项目时，分配也会一并恢复。',
  },
  empty: { en: 'There are no deleted projects.', zh: '没有已删除的项目。' },
  deleted_on: { en: 'deleted on {date}, {hours}', zh: '{date} 删除，{hours}' },
  restore: { en: 'Restore', zh: '恢复' },
  restore_named: { en: 'Restore {name}', zh: '恢复 {name}' },
  restored: { en: 'The project was restored.', zh: '项目已恢复。' },
  more: { en: 'Show more', zh: '显示更多' },
} as const satisfies Catalogue;
