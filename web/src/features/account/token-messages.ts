import type { Catalogue } from '../../lib/texts.ts';

/** What a token may do. */
export const scopeMessages = {
  read: { en: 'Read', zh: '读取' },
  'sessions:write': { en: 'Change study records, run the timer', zh: '更改学习记录、使用计时器' },
  'projects:write': { en: 'Change projects', zh: '更改项目' },
  admin: { en: 'Everything administrators can do', zh: '管理员的全部操作' },
} as const satisfies Catalogue;

export const tokenMessages = {
  title: { en: 'Access tokens', zh: '访问令牌' },
  about: {
    en: 'For your own programs: each token allows only what you choose, without your password. Changing your password revokes them all.',
    zh: '供你自己的程序使用：每个令牌只能做你选定的事，无需密码。修改密码后全部失效。',
  },
  none: { en: 'You have no tokens yet.', zh: '还没有令牌。' },
  list: { en: 'Your tokens', zh: '你的令牌' },
  new: { en: 'New token', zh: '新建令牌' },
  name: { en: 'Name', zh: '名称' },
  name_hint: { en: 'What it is for, such as a backup.', zh: '用途，例如备份。' },
  may: { en: 'Permissions', zh: '权限' },
  ...scopeMessages,
  ends: { en: 'Valid for', zh: '有效期' },
  days: { en: '{count} days', zh: '{count} 天' },
  create: { en: 'Create token', zh: '创建令牌' },
  created: {
    en: 'Copy this token now; it is not shown again.',
    zh: '请立即复制此令牌，之后不再显示。',
  },
  token: { en: 'The new token', zh: '新令牌' },
  copy: { en: 'Copy', zh: '复制' },
  copied: { en: 'Copied.', zh: '已复制。' },
  used: { en: 'last used {time}', zh: '最近使用 {time}' },
  unused: { en: 'not used yet', zh: '尚未使用' },
  until: { en: 'until {day}', zh: '有效至 {day}' },
  revoke: { en: 'Revoke', zh: '撤销' },
  revoke_named: { en: 'Revoke {name}', zh: '撤销 {name}' },
  revoke_title: { en: 'Revoke {name}?', zh: '撤销 {name}？' },
  revoke_why: {
    en: 'Programs that use this token lose access at once. This cannot be undone.',
    zh: '使用此令牌的程序将立即失去访问权限。此操作无法撤销。',
  },
} as const satisfies Catalogue;
