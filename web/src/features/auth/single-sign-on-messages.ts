import type { Catalogue } from '../../lib/texts.ts';

export const singleSignOnMessages = {
  working: { en: 'Signing you in …', zh: '正在登录…' },
  failed: { en: 'You were not signed in', zh: '未能登录' },
  code_title: { en: 'Two-step verification', zh: '两步验证' },
  missing: {
    en: 'This page finishes a sign-in with your school account. Start on the sign-in page.',
    zh: '此页面用于完成学校账号登录，请从登录页面开始。',
  },
} as const satisfies Catalogue;
