import type { Catalogue } from '../../lib/texts.ts';

/** Texts of the pages that mailed links open, and of the page that requests one. */
export const linkMessages = {
  forgot_how: {
    en: 'Enter the e-mail address of your account. We will mail you a link to choose a new password.',
    zh: '请输入账号的邮箱，我们会发送一个用于设置新密码的链接。',
  },
  email: { en: 'E-mail', zh: '邮箱' },
  send: { en: 'Send link', zh: '发送链接' },
  asked: {
    en: 'If an active account has this address, a mail with a link is on its way; it is valid for one hour. Check your spam folder, too.',
    zh: '如果有已启用的账号使用该邮箱，你将收到一封带链接的邮件，链接 1 小时内有效。请同时查看垃圾邮件。',
  },
  no_mail: { en: 'No mail after a few minutes?', zh: '几分钟后仍未收到邮件？' },
  invitation_title: { en: 'Welcome to Studytrack', zh: '欢迎使用 Studytrack' },
  invitation_how: { en: 'Choose the password of your new account.', zh: '请为你的新账号设置密码。' },
  password_reset_title: { en: 'Choose a new password', zh: '设置新密码' },
  password_reset_how: {
    en: 'Setting it signs out all devices.',
    zh: '设置后，所有设备上的登录都会失效。',
  },
  set: { en: 'Set password', zh: '设置密码' },
  done_title: { en: 'Your password is set', zh: '密码已设置' },
  done_how: {
    en: 'You can sign in with it now. Your username is {name}.',
    zh: '现在可以登录了。你的用户名是 {name}。',
  },
  other_person: {
    en: '{name} is signed in in this browser. Sign out first.',
    zh: '此浏览器中 {name} 已登录，请先退出。',
  },
  no_token_title: { en: 'This link is incomplete', zh: '链接不完整' },
  no_token: {
    en: 'Open the complete link from the mail again. If you have opened it before, it may have been used: sign in, or request a new one.',
    zh: '请重新打开邮件中的完整链接。如果之前打开过，链接可能已使用：请直接登录，或重新获取链接。',
  },
  invalid_title: { en: 'This link is no longer valid', zh: '链接已失效' },
  invalid: {
    en: 'It was used, replaced by a newer one or has expired, or the account has changed. Request a new link, or write to the administrators.',
    zh: '链接可能已使用、被新链接替代或已过期，也可能账号已变更。请重新获取链接，或联系管理员。',
  },
  email_title: { en: 'Confirm your e-mail address', zh: '确认邮箱地址' },
  email_how: {
    en: 'Your account will use the address that the mail with this link was sent to.',
    zh: '确认后，你的账号将使用收到此链接的邮箱。',
  },
  confirm: { en: 'Confirm address', zh: '确认邮箱' },
  email_done_title: { en: 'Your e-mail address was changed', zh: '邮箱地址已修改' },
  email_done: {
    en: 'Mail goes to it from now on, and you can sign in with it. Your previous address was notified.',
    zh: '今后邮件将发送到新邮箱，你也可以用它登录。原邮箱已收到通知。',
  },
} as const satisfies Catalogue;
