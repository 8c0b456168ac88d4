import type { Catalogue } from '../../lib/texts.ts';

export const contactMessages = {
  title: { en: 'Write to the administrators', zh: '联系管理员' },
  intro: {
    en: 'For an account, a new password, or anything else. You get an answer within 24 hours.',
    zh: '申请账号、重置密码或其他问题，我们会在 24 小时内回复。',
  },
  subject: { en: 'Subject', zh: '主题' },
  account_registration: { en: 'I need an account', zh: '申请账号' },
  password_reset: { en: 'I need a new password', zh: '重置密码' },
  technical_support: { en: 'Something does not work', zh: '技术问题' },
  feature_request: { en: 'An idea', zh: '功能建议' },
  other: { en: 'Something else', zh: '其他' },
  name: { en: 'Name', zh: '姓名' },
  email: { en: 'E-mail', zh: '邮箱' },
  phone: { en: 'Phone (optional)', zh: '电话（可选）' },
  phone_hint: { en: 'A Chinese mobile number.', zh: '中国大陆手机号。' },
  message: { en: 'Message', zh: '留言' },
  length: { en: '{count} of {most} characters', zh: '{count} / {most} 字' },
  characters: { en: 'Characters in the picture', zh: '图中字符' },
  picture: {
    en: 'Picture of four characters to type; you can also listen to them',
    zh: '包含四个字符的图片，也可播放语音',
  },
  spoken: { en: 'The characters are spoken. Type the four that you hear.', zh: '正在播放语音，请输入听到的四个字符。' },
  speech: { en: 'Four spoken characters', zh: '四个字符的语音' },
  new_picture: { en: 'New picture', zh: '换一张' },
  listen: { en: 'Listen', zh: '播放语音' },
  expired: {
    en: 'The previous characters expired after five minutes. Type the new ones.',
    zh: '之前的字符已超过 5 分钟，请输入新的字符。',
  },
  send: { en: 'Send', zh: '发送' },
  wait: { en: 'You can send again in {time}. Your text is kept.', zh: '{time} 后可再次发送，内容会保留。' },
  sent: { en: 'Sent', zh: '已发送' },
  number: { en: 'Your number: {number}', zh: '编号：{number}' },
  back: { en: 'Back to sign-in', zh: '返回登录' },
} as const satisfies Catalogue;
