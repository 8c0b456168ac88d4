import type { Catalogue } from './catalogue.ts';

export const accountMailMessages = {
  password_set: { en: 'The password was set; you can now sign in with it.', zh: '密码已设置，请使用新密码登录。' },
  set_up: { en: 'The administrator was created; you can now sign in.', zh: '管理员账号已创建，现在可以登录。' },
  invalid_setup_link: {
    en: 'is not valid: it has expired, or there is an administrator; a restart of the service prints a new link if there is none',
    zh: '无效：链接已过期，或已有管理员；若尚无管理员，重启服务会输出新链接',
  },
  reset_requested: {
    en: 'If an active account has this address, a mail with a link will be sent to it. If you do not receive one, contact the administrators.',
    zh: '如果有已启用的账号使用该邮箱，我们会发送一封带链接的邮件。如未收到，请联系管理员。',
  },
  link_sent: { en: 'The link was mailed to the user.', zh: '链接已通过邮件发送给该用户。' },
  link_created: {
    en: 'The link was created. Pass it on to the user; it is not shown again.',
    zh: '链接已生成，请转交给该用户，之后不再显示。',
  },
  link_for_inactive: {
    en: 'The account is not active; activate it first.',
    zh: '该账号未启用，请先启用。',
  },
  invitation_for_known: {
    en: 'The user has signed in before; send a link that resets the password instead.',
    zh: '该用户已登录过，请改为发送重置密码的链接。',
  },
  invitation_not_possible: {
    en: 'is only allowed for active accounts without a password',
    zh: '仅适用于未设密码的已启用账号',
  },
  invalid_account_link: {
    en: 'is no longer valid: it was used or replaced, has expired, or the account has changed; request a new link',
    zh: '已失效：可能已使用、被新链接替代、过期，或账号已变更；请重新获取链接',
  },
  too_many_reset_requests: {
    en: 'Too many requests for links; try again after the time in the Retry-After header.',
    zh: '获取链接的请求过多，请在 Retry-After 头给出的时间后重试。',
  },
  too_many_account_links: {
    en: 'Too many links for this account within a day; try again later.',
    zh: '一天内为该账号发送的链接过多，请稍后重试。',
  },
  mail_invitation_subject: { en: 'Your Studytrack account', zh: '您的 Studytrack 账号' },
  mail_invitation_text: {
    en: 'An account was created for you. Your username is {username}.\n\nOpen this link within {hours} hours and choose a password:\n{link}\n\nThe link can be used once. If it has expired, ask an administrator for a new one.\n',
    zh: '已为您创建 Studytrack 账号，用户名为 {username}。\n\n请在 {hours} 小时内打开以下链接并设置密码：\n{link}\n\n该链接只能使用一次。如已过期，请向管理员索取新链接。\n',
  },
  mail_password_reset_subject: { en: 'Reset your Studytrack password', zh: '重置您的 Studytrack 密码' },
  mail_password_reset_text: {
    en: 'Someone, probably you, asked for a new password for the Studytrack account {username}.\n\nOpen this link within {hours} hour and choose one:\n{link}\n\nIf it was not you, ignore this mail; your password will not change.\n',
    zh: '有人（可能是您本人）请求重置 Studytrack 账号 {username} 的密码。\n\n请在 {hours} 小时内打开以下链接并设置新密码：\n{link}\n\n如果不是您本人操作，请忽略此邮件，密码不会改变。\n',
  },
  mail_password_reset_by_administrator_text: {
    en: 'An administrator sent you this link so that you can choose a new password for the Studytrack account {username}.\n\nOpen it within {hours} hour:\n{link}\n\nIf you do not need a new password, ignore this mail; your password will not change.\n',
    zh: '管理员向您发送了此链接，用于重置 Studytrack 账号 {username} 的密码。\n\n请在 {hours} 小时内打开以下链接并设置新密码：\n{link}\n\n如果无需重置密码，请忽略此邮件，密码不会改变。\n',
  },

  email_confirmation_sent: {
    en: 'Your account was updated; the new e-mail address takes effect when you open the link mailed to it.',
    zh: '账号信息已更新；打开发送到新邮箱的链接后，新邮箱生效。',
  },
  email_confirmed: { en: 'The e-mail address was changed.', zh: '邮箱地址已修改。' },
  invalid_email_token: { en: 'is invalid, expired or already used', zh: '无效、已过期或已使用' },
  email_not_free: {
    en: 'This e-mail address now belongs to another account.',
    zh: '该邮箱地址现已被其他账号使用。',
  },
  too_many_email_changes: {
    en: 'Too many changes of the e-mail address; try again later.',
    zh: '修改邮箱地址的次数过多，请稍后重试。',
  },
  mail_email_confirmation_subject: { en: 'Confirm your e-mail address', zh: '请确认您的邮箱地址' },
  mail_email_confirmation_text: {
    en: 'Someone, probably you, asked to use this e-mail address for the Studytrack account {username}.\n\nOpen this link within 24 hours to confirm it:\n{link}\n\nIf it was not you, ignore this mail; nothing will change.\n',
    zh: '有人（可能是您本人）请求将此邮箱用于 Studytrack 账号 {username}。\n\n请在 24 小时内打开以下链接确认：\n{link}\n\n如果不是您本人操作，请忽略此邮件，不会有任何更改。\n',
  },
  mail_email_in_use_subject: {
    en: 'Your e-mail address was entered for another account',
    zh: '有人尝试使用您的邮箱地址',
  },
  mail_email_in_use_text: {
    en: 'Someone asked to use this e-mail address for another Studytrack account. It already belongs to yours, so nothing will change.\n\nIf that was you, use another address for the other account. If not, you do not need to do anything.\n',
    zh: '有人请求将此邮箱用于另一个 Studytrack 账号。该邮箱已属于您的账号，因此不会有任何更改。\n\n如果是您本人操作，请为另一个账号使用其他邮箱；否则无需处理。\n',
  },
  mail_email_changed_subject: { en: 'Your e-mail address was changed', zh: '您的邮箱地址已修改' },
  mail_email_changed_text: {
    en: 'The e-mail address of the Studytrack account {username} was changed; this address no longer belongs to it.\n\nIf it was not you, contact an administrator immediately.\n',
    zh: 'Studytrack 账号 {username} 的邮箱地址已修改，此邮箱不再属于该账号。\n\n如果不是您本人操作，请立即联系管理员。\n',
  },
  message_sent: { en: 'The message was sent.', zh: '消息已发送。' },
  message_without_mail: {
    en: 'Messages need a mail server, which is not configured.',
    zh: '未配置邮件服务器，无法发送消息。',
  },
  too_many_messages: { en: 'At most {maximum} messages a day.', zh: '每天最多发送 {maximum} 条消息。' },
  mail_message_greeting: { en: 'Dear {name},', zh: '{name}，您好：' },
  mail_message_footer: {
    en: 'Sent to you by {sender}, an administrator of Studytrack. Replies go to them.',
    zh: '此邮件由 Studytrack 管理员 {sender} 发送给您，回复将直接发送给对方。',
  },
} as const satisfies Catalogue;
