import type { Catalogue } from '../../lib/texts.ts';

export const deleteAccountMessages = {
  title: { en: 'Delete account', zh: '删除账号' },
  what: {
    en: 'Your name, e-mail address, sign-ins and assignments are deleted at once. Study records are kept without your name; the administrators take over your projects. This cannot be undone.',
    zh: '你的姓名、邮箱、登录和项目分配将立即删除。学习记录匿名保留，你的项目转交管理员。此操作无法撤销。',
  },
  begin: { en: 'Delete my account …', zh: '删除我的账号…' },
  confirm: { en: 'Delete for good', zh: '永久删除' },
} as const satisfies Catalogue;
