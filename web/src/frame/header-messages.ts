import type { Catalogue } from '../lib/texts.ts';

/** Separate from the frame's, because signed-out users load only these. */
export const headerMessages = {
  // In the language that it changes to.
  other_language: { en: '中文', zh: 'English' },
  theme: { en: 'Theme', zh: '主题' },
  system: { en: 'System', zh: '跟随系统' },
  light: { en: 'Light', zh: '浅色' },
  dark: { en: 'Dark', zh: '深色' },
} as const satisfies Catalogue;
