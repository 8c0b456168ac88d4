import type { Catalogue } from './catalogue.ts';

export const webhookMessages = {
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
