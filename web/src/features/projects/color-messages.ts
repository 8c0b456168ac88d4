import type { Catalogue } from '../../lib/texts.ts';

export const colorMessages = {
  color: { en: 'Colour', zh: '颜色' },
  automatic: { en: 'chosen for you', zh: '自动选择' },
  color_1: { en: 'Cobalt', zh: '钴蓝' },
  color_2: { en: 'Tangerine', zh: '橘' },
  color_3: { en: 'Jade', zh: '玉' },
  color_4: { en: 'Tomato', zh: '番茄' },
  color_5: { en: 'Violet', zh: '堇' },
  color_6: { en: 'Olive', zh: '橄榄' },
  color_7: { en: 'Lagoon', zh: '湖' },
  color_8: { en: 'Sky', zh: '天' },
  color_9: { en: 'Berry', zh: '莓' },
  color_10: { en: 'Leaf', zh: '叶' },
  color_11: { en: 'Honey', zh: '蜜' },
  color_12: { en: 'Cocoa', zh: '可可' },
} as const satisfies Catalogue;
