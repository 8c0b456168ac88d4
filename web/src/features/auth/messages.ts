import type { Catalogue } from '../../lib/texts.ts';

export const authMessages = {
  title: { en: 'Sign in', zh: '登录' },
  welcome: {
    en: 'Keep track of what you study, and see how far you have come.',
    zh: '记录每一次学习，看见自己的进步。',
  },
  name: { en: 'Username or e-mail', zh: '用户名或邮箱' },
  password: { en: 'Password', zh: '密码' },
  show: { en: 'Show password', zh: '显示密码' },
  hide: { en: 'Hide password', zh: '隐藏密码' },
  code: { en: 'Code from your app', zh: '验证码' },
  code_hint: { en: 'Six digits, or one of your recovery codes.', zh: '6 位数字，或一个恢复码。' },
  keep: { en: 'Keep me signed in', zh: '保持登录' },
  sign_in: { en: 'Sign in', zh: '登录' },
  wait: { en: 'You can try again in {time}.', zh: '{time} 后可重试。' },
  sign_out: { en: 'Sign out', zh: '退出登录' },
  forgot: { en: 'Forgot your password?', zh: '忘记密码？' },
  to_sign_in: { en: 'Back to sign-in', zh: '返回登录' },
  contact: { en: 'Write to the administrators', zh: '联系管理员' },
  required: { en: 'Fill this in.', zh: '请填写此项。' },
  expired_title: { en: 'Sign in again', zh: '请重新登录' },
  expired: {
    en: 'Your sign-in has expired. Everything on the page is kept.',
    zh: '登录已失效。页面上的内容都会保留。',
  },
  other_person: { en: 'Sign in as somebody else', zh: '换个账号登录' },
  change_title: { en: 'Choose your own password', zh: '设置你的密码' },
  change_why: {
    en: 'You signed in with a one-time password. Choose one that only you know.',
    zh: '你使用的是一次性密码，请设置一个只有你知道的密码。',
  },
  current_password: { en: 'Current password', zh: '当前密码' },
  new_password: { en: 'New password', zh: '新密码' },
  new_password_hint: { en: 'At least 8 characters. A short sentence is good.', zh: '至少 8 个字符，可以是一句话。' },
  change: { en: 'Change password', zh: '修改密码' },
} as const satisfies Catalogue;
