import type { Catalogue } from '../../lib/texts.ts';

/** Texts of the home page of a new school. */
export const firstHourMessages = {
  title: { en: 'Set up your school', zh: '设置你的学校' },
  intro: {
    en: 'About ten minutes. You can close this page at any time; the list stays here until everything is done.',
    zh: '大约需要十分钟。可随时离开，全部完成前清单会一直保留。',
  },
  hide: { en: 'Hide this', zh: '隐藏' },
  count: { en: '{count} of {all} done', zh: '已完成 {count} / {all} 步' },
  is_done: { en: 'Done', zh: '已完成' },
  students: { en: 'Create accounts for students', zh: '创建学生账号' },
  students_how: { en: 'Paste a list from a spreadsheet: name, e-mail.', zh: '从表格粘贴名单：姓名、邮箱。' },
  students_do: { en: 'Paste a list', zh: '粘贴名单' },
  students_done: {
    en: { one: '{count} student has an account', other: '{count} students have accounts' },
    zh: '{count} 名学生已有账号',
  },
  signed_in: { en: '{count} of {all} have signed in so far.', zh: '{all} 人中已有 {count} 人登录。' },
  add_more: { en: 'Add more', zh: '继续添加' },
  group: { en: 'Put them into a class', zh: '编入班级' },
  group_how: {
    en: 'Projects, reports and mails then go to the whole class at once.',
    zh: '先新建一个班级，之后可一次为全班分配项目、发送邮件和打印报告。',
  },
  group_do: { en: 'New class', zh: '新建班级' },
  group_done: { en: 'Class {name}', zh: '班级 {name}' },
  members: { en: { one: '{count} student', other: '{count} students' }, zh: '{count} 名学生' },
  open_class: { en: 'Open', zh: '打开' },
  project: { en: 'Give the class its first project', zh: '为班级创建第一个项目' },
  project_done: { en: 'The class has a project', zh: '班级已有项目' },
  project_how: {
    en: 'Something with hours and a date, such as “Linear algebra, 40 h until 15 January”.',
    zh: '设定时长和截止日期，例如“线性代数，40 小时，1月15日前”。',
  },
  project_do: { en: 'New project', zh: '新建项目' },
  slips: { en: 'Hand out the slips', zh: '分发登录单' },
  slips_how: {
    en: 'Each has the QR code of the sign-in page and a one-time password, valid for 7 days. This is done when the first student has signed in.',
    zh: '每张登录单包含登录页二维码和一次性密码，7 天内有效。第一名学生登录后，此步完成。',
  },
  slips_do: { en: 'New slips', zh: '重新生成' },
  waiting: { en: 'Waiting for the first sign-in', zh: '等待首次登录' },
  waiting_since: {
    en: { one: '{count} student, since {day}', other: '{count} students, since {day}' },
    zh: '{count} 名学生，自{day}起',
  },
  and_more: { en: 'and {count} more', zh: '等，另有 {count} 人' },
  waiting_until: {
    en: 'They move to “Needs attention” only if they have not signed in by {day}.',
    zh: '如果到 {day} 仍未登录，才会列入“需要关注”。',
  },
} as const satisfies Catalogue;
