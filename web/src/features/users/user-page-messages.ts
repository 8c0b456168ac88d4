import type { Catalogue } from '../../lib/texts.ts';

export const userPageMessages = {
  tabs: { en: 'Views of the person', zh: '成员页面' },
  account: { en: 'Account', zh: '账号' },
  progress: { en: 'Progress', zh: '学习进度' },
  records: { en: 'Records', zh: '记录' },
  history: { en: 'History', zh: '变更记录' },
  created: { en: 'Created', zh: '创建时间' },
  last_login: { en: 'Last sign-in', zh: '上次登录' },
  never: { en: 'never', zh: '从未' },
  timezone: { en: 'Time zone', zh: '时区' },
  groups: { en: 'Classes', zh: '班级' },
  no_groups: { en: 'none', zh: '无' },
  access: { en: 'Access', zh: '访问权限' },
  password: { en: 'Password', zh: '密码' },
  password_own: { en: 'Chosen by the user.', zh: '由用户自行设置。' },
  password_none: { en: 'Not chosen yet: the user was invited.', zh: '尚未设置：已邀请该用户。' },
  password_waits: {
    en: 'A one-time password that has not been changed yet.',
    zh: '一次性密码，尚未更改。',
  },
  factor: { en: 'Two-step verification', zh: '两步验证' },
  factor_on: { en: 'Signing in requires a code from their app.', zh: '登录时需要应用中的验证码。' },
  factor_off: { en: 'Not set up.', zh: '未设置。' },
  identity: { en: 'Identity provider', zh: '登录服务' },
  identity_how: {
    en: 'An account at the present or an earlier provider is linked.',
    zh: '已关联当前或以前的登录服务中的账号。',
  },
  state: { en: 'Status', zh: '状态' },
  is_active: { en: 'Can sign in.', zh: '可以登录。' },
  is_inactive: { en: 'Cannot sign in. Projects and records are kept.', zh: '无法登录，项目和记录均保留。' },
  delete: { en: 'Delete', zh: '删除' },
  delete_short: {
    en: 'For good; the consequences are explained first.',
    zh: '永久删除，操作前会说明影响。',
  },
  own: {
    en: 'This is your own account. So that you do not lock yourself out, only another administrator can change its role or status or delete it; your password and two-step verification are under',
    zh: '这是你自己的账号。为避免把自己锁在外面，角色、状态和删除须由其他管理员操作；密码和两步验证请见',
  },
  me: { en: 'Settings', zh: '设置' },
} as const satisfies Catalogue;
