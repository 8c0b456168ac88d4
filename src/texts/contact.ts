import type { Catalogue } from './catalogue.ts';

/** Messages about contact requests. Those about a field follow its name. */
export const contactMessages = {
  contact_received: {
    en: 'Your request has been received. An administrator will reply within 24 hours.',
    zh: '提交成功，管理员将在 24 小时内回复您。',
  },

  invalid_phone: {
    en: 'must be a Chinese mobile number: 11 digits that begin with 13 to 19; write any other number in the message',
    zh: '必须是中国大陆手机号：以 13 至 19 开头的 11 位数字；其他号码请写在留言中',
  },
  captcha_format: { en: 'must be the 4 letters and digits in the picture', zh: '必须是图片中的 4 位字母或数字' },
  captcha_wrong: {
    en: 'does not match the picture, or the picture was used or has expired; get a new one',
    zh: '与图片不符，或图片已使用、已过期，请重新获取',
  },
  spam_advertising: {
    en: 'looks like spam: contains advertising, promotion or marketing terms',
    zh: '疑似垃圾信息：包含广告、推广、营销类内容',
  },
  spam_illegal: {
    en: 'looks like spam: contains terms related to illegal activity, fraud or pyramid schemes',
    zh: '疑似垃圾信息：包含违法、诈骗、传销类内容',
  },
  spam_sensitive: {
    en: 'looks like spam: contains terms related to pornography, violence or politics',
    zh: '疑似垃圾信息：包含色情、暴力、政治类内容',
  },
  too_many_submissions: {
    en: 'Too many submissions from this network address or for this e-mail address; try again later.',
    zh: '提交过于频繁，请稍后再试。',
  },
  already_submitted: {
    en: 'A request for this e-mail address was received within the last hour; wait before you send another one.',
    zh: '该邮箱一小时内已提交过申请，请稍后再试。',
  },

  contact_requests_changed: { en: 'Requests changed: {done} of {total}.', zh: '{total} 条申请中已处理 {done} 条。' },
  status_or_delete: {
    en: 'is required unless delete is set, and not allowed with it',
    zh: '与 delete 须提供其一，且不能同时提供',
  },
  contact_request_not_found: { en: 'There is no such contact request.', zh: '联系申请不存在。' },
  contact_request_updated: { en: 'The contact request was updated.', zh: '联系申请已更新。' },
  contact_request_deleted: { en: 'The contact request was deleted.', zh: '联系申请已删除。' },
  status_backward: { en: 'cannot go back from {from} to {to}', zh: '不能从 {from} 退回到 {to}' },
  contact_request_other_subject: {
    en: 'The contact request has another subject: {subject}.',
    zh: '该联系申请的主题为 {subject}，与此操作不符。',
  },
  contact_request_closed: { en: 'The contact request is already resolved.', zh: '该联系申请已处理完毕。' },

  subject_account_registration: { en: 'Account registration', zh: '账号注册' },
  subject_password_reset: { en: 'Password reset', zh: '密码重置' },
  subject_technical_support: { en: 'Technical support', zh: '技术支持' },
  subject_feature_request: { en: 'Feature request', zh: '功能建议' },
  subject_other: { en: 'Other', zh: '其他' },

  mail_one: { en: 'New contact request #{id}: {subject}', zh: '新的联系申请 #{id}：{subject}' },
  mail_many: { en: '{count} new contact requests', zh: '{count} 条新的联系申请' },
  mail_entry: {
    en: '#{id} {subject}\nReceived: {at}\nName: {name}\nE-mail: {email}\nPhone: {phone}\n\n{message}',
    zh: '#{id} {subject}\n时间：{at}\n姓名：{name}\n邮箱：{email}\n电话：{phone}\n\n{message}',
  },
  mail_more: { en: 'And {count} more in the inbox.', zh: '收件箱中还有 {count} 条。' },
} as const satisfies Catalogue;
