import type { Catalogue } from '../../lib/texts.ts';

export const setupMessages = {
  title: { en: 'Set up Studytrack', zh: '初始化 Studytrack' },
  how: { en: 'Create the first administrator of this service.', zh: '创建此服务的第一个管理员。' },
  username: { en: 'Username', zh: '用户名' },
  username_hint: {
    en: '3 to 32 characters: letters, digits and _ . -',
    zh: '3–32 个字符：字母、数字和 _ . -',
  },
  display_name: { en: 'Your name', zh: '姓名' },
  email: { en: 'E-mail', zh: '邮箱' },
  password: { en: 'Password', zh: '密码' },
  timezone: { en: 'Time zone', zh: '时区' },
  language: { en: 'Language', zh: '语言' },
  content: { en: 'Start with', zh: '初始内容' },
  empty: { en: 'An empty school', zh: '从空白开始' },
  example: { en: 'An example school', zh: '示例学校' },
  example_hint: { en: 'Three classes with 16 weeks of study', zh: '三个班级、16 周的学习记录' },
  create: { en: 'Create administrator', zh: '创建管理员' },
  done_title: { en: 'The example school is ready', zh: '示例学校已就绪' },
  done_how: {
    en: 'To see what students or a class teacher (thomas.reid) see, sign in as one in a private window. This password is shown only once:',
    zh: '要查看学生或班主任（thomas.reid）的界面，请在无痕窗口中以其身份登录。此密码只显示一次：',
  },
  go: { en: 'Continue', zh: '继续' },
  invalid_title: { en: 'This link is not valid', zh: '链接无效' },
  invalid: {
    en: 'It is incomplete or has expired, or there is an administrator. While there is none, a restart of the service prints a new link.',
    zh: '链接不完整或已过期，或者已有管理员。若尚无管理员，重启服务会输出新链接。',
  },
} as const satisfies Catalogue;
