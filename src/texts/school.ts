import type { Catalogue } from './catalogue.ts';

/** Terms, days off and make-up days. */
export const schoolMessages = {
  term_created: { en: 'The term was created.', zh: '学期已创建。' },
  term_updated: { en: 'The term was changed.', zh: '学期已修改。' },
  term_deleted: { en: 'The term was deleted.', zh: '学期已删除。' },
  term_not_found: { en: 'There is no such term.', zh: '学期不存在。' },
  term_overlaps: { en: 'overlaps {name}', zh: '与“{name}”的日期重叠' },
  too_many_terms: {
    en: 'There are already {maximum} terms; delete old ones first.',
    zh: '学期已达 {maximum} 个，请先删除旧学期。',
  },
  school_day_created: { en: 'The days were added.', zh: '日期已添加。' },
  school_day_updated: { en: 'The days were changed.', zh: '日期已修改。' },
  school_day_deleted: { en: 'The days were deleted.', zh: '日期已删除。' },
  school_day_not_found: { en: 'There are no such days off or make-up days.', zh: '该放假或调休安排不存在。' },
  too_many_school_days: {
    en: 'There can be at most {maximum} entries; delete old ones first.',
    zh: '放假和调休安排最多 {maximum} 条，请先删除旧的安排。',
  },
  calendar_unknown: {
    en: 'is no calendar in iCalendar format (.ics); export the calendar again',
    zh: '不是 iCalendar（.ics）格式的日历文件，请重新导出日历',
  },
  calendar_empty: { en: 'has no events', zh: '没有日程' },
  calendar_too_long: {
    en: 'has {count} events, at most {maximum} are read; export a shorter period',
    zh: '共有 {count} 个日程，最多读取 {maximum} 个，请缩短导出的时间范围',
  },
  calendar_no_event: { en: 'the file has no event {number}', zh: '文件中没有第 {number} 个日程' },
  calendar_chosen_twice: {
    en: 'event {number}, “{name}”, is chosen more than once',
    zh: '第 {number} 个日程“{name}”被重复选择',
  },
  calendar_left_out: {
    en: 'event {number}, “{name}”, cannot be imported; its `left_out` says why',
    zh: '第 {number} 个日程“{name}”不能导入，原因见 left_out',
  },
  calendar_imported: { en: 'Days were added: {added}.', zh: '已添加 {added} 条安排。' },
  school_year_not_yours: {
    en: 'You can read only your own school year.',
    zh: '只能查看自己的校历。',
  },
  nothing_saved: { en: 'Nothing was saved.', zh: '未保存任何更改。' },
  days_off_created: { en: 'The days off were added.', zh: '请假已添加。' },
  days_off_updated: { en: 'The days off were changed.', zh: '请假已修改。' },
  days_off_deleted: { en: 'The days off were deleted.', zh: '请假已删除。' },
  days_off_not_found: { en: 'There are no such days off.', zh: '该请假不存在。' },
  days_off_not_own: { en: 'These days off were set by an administrator.', zh: '该请假由管理员设置，不能自行修改。' },
  days_off_used_up: {
    en: 'more than {maximum} days off in {year}: {days}',
    zh: '{year} 年自行请假将达 {days} 天，超过 {maximum} 天',
  },
  too_many_days_off: {
    en: 'There can be at most {maximum} entries; delete old ones first.',
    zh: '请假记录最多 {maximum} 条，请先删除旧记录。',
  },

  mail_streak_subject: { en: 'Study today to keep your streak ({days})', zh: '连续学习 {days} 天，今天还没有记录' },
  mail_streak_text: {
    en: 'Days of study in a row: {days}. Today does not count yet; one minute of study before the day ends keeps the streak.',
    zh: '您已连续学习 {days} 天，今天尚未计入。今天结束前学习满 1 分钟，即可保持连续记录。',
  },
  mail_streak_action: { en: 'Start studying', zh: '开始学习' },
  mail_week_subject: { en: 'Your week: {hours} h of study', zh: '上周学习 {hours} 小时' },
  mail_week_text: {
    en: 'From {from} to {to} you studied {hours} h on {days} of 7 days. The week before: {before} h.',
    zh: '{from} 至 {to} 的 7 天中，您有 {days} 天学习，共 {hours} 小时；前一周为 {before} 小时。',
  },
  mail_week_streak: { en: 'Current streak: {days} days.', zh: '当前连续学习 {days} 天。' },
  mail_week_action: { en: 'Show statistics', zh: '查看统计' },
  mail_digest_subject: { en: 'Classes: what needs attention this week', zh: '班级周报：本周需关注的情况' },
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

  // Reports of students, and links to them.
  report_link_created: {
    en: 'The link was created. Copy it now; it is not shown again.',
    zh: '链接已创建，请立即复制，之后不再显示。',
  },
  report_link_revoked: { en: 'The link was revoked.', zh: '链接已撤销。' },
  report_link_not_found: {
    en: 'This link is not valid: it has expired, or it was revoked.',
    zh: '链接无效：已过期或已被撤销。',
  },
  too_many_report_links: {
    en: 'You have {maximum} valid links to reports; revoke some first.',
    zh: '您的有效报告链接已达 {maximum} 个，请先撤销一些。',
  },
  report_not_yours: {
    en: 'Only administrators can see the reports of others.',
    zh: '只有管理员可以查看他人的学习报告。',
  },
} as const satisfies Catalogue;
