import type { Catalogue } from '../lib/texts.ts';

/** Separate from the frame's, because signed-out users load only these. */
export const headerMessages = {
  // In the language that it changes to.
  other_language: { en: '中文', zh: 'English' },
} as const satisfies Catalogue;
