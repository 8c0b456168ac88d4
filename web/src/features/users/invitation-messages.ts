import type { Catalogue } from '../../lib/texts.ts';

export const invitationMessages = {
  invite: { en: 'Invite', zh: '邀请' },
  invite_title: { en: 'Invite {name}?', zh: '邀请 {name}？' },
  invite_why: {
    en: 'They get a mail with a link to choose their password, valid for 72 hours. An earlier invitation becomes invalid. Without a mail server, the link is shown to you once.',
    zh: '系统会发送一封带链接的邮件，72 小时内有效，该用户可通过链接设置密码；之前的邀请随即失效。如未配置邮件服务器，链接会显示给你一次。',
  },
  link: { en: 'Send reset link', zh: '发送重置链接' },
  link_title: { en: 'Send {name} a password reset link?', zh: '向 {name} 发送重置密码的链接？' },
  link_why: {
    en: 'The link is valid for one hour. Password and sign-ins do not change until it is used. Without a mail server, the link is shown to you once.',
    zh: '链接 1 小时内有效。使用之前，密码和登录保持不变。如未配置邮件服务器，链接会显示给你一次。',
  },
  mailed: { en: 'The link was mailed to the user.', zh: '链接已通过邮件发送给该用户。' },
  hand_over: {
    en: 'There is no mail server: copy the link now and hand it over; it is not shown again.',
    zh: '未配置邮件服务器：请立即复制链接并转交，之后不再显示。',
  },
  the_link: { en: 'The link', zh: '链接' },
  link_used_up: {
    en: 'The account was created by an earlier attempt, whose link is not shown again: invite the user again.',
    zh: '账号已由之前的请求创建，链接不再显示，请重新邀请该用户。',
  },
  done: { en: 'Done', zh: '完成' },
  invite_instead: {
    en: 'Invite with a link instead of a one-time password',
    zh: '用链接邀请，不生成一次性密码',
  },
} as const satisfies Catalogue;
