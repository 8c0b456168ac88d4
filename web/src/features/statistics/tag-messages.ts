import type { Catalogue } from '../../lib/texts.ts';

export const tagShareMessages = {
  tag: { en: 'Tag', zh: '标签' },
  edit_tags: { en: 'Rename, merge or delete tags', zh: '改名、合并或删除标签' },
  share: { en: '{percent} %', zh: '{percent}%' },
  by_tag: { en: 'By tag', zh: '按标签' },
  time: { en: 'Time', zh: '时间' },
  change: { en: 'Change', zh: '变化' },
  tagged: { en: 'with tags {hours}', zh: '有标签 {hours}' },
  untagged: { en: 'without tags {hours}', zh: '无标签 {hours}' },
  overlap: {
    en: 'A record may have several tags, so the rows add up to more than the time with tags.',
    zh: '一条记录可以有多个标签，因此各项相加会多于有标签的时间。',
  },
} as const satisfies Catalogue;
