import type { Catalogue } from '../../lib/texts.ts';

export const workMessages = {
  title: { en: 'Background work', zh: '后台任务' },
  about: {
    en: 'Work that is done after a request, such as sending mail. Failed work is retried automatically, at growing intervals.',
    zh: '请求完成之后才进行的工作，例如发送邮件。失败的任务会自动重试，间隔逐渐变长。',
  },
  backups: { en: 'Backups', zh: '备份' },
  noBackups: {
    en: 'No backups are scheduled. The operator of the server can set BACKUP_SCHEDULE.',
    zh: '尚未设置自动备份。服务器管理员可设置 BACKUP_SCHEDULE。',
  },
  schedule: { en: 'Schedule (server time)', zh: '备份时间（服务器时间）' },
  everyHours: { en: { one: 'Every hour', other: 'Every {count} hours' }, zh: '每 {count} 小时' },
  size: { en: 'Size', zh: '大小' },
  failures: { en: 'Failed attempts since the last one', zh: '上次备份后的失败次数' },
  last: { en: 'Last backup', zh: '上次备份' },
  nextBackup: { en: 'Next backup', zh: '下次备份' },
  mail: { en: 'Mail to users', zh: '发给用户的邮件' },
  contact_mail: { en: 'Mail about contact requests', zh: '联系申请通知邮件' },
  webhook_delivery: { en: 'Webhooks', zh: '事件推送' },
  roster: { en: 'Student lists: accounts to create and change', zh: '名册：创建和更新账号' },
  achievements: { en: 'Awards after imports and changed school years', zh: '导入及校历更改后的成就' },
  personal_export: { en: 'Exports of personal data', zh: '个人数据导出' },
  queued: { en: 'Waiting', zh: '等待' },
  running: { en: 'Running', zh: '进行中' },
  failed: { en: 'Retrying', zh: '待重试' },
  oldest: { en: 'Oldest', zh: '最早' },
  next: { en: 'Next attempt', zh: '下次重试' },
  error: { en: 'Last error', zh: '最近错误' },
  none: { en: '–', zh: '–' },
} as const satisfies Catalogue;
