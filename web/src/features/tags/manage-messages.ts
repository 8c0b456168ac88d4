import type { Catalogue } from '../../lib/texts.ts';

export const manageMessages = {
  manage: { en: 'Your tags', zh: '我的标签' },
  manage_about: {
    en: 'A new name applies to all records. The name of another tag merges both.',
    zh: '改名对所有记录生效；改成另一个标签的名称则合并两者。',
  },
  none: { en: 'No tags yet. Add them to a record or to the timer.', zh: '还没有标签。可在记录或计时器中添加。' },
  rename: { en: 'Rename', zh: '改名' },
  rename_named: { en: 'Rename {name}', zh: '将{name}改名' },
  merge: { en: 'Merge into {name}', zh: '合并到{name}' },
  delete: { en: 'Delete', zh: '删除' },
  delete_named: { en: 'Delete {name}', zh: '删除{name}' },
  delete_title: { en: 'Delete the tag {name}?', zh: '删除标签{name}？' },
  delete_why: { en: 'It is removed from {records}; the records remain.', zh: '将从 {records}记录中移除，记录保留。' },
  name: { en: 'Name', zh: '名称' },
} as const satisfies Catalogue;
