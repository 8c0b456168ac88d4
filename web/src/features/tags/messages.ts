import type { Catalogue } from '../../lib/texts.ts';

export const tagMessages = {
  tags: { en: 'Tags', zh: '标签' },
  tag: { en: 'Tag', zh: '标签' },
  all_tags: { en: 'All tags', zh: '全部标签' },
  no_tag: { en: 'Without tags', zh: '无标签' },
  used: { en: '{count} of {maximum}', zh: '{count} / {maximum}' },
  add: { en: 'Add a tag', zh: '添加标签' },
  add_hint: {
    en: 'People who see the note see the tags. Initials in pinyin find them, too.',
    zh: '能看到备注的人也能看到标签。可输入拼音首字母查找。',
  },
  new_tag: { en: 'New tag “{name}”', zh: '新标签“{name}”' },
  remove: { en: 'Remove {name}', zh: '移除{name}' },
  records: { en: { one: '{count} record', other: '{count} records' }, zh: '{count} 条' },
} as const satisfies Catalogue;
