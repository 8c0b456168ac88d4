import type { Catalogue } from '../../lib/texts.ts';

export const privacyMessages = {
  title: { en: 'What is kept about you', zh: '保存了哪些信息' },
  days: { en: { one: '{count} day', other: '{count} days' }, zh: '{count} 天' },
  stored: { en: 'Stored data', zh: '保存的数据' },

  account: { en: 'Account', zh: '账号' },
  account_what: {
    en: 'Username, name, e-mail address and settings; of the password only a hash. Administrators see them, except the password.',
    zh: '用户名、姓名、邮箱和设置；密码只保存哈希值。除密码外，管理员可以查看。',
  },
  account_kept: { en: 'Kept until the account is deleted.', zh: '保留至账号删除。' },

  account_kept_days: {
    en: 'Kept until the account is deleted. A student’s account that nobody has used for {days} is deactivated; a mail announces it 30 days before.',
    zh: '保留至账号删除。学生账号连续 {days}未使用将停用，停用前 30 天会发邮件通知。',
  },

  study: { en: 'Projects and study records', zh: '项目和学习记录' },
  study_what: {
    en: 'With pictures, awards and notes, also of teachers. Administrators see them; so does the owner of a project that is shared with you, for that project.',
    zh: '包括图片、成就、备注和教师备注。管理员可以查看；与你共享的项目，其创建者可以查看你在该项目中的记录。',
  },
  study_kept: {
    en: 'Kept until they are deleted. After the account is deleted, without your name.',
    zh: '保留至被删除。账号删除后匿名保留。',
  },

  sign_ins: { en: 'Sign-ins', zh: '登录' },
  sign_ins_what: {
    en: 'Time, network address and program of each device. Only you see them.',
    zh: '每台设备的登录时间、网络地址和浏览器信息，只有你自己可以查看。',
  },
  sign_ins_kept: {
    en: 'Kept until 30 days after the sign-in has ended.',
    zh: '保留至登录结束后 30 天。',
  },
  sign_ins_kept_days: {
    en: 'Kept until 30 days after the sign-in has ended; address and program until {days} after the last use.',
    zh: '保留至登录结束后 30 天；网络地址和浏览器信息保留至最后一次使用后 {days}。',
  },

  audit: { en: 'Activity log', zh: '操作日志' },
  audit_what: {
    en: 'What administrators changed about accounts, and who did it. Administrators see it.',
    zh: '管理员对账号所做的更改及操作人。管理员可以查看。',
  },
  audit_kept: {
    en: 'Kept without a limit; your name and address are removed with the account.',
    zh: '长期保留；账号删除时清除你的姓名和邮箱。',
  },
  audit_kept_days: {
    en: 'Kept for {days}; your name and address are removed with the account.',
    zh: '保留 {days}；账号删除时清除你的姓名和邮箱。',
  },

  contact: { en: 'Messages to the administrators', zh: '联系表单' },
  contact_what: {
    en: 'Name, e-mail address, phone number and text of the contact form, with the network address and program of the sender. Administrators see them.',
    zh: '联系表单中的姓名、邮箱、电话和内容，以及发送者的网络地址和浏览器信息。管理员可以查看。',
  },
  contact_kept: { en: 'Kept until an administrator deletes them.', zh: '保留至管理员删除。' },
  contact_kept_days: {
    en: 'Kept until an administrator deletes them, or {days} after they were resolved.',
    zh: '保留至管理员删除，或处理完成后 {days}。',
  },
  contact_address_days: {
    en: 'Network address and program are removed after {days}.',
    zh: '网络地址和浏览器信息在 {days} 后清除。',
  },

  operation: { en: 'Service logs and backups', zh: '运行日志和备份' },
  operation_what: {
    en: 'Pages requested, with network address and user number, and copies of all data. The operator of the service sees them.',
    zh: '访问的页面、网络地址和用户编号，以及全部数据的副本。只有服务的运营方可以查看。',
  },
  operation_kept: {
    en: 'Kept as long as the operator decides; backups until newer ones replace them.',
    zh: '保留时间由运营方决定；备份保留至被新备份替换。',
  },

  yours: { en: 'Your choices', zh: '你的权利' },
  export: {
    en: 'Download all your data as one file: Settings, “Your data”. The file can be downloaded for 24 hours.',
    zh: '下载全部数据：“设置”中的“我的数据”，文件可在 24 小时内下载。',
  },
  correct: {
    en: 'Correct your name, e-mail address and time zone: Settings. An administrator changes the username.',
    zh: '更正姓名、邮箱和时区：“设置”。用户名由管理员修改。',
  },
  erase: {
    en: 'Delete your account: Settings, “Delete account”. Backups follow when they are replaced.',
    zh: '删除账号：“设置”中的“删除账号”。备份中的数据在备份被替换时清除。',
  },
  settings: { en: 'Open settings', zh: '打开设置' },
} as const satisfies Catalogue;
