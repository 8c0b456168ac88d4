import type { Catalogue } from './catalogue.ts';

export const noticeMessages = {
  mail_password_changed: { en: 'Your Studytrack password was changed', zh: '您的 Studytrack 密码已修改' },
  mail_password_changed_text: {
    en: 'The password of the account {username} was changed at {at} (UTC).',
    zh: '账号 {username} 的密码已于 {at}（UTC）修改。',
  },
  mail_second_factor_enabled: {
    en: 'A second factor was enabled for your Studytrack account',
    zh: '您的 Studytrack 账号已启用两步验证',
  },
  mail_second_factor_enabled_text: {
    en: 'A second factor was enabled for the account {username} at {at} (UTC).',
    zh: '账号 {username} 已于 {at}（UTC）启用两步验证。',
  },
  mail_second_factor_disabled: {
    en: 'The second factor of your Studytrack account was removed',
    zh: '您的 Studytrack 账号已停用两步验证',
  },
  mail_second_factor_disabled_text: {
    en: 'The second factor of the account {username} was removed at {at} (UTC). The password alone is enough to sign in.',
    zh: '账号 {username} 的两步验证已于 {at}（UTC）停用，现在仅凭密码即可登录。',
  },
  mail_personal_token_created: {
    en: 'A personal access token was created for your Studytrack account',
    zh: '您的 Studytrack 账号创建了个人访问令牌',
  },
  mail_personal_token_created_text: {
    en: 'A personal access token for the account {username} was created at {at} (UTC). A program that has it can use the account without its password.',
    zh: '账号 {username} 已于 {at}（UTC）创建个人访问令牌。持有该令牌的程序无需密码即可使用该账号。',
  },
  mail_calendar_address_created: {
    en: 'A calendar address was created for your Studytrack account',
    zh: '您的 Studytrack 账号创建了日历地址',
  },
  mail_calendar_address_created_text: {
    en: 'A secret calendar address for the account {username} was created at {at} (UTC). Anyone who knows it can read the study records.',
    zh: '账号 {username} 已于 {at}（UTC）创建日历私密地址，知道该地址的人可以查看学习记录。',
  },
  mail_personal_export_ready: { en: 'The copy of your Studytrack data is ready', zh: '您的 Studytrack 数据副本已就绪' },
  mail_personal_export_ready_text: {
    en: 'A file with all data of the account {username} was created at {at} (UTC). It can be downloaded on the page "Me" for 24 hours, by anyone signed in to the account.',
    zh: '账号 {username} 的数据文件已于 {at}（UTC）生成。登录该账号后，可在 24 小时内从“我”页面下载。',
  },
  mail_account_deleted: { en: 'Your Studytrack account was deleted', zh: '您的 Studytrack 账号已删除' },
  mail_account_deleted_text: {
    en: 'The account {username} was deleted, after its password was entered, at {at} (UTC).',
    zh: '账号 {username} 已于 {at}（UTC）凭密码删除。',
  },
  mail_not_you_deleted: {
    en: 'If this was not you, contact an administrator at once.',
    zh: '如非本人操作，请立即联系管理员。',
  },
  mail_account_locked: {
    en: 'Failed sign-ins to your Studytrack account',
    zh: '您的 Studytrack 账号多次登录失败',
  },
  mail_account_locked_text: {
    en: 'After several wrong passwords or codes, signing in to the account {username} is blocked for 15 minutes from {at} (UTC). This mail is sent at most once a day.',
    zh: '账号 {username} 因多次输入错误的密码或验证码，自 {at}（UTC）起 15 分钟内无法登录。此类邮件每天最多发送一封。',
  },
  mail_account_unused: {
    en: 'Your Studytrack account will be deactivated',
    zh: '您的 Studytrack 账号即将停用',
  },
  mail_account_unused_text: {
    en: 'Nobody has used the Studytrack account {username} for a long time. It will be deactivated in {days} days, on {date}.\n\nTo keep it, sign in before then:\n{link}\n\nYour study records stay. Later, an administrator can activate the account again.',
    zh: 'Studytrack 账号 {username} 已长期未使用，将在 {days} 天后（{date}）停用。\n\n如需保留，请在此之前登录：\n{link}\n\n您的学习记录会保留；停用后可由管理员重新启用账号。',
  },
  mail_last_of_day: {
    en: 'No further messages of this kind are sent within the next 24 hours.',
    zh: '接下来 24 小时内不再发送同类通知。',
  },
  mail_not_you: {
    en: 'If this was not you, contact an administrator, change your password, which also ends all personal access tokens and the calendar address, and end the sign-ins that you do not recognise.',
    zh: '如非本人操作，请联系管理员、修改密码（所有个人访问令牌和日历地址也会随之失效），并结束不认识的登录。',
  },
  webhook_created: { en: 'The webhook was created.', zh: 'Webhook 创建成功。' },
  webhook_updated: { en: 'The webhook was updated.', zh: 'Webhook 更新成功。' },
  webhook_deleted: { en: 'The webhook was deleted.', zh: 'Webhook 删除成功。' },
  webhook_delivery_queued: { en: 'The delivery is queued.', zh: '投递已加入队列。' },
  webhook_not_found: { en: 'There is no such webhook.', zh: 'Webhook 不存在。' },
  webhook_delivery_not_found: { en: 'There is no such delivery.', zh: '该投递不存在。' },
  webhook_url: {
    en: 'must be an address such as https://example.org/hook, without credentials and fragment',
    zh: '必须是形如 https://example.org/hook 的地址，不含用户名、密码和片段',
  },
  webhook_target: {
    en: 'must begin with https:// and lead to the public internet',
    zh: '必须以 https:// 开头并指向公共互联网',
  },
  too_many_webhooks: { en: 'There are already {maximum} webhooks.', zh: 'Webhook 已达 {maximum} 个上限。' },
  webhook_inactive: { en: 'The webhook is switched off.', zh: '该 Webhook 已关闭。' },
  webhook_queue_full: {
    en: 'Too many deliveries are waiting for this webhook ({maximum}).',
    zh: '该 Webhook 等待中的投递过多（{maximum} 个）。',
  },
  webhook_delivery_waits: { en: 'This delivery is already waiting to be sent.', zh: '该投递已在等待发送。' },
  mail_webhook_off: { en: 'A webhook was switched off', zh: 'Webhook 已被关闭' },
  mail_webhook_off_text: {
    en: 'Twenty attempts in a row to deliver events to {url} have failed. The webhook was switched off, and no events are recorded for it. When its receiver works again, switch it on at {page} and replay what failed.',
    zh: '向 {url} 投递事件已连续失败二十次，该 Webhook 已被关闭，不再为其记录事件。接收方恢复后，请在 {page} 重新开启并重发失败的投递。',
  },
  mail_webhook_full: { en: 'A webhook cannot keep up', zh: 'Webhook 来不及接收' },
  mail_webhook_full_text: {
    en: 'Too many deliveries are waiting for {url}. No new events are recorded for it until half of them are delivered; it then receives an event that names the time in between. See {page}.',
    zh: '等待发送到 {url} 的投递过多。其中一半送达之前不再为其记录新事件；之后它会收到一个事件，说明期间的起止时间。详见 {page}。',
  },
} as const satisfies Catalogue;
