import type { Catalogue } from '../../lib/texts.ts';

export const contactMessages = {
  title: { en: 'Request an account or write to the administrators', zh: '申请账号或联系管理员' },
  intro: { en: 'You get an answer by e-mail within 24 hours.', zh: '24 小时内答复，请留意邮箱。' },
  subject: { en: 'What do you need?', zh: '需要什么' },
  account_registration: { en: 'An account', zh: '申请账号' },
  password_reset: { en: 'A new password', zh: '重置密码' },
  technical_support: { en: 'Help', zh: '使用帮助' },
  other: { en: 'Something else', zh: '其他' },
  name: { en: 'Name', zh: '姓名' },
  email: { en: 'E-mail', zh: '邮箱' },
  phone: { en: 'Phone (optional)', zh: '电话（可选）' },
  phone_hint: {
    en: 'A mobile number of mainland China. Write any other number in the message.',
    zh: '中国大陆手机号；其他号码请写在留言中。',
  },
  give_name: { en: 'Enter your name, with at least 2 characters.', zh: '请填写姓名，至少 2 个字。' },
  give_email: {
    en: 'Enter a complete e-mail address, such as name@school.org.',
    zh: '请填写完整的邮箱，例如 name@school.cn。',
  },
  give_phone: {
    en: 'Enter 11 digits that begin with 13 to 19, or leave this empty.',
    zh: '请填写 11 位中国大陆手机号，或留空。',
  },
  answer: { en: 'The answer', zh: '图中字符' },
  about_field: { en: '{field} {said}.', zh: '{field}{said}。' },
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
  answer_to: {
    en: 'The answer comes to {email} by {day}, {time}.',
    zh: '我们会在 {day} {time} 前回复到 {email}。',
  },
  you_wrote: { en: 'What you wrote', zh: '你的留言' },
  wrong_address: {
    en: 'Is the address wrong? Send the request again with the right one.',
    zh: '邮箱有误？请改正后重新发送。',
  },
  again: { en: 'Change and send again', zh: '修改后重新发送' },
  back: { en: 'Back to sign-in', zh: '返回登录' },
} as const satisfies Catalogue;
