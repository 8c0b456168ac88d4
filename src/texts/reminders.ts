import type { Catalogue } from './catalogue.ts';

export const reminderMessages = {
  mail_streak_subject: { en: 'Study today to keep your streak ({days})', zh: '连续学习 {days} 天，今天还没有记录' },
  mail_streak_text: {
    en: 'Days of study in a row: {days}. Today does not count yet; any study before the day ends keeps the streak.',
    zh: '您已连续学习 {days} 天，今天还没有学习。今天结束前学习任意时长，即可保持连续记录。',
  },
  mail_streak_action: { en: 'Start studying', zh: '开始学习' },
  mail_week_subject: { en: 'Your week: {hours} h of study', zh: '上周学习 {hours} 小时' },
  mail_week_text: {
    en: 'From {from} to {to} you studied {hours} h on {days} of 7 days. The week before: {before} h.',
    zh: '{from} 至 {to}，您在 7 天中的 {days} 天学习，共 {hours} 小时；前一周为 {before} 小时。',
  },
  mail_week_streak: { en: 'Current streak: {days} days.', zh: '当前连续学习 {days} 天。' },
  mail_week_action: { en: 'Show statistics', zh: '查看统计' },
  mail_digest_subject: { en: 'Classes: what needs attention this week', zh: '班级周报：本周需要关注' },
  mail_digest_text: { en: 'As of today:', zh: '截至今天：' },
  mail_digest_class: {
    en: '{name}: {silent} without study for a week, {overdue} with an overdue goal, {behind} behind, {slowing} slowing',
    zh: '{name}：{silent} 人一周未学习，{overdue} 人目标逾期，{behind} 人落后，{slowing} 人进度放缓',
  },
  mail_digest_requests: {
    en: 'Contact requests that wait for more than 24 hours: {count}',
    zh: '超过 24 小时未处理的联系申请：{count} 个',
  },
  mail_digest_more: { en: 'More classes: {count}', zh: '另有 {count} 个班级' },
  mail_digest_action: { en: 'Show students', zh: '查看学生' },
  mail_reminder_footer: {
    en: 'You chose to get this mail in the settings of your Studytrack account.',
    zh: '您在 Studytrack 账号设置中开启了此邮件。',
  },
  mail_reminder_stop: { en: 'Stop these mails', zh: '退订此类邮件' },
  channel_saved: { en: 'The channel was saved.', zh: '通知渠道已保存。' },
  channel_deleted: { en: 'The channel was removed.', zh: '通知渠道已移除。' },
  channel_not_found: { en: 'You have no channel.', zh: '您还没有设置通知渠道。' },
  channel_address: { en: 'must be an address such as https://ntfy.sh/topic', zh: '须为网址，如 https://ntfy.sh/topic' },
  channel_test_title: { en: 'Test message', zh: '测试消息' },
  channel_test_text: {
    en: 'This channel works. Your reminders arrive here.',
    zh: '此渠道可用，提醒将发送到这里。',
  },
  channel_request_title: { en: 'A new contact request', zh: '有新的联系申请' },
  channel_request_text: { en: 'It waits in the inbox.', zh: '请到收件箱查看。' },
  unsubscribed: { en: 'You will not get these mails any more.', zh: '您将不再收到此类邮件。' },
  invalid_unsubscribe_token: {
    en: 'is not valid; the mails can be switched off in the settings of the account',
    zh: '无效，可在账号设置中关闭邮件',
  },
} as const satisfies Catalogue;
