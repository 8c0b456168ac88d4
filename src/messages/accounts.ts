import type { Catalogue } from './catalogue.ts';

/** What is said about accounts and sign-in. */
export const accountMessages = {
  signed_in: { en: 'Signed in', zh: '登录成功' },
  token_refreshed: { en: 'Here is a new token', zh: '令牌已刷新' },
  signed_out: { en: 'Signed out', zh: '已退出登录' },
  password_changed: {
    en: 'The password was changed and all other sign-ins were ended',
    zh: '密码已修改，其他登录已全部失效',
  },
  account_updated: { en: 'Your account was updated', zh: '账号信息已更新' },
  user_created: { en: 'The user was created', zh: '用户创建成功' },
  user_updated: { en: 'The user was updated', zh: '用户更新成功' },
  user_deleted: { en: 'The user was deleted', zh: '用户删除成功' },
  password_reset_done: {
    en: 'The password was reset and all sign-ins of the user were ended',
    zh: '密码已重置，该用户的所有登录已失效',
  },

  wrong_credentials: {
    en: 'The name or the password is wrong, or the account is not active.',
    zh: '用户名或密码错误，或账号未启用。',
  },
  invalid_refresh_token: {
    en: 'This refresh token is not valid, or not any more; sign in again.',
    zh: '刷新令牌无效或已失效，请重新登录。',
  },
  too_many_sign_ins: {
    en: 'Too many wrong passwords; try again after the time in the Retry-After header.',
    zh: '密码错误次数过多，请在 Retry-After 头给出的时间后重试。',
  },
  user_not_found: { en: 'There is no such user.', zh: '用户不存在。' },
  last_admin: {
    en: 'This is the last active administrator; make another one first.',
    zh: '这是最后一位启用的管理员，请先设置另一位管理员。',
  },

  wrong_password: { en: 'is not the present password', zh: '与当前密码不符' },
  username_taken: { en: 'is already taken', zh: '已被使用' },
  email_taken: { en: 'is already in use', zh: '已被使用' },
  invalid_username: {
    en: 'must have 3 to 32 characters: letters, digits and _ . -',
    zh: '必须为 3 到 32 个字符，只能包含字母、数字和 _ . -',
  },
  reserved_username: { en: 'is kept for deleted accounts', zh: '为已删除账号保留的名称' },
} as const satisfies Catalogue;
